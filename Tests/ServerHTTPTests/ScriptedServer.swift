import Glibc
import Synchronization
import TestSupport
import Testing

/// A server on this machine that does with each connection what a script says, and remembers what it was
/// asked.
final class ScriptedServer: Sendable {
  enum Step: Sendable {
    /// Reads a request to its end, its body included.
    case read
    case write(String)
    case bytes([UInt8])
    /// Writes it again and again until the other side goes, so many milliseconds apart.
    case trickle(String, every: Int32)
    /// Waits until the other side goes.
    case wait
    /// Takes back what is on its way.
    case reset
  }

  let port: UInt16
  private let listener: Int32
  private let requests = Mutex<[String]>([])
  private let connections = Atomic(0)

  /// Listens at a free port of this machine.
  init(_ script: [Step]) throws {
    (listener, port) = try Sockets.bound()
    try #require(listen(listener, 64) == 0)
    startThread { [self] in serve(script) }
  }

  /// A server that answers each request of a connection.
  convenience init(answering answer: String, requests: Int = 1) throws {
    try self.init((0..<requests).flatMap { _ in [Step.read, .write(answer)] })
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// What it was asked, in the order in which it came.
  var asked: [String] { requests.withLock { $0 } }

  /// How many connections it had.
  var connected: Int { connections.load(ordering: .acquiring) }

  /// Takes no connection any more.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve(_ script: [Step]) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      connections.add(1, ordering: .acquiringAndReleasing)
      // One that waits keeps no other out.
      startThread { [self] in
        for step in script { perform(step, connection) }
        close(connection)
      }
    }
    close(listener)
  }

  private func perform(_ step: Step, _ connection: Int32) {
    switch step {
    case .read:
      let asked = Sockets.read(connection, until: ScriptedServer.isWhole)
      if !asked.isEmpty { requests.withLock { $0.append(String(decoding: asked, as: UTF8.self)) } }
    case .write(let text): Sockets.write(connection, Array(text.utf8))
    case .bytes(let bytes): Sockets.write(connection, bytes)
    case .trickle(let text, let pause):
      while !isGone(connection, within: pause) { Sockets.write(connection, Array(text.utf8)) }
    case .wait: while !isGone(connection, within: 60_000) {}
    case .reset:
      var abrupt = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Whether a request has come to its end, by what its header says of its body.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.firstRange(of: [13, 10, 13, 10])?.upperBound else { return false }
    let header = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    let field = header.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
    let count = field.flatMap { Int($0.drop { $0 != " " }.dropFirst()) } ?? 0
    return bytes.count - end >= count
  }

  /// Whether the other side has gone; what it sends is thrown away.
  private func isGone(_ connection: Int32, within patience: Int32) -> Bool {
    var interest = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    guard poll(&interest, 1, patience) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    return read(connection, &buffer, buffer.count) <= 0
  }
}
