import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Testing
import Time

/// Status reports of texts of long ago: references come round, a modem that restarts may begin again,
/// and what lay in a SIM or at a service centre comes when another text has the number.
@Suite struct StaleReportTests {
  private func deliveries(_ bench: Bench, _ queueID: Int64) throws -> [Delivery?] {
    try bench.store.texts(of: queueID).map(\.delivery)
  }

  /// The report on a text that the service centre took so long after the bench's first moment.
  private func report(
    _ reference: UInt8, taken seconds: Int64, after: Int64 = 5, quarterHours: Int = 23
  ) throws -> String {
    try NodeServiceTests.report(
      reference: reference, status: 0, taken: 1_800_000_000 + seconds,
      discharged: 1_800_000_000 + seconds + after, quarterHours: quarterHours)
  }

  @Test func whatWasKeptUnmatchedSettlesNoTextThatIsBegunLater() throws {
    let bench = try Bench()
    try bench.start()
    let early = try bench.handle(.received(try report(7, taken: -60), token: 1))
    #expect(early.events.map(\.name) == ["report_unmatched"])
    let (queueID, text) = try bench.recordDue(1)
    let accepted = try bench.handle(.outcome(text.id, .accepted(references: [7])))
    #expect(accepted.events.map(\.name) == ["text_accepted"])
    #expect(try deliveries(bench, queueID) == [nil])
    let own = try bench.handle(.received(try report(7, taken: 302), token: 2))
    #expect(own.events.map(\.name) == ["text_delivered"])
    #expect(try deliveries(bench, queueID) == [.delivered])
  }

  @Test(arguments: [true, false])
  func whatComesLateIsNotAboutANewerText(isOutcomeKnown: Bool) throws {
    let bench = try Bench()
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(
      .outcome(text.id, isOutcomeKnown ? .accepted(references: [7]) : .unknown(reason: "silence")))
    let stale = try bench.handle(.received(try report(7, taken: -21 * 86_400), token: 1))
    #expect(stale.events.map(\.name) == ["report_unmatched"])
    #expect(try bench.outcomes(queueID) == [isOutcomeKnown ? "accepted" : "unknown"])
    let own = try bench.handle(.received(try report(7, taken: 302), token: 2))
    #expect(own.events.map(\.name) == ["text_delivered"])
  }

  // There are centres that write their local time and another zone, or none.
  @Test(arguments: zip([-20_700, 20_700, -50_400] as [Int64], [0, 0, 23]))
  func aCentreWhoseZoneIsWrongIsBelievedAllTheSame(off: Int64, quarterHours: Int) throws {
    let bench = try Bench()
    try bench.start()
    for number in 1...4 as ClosedRange<Int64> {
      let (_, text) = try bench.recordDue(number)
      let reference = UInt8(number)
      try bench.handle(.outcome(text.id, .accepted(references: [reference])))
      let own = try report(
        reference, taken: 302 * number + off, quarterHours: quarterHours)
      let events = try bench.handle(.received(own, token: UInt64(number))).events
      #expect(events.map(\.name) == ["text_delivered"], "text \(number)")
    }
  }

  @Test func theCentresOwnClockTellsMinutesApart() throws {
    let bench = try Bench()
    try bench.start()
    for number in 1...2 as ClosedRange<Int64> {
      let (_, text) = try bench.recordDue(number)
      let reference = UInt8(number)
      try bench.handle(.outcome(text.id, .accepted(references: [reference])))
      try bench.handle(.received(try report(reference, taken: 302 * number), token: UInt64(number)))
    }
    try bench.pass(.seconds(1_200))
    // The modem restarted and counts from the beginning.
    let (queueID, text) = try bench.recordDue(3)
    try bench.handle(.outcome(text.id, .accepted(references: [1])))
    let stale = try bench.handle(.received(try report(1, taken: 700, after: 60), token: 8))
    #expect(stale.events.map(\.name) == ["report_unmatched"])
    #expect(try deliveries(bench, queueID) == [nil])
    let own = try bench.handle(.received(try report(1, taken: 2_105), token: 9))
    #expect(own.events.map(\.name) == ["text_delivered"])
  }

  // Nobody told this machine the time, and its clock is years ahead.
  @Test func aClockThatIsAheadDoesNotKeepReportsFromTheirTextsForLong() throws {
    let bench = try Bench()
    bench.setClock(ahead: .seconds(700 * 86_400))
    try bench.start()
    var queueIDs: [Int64] = []
    for number in 1...4 as ClosedRange<Int64> {
      let (queueID, text) = try bench.recordDue(number + 700 * 86_400)
      queueIDs.append(queueID)
      let reference = UInt8(number)
      try bench.handle(.outcome(text.id, .accepted(references: [reference])))
      try bench.handle(.received(try report(reference, taken: 302 * number), token: UInt64(number)))
    }
    // What was held against the clock at first is matched when the clock is found out.
    for queueID in queueIDs { #expect(try deliveries(bench, queueID) == [.delivered]) }
  }

  @Test func aClockThatWasBehindDoesNotMatter() throws {
    let bench = try Bench()
    bench.setClock(ahead: .seconds(-1_770_000_000))
    try bench.start()
    let (queueID, text) = try bench.recordDue(1)
    try bench.handle(.outcome(text.id, .accepted(references: [7])))
    bench.setClock(ahead: .zero)
    let own = try bench.handle(.received(try report(7, taken: 302), token: 1))
    #expect(own.events.map(\.name) == ["text_delivered"])
    #expect(try deliveries(bench, queueID) == [.delivered])
  }
}
