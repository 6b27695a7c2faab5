import EventLoop
public import NodeCore

/// The machine's network link: an interface with a carrier, and a default route over it.
///
/// This is a hint to try and no more; what counts is an answer of the server. A server on this very
/// machine needs no link, and one on the local network needs no default route; ``always`` is for
/// those, and ``init(server:root:)`` knows them.
public struct SystemLinkState: Sendable {
  private let root: String
  private let isAlwaysUp: Bool
  /// Whether the way is paid by volume; nil to judge by the kind of its interface.
  private var isMetered: Bool?

  /// The link of this machine, read below `root` (`/` unless a test hands in a tree of its own).
  public init(root: String = "") {
    self.root = root
    isAlwaysUp = false
  }

  init(isAlwaysUp: Bool, root: String, isMetered: Bool?) {
    self.root = root
    self.isAlwaysUp = isAlwaysUp
    self.isMetered = isMetered
  }

  /// A link that is always up.
  public static let always = SystemLinkState(isAlwaysUp: true, root: "", isMetered: nil)

  /// Reads whether there is a link and a route.
  public func isUp() -> Bool { read().isUp }

  /// Reads the link, and what else the machine tells of it.
  public func read() -> LinkState {
    var state = LinkState()
    let carriers = interfaces.filter(hasCarrier)
    let routes = routes.sorted { $0.metric < $1.metric }
    let way = routes.first { carriers.contains($0.interface) } ?? routes.first
    state.interface = way?.interface
    if !isAlwaysUp {
      if carriers.isEmpty { state.lack = .link } else if way == nil { state.lack = .route }
    }
    state.isMetered = isMetered ?? way.map { isMobile($0.interface) } ?? false
    state.batteryPercent = SystemPower(root: root).batteryPercent
    return state
  }

  private var interfaces: [String] {
    SystemFile.names(in: root + "/sys/class/net", limit: SystemLinkState.mostInterfaces) {
      $0 != "lo"
    }
  }

  /// Whether an interface is one of a mobile network: `wwan`, or a dial-up line (PPP).
  private func isMobile(_ interface: String) -> Bool {
    let place = root + "/sys/class/net/\(interface)"
    let bytes = SystemFile.bytes(place + "/uevent", limit: SystemLinkState.mostBytes) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains("DEVTYPE=wwan")
      || SystemFile.firstLine(place + "/type") == "512"
  }

  private func hasCarrier(_ interface: String) -> Bool {
    // A carrier file that cannot be read belongs to an interface that is down.
    SystemFile.firstLine(root + "/sys/class/net/\(interface)/carrier")?.first == "1"
  }

  /// The default routes, each with its interface and its metric.
  private var routes: [(interface: String, metric: UInt32)] {
    // /proc/net/route: interface, destination, gateway, flags, ... metric; flag 1 means up.
    let four = lines("/proc/net/route").compactMap { fields -> (String, UInt32)? in
      guard fields.count > 6, fields[1] == "00000000",
        (UInt32(fields[3], radix: 16) ?? 0) & 1 == 1
      else { return nil }
      return (String(fields[0]), UInt32(fields[6]) ?? 0)
    }
    // /proc/net/ipv6_route: destination, prefix length, ... metric (hexadecimal), ... interface; lo
    // carries an unreachable default.
    let six = lines("/proc/net/ipv6_route").compactMap { fields -> (String, UInt32)? in
      guard fields.count > 9, fields[0].utf8.allSatisfy({ $0 == 0x30 }), fields[1] == "00",
        fields[9] != "lo"
      else { return nil }
      return (String(fields[9]), UInt32(fields[5], radix: 16) ?? 0)
    }
    return (four + six).map { (interface: $0.0, metric: $0.1) }
  }

  private func lines(_ path: String) -> [[Substring]] {
    let bytes = SystemFile.bytes(root + path, limit: SystemLinkState.mostBytes) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split { $0 == " " || $0 == "\t" }
    }
  }

  private static let mostInterfaces = 256
  private static let mostBytes = 64 << 10
}
