public import ModemDiscovery

/// The modems that are plugged in, as a configuration names them.
public struct PluggedModems {
  /// One of them.
  public struct Modem: Hashable, Sendable {
    /// What it is, for people.
    public var name: String
    /// The port that is tried first.
    public var path: String
    /// What tells it from the others: `auto` where it is the only one.
    public var choice: String

    /// A modem of this name at a port.
    public init(name: String, path: String, choice: String) {
      self.name = name
      self.path = path
      self.choice = choice
    }
  }

  /// The modems, the most likely first.
  public let modems: [Modem]
  /// Why other things that are plugged in cannot serve, or that nothing is.
  public let findings: [PortFinding]

  /// Modems that are known.
  public init(modems: [Modem], findings: [PortFinding] = []) {
    self.modems = modems
    self.findings = findings
  }

  /// The modems of a machine.
  public init(_ inventory: PortInventory) {
    let plan = PortPlan(.automatic, in: inventory)
    var sockets: [String] = []
    var found: [(device: USBDevice, path: String, stable: String?)] = []
    for candidate in plan.candidates {
      guard let place = candidate.place, !sockets.contains(place.socket),
        let device = inventory.device(at: place.socket)
      else { continue }
      sockets.append(place.socket)
      found.append((device, candidate.path, candidate.stablePath))
    }
    modems = found.map { device, path, stable in
      let twins = found.filter { $0.device.id == device.id }
      let isAlone = found.count == 1
      let hasOwnSerial =
        device.serial.map { serial in
          !serial.contains(" ") && !serial.contains(",")
            && twins.filter { $0.device.serial == serial }.count == 1
        } ?? false
      let identity = ModemIdentity(
        id: device.id, serial: twins.count > 1 && hasOwnSerial ? device.serial : nil)
      let choice =
        isAlone
        ? PortSelector.automaticWord
        : twins.count == 1 || hasOwnSerial ? identity.description : stable ?? path
      return Modem(name: inventory.name(of: device), path: path, choice: choice)
    }
    findings = plan.findings
  }
}
