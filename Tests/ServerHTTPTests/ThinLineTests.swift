import Glibc
import NodeCore
import ServerHTTP
import Synchronization
import TestSupport
import Testing

/// Photographs over lines that take little, or nothing any more.
@Suite(.timeLimit(.minutes(15))) struct ThinLineTests {
  private static let count = 400_000

  /// Sends a file, and gives up what stands still for a second.
  private func send(to url: String) async throws -> Result<ServerAnswer, ServerClientError> {
    let directory = try TemporaryDirectory()
    let path = try directory.write("a.jpg", bytes: [UInt8](repeating: 0xFF, count: Self.count))
    var endpoint = ServerEndpoint(url: url, timeout: .seconds(600))
    endpoint.stallTimeout = .seconds(1)
    let client = CurlServerClient(endpoint)
    let outcome = await ServerClientConformance.ask(
      client,
      ServerRequest(
        .post, path: "/photo",
        body: .file(path: path, count: Self.count, contentType: "image/jpeg"),
        timeout: .seconds(600), answerBytes: 1_000))
    client.end()
    return outcome
  }

  /// This machine's buffers would hold all of it at once; the line takes four seconds for it, which is four times
  /// what may pass without anything moving.
  @Test func aPhotographArrivesOverAThinLine() async throws {
    let line = try ThinLine(bytesPerSecond: 100_000)
    let outcome = try await send(to: line.url)
    line.end()
    #expect((try? outcome.get().status) == 200, "\(outcome)")
  }

  /// Nobody waits for it any more: what is still in this machine's buffers is not sent.
  @Test func whatIsGivenUpIsNotSentOn() async throws {
    let line = try ThinLine(bytesPerSecond: nil)
    let outcome = try await send(to: line.url)
    #expect(outcome == .failure(.timedOut(.answer)))
    let (bytes, isReset) = await line.drain()
    line.end()
    #expect(isReset)
    #expect(bytes < Self.count)
  }
}

/// A server of this machine behind a line that takes so many bytes a second of one request, or none.
private final class ThinLine: Sendable {
  private let listener: Int32
  private let port: UInt16
  private let bytesPerSecond: Int?
  private let connection = Mutex<Int32>(-1)

  init(bytesPerSecond: Int?) throws {
    self.bytesPerSecond = bytesPerSecond
    (listener, port) = try Sockets.bound()
    // What has come and was not taken waits at the sender.
    var bytes: Int32 = 4_096
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    try #require(listen(listener, 4) == 0)
    startThread { [self] in serve() }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  private func serve() {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    self.connection.withLock { $0 = connection }
    guard let bytesPerSecond else { return }
    var buffer = [UInt8](repeating: 0, count: bytesPerSecond / 100)
    var request: [UInt8] = []
    while !isWhole(request) {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      request += buffer[..<count]
      // The bucket fills again; nothing else is waited for.
      _ = poll(nil, 0, 10)
    }
    Sockets.write(connection, Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8))
  }

  private func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.firstRange(of: [13, 10, 13, 10])?.upperBound else { return false }
    let field = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
      .split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
    return bytes.count - end >= field.flatMap { Int($0.dropFirst(16)) } ?? 0
  }

  /// Takes what still comes, as fast as it does: how much that is, and whether it ends with a reset.
  func drain() async -> (bytes: Int, isReset: Bool) {
    let connection = connection.withLock { $0 }
    return await onThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var sum = 0
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return (sum, count < 0 && errno == ECONNRESET) }
        sum += count
      }
    }
  }

  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    connection.withLock { if $0 >= 0 { close($0) } }
  }
}
