import CentralCore
import Passages
import Testing
import Time

struct JudgementChangesTests {
  private func centre(_ observations: [Observation]) throws -> IncrementalCentre {
    var centre = IncrementalCentre(try samplePlaces())
    for observation in observations { centre.receive(observation) }
    return centre
  }

  /// The entry in the morning and the exit in the evening are there first; between them the vehicle went out
  /// and came in again, which a post without a line tells two days later.
  @Test func lateDataRetractsAnOverstay() throws {
    var centre = try centre([try sighting(0), try sighting(12_000, "BNP-B")])
    #expect(centre.violations[1]?.finding.kind == .overstay)
    #expect(centre.violations[1]?.finding.seconds == 12_000)
    centre.now = WallTime(epochSeconds: judgedMorning + 200_000)
    centre.receive(try sighting(9_000, channel: .text, isProven: true, received: 200_000))
    #expect(centre.pairs == [PassagePair(entry: 3, exit: 2)])
    #expect(centre.violations.count == 1)
    #expect(centre.violations[1]?.isRetracted == true)
    #expect(centre.violations[1]?.since == centre.now)
    let revision = try #require(centre.revisions.last)
    #expect(revision.change == .retracted)
    #expect(revision.cause == .arrival)
    #expect(revision.before?.seconds == 12_000)
    #expect(revision.after == nil)
    #expect(revision.at == centre.now)
  }

  @Test func anotherExitChangesTheViolationOfItsEntry() throws {
    var centre = try centre([try sighting(0), try sighting(12_000, "BNP-B")])
    centre.receive(try sighting(1_000, "BNP-B"))
    #expect(centre.pairs == [PassagePair(entry: 1, exit: 3)])
    #expect(centre.violations.count == 1)
    #expect(centre.violations[1]?.finding.kind == .speeding)
    #expect(centre.violations[1]?.revision == 2)
    #expect(centre.revisions.map(\.change) == [.made, .changed])
  }

  /// An upload that confirms a text takes the doubt away and begins nothing anew.
  @Test func aDoubtThatGoesIsAChangeAndNoNewBeginning() throws {
    var centre = try centre([try sighting(0), try sighting(1_000, "BNP-B", channel: .text)])
    let since = try #require(centre.violations[1]?.since)
    #expect(centre.violations[1]?.finding.doubts == [.byTextAlone])
    centre.now = WallTime(epochSeconds: judgedMorning + 50_000)
    centre.receive(try sighting(1_000, "BNP-B"))
    #expect(centre.violations[1]?.finding.doubts == [])
    #expect(centre.violations[1]?.since == since)
    #expect(centre.revisions.map(\.change) == [.made, .changed])
  }

  @Test func judgedAgainNothingChanges() throws {
    let centre = try centre([
      try sighting(0), try sighting(1_000, "BNP-B"), try sighting(40_000), try sighting(99_000),
    ])
    let judgement = TravelJudgement(
      all: Array(centre.records.values), places: try samplePlaces())
    let changes = JudgementChanges(
      standing: StandingJudgement(
        pairs: Array(centre.pairs), violations: Array(centre.violations.values)),
      judgement: judgement, cause: .arrival, at: centre.now)
    #expect(changes.isEmpty)
    #expect(PassageRecognition.moves(of: judgement.passages, since: centre.rows) == [])
  }

  /// Each revision follows the one before, whatever happens: the story of a violation has no gaps.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func revisionsTellTheWholeStory(seed: UInt64) throws {
    let world = try JudgingWorld.crowd(passages: 30, step: 700, seed: seed)
    var centre = IncrementalCentre(try samplePlaces())
    for arrival in world.arrivals { centre.take([arrival]) }
    for (entry, violation) in centre.violations {
      let story = centre.revisions.filter { $0.entry == entry }
      #expect(story.map(\.number) == (1...violation.revision).map { $0 }, "seed \(seed)")
      #expect(story.first?.change == .made, "seed \(seed)")
      #expect((story.last?.change == .retracted) == violation.isRetracted, "seed \(seed)")
      #expect(story.last?.after == (violation.isRetracted ? nil : violation.finding))
      for (before, after) in zip(story, story.dropFirst()) {
        #expect(after.change != .made, "seed \(seed)")
        #expect((after.change == .renewed) == (before.change == .retracted), "seed \(seed)")
        #expect(after.before == before.after ?? before.before, "seed \(seed)")
      }
    }
  }
}
