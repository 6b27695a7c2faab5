public import Glibc

/// Connections of this machine with itself, as bare as they are, so that a test can send what no
/// client would. Every call blocks, so it runs on a thread of its own.
public enum Sockets {
  /// No port could be had.
  struct Failure: Error {}

  /// A socket of no port yet.
  public static func make() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  }

  /// A socket at a free port of this machine, which refuses every connection until it listens.
  public static func bound() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = make()
    let (isBound, port) = withLoopback(0) { address, length in
      var length = length
      return bind(descriptor, address, length) == 0
        && getsockname(descriptor, address, &length) == 0
    }
    guard isBound else { throw Failure() }
    return (descriptor, port)
  }

  /// Calls `body` with the address of a port of this machine.
  public static func withLoopback<Value>(
    _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Value
  ) -> (Value, port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let value = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return (value, UInt16(bigEndian: address.sin_port))
  }

  /// Connects a socket to a port of this machine; false when nobody listens there.
  public static func connect(_ descriptor: Int32, port: UInt16) -> Bool {
    withLoopback(port) { address, length in
      Glibc.connect(descriptor, address, length) == 0
    }.0
  }

  /// Writes all of it, or as much as the other side takes before it goes.
  public static func write(_ connection: Int32, _ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Reads until `isEnough` or the other side goes.
  public static func read(_ connection: Int32, until isEnough: ([UInt8]) -> Bool = { _ in false })
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !isEnough(bytes) {
      let count = Glibc.read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
