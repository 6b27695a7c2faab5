import Testing
import Time

@testable import NodeCore

/// Which text a status report is about, from the facts alone.
@Suite struct ReportMatchingTests {
  private func moment(_ seconds: Int64) -> Moment {
    Moment(boot: .seconds(seconds), wall: WallTime(epochSeconds: 1_800_000_000 + seconds))
  }

  private func report(_ reference: UInt8 = 7, at seconds: Int64 = 100) -> ReceivedReport {
    ReceivedReport(
      StatusReport(reference: reference, recipient: "1", delivery: .delivered, status: 0),
      from: "one", at: moment(seconds))
  }

  private func text(
    _ id: TextID, _ state: UnsettledText.State = .unknown, at seconds: Int64 = 50,
    before: UInt8? = nil, after: UInt8? = nil, parts: Int = 1
  ) -> UnsettledText {
    UnsettledText(
      id: id, state: state, begun: moment(seconds),
      around: ReferencesAround(before: before, after: after, parts: parts))
  }

  @Test func theNewestTextThatWasBegunBeforeItIsMeant() {
    let parts = [300, 90, 50].enumerated().map { index, begun in
      SentPart(textID: TextID(10 - index), part: 1, begun: moment(begun))
    }
    #expect(report().own(among: parts)?.textID == 9)
    #expect(report(at: 10).own(among: parts) == nil)
  }

  @Test func theOnlyTextIsMeantUnlessTheCountSaysOtherwise() {
    #expect(report().settlement(among: [text(1)]) == .text(1, .onlyText))
    #expect(report(7).settlement(among: [text(1, before: 6)]) == .text(1, .onlyText))
    #expect(report(9).settlement(among: [text(1, before: 6)]) == .none)
    #expect(report().settlement(among: [text(1, at: 200)]) == .askNewest, "it came later")
    #expect(report().settlement(among: [text(1, .open)]) == .none, "its outcome tells")
  }

  @Test func ofSeveralTheCountFindsOne() {
    let texts = [text(2, before: 6, after: 9), text(1, before: 3, after: 6)]
    #expect(report(7).settlement(among: texts) == .text(2, .count))
    #expect(report(4).settlement(among: texts) == .text(1, .count))
    #expect(report(20).settlement(among: texts) == .none)
    #expect(report(7).settlement(among: [text(2), text(1)]) == .none, "nothing is known")
  }

  @Test func aReportProvesThatARefusalWasNone() {
    #expect(report().proves(text(1, .doubtful)))
    #expect(!report().proves(text(1, .settled)))
    #expect(!report().proves(text(1, .doubtful, at: 200)))
    #expect(!report(9).proves(text(1, .doubtful, before: 6)))
  }

  @Test func theReferencesGoRound() {
    let around = ReferencesAround(before: 254, after: 2, parts: 3)
    #expect(around.agree(with: 255) == true)
    #expect(around.agree(with: 0) == true)
    #expect(around.agree(with: 2) == false)
    #expect(around.agree(with: 254) == false)
    #expect(ReferencesAround(before: nil, after: nil, parts: 0).agree(with: 1) == nil)
    #expect(ReferencesAround(before: nil, after: 7, parts: 0).agree(with: 7) == false)
  }

  @Test func aTextWithoutRoomNeverLeft() {
    #expect(ReferencesAround(before: 6, after: 7, parts: 1).leaveNoRoom)
    #expect(!ReferencesAround(before: 6, after: 8, parts: 1).leaveNoRoom)
    #expect(!ReferencesAround(before: 0, after: 1, parts: 1).leaveNoRoom, "begun again")
    #expect(!ReferencesAround(before: 6, after: nil, parts: 1).leaveNoRoom)
  }

  @Test func aModemCountsByOneWhenNearlyAllStepsDo() {
    let one = ReferenceStep(older: 255, newer: 0)
    let other = ReferenceStep(older: 3, newer: 7)
    let enough = Array(repeating: one, count: NodeCore.Limits.stepsByOne)
    #expect(ReferenceStep.countByOne(enough))
    #expect(!ReferenceStep.countByOne(Array(enough.dropLast())))
    #expect(ReferenceStep.countByOne(enough + [other]))
    #expect(!ReferenceStep.countByOne(enough + [other, other]))
  }

  @Test func theCentresClockShowsThatItIsOlder() {
    let centre = WallTime(epochSeconds: 1_700_000_000)
    func reading(_ seconds: Int64) -> CentreReading {
      CentreReading(received: moment(seconds), discharged: centre + .seconds(seconds))
    }
    var late = report(at: 2_000)
    late.report.takenAt = centre + .seconds(100)
    late.readings = [reading(500), reading(600)]
    late.report.dischargedAt = centre + .seconds(2_000)
    #expect(late.isOlder(than: moment(1_000)), "the SMSC took its text long before")
    #expect(!late.isOlder(than: moment(50)))
  }
}
