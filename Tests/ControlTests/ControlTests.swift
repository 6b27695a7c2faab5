import EventLoop
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing
import Time

@testable import Control

@Suite struct ControlTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("control.sock")
  }

  private func serving(
    by handler: @escaping ControlServer.Handler, during body: (String) throws -> Void
  ) async throws {
    let server = try ControlServer(path: path)
    try server.start(handler: handler)
    let result = Result { try body(path) }
    server.stop()
    await server.finished()
    try result.get()
  }

  @Test func answersRequests() async throws {
    try await serving(
      by: { request, reply in
        if request.operation == "echo" {
          reply.done(request.fields)
        } else {
          reply.refuse("unknown_operation", "there is no \(request.operation)", exitCode: 64)
        }
      },
      during: { path throws in
        let client = try ControlClient(path: path)
        let fields: [String: JSONValue] = [
          "text": "line\nbreak", "number": 42, "list": [1, "two", nil, true], "fraction": 0.5,
          "nested": ["a": ["b": []]],
        ]
        #expect(try client.ask(ControlRequest("echo", fields)) == .done(fields))
        #expect(
          try client.ask(ControlRequest("dance"))
            == .refused(
              ControlRefusal(
                code: "unknown_operation", message: "there is no dance", exitCode: 64)))
        #expect(try client.ask(ControlRequest("echo")) == .done([:]))
      })
  }

  @Test func answersMayComeLaterAndFromAnotherThread() async throws {
    let workers = Mutex<[WorkerThread]>([])
    try await serving(
      by: { request, reply in
        let worker = WorkerThread()
        workers.withLock { $0.append(worker) }
        do {
          try worker.start(name: "answer") { reply.done(["you_said": .text(request.operation)]) }
        } catch {
          reply.refuse("no_thread", "\(error)")
        }
      },
      during: { path throws in
        let clients = try (0..<5).map { _ in try ControlClient(path: path) }
        for (number, client) in clients.enumerated() {
          #expect(
            try client.ask(ControlRequest("hello_\(number)"))
              == .done(["you_said": .text("hello_\(number)")]))
        }
      })
    for worker in workers.withLock({ $0 }) {
      await worker.finished()
    }
  }

  @Test func aDroppedRequestIsAnswered() async throws {
    try await serving(
      by: { _, _ in },
      during: { path throws in
        let answer = try ControlClient(path: path).ask(ControlRequest("anything"))
        guard case .refused(let refusal) = answer else {
          Issue.record("\(answer)")
          return
        }
        #expect(refusal.code == "no_answer")
        #expect(refusal.exitCode == 69)
      })
  }

  @Test func aSilentServiceTimesOut() async throws {
    let kept = Mutex<[ControlReply]>([])
    try await serving(
      by: { _, reply in kept.withLock { $0.append(reply) } },
      during: { path throws in
        let client = try ControlClient(path: path)
        #expect(throws: ControlError.timedOut(path: path, after: .milliseconds(20))) {
          try client.ask(ControlRequest("wait"), timeout: .milliseconds(20))
        }
      })
    kept.withLock { $0 = [] }
  }

  @Test func whatIsNoRequestIsRefused() async throws {
    try await serving(
      by: { _, reply in reply.done() },
      during: { path throws in
        #expect(try raw(path, "hello\n").contains("not_a_request"))
        #expect(try raw(path, "{\"op\":1}\n").contains("not_a_request"))
        #expect(try raw(path, "{\"op\":\"x\"}\n").contains("\"ok\":true"))
        // Two at once are both answered, in order.
        #expect(
          try raw(path, "{\"op\":\"x\"}\nnonsense\n", answers: 2).split(separator: "\n").count == 2)
        // Too long a line is answered as well.
        #expect(
          try raw(path, String(repeating: "x", count: Limits.controlRequestBytes + 1)).contains(
            "request_too_long"))
      })
  }

  @Test func aRequestThatIsTooLongIsNotSent() async throws {
    try await serving(
      by: { _, reply in reply.done() },
      during: { path throws in
        let text = String(repeating: "x", count: Limits.controlRequestBytes)
        #expect(throws: ControlError.requestTooLong(path: path)) {
          try ControlClient(path: path).ask(ControlRequest("x", ["t": .text(text)]))
        }
      })
  }

  @Test func aLongAnswerArrivesWhole() async throws {
    let text = String(repeating: "0123456789", count: 200_000)
    try await serving(
      by: { _, reply in reply.done(["t": .text(text)]) },
      during: { path throws in
        #expect(try ControlClient(path: path).ask(ControlRequest("x")) == .done(["t": .text(text)]))
      })
  }

  @Test func aServiceThatIsNotThereIsAnErrorOfItsOwn() async throws {
    #expect(throws: ControlError.notRunning(path: path)) { try ControlClient(path: path) }
    let file = try directory.write("file", "")
    #expect(throws: ControlError.self) { try ControlClient(path: file) }
    #expect(throws: ControlError.notASocket(path: file)) { try ControlServer(path: file) }
    let long = directory.file(String(repeating: "x", count: 100))
    #expect(throws: ControlError.pathTooLong(path: long)) { try ControlServer(path: long) }
    #expect(throws: ControlError.missingDirectory(path: directory.file("none/s"))) {
      try ControlServer(path: directory.file("none/s"))
    }
  }

  @Test func oneServiceAtATime() async throws {
    try await serving(
      by: { _, reply in reply.done() },
      during: { path throws in
        #expect(throws: ControlError.alreadyServed(path: path)) { try ControlServer(path: path) }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
      })
    #expect(!exists(path))
  }

  @Test func aSocketLeftBehindIsReplaced() async throws {
    try leaveSocketBehind()
    #expect(exists(path))
    #expect(throws: ControlError.notRunning(path: path)) { try ControlClient(path: path) }
    try await serving(
      by: { _, reply in reply.done() },
      during: { path throws in
        #expect(try ControlClient(path: path).ask(ControlRequest("x")) == .done([:]))
      })
  }

  /// Services that are started together each remove what they left behind, one after the other.
  @Test func anotherServiceThatCleansUpTheDirectoryIsWaitedFor() throws {
    try leaveSocketBehind()
    let held = Mutex<Descriptor?>(
      Descriptor(owning: open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), isLocked: true))
    try #require(held.withLock { flock($0?.value ?? -1, LOCK_EX | LOCK_NB) } == 0)
    let looks = Mutex(0)
    let clocks = LookedAtClocks {
      let number = looks.withLock { looks in
        looks += 1
        return looks
      }
      // The first look tells until when, and the second comes after a try.
      if number == 3 { held.withLock { $0 = nil } }
    }
    let listener = try ControlServer.listen(path, clocks: clocks)
    #expect(held.withLock { $0 } == nil, "it was tried again")
    #expect(throws: Never.self) { try ControlClient(path: path) }
    listener.close()
  }

  /// A directory that nobody lets go of does not hold up a start for ever.
  @Test func aDirectoryThatIsHeldForEverIsNotWaitedForForEver() throws {
    try leaveSocketBehind()
    let held = Descriptor(
      owning: open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), isLocked: true)
    defer { held.close() }
    try #require(flock(held.value, LOCK_EX | LOCK_NB) == 0)
    let clocks = TestClocks(step: .seconds(1))
    #expect(throws: ControlError.alreadyServed(path: path)) {
      try ControlServer.listen(path, clocks: clocks)
    }
  }

  @Test func connectionsAreBounded() async throws {
    try await serving(
      by: { _, reply in reply.done() },
      during: { path throws in
        var clients: [ControlClient] = []
        for _ in 0..<Limits.controlConnections {
          let client = try ControlClient(path: path)
          #expect(try client.ask(ControlRequest("x")) == .done([:]))
          clients.append(client)
        }
        // One more waits until another has gone.
        let late = try ControlClient(path: path)
        #expect(throws: ControlError.self) {
          try late.ask(ControlRequest("x"), timeout: .milliseconds(20))
        }
        // It takes the first place that becomes free, and this one the second.
        clients.removeLast(2)
        #expect(try ControlClient(path: path).ask(ControlRequest("x")) == .done([:]))
      })
  }

  /// A socket bound and abandoned, as after `kill -9`.
  private func leaveSocketBehind() throws {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = try socketAddress(path)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard number >= 0, status == 0 else { throw TestFailure("cannot bind \(path)") }
    close(number)
  }

  private func socketAddress(_ path: String) throws -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return address
  }

  /// Sends bytes as they are, and reads until so many lines came or the connection ended.
  private func raw(_ path: String, _ text: String, answers: Int = 1) throws -> String {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = try socketAddress(path)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw TestFailure("cannot connect to \(path)") }
    let bytes = Array(text.utf8)
    _ = send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while received.count(where: { $0 == 0x0A }) < answers {
      let count = recv(number, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}

/// Clocks that somebody hears of who looks at them, and that find a second passed each time.
private final class LookedAtClocks: Clocks {
  private let clocks = TestClocks(step: .seconds(1))
  private let onLook: @Sendable () -> Void

  init(_ onLook: @escaping @Sendable () -> Void) {
    self.onLook = onLook
  }

  func boot() -> BootInstant {
    onLook()
    return clocks.boot()
  }

  func wall() -> WallTime { clocks.wall() }
}
