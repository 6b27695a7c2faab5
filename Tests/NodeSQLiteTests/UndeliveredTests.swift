import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

/// A passage whose text the network took and did not deliver: nothing goes again by itself, and an
/// operator may ask for it.
@Suite struct UndeliveredTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(301))
    try bench.begin(1, text: 1)
    try bench.end(1, .accepted(references: [7]), .texted)
  }

  private func report(_ reference: UInt8, _ delivery: Delivery, status: UInt8 = 0x46) throws {
    let moment = bench.moment
    let report = StatusReport(
      reference: reference, recipient: "+9779800000000", delivery: delivery, status: status)
    let outcome = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(
        InboxEntry(pdu: "\(reference)/\(delivery)", content: .statusReport(report)), at: moment)
    }
    #expect(outcome != .known)
  }

  private func retry() throws -> RetryOutcome {
    try bench.store.retry(1, at: bench.moment)
  }

  private func overview() throws -> StoreOverview {
    try bench.store.overview(at: bench.moment.boot)
  }

  @Test(arguments: [Delivery.failed, .expired])
  func itIsCountedAndTextedAgainWhenSomebodyAsks(_ end: Delivery) throws {
    try report(7, end)
    #expect(try bench.choose().text == nil, "not by itself")
    #expect(try bench.item(1).isUndelivered)
    #expect(try overview().undelivered == 1)
    #expect(try retry() == .retried)
    #expect(try overview().undelivered == 0)
    #expect(try overview().texted == 0)
    let due = try #require(try bench.choose().text)
    #expect(!due.isTexted)
    #expect(due.textAttempts == 0, "the rule's count starts again")
    #expect(try bench.item(1).textAttempts == 1, "the true one does not")
    try bench.begin(1, text: 2)
    try bench.end(2, .accepted(references: [8]), .texted)
    #expect(try retry() == .alreadyTexted)
    #expect(try overview().texted == 1)
    #expect(try overview().undelivered == 0)
    try report(8, .delivered, status: 0)
    #expect(try retry() == .alreadyTexted)
  }

  @Test func whatMayStillArriveIsNotTextedAgain() throws {
    try report(7, .trying, status: 0x30)
    #expect(try retry() == .alreadyTexted)
    // That no report came says nothing of the text.
    bench.pass(.seconds(100 * 3_600))
    let moment = bench.moment
    let expired = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.sweep(
        reportsWithin: .seconds(3_600), asksForReports: true, at: moment
      ).expired
    }
    #expect(expired == [1])
    #expect(try retry() == .alreadyTexted)
    #expect(try overview().undelivered == 0)
  }

  @Test func theDatabaseAllowsNothingElse() throws {
    #expect(throws: StorageError.self) { try bench.sql("UPDATE text_deliveries SET sms_sent = 0") }
    try report(7, .failed)
    try bench.sql("UPDATE text_deliveries SET sms_sent = 0")
    #expect(try overview().texted == 0)
  }

  @Test func thereIsNoFourthText() throws {
    for (id, reference) in [(2, 8), (3, 9)] as [(TextID, UInt8)] {
      try report(reference - 1, .failed)
      #expect(try retry() == .retried)
      try bench.begin(1, text: id)
      try bench.end(id, .accepted(references: [reference]), .texted)
    }
    try report(9, .failed)
    #expect(try retry() == .tooManyTexts)
    #expect(try overview().undelivered == 1)
  }

  @Test func aReportThatSettlesAnUnknownTextCountsToo() throws {
    try bench.record(2)
    bench.pass(.seconds(301))
    try bench.begin(2, text: 2)
    try bench.end(2, .unknown, .leftUnknown)
    #expect(try overview().unknownTexts == 1)
    try report(8, .failed)
    #expect(try overview().unknownTexts == 0)
    #expect(try overview().undelivered == 1)
    #expect(try bench.store.retry(2, at: bench.moment) == .retried)
  }

  @Test func whatIsNotSentAgainIsCounted() throws {
    for number in 2...4 as ClosedRange<Int64> {
      try bench.record(number)
    }
    bench.pass(.seconds(301))
    for id in 2...4 as ClosedRange<TextID> {
      try bench.begin(id, text: id)
      try bench.end(id, .unknown, .leftUnknown)
    }
    #expect(try overview().unknownTexts == 3)
    var query = QueueQuery()
    query.text = .unknown
    #expect(try bench.store.list(query).map(\.queueID) == [2, 3, 4])
    // Asked for again, it waits; while it is sent, nobody has to act; set aside, it was looked at.
    #expect(try bench.store.retry(2, at: bench.moment) == .retried)
    #expect(try overview().unknownTexts == 2)
    try bench.begin(2, text: 5)
    #expect(try overview().unknownTexts == 2)
    #expect(try bench.store.park(3, reason: "seen"))
    #expect(try overview().unknownTexts == 1)
    query.text = .undelivered
    #expect(try bench.store.list(query).isEmpty)
    try report(7, .failed)
    #expect(try bench.store.list(query).map(\.queueID) == [1])
  }
}
