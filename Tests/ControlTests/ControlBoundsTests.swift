import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import Control

/// The control socket under those who say too much, and while it is busy.
@Suite struct ControlBoundsTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("control.sock")
  }

  private func serving(
    by handler: @escaping ControlServer.Handler = { _, reply in reply.done() },
    during body: (RawControl) throws -> Void
  ) async throws {
    let server = try ControlServer(path: path)
    try server.start(handler: handler)
    let result = Result { try body(try RawControl(path)) }
    server.stop()
    await server.finished()
    try result.get()
  }

  @Test func aDeeplyNestedLineIsNoRequest() async throws {
    try await serving { client throws in
      for depth in [100, 450, 10_000] {
        let object = String(repeating: #"{"a":"#, count: depth) + "1"
        client.send(#"{"op":"x","deep":\#(object)\#(String(repeating: "}", count: depth))}"# + "\n")
        #expect(client.lines(1).first?.contains("not_a_request") == true)
        client.send(#"{"op":"x","deep":\#(String(repeating: "[", count: depth))"# + "\n")
        #expect(client.lines(1).first?.contains("not_a_request") == true)
      }
      client.send("{\"op\":\"x\",\"deep\":[[[[{\"a\":{\"b\":[]}}]]]]}\n")
      #expect(client.lines(1) == [#"{"ok":true}"#])
    }
  }

  @Test func aRequestThatIsTooLongIsAnswered() async throws {
    try await serving { client throws in
      // Whether or not its end comes, and whatever comes before and after it.
      client.send(
        "{\"op\":\"x\"}\n" + String(repeating: "x", count: Limits.controlRequestBytes + 1)
          + "\n{\"op\":\"y\"}\n")
      let lines = client.lines(3)
      #expect(lines.count == 3)
      #expect(lines.first == #"{"ok":true}"#)
      #expect(lines.dropFirst().first?.contains("request_too_long") == true)
      #expect(lines.last == #"{"ok":true}"#)
      client.send(String(repeating: "x", count: Limits.controlRequestBytes + 1))
      #expect(client.lines(1).first?.contains("request_too_long") == true)
      client.send("xxx\n{\"op\":\"y\"}\n")
      #expect(client.lines(1) == [#"{"ok":true}"#])
    }
  }

  @Test func aLineWithoutAnEndIsAnsweredAndThenEnded() async throws {
    try await serving { client throws in
      let block = String(repeating: "x", count: 60_000)
      for _ in 0..<100 where client.send(block) {}
      let lines = client.lines(2)
      #expect(lines.count == 1)
      #expect(lines.first?.contains("request_too_long") == true)
    }
  }

  @Test func anAnswerThatIsTooLongIsToldOf() async throws {
    let text = String(repeating: "x", count: Limits.controlAnswerBytes)
    try await serving(
      by: { request, reply in
        reply.done(request.operation == "long" ? ["t": .text(text)] : [:])
      },
      during: { client throws in
        client.send("{\"op\":\"long\"}\n{\"op\":\"x\"}\n")
        let lines = client.lines(2)
        #expect(lines.count == 2)
        #expect(lines.first?.contains("answer_too_long") == true)
        #expect(lines.last == #"{"ok":true}"#)
      })
  }

  // MARK: busy is not gone

  @Test func aBusySocketIsNotTakenAway() throws {
    let listener = try BusyListener(path)
    let before = inode()
    #expect(throws: ControlError.alreadyServed(path: path)) { try ControlServer(path: path) }
    #expect(inode() == before)
    #expect(throws: ControlError.busy(path: path)) { try ControlClient(path: path) }
    // Whoever serves it takes up the rest later.
    #expect(listener.acceptOne())
    #expect(throws: Never.self) { try ControlClient(path: path) }
  }

  private func inode() -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }
}

/// A connection to a control socket that sends bytes as they are.
private final class RawControl {
  private let number: Int32
  private var received: [UInt8] = []

  init(_ path: String) throws {
    number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard try withSocketAddress(path, { connect(number, $0, $1) }) == 0 else {
      throw TestFailure("cannot connect to \(path)")
    }
  }

  deinit { close(number) }

  /// Sends all of a text; false when the other side is gone.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count {
      let count = bytes[position...].withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      position += count
    }
    return true
  }

  /// The next lines, so many or as many as there are before the end.
  func lines(_ count: Int) -> [String] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while received.count(where: { $0 == 0x0A }) < count {
      let length = recv(number, &buffer, buffer.count, 0)
      guard length > 0 else { break }
      received += buffer[..<length]
    }
    var lines: [String] = []
    while lines.count < count, let end = received.firstIndex(of: 0x0A) {
      lines.append(String(decoding: received[..<end], as: UTF8.self))
      received.removeSubrange(...end)
    }
    return lines
  }
}

/// A service that listens and takes nobody up: its backlog is full.
private final class BusyListener {
  private let number: Int32
  private var waiting: [Int32] = []

  init(_ path: String) throws {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    number = socket(AF_UNIX, kind, 0)
    guard try withSocketAddress(path, { bind(number, $0, $1) }) == 0, listen(number, 0) == 0 else {
      throw TestFailure("cannot listen at \(path)")
    }
    while true {
      let client = socket(AF_UNIX, kind, 0)
      waiting.append(client)
      if try withSocketAddress(path, { connect(client, $0, $1) }) != 0 { break }
    }
    guard errno == EAGAIN else { throw TestFailure("the backlog does not fill") }
  }

  func acceptOne() -> Bool {
    let taken = accept(number, nil, nil)
    close(taken)
    return taken >= 0
  }

  deinit {
    for client in waiting { close(client) }
    close(number)
  }
}

private func withSocketAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
    throw TestFailure("\(path) is too long")
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
