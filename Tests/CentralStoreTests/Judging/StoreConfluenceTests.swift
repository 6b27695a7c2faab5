import CentralCore
import Dispatch
import Foundation
import Passages
import SeededRandom
import Storage
import Synchronization
import Testing
import Time

/// Whatever comes first, in whichever batches and with whatever ends in between: what a store tells is what
/// the whole set comes to.
@Suite(.timeLimit(.minutes(30))) struct StoreConfluenceTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 40_000)

  /// Trips of a story: some hundred passages, or more where somebody asks for it.
  static let trips =
    ProcessInfo.processInfo.environment["CHECKPOST_TEST_PASSAGES"].flatMap { Int($0) }
    .map { $0 / 2 } ?? 150

  /// Stories that are told; more where somebody asks for them, and one alone by its seed.
  static let seeds: Range<UInt64> = {
    let asked = ProcessInfo.processInfo.environment
    if let seed = asked["CHECKPOST_TEST_SEED"].flatMap({ UInt64($0) }) { return seed..<seed + 1 }
    return 0..<(asked["CHECKPOST_TEST_SEEDS"].flatMap { UInt64($0) } ?? 3)
  }()

  @Test(arguments: StoreKind.divided, Self.seeds)
  func aStoryInAnyOrderIsTheWhole(_ kind: StoreKind, seed: UInt64) throws {
    let bench = try Bench(kind)
    let world = try JudgingWorld.days(
      trips: Self.trips, vehicles: max(10, Self.trips / 10), seed: seed)
    var generator = SplitMix64(seed: seed)
    let arrivals = (world.arrivals + world.arrivals.prefix(20)).shuffled(using: &generator)
    let whole = StoreStory(
      arrivals.observations, arrivals.corrections, try samplePlaces(), at: evening)
    #expect(whole.violations.count > Self.trips / 10)
    var rest = arrivals[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...60, using: &generator))
      rest = rest.dropFirst(batch.count)
      try bench.store.take(batch.map(\.arrival), at: evening)
      if Int.random(in: 0..<12, using: &generator) == 0 { try bench.reopen() }
    }
    try bench.store.tick(at: evening)
    try expect(bench.store, whole, seed)
    // Judged again from the beginning, nothing is other than it stands.
    let again = try bench.store.rejudgeAll(everything: true, limit: 7, at: evening)
    #expect(again.isEmpty, "seed \(seed): \(again)")
    try expect(bench.store, whole, seed)
  }

  /// Three posts on one road, of which the directory knows the third and its segment only after a while.
  @Test(arguments: StoreKind.divided, [400, 1_500, 9_000] as [Int64])
  func aStoryOnARoadWithThreePostsIsTheWhole(_ kind: StoreKind, step: Int64) throws {
    let bench = try Bench(kind)
    let world = try JudgingWorld.crowd(
      passages: 60, step: step, seed: UInt64(step),
      posts: ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "LONE"])
    var generator = SplitMix64(seed: UInt64(step))
    let arrivals = world.arrivals.shuffled(using: &generator)
    let whole = StoreStory(
      arrivals.observations, arrivals.corrections, try roadPlaces(), at: evening)
    #expect(Set(whole.violations.map(\.segment)).count == 2 || step < 1_000)
    var rest = arrivals[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...20, using: &generator))
      rest = rest.dropFirst(batch.count)
      try bench.store.take(batch.map(\.arrival), at: evening)
      guard rest.count < arrivals.count / 2, try bench.store.routes().count == 1 else { continue }
      try bench.put(.segment(try sampleRoute("Upper", kilometres: 12, fastest: 50).segment))
      try bench.put(
        .post(
          Post(
            code: try CheckpostCode("BNP-B"), name: "South",
            places: [
              Post.Place(segment: "Banepa", index: 1), Post.Place(segment: "Upper", index: 0),
            ]), knowing: .place))
      try bench.put(.post(try post("BNP-C", place: Post.Place(segment: "Upper", index: 1))))
      #expect(try bench.store.routes().count == 2)
      _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: evening)
    }
    try bench.store.tick(at: evening)
    try expect(bench.store, whole, UInt64(step))
    let again = try bench.store.rejudgeAll(everything: true, limit: 7, at: evening)
    #expect(again.isEmpty, "\(again)")
    try expect(bench.store, whole, UInt64(step))
  }

  private func expect(_ store: any CentralStore, _ whole: StoreStory, _ seed: UInt64) throws {
    let differences = try StoreStory(store).differences(from: whole)
    #expect(differences == [], "seed \(seed)")
  }

  /// Connections that take parts of it at the same time, as services and commands do.
  @Test(arguments: StoreKind.divided, Self.seeds)
  func aStoryOverSeveralConnectionsIsTheWhole(_ kind: StoreKind, seed: UInt64) throws {
    let bench = try Bench(kind)
    let world = try JudgingWorld.days(
      trips: Self.trips, vehicles: max(10, Self.trips / 10), seed: seed)
    var generator = SplitMix64(seed: seed &+ 900)
    let arrivals = (world.arrivals + world.arrivals.prefix(20)).shuffled(using: &generator)
    let whole = StoreStory(
      arrivals.observations, arrivals.corrections, try samplePlaces(), at: evening)
    var batches: [[PassageArrival]] = []
    var rest = arrivals[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...40, using: &generator))
      rest = rest.dropFirst(batch.count)
      batches.append(batch.map(\.arrival))
    }
    let left = Mutex(batches)
    let failures = Mutex<[String]>([])
    let place = bench.place
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do {
        let store = try place.open()
        while let batch = left.withLock({ $0.popLast() }) {
          do {
            try store.take(batch, at: evening)
          } catch let error as StorageError where error.kind == .busy {
            // Others had their turn for longer than one waits; nothing of it was done.
            left.withLock { $0.append(batch) }
          }
        }
        try store.close()
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [], "seed \(seed)")
    try bench.store.tick(at: evening)
    try expect(bench.store, whole, seed)
  }

  /// Two that corrections put at one second and post tell the same, whichever was there first.
  @Test(arguments: StoreKind.divided) func whatIsCorrectedToOnePlaceTellsTheSame(
    _ kind: StoreKind
  ) throws {
    let early = try sighting(0, ranger: "Sita", milliseconds: 111)
    let late = try sighting(
      700, suffix: "9801", ranger: "Hari", photo: "late.jpg", milliseconds: 222)
    var corrections: [ReceivedCorrection] = []
    for (index, one) in [early, late].enumerated() {
      var correction = ReceivedCorrection(
        of: one.clientID, madeAt: WallTime(epochSeconds: judgedMorning + 900))
      correction.recordedAt = index == 0 ? nil : early.recordedAt + .milliseconds(500)
      correction.vehicleType = .truck
      corrections.append(correction)
    }
    let whole = StoreStory([early, late], corrections, try samplePlaces(), at: evening)
    #expect(whole.rows == 1)
    for order in [[early, late], [late, early]] {
      let bench = try Bench(kind)
      for one in order { try bench.store.take([PassageArrival(one)], at: evening) }
      try bench.store.take(corrections.map { PassageArrival($0) }, at: evening)
      try bench.store.tick(at: evening)
      #expect(try StoreStory(bench.store).differences(from: whole) == [])
    }
  }

  /// Seconds apart, minutes, quarters of an hour and hours.
  @Test(arguments: StoreKind.all, [7, 30, 400, 1_500, 9_000, 40_000] as [Int64])
  func aCrowdInAnyOrderIsTheWhole(_ kind: StoreKind, step: Int64) throws {
    let places = try samplePlaces()
    // One after the other over a connection, each on the server's disk.
    let seeds: UInt64 = kind.testDescription == StoreKind.postgreSQL.testDescription ? 2 : 6
    for seed in 0..<seeds {
      let bench = try Bench(kind)
      let world = try JudgingWorld.crowd(passages: 14, step: step, seed: seed)
      var generator = SplitMix64(seed: seed &+ 500)
      let arrivals = (world.arrivals + world.arrivals.prefix(5)).shuffled(using: &generator)
      for count in arrivals.indices {
        try bench.store.take([arrivals[count].arrival], at: evening)
        guard count % 7 == 0 || count == arrivals.count - 1 else { continue }
        try bench.store.tick(at: evening)
        let come = Array(arrivals[...count])
        let whole = StoreStory(come.observations, come.corrections, places, at: evening)
        let differences = try StoreStory(bench.store).differences(from: whole)
        #expect(differences == [], "seed \(seed), after \(count + 1)")
        guard differences.isEmpty else { return }
      }
    }
  }

  /// Posts that are imported after their passages came, two posts that swap ends, another speed limit, a post
  /// that is moved away; each while some of it is still to be judged again, and over restarts.
  @Test(arguments: StoreKind.all, 0..<5 as Range<UInt64>)
  func theDirectoryCountsForWhatIsThere(_ kind: StoreKind, seed: UInt64) throws {
    let bench = try Bench(kind.place(), isEmpty: true)
    var generator = SplitMix64(seed: seed)
    let arrivals = try JudgingWorld.crowd(passages: 30, step: 900, seed: seed).arrivals
      .shuffled(using: &generator)
    try bench.store.take(arrivals.prefix(20).map(\.arrival), at: evening)
    try bench.store.rejudgeAll(at: evening)
    #expect(try bench.store.violations(ViolationQuery()).isEmpty)
    let (a, b) = (Post.Place(segment: "Banepa", index: 0), Post.Place(segment: "Banepa", index: 1))
    let changes: [([DirectoryEntry], [Route])] = [
      (
        [
          .segment(try banepa()), .post(try post("BNP-A", place: a)),
          .post(try post("BNP-B", place: b)),
        ], [try sampleRoute()]
      ),
      (
        [
          .post(try post("BNP-A")), .post(try post("BNP-B", place: a)),
          .post(try post("BNP-A", place: b)),
        ], [try sampleRoute(posts: ["BNP-B", "BNP-A"])]
      ),
      (
        [
          .segment(
            try Segment(
              name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
              maximumKilometresPerHour: 40))
        ], [try sampleRoute(fastest: 40)]
      ),
      (
        [.post(try post("BNP-B")), .post(try post("LONE", place: a))],
        [try sampleRoute(posts: ["BNP-A", "LONE"], fastest: 40)]
      ),
      ([.post(try post("LONE"))], []),
    ]
    var come = 20
    for (entries, routes) in changes {
      #expect(try bench.store.put(entries).allSatisfy { $0 == nil })
      _ = try bench.store.rejudge(
        rules: JudgingRules(), everything: false, limit: 1, at: evening)
      try bench.reopen()
      let more = arrivals[come..<min(come + 10, arrivals.count)]
      try bench.store.take(more.map(\.arrival), at: evening)
      come += more.count
      let rejudged = try bench.store.rejudgeAll(limit: 1, at: evening)
      #expect(rejudged.violations.allSatisfy { $0.revision.cause == .directory })
      try bench.store.tick(at: evening)
      let known = Array(arrivals[..<come])
      let whole = StoreStory(
        known.observations, known.corrections, JudgedPlaces(routes, rules: JudgingRules()),
        segments: ["BNP-A": "Banepa"], at: evening)
      try expect(bench.store, whole, seed)
    }
  }

  /// Other numbers are for what is there too; and the same numbers again cost nothing.
  @Test(arguments: StoreKind.all) func otherRulesCountForWhatIsThere(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.store.rejudgeAll(at: evening)
    let arrivals = try JudgingWorld.crowd(passages: 40, step: 3_000, seed: 5).arrivals
    try bench.store.take(arrivals.map(\.arrival), at: evening)
    var rules = JudgingRules()
    try rules.set(.rangerWindow, to: 0)
    try rules.set(.longStay, to: 3_600)
    try rules.setPairingWindow(of: "Banepa", to: 6 * 3_600)
    let changes = try bench.store.rejudgeAll(rules, limit: 1, at: evening)
    #expect(!changes.violations.isEmpty)
    #expect(changes.violations.allSatisfy { $0.revision.cause == .rules })
    try bench.store.tick(rules, at: evening)
    let whole = StoreStory(
      arrivals.observations, arrivals.corrections, try samplePlaces(rules), at: evening)
    #expect(try StoreStory(bench.store).differences(from: whole) == [])
    #expect(
      try bench.store.rejudge(rules: rules, everything: false, limit: 10, at: evening)
        == Rejudged(isDone: true))
  }
}
