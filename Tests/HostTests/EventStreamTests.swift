import Control
import EventLoop
import Events
import JSON
import Log
import Settings
import TestSupport
import Testing
import Time

@testable import Host

/// Events over the control socket: to those who asked, as the log has them, and for as long as they read.
@Suite(.timeLimit(.minutes(15))) struct EventStreamTests {
  private let directory: TemporaryDirectory
  private let log = ServiceLog(level: .debug, mask: .short, sinks: [])
  private let wall = WallTime(epochSeconds: 1_795_000_000)

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("control.sock") }

  /// A service without roles, whose log is told of by its socket.
  private func serving(_ body: (ControlDesk) throws -> Void) throws {
    let clocks = SystemClocks()
    let desk = try ControlDesk(ControlServer(path: path), LoadedSettings(), clocks: clocks)
    desk.open(
      ControlRole(
        desk: desk, release: try StoreRelease(), settings: CurrentSettings(LoadedSettings()),
        node: nil, central: nil, log: log,
        clocks: clocks))
    defer {
      desk.stop()
      desk.join()
    }
    try body(desk)
  }

  private func listening(_ asked: Operations.Events = Operations.Events()) throws -> ControlClient {
    let client = try ControlClient(path: path)
    _ = try client.ask(asked)
    return client
  }

  private func next(_ client: ControlClient) throws -> ControlLine {
    try client.next(timeout: .seconds(600))
  }

  private func record(_ name: String, _ level: LogLevel = .info, words: String = "words") {
    log.record(Event(name, level, at: wall, words: words))
  }

  @Test func whoAskedIsToldAsTheLogHasIt() throws {
    try serving { _ in
      let client = try listening()
      let event = Event(
        "passage_recorded", .notice, at: wall, subject: "BNP-A", words: "recorded",
        fields: [
          EventField("plate", .plate("BA1PA1234")), EventField("to", .phone("+9779801000002")),
        ])
      log.record(event)
      let expected = LogRecord(event, mask: .short).object
      #expect(try next(client) == .told(expected))
      #expect(expected["plate"] != "BA1PA1234")
      #expect(expected["to"] != "+9779801000002")
      record("second")
      guard case .told(let told) = try next(client) else { throw TestFailure("nothing was told") }
      #expect(told["event"] == "second")
    }
  }

  @Test func onlyWhatWasAskedForIsTold() throws {
    try serving { _ in
      let loud = try listening(Operations.Events(level: "warning"))
      let named = try listening(Operations.Events(names: ["b", "c"]))
      record("a")
      record("b")
      record("c", .error)
      func name(_ client: ControlClient) throws -> JSONValue? {
        guard case .told(let told) = try next(client) else { return nil }
        return told["event"]
      }
      #expect(try name(loud) == "c")
      #expect(try name(named) == "b")
      #expect(try name(named) == "c")
    }
  }

  @Test func aFilterThatCannotBeReadIsRefused() throws {
    try serving { _ in
      let client = try ControlClient(path: path)
      guard case .refused(let level) = try client.ask(ControlRequest("events", ["level": "loud"]))
      else { throw TestFailure("it was not refused") }
      #expect(level.code == "bad_request" && level.exitCode == 64)
      #expect(level.message == "loud: there are debug, info, notice, warning, error")
      guard case .refused(let names) = try client.ask(ControlRequest("events", ["names": "a"]))
      else { throw TestFailure("it was not refused") }
      #expect(names.code == "bad_request" && names.exitCode == 64)
      #expect(log.events.count == 0)
    }
  }

  /// The service waits for nobody: what is not read in time is lost to that reader, who is told.
  @Test func aSlowReaderIsToldAndNothingMore() throws {
    try serving { _ in
      let slow = try listening()
      let words = String(repeating: "x", count: 490)
      for _ in 0..<5_000 { record("flood", words: words) }
      #expect(log.events.count == 0, "its subscription is over at once")
      var told = 0
      while case .told = try next(slow) { told += 1 }
      #expect(told >= 1_000 && told < 5_000)
      // The connection is of use again, also to be told of events.
      #expect(try slow.ask(Operations.Status()).service?.isRunning == true)
      _ = try slow.ask(Operations.Events())
      record("later")
      guard case .told(let later) = try next(slow) else { throw TestFailure("nothing was told") }
      #expect(later["event"] == "later")
    }
  }

  @Test func theLineAtTheEndSaysWhy() throws {
    try serving { _ in
      let slow = try listening()
      for _ in 0..<5_000 { record("flood", words: String(repeating: "x", count: 490)) }
      var line = try next(slow)
      while case .told = line { line = try next(slow) }
      guard case .ended(let refusal) = line else { throw TestFailure("there is no end") }
      #expect(refusal.code == "too_slow")
      #expect(refusal.exitCode == 75)
    }
  }

  @Test func whoLeavesIsForgotten() throws {
    try serving { _ in
      var client: ControlClient? = try listening()
      #expect(client != nil && log.events.count == 1)
      client = nil
      // A program that another test starts has a copy of the descriptor until it runs, so that the end may
      // be seen a moment later. Each answer lets the service look once more.
      repeat {
        _ = try ControlClient(path: path).ask(Operations.Status(), timeout: .seconds(600))
      } while log.events.count > 0
    }
  }

  @Test func listenersAreBoundedAndLeaveRoomForOthers() throws {
    try serving { _ in
      let listeners = try (0..<8).map { _ in try listening() }
      guard case .refused(let refusal) = try ControlClient(path: path).ask(ControlRequest("events"))
      else { throw TestFailure("it was not refused") }
      #expect(refusal.code == "too_many_streams" && refusal.exitCode == 75)
      #expect(try ControlClient(path: path).ask(Operations.Status()).service?.isRunning == true)
      #expect(log.events.count == 8)
      record("all")
      for listener in listeners {
        guard case .told(let told) = try next(listener) else { throw TestFailure("nothing") }
        #expect(told["event"] == "all")
      }
    }
  }

  @Test func theEndOfTheServiceEndsThem() throws {
    try serving { desk in
      let client = try listening()
      record("last")
      guard case .told = try next(client) else { throw TestFailure("nothing was told") }
      desk.stop()
      desk.join()
      #expect(throws: ControlError.noAnswer(path: path)) { try next(client) }
      #expect(log.events.count == 0)
    }
  }

  @Test func aServiceThatStartsTellsOfNoEvents() throws {
    let desk = try ControlDesk(ControlServer(path: path), LoadedSettings(), clocks: SystemClocks())
    defer {
      desk.stop()
      desk.join()
    }
    guard case .refused(let refusal) = try ControlClient(path: path).ask(ControlRequest("events"))
    else { throw TestFailure("it was not refused") }
    #expect(refusal.code == "starting")
  }
}
