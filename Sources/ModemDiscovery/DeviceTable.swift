public import ModemMakers

/// A modem of which it is known what its ports are for.
public struct KnownModem: Hashable, Sendable {
  /// The kind of device.
  public let id: USBID
  /// Who makes it.
  public let maker: String
  /// What its maker calls it; empty where that is not known.
  public let product: String
  /// The use of each port, by the number of its USB interface.
  public let ports: [UInt8: PortUse]
  /// The use of all of them, where they have one.
  public let everyPort: PortUse?

  /// The use of the port at an interface; nil when it is not known.
  public func use(ofInterface number: UInt8) -> PortUse? {
    everyPort ?? ports[number]
  }

  /// Maker and product.
  public var name: String {
    product.isEmpty ? maker : "\(maker) \(product)"
  }
}

/// The USB devices that are known here: the makers' modems, and bridges to a serial line.
public struct DeviceTable: Hashable, Sendable {
  /// Modems whose ports are told apart by the number of their interface.
  public let modems: [USBID: KnownModem]

  /// Makers of modems, by their number. An unlisted product of theirs with a serial port is most
  /// likely a modem.
  public let makers: [UInt16: String]

  /// Those of them that tell what a port is for by the class of its interface.
  let classes: [UInt16: PortClasses]

  /// Network cards with a web page that have no port for commands.
  let networkCards: Set<USBID>

  /// Devices that still show the CD-ROM with their Windows driver.
  let storageMode: Set<USBID>

  /// What the makers of these numbers make; a line that cannot be read is skipped.
  public init(_ numbers: [USBNumbers]) {
    let rows = numbers.flatMap { DeviceTable.parse($0.rows) }
    let classed = numbers.flatMap { PortClasses.parse($0.classes) }
    modems = Dictionary(
      rows.map { ($0.modem.id, $0.modem) }, uniquingKeysWith: { first, _ in first })
    classes = Dictionary(
      classed.map { ($0.vendor, $0.classes) }, uniquingKeysWith: { first, _ in first })
    makers = Dictionary(
      classed.map { ($0.vendor, $0.maker) }
        + rows.filter { $0.makesModemsAlone }.map { ($0.modem.id.vendor, $0.modem.maker) },
      uniquingKeysWith: { first, _ in first })
    networkCards = Set(numbers.flatMap { $0.networkCards.compactMap { USBID($0) } })
    storageMode = Set(numbers.flatMap { $0.storageMode.compactMap { USBID($0) } })
  }

  /// The modems of these makers.
  public init(_ list: MakerList) {
    self.init(list.makers.map(\.usb))
  }

  /// The modems of all makers that this program knows.
  public static let known = DeviceTable(MakerList.known)

  /// Bridges from USB to a serial line, on which boards with a modem hang, and much else.
  public static let bridges: [USBID: String] = [
    USBID(vendor: 0x1A86, product: 0x7523): "CH340",
    USBID(vendor: 0x10C4, product: 0xEA60): "CP210x",
    USBID(vendor: 0x0403, product: 0x6001): "FT232R",
    USBID(vendor: 0x067B, product: 0x2303): "PL2303",
  ]

  /// The same by the kernel's driver, for the many kinds that are not listed.
  static let bridgeDrivers: [String: String] = [
    "ch341": "CH340", "ch341-uart": "CH340", "cp210x": "CP210x", "ftdi_sio": "FTDI",
    "pl2303": "PL2303",
  ]

  /// The kernel's drivers for modems; it binds them to nothing else.
  static let modemDrivers: Set<String> = ["option", "option1", "qcserial", "sierra", "hso", "ipw"]

  /// A line about a modem, and whether its maker's other products are modems too.
  struct Row {
    var modem: KnownModem
    var makesModemsAlone: Bool
  }

  /// Reads the rows of ``USBNumbers/rows``; a line that is none is skipped.
  static func parse(_ text: String) -> [Row] {
    var rows: [Row] = []
    var maker: (number: UInt16, name: String)?
    var makesModemsAlone = false
    for line in text.split(separator: "\n") {
      if let vendor = vendor(line) {
        maker = vendor
        makesModemsAlone = line.hasPrefix("=")
      } else if let maker, let modem = modem(line, maker: maker) {
        rows.append(Row(modem: modem, makesModemsAlone: makesModemsAlone))
      }
    }
    return rows
  }

  /// The line that begins a maker's: `= 2c7c Quectel`; nil when it is another one.
  static func vendor(_ line: Substring) -> (number: UInt16, name: String)? {
    guard line.hasPrefix("= ") || line.hasPrefix("~ ") else { return nil }
    let parts = line.dropFirst(2).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let number = Hexadecimal.word(parts[0]) else { return nil }
    return (number, String(parts[1]))
  }

  private static func modem(
    _ line: Substring, maker: (number: UInt16, name: String)
  ) -> KnownModem? {
    let halves = line.split(separator: "|", maxSplits: 1)
    guard let words = halves.first?.split(separator: " "), let first = words.first,
      let product = Hexadecimal.word(first)
    else { return nil }
    var ports: [UInt8: PortUse] = [:]
    var everyPort: PortUse?
    for word in words.dropFirst() {
      guard let letter = word.first, let use = PortUse(letter: letter) else { return nil }
      if word.dropFirst() == "*" {
        everyPort = use
      } else if let number = Hexadecimal.byte(word.dropFirst()) {
        ports[number] = use
      } else {
        return nil
      }
    }
    let name = halves.count == 2 ? halves[1].drop { $0 == " " } : ""
    return KnownModem(
      id: USBID(vendor: maker.number, product: product), maker: maker.name,
      product: String(name), ports: ports, everyPort: everyPort)
  }
}
