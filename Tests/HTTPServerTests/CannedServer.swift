import Glibc
import Testing

/// A server that answers a connection with given bytes, and tells what it was asked.
final class CannedServer: Sendable {
  let port: UInt16
  private let listener: Int32

  /// Listens at a free port of this machine.
  init() throws {
    (listener, port) = try Sockets.bound()
    try #require(listen(listener, 8) == 0)
  }

  deinit {
    close(listener)
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Answers one connection and returns what it was asked, which is nothing when none came until the
  /// end.
  func answer(_ text: String) async -> String {
    await Sockets.onThread { [listener] in
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return "" }
      defer { close(connection) }
      let asked = Sockets.read(connection) { bytes in
        bytes.suffix(4).elementsEqual([13, 10, 13, 10])
      }
      Sockets.write(connection, Array(text.utf8))
      return String(decoding: asked, as: UTF8.self)
    }
  }

  /// Waits for no connection any more.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
  }
}
