import CentralCore
import Passages
import SeededRandom
import Storage
import Testing
import Time

/// Texts of a number that anybody can forge take nothing back of what is proven; what does, says so.
@Suite(.timeLimit(.minutes(30))) struct StoreProvenTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 400_000)
  private let begin: Int64 = 1_709_090_000

  private func seen(
    _ second: Int64, _ post: String, channel: Observation.Channel = .upload, suffix: String = "4567"
  ) throws -> PassageArrival {
    PassageArrival(
      try sighting(
        begin + second - judgedMorning, post, suffix: suffix, channel: channel,
        isProven: channel != .text))
  }

  /// A text of a number that is bound to its post, which anybody can forge.
  private func receive(
    _ second: Int64, _ post: String, in bench: Bench
  ) throws -> [ProcessedMessage] {
    let isFar = post == "BNP-B"
    if isFar { try bench.put(.ranger(try ranger("Hari", "+9779841119801", post))) }
    return try bench.receive(
      "V1|\(post)|BA1PA1234|CAR|\(begin + second)|4567", id: "forged",
      from: isFar ? "+9779841119801" : "+9779841114567")
  }

  private func report(_ bench: Bench, _ posts: [String], through second: Int64) throws {
    for post in posts {
      let code = try CheckpostCode(post)
      let wall = bench.wall
      let through = begin + second
      _ = try bench.store.transaction { inbox throws(StorageError) in
        try inbox.report(
          code, through: through, receivedAt: wall, rules: JudgingRules(), at: wall)
      }
    }
  }

  private func only(_ bench: Bench) throws -> StoredViolation {
    var query = ViolationQuery()
    query.standing = .all
    let all = try bench.store.violations(query)
    #expect(all.count == 1)
    return try #require(all.first)
  }

  static let seconds: [(Int64, Int64, String)] = [
    // Of an overstay and of a speeding: in between at the far post, right before the exit, right before the entry.
    (10_000, 3_000, "BNP-B"), (10_000, 9_000, "BNP-A"), (1_200, 1_100, "BNP-B"),
    (10_000, 9_939, "BNP-B"), (1_770, -50, "BNP-A"), (5_420, 30, "BNP-A"),
  ]

  /// Two uploads, both posts report past them, an officer confirms, and then comes one text.
  @Test(arguments: StoreKind.all, seconds) func oneTextTakesNothingBack(
    _ kind: StoreKind, _ story: (stay: Int64, told: Int64, post: String)
  ) throws {
    let bench = try Bench(kind)
    try bench.store.take(
      [try seen(0, "BNP-A"), try seen(story.stay, "BNP-B")], at: bench.wall)
    try report(bench, ["BNP-A", "BNP-B"], through: story.stay + 400)
    let before = try only(bench)
    #expect(before.violation.finality == .reported)
    _ = try #require(
      try bench.store.confirm(before.uuid, by: "Sita", rules: JudgingRules(), at: bench.wall))
    let rows = try bench.store.passages(PassageQuery()).map(\.passage.recordedAt)

    let processed = try receive(story.told, story.post, in: bench)
    let number = try #require(processed.first?.id)
    let after = try only(bench)
    #expect(!after.violation.isRetracted)
    #expect(after.violation.finality == .reported)
    #expect(after.violation.confirmedAt != nil)
    #expect(after.violation.changedFinalAt == nil)
    #expect(after.violation.finding.doubts == [.contradictedByText])
    var finding = after.violation.finding
    finding.doubts = []
    #expect(finding == before.violation.finding)
    #expect(
      Array(try bench.store.passages(PassageQuery()).map(\.passage.recordedAt).prefix(2)) == rows)
    try bench.store.tick(at: bench.wall)
    #expect(try bench.store.alerts(AlertQuery()).isEmpty)
    let evidence = try #require(try bench.store.violation(after.uuid))
    #expect(evidence.contradicting == [number])
    #expect(evidence.revisions.last?.change == .changed)
    #expect(evidence.revisions.last.map { evidence.origins(of: $0).count } == 1)
    #expect(try bench.store.rejudgeAll(everything: true, at: bench.wall).violations.isEmpty)
  }

  /// An upload confirms the text: then it counts, a person is told, and sees what caused it.
  @Test(arguments: StoreKind.all) func whatIsRetractedAfterItWasFinalIsTold(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    try bench.store.take([try seen(0, "BNP-A"), try seen(10_000, "BNP-B")], at: bench.wall)
    try report(bench, ["BNP-A", "BNP-B"], through: 10_400)
    _ = try receive(3_000, "BNP-B", in: bench)
    #expect(try bench.store.overview().changedAfterFinal == 0)

    let changes = try bench.store.take([try seen(3_000, "BNP-B")], at: bench.wall).changes
    #expect(changes.violations.map(\.revision.change) == [.retracted])
    let retracted = try only(bench)
    #expect(retracted.violation.isRetracted)
    #expect(retracted.violation.changedFinalAt == bench.wall)
    let overview = try bench.store.overview()
    #expect(overview.changedAfterFinal == 1 && overview.changedSince == bench.wall)
    var query = ViolationQuery()
    query.standing = .all
    query.isChangedAfterFinal = true
    #expect(try bench.store.violations(query).map(\.uuid) == [retracted.uuid])
    let evidence = try #require(try bench.store.violation(retracted.uuid))
    let last = try #require(evidence.revisions.last)
    #expect(last.wasFinal == .reported && last.cause == .arrival)
    let origin = try #require(evidence.origins(of: last).first)
    #expect(origin.record.place.second == begin + 3_000)

    let seen = try bench.store.confirm(
      retracted.uuid, by: "Sita", rules: JudgingRules(), at: bench.wall)
    #expect(seen?.violation.changedFinalAt == nil && seen?.violation.isRetracted == true)
    #expect(try bench.store.overview().changedAfterFinal == 0)
    #expect(try bench.store.violations(query).isEmpty)
    #expect(try bench.store.violation(retracted.uuid)?.notes.last?.kind == .seen)
    #expect(
      try bench.store.confirm(retracted.uuid, by: "Sita", rules: JudgingRules(), at: bench.wall)
        == nil)
  }

  /// A night in the forest, and the vehicle comes back from there as from an ordinary travel: the stay is kept for a
  /// person, whichever came first.
  @Test(arguments: StoreKind.all, [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) func aStayIsNotLostByATurn(
    _ kind: StoreKind, _ order: [Int]
  ) throws {
    let bench = try Bench(kind)
    let all = [try seen(0, "BNP-A"), try seen(50_400, "BNP-B"), try seen(57_600, "BNP-A")]
    let wall = WallTime(epochSeconds: begin + 60_000)
    for index in order { try bench.store.take([all[index]], at: wall) }
    let stay = try #require(
      try bench.store.violations(ViolationQuery()).first { $0.violation.finding.isFar })
    #expect(stay.violation.finding.kind == .overstay && stay.violation.finding.seconds == 50_400)
    #expect(stay.violation.finding.doubts == [.longStay, .turned])
    // It is no pair: what goes together is the way back.
    let partners = try bench.store.passages(PassageQuery()).compactMap(\.partner)
    #expect(partners.count == 2)
    // Never final by itself.
    let later = wall + .seconds(30 * 86_400)
    try bench.store.tick(at: later)
    #expect(
      try bench.store.violation(stay.uuid)?.violation.violation.finality == .provisional)
    let confirmed = try bench.store.confirm(
      stay.uuid, by: "Sita", rules: JudgingRules(), at: later)
    #expect(confirmed?.violation.finality != .provisional)
  }

  static let speeds: [(Int64, [TravelDoubt])] = [
    (0, [.impossibleSpeed]), (539, [.impossibleSpeed]), (540, []), (1_000, []),
  ]

  /// 30 km in less than nine minutes is more than 200 km/h.
  @Test(arguments: StoreKind.all, speeds) func whatNoVehicleDrivesIsNeverFinalByItself(
    _ kind: StoreKind, _ story: (seconds: Int64, doubts: [TravelDoubt])
  ) throws {
    let bench = try Bench(kind)
    try bench.store.take(
      [try seen(0, "BNP-A"), try seen(story.seconds, "BNP-B")], at: bench.wall)
    try report(bench, ["BNP-A", "BNP-B"], through: 10_000)
    try bench.store.tick(at: bench.wall + .seconds(10 * 86_400))
    let found = try only(bench)
    #expect(found.violation.finding.doubts == story.doubts)
    #expect(found.violation.finality == (story.doubts.isEmpty ? .reported : .provisional))
    var rules = JudgingRules()
    try rules.setFastest(kilometresPerHour: 1_000)
    try bench.store.rejudgeAll(rules, at: bench.wall)
    #expect(try only(bench).violation.finding.doubts == (story.seconds == 0 ? story.doubts : []))
  }

  /// However many texts came of its content before, a proven report is taken.
  @Test(arguments: StoreKind.all) func thereIsRoomForWhatIsProven(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for number in 0..<70 {
      try bench.store.take(
        [try seen(0, "BNP-A", channel: .text, suffix: "\(1_000 + number)")], at: bench.wall)
    }
    try bench.store.take([try seen(0, "BNP-A")], at: bench.wall)
    #expect(try bench.store.passages(PassageQuery()).map(\.isProven) == [true])
  }

  /// For every set of proven reports and every set of unproven ones, added in any order, each proven violation still
  /// stands, is as final as it would be, and has at most more doubts.
  @Test(arguments: StoreKind.all) func whateverTextsCome(_ kind: StoreKind) throws {
    let sets = ForgedWorld.sets(40)
    let (places, reported) = (try roadPlaces(), ["BNP-A", "BNP-B"])
    let through = judgedMorning + 390_000
    var reports = PostReports()
    for post in reported {
      reports.report(try CheckpostCode(post), through: through, receivedAt: evening)
    }
    var (next, found, doubted) = (UInt64(0), 0, 0)
    while next < sets {
      let seeds = next..<min(next + 200, sets)
      next = seeds.upperBound
      let bench = try Bench(kind.place(), isEmpty: true)
      try putRoad(bench)
      for post in reported {
        let code = try CheckpostCode(post)
        let wall = evening
        _ = try bench.store.transaction { inbox throws(StorageError) in
          try inbox.report(
            code, through: through, receivedAt: wall, rules: JudgingRules(), at: wall)
        }
      }
      let worlds = try seeds.map { try ForgedWorld(seed: $0, isRoad: true) }
      var generator = SplitMix64(seed: next)
      let arrivals = worlds.flatMap(\.arrivals).shuffled(using: &generator)
      var rest = arrivals[...]
      while !rest.isEmpty {
        let batch = rest.prefix(Int.random(in: 1...25, using: &generator))
        rest = rest.dropFirst(batch.count)
        try bench.store.take(batch.map(\.arrival), at: evening)
      }
      try bench.store.tick(at: evening)
      let whole = StoreStory(arrivals.observations, [], places, at: evening)
      #expect(try StoreStory(bench.store).differences(from: whole) == [], "seeds \(seeds)")
      let standing = try all(bench.store)
      for world in worlds {
        var centre = IncrementalCentre(places)
        centre.now = evening
        centre.reports = reports
        centre.take(world.proven)
        centre.tick()
        for violation in centre.violations.values where !violation.isRetracted {
          let name = ForgedWorld.Standing(violation.finding)
          let after = standing[name]
          #expect(after != nil, "seeds \(seeds): \(name) is gone")
          guard let after else { return }
          #expect(Set(violation.finding.doubts).isSubset(of: after.finding.doubts), "\(name)")
          #expect(after.finality == violation.finality, "seeds \(seeds): \(name)")
          found += 1
          if after.finding.doubts.contains(.contradictedByText) { doubted += 1 }
        }
      }
    }
    #expect(found > sets / 2 && doubted > sets / 20, "\(found), \(doubted)")
  }

  private func all(
    _ store: any CentralStore
  ) throws -> [ForgedWorld.Standing: StandingViolation] {
    var standing: [ForgedWorld.Standing: StandingViolation] = [:]
    var query = ViolationQuery()
    while let last = try store.violations(query).last {
      for stored in try store.violations(query) {
        standing[ForgedWorld.Standing(stored.violation.finding)] = stored.violation
      }
      query.after = last.place
    }
    return standing
  }

  private func putRoad(_ bench: Bench) throws {
    try bench.put(.segment(try banepa()))
    try bench.put(.segment(try sampleRoute("Upper", kilometres: 12, fastest: 50).segment))
    try bench.put(.post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0))))
    try bench.put(
      .post(
        Post(
          code: try CheckpostCode("BNP-B"), name: "South",
          places: [
            Post.Place(segment: "Banepa", index: 1), Post.Place(segment: "Upper", index: 0),
          ]), knowing: .place))
    try bench.put(.post(try post("BNP-C", place: Post.Place(segment: "Upper", index: 1))))
  }
}
