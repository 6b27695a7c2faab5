import Passages
import SeededRandom
import Testing
import Time

@testable import CentralCore

/// Where the past of a vehicle can be cut off: nothing before has a say in what is from then on, whatever still
/// comes of the time that is kept.
struct KeepingCutTests {
  @Test(arguments: [7, 30, 400, 1_500, 9_000, 40_000, 200_000] as [Int64])
  func whatIsCutOffHasNoSay(step: Int64) throws {
    let places = try samplePlaces()
    var cutOff = 0
    for seed in 0..<80 as Range<UInt64> {
      var generator = SplitMix64(seed: seed &+ 900)
      let world = try JudgingWorld.crowd(
        passages: 40, step: step, seed: seed, corrections: false)
      let records = PassageRecord.all(of: world.arrivals.observations).filter(\.isDated)
      let since = judgedMorning + step * Int64.random(in: 5...30, using: &generator)
      // Of what is younger some is not there yet when the cut is made.
      let known = records.filter {
        $0.place.second < since || Bool.random(using: &generator)
      }
      let whole = TravelJudgement(all: records, places: places)
      var left: [PassageRecord] = []
      for plate in Set(records.map(\.place.plate)) {
        for post in ["BNP-A", "LONE"] {
          let place = places.place(of: try CheckpostCode(post))
          let isOf = { (record: PassageRecord) in
            record.place.plate == plate && place.posts.contains(record.place.post)
          }
          let first = KeepingCutTests.cut(
            known.filter(isOf), RejudgingSpan(changed: since...since, place: place))
          #expect(first <= since)
          cutOff += known.count { isOf($0) && $0.place.second < first }
          left += records.filter { isOf($0) && $0.place.second >= first }
        }
      }
      let numbers = Set(left.map(\.number))
      let judgement = TravelJudgement(all: left, places: places)
      let isLeft = { (row: Int64) in numbers.contains(row) }
      let travels = whole.travels.filter { isLeft($0.entry.row) || isLeft($0.exit.row) }
      #expect(
        Set(judgement.travels.map { Cut($0) }) == Set(travels.map { Cut($0) }),
        "step \(step), seed \(seed)")
      let turns = whole.turns.filter { isLeft($0.entry.row) }
      #expect(Set(judgement.turns.map { Cut($0) }) == Set(turns.map { Cut($0) }))
      let passages = whole.passages.filter { isLeft($0.row) }
      #expect(
        Set(judgement.passages.map(KeepingCutTests.numbers))
          == Set(passages.map(KeepingCutTests.numbers)), "step \(step), seed \(seed)")
      #expect(Set(judgement.waiting) == Set(whole.waiting.filter { isLeft($0.row) }))
    }
    // Within minutes everything has a say, over weeks hardly anything has.
    if step >= 9_000 { #expect(cutOff > 100, "step \(step): \(cutOff)") }
  }

  private struct Cut: Hashable {
    var entry: Int64
    var exit: Int64
    var verdict: SpeedVerdict

    init(_ travel: JudgedTravel) {
      (entry, exit, verdict) = (travel.entry.row, travel.exit.row, travel.verdict)
    }
  }

  private static func numbers(_ passage: RecognisedPassage) -> [Int64] {
    passage.records.map(\.number)
  }

  private static func cut(_ records: [PassageRecord], _ span: RejudgingSpan) -> Int64 {
    var range = span.first
    while true {
      let read = records.filter { range.contains($0.place.second) }
      if let first = span.beginning(of: read, read: range) { return first }
      range = span.widened(range)
    }
  }
}

extension PassageRecord {
  /// The records that reports make.
  static func all(of observations: [Observation]) -> [PassageRecord] {
    var records: [ContentKey: PassageRecord] = [:]
    for observation in observations {
      if records[observation.key]?.add(observation) == nil {
        records[observation.key] = PassageRecord(
          number: Int64(records.count) + 1, first: observation)
      }
    }
    return records.values.sorted { $0.number < $1.number }
  }
}
