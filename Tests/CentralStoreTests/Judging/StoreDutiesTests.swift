import CentralCore
import Passages
import Storage
import Testing
import Time

/// What a store does by the clock, by the word of posts and of persons.
struct StoreDutiesTests {
  private let due: Int64 = 5_402
  private let window: Int64 = 72 * 3_600

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func take(_ bench: Bench, _ observations: [Observation], at second: Int64) throws
    -> TakenArrivals
  {
    try bench.store.take(observations.map { PassageArrival($0) }, at: time(second))
  }

  private func report(
    _ bench: Bench, _ post: String, through second: Int64, at now: Int64
  ) throws -> JudgedChanges {
    let post = try CheckpostCode(post)
    let (through, wall) = (judgedMorning + second, time(now))
    return try bench.store.transaction { inbox throws(StorageError) in
      try inbox.report(
        post, through: through, receivedAt: wall, rules: JudgingRules(), at: wall)
    }
  }

  @Test(arguments: StoreKind.all) func whoOughtToHaveLeftIsToldAtTheMoment(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    #expect(try bench.store.tick(at: time(0)).next == nil)
    _ = try take(bench, [try sighting(0)], at: 10)
    let early = try bench.store.tick(at: time(due - 1))
    #expect(early.changes.isEmpty)
    #expect(early.next == time(due))
    try bench.reopen()
    let told = try bench.store.tick(at: time(due))
    #expect(told.changes.raised.map(\.entry.row) == [1])
    #expect(told.next == time(window))
    #expect(try bench.store.tick(at: time(due + 60)).changes.isEmpty)
    let alert = try #require(try bench.store.alerts(AlertQuery()).first)
    #expect(alert.alert.isUnheard)
    #expect(alert.segment == "Banepa")
    #expect(alert.entry == (try sighting(0)).clientID)
    #expect(try bench.store.overview().alerts == 1)
    // The other post has reported since: it is not there.
    _ = try report(bench, "BNP-B", through: due + 1, at: 6_000)
    #expect(try bench.store.alerts(AlertQuery()).first?.alert.isUnheard == false)
    // The exit comes late, and by text.
    let left = try take(
      bench, [try sighting(3_000, "BNP-B", channel: .text, received: 9_000)], at: 9_000)
    #expect(left.changes.ended.map(\.ending) == [.left(exit: 2)])
    #expect(try bench.store.alerts(AlertQuery()).isEmpty)
    var all = AlertQuery()
    all.isOpen = false
    #expect(try bench.store.alerts(all).map(\.alert.endedAt) == [time(9_000)])
    #expect(try bench.store.overview().alerts == 0)
    #expect(try bench.store.tick(at: time(9_001)).next == nil)
  }

  @Test(arguments: StoreKind.all) func nobodyIsWaitedForForEver(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    _ = try take(bench, [try sighting(0)], at: 10)
    try bench.store.tick(at: time(due))
    let ended = try bench.store.tick(at: time(window))
    #expect(ended.changes.ended.map(\.ending) == [.expired])
    #expect(ended.next == nil)
    // One that comes so late is not told at all.
    _ = try take(bench, [try sighting(0, plate: "BA1PA9")], at: window + 10)
    #expect(try bench.store.tick(at: time(window + 20)) == ClockDuties())
  }

  /// More is due at once than is done in one transaction.
  @Test(arguments: StoreKind.all) func whatIsDueIsDoneInParts(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let count = CentralCore.Limits.dutiesAtOnce + 3
    let entries = try (0..<count).map { try sighting(0, plate: "BA1PA\(1_000 + $0)") }
    _ = try take(bench, entries, at: 10)
    let first = try bench.store.clock(rules: JudgingRules(), at: time(due))
    #expect(first.changes.raised.count == CentralCore.Limits.dutiesAtOnce)
    #expect(first.next == time(due))
    let second = try bench.store.clock(rules: JudgingRules(), at: time(due))
    #expect(second.changes.raised.count == 3)
    #expect(second.next == time(window))
    var query = AlertQuery()
    query.limit = 200
    var seen: Set<ClientID> = []
    while let last = try bench.store.alerts(query).last {
      seen.formUnion(try bench.store.alerts(query).map(\.uuid))
      query.after = last.place
    }
    #expect(seen.count == count)
  }

  /// Another program left a violation behind whose passage is gone: nobody can settle it, and it does not stay due.
  @Test func aViolationWithoutItsPassageIsNeverDue() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    _ = try take(bench, [try sighting(0), try sighting(1_000, "BNP-B")], at: 1_100)
    let late = time(1_100 + 2 * window)
    #expect(try bench.store.violations(ViolationQuery()).count == 1)
    try place.executeUnchecked("UPDATE violations SET entry = 987654321")
    let ticked = try bench.store.clock(rules: JudgingRules(), at: late)
    #expect(ticked.changes.isEmpty)
    #expect(ticked.next == nil)
  }

  /// Three posts on a road, of which the third says last that all is here; a store forgets nothing of it.
  @Test(arguments: StoreKind.all) func aViolationWaitsForAThirdPostOfTheRoad(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    try bench.put(.segment(try sampleRoute("Upper", kilometres: 12, fastest: 50).segment))
    try bench.put(
      .post(
        Post(
          code: try CheckpostCode("BNP-B"), name: "South",
          places: [
            Post.Place(segment: "Banepa", index: 1), Post.Place(segment: "Upper", index: 0),
          ]), knowing: .place))
    try bench.put(.post(try post("BNP-C", place: Post.Place(segment: "Upper", index: 1))))
    _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: time(0))
    _ = try take(
      bench,
      [
        try sighting(0), try sighting(1_000, "BNP-B"), try sighting(1_500, "BNP-C"),
        try sighting(0, plate: "BA1PA7"), try sighting(1_300, "BNP-B", plate: "BA1PA7"),
      ], at: 1_600)
    func finality() throws -> [Finality] {
      try bench.store.violations(ViolationQuery()).map(\.violation.finality)
    }
    #expect(try finality() == [.provisional, .provisional, .provisional])
    #expect(try report(bench, "BNP-A", through: 1_800, at: 2_000).isEmpty)
    #expect(try report(bench, "BNP-B", through: 1_800, at: 2_000).isEmpty)
    try bench.reopen()
    // It saw the vehicle up to 1,000 s; the other one may still have been there between.
    let first = try report(bench, "BNP-C", through: 1_001, at: 2_000).settled
    #expect(first.map(\.finding.segment) == ["Banepa"])
    #expect(first.map(\.finding.exit.latest) == [judgedMorning + 1_000])
    #expect(try report(bench, "BNP-C", through: 1_300, at: 2_000).isEmpty)
    let second = try report(bench, "BNP-C", through: 1_301, at: 2_000).settled
    #expect(second.map(\.finding.plate) == ["BA1PA7"])
    // The way from BNP-B to BNP-C needs BNP-A, which has reported, and BNP-C itself.
    let third = try report(bench, "BNP-C", through: 1_900, at: 2_000).settled
    #expect(third.map(\.finding.segment) == ["Upper"])
    #expect(try finality() == [.reported, .reported, .reported])
  }

  @Test(arguments: StoreKind.all) func aViolationIsFinalWhenBothPostsHaveReported(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    let taken = try take(bench, [try sighting(0), try sighting(1_000, "BNP-B")], at: 1_100)
    #expect(taken.changes.violations.map(\.revision.change) == [.made])
    #expect(taken.changes.paired == [PassagePair(entry: 1, exit: 2)])
    #expect(try report(bench, "BNP-A", through: 1_001, at: 1_200).isEmpty)
    #expect(try report(bench, "BNP-B", through: 1_060, at: 1_200).isEmpty)
    try bench.reopen()
    // A clock that is ahead says nothing of what is to come.
    #expect(try report(bench, "BNP-B", through: 90_000, at: 1_060).isEmpty)
    let settled = try report(bench, "BNP-B", through: 1_061, at: 1_300).settled
    #expect(settled.map(\.finality) == [.reported])
    #expect(try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.reported])
    #expect(try bench.store.tick(at: time(200_000)).changes.isEmpty)
    // One that is found when both have reported already is final at once.
    let late = try take(
      bench,
      [try sighting(-5_000, plate: "BA1PA9"), try sighting(-4_000, "BNP-B", plate: "BA1PA9")],
      at: 2_000)
    #expect(late.changes.settled.map(\.finality) == [.reported])
  }

  @Test(arguments: StoreKind.all) func whoNeverReportsIsNotWaitedForForEver(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    _ = try take(bench, [try sighting(0), try sighting(1_000, "BNP-B")], at: 1_100)
    #expect(try bench.store.tick(at: time(2_000)).next == time(1_100 + 86_400))
    #expect(try bench.store.tick(at: time(1_099 + 86_400)).changes.isEmpty)
    let settled = try bench.store.tick(at: time(1_100 + 86_400))
    #expect(settled.changes.settled.map(\.finality) == [.unreported])
    #expect(settled.next == nil)
    var query = ViolationQuery()
    query.finality = .unreported
    #expect(try bench.store.violations(query).count == 1)
    // They report after all.
    for post in ["BNP-A", "BNP-B"] {
      _ = try report(bench, post, through: 1_061, at: 100_000)
    }
    #expect(try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.reported])
  }

  /// A clock that nobody vouches for proves nothing; a person confirms.
  @Test(arguments: StoreKind.all) func aPersonConfirmsWhatADoubtfulClockSays(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    let entry = try sighting(0, clock: .within(seconds: ClockQuality.anySeconds))
    _ = try take(bench, [entry, try sighting(1_000, "BNP-B")], at: 1_100)
    for post in ["BNP-A", "BNP-B"] {
      #expect(try report(bench, post, through: 5_000, at: 6_000).isEmpty)
    }
    #expect(try bench.store.tick(at: time(200_000)) == ClockDuties())
    try bench.reopen()
    let found = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(found.violation.finding.doubts == [.clocks])
    #expect(found.violation.finality == .provisional)
    let confirmed = try bench.store.confirm(
      found.uuid, by: "Maya", rules: JudgingRules(), at: time(200_000))
    #expect(confirmed?.violation.finality == .reported)
  }

  /// Texts prove nothing of who sent them; a person confirms, for what was found then.
  @Test(arguments: StoreKind.all) func aPersonConfirmsWhatTextsSay(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let entry = try sighting(0, channel: .text)
    _ = try take(bench, [entry, try sighting(1_000, "BNP-B", channel: .text)], at: 1_100)
    for post in ["BNP-A", "BNP-B"] {
      #expect(try report(bench, post, through: 5_000, at: 6_000).isEmpty)
    }
    #expect(try bench.store.tick(at: time(200_000)) == ClockDuties())
    let found = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(found.violation.finding.doubts == [.byTextAlone])
    #expect(found.violation.finality == .provisional)
    let confirmed = try bench.store.confirm(
      found.uuid, by: "Maya", rules: JudgingRules(), at: time(200_000))
    #expect(confirmed?.violation.finality == .reported)
    #expect(confirmed?.confirmedBy == "Maya")
    try bench.reopen()
    let kept = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(kept == confirmed)
    let again = try bench.store.confirm(
      found.uuid, by: "Somebody", rules: JudgingRules(), at: time(300_000))
    #expect(again == confirmed)
    // Another exit makes something else of it, which nobody has looked at.
    _ = try take(bench, [try sighting(900, "BNP-B", channel: .text)], at: 300_001)
    let changed = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(changed.violation.confirmedAt == nil)
    #expect(changed.confirmedBy == nil)
    #expect(
      try bench.store.confirm(
        ClientID(random: 1, 1), by: nil, rules: JudgingRules(), at: time(1)) == nil)
  }
}
