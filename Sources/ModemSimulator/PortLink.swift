import EventLoop
import Glibc

/// A link to a port, under a name that stays.
enum PortLink {
  /// Makes a link, in place of one that an earlier simulator left. Anything else of that name stays:
  /// it may be the link to a real modem.
  static func make(_ path: String, to target: String) throws(LinkError) {
    if let old = destination(path), old.hasPrefix("/dev/pts/") { unlink(path) }
    guard symlink(target, path) == 0 else {
      throw .system(path: path, operation: "make a link to \(target)", errno: errno)
    }
  }

  /// Removes a link, if it still leads to `target`: somebody else may have put theirs there since.
  static func remove(_ path: String, to target: String) {
    if destination(path) == target { unlink(path) }
  }

  private static func destination(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
