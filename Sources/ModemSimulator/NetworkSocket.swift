import EventLoop
import Glibc

/// The few calls on stream sockets in the file system that a shared network needs.
enum NetworkSocket {
  /// A new socket, non-blocking and closed on exec.
  private static func make(_ path: String) throws(NetworkError) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(O_NONBLOCK) | Int32(O_CLOEXEC)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw failure(path, "open a socket") }
    return Descriptor(owning: number)
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(NetworkError) -> Int32 {
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

  /// A connection to whoever listens at `path`; nil when nobody does.
  static func connect(_ path: String) throws(NetworkError) -> Descriptor? {
    let descriptor = try make(path)
    let status = try withAddress(path) { Glibc.connect(descriptor.value, $0, $1) }
    guard status != 0 else { return descriptor }
    switch errno {
    case ENOENT, ECONNREFUSED, EAGAIN: return nil
    case ENOTSOCK: throw .notASocket(path: path)
    default: throw failure(path, "connect")
    }
  }

  /// A socket that listens at `path`, in place of one that a dead process left; to be called by the
  /// one that holds the lock.
  static func listen(_ path: String) throws(NetworkError) -> Descriptor {
    // It is put in its place only once it listens, so that nobody ever finds it deaf.
    let unfinished = path + ".new"
    unlink(unfinished)
    let descriptor = try make(path)
    let bound: Int32
    do {
      bound = try withAddress(unfinished) { bind(descriptor.value, $0, $1) }
    } catch {
      throw .pathTooLong(path: path)
    }
    guard bound == 0 else { throw failure(path, "bind the socket") }
    guard Glibc.listen(descriptor.value, Limits.connections) == 0,
      rename(unfinished, path) == 0
    else {
      let error = failure(path, "listen at the socket")
      unlink(unfinished)
      throw error
    }
    return descriptor
  }

  /// The next connection that waits; nil when none does.
  static func accept(_ listener: Descriptor) -> Descriptor? {
    let number = Glibc.accept(listener.value, nil, nil)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(owning: number)
    guard fcntl(number, F_SETFL, O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else {
      return nil
    }
    return descriptor
  }

  /// Sends without raising SIGPIPE; the number of bytes taken, 0 when none fits now, nil when the
  /// other side is gone.
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Descriptor) -> Int? {
    while true {
      let (count, number) = bytes.withUnsafeBytes { space in
        let count = Glibc.send(
          descriptor.value, space.baseAddress, space.count, Int32(MSG_NOSIGNAL))
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

  /// What stands at `path` that is no socket is an error; nothing at all is none.
  static func check(_ path: String) throws(NetworkError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
  }

  static func failure(_ path: String, _ operation: String) -> NetworkError {
    switch errno {
    case EACCES, EPERM, EROFS: .permission(path: path)
    case ENOENT, ENOTDIR: .missingDirectory(path: path)
    case let number: .system(path: path, operation: operation, errno: number)
    }
  }
}

/// The right to be the network at a path, for as long as it is held: a lock on a file beside the
/// socket, which the system gives up for a process that dies.
struct NetworkLock: Sendable {
  private let file: Descriptor
  private let path: String

  /// Takes the right; nil when another process has it.
  init?(beside socket: String) throws(NetworkError) {
    path = socket + ".lock"
    let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw NetworkSocket.failure(socket, "make the lock \(path)") }
    file = Descriptor(owning: number, isLocked: true)
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    // Whoever had it before may have removed the file in between; the lock on that one means nothing.
    var held = stat()
    var named = stat()
    guard fstat(number, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino else {
      return nil
    }
  }

  /// Gives the right up.
  func release() {
    unlink(path)
    file.close()
  }
}
