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
    let statement = "UPDATE uploads SET status = '\(to.rawValue)' WHERE passage_id = 1"
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

  @Test func nothingFailsWithoutAReason() throws {
    try bench.step(1, .claimed)
    #expect(throws: StorageError.self) {
      try bench.sql("UPDATE uploads SET status = 'failed', attempts = 4 WHERE passage_id = 1")
    }
  }

  @Test func howOftenItIsTriedIsForTheCoreToSay() throws {
    for _ in 1...4 {
      try bench.step(1, .claimed)
      try bench.step(1, .missed(error: "timeout"))
    }
    try bench.step(1, .claimed)
    let moment = bench.moment
    let id = try #require(try bench.store.uploads(of: 1).first).id
    for _ in 1...2 {
      try bench.store.transaction { transaction throws(StorageError) in
        try transaction.apply(.missed(id, error: "503", next: nil), at: moment)
        try transaction.apply(.claimed([id]), at: moment)
      }
    }
    #expect(try bench.item(1).attempts == 6)
  }

  @Test func aFailureDoesNotBringItsTextForward() throws {
    let due = try #require(try bench.item(1).textDue)
    try bring(to: .failed)
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: due))
    bench.pass(.seconds(301))
    let text = try #require(try bench.choose().text)
    #expect(text.queueID == 1)
    #expect(text.status == .failed)
  }

  @Test func whatTheServerWillNeverTakeIsNotTextedByItself() throws {
    try bench.step(1, .claimed)
    try bench.step(1, .refused(error: "22P02", mayBeTexted: false))
    bench.pass(.seconds(301))
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try bench.store.retry(1, at: bench.moment) == .retried)
    #expect(try bench.choose().text?.queueID == 1, "somebody asked for it")
  }

  @Test func aPassageBeingSentIsNotDue() throws {
    bench.pass(.seconds(400))
    try bring(to: .inFlight)
    #expect(try bench.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test func severalAreSentInOneRequest() throws {
    try bench.record(2)
    try bench.record(3)
    bench.pass(.seconds(301))
    try bench.step(1, .claimed)
    try bench.step(2, .claimed)
    #expect(try bench.item(2).status == .inFlight)
    #expect(try bench.choose().text?.queueID == 3, "those on their way are passed over")
    #expect(throws: StorageError.self, "not twice") { try bench.step(2, .claimed) }
  }

  @Test func aPassageStartsAsPending() throws {
    #expect(throws: StorageError.self) {
      try bench.sql(
        """
        INSERT INTO uploads (passage_id, kind, priority, status, new_plate)
        VALUES (1, 'correction', 1, 'synced', 'BA1PA2')
        """)
    }
  }

  @Test func theAgeOfAPassageIsNotChanged() throws {
    #expect(throws: StorageError.self) { try bench.sql("UPDATE passages SET since_t = 5") }
  }

  @Test func aStepOfARowThatDoesNotExistIsAnError() {
    let moment = bench.moment
    #expect(throws: StorageError.self) {
      try bench.store.transaction { transaction throws(StorageError) in
        try transaction.apply(.claimed([77]), at: moment)
      }
    }
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
