import GSM
import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must do with passages and their texts.
@Suite struct OutboxTests {
  private let refusal = TextOutcome.refused(
    Refusal(code: "CMS 38", words: "network out of order", kind: .later))

  @Test(arguments: StoreMaker.all) func aPassageIsRecordedOnce(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let request = RecordRequest(try passage(1))
    let outcomes = try desk.store.record([request, request], at: desk.moment)
    #expect(
      outcomes == [
        .recorded(request.passage.clientID, queueID: 1),
        .alreadyRecorded(request.passage.clientID, queueID: 1),
      ])
    let item = try desk.item(1)
    #expect(item.passage == request.passage)
    #expect(item.status == .pending)
    #expect(item.since == desk.moment.boot)
    #expect(try desk.store.item(request.passage.clientID) == item)
    #expect(try desk.store.item(2) == nil)
    #expect(desk.store.shortage == nil)
  }

  @Test(arguments: StoreMaker.all) func whatIsDueComesByUrgencyThenByAge(_ maker: StoreMaker) throws
  {
    let desk = try Desk(maker)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    try desk.record(1)
    let due = desk.moment.boot + .seconds(300) + .nanoseconds(1)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: due))
    try desk.record(2)
    try desk.record(3, priority: 2)
    desk.pass(.seconds(301))
    var order: [Int64] = []
    for id in 1...3 as ClosedRange<TextID> {
      let text = try #require(try desk.choose().text)
      order.append(text.queueID)
      try desk.begin(text.queueID, text: id)
    }
    #expect(order == [3, 1, 2])
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test(arguments: StoreMaker.all) func whatIsDueTellsItsTimes(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    desk.pass(.seconds(77))
    let recorded = desk.moment
    try desk.record(1)
    desk.pass(.seconds(301))
    let due = try #require(try desk.choose().text)
    #expect(
      due.times
        == PassageTimes(recordedAt: try passage(1).recordedAt, createdAt: recorded.wall))
    #expect(due.ownAge == nil)
  }

  @Test(arguments: StoreMaker.all) func whatIsSetAsideBeforeItsTextWaitsForAPerson(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.park(queueID: 1, recipient: .centre, reason: "ahead"), at: moment)
    }
    #expect(try desk.item(1).parkedReason == "ahead")
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try desk.run { transaction, _ throws(StorageError) in try transaction.waiting() } == 0)
    desk.pass(.seconds(10))
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    let due = try #require(try desk.choose().text)
    #expect(due.worthSince == desk.moment.boot, "somebody asked for it")
  }

  @Test(arguments: StoreMaker.all) func anAcceptedTextIsForEver(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    #expect(throws: StorageError.self, "one text at a time") { try desk.begin(1, text: 2) }
    try desk.end(1, .accepted(references: [17]), .texted)
    try desk.end(1, refusal, .againAfterRefusal(at: desk.moment.boot))
    #expect(try desk.item(1).isTexted)
    #expect(try desk.choose().text == nil)
    #expect(throws: StorageError.self) { try desk.begin(1, text: 2) }
    #expect(try desk.store.texts(of: 1).map(\.references) == [[17]])
    #expect(try desk.store.overview(at: desk.moment.boot).texted == 1)
    #expect(try desk.store.retry(1, at: desk.moment) == .alreadyTexted)
  }

  @Test(arguments: StoreMaker.all) func aRefusedTextIsDueAgain(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    let again = desk.moment.boot + .seconds(60)
    try desk.end(1, refusal, .againAfterRefusal(at: again))
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: again))
    desk.pass(.seconds(60))
    let text = try #require(try desk.choose().text)
    #expect(text.refusals == 1)
    #expect(text.textAttempts == 0)
  }

  @Test(arguments: StoreMaker.all) func noFourthTextIsBegun(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    for id in 1...TextID(NodeCore.Limits.textsPerPassage) {
      try desk.begin(1, text: id)
      try desk.end(
        id, .unknown(reason: "no answer"), .againAfterUnknown(at: desk.moment.boot))
    }
    #expect(try desk.item(1).textAttempts == NodeCore.Limits.textsPerPassage)
    #expect(try desk.choose().text == nil)
    #expect(throws: StorageError.self) { try desk.begin(1, text: 9) }
    #expect(try desk.store.retry(1, at: desk.moment) == .tooManyTexts)
  }

  @Test(arguments: StoreMaker.all) func theWayToTheServerHasItsSteps(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    #expect(throws: StorageError.self, "not claimed yet") { try desk.step(1, .synced) }
    for attempt in 1...NodeCore.Limits.attempts {
      try desk.step(1, .claimed)
      let isLast = attempt == NodeCore.Limits.attempts
      #expect(try desk.step(1, .missed(error: "503")) == (isLast ? .failed : .pending))
    }
    #expect(try desk.item(1).attempts == NodeCore.Limits.attempts)
    #expect(try desk.choose().text == nil, "that it failed brings its text no nearer")
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try desk.item(1).requeues == 1)
    try desk.step(1, .claimed)
    try desk.step(1, .synced)
    #expect(throws: StorageError.self) { try desk.step(1, .claimed) }
    #expect(throws: StorageError.self, "there is none") {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.apply(.claimed([7]), at: moment)
      }
    }
    #expect(try desk.store.retry(1, at: desk.moment) == .alreadySynced)
    #expect(try desk.store.retry(7, at: desk.moment) == .notFound)
  }

  @Test(arguments: StoreMaker.all) func whatIsSetAsideWaitsForSomebody(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    #expect(try desk.store.park(1, reason: "bad plate"))
    #expect(try !desk.store.park(2, reason: "nobody"))
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try desk.store.overview(at: desk.moment.boot).parked == 1)
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try desk.choose().text?.queueID == 1)
  }

  @Test(arguments: StoreMaker.all) func aTransactionIsWholeOrNothing(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let request = RecordRequest(try passage(1))
    #expect(throws: StorageError.self) {
      try desk.run { transaction, moment throws(StorageError) in
        _ = try transaction.record([request], at: moment)
        throw StorageError(.full, of: "here", problem: "p", remedy: "r")
      }
    }
    #expect(try desk.store.list(QueueQuery()).isEmpty)
  }

  @Test(arguments: StoreMaker.all) func anotherProcessIsNoticed(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    func changes() throws -> Int64 {
      try desk.store.transaction { transaction throws(StorageError) in
        try transaction.foreignChanges()
      }
    }
    let before = try changes()
    try desk.record(1)
    #expect(try changes() == before, "its own changes are known")
    _ = try desk.another().record([RecordRequest(try passage(2))], at: desk.moment)
    #expect(try changes() != before)
    #expect(try desk.store.list(QueueQuery()).map(\.queueID) == [1, 2])
  }
}
