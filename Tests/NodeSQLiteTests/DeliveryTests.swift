import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

@Suite struct DeliveryTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for number in 1...3 as ClosedRange<Int64> {
      try bench.record(number)
      bench.pass(.seconds(301))
      try bench.begin(number, text: number)
      try bench.end(number, .accepted(references: [UInt8(number % 2)]), .texted)
    }
  }

  private func keep(_ pdu: String, _ content: InboxEntry.Content) throws -> KeepOutcome {
    let moment = bench.moment
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(InboxEntry(pdu: pdu, content: content), at: moment)
    }
  }

  private func report(
    _ reference: UInt8, _ delivery: Delivery, from number: String = "9800000000"
  ) -> InboxEntry.Content {
    .statusReport(
      StatusReport(reference: reference, recipient: number, delivery: delivery, status: 0))
  }

  @Test func aReportFindsTheNewestTextWithItsReferenceAndNumber() throws {
    // Texts 1 and 3 both have reference 1; the numbers are spelled with and without country code.
    #expect(try keep("00", report(1, .delivered)) == .kept(textID: 3))
    #expect(try bench.store.texts(of: 3)[0].delivery == .delivered)
    #expect(try bench.store.texts(of: 1)[0].delivery == nil)
    #expect(try keep("01", report(1, .failed)) == .kept(textID: 1))
    #expect(try bench.store.texts(of: 1)[0].delivery == .failed)
  }

  @Test func aReportAboutAnotherNumberFitsNothing() throws {
    #expect(try keep("00", report(1, .delivered, from: "+9779811111111")) == .kept(textID: nil))
    #expect(try bench.store.texts(of: 3)[0].delivery == nil)
  }

  @Test func aReportThatIsNotFinalMayBeFollowedByOneThatIs() throws {
    #expect(try keep("00", report(0, .trying)) == .kept(textID: 2))
    #expect(try keep("01", report(0, .delivered)) == .kept(textID: 2))
    #expect(try bench.store.texts(of: 2)[0].delivery == .delivered)
    #expect(try keep("02", report(0, .failed)) == .kept(textID: nil), "nothing is left open")
    #expect(try bench.store.texts(of: 2)[0].delivery == .delivered)
  }

  @Test func whatTheModemGivesTwiceIsKeptOnce() throws {
    #expect(try keep("07", .text(sender: "NTC", text: "credit low")) == .kept(textID: nil))
    #expect(try keep("07", .text(sender: "NTC", text: "credit low")) == .known)
    #expect(try bench.number("SELECT count(*) FROM inbox") == 1)
  }

  @Test func whatCannotBeReadIsKeptToo() throws {
    #expect(try keep("ZZ", .undecodable(reason: "not_hexadecimal")) == .kept(textID: nil))
    #expect(try bench.strings("SELECT error FROM inbox") == ["not_hexadecimal"])
  }

  @Test func aLongTextIsDeliveredWhenAllItsPartsAre() throws {
    let intent = TextIntent(id: 9, queueID: nil, modem: ModemID(0), to: "55512345678", body: "l")
    try bench.apply([.intent(intent)])
    try bench.end(9, .accepted(references: [40, 41]), .texted)
    _ = try keep("a", report(40, .delivered, from: "55512345678"))
    #expect(try bench.store.texts(of: nil)[0].delivery == .trying)
    _ = try keep("b", report(41, .delivered, from: "55512345678"))
    #expect(try bench.store.texts(of: nil)[0].delivery == .delivered)
  }
}
