public import Glibc

/// A directory of its own for a test, removed with all its files when the test lets go of it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Makes it.
  public init() throws {
    var template = Array("/tmp/checkpost-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp failed") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    remove(path)
  }

  /// The path of a file in the directory.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ name: String, _ text: String, permissions: mode_t = 0o600) throws -> String {
    try write(name, bytes: Array(text.utf8), permissions: permissions)
  }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ name: String, bytes: [UInt8], permissions: mode_t = 0o600) throws -> String {
    let path = file(name)
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard number >= 0 else { throw TestFailure("cannot write \(path)") }
    defer { close(number) }
    guard Glibc.write(number, bytes, bytes.count) == bytes.count, chmod(path, permissions) == 0
    else {
      throw TestFailure("cannot write \(path)")
    }
    return path
  }

  /// Adds to a file.
  public func append(_ name: String, _ text: String) throws {
    let number = open(file(name), O_WRONLY | O_APPEND)
    guard number >= 0 else { throw TestFailure("cannot append to \(name)") }
    defer { close(number) }
    let bytes = Array(text.utf8)
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else {
      throw TestFailure("cannot append to \(name)")
    }
  }

  private func remove(_ path: String) {
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." {
          remove("\(path)/\(name)")
        }
      }
      closedir(stream)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
