import CentralCore
import Passages
import Testing
import Time

/// What a store writes down value by value it can put together again.
struct StoredJudgingTests {
  private func centre(seed: UInt64) throws -> IncrementalCentre {
    let world = try JudgingWorld.crowd(passages: 30, step: 1_000, seed: seed)
    var centre = IncrementalCentre(try samplePlaces())
    centre.now = WallTime(epochSeconds: judgedMorning + 40_000)
    for arrival in world.arrivals { centre.take([arrival]) }
    centre.tick()
    return centre
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func recordsAreTheSameInWhicheverOrderTheirPartsAreRead(seed: UInt64) throws {
    for record in try centre(seed: seed).records.values {
      let again = PassageRecord(
        number: record.number, received: record.received,
        observations: record.observations.reversed(), corrections: record.corrections.reversed(),
        isContradicted: record.isContradicted)
      #expect(again == record, "seed \(seed)")
    }
  }

  @Test func aRecordWithoutAReportIsNone() throws {
    let record = PassageRecord(number: 1, first: try sighting(0))
    #expect(
      PassageRecord(
        number: 1, received: record.received, observations: [], corrections: [],
        isContradicted: false) == nil)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func violationsAndAlertsAreTheSame(seed: UInt64) throws {
    let centre = try centre(seed: seed)
    #expect(!centre.revisions.isEmpty)
    for violation in centre.violations.values {
      let finding = rebuilt(violation.finding)
      let again = StandingViolation(
        finding, isRetracted: violation.isRetracted, since: violation.since,
        finality: violation.finality, confirmedAt: violation.confirmedAt,
        revision: violation.revision)
      #expect(again == violation, "seed \(seed)")
    }
    for revision in centre.revisions {
      let again = ViolationRevision(
        entry: revision.entry, number: revision.number, change: revision.change,
        cause: revision.cause, at: revision.at, before: revision.before.map(rebuilt),
        after: revision.after.map(rebuilt), wasFinal: revision.wasFinal)
      #expect(again == revision, "seed \(seed)")
    }
    for alert in centre.alerts.values {
      let entry = WaitingEntry(
        row: alert.entry.row, place: alert.entry.place, opposite: alert.entry.opposite,
        dueAt: alert.entry.dueAt, expiresAt: alert.entry.expiresAt)
      let again = OverdueAlert(
        entry: entry, raisedAt: alert.raisedAt, isUnheard: alert.isUnheard, ending: alert.ending,
        endedAt: alert.endedAt)
      #expect(again == alert, "seed \(seed)")
    }
  }

  private func rebuilt(_ finding: ViolationFinding) -> ViolationFinding {
    ViolationFinding(
      kind: finding.kind, plate: finding.plate, segment: finding.segment,
      entry: ViolationFinding.End(
        row: finding.entry.row, post: finding.entry.post, earliest: finding.entry.earliest,
        latest: finding.entry.latest),
      exit: ViolationFinding.End(
        row: finding.exit.row, post: finding.exit.post, earliest: finding.exit.earliest,
        latest: finding.exit.latest),
      seconds: finding.seconds, limitSeconds: finding.limitSeconds, isFar: finding.isFar,
      doubts: finding.doubts)
  }
}
