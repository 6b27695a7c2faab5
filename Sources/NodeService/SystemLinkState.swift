#if canImport(Glibc)
  import Glibc
#endif

/// Whether the machine has a network link: an interface with a carrier, and a default route.
///
/// This is a hint to try and no more; what counts is an answer of the server. A server on this very
/// machine needs no link, and one on the local network needs no default route; ``always`` is for
/// those.
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
    guard let directory = opendir(root + "/sys/class/net") else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory), names.count < SystemLinkState.mostInterfaces {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != "..", name != "lo" {
        names.append(name)
      }
    }
    return names
  }

  private func hasCarrier(_ interface: String) -> Bool {
    // A carrier file that cannot be read belongs to an interface that is down.
    read("/sys/class/net/\(interface)/carrier").first == UInt8(ascii: "1")
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
    String(decoding: read(path), as: UTF8.self).split(separator: "\n").map { line in
      line.split { $0 == " " || $0 == "\t" }
    }
  }

  private static let mostInterfaces = 256
  private static let mostBytes = 64 << 10

  private func read(_ path: String) -> [UInt8] {
    let descriptor = open(root + path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while content.count < SystemLinkState.mostBytes {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      content += buffer[..<count]
    }
    return content
  }
}
