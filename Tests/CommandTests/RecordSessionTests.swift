import EventLoop
import Foundation
import Operations
import PassageStore
import Testing
import Timing

@testable import checkpost

@Suite struct RecordSessionTests {
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
    try PassageStore(path: path, bootID: "made-up").close()
  }

  /// A session on a store, for posts that name themselves by the configuration.
  private func made(_ store: PassageStore) -> RecordSession {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    let judge = PassageJudge(settings: settings, now: WallTime(epochSeconds: 1_795_263_731))
    return RecordSession(
      store: store, judge: judge, clocks: SystemClocks(), isJSON: false, checkpost: nil)
  }

  /// What comes of a table that breaks off: its passages, and then a failure.
  private func end(of session: inout RecordSession) -> CommandFailure? {
    var blocks = [Array(table.utf8)]
    do {
      try session.record("passages.csv", size: nil) { () throws(CommandFailure) in
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
    let store = try PassageStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    var session = made(store)
    let failure = end(of: &session)
    #expect(failure == CommandFailure(.inputOutput, "passages.csv: Input/output error"))
    #expect(session.recorded == 2)
    #expect(try store.list(QueueQuery()).count == 2)
  }

  @Test func aFileThatFailsDoesNotHideAStoreThatFails() throws {
    let store = try PassageStore(readingFrom: path)
    defer { try? store.close() }
    var session = made(store)
    let failure = try #require(end(of: &session))
    #expect(failure.status == .noPermission)
    #expect(failure.message.contains("passages.csv: Input/output error"))
    #expect(failure.message.contains("not recorded"))
    #expect(failure.message.contains("read-only"))
    #expect(session.recorded == 0)
  }

  @Test func aTableWithoutItsColumnsIsNamedOnce() throws {
    let store = try PassageStore(path: path, bootID: "made-up")
    defer { try? store.close() }
    var session = made(store)
    var blocks = [Array("plate\nBA 1 PA 1\n".utf8)]
    let failure = #expect(throws: CommandFailure.self) {
      try session.record("passages.csv", size: nil) { () throws(CommandFailure) in
        blocks.popLast()
      }
    }
    #expect(failure?.status == .badData)
    #expect(failure?.message.hasPrefix("passages.csv: line 1: ") == true)
  }
}
