import EventLoop
import Glibc

/// A socket of this machine alone that connections come to.
enum Listener {
  /// Takes a port of this machine for as long as the socket is open, and does not listen: who connects is refused
  /// while nobody else listens there. Without it another program, or a connection to anywhere, could have the port
  /// while the server is away.
  ///
  /// - Parameter port: 0 for any that is free.
  static func reserve(_ port: UInt16) throws(ServerSimulatorError) -> (Descriptor, port: UInt16) {
    try bound(port, isListening: false)
  }

  /// Listens at a port of this machine, which is free or reserved.
  static func open(_ port: UInt16) throws(ServerSimulatorError) -> Descriptor {
    try bound(port, isListening: true).0
  }

  private static func bound(
    _ port: UInt16, isListening: Bool
  ) throws(ServerSimulatorError) -> (Descriptor, port: UInt16) {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(AF_INET, kind, 0)
    guard number >= 0 else { throw .socket(operation: "make a socket", errno: errno) }
    let listener = Descriptor(owning: number)
    // Sockets that have this share a port while none of them listens, or one (socket(7)).
    var reuse: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (isDone, reason) = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let isDone =
          bind(number, address, length) == 0
          && (!isListening || listen(number, Limits.backlog) == 0)
          && getsockname(number, address, &length) == 0
        return (isDone, errno)
      }
    }
    guard isDone else { throw .socket(operation: "listen on this machine", errno: reason) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// The next connection that waits; nil when none does.
  static func accept(_ listener: Descriptor) -> Descriptor? {
    guard let connection = UnixSocket.accept(listener) else { return nil }
    var now: Int32 = 1
    setsockopt(
      connection.value, Int32(IPPROTO_TCP), TCP_NODELAY, &now,
      socklen_t(MemoryLayout<Int32>.size))
    return connection
  }

  /// Closes a connection so that the other side learns of a reset, and loses what was on its way.
  static func reset(_ connection: Descriptor) {
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      connection.value, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
    connection.close()
  }
}
