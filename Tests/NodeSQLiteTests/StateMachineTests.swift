import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

@Suite struct StateMachineTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.record(1)
  }

  /// Brings the passage to a status by legal steps.
  private func bring(to status: QueueStatus) throws {
    switch status {
    case .pending: break
    case .inFlight: try bench.step(1, .claimed)
    case .synced:
      try bench.step(1, .claimed)
      try bench.step(1, .synced)
    case .failed:
      try bench.step(1, .claimed)
      try bench.step(1, .refused(error: "22P02"))
    }
  }

  /// The whole table: what may follow what, when nothing else in the row is changed.
  @Test(arguments: QueueStatus.allCases, QueueStatus.allCases)
  func theDatabaseKnowsTheTable(_ from: QueueStatus, _ to: QueueStatus) throws {
    try bring(to: from)
    let legal: [QueueStatus: Set<QueueStatus>] = [
      .pending: [.pending, .inFlight], .inFlight: [.inFlight, .synced, .pending],
      .synced: [.synced], .failed: [.failed],
    ]
    let statement = "UPDATE queue SET status = '\(to.rawValue)' WHERE id = 1"
    if legal[from]?.contains(to) == true {
      #expect(throws: Never.self) { try bench.sql(statement) }
      #expect(try bench.item(1).status == to)
    } else {
      #expect(throws: StorageError.self) { try bench.sql(statement) }
      #expect(try bench.item(1).status == from)
    }
  }

  @Test func fiveMissesAreAFailure() throws {
    for attempt in 1...4 {
      try bench.step(1, .claimed)
      #expect(try bench.step(1, .missed(error: "timeout")) == .pending)
      #expect(try bench.item(1).attempts == attempt)
    }
    try bench.step(1, .claimed)
    #expect(try bench.step(1, .missed(error: "timeout")) == .failed)
    let item = try bench.item(1)
    #expect(item.attempts == 5)
    #expect(item.lastError == "timeout")
  }

  @Test func fewerThanFiveMissesAreNone() throws {
    try bench.step(1, .claimed)
    #expect(throws: StorageError.self) {
      try bench.sql("UPDATE queue SET status = 'failed', attempts = 4 WHERE id = 1")
    }
  }

  @Test func aSixthAttemptCannotBeWritten() throws {
    #expect(throws: StorageError.self) {
      try bench.sql("UPDATE queue SET attempts = 6 WHERE id = 1")
    }
  }

  @Test func aFailedPassageIsDueForATextAtOnce() throws {
    #expect(try bench.choose().text == nil)
    try bring(to: .failed)
    let due = try #require(try bench.choose().text)
    #expect(due.queueID == 1)
    #expect(due.status == .failed)
  }

  @Test func aPassageBeingSentIsNotDue() throws {
    bench.pass(.seconds(400))
    try bring(to: .inFlight)
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test func onlyOnePassageIsBeingSent() throws {
    try bench.record(2)
    try bench.step(1, .claimed)
    #expect(throws: StorageError.self) { try bench.step(2, .claimed) }
    #expect(try bench.item(2).status == .pending)
  }

  @Test func aPassageStartsAsPending() throws {
    #expect(throws: StorageError.self) {
      try bench.sql(
        "INSERT INTO queue (id, status, created_at_ms, since_t) VALUES (9, 'synced', 0, 0)")
    }
  }

  @Test func theAgeOfAPassageIsNotChanged() throws {
    #expect(throws: StorageError.self) { try bench.sql("UPDATE queue SET since_t = 5") }
  }

  @Test func aStepOfARowThatDoesNotExistIsAnError() {
    #expect(throws: StorageError.self) { try bench.step(77, .claimed) }
  }

  @Test func theTallyFollowsEveryStep() throws {
    for number in 2...6 as ClosedRange<Int64> {
      try bench.record(number)
    }
    try bring(to: .synced)
    try bench.step(2, .claimed)
    try bench.step(2, .refused(error: "23514"))
    try bench.step(3, .claimed)
    try bench.begin(4, text: 1)
    try bench.end(1, .fine, .texted)
    #expect(try bench.store.park(5, reason: "bad plate"))
    let overview = try bench.store.overview(at: bench.moment.boot)
    #expect(overview.pending == 3)
    #expect(overview.inFlight == 1)
    #expect(overview.synced == 1)
    #expect(overview.failed == 1)
    #expect(overview.texted == 1)
    #expect(overview.parked == 1)
    #expect(overview.waitingForText == 3, "2 failed, 3 in flight, 6 pending")
    for status in QueueStatus.allCases {
      let counted = try bench.number(
        "SELECT count(*) FROM queue WHERE status = '\(status.rawValue)'")
      let tallied = try bench.number("SELECT n FROM tally WHERE name = '\(status.rawValue)'")
      #expect(counted == tallied, "\(status)")
    }
  }
}
