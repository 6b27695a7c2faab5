import CentralCore
import Evidence
import Testing
import Time

struct DriverSheetTests {
  private func facts(
    _ sample: Sample, _ language: SheetLanguage = .english
  ) throws -> [String: String] {
    let sheet = DriverSheet(try sample.evidence(), in: language, clock: .utc)
    return Dictionary(sheet.facts.map { ($0.label, $0.value) }, uniquingKeysWith: { $1 })
  }

  @Test func whatWasSeenAndWhatIsAllowed() throws {
    let facts = try facts(Sample())
    #expect(
      facts == [
        "Vehicle": "BA 1 PA 1234", "Type": "car", "Road": "Banepa, 30.25 km",
        "First seen": "BNP-A, 2024-02-28 11:33:20 (UTC)",
        "Seen again": "BNP-B, 2024-02-28 11:50:00 (UTC); written down again 20 s later",
        "Time taken": "17 min", "Average speed": "106.8 km/h", "Time allowed": "at least 30 min",
        "Speed limit": "at most 60 km/h", "Recorded by": "Gita, Hari",
      ])
  }

  @Test func theSameInNepali() throws {
    var sample = Sample()
    sample.outcome = ViolationOutcome(
      .fined, fine: 150_000, notes: "between us", by: "Maya",
      at: WallTime(epochSeconds: sample.entryAt + 2_000))
    let facts = try facts(sample, .nepali)
    #expect(facts["लागेको समय"] == "17 मिनेट")
    #expect(facts["तोकिएको समय"] == "कम्तीमा 30 मिनेट")
    #expect(facts["सवारीको किसिम"] == "कार")
    #expect(facts["कारबाही"]?.hasPrefix("जरिवाना रु. 1500, अभिलेख राख्ने Maya, ") == true)
    #expect(facts["कारबाही"]?.contains("between us") == false)
  }

  @Test(arguments: [
    ("बा १ प १२३४", "बा १ प १२३४ (BA 1 PA 1234)"), ("BA1PA1234", "BA 1 PA 1234"),
    ("BA 1PA 1234", "BA 1PA 1234"), ("ba-1-pa 1234", "ba-1-pa 1234 (BA 1 PA 1234)"),
  ])
  func thePlateStandsAsItWasWritten(written: String, shown: String) throws {
    var sample = Sample()
    sample.plate = written
    #expect(try facts(sample)["Vehicle"] == shown)
  }

  @Test func howItStandsIsSaidInASentence() throws {
    var sample = Sample()
    func standing() throws -> String {
      DriverSheet(try sample.evidence(), in: .english, clock: .utc).standing
    }
    #expect(try standing().hasPrefix("Provisional"))
    sample.finality = .unreported
    #expect(try standing() == "Final.")
    sample.isRetracted = true
    #expect(try standing().hasPrefix("Retracted"))
  }

  /// Nobody is left without a word, and what is put in has its place in every language.
  @Test func everyLabelIsInEveryLanguage() {
    for label in SheetLabel.allCases {
      let all = SheetLanguage.allCases.map { label.words($0) }
      #expect(all.allSatisfy { !$0.isEmpty } && Set(all).count == all.count, "\(label)")
      #expect(Set(all.map { $0.contains("{}") }).count == 1, "\(label)")
    }
    #expect(
      Set(SheetLabel.allCases.map { $0.words(.english) }).count >= SheetLabel.allCases.count - 1)
  }
}
