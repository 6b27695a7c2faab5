/// How likely a port is the right one.
enum PortRank: Int {
  /// The interface that was asked for.
  case named
  case commands
  case second
  /// A modem's port of which nothing is known.
  case unknown
  case data
  case bridge
}

/// What of an inventory is looked at for a selector: which devices, which of their ports, and what is said of
/// those that cannot serve.
struct PortSelection {
  let inventory: PortInventory
  /// The modem that is wanted; nil for whichever there is.
  let identity: ModemIdentity?

  /// The devices that come into question.
  var devices: [USBDevice] {
    guard let identity else { return inventory.devices }
    return inventory.devices.filter { device in
      (identity.id == nil || identity.id == device.id)
        && (identity.serial == nil || identity.serial == device.serial)
    }
  }

  /// Whether a device was asked for by what tells it from others.
  private var isNamed: Bool { identity?.id != nil || identity?.serial != nil }

  /// Whether a bridge may be tried: where one was asked for, where it worked before, or where no
  /// modem is there or was.
  func allowsBridges(_ remembered: PortPlace?) -> Bool {
    if isNamed || identity?.imei != nil { return true }
    if let remembered { return DeviceTable.bridges[remembered.id] != nil }
    return !inventory.devices.contains { inventory.kind(of: $0).isModem }
  }

  /// The device's ports that this process may open now.
  ///
  /// A device that a service of ours uses, or that ModemManager works with, is out as a
  /// whole: two programs on two ports of one modem still take each other's answers.
  func freePorts(of device: USBDevice) -> [USBPort] {
    let ports = inventory.ports(of: device.socket)
    if ports.contains(where: { $0.owner.map(takesAll) ?? false }) { return [] }
    return ports.filter { $0.owner == nil && $0.isPermitted }
  }

  /// How likely a port is the one; nil when it is not.
  func rank(of port: USBPort, of device: USBDevice) -> PortRank? {
    if let wanted = identity?.interface { return port.interface == wanted ? .named : nil }
    switch inventory.use(of: port) {
    case .at: return .commands
    case .atSecondary: return .second
    case .ppp: return .data
    case .gps, .diagnostic, .audio, .ignored: return nil
    case nil: break
    }
    switch inventory.kind(of: device) {
    case .modem, .classed, .unlisted: return knowsCommands(device) ? nil : .unknown
    case .bridge: return .bridge
    case .hiLink, .storageMode: return nil
    case .other: return isNamed ? .unknown : nil
    }
  }

  /// Why a port stands where it stands.
  func words(_ rank: PortRank, of device: USBDevice) -> String {
    let name = inventory.name(of: device)
    return switch rank {
    case .named: "it is the interface that was named, of \(name)"
    case .commands: "it is the port for commands of \(name)"
    case .second: "it is a second port for commands of \(name)"
    case .unknown: "it is a port of \(name) of which nothing is known; it is asked"
    case .data: "it is the port for data of \(name), which takes commands too"
    case .bridge: "it is a serial line behind \(name); what hangs on it is asked"
    }
  }

  /// Why a device or its ports cannot serve.
  func findings(of device: USBDevice) -> [PortFinding] {
    let name = inventory.name(of: device)
    let kind = inventory.kind(of: device)
    func finding(_ kind: PortFinding.Kind, _ words: String) -> PortFinding {
      PortFinding(kind: kind, subject: "\(device.id)", words: "\(name) \(words)")
    }
    switch kind {
    case .hiLink:
      return [
        finding(
          .hiLink,
          "is a HiLink stick, a network card without a port for commands;"
            + " take a stick or module with serial ports, or give it its maker's stick firmware")
      ]
    case .storageMode:
      return [
        finding(
          .storageMode,
          "still shows its CD-ROM; install usb-modeswitch, then plug it in again")
      ]
    case .other where !isNamed: return []
    default: break
    }
    let ports = inventory.ports(of: device.socket)
    if ports.isEmpty {
      guard kind.isModem || isNamed else { return [] }
      return [
        finding(
          .noPort,
          "has no serial port; the kernel's driver for it (option, qcserial or cdc_acm) is missing"
            + " or has not found it yet")
      ]
    }
    if let port = ports.first(where: { $0.owner.map(takesAll) ?? false }), let owner = port.owner {
      return [held(port, owner, name)]
    }
    return ports.compactMap { port in
      guard rank(of: port, of: device) != nil else { return nil }
      if let owner = port.owner { return held(port, owner, name) }
      return port.isPermitted ? nil : forbidden(port, name)
    }
  }

  /// That nothing of what is wanted is there.
  var missing: PortFinding {
    guard let identity else {
      return PortFinding(
        kind: .missing, subject: PortSelector.automaticWord,
        words: "no modem is plugged in; a modem on a serial line of this machine has to be named"
          + " (modem.port)")
    }
    let words =
      devices.isEmpty
      ? "no modem \(identity) is plugged in" : "\(identity) has no such port for commands"
    return PortFinding(
      kind: .missing, subject: "\(identity)",
      words: "\(words); `checkpost modem list` shows what is there")
  }

  /// Whether it is known which of a device's ports take commands.
  private func knowsCommands(_ device: USBDevice) -> Bool {
    inventory.ports(of: device.socket).contains { port in
      switch inventory.use(of: port) {
      case .at, .atSecondary: true
      default: false
      }
    }
  }

  /// Whether an owner works with a whole modem, and not with one port of it.
  private func takesAll(_ owner: PortOwner) -> Bool {
    owner.isThisProcess || owner.command == PortSelection.program || isModemManager(owner)
  }

  /// The name under which this program runs.
  private static let program = "checkpost"

  private func isModemManager(_ owner: PortOwner) -> Bool {
    owner.command.hasPrefix("ModemManager")
  }

  private func held(_ port: USBPort, _ owner: PortOwner, _ name: String) -> PortFinding {
    if owner.isThisProcess {
      return PortFinding(
        kind: .inUse, subject: port.path,
        words: "\(port.path) of \(name) is in use by this service already")
    }
    if owner.command == PortSelection.program {
      return PortFinding(
        kind: .held, subject: port.path,
        words: "\(port.path) of \(name) is held by our own service (pid \(owner.process));"
          + " commands go through it when no port is named")
    }
    let command = owner.command.isEmpty ? "a process" : Words.clean(owner.command)
    let remedy =
      isModemManager(owner)
      ? "install udev/60-checkpost-modem.rules, or stop it" : "stop it, or take another modem"
    return PortFinding(
      kind: .held, subject: port.path,
      words: "\(port.path) of \(name) is held by \(command) (pid \(owner.process)); \(remedy)")
  }

  private func forbidden(_ port: USBPort, _ name: String) -> PortFinding {
    PortFinding(
      kind: .permission, subject: port.path,
      words: "\(port.path) of \(name) may not be opened by this user;"
        + " add the user to the group \(port.group ?? "dialout")")
  }
}
