import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// What is said has been kept.
@Suite struct DurabilityTests {
  @Test func theReferenceIsOnDiskAfterTheOutcome() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [17, 18])))
    let reader = try SQLiteNodeStore(readingFrom: bench.path)
    let kept = try #require(try reader.texts(of: queueID).first)
    #expect(kept.outcome == "accepted")
    #expect(kept.references == [17, 18])
    #expect(try reader.item(queueID)?.isTexted == true)
    try reader.close()
  }

  @Test func aStatusReportIsNotedAtItsText() throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [17])))
    let early = try bench.handle(.received(try report(reference: 17, status: 0x30), token: 1))
    #expect(early.tokens == [1])
    #expect(try bench.store.texts(of: queueID).first?.delivery == .trying)
    try bench.handle(.received(try report(reference: 17, status: 0x00), token: 2))
    #expect(try bench.store.texts(of: queueID).first?.delivery == .delivered)
  }

  @Test func whatTheModemGivesTwiceIsConfirmedTwiceAndToldOnce() throws {
    let bench = try Bench()
    try bench.start()
    let hex = try deliver("hello")
    let first = try bench.handle(.received(hex, token: 1))
    #expect(first.tokens == [1])
    #expect(first.events.map(\.name) == ["text_received"])
    let second = try bench.handle(.received(hex, token: 2))
    #expect(second.tokens == [2])
    #expect(second.events.isEmpty)
  }

  @Test func whatCannotBeReadIsKeptToo() throws {
    let bench = try Bench()
    try bench.start()
    let outputs = try bench.handle(
      .received("07911326040000F0", token: 1), .received("not hex", token: 2))
    #expect(outputs.tokens == [1, 2])
    #expect(outputs.events.map(\.name) == ["text_undecodable", "text_undecodable"])
  }

  @Test func anOutcomeAndTheNextIntentShareACommit() throws {
    let bench = try Bench()
    try bench.start()
    let second = try bench.record(2)
    let (_, text) = try bench.recordDue(1)
    let watcher = try bench.another()
    func changes() throws -> Int64 {
      try watcher.transaction { transaction throws(StorageError) in
        try transaction.foreignChanges()
      }
    }
    let before = try changes()
    let next = try bench.handle(.outcome(text.id, .accepted(references: [17]))).texts
    #expect(next.count == 1)
    #expect(try changes() != before)
    #expect(try bench.outcomes(second) == ["accepted"])
    try watcher.close()
  }
}
