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

/// The USB devices that are known here.
public enum DeviceTable {
  /// Modems whose ports are told apart by the number of their interface.
  public static let modems: [USBID: KnownModem] = Dictionary(
    parse(rows).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// Makers of modems, by their number. An unlisted product of theirs with a serial port is most
  /// likely a modem.
  public static let makers: [UInt16: String] = {
    var makers = [huawei: "Huawei"]
    for modem in modems.values where !mixedMakers.contains(modem.id.vendor) {
      makers[modem.id.vendor] = modem.maker
    }
    return makers
  }()

  /// Huawei, which tells what a port is for by the class of its interface.
  public static let huawei: UInt16 = 0x12D1

  /// Huawei's sticks that are network cards with a web page, and have no port for commands;
  /// `12d1:1f01` is one that has not been switched over yet.
  public static let hiLink: Set<USBID> = [
    USBID(vendor: huawei, product: 0x14DB), USBID(vendor: huawei, product: 0x14DC),
    USBID(vendor: huawei, product: 0x1F01),
  ]

  /// Devices that still show the CD-ROM with their Windows driver; usb_modeswitch turns them into
  /// modems.
  public static let storageMode: Set<USBID> = [
    USBID(vendor: huawei, product: 0x1446), USBID(vendor: huawei, product: 0x14FE),
    USBID(vendor: huawei, product: 0x1505), USBID(vendor: huawei, product: 0x155B),
    USBID(vendor: 0x19D2, product: 0x2000), USBID(vendor: 0x19D2, product: 0x0166),
    USBID(vendor: 0x1BBB, product: 0xF000), USBID(vendor: 0x1C9E, product: 0xF000),
    USBID(vendor: 0x1E0E, product: 0xF000), USBID(vendor: 0x2001, product: 0xA80B),
    USBID(vendor: 0x1199, product: 0x0FFF),
  ]

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

  /// Numbers of those who make modems and much else besides: a product of theirs is a modem only
  /// when it is listed.
  private static let mixedMakers: Set<UInt16> = [
    0x03F0, 0x0421, 0x0489, 0x05C6, 0x0930, 0x0BDB, 0x0E8D, 0x07D1, 0x1546, 0x1782, 0x2001, 0x201E,
    0x2357, 0x413C, 0x8087,
  ]

  /// Reads the rows; a line that is none is skipped.
  static func parse(_ text: String) -> [KnownModem] {
    var modems: [KnownModem] = []
    var maker: (number: UInt16, name: String)?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("= ") {
        let parts = line.dropFirst(2).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let number = Hexadecimal.word(parts[0]) else { continue }
        maker = (number, String(parts[1]))
      } else if let maker, let modem = modem(line, maker: maker) {
        modems.append(modem)
      }
    }
    return modems
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
