import CentralCore
import Passages
import Storage
import Testing
import Time

/// The length and the speeds of a segment hold from a moment: a vehicle is judged by what held when it came.
struct StoreLimitTests {
  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func take(_ bench: Bench, _ plate: String, from second: Int64, seconds: Int64) throws {
    _ = try bench.store.take(
      [
        PassageArrival(try sighting(second, plate: plate)),
        PassageArrival(try sighting(second + seconds, "BNP-B", plate: plate)),
      ], at: time(second + seconds + 100))
  }

  private func found(_ bench: Bench) throws -> [String] {
    try bench.store.violations(ViolationQuery()).map {
      "\($0.violation.finding.plate) \($0.violation.finding.kind) \($0.violation.finding.limitSeconds)"
    }.sorted()
  }

  private func faster(_ kilometresPerHour: Double) throws -> Segment {
    try Segment(
      name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
      maximumKilometresPerHour: kilometresPerHour)
  }

  @Test(arguments: StoreKind.all) func aTravelIsJudgedByWhatHeldAtItsEntry(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    // 54 km/h: lawful at 60, and too fast at 50.
    try take(bench, "BA1PA1", from: 0, seconds: 2_000)
    try take(bench, "BA1PA2", from: 9_000, seconds: 2_000)
    try take(bench, "BA1PA3", from: 20_000, seconds: 2_000)
    #expect(try found(bench) == [])
    let known = try #require(try bench.store.segments().first)
    let later = known.changed(to: try faster(50), since: judgedMorning + 10_000)
    let trial = try bench.store.trial(
      [.segment(later)], rules: JudgingRules(), vehicles: 100, at: time(30_000))
    #expect(trial.changes.violations.map(\.revision.change) == [.made])
    #expect(trial.isWhole)
    #expect(try bench.store.segments() == [known])
    #expect(try found(bench) == [])
    try bench.put(.segment(later))
    try bench.reopen()
    #expect(try bench.store.segments() == [later])
    _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: time(30_000))
    // The second one came before, and left after it.
    #expect(try found(bench) == ["BA1PA3 speeding 2160"])
    // What comes late is judged by what held then.
    try take(bench, "BA1PA4", from: 5_000, seconds: 2_000)
    try take(bench, "BA1PA5", from: 10_000, seconds: 2_000)
    try take(bench, "BA1PA6", from: 5_000, seconds: 1_000)
    #expect(
      try found(bench) == ["BA1PA3 speeding 2160", "BA1PA5 speeding 2160", "BA1PA6 speeding 1800"])
    let entry = try #require(
      try bench.store.violations(ViolationQuery()).first {
        $0.violation.finding.plate == "BA1PA6"
      })
    #expect(
      try bench.store.violation(entry.uuid)?.segment?.maximumMetresPerHour == 60_000)
    #expect(try bench.store.rejudgeAll(everything: true, limit: 5, at: time(40_000)).isEmpty)
    // It always was so: what came before was judged wrongly.
    try bench.put(.segment(try faster(50)))
    _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: time(50_000))
    #expect(try found(bench).count == 6)
  }

  /// How long is waited for an exit follows from what held, too; and nothing that was paired is parted by what came
  /// later.
  @Test(arguments: StoreKind.all) func whoIsInsideIsWaitedForByWhatHeld(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let known = try #require(try bench.store.segments().first)
    let slower = try Segment(
      name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 2,
      maximumKilometresPerHour: 60)
    try bench.put(.segment(known.changed(to: slower, since: judgedMorning + 1_000)))
    for (plate, second) in [("BA1PA1", Int64(0)), ("BA1PA2", 2_000)] {
      _ = try bench.store.take(
        [PassageArrival(try sighting(second, plate: plate))], at: time(second + 10))
    }
    #expect(
      try bench.store.tick(at: time(5_402)).changes.raised.map(\.entry.place.plate) == ["BA1PA1"])
    #expect(
      try bench.store.tick(at: time(2_000 + 54_002)).changes.raised.map(\.entry.place.plate) == [
        "BA1PA2"
      ])
    try take(bench, "BA1PA3", from: 1_000, seconds: 54_000)
    try take(bench, "BA1PA4", from: 999, seconds: 54_000)
    #expect(try found(bench) == ["BA1PA4 overstay 5400"])
    #expect(try bench.store.rejudgeAll(everything: true, limit: 5, at: time(60_000)).isEmpty)
  }

  @Test(arguments: StoreKind.all) func confirmationsSurviveARoundTrip(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try take(bench, "BA1PA1", from: 0, seconds: 1_000)
    let made = try #require(try bench.store.violations(ViolationQuery()).first)
    _ = try bench.store.confirm(made.uuid, by: "Maya", rules: JudgingRules(), at: time(2_000))
    // Retracted and found again, and changed and found as it was.
    for speed in [120.0, 80.0] {
      try bench.put(.segment(try faster(speed)))
      _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: time(3_000))
      #expect(
        try bench.store.violations(ViolationQuery()).allSatisfy { $0.violation.confirmedAt == nil })
      try bench.put(.segment(try faster(60)))
      _ = try bench.store.rejudgeAll(everything: false, limit: 5, at: time(4_000))
      let again = try #require(try bench.store.violations(ViolationQuery()).first)
      #expect(again.violation.confirmedAt == time(2_000))
      #expect(again.confirmedBy == "Maya")
    }
  }
}
