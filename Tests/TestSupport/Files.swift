import Glibc

/// Why a test cannot go on.
public struct TestFailure: Error, CustomStringConvertible {
  /// What is in the way.
  public let description: String
  /// A failure in words.
  public init(_ description: String) { self.description = description }
}

/// The whole of a file as text.
public func contents(of path: String) throws -> String {
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

/// Whether there is such a file.
public func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
