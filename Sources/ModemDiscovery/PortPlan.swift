/// Where a port is, whatever its node is called: the same modem in the same socket is in the same
/// place after it was plugged in again.
public struct PortPlace: Hashable, Sendable {
  /// The kind of device.
  public var id: USBID
  /// The device's serial number, when it tells one.
  public var serial: String?
  /// The socket it is plugged into.
  public var socket: String
  /// The number of the interface.
  public var interface: UInt8

  /// The place of an interface of a device.
  init(_ device: USBDevice, interface: UInt8) {
    id = device.id
    serial = device.serial
    socket = device.socket
    self.interface = interface
  }

  /// How well this is the place that worked before: 0 the same socket, 1 the same device by its
  /// serial number, 2 something else.
  func distance(to other: PortPlace) -> Int {
    guard id == other.id, interface == other.interface else { return 2 }
    if socket == other.socket { return 0 }
    return serial != nil && serial == other.serial ? 1 : 2
  }
}

/// A port that may be opened.
public struct PortCandidate: Hashable, Sendable {
  /// What to open: a node, or the path that was asked for.
  public let path: String
  /// A name of it that stays.
  public let stablePath: String?
  /// Where it is; nil when that cannot be told, as for a pseudo-terminal.
  public let place: PortPlace?
  /// What it is for, where that is known.
  public let use: PortUse?
  /// Why it stands where it stands in the order.
  public let words: String
}

/// What is there and cannot serve, or what is not there, in words that say what helps.
public struct PortFinding: Hashable, Sendable {
  /// What kind of finding it is.
  public enum Kind: String, Hashable, Sendable {
    /// A network card with a web page.
    case hiLink = "hilink"
    /// A CD-ROM where a modem should be.
    case storageMode = "storage_mode"
    /// Another process has the port.
    case held
    /// This service has the port for another role.
    case inUse = "in_use"
    /// This user may not open the port.
    case permission
    /// A modem without a serial port.
    case noPort = "no_port"
    /// Nothing of what is wanted.
    case missing
  }

  /// What kind of finding it is.
  public let kind: Kind
  /// The port or the device that it is about.
  public let subject: String
  /// What is wrong, with which thing, and what helps.
  public let words: String
}

/// The ports that may have the modem that is wanted, the most likely first, and why others cannot.
///
/// The order depends on what is there and on nothing else: ports known for commands before second
/// ones, those before ports of which nothing is known, then ports for data; among equals by socket
/// and interface. A bridge to a serial line comes in only where no modem is plugged in at all, as
/// anything may hang on it. What worked before comes first.
public struct PortPlan: Hashable, Sendable {
  /// The ports, the most likely first.
  public private(set) var candidates: [PortCandidate] = []
  /// Why other things that are plugged in cannot serve, or that nothing is.
  public private(set) var findings: [PortFinding] = []

  /// The plan for a selector on a machine.
  ///
  /// - Parameter remembered: Where the modem was when it last worked.
  public init(_ selector: PortSelector, in inventory: PortInventory, remembered: PortPlace? = nil) {
    switch selector {
    case .path(let path):
      let port = inventory.port(at: path)
      candidates = [
        PortCandidate(
          path: path, stablePath: port?.links.first,
          place: port.flatMap { port in
            inventory.device(at: port.socket).map { PortPlace($0, interface: port.interface) }
          }, use: port.flatMap(inventory.use), words: "it is the one that was named")
      ]
    case .automatic:
      plan(PortSelection(inventory: inventory, identity: nil), remembered)
    case .identity(let identity):
      plan(PortSelection(inventory: inventory, identity: identity), remembered)
    }
  }

  /// Why there is no port, in one line.
  public var refusal: String {
    findings.map(\.words).joined(separator: "; ")
  }

  private mutating func plan(_ selection: PortSelection, _ remembered: PortPlace?) {
    var found: [(order: PortOrder, candidate: PortCandidate)] = []
    let bridges = selection.allowsBridges(remembered)
    for device in selection.devices {
      findings += selection.findings(of: device)
      for port in selection.freePorts(of: device) {
        guard let rank = selection.rank(of: port, of: device), rank != .bridge || bridges else {
          continue
        }
        let place = PortPlace(device, interface: port.interface)
        let distance = remembered.map { place.distance(to: $0) } ?? 2
        found.append(
          (
            PortOrder(distance: distance, rank: rank, number: found.count),
            PortCandidate(
              path: port.path, stablePath: port.links.first, place: place,
              use: selection.inventory.use(of: port),
              words: distance < 2
                ? "it worked last" : selection.words(rank, of: device))
          )
        )
      }
    }
    candidates = found.sorted { $0.order < $1.order }.map(\.candidate)
    if candidates.isEmpty, findings.isEmpty { findings = [selection.missing] }
  }
}

/// The key by which candidates are ordered; equal ones stay in the order of the inventory.
private struct PortOrder: Comparable {
  var distance: Int
  var rank: PortRank
  var number: Int

  static func < (left: PortOrder, right: PortOrder) -> Bool {
    (left.distance, left.rank.rawValue, left.number)
      < (right.distance, right.rank.rawValue, right.number)
  }
}
