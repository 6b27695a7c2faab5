import Control
import EventLoop
import Foundation
import NodeCore
import NodeSQLite
import Passages
import Settings
import Synchronization
import TestSupport
import Testing
import Time

@testable import PassageFiles
@testable import checkpost

@Suite(.ownThreads) struct RecordSessionTests {
  private let files: ProgramFiles
  private let path: String
  private let table = """
    recorded_at,plate,vehicle_type
    2026-03-14T01:00:00Z,BA 1 PA 1,car
    2026-03-14T01:00:01Z,BA 1 PA 2,bus

    """

  init() throws {
    files = try ProgramFiles()
    path = files.directory.appendingPathComponent("node.db").path
    try SQLiteNodeStore(path: path, bootID: "made-up").close()
  }

  /// A session on a store, for posts that name themselves by the configuration.
  private func made(_ store: SQLiteNodeStore) -> RecordSession {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    let judge = PassageChecker(settings: settings, now: WallTime(epochSeconds: 1_795_263_731))
    let clocks = SystemClocks()
    return RecordSession(
      PassageRecording(
        into: StoreSink(store, clocks: clocks), checker: judge, clocks: clocks, checkpost: nil),
      isJSON: false)
  }

  /// What comes of a table that breaks off: its passages, and then a failure.
  private func end(of session: inout RecordSession) -> CommandFailure? {
    var blocks = [Array(table.utf8)]
    do {
      try session.record("passages.csv", size: table.utf8.count) { () throws(CommandFailure) in
        if blocks.isEmpty {
          throw CommandFailure(.inputOutput, "passages.csv: Input/output error")
        }
        return blocks.removeFirst()
      }
      return nil
    } catch {
      return CommandFailure(error)
    }
  }

  @Test func whatWasReadBeforeAFailureIsRecorded() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    var session = made(store)
    let failure = end(of: &session)
    #expect(failure == CommandFailure(.inputOutput, "passages.csv: Input/output error"))
    #expect(session.recording.counts.recorded == 2)
    #expect(try store.list(QueueQuery()).count == 2)
  }

  @Test func aFileThatFailsDoesNotHideAStoreThatFails() throws {
    let store = try SQLiteNodeStore(readingFrom: path)
    defer { try? store.close() }
    var session = made(store)
    let failure = try #require(end(of: &session))
    #expect(failure.status == .noPermission)
    #expect(failure.message.contains("passages.csv: Input/output error"))
    #expect(failure.message.contains("not recorded"))
    #expect(failure.message.contains("read-only"))
    #expect(session.recording.counts.recorded == 0)
  }

  @Test func aTableWithoutItsColumnsIsNamedOnce() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    var session = made(store)
    var blocks = [Array("plate\nBA 1 PA 1\n".utf8)]
    let fault = #expect(throws: PassageReader.TableFault.self) {
      try session.record("passages.csv", size: nil) { () throws(CommandFailure) in
        blocks.popLast()
      }
    }
    let failure = fault.flatMap { CommandFailure($0) }
    #expect(failure?.status == .badData)
    #expect(failure?.message.hasPrefix("passages.csv: line 1: ") == true)
  }

  // `record --file passages.csv | head`
  @Test func allIsRecordedThoughNobodyReadsOn() throws {
    let rows = (0..<4_000).map { "2026-03-14T01:00:00Z,BA 1 PA \($0),car" }
    let passages = try files.write(
      "passages.csv", (["recorded_at,plate,vehicle_type"] + rows).joined(separator: "\n"))
    let pipe = Spawn.pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = [
      "record", "--file", passages, "--checkpost", "BNP-A", "--config",
      try files.write("checkpost.yaml", "node: {database: \(path)}"),
    ]
    process.standardOutput = pipe
    process.standardError = files.errors
    try pipe.fileHandleForReading.close()
    try process.start()
    process.waitUntilExit()
    let errors = try files.text("errors")
    #expect(process.terminationStatus == 0, "\(errors)")
    let store = try SQLiteNodeStore(readingFrom: path)
    defer { try? store.close() }
    #expect(try store.overview(at: .zero).pending == 4_000)
  }

  // MARK: a table that comes slowly

  /// A session whose results go to the file "output", and whose clock stands where it is put.
  private func slow(_ store: SQLiteNodeStore, _ clocks: any Clocks) -> RecordSession {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    return RecordSession(
      PassageRecording(
        into: StoreSink(store, clocks: clocks),
        checker: PassageChecker(settings: settings, now: clocks.wall(), future: .seconds(120)),
        clocks: clocks, checkpost: nil),
      isJSON: false,
      out: StandardOutput(descriptor: files.output.fileDescriptor, isImmediate: false))
  }

  @Test func aRowIsJudgedByTheTimeWhenItComes() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    let clocks = TestClocks(wall: WallTime(epochSeconds: 1_773_450_000))
    var session = slow(store, clocks)
    var blocks = ["recorded_at,plate,vehicle_type\n", "1773453600,BA1PA1,car\n"]
    try session.record("standard input", size: nil) { () throws(CommandFailure) in
      if blocks.isEmpty { return nil }
      // An hour lies between what the feeding program says first and its first passage.
      if blocks.count == 1 { clocks.set(WallTime(epochSeconds: 1_773_453_600)) }
      return Array(blocks.removeFirst().utf8)
    }
    #expect(session.recording.counts.recorded == 1)
    #expect(session.recording.counts.refused == 0)
  }

  @Test func whatCameIsRecordedAndToldBeforeMoreIsWaitedFor() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    var session = slow(store, TestClocks(wall: WallTime(epochSeconds: 1_795_263_731)))
    var blocks = [Array(table.utf8)]
    let seen = Mutex((stored: 0, told: 0))
    try session.record("standard input", size: nil) { () throws(CommandFailure) in
      if blocks.isEmpty {
        let told = (try? files.text("output"))?.split(separator: "\n").count ?? -1
        seen.withLock { $0 = ((try? store.list(QueueQuery()).count) ?? -1, told) }
        return nil
      }
      return blocks.removeFirst()
    }
    seen.withLock { seen in
      #expect(seen.stored == 2)
      #expect(seen.told == 2)
    }
  }

  // A service that sleeps is told of each passage, not of all of them when the feeding program ends.
  @Test(.timeLimit(.minutes(15))) func theServiceIsWokenAtEachBatch() throws {
    let socket = files.path("control.sock")
    let wakes = Mutex(0)
    let server = try ControlServer(path: socket)
    try server.start { request, reply in
      if request.operation == "wake" { wakes.withLock { $0 += 1 } }
      reply.done()
    }
    defer {
      server.stop()
      server.join()
    }
    let process = try ChildProcess(
      Program.path,
      [
        "record", "--file", "-", "--checkpost", "BNP-A", "--config",
        try files.write(
          "checkpost.yaml", "node: {database: \(path)}\ncontrol: {socket: \(socket)}\n"),
      ], errors: files.errors)
    process.say("recorded_at,plate,vehicle_type\n")
    for number in 1...3 {
      process.say("2026-03-14T01:00:00Z,BA 1 PA \(number),car\n")
      let told = process.lines.next()
      #expect(told != nil)
    }
    try process.endInput()
    #expect(process.wait() == 0)
    // The command waits for the service's answer only so long; what it said is in the socket by now.
    while wakes.withLock({ $0 }) < 3 {
      _ = try ControlClient(path: socket).ask(ControlRequest("look"), timeout: .seconds(600))
    }
    #expect(wakes.withLock { $0 } >= 3)
  }

  // MARK: a clock that was never set

  @Test func aClockThatWasNeverSetRefusesNothing() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    let clocks = TestClocks(wall: WallTime(epochSeconds: 29_316_473))
    var session = slow(store, clocks)
    var blocks = [
      """
      recorded_at,plate,vehicle_type
      1970-12-06T07:27:53Z,BA 1 PA 1,car
      29316400,BA 1 PA 2,car
      2026-11-22T10:00:00Z,BA 1 PA 3,car

      """
    ]
    try session.record("standard input", size: nil) { () throws(CommandFailure) in
      blocks.popLast().map { Array($0.utf8) }
    }
    #expect(session.recording.counts.refused == 0)
    #expect(session.recording.counts.recorded == 3)
    let due = try store.list(QueueQuery()).map { $0.textDue != nil }
    // What has no time that can be told is not texted; the third has one.
    #expect(due == [false, false, true])
    var again = slow(store, clocks)
    blocks = ["recorded_at,plate,vehicle_type\n29316400,BA 1 PA 2,car\n"]
    try again.record("standard input", size: nil) { () throws(CommandFailure) in
      blocks.popLast().map { Array($0.utf8) }
    }
    #expect(again.recording.counts.known == 1, "the same row is the same passage still")
  }

  @Test func twoPassagesOfOneSecondOfTwoStartsAreTwo() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    let clocks = TestClocks(wall: WallTime(epochSeconds: 60))
    var recorded = 0
    for boot in ["one", "one", "two"] {
      var settings = Settings().node
      settings.checkpost = "BNP-A"
      let checker = PassageChecker(
        settings: settings, now: clocks.wall(), future: .seconds(120), boot: boot)
      var session = RecordSession(
        PassageRecording(
          into: StoreSink(store, clocks: clocks), checker: checker, clocks: clocks, checkpost: nil),
        isJSON: false,
        out: StandardOutput(descriptor: files.output.fileDescriptor, isImmediate: false))
      try session.record(
        PassageRow(
          line: 0, plate: "BA1PA1", vehicleType: "car", recordedAt: clocks.wall().rfc3339,
          isNow: true))
      recorded += session.recording.counts.recorded
      #expect(session.recording.counts.undated == session.recording.counts.recorded)
    }
    #expect(recorded == 2, "a button that was pressed twice, and another start")
  }

  @Test func aStoreThatFailsMidwayDoesNotHideWhatIsRecorded() throws {
    let store = try SQLiteNodeStore(path: path, bootID: "made-up")
    var session = slow(store, TestClocks(wall: WallTime(epochSeconds: 1_795_263_731)))
    var blocks = [Array(table.utf8), Array("2026-03-14T01:00:02Z,BA 1 PA 3,car\n".utf8)]
    var thrown: CommandFailure?
    do {
      try session.record("standard input", size: nil) { () throws(CommandFailure) in
        if blocks.count == 1 { try? store.close() }
        return blocks.isEmpty ? nil : blocks.removeFirst()
      }
    } catch {
      thrown = CommandFailure(session.end(with: error))
    }
    let failure = try #require(thrown)
    #expect(failure.status == .inputOutput)
    #expect(failure.message.contains("2 passages were recorded before"))
    #expect(try files.text("output").split(separator: "\n").count == 2)
  }

  /// Takes one batch, and no other.
  private struct OneBatch: PassageSink {
    private(set) var batches = 0
    var last: [RecordRequest] = []

    mutating func begin(_ requests: [RecordRequest]) {
      batches += 1
      last = requests
    }

    func finish() throws -> RecordedPassages {
      guard batches == 1 else { throw CommandFailure(.inputOutput, "the disk is gone") }
      return RecordedPassages(
        outcomes: last.map { .recorded($0.passage.clientID, queueID: 1) })
    }
  }

  @Test func aFileThatBreaksOffTellsOfEachBatchThatIsRecorded() throws {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    let clocks = TestClocks(wall: WallTime(epochSeconds: 1_795_263_731))
    var recording = PassageRecording(
      into: OneBatch(), checker: PassageChecker(settings: settings, now: clocks.wall()),
      clocks: clocks, checkpost: nil)
    let rows = (1...501).map { "2026-03-14T01:00:00Z,BA 1 PA \($0),car\n" }.joined()
    var blocks = [Array("recorded_at,plate,vehicle_type\n\(rows)".utf8)]
    var told = 0
    let error = #expect(throws: PassageRecording.BrokenOff.self) {
      try recording.record(
        "a file", isSlow: false,
        next: { () throws(CommandFailure) in
          guard !blocks.isEmpty else { throw CommandFailure(.inputOutput, "cannot be read on") }
          return blocks.removeFirst()
        }, tell: { _ in told += 1 })
    }
    #expect(told == 500)
    #expect(recording.counts.recorded == 500)
    #expect(error?.description.contains("the disk is gone") == true)
  }
}
