import CentralCore
import Passages
import Testing
import Time

/// Posts, segments and rangers, and what is looked up by them.
struct DirectoryTests {
  @Test(arguments: StoreKind.all) func whatIsPutInAgainIsChanged(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.put(
      .segment(
        try Segment(
          name: "Banepa", distanceKilometres: 31.5, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 50)))
    let segments = try bench.store.segments()
    #expect(segments.count == 1)
    #expect(segments.first?.distanceMetres == 31_500)
    #expect(segments.first?.maximumMetresPerHour == 50_000)
    #expect(segments.first?.minimumMetresPerHour == 10_000)
    try bench.put(
      .post(
        Post(
          code: try CheckpostCode("BNP-A"), name: "Renamed",
          place: Post.Place(segment: "Banepa", index: 0), phone: try number("9801234567"))))
    let post = try #require(try bench.store.posts().first)
    #expect(post.name == "Renamed")
    #expect(post.phone?.digits == "9779801234567")
    #expect(try bench.store.overview().posts == 2)
  }

  @Test(arguments: StoreKind.all) func twoPostsCannotStandAtOneEnd(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let third = try post("THIRD", place: Post.Place(segment: "Banepa", index: 1))
    #expect(try bench.store.put([.post(third)]) == [.endTaken])
    #expect(try bench.store.posts().count == 2)
  }

  @Test(arguments: StoreKind.all)
  func aPostOfASegmentThatIsNotThereIsRefused(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let lost = try post("NEW", place: Post.Place(segment: "Nowhere", index: 0))
    let nobody = try ranger("Nobody", "+9779800000001", "NEW")
    #expect(
      try bench.store.put([.post(lost), .ranger(nobody)])
        == [.unknownReference, .unknownReference])
    #expect(try bench.store.posts().count == 2)
    #expect(try bench.store.overview().rangers == 1)
  }

  @Test(arguments: StoreKind.all) func whatCannotStandLeavesTheOthersAlone(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    let entries: [DirectoryEntry] = [
      .post(try post("NEW")), .post(try post("LOST", place: Post.Place(segment: "X", index: 0))),
      .ranger(try ranger("Hari", "+9779800000002", "NEW")),
      .ranger(try ranger("Nobody", "+9779800000003", "LOST")),
    ]
    #expect(
      try bench.store.put(entries) == [nil, .unknownReference, nil, .unknownReference])
    #expect(try bench.store.posts().map(\.code.code) == ["BNP-A", "BNP-B", "NEW"])
    #expect(try bench.store.overview().rangers == 2)
    #expect(try bench.store.put([]) == [])
  }

  @Test(arguments: StoreKind.all) func whatIsNotKnownOfAPostStays(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.put(
      .post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0), phone: "9801234567")))
    try bench.put(.post(try post("BNP-A"), knowing: []))
    #expect(try bench.store.posts().first?.place?.segment == "Banepa")
    try bench.put(.post(try post("BNP-A"), knowing: .place))
    let after = try #require(try bench.store.posts().first)
    #expect(after.place == nil)
    #expect(after.phone?.digits == "9779801234567")
    try bench.put(.post(try post("BNP-A"), knowing: .phone))
    #expect(try bench.store.posts().first?.phone == nil)
  }

  @Test(arguments: StoreKind.all) func aRouteNeedsBothItsPosts(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    #expect(try bench.store.routes().map { $0.posts.map(\.code) } == [["BNP-A", "BNP-B"]])
    try bench.put(
      .segment(
        try Segment(
          name: "Half", distanceKilometres: 5, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 50)))
    try bench.put(.post(try post("HALF-B", place: Post.Place(segment: "Half", index: 1))))
    #expect(try bench.store.routes().map(\.segment.name) == ["Banepa"])
  }

  @Test(arguments: StoreKind.all) func aRangerWhoMovesSpeaksForTheNewPost(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.put(.ranger(try ranger("Sita", "9841114567", "BNP-B")))
    #expect(try bench.store.overview().rangers == 1)
    try bench.receive(text(0), id: "SM1")
    #expect(try bench.store.inboxItem(1)?.reason == "sender")
    try bench.receive(text(0, post: "BNP-B"), id: "SM2")
    #expect(try bench.store.inboxItem(2)?.state == .decoded)
  }

  /// Of a text only the last digits are known: they mean who served there when the vehicle passed.
  @Test(arguments: StoreKind.all) func whatWasWrittenDownStaysThatRangers(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    func people() throws -> [String?] {
      try bench.store.passages(PassageQuery()).sorted { $0.id < $1.id }.map(\.passage.ranger)
    }
    bench.rules.ingress = .open
    let post = "+9779800000009"
    try bench.receive(text(0), id: "SM1", from: post)
    try bench.receive("V1|BNP-B|BA1PA1|CAR|1709120000|4567", id: "SM2", from: post)
    #expect(try people() == ["Sita", nil])
    try bench.put(.ranger(try ranger("Sita", "+9779841114567", "BNP-B")))
    #expect(try people() == ["Sita", "Sita"])
    // Somebody new has the same digits.
    try bench.put(.ranger(try ranger("Maya", "+9779851114567", "BNP-A")))
    try bench.put(.ranger(try ranger("Gita", "+9779861114567", "BNP-B")))
    try bench.reopen()
    #expect(try people() == ["Sita", "Sita"])
    // Whoever served there for long is told with the day.
    let long = WallTime(epochSeconds: 1_600_000_000)
    try bench.put(.ranger(try ranger("Maya", "+9779851114567", "BNP-A"), since: long))
    #expect(try people() == [nil, "Sita"])
    try bench.put(
      .ranger(
        try ranger("Sita", "+9779841114567", "BNP-B"),
        since: WallTime(epochSeconds: 1_500_000_000)))
    #expect(try people() == ["Maya", "Sita"])
    #expect(try bench.store.rangers().map(\.checkpost.code) == ["BNP-B", "BNP-A", "BNP-B"])
    let all = try bench.store.assignments()
    #expect(
      all.map { "\($0.phone.digits.prefix(6)) \($0.post)" }
        == ["977984 BNP-A", "977984 BNP-B", "977985 BNP-A", "977986 BNP-B"])
    #expect(all.map(\.until) == [WallTime(epochSeconds: 1_500_000_000), nil, nil, nil])
    #expect(all.map(\.since).prefix(3) == [nil, WallTime(epochSeconds: 1_500_000_000), long])
  }

  @Test(arguments: StoreKind.all) func whereARangerServedBeforeIsListed(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let moved = WallTime(epochSeconds: 1_709_000_000)
    try bench.put(.ranger(try ranger("Sita", "+9779841114567", "BNP-B"), since: moved))
    let all = try bench.store.assignments()
    #expect(all.map(\.post.code) == ["BNP-A", "BNP-B"])
    #expect(all.map(\.since) == [nil, moved])
    #expect(all.map(\.until) == [moved, nil])
  }

  /// Two whom one file names may both have been there before.
  @Test(arguments: StoreKind.all) func rangersWhoComeTogetherTakeNothingFromEachOther(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-A|BA1PA1|CAR|1709120000|9801", id: "SM1", from: "+9779800000009")
    try bench.receive("V1|BNP-A|BA1PA2|CAR|1709120000|9801", id: "SM2", from: "+9779800009801")
    let refusals = try bench.store.put([
      .ranger(try ranger("Hari", "+9779811119801", "BNP-A")),
      .ranger(try ranger("Gita", "+9779800009801", "BNP-A")),
    ])
    #expect(refusals == [nil, nil])
    let found = try bench.store.passages(PassageQuery()).sorted { $0.id < $1.id }
    #expect(found.map(\.passage.ranger) == [nil, "Gita"])
  }

  @Test(arguments: StoreKind.all) func travelsAreFoundAmongWhatIsStored(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    // The exit comes in before the entry.
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121000|0000", id: "SM1")
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM2")
    try bench.receive("V1|BNP-A|BA1PA9999|CAR|1709120000|4567", id: "SM3")
    let travels = try bench.store.travels()
    #expect(travels.map(\.seconds) == [1_000])
    #expect(travels.first?.verdict == .speeding(fastestAllowedSeconds: 1_800))
    #expect(try bench.store.travels(since: WallTime(epochSeconds: 1_709_120_500)).isEmpty)
  }

  /// Of an exit that two rangers wrote down, what is better for the driver counts.
  @Test(arguments: StoreKind.all) func aTravelIsWhatItWasJudged(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM1")
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121790|0000", id: "SM2")
    #expect(
      try bench.store.travels().map(\.verdict) == [.speeding(fastestAllowedSeconds: 1_800)])
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121830|9801", id: "SM3")
    #expect(try bench.store.violations(ViolationQuery()).isEmpty)
    #expect(try bench.store.travels().map(\.verdict) == [.normal])
  }

  @Test(arguments: StoreKind.all) func passagesAreFoundByPostPlateAndTime(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    for index in 0..<6 {
      try bench.receive(text(index), id: "SM\(index)")
    }
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-B|KO2KHA77|BUS|1709121000|0000", id: "SM9")
    var query = PassageQuery()
    query.plate = "KO2KHA77"
    #expect(try bench.store.passages(query).map(\.passage.vehicleType) == [.bus])
    query = PassageQuery()
    query.checkpost = try CheckpostCode("BNP-A")
    #expect(try bench.store.passages(query).count == 6)
    query.since = WallTime(epochSeconds: 1_709_120_004)
    #expect(try bench.store.passages(query).count == 2)
    query = PassageQuery()
    query.limit = 4
    let page = try bench.store.passages(query)
    query.afterID = try #require(page.last?.id)
    #expect(try bench.store.passages(query).count == 3)
  }

  /// What the deployed tables have no room for, no store takes, and it is said why.
  @Test(arguments: StoreKind.all) func aSegmentThatIsTooLongOrTooFastIsRefused(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    for (numbers, word) in [
      ((10_000.0, 20.0, 60.0), "distance_km"), ((30, 20, 1_000), "max_speed_kmh"),
      ((9_000, 0.05, 60), "999999 minutes"), ((0.004, 20, 60), "distance_km"),
    ] {
      let segment = try Segment(
        name: "Long", distanceKilometres: numbers.0, minimumKilometresPerHour: numbers.1,
        maximumKilometresPerHour: numbers.2)
      let refusals = try bench.store.put([
        .segment(segment),
        .post(try post("NEW", place: Post.Place(segment: "Long", index: 0))),
      ])
      guard case .rule(let words)? = refusals[0] else {
        Issue.record("\(numbers) was taken")
        continue
      }
      #expect(words.contains(word))
      #expect(refusals[1] == .unknownReference)
    }
    let longest = try Segment(
      name: "Long", distanceKilometres: 9_999.99, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 999.99)
    #expect(try bench.store.put([.segment(longest)]) == [nil])
    #expect(try bench.store.segments().map(\.name) == ["Banepa", "Long"])
  }

  @Test(arguments: StoreKind.all) func twoPostsChangePlacesAtOnce(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let swapped = try bench.store.put([
      .post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 1)), knowing: .place),
      .post(try post("BNP-B", place: Post.Place(segment: "Banepa", index: 0)), knowing: .place),
    ])
    #expect(swapped == [nil, nil])
    #expect(try bench.store.posts().map { $0.place?.index } == [1, 0])
    #expect(try bench.store.routes().map { $0.posts.map(\.code) } == [["BNP-B", "BNP-A"]])
    let half = try bench.store.put([
      .post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0)), knowing: .place)
    ])
    #expect(half == [.endTaken])
    #expect(try bench.store.posts().map { $0.place?.index } == [1, 0])
  }

  @Test(arguments: StoreKind.all) func aNumberSpeaksWithinItsDates(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    var binding = SenderBinding(
      number: try number("9800000009"), post: try CheckpostCode("BNP-A"), validFrom: bench.wall)
    try bench.put(.number(binding))
    try bench.reopen()
    #expect(try bench.store.numbers() == [binding])
    #expect(try bench.store.rangers().map(\.name) == ["Sita"])
    try bench.receive(text(0), id: "SM1", from: "+9779800000009")
    #expect(try bench.store.inboxItem(1)?.state == .decoded)
    binding.validUntil = bench.wall
    binding.validFrom = nil
    try bench.put(.number(binding))
    #expect(try bench.store.numbers() == [binding])
    try bench.receive(text(1), id: "SM2", from: "+9779800000009")
    #expect(try bench.store.inboxItem(2)?.reason == "sender")
    let stranger = SenderBinding(number: binding.number, post: try CheckpostCode("NOWHERE"))
    #expect(try bench.store.put([.number(stranger)]) == [.unknownReference])
  }
}
