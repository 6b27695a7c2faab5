import EventLoop
import Glibc

/// Names of ports that stay when the kernel numbers them anew.
enum StableNames {
  /// For each node, the links that name its device: ours before the system's, and those by identity
  /// before those by socket.
  static func links(below root: String = "/dev") -> [String: [String]] {
    var found: [String: [String]] = [:]
    let places = [
      (root, "checkpost-modem"), ("\(root)/serial/by-id", ""), ("\(root)/serial/by-path", ""),
    ]
    for (directory, prefix) in places {
      // The longest of ours says the socket too, and stays right with two modems.
      let names = SystemFile.names(in: directory, limit: Limits.ports) {
        $0.hasPrefix(prefix) && !$0.hasPrefix(".")
      }
      for name in names.sorted(by: { ($1.utf8.count, $0) < ($0.utf8.count, $1) }) {
        guard let node = Paths.resolved("\(directory)/\(name)") else { continue }
        found[node, default: []].append("\(directory)/\(name)")
      }
    }
    return found
  }

  /// The number of the USB interface behind a port: two digits.
  static func interface(of path: String) -> String? {
    guard let name = path.split(separator: "/").last else { return nil }
    // The device of a `ttyACM` is the interface; that of a `ttyUSB` lies below it.
    for place in ["device", "device/.."] {
      guard let text = SystemFile.firstLine("/sys/class/tty/\(name)/\(place)/bInterfaceNumber")
      else {
        continue
      }
      let digits = text.filter(\.isHexDigit)
      if !digits.isEmpty { return digits }
    }
    return nil
  }
}
