import Events
import Foundation
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// A store that fails for now: another process holds its lock.
@Suite struct StorageFailureTests {
  /// Hands inputs in while another process is writing.
  private func handleLocked(_ bench: Bench, _ inputs: [NodeInput]) throws -> [NodeOutput] {
    let other = try bench.another()
    let outputs = try other.transaction { transaction throws(StorageError) in
      try transaction.keepTime(bench.store.clock.time(at: bench.boot))
      return try bench.machine.handle(inputs, at: bench.boot, wall: bench.wall)
    }
    try other.close()
    return outputs
  }

  @Test func nothingIsLostAndWhoRecordsIsAnswered() throws {
    let bench = try Bench()
    try bench.start()
    let first = try bench.record(1)
    let second = try bench.record(2)
    let text = try #require(try bench.pass(.seconds(301)).texts.first)

    let locked = try handleLocked(
      bench,
      [
        .outcome(text.id, .accepted(references: [17])),
        .received(try deliver("hello"), token: 5),
        .record(requestID: 7, [try sample(3)]),
      ])
    #expect(locked.recordings == [7: false])
    #expect(locked.events.map(\.name) == ["storage_failed"])
    // The modem keeps what is not confirmed, and no text goes whose intent cannot be kept.
    #expect(locked.requests.isEmpty)
    #expect(bench.machine.report(at: bench.boot).unstored == 2)
    #expect(try bench.outcomes(first) == ["intent"])

    let retry = try #require(bench.machine.nextDeadline)
    #expect(retry > bench.boot)
    let outputs = try bench.pass(retry - bench.boot)
    #expect(outputs.tokens == [5])
    #expect(try bench.outcomes(first) == ["accepted"])
    #expect(try bench.store.item(try sample(3).passage.clientID) == nil)
    #expect(bench.machine.report(at: bench.boot).unstored == 0)
    // The other passage goes as soon as the pause after the failure is over.
    let next = outputs.texts + (try bench.passUntilText(within: .seconds(60)).texts)
    #expect(next.count == 1)
    #expect(try bench.outcomes(second) == ["intent"])
    #expect(try bench.record(3) > second)
  }

  @Test func anOperatorsTextIsAnsweredAndNotSentLater() throws {
    let bench = try Bench()
    try bench.start()
    let text = ManualText(requestID: 9, to: "+9779841000001", body: "hello")
    let locked = try handleLocked(bench, [.manualText(text)])
    var answers: [Int64: TextOutcome] = [:]
    for case .manualFinished(let id, let outcome) in locked { answers[id] = outcome }
    guard case .notSent(let reason) = answers[9] else {
      Issue.record("answered \(answers)")
      return
    }
    #expect(reason.contains("database"))
    #expect(bench.machine.report(at: bench.boot).unstored == 0)
    #expect(try bench.pass(.seconds(60)).texts.isEmpty)
  }

  @Test func whatIsKeptInMemoryIsBounded() throws {
    let bench = try Bench()
    try bench.start()
    let count = NodeLimits.unstoredEvents + 10
    let inputs = try (0..<count).map { index -> NodeInput in
      let pdu = try deliver("hello", second: 1_800_000_000 + Int64(index))
      let inbound = InboundPDU(token: UInt64(index), hex: pdu, storage: "SM", index: index)
      return .modem(ModemID(0), .received(inbound))
    }
    #expect(try handleLocked(bench, inputs).requests.isEmpty)
    #expect(bench.machine.report(at: bench.boot).unstored == NodeLimits.unstoredEvents)
    // The rest lies in the modem still, and its next sweep hands it in again.
    let outputs = try bench.pass(.seconds(10))
    #expect(outputs.tokens.count == NodeLimits.unstoredEvents)
  }

  @Test func whatLiesInNoModemIsKeptForLonger() throws {
    let bench = try Bench()
    try bench.start()
    let count = NodeLimits.unstoredEvents + 10
    let inputs = try (0..<count).map { index -> NodeInput in
      .received(try deliver("hello", second: 1_800_000_000 + Int64(index)), token: UInt64(index))
    }
    let status = NodeInput.modem(ModemID(0), .status(ModemStatus(port: "m")))
    #expect(try handleLocked(bench, inputs + [status, .woke, status, .woke]).requests.isEmpty)
    #expect(bench.machine.report(at: bench.boot).unstored == count + 2)
    #expect(try bench.pass(.seconds(10)).tokens.count == count)
  }

  @Test func whatPassesIsTriedAgainWithinASecondAndToldOnce() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(1)
    var told: [String] = []
    bench.wait(.seconds(301))
    for _ in 0..<2 {
      told += try handleLocked(bench, []).events.map(\.name)
      let retry = try #require(bench.machine.nextDeadline)
      #expect(retry - bench.boot <= .seconds(1))
      bench.wait(retry - bench.boot)
    }
    #expect(told == ["storage_failed"])
    let outputs = try bench.handle()
    #expect(outputs.events.map(\.name).first == "storage_works")
    let texts = outputs.texts + (try bench.passUntilText(within: .seconds(1)).texts)
    #expect(texts.count == 1)
    // The next failure is a new one.
    #expect(try handleLocked(bench, [.woke]).events.map(\.name) == ["storage_failed"])
  }

  // MARK: at the start

  @Test func aStoreThatFailsForNowIsWaitedForAtTheStart() throws {
    let bench = try Bench()
    let other = try bench.another()
    let third = try sample(3)
    let outputs = try other.transaction { transaction throws(StorageError) in
      try transaction.keepTime(bench.store.clock.time(at: bench.boot))
      let outputs = try bench.machine.start(at: bench.boot, wall: bench.wall)
      return outputs
        + (try bench.machine.handle(
          [.modemReady, .record(requestID: 7, [third])], at: bench.boot, wall: bench.wall))
    }
    try other.close()
    #expect(outputs.recordings == [7: false], "who records is answered")
    #expect(Set(outputs.events.map(\.name)) == ["storage_failed"])
    let retry = try #require(bench.machine.nextDeadline)
    #expect(retry > bench.boot)
    let started = try bench.pass(retry - bench.boot)
    #expect(started.events.map(\.name).contains("node_started"))
    // The modem told that it is ready while nothing could be kept; it is not asked again.
    let first = try bench.record(1)
    #expect(try bench.passUntilText(within: .seconds(360)).texts.count == 1)
    #expect(try bench.outcomes(first) == ["intent"])
  }

  @Test func aStoreThatFailsForGoodEndsTheNodeAtItsStart() throws {
    let bench = try Bench()
    try bench.store.close()
    #expect(throws: StorageError.self) {
      try bench.machine.start(at: bench.boot, wall: bench.wall)
    }
  }

  // MARK: a database that is not there any more

  @Test func aDatabaseThatIsTakenAwayIsNotAcknowledgedInto() throws {
    for suffixes in [[""], ["-wal"], ["-shm"], ["", "-wal", "-shm"]] {
      let bench = try Bench()
      try bench.start()
      try bench.record(1)
      for suffix in suffixes {
        try FileManager.default.moveItem(
          atPath: bench.path + suffix, toPath: bench.path + ".away" + suffix)
      }
      let outputs = try bench.handle(
        .record(requestID: 7, [try sample(3)]), .received(try deliver("hello"), token: 5))
      #expect(outputs.recordings == [7: false], "\(suffixes)")
      #expect(outputs.tokens.isEmpty, "the modem keeps it")
      #expect(outputs.events.map(\.name).contains("storage_failed"))
      #expect(outputs.events.first?.words.contains("node.db") == true)
      // It comes back, with all that it had.
      for suffix in suffixes {
        try FileManager.default.moveItem(
          atPath: bench.path + ".away" + suffix, toPath: bench.path + suffix)
      }
      #expect(try bench.pass(.seconds(60)).tokens == [5])
      try bench.record(3)
    }
  }

  @Test func anIdleNodeNoticesThatItsDatabaseIsAnotherOne() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(1)
    try bench.pass(.seconds(60))
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + ".away")
    try FileManager.default.copyItem(atPath: bench.path + ".away", toPath: bench.path)
    let deadline = try #require(bench.machine.nextDeadline)
    #expect(deadline - bench.boot <= .seconds(10))
    #expect(try bench.pass(.seconds(10)).events.map(\.name) == ["storage_failed"])
  }

  @Test func aFailureThatTimeDoesNotMendEndsTheNode() throws {
    let bench = try Bench()
    try bench.start()
    try bench.store.close()
    #expect(throws: StorageError.self) {
      try bench.handle(.record(requestID: 1, [try sample(1)]))
    }
  }
}
