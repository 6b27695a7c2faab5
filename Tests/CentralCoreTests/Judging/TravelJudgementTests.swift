import CentralCore
import Passages
import Testing
import Time

struct TravelJudgementTests {
  private func judge(
    _ observations: [Observation], _ rules: JudgingRules = JudgingRules(),
    route: Route? = nil
  ) throws -> TravelJudgement {
    var records: [PassageRecord] = []
    for observation in observations {
      records.append(PassageRecord(number: Int64(records.count) + 1, first: observation))
    }
    let routes = [try route ?? sampleRoute()]
    return TravelJudgement(all: records, places: JudgedPlaces(routes, rules: rules))
  }

  private func pairs(_ judgement: TravelJudgement) -> [[Int64]] {
    judgement.travels.map { [$0.entry.row, $0.exit.row] }
  }

  /// What is judged of one vehicle on a road with three posts, as `A>B` with the segment, and who waits for whom.
  private func road(_ passages: [(String, Int64)]) throws -> (travels: [String], waiting: [String])
  {
    let records = try passages.enumerated().map { index, passage in
      PassageRecord(
        number: Int64(index) + 1, first: try sighting(passage.1, "BNP-\(passage.0)"))
    }
    let judgement = TravelJudgement(all: records, places: try roadPlaces())
    return (
      judgement.travels.map {
        "\($0.entry.place.post.code.suffix(1))>\($0.exit.place.post.code.suffix(1)) \($0.segment.name)"
      },
      judgement.waiting.map { "\($0.place.post.code.suffix(1))>\($0.opposite.code.suffix(1))" }
    )
  }

  /// The middle post ends one travel and begins the next one.
  @Test func aPassageInTheMiddlePairsOnBothSides() throws {
    let through = try road([("A", 0), ("B", 2_000), ("C", 3_500)])
    #expect(through.travels == ["A>B Banepa", "B>C Upper"] && through.waiting == [])
    let back = try road([("C", 0), ("B", 1_500), ("A", 4_000)])
    #expect(back.travels == ["C>B Upper", "B>A Banepa"])
    let beyond = try road([("A", 0), ("B", 2_000)])
    #expect(beyond.travels == ["A>B Banepa"] && beyond.waiting == ["B>C"])
    // Who turns round begins no second travel on the segment that it came over.
    let turned = try road([("A", 0), ("B", 2_000), ("A", 4_000)])
    #expect(turned.travels == ["A>B Banepa"] && turned.waiting == ["A>B"])
    // Nobody knows which way it goes: the slowest counts.
    #expect(try road([("B", 0)]).waiting == ["B>A"])
  }

  /// A vehicle that was seen at the third post in between was not on the segment all the while.
  @Test func whoWasSeenElsewhereInBetweenHasNotTravelledThere() throws {
    #expect(try road([("B", 0), ("C", 1_500), ("A", 9_000)]).travels == ["B>C Upper"])
    #expect(try road([("A", 0), ("C", 4_000)]).travels == [])
    #expect(try road([("A", 0), ("C", 3_000), ("B", 9_900)]).travels == ["C>B Upper"])
  }

  static let edges: [(Int64, SpeedVerdict)] = [
    (1_798, .speeding(fastestAllowedSeconds: 1_800)), (1_799, .normal), (1_800, .normal),
    (3_000, .normal), (5_400, .normal), (5_401, .normal),
    (5_402, .overstay(slowestExpectedSeconds: 5_400)),
  ]

  /// One second is allowed on each side, as each end is known to the second only.
  @Test(arguments: edges)
  func theToleranceIsASecond(_ seconds: Int64, _ verdict: SpeedVerdict) throws {
    for milliseconds in [0, 999] as [Int64] {
      let judgement = try judge([
        try sighting(0, milliseconds: milliseconds), try sighting(seconds, "BNP-B"),
      ])
      #expect(judgement.travels.map(\.verdict) == [verdict])
      #expect(judgement.travels.map(\.seconds) == [seconds])
      #expect(judgement.travels.map(\.doubts) == [[]])
    }
  }

  /// The vehicle was there at one of the two times: the one that is better for the driver counts.
  @Test func twoRecordsOfAnEndAreForTheDriver() throws {
    let fast = try judge([
      try sighting(0), try sighting(30), try sighting(1_780, "BNP-B"),
      try sighting(1_799, "BNP-B"),
    ])
    #expect(fast.travels.map(\.verdict) == [.normal])
    let slow = try judge([
      try sighting(0), try sighting(30), try sighting(5_410, "BNP-B"),
      try sighting(5_440, "BNP-B"),
    ])
    #expect(slow.travels.map(\.verdict) == [.normal])
    let speeding = try judge([
      try sighting(0), try sighting(30), try sighting(1_700, "BNP-B"),
    ])
    #expect(speeding.travels.map(\.verdict) == [.speeding(fastestAllowedSeconds: 1_800)])
    #expect(speeding.travels.map(\.seconds) == [1_700])
    let overstay = try judge([
      try sighting(0), try sighting(30), try sighting(6_000, "BNP-B"),
    ])
    #expect(overstay.travels.map(\.seconds) == [5_970])
  }

  @Test func aNightInTheForestIsAnOverstay() throws {
    let judgement = try judge([try sighting(0), try sighting(11 * 3_600, "BNP-B")])
    #expect(judgement.travels.map(\.verdict) == [.overstay(slowestExpectedSeconds: 5_400)])
    #expect(judgement.travels.map(\.isFar) == [true])
    #expect(judgement.travels.map(\.doubts) == [[]])
  }

  static let stays: [(Int64, [[TravelDoubt]])] = [
    (12 * 3_600, [[]]), (12 * 3_600 + 1, [[.longStay]]), (72 * 3_600, [[.longStay]]),
    (72 * 3_600 + 1, []),
  ]

  @Test(arguments: stays)
  func aLongStayIsFlaggedForAPerson(_ seconds: Int64, _ doubts: [[TravelDoubt]]) throws {
    let judgement = try judge([try sighting(0), try sighting(seconds, "BNP-B")])
    #expect(judgement.travels.map(\.doubts) == doubts)
  }

  @Test func theWindowIsThatOfTheSegment() throws {
    var rules = JudgingRules()
    try rules.setPairingWindow(of: "Banepa", to: 6 * 3_600)
    let far = [try sighting(0), try sighting(7 * 3_600, "BNP-B")]
    #expect(try judge(far, rules).travels.isEmpty)
    #expect(try judge(far).travels.count == 1)
    // Never less than a travel of which a post warns.
    let slow = try sampleRoute(kilometres: 100)
    #expect(try judge(far, rules, route: slow).travels.map(\.isFar) == [false])
  }

  /// What lies near is paired first, as a post does it; only what is left is paired further.
  @Test func nearPairsGoFirst() throws {
    let judgement = try judge([
      try sighting(0), try sighting(10 * 3_600, "BNP-B"), try sighting(10 * 3_600 + 3_000),
    ])
    #expect(pairs(judgement) == [[2, 3]])
    #expect(judgement.travels.map(\.verdict) == [.normal])
    #expect(judgement.waiting.isEmpty)
  }

  @Test func nothingIsPairedOverAPassage() throws {
    let judgement = try judge([
      try sighting(0), try sighting(20 * 3_600), try sighting(40 * 3_600, "BNP-B"),
    ])
    #expect(pairs(judgement) == [[2, 3]])
    let alternating = try judge(
      try (0..<6).map { try sighting($0 * 36_000, $0 % 2 == 0 ? "BNP-A" : "BNP-B") })
    #expect(pairs(alternating) == [[1, 2], [3, 4], [5, 6]])
  }

  @Test func theLastWithoutAnExitIsWaitedFor() throws {
    let judgement = try judge([
      try sighting(0), try sighting(3_000, "BNP-B"), try sighting(20_000, "BNP-B"),
      try sighting(20_040, "BNP-B"), try sighting(0, "LONE"),
    ])
    #expect(judgement.waiting.map(\.row) == [3])
    #expect(judgement.waiting.map(\.opposite.code) == ["BNP-A"])
    #expect(judgement.waiting.map { $0.dueAt - judgedMorning } == [20_040 + 5_402])
    #expect(judgement.waiting.map { $0.expiresAt - judgedMorning } == [20_040 + 72 * 3_600])
    // It was seen where it had entered, so it left; and one of long ago is of no use any more.
    let again = try judge([try sighting(0), try sighting(100_000)])
    #expect(again.waiting.map(\.row) == [2])
    let apart = try judge([try sighting(0), try sighting(300_000)])
    #expect(apart.waiting.map(\.row) == [1, 2])
  }

  @Test func textsOfNobodyKnownAreDoubted() throws {
    let exit = try sighting(1_000, "BNP-B")
    let alone = try judge([try sighting(0, channel: .text), exit])
    #expect(alone.travels.map(\.doubts) == [[.byTextAlone]])
    let proven = try judge([try sighting(0, channel: .text, isProven: true), exit])
    #expect(proven.travels.map(\.doubts) == [[]])
    let second = try judge([
      try sighting(0, channel: .text), try sighting(20, suffix: "9801"), exit,
    ])
    #expect(second.travels.map(\.doubts) == [[]])
  }

  static let clocks: [(Int64, Int64, [TravelDoubt])] = [
    (1_700, 30, []), (1_700, 50, [.clocks]), (3_000, 50, []), (5_500, 49, [.clocks]),
    (5_500, 40, []),
  ]

  @Test(arguments: clocks)
  func clocksThatMayBeWrongAreADoubt(
    _ seconds: Int64, _ wrong: Int64, _ doubts: [TravelDoubt]
  ) throws {
    let judgement = try judge([
      try sighting(0, clock: .within(seconds: wrong)),
      try sighting(seconds, "BNP-B", clock: .within(seconds: 50)),
    ])
    #expect(judgement.travels.map(\.doubts) == [doubts])
  }

  @Test func numbersOutOfTheWorldAreJudgedAsAnyOther() throws {
    let judgement = try judge([
      try sighting(0, clock: .within(seconds: .max)),
      try sighting(1_000, "BNP-B", clock: .within(seconds: .max)),
    ])
    #expect(judgement.travels.map(\.doubts) == [[.clocks]])
  }
}
