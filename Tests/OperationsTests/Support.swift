import Glibc
import Operations
import Time

/// A directory of its own for a test, removed with all its files when the test lets go of it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/checkpost-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp failed") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    remove(path)
  }

  /// The path of a file in the directory.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String, permissions: mode_t = 0o600) throws -> String {
    try write(name, bytes: Array(text.utf8), permissions: permissions)
  }

  @discardableResult
  func write(_ name: String, bytes: [UInt8], permissions: mode_t = 0o600) throws -> String {
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
  func append(_ name: String, _ text: String) throws {
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

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The whole of a file as text.
func contents(of path: String) throws -> String {
  let number = open(path, O_RDONLY)
  guard number >= 0 else { throw TestFailure("cannot read \(path)") }
  defer { close(number) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(number, &buffer, buffer.count)
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// A clock for tests, standing still.
struct StoppedClocks: Clocks {
  var bootTime = BootInstant.zero
  var wallTime = WallTime(epochSeconds: 1_795_263_731)

  func boot() -> BootInstant { bootTime }
  func wall() -> WallTime { wallTime }
}

func unlinkFile(_ path: String) { unlink(path) }
