import Passages
import SeededRandom
import Testing
import Time

struct PairingTests {
  /// 30 km between 20 and 60 km/h: from half an hour to an hour and a half.
  func route() throws -> Route {
    Route(
      segment: try Segment(
        name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 60),
      posts: [try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B")])
  }

  func pairs(_ passages: [Passage]) throws -> [Travel] {
    Pairing.pairs(passages: passages, segments: [try route()])
  }

  let morning: Int64 = 1_709_100_000

  /// The last normal ones on both sides lie within the second of tolerance.
  static let judged: [(Int64, SpeedVerdict)] = [
    (3_000, .normal), (1_800, .normal), (5_400, .normal), (1_799, .normal), (5_401, .normal),
    (1_798, .speeding(fastestAllowedSeconds: 1_800)),
    (5_402, .overstay(slowestExpectedSeconds: 5_400)),
  ]

  @Test(arguments: judged)
  func aTravelIsJudged(_ seconds: Int64, _ verdict: SpeedVerdict) throws {
    let entry = try samplePassage("BA1PA1234", "BNP-A", morning)
    let exit = try samplePassage("BA1PA1234", "BNP-B", morning + seconds)
    let travels = try pairs([entry, exit])
    #expect(travels.count == 1)
    #expect(travels.first?.entry == entry)
    #expect(travels.first?.exit == exit)
    #expect(travels.first?.seconds == seconds)
    #expect(travels.first?.verdict == verdict)
  }

  @Test func bothDirectionsAreTravels() throws {
    let travels = try pairs([
      try samplePassage("BA1PA1234", "BNP-B", morning),
      try samplePassage("BA1PA1234", "BNP-A", morning + 3_000),
      try samplePassage("BA1PA1234", "BNP-A", morning + 9_000),
      try samplePassage("BA1PA1234", "BNP-B", morning + 12_000),
    ])
    #expect(travels.map(\.seconds) == [3_000, 3_000])
  }

  @Test func whatIsNearerIsPaired() throws {
    // Two rangers recorded the entry, twelve seconds apart.
    let travels = try pairs([
      try samplePassage("BA1PA1234", "BNP-A", morning),
      try samplePassage("BA1PA1234", "BNP-A", morning + 12),
      try samplePassage("BA1PA1234", "BNP-B", morning + 3_000),
    ])
    #expect(travels.map(\.entry.recordedAt.epochSeconds) == [morning + 12])
  }

  @Test func aLostPassageInTheMorningMakesNoOverstayInTheEvening() throws {
    let travels = try pairs([
      try samplePassage("BA1PA1234", "BNP-A", morning),
      try samplePassage("BA1PA1234", "BNP-B", morning + 10 * 3_600),
      try samplePassage("BA1PA1234", "BNP-A", morning + 10 * 3_600 + 3_000),
    ])
    #expect(travels.map(\.seconds) == [3_000])
    #expect(travels.map(\.verdict) == [.normal])
  }

  @Test func othersAreNotMixedIn() throws {
    #expect(
      try pairs([
        try samplePassage("BA1PA1234", "BNP-A", morning),
        try samplePassage("BA1PA1235", "BNP-B", morning + 3_000),
        try samplePassage("BA1PA1234", "LONE", morning + 3_000),
      ]).isEmpty)
  }

  @Test func segmentsAreKeptApart() throws {
    let other = Route(
      segment: try Segment(
        name: "Other", distanceKilometres: 10, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 60), posts: [try CheckpostCode("X-A"), try CheckpostCode("X-B")])
    let travels = Pairing.pairs(
      passages: [
        try samplePassage("BA1PA1234", "BNP-A", morning),
        try samplePassage("BA1PA1234", "X-B", morning + 100),
        try samplePassage("BA1PA1234", "BNP-B", morning + 3_000),
        try samplePassage("BA1PA1234", "X-A", morning + 900),
      ], segments: [try route(), other])
    #expect(travels.map(\.segment.name) == ["Banepa", "Other"])
    #expect(travels.map(\.seconds) == [3_000, 800])
  }

  @Test func aVerySlowSegmentIsWaitedForLonger() throws {
    let slow = Route(
      segment: try Segment(
        name: "Long", distanceKilometres: 100, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 60),
      posts: [try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B")])
    let passages = [
      try samplePassage("BA1PA1234", "BNP-A", morning),
      try samplePassage("BA1PA1234", "BNP-B", morning + 9 * 3_600),
    ]
    #expect(Pairing.pairs(passages: passages, segments: [slow]).count == 1)
    #expect(try pairs(passages).isEmpty)
  }

  /// Whatever the passages: the order in which they come changes nothing, and no passage is in two
  /// travels.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func theSetAloneDecides(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var passages: [Passage] = []
    var known: Set<ClientID> = []
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let passage = try samplePassage(
        ["BA1PA1", "BA1PA2", "BA1PA3"].randomElement(using: &generator) ?? "BA1PA1",
        ["BNP-A", "BNP-B", "LONE"].randomElement(using: &generator) ?? "LONE",
        morning + Int64.random(in: 0...30_000, using: &generator))
      if known.insert(passage.clientID).inserted { passages.append(passage) }
    }
    let travels = try pairs(passages)
    let shuffled = try pairs(passages.shuffled(using: &generator))
    #expect(travels == shuffled, "seed \(seed)")
    let used = travels.flatMap { [$0.entry.clientID, $0.exit.clientID] }
    #expect(Set(used).count == used.count, "seed \(seed)")
    for travel in travels {
      #expect(travel.entry.plate == travel.exit.plate, "seed \(seed)")
      #expect(travel.entry.checkpost != travel.exit.checkpost, "seed \(seed)")
      #expect(travel.seconds >= 0, "seed \(seed)")
    }
    #expect(travels.map(\.entry.recordedAt).sorted() == travels.map(\.entry.recordedAt))
  }
}

func samplePassage(_ plate: String, _ post: String, _ second: Int64) throws -> Passage {
  Passage(
    received: try V1Message(
      checkpost: try CheckpostCode(post), plate: try Plate(plate), vehicleType: .car,
      recordedEpoch: second, suffix: .unknown))
}
