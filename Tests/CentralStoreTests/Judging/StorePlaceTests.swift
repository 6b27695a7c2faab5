import CentralCore
import Passages
import SeededRandom
import Storage
import Testing
import Time

/// A post stands at an end of a segment from a moment: a passage counts for where its post stood when it was recorded.
struct StorePlaceTests {
  private static let evening = WallTime(epochSeconds: judgedMorning + 400_000)

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func found(_ bench: Bench) throws -> [String] {
    try bench.store.violations(ViolationQuery()).map { stored in
      let finding = stored.violation.finding
      return "\(finding.plate) \(finding.kind) \(finding.segment) \(finding.exit.post)"
    }.sorted()
  }

  private func take(
    _ bench: Bench, _ plate: String, _ passages: [(Int64, String)],
    channel: Observation.Channel = .upload
  ) throws {
    _ = try bench.store.take(
      try passages.map {
        PassageArrival(try sighting($0.0, $0.1, plate: plate, channel: channel))
      }, at: time(passages.map(\.0).max() ?? 0))
  }

  private func move(_ code: String, to places: [Post.Place], since second: Int64) throws -> Post {
    try post(code, place: Post.Place(segment: "Banepa", index: 1))
      .changed(to: places, since: judgedMorning + second)
  }

  @Test(arguments: StoreKind.all) func aPassageCountsForWhereItsPostStoodThen(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let upper = try sampleRoute("Upper", kilometres: 12, fastest: 50).segment
    // Too fast for Banepa before the move, across it, and after it; and too fast for the other one after it.
    try take(bench, "BA1PA1", [(0, "BNP-A"), (1_000, "BNP-B")])
    try take(bench, "BA1PA2", [(9_500, "BNP-A"), (10_500, "BNP-B")])
    try take(bench, "BA1PA3", [(20_000, "BNP-A"), (21_000, "BNP-B")])
    try take(bench, "BA1PA4", [(20_000, "LONE"), (20_500, "BNP-B")])
    let before = ["BA1PA1", "BA1PA2", "BA1PA3"].map { "\($0) speeding Banepa BNP-B" }
    #expect(try found(bench) == before)
    let moved = try move("BNP-B", to: [Post.Place(segment: "Upper", index: 1)], since: 10_000)
    let entries: [DirectoryEntry] = [
      .segment(upper), .post(moved, knowing: .place),
      .post(try post("LONE", place: Post.Place(segment: "Upper", index: 0))),
    ]
    let trial = try bench.store.trial(
      entries, rules: JudgingRules(), vehicles: 100, at: Self.evening)
    #expect(
      trial.changes.violations.map(\.revision.change).sorted { "\($0)" < "\($1)" } == [
        .made, .retracted, .retracted,
      ])
    #expect(try bench.store.put(entries).allSatisfy { $0 == nil })
    try bench.reopen()
    #expect(
      try bench.store.posts().first { $0.code.code == "BNP-B" }?.earlier == [
        EarlierPlaces(
          until: judgedMorning + 10_000, places: [Post.Place(segment: "Banepa", index: 1)])
      ])
    _ = try bench.store.rejudgeAll(everything: false, limit: 2, at: Self.evening)
    let after = ["BA1PA1 speeding Banepa BNP-B", "BA1PA4 speeding Upper BNP-B"]
    #expect(try found(bench) == after)
    // Lists tell passages under the segment of then.
    var query = PassageQuery()
    query.segment = "Banepa"
    for order in [PassageQuery.Order.newest(after: nil), .arrival(after: 0)] {
      query.order = order
      #expect(
        Set(
          try bench.store.passages(query).filter { $0.passage.checkpost.code == "BNP-B" }
            .map(\.passage.plate.compact)) == ["BA1PA1"])
    }
    #expect(
      try bench.store.passages(PassageQuery()).filter { $0.passage.checkpost.code == "BNP-B" }
        .map { "\($0.passage.plate.compact) \($0.passage.segment ?? "")" }.sorted() == [
          "BA1PA1 Banepa", "BA1PA2 Upper", "BA1PA3 Upper", "BA1PA4 Upper",
        ])
    // A text that comes late is of where its post stood when it was sent; one after the move is of the other segment.
    try take(bench, "BA1PA5", [(5_000, "BNP-A"), (6_000, "BNP-B")], channel: .text)
    try take(bench, "BA1PA6", [(15_000, "BNP-A"), (16_000, "BNP-B")], channel: .text)
    #expect(try found(bench) == (after + ["BA1PA5 speeding Banepa BNP-B"]).sorted())
    #expect(
      try bench.store.rejudgeAll(everything: true, limit: 2, at: Self.evening).isEmpty)
    // It always was so.
    let always = try post("BNP-B", place: Post.Place(segment: "Upper", index: 1))
    try bench.put(.post(always, knowing: .place))
    _ = try bench.store.rejudgeAll(everything: false, limit: 2, at: Self.evening)
    #expect(try found(bench) == ["BA1PA4 speeding Upper BNP-B"])
  }

  /// A vehicle that is inside at the moment is judged also where another post stands at the other end from then on; one
  /// that came before is waited for as long as somebody stands there.
  @Test(arguments: StoreKind.all) func anotherPostComesToStandThere(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    #expect(
      try bench.store.put([
        .post(try move("BNP-B", to: [], since: 10_000), knowing: .place),
        .post(
          try post("LONE").changed(
            to: [Post.Place(segment: "Banepa", index: 1)], since: judgedMorning + 10_000),
          knowing: .place),
      ]).allSatisfy { $0 == nil })
    try take(bench, "BA1PA1", [(9_500, "BNP-A"), (10_500, "LONE")])
    try take(bench, "BA1PA2", [(8_500, "BNP-A"), (9_500, "LONE")])
    try take(bench, "BA1PA3", [(9_500, "BNP-A"), (10_500, "BNP-B")])
    #expect(try found(bench) == ["BA1PA1 speeding Banepa LONE"])
    try take(bench, "BA1PA7", [(1_000, "BNP-A")])
    try take(bench, "BA1PA8", [(9_000, "BNP-A")])
    // Each is waited for by who stands at the other end when it is overdue.
    try bench.store.tick(at: time(15_000))
    let alerts = try bench.store.alerts(AlertQuery()).map {
      "\($0.alert.entry.place.plate) \($0.alert.entry.opposite) \($0.segment ?? "")"
    }
    #expect(
      alerts.sorted() == [
        "BA1PA2 LONE Banepa", "BA1PA3 LONE Banepa", "BA1PA7 BNP-B Banepa", "BA1PA8 LONE Banepa",
      ])
    // Nobody stands there after both have left.
    #expect(
      try bench.store.put([
        .post(
          try post("LONE").changed(
            to: [Post.Place(segment: "Banepa", index: 1)], since: judgedMorning + 10_000
          ).changed(to: [], since: judgedMorning + 20_000), knowing: .place)
      ]).allSatisfy { $0 == nil })
    _ = try bench.store.rejudgeAll(everything: false, limit: 2, at: Self.evening)
    #expect(try found(bench) == ["BA1PA1 speeding Banepa LONE"])
  }

  @Test(arguments: StoreKind.all) func confirmationsSurviveMovingAndMovingBack(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    try take(bench, "BA1PA1", [(10_000, "BNP-A"), (11_000, "BNP-B")])
    let made = try #require(try bench.store.violations(ViolationQuery()).first)
    _ = try bench.store.confirm(made.uuid, by: "Maya", rules: JudgingRules(), at: time(12_000))
    let there = try post("BNP-B", place: Post.Place(segment: "Banepa", index: 1))
    let gone = there.changed(to: [], since: judgedMorning + 5_000)
    try bench.put(.post(gone, knowing: .place))
    _ = try bench.store.rejudgeAll(everything: false, limit: 2, at: time(13_000))
    #expect(try found(bench) == [])
    let back = gone.changed(to: there.places, since: judgedMorning + 5_000)
    #expect(back == there)
    try bench.put(.post(back, knowing: .place))
    _ = try bench.store.rejudgeAll(everything: false, limit: 2, at: time(14_000))
    let again = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(again.violation.confirmedAt == time(12_000))
    #expect(again.confirmedBy == "Maya")
  }

  /// Two posts never stand at one end at the same time, whenever that was.
  @Test(arguments: StoreKind.all) func anEndThatWasTakenIsRefused(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let end = Post.Place(segment: "Banepa", index: 1)
    try bench.put(.post(try move("BNP-B", to: [], since: 10_000), knowing: .place))
    let before = try bench.store.posts()
    let early = try post("LONE").changed(to: [end], since: judgedMorning + 9_999)
    #expect(try bench.store.put([.post(early, knowing: .place)]) == [.endTaken])
    #expect(try bench.store.posts() == before)
    let later = try post("LONE").changed(to: [end], since: judgedMorning + 10_000)
    try bench.put(.post(later, knowing: .place))
    #expect(try bench.store.posts().first { $0.code.code == "LONE" } == later)
  }

  /// Whatever comes first and wherever posts stood when, what a store tells is what the whole set comes to.
  @Test(arguments: StoreKind.divided, 0..<6 as Range<UInt64>)
  func aStoryWithMovedPostsIsTheWhole(_ kind: StoreKind, seed: UInt64) throws {
    let bench = try Bench(kind.place(), isEmpty: true)
    var generator = SplitMix64(seed: seed)
    let step = [400, 1_500, 9_000][Int(seed % 3)] as Int64
    let world = try JudgingWorld.crowd(
      passages: 60, step: step, seed: seed, posts: ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "LONE"])
    let arrivals = world.arrivals.shuffled(using: &generator)
    let segments = [
      try sampleRoute().segment, try sampleRoute("Upper", kilometres: 12, fastest: 50).segment,
    ]
    var posts = try PlaceHistories.random(from: 0, to: step * 30, &generator)
    #expect(
      try bench.store.put(segments.map { .segment($0) } + posts.map { .post($0) })
        .allSatisfy { $0 == nil })
    var rest = arrivals[...]
    var isOther = false
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...20, using: &generator))
      rest = rest.dropFirst(batch.count)
      try bench.store.take(batch.map(\.arrival), at: Self.evening)
      guard !isOther, rest.count < arrivals.count / 2 else { continue }
      isOther = true
      posts = try PlaceHistories.random(from: 0, to: step * 30, &generator)
      #expect(try bench.store.put(posts.map { .post($0) }).allSatisfy { $0 == nil })
      #expect(Set(try bench.store.routes()) == Set(Route.between(posts, on: segments)))
      _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: Self.evening)
    }
    try bench.store.tick(at: Self.evening)
    let whole = StoreStory(
      arrivals.observations, arrivals.corrections,
      JudgedPlaces(Route.between(posts, on: segments), rules: JudgingRules()),
      shown: Dictionary(uniqueKeysWithValues: posts.map { ($0.code, $0) }), at: Self.evening)
    #expect(try StoreStory(bench.store).differences(from: whole) == [], "seed \(seed)")
    let again = try bench.store.rejudgeAll(everything: true, limit: 7, at: Self.evening)
    #expect(again.isEmpty, "seed \(seed): \(again)")
  }
}

/// Where posts stood, by chance.
enum PlaceHistories {
  /// Posts at the ends of two segments, which others come to stand at up to three times.
  static func random(
    from: Int64, to: Int64, _ generator: inout SplitMix64
  ) throws -> [Post] {
    let codes = ["BNP-A", "BNP-B", "BNP-C", "LONE"]
    var versions: [(until: Int64, places: [String: [Post.Place]])] = []
    for number in 0..<Int.random(in: 2...4, using: &generator) {
      var places: [String: [Post.Place]] = [:]
      for segment in ["Banepa", "Upper"] {
        let ends = codes.shuffled(using: &generator).prefix(2)
        for (index, code) in ends.enumerated()
        where Int.random(in: 0..<6, using: &generator) > 0 {
          places[code, default: []].append(Post.Place(segment: segment, index: index))
        }
      }
      let until =
        number == 0 ? Int64.max : judgedMorning + Int64.random(in: from...to, using: &generator)
      versions.append((until, places))
    }
    versions.sort { $0.until < $1.until }
    return try codes.map { code in
      var post = try post(code)
      var earlier: [EarlierPlaces] = []
      for version in versions {
        let places = (version.places[code] ?? []).sorted()
        if earlier.last?.places == places { earlier.removeLast() }
        earlier.append(EarlierPlaces(until: version.until, places: places))
      }
      post.places = earlier.removeLast().places
      post.earlier = earlier
      return post
    }
  }
}
