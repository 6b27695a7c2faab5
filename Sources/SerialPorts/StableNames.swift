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
      let text = readSmallFile("/sys/class/tty/\(name)/device/../bInterfaceNumber")
    else { return nil }
    let digits = text.filter(\.isHexDigit)
    return digits.isEmpty ? nil : digits
  }

  /// The names in a directory that begin with `prefix`, in order.
  private static func entries(_ directory: String, prefix: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle), names.count < Limits.ports {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if name.hasPrefix(prefix), !name.hasPrefix(".") { names.append("\(directory)/\(name)") }
    }
    return names.sorted()
  }
}
