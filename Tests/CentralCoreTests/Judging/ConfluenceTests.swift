import CentralCore
import Passages
import SeededRandom
import Testing
import Time

/// Whatever comes first, what stands in the end is what the whole set comes to.
struct ConfluenceTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 40_000)

  private func story(
    _ arrivals: [JudgingWorld.Arrival], _ places: JudgedPlaces, at now: WallTime
  ) -> JudgingStory {
    JudgingStory(arrivals.observations, arrivals.corrections, places, at: now)
  }

  /// Seconds apart, minutes, quarters of an hour and hours: recognition, near pairs, far pairs.
  @Test(arguments: [7, 30, 400, 1_500, 9_000, 40_000] as [Int64])
  func afterEachArrivalItIsTheWhole(step: Int64) throws {
    let places = try samplePlaces()
    for seed in 0..<70 as Range<UInt64> {
      let world = try JudgingWorld.crowd(passages: 12, step: step, seed: seed)
      var generator = SplitMix64(seed: seed &+ 1_000)
      let arrivals = (world.arrivals + world.arrivals.prefix(5)).shuffled(using: &generator)
      var centre = IncrementalCentre(places)
      centre.now = evening
      for count in arrivals.indices {
        centre.take([arrivals[count]])
        guard count % 3 == 0 || count == arrivals.count - 1 else { continue }
        centre.tick()
        let whole = story(Array(arrivals[...count]), places, at: evening)
        let differences = JudgingStory(centre).differences(from: whole)
        #expect(differences == [], "seed \(seed), step \(step), after \(count + 1) arrivals")
        guard differences.isEmpty else { return }
      }
    }
  }

  /// The same where one post ends two segments.
  @Test(arguments: [30, 400, 1_500, 9_000, 40_000] as [Int64])
  func onARoadWithThreePostsItIsTheWhole(step: Int64) throws {
    let places = try roadPlaces()
    for seed in 0..<60 as Range<UInt64> {
      let world = try JudgingWorld.crowd(
        passages: 14, step: step, seed: seed, posts: ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "LONE"])
      var generator = SplitMix64(seed: seed &+ 2_000)
      let arrivals = world.arrivals.shuffled(using: &generator)
      var centre = IncrementalCentre(places)
      centre.now = evening
      for count in arrivals.indices {
        centre.take([arrivals[count]])
        guard count % 3 == 0 || count == arrivals.count - 1 else { continue }
        centre.tick()
        let whole = story(Array(arrivals[...count]), places, at: evening)
        let differences = JudgingStory(centre).differences(from: whole)
        #expect(differences == [], "seed \(seed), step \(step), after \(count + 1) arrivals")
        guard differences.isEmpty else { return }
      }
    }
  }

  @Test(arguments: 0..<3 as Range<UInt64>)
  func thousandsOfArrivalsByPiecesAreTheWhole(seed: UInt64) throws {
    let places = try samplePlaces()
    let world = try JudgingWorld.days(trips: 1_000, vehicles: 100, seed: seed)
    var generator = SplitMix64(seed: seed)
    let arrivals = world.arrivals.shuffled(using: &generator)
    let whole = story(arrivals, places, at: evening)
    #expect(whole.violations.count > 200)
    #expect(arrivals.count > 3_000)
    var centre = IncrementalCentre(places)
    centre.now = evening
    for arrival in arrivals { centre.take([arrival]) }
    centre.tick()
    #expect(JudgingStory(centre).differences(from: whole) == [], "seed \(seed)")
    #expect(centre.contradictions == 0)
    // Of each vehicle a few were read, not all that there are.
    #expect(centre.read / arrivals.count < 40)
  }

  /// What a store commits together it judges once, whatever the batch holds: a passage with its correction,
  /// both ends of a travel, two vehicles between which a passage moves.
  @Test(arguments: [30, 1_500, 40_000] as [Int64])
  func inBatchesItIsTheWhole(step: Int64) throws {
    let places = try samplePlaces()
    for seed in 0..<60 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      var arrivals = try JudgingWorld.crowd(passages: 25, step: step, seed: seed).arrivals
        .shuffled(using: &generator)[...]
      let whole = story(Array(arrivals), places, at: evening)
      var centre = IncrementalCentre(places)
      centre.now = evening
      while !arrivals.isEmpty {
        let batch = arrivals.prefix(Int.random(in: 1...12, using: &generator))
        centre.take(batch)
        arrivals = arrivals.dropFirst(batch.count)
      }
      centre.tick()
      #expect(JudgingStory(centre).differences(from: whole) == [], "seed \(seed), step \(step)")
    }
  }

  /// Whoever locks vehicles locks them in one order, and each once.
  @Test func vehiclesAreLockedInOneOrder() throws {
    var generator = SplitMix64(seed: 9)
    let keys = try JudgingWorld.crowd(passages: 40, step: 60, seed: 9).arrivals.observations
      .map(\.key)
    var orders: Set<[RejudgingPlan.Vehicle]> = []
    for _ in 0..<20 {
      var plan = RejudgingPlan(places: try samplePlaces())
      #expect(plan.isEmpty)
      for key in keys.shuffled(using: &generator) { plan.change(from: nil, to: key) }
      orders.insert(plan.vehicles)
    }
    #expect(orders.count == 1)
    let vehicles = try #require(orders.first)
    #expect(vehicles == vehicles.sorted())
    #expect(Set(vehicles.map { "\($0.plate) \($0.span.place.posts)" }).count == vehicles.count)
  }

  /// A row that stands is the one of its passage that was made first, and no passage is in two travels.
  @Test(arguments: [20, 45, 2_000] as [Int64])
  func rowsAreThoseMadeFirst(step: Int64) throws {
    for seed in 0..<40 as Range<UInt64> {
      let world = try JudgingWorld.crowd(passages: 20, step: step, seed: seed)
      var centre = IncrementalCentre(try samplePlaces())
      centre.take(world.arrivals)
      #expect(Set(centre.rows.keys) == Set(centre.records.keys), "seed \(seed)")
      for (record, row) in centre.rows {
        #expect(row <= record, "seed \(seed)")
        #expect(centre.rows[row] == row, "seed \(seed)")
      }
      let ends = centre.pairs.flatMap { [$0.entry, $0.exit] }
      #expect(Set(ends).count == ends.count, "seed \(seed)")
      #expect(ends.allSatisfy { centre.rows[$0] == $0 }, "seed \(seed)")
    }
  }

  /// Two posts that drain after one outage: of each vehicle the entry and the exit come at once, in either
  /// order.
  @Test func simultaneousOppositeInsertsMissNoPair() throws {
    var generator = SplitMix64(seed: 3)
    var centre = IncrementalCentre(try samplePlaces())
    for vehicle in 0..<1_000 {
      let plate = "BA1PA\(1_000 + vehicle)"
      let both = [
        try sighting(Int64(vehicle), "BNP-A", plate: plate),
        try sighting(Int64(vehicle) + 3_000, "BNP-B", plate: plate, channel: .text),
      ]
      for observation in both.shuffled(using: &generator) { centre.receive(observation) }
    }
    #expect(centre.pairs.count == 1_000)
    #expect(centre.violations.isEmpty)
  }

  /// Posts that are imported after their passages came, two posts that swap ends, another speed limit.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func whatTheDirectorySaysLaterCountsForWhatIsThere(seed: UInt64) throws {
    let world = try JudgingWorld.crowd(passages: 25, step: 900, seed: seed)
    var centre = IncrementalCentre(JudgedPlaces([], rules: JudgingRules()))
    centre.now = evening
    centre.take(world.arrivals)
    #expect(centre.pairs.isEmpty)
    let directories = [
      [try sampleRoute()], [try sampleRoute(posts: ["BNP-B", "BNP-A"])],
      [try sampleRoute(fastest: 40)], [try sampleRoute(posts: ["BNP-A", "LONE"])], [],
    ]
    for routes in directories {
      let places = JudgedPlaces(routes, rules: JudgingRules())
      centre.redirect(places)
      centre.tick()
      let whole = story(world.arrivals, places, at: evening)
      #expect(JudgingStory(centre).differences(from: whole) == [], "seed \(seed)")
    }
    #expect(centre.violations.values.allSatisfy { $0.isRetracted })
  }
}
