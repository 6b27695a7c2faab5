import CentralCore
import Evidence
import Testing
import Time

struct EvidenceReportTests {
  private func value(_ label: String, _ report: EvidenceReport) -> String? {
    report.facts.first { $0.label == label }?.value
  }

  @Test func whatWasSeenAndWhatIsAllowed() throws {
    let report = try Sample().report()
    #expect(report.title == "Speeding")
    #expect(value("Segment", report) == "Banepa: 30.25 km, 20 to 60 km/h")
    #expect(value("Entry", report) == "BNP-A, 2024-02-28 11:33:20 (UTC)")
    #expect(
      value("Exit", report)
        == "BNP-B, 2024-02-28 11:50:00 (UTC), and written down once more 20 s later")
    #expect(value("Travel", report) == "17 min (1020 s), 106.8 km/h on average")
    #expect(value("Allowed", report) == "30 min (1800 s) at least")
    #expect(value("Tolerance", report)?.hasPrefix("1 s on each side") == true)
    #expect(value("Recorded by", report) == "Gita, Hari")
    #expect(report.standing.hasPrefix("Provisional"))
  }

  @Test func rangersAreNamedAsPeopleCallThem() throws {
    var evidence = try Sample().evidence()
    evidence.rangerNames = ["Gita": "Gita Rai"]
    let report = EvidenceReport(evidence, clock: .utc)
    #expect(value("Recorded by", report) == "Gita Rai, Hari")
    #expect(report.reports.rows.map { $0[5] } == ["…4567", "", "Gita Rai", "Hari"])
  }

  /// The account that a post uploads by may be another one's than the ranger's who recorded the passage.
  @Test func whoRecordedGoesBeforeWhoseAccountItWas() throws {
    var evidence = try Sample().evidence()
    evidence.rangerNames = ["Gita": "Post BNP-B"]
    evidence.rangerDigits = ["Gita": "1111", "Hari": "4567"]
    let report = EvidenceReport(evidence, clock: .utc)
    #expect(value("Recorded by", report) == "…4567, by the account of Post BNP-B, Hari")
    #expect(report.reports.rows[2][5] == "…4567, by the account of Post BNP-B")
  }

  @Test func theRangerOfATextIsNamedAsInTheListOfPassages() throws {
    var sample = Sample()
    sample.textRanger = "Sita K.C."
    let report = try sample.report()
    #expect(value("Recorded by", report) == "Sita K.C., Gita, Hari")
    #expect(report.reports.rows[0][5] == "Sita K.C.")
  }

  @Test func postsAreNamedAsPeopleCallThem() throws {
    var sample = Sample()
    sample.postNames = ["BNP-A": "North gate"]
    let report = try sample.report()
    #expect(value("Entry", report) == "BNP-A (North gate), 2024-02-28 11:33:20 (UTC)")
    #expect(value("Exit", report)?.hasPrefix("BNP-B, ") == true)
    #expect(value("Number", report) == "1")
  }

  @Test func whatCameOfItIsAFact() throws {
    var sample = Sample()
    #expect(value("Outcome", try sample.report()) == nil)
    sample.outcome = ViolationOutcome(
      .fined, fine: 150_050, notes: "paid", by: "Maya",
      at: WallTime(epochSeconds: sample.entryAt + 2_000))
    #expect(
      value("Outcome", try sample.report())
        == "fined 1500.50, recorded by Maya on 2024-02-28 12:06:40 (UTC); paid")
  }

  @Test func aChangeOfADoubtSaysWhichItIs() throws {
    var sample = Sample()
    sample.hasSecondRevision = true
    let rows = try sample.report().revisions.rows
    #expect(rows.map { $0[0] } == ["1", "2"])
    #expect(rows[0][4].hasSuffix("; in doubt: \(TravelDoubt.byTextAlone.words)"))
    #expect(rows[1][4].hasSuffix("; nothing in doubt"))
  }

  @Test func whatHappenedStandsBetweenTheChanges() throws {
    var sample = Sample()
    sample.hasSecondRevision = true
    func at(_ second: Int64) -> WallTime { WallTime(epochSeconds: sample.entryAt + second) }
    sample.outcome = ViolationOutcome(.warned, by: "Ramesh", at: at(1_900))
    sample.notes = [
      ViolationNote(.confirmed, at: at(1_550), by: "Maya", revision: 1),
      ViolationNote(.reported, at: at(1_700), revision: 2),
      ViolationNote(.outcome, at: at(1_900), by: "Ramesh", revision: 2),
    ]
    let rows = try sample.report().revisions.rows
    #expect(rows.map { $0[2] } == ["made", "confirmed", "changed", "final", "outcome"])
    #expect(rows.map { $0[0] } == ["1", "", "2", "", ""])
    #expect(rows[1][3] == "Maya looked at it")
    #expect(rows[3][1] == "2024-02-28 12:01:40")
    #expect(rows[4][4].hasPrefix("warned, recorded by Ramesh"))
  }

  @Test func rulesThatWereSetAsideAreDoubtsAndCorrectorsCouldHaveForgedIt() throws {
    var sample = Sample()
    sample.warnings = [.anySender, .unknownRanger]
    let report = try sample.report()
    #expect(
      report.doubts.filter { $0.contains("Of a text of the entry") }
        == ["Of a text of the entry: \(IntakeWarning.anySender.words)."])
    #expect(report.forgers.first?.contains("corrected") == false)
    #expect(report.forgers.last?.hasSuffix("And who corrected it: Hari.") == true)
  }

  @Test func timesAreThoseOfTheOfficeWithUTCBeside() throws {
    let report = try Sample().report(LocalClock { _ in 345 })
    #expect(
      value("Entry", report) == "BNP-A, 2024-02-28 17:18:20 (UTC+05:45), 2024-02-28T11:33:20Z")
  }

  @Test func everyReportStandsThereWithHowItCame() throws {
    let report = try Sample().report()
    #expect(report.reports.rows.map { $0[0] } == ["entry", "entry", "exit", "exit"])
    #expect(report.reports.rows[0][1] == "text from +9779801000001 by modem, not proven")
    #expect(report.reports.rows[0][3] == "2024-02-28 11:40:00")
    #expect(report.reports.rows[1][1] == "2 more that told nothing new")
    #expect(report.reports.rows[2][1] == "upload, proven")
    #expect(report.reports.rows.allSatisfy { $0.count == report.reports.columns.count })
    #expect(report.corrections.rows == [["exit", "2024-02-28 11:48:20", "Hari", "type bus"]])
    #expect(report.revisions.rows.map { $0[2] } == ["made"])
    #expect(report.revisions.rows.map { $0[3] } == ["a passage came"])
    #expect(report.revisions.rows.allSatisfy { $0.count == report.revisions.columns.count })
  }

  @Test func whatCouldMakeItWrong() throws {
    var sample = Sample()
    let texts = try sample.report().doubts
    #expect(texts.contains { $0.contains("by text alone") })
    #expect(texts.contains { $0.contains("may change this") })
    #expect(texts.contains { $0.contains("how right a post's clock was") })
    #expect(texts.contains { $0.contains("was corrected") })
    sample.clock = .within(seconds: 2)
    sample.finality = .reported
    let fewer = try sample.report().doubts
    #expect(!fewer.contains { $0.contains("may change this") })
    #expect(!fewer.contains { $0.contains("how right a post's clock was") })
  }

  @Test func whatAPersonConfirmedWaitsForNobody() throws {
    func words(_ sample: Sample) throws -> String {
      try #require(try sample.report().doubts.first { $0.contains("by text alone") })
    }
    var sample = Sample()
    #expect(try words(sample).hasSuffix("waits for an upload or for a person who confirms it."))
    sample.confirmedAt = WallTime(epochSeconds: sample.entryAt + 1_600)
    #expect(try words(sample).hasSuffix("; a person confirmed it all the same."))
    #expect(
      try sample.report().standing.hasSuffix("Maya confirmed it on 2024-02-28 12:00:00 (UTC)."))
    sample.isRetracted = true
    #expect(try words(sample).hasSuffix("nobody proved who sent it."))
  }

  @Test func whoCouldHaveForgedIt() throws {
    var sample = Sample()
    #expect(try sample.report().forgers.first?.contains("anybody who knows") == true)
    #expect(try sample.report().forgers.last?.contains("the account or the key") == true)
    sample.isEntryProven = true
    #expect(try sample.report().forgers.first?.contains("under the number of the post") == true)
    sample.entryChannel = .operated
    #expect(try sample.report().forgers.first?.contains("an operator") == true)
    sample.isEntryProven = false
    #expect(try sample.report().forgers.first?.contains("without a proof") == true)
  }

  @Test func whatWasRetractedSaysSoFirst() throws {
    var sample = Sample()
    sample.isRetracted = true
    let report = try sample.report()
    #expect(report.isRetracted)
    #expect(report.standing.hasPrefix("Retracted on 2024-02-28 11:58:20 (UTC)"))
    #expect(!report.doubts.contains { $0.contains("may change this") })
  }
}
