import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

/// How passages stand for people: each by itself, and all of them in numbers.
@Suite struct StateTests {
  let bench: Bench
  private let alone = PassageStates(hasServer: false, awaitsReports: true)
  private let withoutReports = PassageStates(hasServer: false, awaitsReports: false)
  private let withServer = PassageStates(hasServer: true, awaitsReports: true)

  init() throws {
    bench = try Bench()
    for number in 1...6 as ClosedRange<Int64> { try bench.record(number) }
    bench.pass(.seconds(301))
  }

  private func reason(_ id: Int64, _ states: PassageStates) throws -> PassageReason {
    states.reason(of: try bench.item(id))
  }

  /// The counts of the overview, which must be those of the passages one by one.
  private func counts(_ states: PassageStates) throws -> [PassageState: Int] {
    var each: [PassageState: Int] = [:]
    for state in PassageState.allCases { each[state] = 0 }
    for item in try bench.store.list(QueueQuery()) {
      each[states.reason(of: item).state, default: 0] += 1
    }
    let all = states.counts(try bench.store.overview(at: bench.moment.boot))
    #expect(all == each)
    // The part of the queue that is read for a state holds each of that state.
    for state in PassageState.allCases {
      var query = QueueQuery()
      query.among = states.subset(holding: state)
      let found = try bench.store.list(query).filter { states.reason(of: $0).state == state }
      #expect(found.count == each[state], "\(state)")
    }
    return all
  }

  @Test func aTextIsSendingThenSentThenDone() throws {
    #expect(try counts(alone)[.waiting] == 6)
    try bench.begin(1, text: 1)
    #expect(try reason(1, alone) == .beingTexted)
    #expect(try counts(alone) == [.waiting: 5, .sending: 1, .sent: 0, .done: 0, .stuck: 0])
    let overview = try bench.store.overview(at: bench.moment.boot)
    #expect(overview.textsSending == 1)
    #expect(overview.sendingSince == bench.moment.wall)
    try bench.end(1, .fine, .texted)
    #expect(try reason(1, alone) == .reportToCome)
    #expect(try counts(alone) == [.waiting: 5, .sending: 0, .sent: 1, .done: 0, .stuck: 0])
    #expect(try reason(1, withoutReports) == .texted, "nothing more is waited for")
    #expect(try counts(withoutReports)[.done] == 1)
    #expect(try reason(1, withServer) == .textedBeforeServer)
    #expect(try counts(withServer) == [.waiting: 5, .sending: 0, .sent: 1, .done: 0, .stuck: 0])
  }

  @Test func aReportThatNeverCameIsNotWaitedForForEver() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .fine, .texted)
    bench.pass(.seconds(90_000))
    let moment = bench.moment
    _ = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.sweep(
        reportsWithin: .seconds(86_400), asksForReports: true, at: moment)
    }
    #expect(try reason(1, alone) == .texted)
    #expect(try counts(alone)[.done] == 1)
  }

  @Test func whatSomebodyHasToDecideIsStuck() throws {
    #expect(try bench.store.park(1, reason: "bad plate"))
    try bench.begin(2, text: 1)
    try bench.end(1, .unknown, .leftUnknown)
    #expect(try reason(1, alone) == .parked)
    #expect(try reason(2, alone) == .textUnknown)
    for states in [alone, withoutReports, withServer] {
      #expect(try counts(states) == [.waiting: 4, .sending: 0, .sent: 0, .done: 0, .stuck: 2])
    }
  }

  @Test func whatTheServerHasIsDone() throws {
    try bench.step(1, .claimed)
    #expect(try reason(1, withServer) == .beingUploaded)
    #expect(try counts(withServer)[.sending] == 1)
    try bench.step(1, .synced)
    #expect(try reason(1, withServer) == .onServer)
    #expect(try counts(withServer) == [.waiting: 5, .sending: 0, .sent: 0, .done: 1, .stuck: 0])
  }

  @Test func whatWasHandedOnIsDoneAndNotTexted() throws {
    try bench.begin(2, text: 1)
    try bench.begin(3, text: 2)
    try bench.end(2, .fine, .texted)
    let result = try bench.store.handOn([1, 2, 3, 77], at: bench.moment)
    #expect(result.marked == 2)
    #expect(result.busy == 1, "its text is with a modem")
    #expect(try bench.store.handOn([1], at: bench.moment).done == 1)
    #expect(try reason(1, alone) == .handedOn)
    #expect(try bench.item(1).handedOnAt == bench.moment.wall)
    #expect(try bench.item(1).textDue == nil)
    #expect(try bench.choose().text?.queueID == 4)
    #expect(try counts(alone) == [.waiting: 3, .sending: 1, .sent: 0, .done: 2, .stuck: 0])
    #expect(try counts(withServer) == [.waiting: 3, .sending: 1, .sent: 0, .done: 2, .stuck: 0])
    #expect(throws: StorageError.self, "the file itself keeps it from being due") {
      try bench.sql("UPDATE text_deliveries SET due_t = 1 WHERE passage_id = 1")
    }
  }

  @Test func aMarkIsTakenBackByAskingForAnotherTry() throws {
    _ = try bench.store.handOn([1], at: bench.moment)
    #expect(try bench.store.retry(1, at: bench.moment) == .retried)
    #expect(try bench.item(1).handedOnAt == nil)
    #expect(try bench.choose().text?.queueID == 1)
    #expect(try counts(alone)[.waiting] == 6)
  }

  @Test func aLateOutcomeDoesNotTextWhatWasHandedOn() throws {
    try bench.begin(1, text: 1)
    try bench.end(1, .unknown, .leftUnknown)
    _ = try bench.store.handOn([1], at: bench.moment)
    try bench.end(1, .refused, .againAfterRefusal(at: bench.moment.boot))
    #expect(try bench.item(1).textDue == nil)
    #expect(try reason(1, alone) == .handedOn)
  }

  @Test func theOldestThatWaitsIsNotOneThatWasTexted() throws {
    bench.pass(.seconds(100))
    try bench.record(7)
    for id in 1...6 as ClosedRange<Int64> { _ = try bench.store.handOn([id], at: bench.moment) }
    bench.pass(.seconds(30))
    let overview = try bench.store.overview(at: bench.moment.boot)
    #expect(overview.oldestWaitingAge == .seconds(30))
    #expect(overview.firstTextDue == (try bench.item(7).textDue))
  }

  @Test func theNewestAreListedBackwards() throws {
    var query = QueueQuery()
    query.beforeID = .max
    query.limit = 2
    #expect(try bench.store.list(query).map(\.queueID) == [6, 5])
    query.beforeID = 5
    #expect(try bench.store.list(query).map(\.queueID) == [4, 3])
  }

  @Test func theBeginningOfAnIdentityNamesAPassage() throws {
    let client = samplePassage(4).clientID.description
    #expect(try bench.store.items(beginning: client).map(\.queueID) == [4])
    #expect(try bench.store.items(beginning: String(client.dropLast())).count == 2, "not enough")
    #expect(try bench.store.items(beginning: "0").count == 2, "two tell that it is not enough")
    #expect(try bench.store.items(beginning: "zz").isEmpty)
  }
}
