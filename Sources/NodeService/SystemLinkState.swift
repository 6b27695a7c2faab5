import EventLoop

/// Whether the machine has a network link: an interface with a carrier, and a default route.
///
/// This is a hint to try and no more; what counts is an answer of the server. A server on this very
/// machine needs no link, and one on the local network needs no default route; ``always`` is for
/// those, and ``init(server:root:)`` knows them.
public struct SystemLinkState: Sendable {
  private let root: String
  private let isAlwaysUp: Bool

  /// The link of this machine, read below `root` (`/` unless a test hands in a tree of its own).
  public init(root: String = "") {
    self.root = root
    isAlwaysUp = false
  }

  private init(isAlwaysUp: Bool) {
    root = ""
    self.isAlwaysUp = isAlwaysUp
  }

  /// A link that is always up.
  public static let always = SystemLinkState(isAlwaysUp: true)

  /// Reads the link.
  public func isUp() -> Bool {
    isAlwaysUp || (hasDefaultRoute && interfaces.contains(where: hasCarrier))
  }

  private var interfaces: [String] {
    SystemFile.names(in: root + "/sys/class/net", limit: SystemLinkState.mostInterfaces) {
      $0 != "lo"
    }
  }

  private func hasCarrier(_ interface: String) -> Bool {
    // A carrier file that cannot be read belongs to an interface that is down.
    SystemFile.firstLine(root + "/sys/class/net/\(interface)/carrier")?.first == "1"
  }

  private var hasDefaultRoute: Bool {
    // /proc/net/route: interface, destination, gateway, flags ...; flag 1 means up.
    let four = lines("/proc/net/route").contains { fields in
      fields.count > 3 && fields[1] == "00000000"
        && (UInt32(fields[3], radix: 16) ?? 0) & 1 == 1
    }
    if four {
      return true
    }
    // /proc/net/ipv6_route: destination, prefix length ...; lo carries an unreachable default.
    return lines("/proc/net/ipv6_route").contains { fields in
      fields.count > 9 && fields[0].utf8.allSatisfy { $0 == 0x30 } && fields[1] == "00"
        && fields[9] != "lo"
    }
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
