import CentralCore
import Passages
import SeededRandom
import Testing
import Time

struct RecognitionTests {
  private func centre(_ observations: [Observation], rules: JudgingRules = JudgingRules()) throws
    -> IncrementalCentre
  {
    var centre = IncrementalCentre(try samplePlaces(rules))
    for observation in observations { centre.receive(observation) }
    return centre
  }

  private func random(_ number: UInt64) -> ClientID { ClientID(random: number, 1) }

  @Test func aTextAndAnUploadAreOnePassage() throws {
    let text = try sighting(0, plate: "BA1PA1234", channel: .text, received: 60)
    let upload = try sighting(
      0, plate: "बा १ प १२३४", identity: random(7), ranger: "Sita", photo: "a.jpg",
      received: 9_000, milliseconds: 412)
    for order in [[text, upload], [upload, text], [text, upload, text, upload]] {
      let centre = try centre(order)
      #expect(centre.records.count == 1)
      let content = try #require(centre.records[1]?.content)
      #expect(content.plate == upload.plate.compact)
      #expect(content.rawPlate == "बा १ प १२३४")
      #expect(content.rangers == ["Sita"])
      #expect(content.photoPath == "a.jpg")
      #expect(content.channels == [.upload, .text])
      #expect(content.recordedAt == upload.recordedAt)
      #expect(content.firstReceivedAt == text.receivedAt)
      #expect(content.isProven)
      #expect(!content.isTextAlone)
      #expect(content.contradictions == [])
      #expect(
        centre.records[1]?.identities == [text.clientID, upload.clientID].sorted())
    }
  }

  @Test func whatIsKnownOfAReportIsSaid() throws {
    let first = try sighting(0, identity: random(1))
    let record = PassageRecord(number: 5, first: first)
    let alias = try sighting(0, identity: random(2))
    let forged = try sighting(0, plate: "BA1PA9999", identity: random(1))
    #expect(Reception(first, identified: nil, alike: nil) == .new)
    #expect(Reception(first, identified: record, alike: record) == .known(5))
    #expect(Reception(alias, identified: nil, alike: record) == .alias(of: 5))
    #expect(Reception(forged, identified: record, alike: nil) == .contradiction(of: 5))
  }

  /// Nothing is changed and nothing linked, and a person is told.
  @Test func anotherPassageUnderAKnownIdentityChangesNothing() throws {
    let entry = try sighting(0, identity: random(1))
    let exit = try sighting(1_000, "BNP-B")
    var centre = try centre([entry, exit])
    let before = JudgingStory(centre)
    #expect(centre.violations[1]?.finding.doubts == [])
    for forged in [
      try sighting(-3_000, identity: random(1)), try sighting(0, "BNP-B", identity: random(1)),
      try sighting(0, plate: "BA1PA9999", identity: random(1)),
    ] {
      #expect(centre.receive(forged) == .contradiction(of: 1))
    }
    #expect(JudgingStory(centre).pairs == before.pairs)
    #expect(centre.records.count == 2)
    #expect(centre.records[1]?.observations == [entry])
    #expect(centre.records[1]?.content.contradictions == [.identity])
    #expect(centre.contradictions == 1)
    #expect(centre.violations[1]?.finding.doubts == [.contradicted])
    #expect(centre.revisions.map(\.change) == [.made, .changed])
  }

  @Test func whatReportsDifferInIsFlaggedAndTheBetterFoundedCounts() throws {
    let text = try sighting(0, type: .truck, channel: .text)
    let upload = try sighting(0, type: .bus, identity: random(1), photo: "a.jpg")
    let second = try sighting(0, type: .bus, identity: random(2), photo: "b.jpg", received: 50)
    for order in [[text, upload, second], [second, text, upload], [upload, second, text]] {
      let content = try #require(try centre(order).records[1]?.content)
      #expect(content.vehicleType == .bus)
      #expect(content.photoPath == "a.jpg")
      #expect(content.contradictions == [.vehicleType, .photo])
    }
    // V1 cannot say a pickup, and the server's database no tractor: the one that says more is right.
    let vague = try sighting(0, type: .other, identity: random(3))
    let tractor = try sighting(0, type: .tractor, channel: .text)
    let content = try #require(try centre([vague, tractor]).records[1]?.content)
    #expect(content.vehicleType == .tractor)
    #expect(content.contradictions == [])
  }

  @Test(arguments: [(0, 1), (59, 1), (60, 1), (61, 2), (120, 2)] as [(Int64, Int)])
  func twoRangersWithinAMinuteSawOneVehicle(_ apart: Int64, _ passages: Int) throws {
    let centre = try centre([
      try sighting(0, suffix: "4567"), try sighting(apart, suffix: "9801"),
    ])
    #expect(Set(centre.rows.values).count == passages)
  }

  /// The window begins with the first record, so it is no chain, however many follow each other.
  @Test func theWindowIsNotChained() throws {
    let seconds: [Int64] = [0, 50, 100, 150, 200]
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20 {
      let observations = try seconds.shuffled(using: &generator).map { try sighting($0) }
      let story = JudgingStory(try centre(observations))
      let groups = story.passages.keys.map { $0.map { $0.second - judgedMorning } }
      #expect(Set(groups) == [[0, 50], [100, 150], [200]])
    }
  }

  /// Where an earlier record comes late, one that was another name of a row is a row again.
  @Test func aRetiredRowStandsAgain() throws {
    var centre = try centre([try sighting(50), try sighting(100)])
    #expect(centre.rows == [1: 1, 2: 1])
    centre.receive(try sighting(0))
    #expect(centre.rows == [1: 1, 2: 2, 3: 1])
    let passages = PassageRecognition.passages(of: Array(centre.records.values)) { _ in 60 }
    #expect(passages.map(\.row) == [1, 2])
    #expect(passages.map(\.retired) == [[3], []])
    #expect(passages.map { $0.earliest - judgedMorning } == [0, 100])
    #expect(passages.map { $0.latest - judgedMorning } == [50, 100])
  }

  @Test func theWindowIsNoLongerThanTheShortestTravel() throws {
    // 300 m at 60 km/h: 18 seconds.
    let place = JudgedPlace(try sampleRoute(kilometres: 0.3), rules: JudgingRules())
    #expect(place.rangerWindow == 18)
    #expect(JudgedPlace(try sampleRoute(), rules: JudgingRules()).rangerWindow == 60)
    #expect(JudgedPlace(alone: try CheckpostCode("X"), rules: JudgingRules()).rangerWindow == 60)
    var rules = JudgingRules()
    try rules.set(.rangerWindow, to: 10)
    #expect(JudgedPlace(try sampleRoute(), rules: rules).rangerWindow == 10)
  }

  @Test func othersAreNotRecognisedAsTheSame() throws {
    let centre = try centre([
      try sighting(0), try sighting(0, plate: "BA1PA1235"), try sighting(0, "BNP-B"),
      try sighting(0, "LONE"),
    ])
    #expect(Set(centre.rows.values).count == 4)
  }

  @Test func whatHasNoTimeIsKeptAndNotJudged() throws {
    let centre = try centre([
      try sighting(0, clock: .unset), try sighting(30, suffix: "9801"),
      try sighting(3_000, "BNP-B"),
    ])
    #expect(Set(centre.rows.values).count == 3)
    #expect(centre.pairs == [PassagePair(entry: 2, exit: 3)])
    let all = PassageRecognition.passages(of: Array(centre.records.values)) { _ in 60 }
    #expect(all.map(\.row) == [1, 2, 3])
    #expect(all.map(\.isDated) == [false, true, true])
    // A report of the same content from a clock that is right dates it; not one that anybody may have sent.
    var dated = centre
    dated.receive(try sighting(0, suffix: "1111", channel: .text))
    #expect(dated.pairs == centre.pairs)
    dated.receive(try sighting(0, channel: .text, isProven: true))
    #expect(Set(dated.rows.values) == [1, 3])
    #expect(dated.pairs == [PassagePair(entry: 1, exit: 3)])
  }
}
