import EventLoop
import Foundation
import TestSupport
import Testing

@testable import HTTPServer

/// A server at a socket in the file system.
@Suite(.timeLimit(.minutes(15))) struct SocketTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("http.sock")
  }

  /// Runs `body` while a server runs there.
  func serve(
    _ place: SocketPlace, on bench: Bench, _ body: @Sendable (HTTPService) async throws -> Void
  ) async throws {
    let server = bench.server(at: place)
    server.start()
    let port = await server.boundPort()
    var failure: (any Error)?
    do {
      try #require(port == 0)
      try await body(server)
    } catch {
      failure = error
    }
    server.stop()
    let ended = await onThread { Result { try server.join() } }
    if let failure { throw failure }
    try ended.get()
  }

  func health(_ headers: String = "") async throws -> String {
    try await onThread { [path] in
      Result {
        let connection = try RawConnection(path: path)
        connection.send(
          "GET /healthz HTTP/1.1\r\nHost: test\r\n\(headers)Connection: close\r\n\r\n")
        return connection.receive()
      }
    }.get()
  }

  func mode() throws -> UInt32? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? UInt32
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func itListensWithTheRightsOfWhoMayConnectAndLeavesNothing(_ permissions: UInt32) async throws {
    let bench = try Bench()
    try bench.central.start()
    try await serve(SocketPlace(path: path, permissions: permissions), on: bench) { _ in
      #expect(try mode() == permissions)
      #expect(try names() == ["http.sock"])
      #expect(try await health().hasPrefix("HTTP/1.1 200 "))
    }
    #expect(try names() == [])
    bench.central.stop()
    await bench.central.finished()
  }

  /// Whoever is at the socket is a proxy of ours, and is believed.
  @Test func whoIsBehindTheProxyIsToldByIt() async throws {
    let bench = try Bench()
    try bench.central.start()
    try await serve(SocketPlace(path: path), on: bench) { _ in
      let key = "apikey: k\r\n"
      let client = "X-Forwarded-For: 203.0.113.9\r\n"
      #expect(try await health(key).hasPrefix("HTTP/1.1 200 "))
      #expect(
        try await health(key + client + "X-Forwarded-Proto: https\r\n").hasPrefix("HTTP/1.1 200 "))
      #expect(
        try await health(key + client + "X-Forwarded-Proto: http\r\n").hasPrefix("HTTP/1.1 403 "))
    }
    #expect(bench.log.recent.contains { $0.words.contains("203.0.113.9") })
    bench.central.stop()
    await bench.central.finished()
  }

  @Test func aSocketThatAnEndedProcessLeftIsTakenOver() async throws {
    try #require(try UnixSocket.listen(path, backlog: 1)).close()
    #expect(try names() == ["http.sock"])
    let bench = try Bench()
    try bench.central.start()
    try await serve(SocketPlace(path: path), on: bench) { _ in
      #expect(try await health().hasPrefix("HTTP/1.1 200 "))
    }
    bench.central.stop()
    await bench.central.finished()
  }

  @Test func whereAnotherOneListensItDoesNot() async throws {
    let bench = try Bench()
    try bench.central.start()
    try await serve(SocketPlace(path: path), on: bench) { _ in
      let error = await #expect(throws: HTTPServerError.self) {
        try await serve(SocketPlace(path: path), on: Bench()) { _ in }
      }
      #expect(error == .socketInUse(path: path))
      #expect(try await health().hasPrefix("HTTP/1.1 200 "), "the first one is still there")
    }
    bench.central.stop()
    await bench.central.finished()
  }

  @Test func whatIsNoSocketStays() async throws {
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    await #expect(throws: HTTPServerError.notASocket(path: path)) {
      try await serve(SocketPlace(path: path), on: Bench()) { _ in }
    }
    #expect(try names() == ["http.sock"])
  }

  @Test func aPlaceThatCannotBeIsNamed() async throws {
    let nowhere = directory.file("missing/http.sock")
    await #expect(throws: HTTPServerError.socket(path: nowhere, errno: ENOENT)) {
      try await serve(SocketPlace(path: nowhere), on: Bench()) { _ in }
    }
    let long = directory.file(String(repeating: "x", count: 200))
    await #expect(throws: HTTPServerError.socket(path: long, errno: ENAMETOOLONG)) {
      try await serve(SocketPlace(path: long), on: Bench()) { _ in }
    }
    let group = SocketPlace(path: path, group: "no-such-group")
    await #expect(throws: HTTPServerError.noGroup(path: path, group: "no-such-group")) {
      try await serve(group, on: Bench()) { _ in }
    }
    #expect(try names() == [])
  }
}
