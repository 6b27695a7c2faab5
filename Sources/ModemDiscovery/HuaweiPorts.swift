/// What a port of a Huawei stick is for: the class of its interface tells, the same for all that the
/// maker has made, however their interfaces are numbered.
enum HuaweiPorts {
  /// The use of a port by its class alone; nil when the class says nothing of it.
  static func use(of interface: USBInterface) -> PortUse? {
    guard interface.classCode == 0xFF else { return nil }
    switch (interface.subclass, interface.protocolCode) {
    case (0x01, 0x02), (0x02, 0x02), (0x02, 0x12), (0x03, 0x12), (0x01, 0x32):
      return .at
    case (0x01, 0x01), (0x02, 0x01), (0x03, 0x01), (0x01, 0x31):
      return .ppp
    case (0x01, 0x03), (0x02, 0x03), (0x01, 0x33):
      return .diagnostic
    default:
      return nil
    }
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
}
