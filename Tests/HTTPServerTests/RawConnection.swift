import Glibc
import Synchronization
import TestSupport
import Testing

/// One connection to the server, over which a test sends what no client would, in pieces.
///
/// Every call blocks; use it on a thread of its own.
final class RawConnection: Sendable {
  let descriptor: Int32

  /// How long a server that says nothing is waited for: other tests may hold the machine for long.
  static let patience: Int32 = 60_000

  /// Connects to a port of this machine, from another of its loopback addresses where one is given.
  ///
  /// - Parameter bytes: How many bytes the system is asked to keep of what comes and is not read.
  init(_ port: UInt16, from source: UInt32 = 0x7F00_0001, taking bytes: Int32? = nil) throws {
    descriptor = Sockets.make()
    if var bytes {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: source.bigEndian)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(isBound == 0)
    try #require(Sockets.withLoopback(port, { connect(descriptor, $0, $1) }).0 == 0)
  }

  /// Connects to a socket of the file system.
  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isConnected == 0)
  }

  deinit {
    close(descriptor)
  }

  func send(_ text: String) {
    Sockets.write(descriptor, Array(text.utf8))
  }

  /// Sends as much as the system takes now; returns how much that was, and nil when the other side has
  /// gone.
  func sendNow(_ bytes: [UInt8]) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(
        descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    return count >= 0 ? count : errno == EAGAIN ? 0 : nil
  }

  /// What comes up to the end of `count` answers without a body, or until the other side ends it.
  func receive(answers count: Int = .max, within patience: Int32 = patience) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while RawConnection.answers(bytes) < count, isReadable(within: patience) {
      let got = read(descriptor, &buffer, buffer.count)
      guard got > 0 else { break }
      bytes += buffer[..<got]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether something can be read, or the end was reached, before patience ends.
  func isReadable(within patience: Int32 = patience) -> Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&interest, 1, patience) > 0
  }

  /// The first of some of which something can be read, before patience ends.
  static func firstReadable(of connections: [RawConnection]) -> Int? {
    var interests = connections.map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&interests, nfds_t(interests.count), patience) > 0 else { return nil }
    return interests.firstIndex { $0.revents != 0 }
  }

  /// So many of the bytes that come, or those up to the end.
  func receive(bytes count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count, isReadable() {
      let got = read(descriptor, &buffer, min(buffer.count, count - bytes.count))
      guard got > 0 else { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// Whether the server has closed its side altogether, so that it keeps nothing of this connection:
  /// what is sent is then refused by the system.
  ///
  /// - Parameter isReading: Whether what comes meanwhile is read.
  func isGone(within patience: Int32 = patience, isReading: Bool = true) -> Bool {
    isClosedWhileTrickling(tries: Int(patience / RawConnection.pace), isReading: isReading)
  }

  /// Sends a byte whenever nothing has come for a while, until the server closes; false when it does not
  /// in so many tries.
  func isClosedWhileTrickling(tries: Int, isReading: Bool = true) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    for _ in 0..<tries {
      guard sendNow([UInt8(ascii: "x")]) != nil else { return true }
      // The end of what the server says is not yet the end of what it takes.
      while isReading, isReadable(within: 0), read(descriptor, &buffer, buffer.count) > 0 {}
      var interest = pollfd(fd: descriptor, events: 0, revents: 0)
      if poll(&interest, 1, RawConnection.pace) > 0 { return true }
    }
    return false
  }

  /// Milliseconds between two bytes of a client that is slow.
  private static let pace: Int32 = 50

  /// Ends what is sent, while answers are still read.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private static func answers(_ bytes: [UInt8]) -> Int {
    String(decoding: bytes, as: UTF8.self).ranges(of: "HTTP/1.1 ").count
  }
}

/// Many connections on which a byte comes now and then, for as long as it lives.
final class SlowCrowd: Sendable {
  private let connections: [RawConnection]
  private let isStopped = Atomic(false)

  /// Opens them, each with the same beginning of a request.
  init(_ count: Int, to port: UInt16, from source: UInt32 = 0x7F00_0001, beginning: String) throws {
    connections = try (0..<count).map { _ in try RawConnection(port, from: source) }
    for connection in connections { connection.send(beginning) }
  }

  /// Lets bytes trickle until ``stop()``, on a thread of its own.
  func trickle() async {
    await onThread { [connections, self] in
      while !isStopped.load(ordering: .acquiring) {
        for connection in connections { _ = connection.sendNow([UInt8(ascii: "x")]) }
        poll(nil, 0, 50)
      }
    }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
  }
}

extension String {
  /// The port of `http://127.0.0.1:PORT`.
  var port: UInt16 {
    get throws {
      let last = try #require(self.split(separator: ":").last)
      return try #require(UInt16(last))
    }
  }
}
