/// What a USB device is to one who looks for a modem.
public enum DeviceKind: Hashable, Sendable {
  /// A modem whose ports are known by their numbers.
  case modem(KnownModem)
  /// A modem whose ports are known by their class, of this maker.
  case classed(maker: String)
  /// Most likely a modem, by its maker or by the kernel's driver; its ports are not known.
  case unlisted(maker: String?)
  /// A network card with a web page that has a SIM in it.
  case hiLink
  /// A modem that still shows the CD-ROM with its driver.
  case storageMode
  /// A bridge to a serial line, behind which there may be a modem.
  case bridge(String)
  /// Something else.
  case other

  /// A short stable name for scripts.
  public var name: String {
    switch self {
    case .modem, .classed: "modem"
    case .unlisted: "unlisted_modem"
    case .hiLink: "hilink"
    case .storageMode: "storage_mode"
    case .bridge: "bridge"
    case .other: "other"
    }
  }

  /// Whether it is a modem, in whatever state.
  var isModem: Bool {
    switch self {
    case .modem(let known): known.everyPort == nil
    case .classed, .unlisted, .storageMode: true
    case .hiLink, .bridge, .other: false
    }
  }
}

extension PortInventory {
  /// What a device is.
  public func kind(of device: USBDevice) -> DeviceKind {
    let ports = ports(of: device.socket)
    if table.networkCards.contains(device.id) { return .hiLink }
    if ports.isEmpty, isStorage(device) { return .storageMode }
    if let known = table.modems[device.id] { return .modem(known) }
    if let classes = table.classes[device.id.vendor],
      device.interfaces.contains(where: { classes.use(of: $0) != nil || PortClasses.isOld($0) })
    {
      return .classed(maker: table.makers[device.id.vendor] ?? "")
    }
    let drivers = ports.compactMap(\.driver)
    let name =
      DeviceTable.bridges[device.id]
      ?? drivers.lazy.compactMap { DeviceTable.bridgeDrivers[$0] }.first
    if let name { return .bridge(name) }
    let maker = table.makers[device.id.vendor]
    if !ports.isEmpty, maker != nil || drivers.contains(where: DeviceTable.modemDrivers.contains) {
      return .unlisted(maker: maker)
    }
    return .other
  }

  /// Whether a device is one of those that show a CD-ROM first: listed, or a maker of modems' and
  /// nothing but storage.
  private func isStorage(_ device: USBDevice) -> Bool {
    if table.storageMode.contains(device.id) { return true }
    return table.makers[device.id.vendor] != nil && !device.interfaces.isEmpty
      && device.interfaces.allSatisfy { $0.classCode == 0x08 }
  }

  /// What a port is for; nil when that is not known.
  public func use(of port: USBPort) -> PortUse? {
    guard let device = device(at: port.socket) else { return nil }
    switch kind(of: device) {
    case .modem(let known): return known.use(ofInterface: port.interface)
    case .classed: return classedUse(of: port, device)
    case .unlisted, .hiLink, .storageMode, .bridge, .other: return nil
    }
  }

  private func classedUse(of port: USBPort, _ device: USBDevice) -> PortUse? {
    guard let interface = device.interface(port.interface),
      let classes = table.classes[device.id.vendor]
    else { return nil }
    guard PortClasses.isOld(interface) else { return classes.use(of: interface) }
    // Where one port tells by its class, those that do not are none of the old order.
    guard !device.interfaces.contains(where: { classes.use(of: $0) == .at }) else { return nil }
    let old = ports(of: device.socket).map(\.interface)
      .filter { device.interface($0).map(PortClasses.isOld) ?? false }
    return PortClasses.oldUse(of: port.interface, among: old)
  }

  /// A device as people know it: `Quectel EC25, EG25 (2c7c:0125)`.
  public func name(of device: USBDevice) -> String {
    if case .modem(let known) = kind(of: device), !known.product.isEmpty {
      return "\(known.name) (\(device.id))"
    }
    let own = [device.manufacturer, device.product].compactMap { $0.map(Words.clean) }
      .filter { !$0.isEmpty }
    if !own.isEmpty { return "\(own.joined(separator: " ")) (\(device.id))" }
    return [table.makers[device.id.vendor], "\(device.id)"].compactMap { $0 }
      .joined(separator: " ")
  }
}

/// Words from outside.
enum Words {
  /// What a device says of itself, fit to be repeated: printable, and not for ever.
  static func clean(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && !$0.isControl }
    let shown = String(String.UnicodeScalarView(kept)).prefix(Limits.words)
    let start = shown.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}

extension Unicode.Scalar {
  /// Whether it moves a terminal instead of being seen.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      true
    default: false
    }
  }
}
