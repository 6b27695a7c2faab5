import Glibc

/// A way to a socket of this machine that takes whole messages: systemd's, the journal's.
public struct DatagramSocket: Sendable {
  private let descriptor: Descriptor
  private let path: String

  /// A way to the socket at `path`; a name that begins with `@` is one of Linux's that no file system has.
  ///
  /// - Throws: ``UnixSocket/Failure`` when there can be no such path, or the process may not open another
  ///   descriptor.
  public init(to path: String) throws(UnixSocket.Failure) {
    guard path.utf8.count < DatagramSocket.longest else { throw .pathTooLong }
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(O_CLOEXEC), 0)
    guard number >= 0 else { throw .system(operation: "open a socket", errno: errno) }
    descriptor = Descriptor(owning: number)
    self.path = path
    // Whoever reads may be busy for a moment, and must not hold us for longer.
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends one message; false when nobody took it.
  @discardableResult
  public func send(_ message: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    // A name without a file begins with a zero, and is as long as it says; a path ends with a zero.
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let body = Array(message.utf8)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
        while true {
          let count = sendto(
            descriptor.value, body, body.count, Int32(MSG_NOSIGNAL), target, length)
          if count < 0, errno == EINTR { continue }
          return count == body.count
        }
      }
    }
  }

  /// Gives the socket back.
  public func close() {
    descriptor.close()
  }

  private static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}
