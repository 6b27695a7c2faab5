import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import TestSupport
import Testing
import Time

/// What is removed, and when; and what is held back for a full disk.
@Suite struct RetentionTests {
  private let matching = MatchingTests()

  /// A post whose server has the first three of four passages.
  private func bench(_ change: (inout NodeMachine.Settings) -> Void) throws -> Bench {
    var rules = try matching.rules(.connected)
    rules.sync.userID = "user"
    // Nothing is removed while a text is with the modem.
    rules.fallbackAfter = .seconds(86_400)
    var settings = NodeMachine.Settings(rules: rules)
    change(&settings)
    let bench = try Bench(settings)
    try bench.start()
    let server = MatchingServer()
    _ = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    for number in 1...3 {
      _ = try server.serve(bench, try matching.leave("BA1PA\(number)", bench))
      bench.wait(.seconds(2))
    }
    _ = try server.serve(bench, try bench.pass(.seconds(60)))
    _ = try bench.handle(.linkChanged(.down))
    _ = try matching.leave("BA1PA4", bench)
    let statuses = try bench.store.list(QueueQuery()).map(\.status)
    #expect(statuses == [.synced, .synced, .synced, .pending])
    return bench
  }

  private func numbers(_ bench: Bench) throws -> [Int64] {
    try bench.store.list(QueueQuery()).map(\.queueID)
  }

  @Test func whatTheServerHasHadForLongIsRemoved() throws {
    let bench = try bench { $0.keep = .seconds(3_600) }
    #expect(try bench.pass(.seconds(3_400)).pruned == nil)
    #expect(try numbers(bench) == [1, 2, 3, 4])
    let event = try #require(try bench.pass(.seconds(900)).pruned)
    #expect(event["passages"] == .integer(3) && event["reason"] == .text("keep"))
    #expect(try numbers(bench) == [4], "one that the server does not have stays")
    #expect(try bench.pass(.seconds(900)).pruned == nil)
  }

  @Test func whatTheServerHasGoesWhenTheStorageIsFull() throws {
    let bench = try bench { $0.capacity = 1 }
    let event = try #require(try bench.pass(.seconds(900)).pruned)
    #expect(event["passages"] == .integer(3) && event["reason"] == .text("capacity"))
    #expect(try numbers(bench) == [4])
  }

  @Test func thereIsRoom() throws {
    let bench = try bench { $0.capacity = 1 << 30 }
    #expect(try bench.pass(.seconds(900)).pruned == nil)
    #expect(try numbers(bench) == [1, 2, 3, 4])
  }

  /// Somebody else fills the disk while a text is on air: its outcome is kept with the space held back.
  @Test(.enabled(if: MountedDisk.isAllowed)) func aFullDiskDoesNotLoseAnOutcome() throws {
    let disk = try #require(MountedDisk(kilobytes: 8_192))
    let bench = try Bench(
      NodeMachine.Settings(rules: .alone), on: disk, ballast: 1 << 20)
    #expect(try bench.start().events.contains { $0.name == "ballast_held" })
    #expect(bench.store.hasBallast == true)
    let (queueID, text) = try bench.recordDue(1)
    disk.fill()
    var outputs: [NodeOutput] = []
    var references = 0
    // The log of the database may have pages left that take a few more.
    while bench.store.hasBallast == true, references < 50 {
      _ = try? bench.record(Int64(100 + references))
      references += 1
    }
    #expect(bench.store.hasBallast == false)
    outputs = try bench.handle(.outcome(text.id, .accepted(references: [17])))
    #expect(outputs.events.allSatisfy { $0.name != "storage_failed" })
    #expect(try bench.outcomes(queueID) == ["accepted"])
    #expect(try bench.pass(.seconds(700)).events.allSatisfy { $0.name != "ballast_held" })
    disk.empty()
    let later = try bench.pass(.seconds(700))
    #expect(later.events.contains { $0.name == "ballast_held" })
    #expect(bench.store.hasBallast == true)
  }

  /// Without such space the same disk takes nothing.
  @Test(.enabled(if: MountedDisk.isAllowed)) func withoutItAFullDiskIsTold() throws {
    let disk = try #require(MountedDisk(kilobytes: 8_192))
    let bench = try Bench(NodeMachine.Settings(rules: .alone), on: disk)
    try bench.start()
    #expect(bench.store.hasBallast == nil)
    let (queueID, text) = try bench.recordDue(1)
    disk.fill()
    var number: Int64 = 100
    while (try? bench.record(number)) != nil, number < 1_000 { number += 1 }
    #expect(number < 1_000)
    try bench.handle(.outcome(text.id, .accepted(references: [17])))
    #expect(bench.machine.report(at: bench.boot).unstored > 0)
    #expect(try bench.outcomes(queueID) == ["intent"])
    disk.empty()
    _ = try bench.pass(.seconds(60))
    #expect(try bench.outcomes(queueID) == ["accepted"])
  }
}

extension [NodeOutput] {
  /// That passages were removed.
  fileprivate var pruned: Event? { events.first { $0.name == "passages_pruned" } }
}
