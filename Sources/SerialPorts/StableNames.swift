import EventLoop
import Glibc

/// Names of ports that stay when the kernel numbers them anew.
enum StableNames {
  /// For each node, the link that names its device, ours before the system's.
  static func links() -> [String: String] {
    var found: [String: String] = [:]
    for link in entries("/dev/serial/by-id", prefix: "")
      + entries("/dev", prefix: "checkpost-modem")
    {
      guard let resolved = realpath(link, nil) else { continue }
      found[String(cString: resolved)] = link
      free(resolved)
    }
    return found
  }

  /// The number of the USB interface behind a port: two digits.
  static func interface(of path: String) -> String? {
    guard let name = path.split(separator: "/").last,
      let text = SystemFile.firstLine("/sys/class/tty/\(name)/device/../bInterfaceNumber")
    else { return nil }
    let digits = text.filter(\.isHexDigit)
    return digits.isEmpty ? nil : digits
  }

  /// What lies in a directory under names that begin with `prefix`, in order.
  private static func entries(_ directory: String, prefix: String) -> [String] {
    SystemFile.names(in: directory, limit: Limits.ports) {
      $0.hasPrefix(prefix) && !$0.hasPrefix(".")
    }
    .map { "\(directory)/\($0)" }.sorted()
  }
}
