import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

/// Passages that were recorded while the clock had not been set.
@Suite struct UndatedTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  private func undated(_ second: Int64, boot: String?) throws -> Passage {
    Passage(
      undated: try Plate("BA 1 PA 1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: second), boot: boot, suffix: .unknown)
  }

  private func record(_ passage: Passage) throws -> RecordOutcome {
    try #require(try bench.store.record([RecordRequest(passage)], at: bench.moment).first)
  }

  @Test func itIsKeptAsItIsAndNeverDueForAText() throws {
    let passage = try undated(29_316_473, boot: "boot-1")
    #expect(try record(passage) == .recorded(passage.clientID, queueID: 1))
    #expect(try bench.item(1).passage == passage)
    bench.pass(.seconds(86_400))
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try bench.store.retry(1, at: bench.moment) == .undated)
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try bench.store.overview(at: bench.moment.boot).undated == 1)
    #expect(try bench.store.park(1, reason: "known"))
    #expect(try bench.store.overview(at: bench.moment.boot).undated == 0)
  }

  @Test func noProgramSendsATextForIt() throws {
    _ = try record(try undated(29_316_473, boot: "boot-1"))
    #expect(throws: StorageError.self) { try bench.begin(1, text: 1) }
  }

  // The clock begins anew at each start, so one second comes round.
  @Test func theSameSecondOfAnotherStartIsAnotherPassage() throws {
    let first = try undated(60, boot: "boot-1")
    #expect(try record(first) == .recorded(first.clientID, queueID: 1))
    #expect(try record(first) == .alreadyRecorded(first.clientID, queueID: 1))
    let second = try undated(60, boot: "boot-2")
    #expect(try record(second) == .recorded(second.clientID, queueID: 2))
    // What is handed in with a time is the same passage when it is handed in once more.
    let row = try undated(60, boot: nil)
    #expect(try record(row) == .recorded(row.clientID, queueID: 3))
    #expect(try record(row) == .alreadyRecorded(row.clientID, queueID: 3))
  }

  @Test func theMomentOfTheBootClockIsKeptBeside() throws {
    bench.pass(.seconds(50))
    _ = try record(try undated(60, boot: "boot-1"))
    #expect(
      try bench.store.bootMoment(of: try bench.item(1).since)
        == BootMoment(bootID: "boot-1", time: .seconds(1_050)))
    try bench.powerCut(boots: .seconds(20))
    bench.pass(.seconds(5))
    _ = try record(try undated(60, boot: "boot-1'"))
    #expect(
      try bench.store.bootMoment(of: try bench.item(2).since)
        == BootMoment(bootID: "boot-1'", time: .seconds(25)))
    #expect(
      try bench.store.bootMoment(of: try bench.item(1).since)
        == BootMoment(bootID: "boot-1", time: .seconds(1_050)))
    #expect(try bench.store.bootMoment(of: BootInstant(nanoseconds: -1)) == nil)
  }
}
