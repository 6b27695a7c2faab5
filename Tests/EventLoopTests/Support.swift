import EventLoop
import Glibc
import Testing
import Time

/// Waits until `descriptor` is ready and returns for what; empty when ten seconds were not enough,
/// which is only ever seen when something is broken.
func readiness(_ descriptor: Int32, writable: Bool = false) -> Readiness {
  let clocks = SystemClocks()
  return PollLoop.wait(
    [Interest(descriptor: descriptor, writable: writable)],
    until: clocks.boot() + .seconds(10), clocks: clocks)[0]
}

/// What `descriptor` is ready for now.
func readinessNow(_ descriptor: Int32) -> Readiness {
  PollLoop.wait(
    [Interest(descriptor: descriptor)], until: .zero, clocks: StandingClocks(boot: .zero))[0]
}

/// Reads `count` bytes from a link, waiting for them.
func read(_ count: Int, from link: any ByteLink) -> [UInt8] {
  var buffer: [UInt8] = []
  while buffer.count < count {
    guard readiness(link.descriptor).contains(.readable),
      case .bytes = link.read(into: &buffer, limit: count - buffer.count)
    else { return buffer }
  }
  return buffer
}

/// Writes all of `bytes`, waiting for room.
func write(_ bytes: [UInt8], to link: any ByteLink) throws {
  var rest = bytes[...]
  while !rest.isEmpty {
    rest = rest.dropFirst(try link.write(rest))
    if !rest.isEmpty {
      try #require(readiness(link.descriptor, writable: true).contains(.writable))
    }
  }
}

/// Opens the other end of a pseudo-terminal as a driver does.
func openLink(_ path: String) throws -> DescriptorLink {
  let number = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  try #require(number >= 0)
  return DescriptorLink(path: path, descriptor: Descriptor(owning: number))
}

/// Clocks that stand still.
struct StandingClocks: Clocks {
  var instant: BootInstant

  init(boot: BootInstant) {
    instant = boot
  }

  func boot() -> BootInstant { instant }

  func wall() -> WallTime { WallTime(milliseconds: 0) }
}

/// A directory of its own, removed with what is in it.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/checkpost-eventloop-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a file with `text` in it.
  @discardableResult
  func write(_ name: String, _ text: String = "") throws -> String {
    let file = "\(path)/\(name)"
    let number = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(number >= 0)
    defer { close(number) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(number, bytes, bytes.count) == bytes.count)
    return file
  }

  deinit {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink("\(path)/\(name)")
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
