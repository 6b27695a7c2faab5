import EventLoop
import Glibc
import Time

/// A socket of a test's own that takes whole messages, as systemd's takes those of services.
public final class DatagramListener {
  /// No such socket could be had.
  struct Failure: Error {}

  private let descriptor: Int32

  /// Listens at `path`, or under a name without a file, which begins with `@`.
  public init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(O_CLOEXEC), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if path.hasPrefix("@") { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard status == 0 else { throw Failure() }
  }

  deinit {
    close(descriptor)
  }

  /// The lines of the next message; nil when none comes.
  public func next(within patience: Duration = SpokenLines.patience) -> [String]? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + patience
    let interest = Interest(descriptor: descriptor)
    while PollLoop.wait([interest], until: deadline, clocks: clocks) == [[]] {
      // A signal ends the wait, too.
      if clocks.boot() >= deadline { return nil }
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The lines of the next message that has one which begins so.
  public func next(with beginning: String) -> [String]? {
    while let lines = next() {
      if lines.contains(where: { $0.hasPrefix(beginning) }) { return lines }
    }
    return nil
  }
}
