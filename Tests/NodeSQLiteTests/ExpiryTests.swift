import NodeCore
import NodeSQLite
import Storage
import Testing
import Time

/// Reports that fit no text, and what a text was settled by.
@Suite struct ExpiryTests {
  private let bench: Bench
  private let number = "+9779800000000"

  init() throws {
    bench = try Bench()
  }

  private func keep(_ pdu: String, _ reference: UInt8) throws -> KeepOutcome {
    let moment = bench.moment
    let report = StatusReport(
      reference: reference, recipient: number, delivery: .delivered, status: 0)
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(
        InboxEntry(pdu: pdu, modem: "one", content: .statusReport(report)), at: moment)
    }
  }

  private func giveUp() throws -> Int {
    let moment = bench.moment
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.sweep(reportsWithin: .seconds(60), asksForReports: true, at: moment)
        .reportsGivenUp.count
    }
  }

  private func text(_ id: TextID, _ outcome: TextOutcome, modem: String = "one") throws {
    try bench.apply([
      .intent(
        TextIntent(
          id: id, queueID: nil, modem: ModemID(0), to: number, body: "b", modemName: modem))
    ])
    try bench.end(id, outcome, .leftUnknown)
  }

  @Test func whatFitsNoTextIsGivenUpAfterADay() throws {
    #expect(try keep("00", 7) == .kept(textID: nil))
    bench.pass(.seconds(86_400))
    #expect(try giveUp() == 0)
    #expect(try keep("01", 8) == .kept(textID: nil))
    bench.pass(.seconds(1))
    #expect(try giveUp() == 1)
    #expect(try giveUp() == 0, "once")
    #expect(try bench.store.inbox().map(\.error) == [nil, "no_text"])
  }

  @Test func theRuleStandsWithTheText() throws {
    try text(1, .unknown)
    #expect(try keep("00", 7) == .kept(textID: 1, resolved: true))
    #expect(try bench.store.texts(of: nil).map(\.settledBy) == [.onlyText])
    try text(2, .refused)
    #expect(try keep("01", 8) == .kept(textID: 2, resolved: true))
    #expect(try bench.store.texts(of: nil).map(\.settledBy) == [.onlyText, .doubtfulRefusal])
    try text(3, .unknown)
    try text(4, .accepted(references: [10]))
    try text(5, .unknown)
    #expect(try keep("02", 11) == .kept(textID: 5, resolved: true))
    #expect(try bench.store.texts(of: nil).last?.settledBy == .count)
  }

  @Test func anotherModemsReferencesTellNothing() throws {
    for id in 1...20 as ClosedRange<TextID> {
      try text(id, .accepted(references: [UInt8(id)]), modem: "one")
    }
    try text(21, .unknown, modem: "one")
    try text(22, .accepted(references: [21]), modem: "two")
    let moment = bench.moment
    func free(_ modem: String) throws -> [TextID] {
      try bench.store.transaction { transaction throws(StorageError) in
        try transaction.textsThatNeverLeft(by: modem, amongAll: false, at: moment).map(\.textID)
      }
    }
    #expect(try free("two").isEmpty)
    #expect(try free("one").isEmpty)
    try text(23, .accepted(references: [21]), modem: "one")
    #expect(try free("two").isEmpty)
    #expect(try free("one") == [21])
    #expect(try free("one").isEmpty, "once")
    #expect(try bench.store.texts(of: nil).first { $0.id == 21 }?.settledBy == .noGap)
  }
}
