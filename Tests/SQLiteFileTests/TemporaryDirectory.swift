import Foundation
import Glibc

/// A directory of a test's own, removed with everything in it when the test is over.
final class TemporaryDirectory: Sendable {
  let path: String
  private let isMounted: Bool

  init() throws {
    path = try TemporaryDirectory.make()
    isMounted = false
  }

  /// A small file system of its own, which can be full or read-only; nil where this user may not
  /// mount one.
  init?(megabytes: Int) throws {
    let made = try TemporaryDirectory.make()
    path = made
    isMounted = mount("tmpfs", made, "tmpfs", 0, "size=\(megabytes)m") == 0
    if !isMounted {
      return nil
    }
  }

  /// Whether this user may mount a file system; the superuser of a container may not always.
  static let mayMount: Bool = {
    let disk = try? TemporaryDirectory(megabytes: 1)
    return disk != nil
  }()

  func file(_ name: String) -> String {
    path + "/" + name
  }

  func remountReadOnly() -> Bool {
    mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
  }

  deinit {
    if isMounted {
      umount2(path, Int32(MNT_DETACH))
    }
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func make() throws -> String {
    var template = Array((NSTemporaryDirectory() + "checkpost-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
