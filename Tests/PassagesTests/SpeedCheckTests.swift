import Passages
import SeededRandom
import Testing

@Suite struct SpeedCheckTests {
  /// 45 km between 10 and 40 km/h: 4,050 to 16,200 seconds.
  func segment() throws -> Segment {
    try Segment(
      name: "Bardia", distanceKilometres: 45, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 40)
  }

  @Test(
    arguments: [
      (0, SpeedVerdict.speeding(fastestAllowedSeconds: 4_050)),
      (4_048, .speeding(fastestAllowedSeconds: 4_050)), (4_049, .normal), (4_050, .normal),
      (10_000, .normal), (16_200, .normal), (16_201, .normal),
      (16_202, .overstay(slowestExpectedSeconds: 16_200)),
    ] as [(Int64, SpeedVerdict)])
  func judges(seconds: Int64, verdict: SpeedVerdict) throws {
    #expect(SpeedCheck.judge(travelSeconds: seconds, on: try segment()) == verdict)
  }

  /// It is the second from which on the judgement is an overstay, whatever the numbers.
  @Test func theFirstOverstayIsTheOneThatIsJudgedSo() throws {
    var random = SplitMix64(seed: 32)
    for _ in 0..<5_000 {
      let segment = try Segment(
        name: "s", distanceKilometres: Double(Int.random(in: 100...90_000, using: &random)) / 1_000,
        minimumKilometresPerHour: Double(Int.random(in: 1...20_000, using: &random)) / 1_000,
        maximumKilometresPerHour: Double(Int.random(in: 21...90, using: &random)))
      let first = SpeedCheck.firstOverstay(on: segment)
      guard case .overstay = SpeedCheck.judge(travelSeconds: first, on: segment) else {
        Issue.record("\(first) s on \(segment) is no overstay")
        continue
      }
      if case .overstay = SpeedCheck.judge(travelSeconds: first - 1, on: segment) {
        Issue.record("\(first - 1) s on \(segment) is one already")
      }
    }
  }

  /// Whatever the true times, flooring both to seconds never makes a violation of a lawful travel.
  @Test func roundingNeverMakesAViolation() throws {
    var random = SplitMix64(seed: 31)
    for _ in 0..<20_000 {
      let segment = try Segment(
        name: "s", distanceKilometres: Double(Int.random(in: 100...90_000, using: &random)) / 1_000,
        minimumKilometresPerHour: Double(Int.random(in: 1...20, using: &random)),
        maximumKilometresPerHour: Double(Int.random(in: 21...90, using: &random)))
      let distance = Double(segment.distanceMetres) * 3_600_000
      let fastest = Int64((distance / Double(segment.maximumMetresPerHour)).rounded(.up))
      let slowest = Int64((distance / Double(segment.minimumMetresPerHour)).rounded(.down))
      let travel = Int64.random(in: fastest...slowest, using: &random)
      let entry = Int64.random(in: 0...1_000_000_000, using: &random)
      let seconds = (entry + travel) / 1_000 - entry / 1_000
      #expect(SpeedCheck.judge(travelSeconds: seconds, on: segment) == .normal)
    }
  }

  @Test func refusesNumbersThatMakeNoSense() {
    func make(_ distance: Double, _ low: Double, _ high: Double) throws(SegmentError) -> Segment {
      try Segment(
        name: "s", distanceKilometres: distance, minimumKilometresPerHour: low,
        maximumKilometresPerHour: high)
    }
    #expect(throws: SegmentError.outOfRange(.distance)) { try make(0, 10, 40) }
    #expect(throws: SegmentError.outOfRange(.distance)) { try make(.nan, 10, 40) }
    #expect(throws: SegmentError.outOfRange(.minimumSpeed)) { try make(45, -1, 40) }
    #expect(throws: SegmentError.outOfRange(.maximumSpeed)) { try make(45, 10, .infinity) }
    #expect(throws: SegmentError.minimumNotBelowMaximum) { try make(45, 40, 40) }
  }
}
