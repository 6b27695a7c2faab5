import Glibc

/// Stream sockets in the file system: the few calls that programs of one machine need to meet.
public enum UnixSocket {
  /// Why a call failed.
  public enum Failure: Error, Hashable, Sendable {
    /// The path is longer than a socket's may be.
    case pathTooLong
    /// The path is something else than a socket.
    case notASocket
    /// The system refused this operation.
    case system(operation: String, errno: Int32)
  }

  /// A connection to whoever listens at `path`, non-blocking and closed on exec.
  public static func connect(_ path: String) throws(Failure) -> Descriptor {
    let descriptor = try make()
    let status = try withAddress(path) { Glibc.connect(descriptor.value, $0, $1) }
    guard status != 0 else { return descriptor }
    throw errno == ENOTSOCK ? .notASocket : .system(operation: "connect", errno: errno)
  }

  /// A socket that listens at `path`; nil when there is something already, which stays.
  ///
  /// It gets its name only once it listens, so that nobody connects to one that does not listen.
  public static func listen(
    _ path: String, backlog: Int32, permissions: UInt32 = 0o600
  ) throws(Failure) -> Descriptor? {
    guard path.utf8.count < longest else { throw .pathTooLong }
    let unfinished = "\(directory(of: path))/.s\(getpid())"
    unlink(unfinished)
    let descriptor = try make()
    guard try withAddress(unfinished, { bind(descriptor.value, $0, $1) }) == 0 else {
      throw .system(operation: "bind the socket", errno: errno)
    }
    defer { unlink(unfinished) }
    guard chmod(unfinished, permissions) == 0, Glibc.listen(descriptor.value, backlog) == 0 else {
      throw .system(operation: "listen at the socket", errno: errno)
    }
    guard link(unfinished, path) == 0 else {
      if errno == EEXIST { return nil }
      throw .system(operation: "name the socket", errno: errno)
    }
    return descriptor
  }

  /// Removes the socket at `path` when a process left it that has ended; whether the path may be free.
  ///
  /// Only one process at a time does so, and looks again before it does: another one may have put its
  /// own in place of it.
  public static func removeStale(_ path: String) throws(Failure) -> Bool {
    let number = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(operation: "open its directory", errno: errno) }
    let held = Descriptor(owning: number, isLocked: true)
    defer { held.close() }
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return false }
    guard isSocket(path) != false else { throw .notASocket }
    do {
      try connect(path).close()
      return false
    } catch .system(_, ENOENT) {
      return true
    } catch .system(_, ECONNREFUSED) {
      guard unlink(path) == 0 || errno == ENOENT else {
        throw .system(operation: "remove the socket of a process that ended", errno: errno)
      }
      return true
    }
  }

  /// The next connection that waits, non-blocking and closed on exec; nil when none does.
  public static func accept(_ listener: Descriptor) -> Descriptor? {
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
  public static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Descriptor) -> Int? {
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

  /// Whether what stands at `path` is a socket; nil when nothing does.
  public static func isSocket(_ path: String) -> Bool? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Bytes of a socket's path, with the zero at its end.
  private static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private static func directory(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func make() throws(Failure) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(O_NONBLOCK) | Int32(O_CLOEXEC)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw .system(operation: "open a socket", errno: errno) }
    return Descriptor(owning: number)
  }

  /// A socket from which datagrams can be sent; closed on exec.
  public static func datagrams() throws(Failure) -> Descriptor {
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .system(operation: "make a socket", errno: errno) }
    return Descriptor(owning: number)
  }

  /// Sends one datagram to whoever reads at `path`: all of it, or nothing.
  ///
  /// - Parameter waits: Whether it waits for room, for as long as the socket is set to.
  public static func send(
    _ datagram: [UInt8], to path: String, from descriptor: Descriptor, waits: Bool
  ) throws(Failure) {
    let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
    let sent = try withAddress(path) { address, length in
      Int32(
        datagram.withUnsafeBytes {
          sendto(descriptor.value, $0.baseAddress, $0.count, flags, address, length)
        })
    }
    guard Int(sent) == datagram.count else { throw .system(operation: "send", errno: errno) }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Failure) -> Int32 {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count < longest else { throw .pathTooLong }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
