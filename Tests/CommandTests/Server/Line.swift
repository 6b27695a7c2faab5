import EventLoop
import Foundation
import Glibc
import Synchronization
import TestSupport

/// The line between posts and their central: a port of this machine, behind which is the socket that the
/// central listens at. It is cut and comes back as a test says.
final class Line: Sendable {
  private struct State {
    var isUp = true
    var connections: Set<Int32> = []
  }

  private let listener: Int32
  private let socket: String
  private let state = Mutex(State())
  /// What a post is told.
  let url: String

  /// A line that stands.
  ///
  /// - Parameter socket: Where what comes over it ends.
  init(to socket: String) throws {
    let (free, port) = try Sockets.bound()
    close(free)
    // A port that is asked for by its number stays the socket's own, also while it does not listen.
    listener = Sockets.make()
    var isReused: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    let (isBound, _) = Sockets.withLoopback(port) { [listener] in bind(listener, $0, $1) == 0 }
    guard isBound else { throw TestFailure("the port is somebody else's") }
    self.socket = socket
    url = "http://127.0.0.1:\(port)"
    mend()
  }

  /// Lets nothing through any more, and refuses everybody who comes.
  func cut() {
    shutdown(listener, Int32(SHUT_RDWR))
    state.withLock { state in
      state.isUp = false
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Lets everything through.
  func mend() {
    state.withLock { $0.isUp = true }
    precondition(listen(listener, 64) == 0, systemMessage(errno))
    startThread { [self] in
      while true {
        let front = accept(listener, nil, nil)
        guard front >= 0 else { return }
        startThread { [self] in serve(front) }
      }
    }
  }

  /// Hands on what comes from either side, until either hangs up.
  private func serve(_ front: Int32) {
    let rear = connect()
    let isUp = state.withLock { state in
      if state.isUp, let rear { state.connections.formUnion([front, rear]) }
      return state.isUp
    }
    if isUp, let rear {
      let isOver = DispatchSemaphore(value: 0)
      startThread {
        Line.pump(rear, front)
        isOver.signal()
      }
      Line.pump(front, rear)
      isOver.wait()
    }
    // Nobody shuts down what may have become another's connection.
    state.withLock { state in
      for connection in [front, rear].compactMap({ $0 }) {
        state.connections.remove(connection)
        close(connection)
      }
    }
  }

  /// A connection to the central, which blocks; nil while it does not listen.
  private func connect() -> Int32? {
    guard let connection = try? UnixSocket.connect(socket) else { return nil }
    defer { connection.close() }
    let copy = dup(connection.value)
    guard copy >= 0 else { return nil }
    _ = fcntl(copy, F_SETFL, 0)
    return copy
  }

  private static func pump(_ source: Int32, _ target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0 else { break }
      Sockets.write(target, Array(buffer[..<count]))
    }
    for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
  }
}
