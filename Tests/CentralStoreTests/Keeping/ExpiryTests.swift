import CentralCore
import Passages
import SeededRandom
import Testing
import Time

/// What is older than it is to be kept is dropped with all that depends on it, and nothing else is other than
/// it would be with it.
@Suite(.timeLimit(.minutes(10))) struct ExpiryTests {
  private let keep: Duration = .seconds(60 * 86_400)

  /// Days of traffic, of which some are dropped in the middle; then comes what is younger, late. What stands of
  /// the younger part is what the whole set comes to.
  @Test(arguments: StoreKind.divided, 0..<6 as Range<UInt64>)
  func whatStaysIsJudgedAsWithTheRest(_ kind: StoreKind, seed: UInt64) throws {
    let bench = try Bench(kind)
    var generator = SplitMix64(seed: seed)
    let arrivals =
      seed % 2 == 0
      ? try JudgingWorld.days(trips: 240, vehicles: 12, seed: seed, corrections: false).arrivals
      : try JudgingWorld.crowd(
        passages: 60, step: [900, 9_000, 40_000][Int(seed / 2)], seed: seed, corrections: false
      ).arrivals
    let seconds = arrivals.observations.map(\.key.second).sorted()
    let since = try #require(seconds.dropFirst(seconds.count * 2 / 3).first)
    let now = WallTime(epochSeconds: since) + keep
    // All of the older part and some of the younger, the rest of that after the dropping.
    let (old, young) = (
      arrivals.filter { $0.second < since }, arrivals.filter { $0.second >= since }
    )
    let early = young.filter { _ in Bool.random(using: &generator) }
    try bench.store.take((old + early).shuffled(using: &generator).map(\.arrival), at: now)
    // The newest passage says what time it is, so that a clock that is ahead drops nothing.
    try bench.store.take([PassageArrival(try sighting(now.second, plate: "ZZ9"))], at: now)
    let dropped = try bench.store.expireAll(after: keep, at: now)
    #expect(dropped.passages > 0)
    try bench.reopen()
    // What was dropped does not come back, and what is younger is taken.
    let late = (old.filter(\.isDated).prefix(40) + young).shuffled(using: &generator)
    let taken = try bench.store.take(late.map(\.arrival), at: now)
    for (arrival, receipt) in zip(late, taken.receipts) where arrival.isDated {
      #expect((receipt.outcome == .expired) == (arrival.second < since), "seed \(seed)")
    }
    try bench.store.tick(at: now)
    let whole = StoreStory(arrivals.observations, [], try samplePlaces(), at: now)
    let left = try StoreStory(bench.store)
    let isYoung = { (key: ContentKey) in key.second >= since && key.plate != "ZZ9" }
    #expect(
      left.passages.filter { isYoung($0.key) }
        .differs(from: whole.passages.filter { isYoung($0.key) }) == [], "seed \(seed)")
    #expect(
      left.violations.filter { isYoung($0.exit) }
        .symmetricDifference(whole.violations.filter { isYoung($0.exit) }) == [], "seed \(seed)")
    // Nothing is left over that leads nowhere, and judging all of it again changes nothing.
    #expect(try bench.store.rejudgeAll(everything: true, at: now).isEmpty, "seed \(seed)")
    #expect(try bench.store.expireAll(after: keep, at: now).isEmpty, "seed \(seed)")
  }

  /// Somebody who comes by every day is never away for as long as an exit is waited for.
  @Test(arguments: StoreKind.all) func whoComesByEveryDayIsForgottenToo(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for day in 0..<100 as Range<Int64> {
      let ends = day % 2 == 0 ? ["BNP-A", "BNP-B"] : ["BNP-B", "BNP-A"]
      try bench.store.take(
        [(ends[0], 0), (ends[1], 3_000)].map { post, second in
          PassageArrival(try sighting(day * 86_400 + second, post))
        }, at: time(day, 4_000))
    }
    try bench.store.expireAll(after: keep, at: time(99, 10_000))
    let left = try bench.store.passages(PassageQuery())
    // Sixty days and the travel of the day that they begin in.
    #expect((120...124).contains(left.count), "\(left.count)")
    #expect(left.allSatisfy { $0.partner != nil })
  }

  /// Both ends of an open violation with all their reports, and nothing beside it; what else comes of the
  /// vehicle leaves it as it is.
  @Test(arguments: StoreKind.all) func theEvidenceOfAnOpenViolationStays(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.store.take(
      [
        sighting(0), sighting(900, "BNP-B"), sighting(905, "BNP-B", suffix: "9801"),
        sighting(0, channel: .text), sighting(200_000, "BNP-B"), sighting(203_000),
      ].map { PassageArrival($0) }, at: time(0, 300_000))
    let before = try #require(try bench.store.violations(ViolationQuery()).first)
    let evidence = try bench.store.violation(before.uuid)
    try bench.store.take([PassageArrival(try sighting(90 * 86_400))], at: time(90))
    let dropped = try bench.store.expireAll(after: keep, at: time(90))
    #expect(dropped.passages == 2)
    #expect(dropped.violations == 0)
    #expect(try bench.store.violation(before.uuid) == evidence)
    #expect(evidence?.exit.records.count == 2)
    #expect(try bench.store.passages(PassageQuery()).count == 3)
    var rules = JudgingRules()
    try rules.set(.longStay, to: 3_600)
    #expect(try bench.store.rejudgeAll(rules, everything: true, at: time(90)).isEmpty)
    #expect(try bench.store.violation(before.uuid) == evidence)
    #expect(
      try bench.store.confirm(before.uuid, by: "Maya", rules: rules, at: time(90))?.confirmedBy
        == "Maya")
  }

  /// The same for one that later data disproved: nobody can be fined for it.
  @Test(arguments: StoreKind.all) func whatIsNoViolationIsNotKept(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let exit = try sighting(900, "BNP-B")
    try bench.store.take(
      [PassageArrival(try sighting(0)), PassageArrival(exit)], at: time(0, 1_000))
    var correction = ReceivedCorrection(of: exit.clientID, madeAt: time(0, 2_000))
    correction.recordedAt = time(0, 2_900)
    try bench.store.take([PassageArrival(correction)], at: time(0, 3_000))
    try bench.store.take([PassageArrival(try sighting(90 * 86_400))], at: time(90))
    let dropped = try bench.store.expireAll(after: keep, at: time(90))
    #expect(dropped.violations == 1)
    #expect(dropped.corrections == 1)
    var all = ViolationQuery()
    all.standing = .all
    #expect(try bench.store.violations(all).isEmpty)
    #expect(try bench.store.passages(PassageQuery()).count == 1)
  }

  @Test(arguments: StoreKind.all) func aClockThatIsYearsAheadDropsNothing(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.store.take([PassageArrival(try sighting(0))], at: time(0))
    #expect(try bench.store.expireAll(after: keep, at: time(3_000)).isEmpty)
    #expect(try bench.store.passages(PassageQuery()).count == 1)
    // And once it is right again, that is not waited for.
    try bench.store.take([PassageArrival(try sighting(90 * 86_400))], at: time(90))
    #expect(try bench.store.expireAll(after: keep, at: time(90)).passages == 1)
  }

  /// Texts, those that were no passage, and photographs; a text of a passage that was dropped is set aside with
  /// the reason, and what a post counts is what it recorded.
  @Test(arguments: StoreKind.all) func messagesAndPhotographsGoWithIt(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.past = .seconds(400 * 86_400)
    try bench.receive(text(0), id: "SM1")
    try bench.receive(text(0), id: "SM2")
    try bench.receive("nonsense", id: "SM3")
    try bench.store.take(
      [sighting(0, photo: "a.jpg"), sighting(0, "LONE", photo: "b.jpg")].map { PassageArrival($0) },
      at: time(0))
    try bench.store.take(
      [PassageArrival(try sighting(90 * 86_400, photo: "b.jpg"))], at: time(90))
    let store = try #require(bench.store as? any KeepingStore)
    #expect(try bench.store.overview().heard.first { $0.code == "BNP-A" }?.recorded == 3)
    let dropped = try bench.store.expireAll(after: keep, at: time(90))
    #expect(dropped.passages == 3)
    #expect(dropped.messages == 3)
    #expect(dropped.photographs == 1)
    #expect(try store.droppedPhotographs(limit: 10) == ["a.jpg"])
    try store.forget(photographs: ["a.jpg"])
    #expect(try store.droppedPhotographs(limit: 10).isEmpty)
    let heard = try bench.store.overview().heard.first { $0.code == "BNP-A" }
    #expect(heard?.recorded == 3)
    #expect(heard?.passages == 1)
    guard case .undecodable(let reason) = try bench.receive(text(0), id: "SM4").first?.result else {
      Issue.record("it came back")
      return
    }
    #expect(reason.code == "expired")
    #expect(try bench.store.inboxItem(4)?.state == .undecodable)
    #expect(try bench.store.passages(PassageQuery()).count == 1)
  }

  /// Since when is kept what is there is told once all before that was looked at, and from then on.
  @Test(arguments: StoreKind.all) func sinceWhenIsToldAtTheEnd(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.store.take([PassageArrival(try sighting(90 * 86_400))], at: time(90))
    let store = try #require(bench.store as? any KeepingStore)
    var steps: [Expired] = []
    for _ in 0..<100 {
      let step = try store.expire(after: keep, rules: JudgingRules(), at: time(90))
      steps.append(step)
      if let next = step.next, next > time(90) { break }
    }
    #expect(steps.count > 1)
    #expect(steps.dropLast().allSatisfy { $0.keptSince == nil })
    #expect(steps.last?.keptSince == time(90) - keep)
    let later = try store.expire(after: keep, rules: JudgingRules(), at: time(90, 60))
    #expect(later.keptSince == time(90) - keep)
  }

  private func time(_ day: Int64, _ second: Int64 = 0) -> WallTime {
    WallTime(epochSeconds: judgedMorning + day * 86_400 + second)
  }
}

extension WallTime {
  /// The second as those of a story are counted.
  var second: Int64 { epochSeconds - judgedMorning }
}

extension JudgingWorld.Arrival {
  var second: Int64 {
    switch self {
    case .observation(let observation): observation.key.second
    case .correction(let correction): correction.recordedAt?.epochSeconds ?? .max
    }
  }

  var isDated: Bool {
    if case .observation(let observation) = self { observation.clock != .unset } else { true }
  }
}

extension Set<StoreStory.Seen> {
  func differs(from other: Set<StoreStory.Seen>) -> [String] {
    symmetricDifference(other).map { "\($0)" }.sorted().prefix(4).map { $0 }
  }
}

extension CentralStore {
  /// Drops all that is too old.
  @discardableResult
  func expireAll(
    after keep: Duration, _ rules: JudgingRules = JudgingRules(), at wall: WallTime
  ) throws -> Dropped {
    let store = try #require(self as? any KeepingStore)
    var dropped = Dropped()
    // Due at once, however lately that was done before.
    var now = wall
    if let next = try store.expire(after: keep, rules: rules, at: wall).next, next > wall {
      now = next
    }
    for _ in 0..<10_000 {
      let step = try store.expire(after: keep, rules: rules, at: now)
      dropped += step.dropped
      guard let next = step.next, next <= now else { return dropped }
    }
    Issue.record("it never ends")
    return dropped
  }
}
