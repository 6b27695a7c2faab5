import Glibc
import Testing

/// A server that answers a connection with given bytes, and tells what it was asked.
final class CannedServer: Sendable {
  let port: UInt16
  private let listener: Int32

  /// Listens at a free port of this machine.
  init() throws {
    let listener = Sockets.make()
    self.listener = listener
    let (bound, _) = Sockets.withLoopback(0) { bind(listener, $0, $1) }
    try #require(bound == 0 && listen(listener, 8) == 0)
    port =
      Sockets.withLoopback(0) { address, length in
        var length = length
        return getsockname(listener, address, &length)
      }.port
  }

  deinit {
    close(listener)
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Answers one connection and returns what it was asked; nil answers nothing until the other side
  /// goes.
  func answer(_ text: String?) async -> String {
    await Sockets.onThread { [listener] in
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return "" }
      defer { close(connection) }
      let asked = Sockets.read(connection) { bytes in
        bytes.suffix(4).elementsEqual([13, 10, 13, 10])
      }
      if let text {
        Sockets.write(connection, Array(text.utf8))
      } else {
        _ = Sockets.read(connection)
      }
      return String(decoding: asked, as: UTF8.self)
    }
  }
}
