import EventLoop
import Glibc
import SerialPorts
import Testing
import Time

/// Reads `count` bytes, waiting for them; fewer when ten seconds were not enough, which is only ever
/// seen when something is broken.
func read(_ count: Int, from link: any ByteLink) -> [UInt8] {
  let clocks = SystemClocks()
  var buffer: [UInt8] = []
  while buffer.count < count {
    let found = PollLoop.wait(
      [Interest(descriptor: link.descriptor)], until: clocks.boot() + .seconds(10), clocks: clocks)
    guard found[0].contains(.readable),
      case .bytes = link.read(into: &buffer, limit: count - buffer.count)
    else { return buffer }
  }
  return buffer
}

/// Why a port cannot be opened; nil when it can.
func refusal(_ path: String) -> LinkError? {
  do throws(LinkError) {
    try SerialPorts.open(path, baud: 115_200).close()
    return nil
  } catch {
    return error
  }
}

/// The number of an ordinary user, `nobody` where there is one.
let ordinaryUser: uid_t = 65_534

/// A directory of its own, removed with what is in it.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/checkpost-ports-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a link to `target` and returns its path.
  func link(_ name: String, to target: String) throws -> String {
    let link = "\(path)/\(name)"
    try #require(symlink(target, link) == 0)
    return link
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
