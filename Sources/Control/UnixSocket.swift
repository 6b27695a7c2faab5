import EventLoop
import Glibc

/// The few calls on stream sockets in the file system that both sides need.
enum UnixSocket {
  /// A new socket, non-blocking and closed on exec.
  static func make(_ path: String) throws(ControlError) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(O_NONBLOCK) | Int32(O_CLOEXEC)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw failure(path, "open a socket") }
    return Descriptor(owning: number)
  }

  /// Calls `body` with the address of `path`.
  static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(ControlError) -> Int32 {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw .pathTooLong(path: path)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Connects to the socket at `path`.
  static func connect(_ path: String) throws(ControlError) -> Descriptor {
    let descriptor = try make(path)
    let status = try withAddress(path) { Glibc.connect(descriptor.value, $0, $1) }
    guard status == 0 else {
      switch errno {
      case ENOENT, ECONNREFUSED: throw .notRunning(path: path)
      case EAGAIN: throw .busy(path: path)
      case EACCES, EPERM: throw .noPermission(path: path)
      case ENOTSOCK: throw .notASocket(path: path)
      default: throw failure(path, "connect")
      }
    }
    return descriptor
  }

  static func failure(_ path: String, _ operation: String) -> ControlError {
    switch errno {
    case EACCES, EPERM: .noPermission(path: path)
    case ENOENT, ENOTDIR: .missingDirectory(path: path)
    case let number:
      .system(path: path, operation: operation, reason: systemMessage(number))
    }
  }

  /// Sends without raising SIGPIPE; the number of bytes taken, 0 when none fits now, nil when the
  /// other side is gone.
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    while true {
      let (count, number) = bytes.withUnsafeBytes { space in
        let count = Glibc.send(descriptor, space.baseAddress, space.count, Int32(MSG_NOSIGNAL))
        return (count, errno)
      }
      if count >= 0 { return count }
      switch number {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }
}
