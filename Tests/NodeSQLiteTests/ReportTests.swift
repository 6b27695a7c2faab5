import GSM
import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

/// Which text a status report is about: by modem, reference and number, the newest first.
@Suite struct ReportTests {
  let bench: Bench
  private let number = "+9779800000000"

  init() throws {
    bench = try Bench()
  }

  private func begin(_ id: TextID, modem: String = "one", to: String? = nil) throws {
    try bench.apply([
      .intent(
        TextIntent(
          id: id, queueID: nil, modem: ModemID(0), to: to ?? number, body: "b", modemName: modem))
    ])
  }

  private func text(_ id: TextID, _ outcome: TextOutcome, modem: String = "one") throws {
    try begin(id, modem: modem)
    try bench.end(id, outcome, .leftUnknown)
  }

  private func keep(
    _ pdu: String, _ reference: UInt8, _ delivery: Delivery = .delivered, modem: String = "one"
  ) throws -> KeepOutcome {
    let moment = bench.moment
    let report = StatusReport(
      reference: reference, recipient: number, delivery: delivery, status: 0)
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(
        InboxEntry(pdu: pdu, modem: modem, content: .statusReport(report)), at: moment)
    }
  }

  private func match(_ modem: String = "one") throws -> [MatchedReport] {
    let moment = bench.moment
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.matchReports(ofTextBy: modem, at: moment)
    }
  }

  private func record(_ id: TextID) throws -> TextRecord {
    try #require(try bench.store.texts(of: nil).first { $0.id == id })
  }

  @Test func theReportOfOneModemIsNotAboutATextOfAnother() throws {
    try text(1, .accepted(references: [7]), modem: "one")
    try text(2, .accepted(references: [7]), modem: "two")
    #expect(try keep("00", 7, modem: "one") == .kept(textID: 1))
    #expect(try record(2).delivery == nil)
  }

  @Test func whenTheReferenceComesRoundTheNewerTextIsMeant() throws {
    for id in 1...300 as ClosedRange<TextID> {
      try text(id, .accepted(references: [UInt8(truncatingIfNeeded: id)]))
    }
    #expect(try keep("00", 44) == .kept(textID: 300))
    #expect(try keep("01", 44) == .kept(textID: 44), "the older one is still open")
    #expect(try keep("02", 0) == .kept(textID: 256))
  }

  @Test func aReportThatComesBeforeTheOutcomeIsMatchedAfterIt() throws {
    try begin(1)
    #expect(try keep("00", 7) == .kept(textID: nil))
    try bench.end(1, .accepted(references: [7]), .texted)
    #expect(try match().map(\.textID) == [1])
    #expect(try record(1).delivery == .delivered)
    #expect(try match().isEmpty, "once")
  }

  @Test func aReportResolvesATextOfWhichNobodyKnew() throws {
    let queueID = try bench.record(1)
    bench.pass(.seconds(301))
    try bench.begin(queueID, text: 1)
    try bench.end(1, .unknown, .againAfterUnknown(at: bench.moment.boot + .seconds(600)))
    #expect(try bench.item(queueID).textDue != nil)
    #expect(try keep("00", 99, modem: "modem") == .kept(textID: 1, resolved: true))
    let text = try bench.store.texts(of: queueID)[0]
    #expect(text.outcome == "accepted")
    #expect(text.delivery == .delivered)
    #expect(text.references == [99])
    let item = try bench.item(queueID)
    #expect(item.isTexted)
    #expect(item.textDue == nil, "no second text")
    #expect(item.textAttempts == 1)
  }

  @Test func aReportShowsThatARefusalWasNone() throws {
    let queueID = try bench.record(1)
    bench.pass(.seconds(301))
    try bench.begin(queueID, text: 1)
    let refusal = Refusal(code: "CMS 500", words: "unknown error", kind: .later)
    try bench.end(
      1, .refused(refusal), .againAfterRefusal(at: bench.moment.boot + .seconds(60)))
    #expect(try bench.item(queueID).textDue != nil)
    #expect(try keep("00", 99, modem: "modem") == .kept(textID: 1, resolved: true))
    let item = try bench.item(queueID)
    #expect(item.isTexted)
    #expect(item.textDue == nil, "no second text")
    #expect(item.textAttempts == 1)
    #expect(item.refusals == 0)
  }

  @Test func aReportSaysNothingOfARefusalThatIsFinal() throws {
    try text(1, .refused(Refusal(code: "CMS 1", words: "unassigned number", kind: .permanent)))
    #expect(try keep("00", 99) == .kept(textID: nil))
    #expect(try record(1).outcome == "refused")
  }

  @Test func aReportThatTheNetworkStillTriesResolvesItToo() throws {
    try text(1, .unknown)
    #expect(try keep("00", 99, .trying) == .kept(textID: 1, resolved: true))
    #expect(try record(1).outcome == "accepted")
    #expect(try keep("01", 99, .failed) == .kept(textID: 1))
    #expect(try record(1).delivery == .failed)
  }

  @Test func ofSeveralTheCountOfReferencesTells() throws {
    try text(1, .accepted(references: [254]))
    try text(2, .unknown)
    try text(3, .unknown)
    // 255 may be of text 2, or of text 3 when 2 never left: nobody can tell yet.
    #expect(try keep("00", 255) == .kept(textID: nil))
    #expect(try record(2).outcome == "unknown")
    // 0 comes after 255, so it is of text 3, and then 255 is of text 2.
    #expect(try keep("01", 0) == .kept(textID: 3, resolved: true))
    #expect(try record(2).outcome == "accepted")
    #expect(try record(2).references == [255])
  }

  @Test func aReportOfAForeignTextSettlesNothing() throws {
    // The same card sent a text that this store does not know: by hand, or in a telephone.
    try text(1, .accepted(references: [7]))
    try text(2, .unknown)
    #expect(try keep("00", 99) == .kept(textID: nil))
    #expect(try keep("01", 6) == .kept(textID: nil))
    #expect(try record(2).outcome == "unknown")
    #expect(try keep("02", 8) == .kept(textID: 2, resolved: true))
  }

  @Test func aReportOfAForeignTextDoesNotUndoARefusal() throws {
    let refusal = Refusal(code: "CMS 500", words: "unknown error", kind: .later)
    try text(1, .accepted(references: [255]))
    try text(2, .refused(refusal))
    #expect(try keep("00", 99) == .kept(textID: nil))
    #expect(try record(2).outcome == "refused")
    #expect(try keep("01", 0) == .kept(textID: 2, resolved: true))
  }

  @Test func aReportThatIsRepeatedResolvesNothing() throws {
    try text(1, .accepted(references: [7]))
    try text(2, .unknown)
    #expect(try keep("00", 7) == .kept(textID: 1))
    #expect(try keep("01", 7) == .kept(textID: nil), "it is about text 1 again")
    #expect(try record(2).outcome == "unknown")
  }

  @Test func aReportOfAnotherModemResolvesNothing() throws {
    try text(1, .unknown, modem: "one")
    #expect(try keep("00", 7, modem: "two") == .kept(textID: nil))
    #expect(try record(1).outcome == "unknown")
  }

  @Test func whileATextIsOnItsWayAnEarlierOneIsNotTakenForIt() throws {
    try text(1, .unknown)
    try begin(2)
    #expect(try keep("00", 9) == .kept(textID: nil))
    try bench.end(2, .accepted(references: [9]), .texted)
    #expect(try match().map(\.textID) == [2])
    #expect(try record(1).outcome == "unknown")
  }

  @Test func withoutAFinalReportATextExpiresAndALateOneStillCounts() throws {
    try text(1, .accepted(references: [7]))
    try text(2, .accepted(references: [8]))
    try text(3, .refused)
    #expect(try keep("00", 8) == .kept(textID: 2))
    func expire() throws -> [TextID] {
      let moment = bench.moment
      return try bench.store.transaction { transaction throws(StorageError) in
        try transaction.sweep(
          reportsWithin: .seconds(73 * 3_600), asksForReports: true, at: moment
        ).expired
      }
    }
    bench.pass(.seconds(72 * 3_600))
    #expect(try expire() == [])
    bench.pass(.seconds(3_600))
    #expect(try expire() == [1])
    #expect(try expire() == [], "each is told once")
    #expect(try record(1).delivery == .expired)
    #expect(try record(2).delivery == .delivered)
    #expect(try keep("01", 7) == .kept(textID: 1))
    #expect(try record(1).delivery == .delivered)
  }

  @Test func whereNoReportsAreAskedForNothingExpires() throws {
    try text(1, .accepted(references: [7]))
    bench.pass(.seconds(100 * 3_600))
    let moment = bench.moment
    let expired = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.sweep(
        reportsWithin: .seconds(60), asksForReports: false, at: moment
      ).expired
    }
    #expect(expired == [])
    #expect(try record(1).delivery == nil)
  }
}
