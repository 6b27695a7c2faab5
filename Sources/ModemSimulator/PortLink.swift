import EventLoop
import Glibc

/// A link to a port, under a name that stays. A simulator has it for as long as it lives: no other one
/// takes it, not even while the plug is pulled.
struct PortLink {
  let path: String
  private let claim: NameClaim

  /// Takes the name of a link; nil when another simulator that runs has it.
  init?(_ path: String) throws(LinkError) {
    self.path = path
    guard let claim = try NameClaim("link \(PortLink.absolute(path))") else { return nil }
    self.claim = claim
  }

  /// Makes the link, in place of one that a simulator left that has ended. Anything else of that name
  /// stays: it may be the link to a real modem.
  func make(to target: String) throws(LinkError) {
    if let old = PortLink.destination(path), old.hasPrefix("/dev/pts/") { unlink(path) }
    guard symlink(target, path) == 0 else {
      throw .system(path: path, operation: "make a link to \(target)", errno: errno)
    }
  }

  /// Removes the link, if it still leads to `target`: somebody else may have put theirs there since.
  func remove(to target: String) {
    if PortLink.destination(path) == target { unlink(path) }
  }

  /// Gives the name to whoever wants it next.
  func release() {
    claim.release()
  }

  /// The path from the root, with no link in its directory.
  private static func absolute(_ path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard let real = realpath(directory, nil) else { return path }
    defer { free(real) }
    return "\(String(cString: real))/\(name)"
  }

  private static func destination(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
