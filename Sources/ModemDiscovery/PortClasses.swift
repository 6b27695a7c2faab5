/// What a maker's ports are for, where the class of the interface tells it: the same for all that the
/// maker has made, however their interfaces are numbered.
struct PortClasses: Hashable, Sendable {
  /// A subclass and a protocol of the maker's own class.
  struct Code: Hashable, Sendable {
    var subclass: UInt8
    var protocolCode: UInt8
  }

  /// The use by subclass and protocol.
  var uses: [Code: PortUse] = [:]

  /// The use of a port by its class alone; nil when the class says nothing of it.
  func use(of interface: USBInterface) -> PortUse? {
    guard interface.classCode == 0xFF else { return nil }
    return uses[Code(subclass: interface.subclass, protocolCode: interface.protocolCode)]
  }

  /// Whether a port is one of a stick from before the classes.
  static func isOld(_ interface: USBInterface) -> Bool {
    (interface.classCode, interface.subclass, interface.protocolCode) == (0xFF, 0xFF, 0xFF)
  }

  /// The use of a port of a stick from before the classes, whose ports are told apart by their order:
  /// the first is for data, the last takes commands, and what lies between carries voice or is for
  /// diagnosis.
  ///
  /// The number alone says nothing: the network card among the interfaces, which has no port, shifts
  /// them, so that commands are at 1, 2, 3 or 4.
  ///
  /// - Parameter ports: The interfaces of that kind which have a serial port.
  static func oldUse(of number: UInt8, among ports: [UInt8]) -> PortUse? {
    guard ports.contains(number) else { return nil }
    if number == ports.min() { return .ppp }
    return number == ports.max() ? .at : .atSecondary
  }

  /// Reads what ``USBNumbers/classes`` has; a line that is none is skipped.
  static func parse(_ text: String) -> [(vendor: UInt16, maker: String, classes: PortClasses)] {
    var makers: [(vendor: UInt16, maker: String, classes: PortClasses)] = []
    for line in text.split(separator: "\n") {
      if let vendor = DeviceTable.vendor(line) {
        makers.append((vendor.number, vendor.name, PortClasses()))
      } else if !makers.isEmpty, let use = line.first.flatMap({ PortUse(letter: $0) }) {
        for word in line.split(separator: " ").dropFirst() {
          guard let code = Code(word) else { continue }
          makers[makers.count - 1].classes.uses[code] = use
        }
      }
    }
    return makers
  }
}

extension PortClasses.Code {
  /// Reads `02:12`; nil when it is anything else.
  init?(_ text: Substring) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let subclass = Hexadecimal.byte(parts[0]),
      let protocolCode = Hexadecimal.byte(parts[1])
    else { return nil }
    self.init(subclass: subclass, protocolCode: protocolCode)
  }
}
