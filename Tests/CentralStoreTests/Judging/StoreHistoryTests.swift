import Accounts
import CentralCore
import Passages
import Storage
import Testing
import Time

/// What happened to a violation: who confirmed it, when it became final, and what came of it.
struct StoreHistoryTests {
  private let rules = JudgingRules()

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func take(_ bench: Bench, _ observations: [Observation], at second: Int64) throws {
    try bench.store.take(observations.map { PassageArrival($0) }, at: time(second))
  }

  private func report(_ bench: Bench, through second: Int64, at now: Int64) throws {
    let wall = time(now)
    for post in [try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B")] {
      try bench.store.transaction { inbox throws(StorageError) in
        _ = try inbox.report(
          post, through: judgedMorning + second, receivedAt: wall, rules: rules, at: wall)
      }
    }
  }

  private func found(_ bench: Bench) throws -> StoredViolation {
    var all = ViolationQuery()
    all.standing = .all
    return try #require(try bench.store.violations(all).first)
  }

  private func audit(_ bench: Bench) throws -> [AuditEntry] {
    let store = try #require(bench.store as? any AccountStore)
    return try store.readAccounts { rows throws(StorageError) in try rows.audit(limit: 100) }
  }

  @Test(arguments: StoreKind.all) func confirmationsAreNotForgotten(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try take(bench, [sighting(0, channel: .text), sighting(1_000, "BNP-B")], at: 1_100)
    let uuid = try found(bench).uuid
    func confirm(_ name: String, _ second: Int64) throws {
      _ = try bench.store.confirm(
        uuid, by: name, actor: "uid 7", rules: rules, at: time(second))
    }
    try confirm("Maya", 2_000)
    try confirm("Maya", 2_100)
    try confirm("Ramesh", 2_200)
    #expect(try found(bench).confirmedBy == "Maya")
    // Another exit, and back again: nothing of what was said stands, and all of it is known.
    try take(bench, [sighting(900, "BNP-B")], at: 3_000)
    #expect(try found(bench).violation.confirmedAt == nil)
    try confirm("Maya", 4_000)
    try bench.reopen()
    let evidence = try #require(try bench.store.violation(uuid))
    #expect(
      evidence.notes == [
        ViolationNote(.confirmed, at: time(2_000), by: "Maya", revision: 1),
        ViolationNote(.confirmed, at: time(2_200), by: "Ramesh", revision: 1),
        ViolationNote(.confirmed, at: time(4_000), by: "Maya", revision: 2),
      ])
    guard bench.store is any AccountStore else { return }
    let entries = try audit(bench)
    #expect(entries.map(\.kind) == Array(repeating: .violationConfirmed, count: 3))
    #expect(entries.map(\.actor) == ["uid 7", "uid 7", "uid 7"])
    #expect(entries.map(\.detail).last == "violation 1, by Maya")
  }

  @Test(arguments: StoreKind.all) func whenItBecameFinalIsKnown(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try take(bench, [sighting(0), sighting(1_000, "BNP-B")], at: 1_100)
    _ = try bench.store.tick(at: time(1_100 + 86_400))
    try report(bench, through: 5_000, at: 100_000)
    // A contradiction leaves it final; it is another violation that has to become so anew.
    var right = ReceivedCorrection(of: try sighting(0).clientID, madeAt: time(100_100))
    right.recordedAt = time(-100)
    try bench.store.take([PassageArrival(right)], at: time(100_200))
    let evidence = try #require(try bench.store.violation(try found(bench).uuid))
    #expect(evidence.revisions.map(\.wasFinal) == [.provisional, .reported])
    #expect(
      evidence.notes == [
        ViolationNote(.unreported, at: time(1_100 + 86_400), revision: 1),
        ViolationNote(.reported, at: time(100_000), revision: 1),
        ViolationNote(.reported, at: time(100_200), revision: 2),
      ])
  }

  @Test(arguments: StoreKind.all) func whatCameOfItIsRecordedOnceAndShown(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try take(
      bench,
      [
        sighting(0), sighting(1_000, "BNP-B"), sighting(10, plate: "BA1PA2"),
        sighting(1_010, "BNP-B", plate: "BA1PA2"),
      ], at: 1_100)
    var query = ViolationQuery()
    query.plate = "BA1PA1234"
    let uuid = try #require(try bench.store.violations(query).first).uuid
    var outcome = ViolationOutcome(
      .fined, fine: 150_050, notes: "paid", by: "Maya", at: time(2_000))
    let open = try #require(try bench.store.violations(query).first)
    // Several are looked up at once, by the rows of their entries.
    var several = ViolationQuery()
    let entries = try bench.store.violations(several).map(\.violation.finding.entry.row)
    #expect(Set(entries).count == 2)
    several.entries = entries + [9_999_999]
    #expect(try bench.store.violations(several).count == 2)
    several.entries = [open.violation.finding.entry.row]
    #expect(try bench.store.violations(several).map(\.uuid) == [uuid])
    several.entries = []
    #expect(try bench.store.violations(several).isEmpty)
    #expect(try bench.store.record(outcome, of: uuid, actor: "uid 7") == .unsure(open))
    #expect(try bench.store.violations(query).first?.outcome == nil)
    outcome.although = "he says so"
    guard case .recorded(let stored) = try bench.store.record(outcome, of: uuid, actor: "uid 7")
    else {
      Issue.record("not recorded")
      return
    }
    outcome.notes = "paid; fined all the same: he says so"
    outcome.although = nil
    #expect(stored.outcome == outcome)
    let other = ViolationOutcome(.letGo, by: "Ramesh", at: time(3_000))
    #expect(try bench.store.record(other, of: uuid, actor: nil) == .known(stored))
    #expect(
      try bench.store.record(other, of: ClientID(random: 1, 1), actor: nil) == .unknown)
    try bench.reopen()
    #expect(try bench.store.violations(query) == [stored])
    #expect(try bench.store.violation(uuid)?.violation == stored)
    #expect(
      try bench.store.violation(uuid)?.notes == [
        ViolationNote(.outcome, at: time(2_000), by: "Maya", revision: 1)
      ])
    query = ViolationQuery()
    query.outcome = .open
    #expect(try bench.store.violations(query).map(\.violation.finding.plate) == ["BA1PA2"])
    query.outcome = .recorded
    #expect(try bench.store.violations(query) == [stored])
    let keeping = try #require(bench.store as? any KeepingStore)
    #expect(
      try keeping.holdings(of: "BA1PA1234").violations.map(\.violation.outcome) == [outcome])
    if bench.store is any AccountStore {
      let entry = try #require(try audit(bench).first)
      #expect(entry.kind == .violationClosed && entry.actor == "uid 7")
      #expect(
        entry.detail
          == "violation 1, fined 1500.50, by Maya, although provisional: he says so")
    }
    var order = ErasureOrder(plate: "BA1PA1234")
    let held = try keeping.erase(order, rules: rules, at: time(4_000))
    #expect(held.held == 0 && held.closed == 1 && held.dropped.violations == 0)
    order.takesOpenViolations = true
    let erased = try keeping.erase(order, rules: rules, at: time(4_000))
    #expect(erased.dropped.violations == 1 && erased.dropped.outcomes == 1)
    #expect(try keeping.holdings(of: "BA1PA1234") == VehicleHoldings())
  }

  @Test(arguments: StoreKind.all) func nothingIsRecordedOfWhatDoesNotStand(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    let exit = try sighting(1_000, "BNP-B")
    try take(bench, [sighting(0), exit], at: 1_100)
    var right = ReceivedCorrection(of: exit.clientID, madeAt: time(1_200))
    right.recordedAt = time(3_000)
    try bench.store.take([PassageArrival(right)], at: time(1_300))
    let outcome = ViolationOutcome(.warned, by: "Maya", at: time(2_000))
    #expect(try found(bench).violation.isRetracted)
    #expect(
      try bench.store.record(outcome, of: try found(bench).uuid, actor: nil) == .unknown)
  }

  /// A passage that never was stays, and nothing is judged by it: the violation that rested on it is retracted,
  /// with its cause. That is so as well where it is withdrawn before it comes, and it is never judged again.
  @Test(arguments: StoreKind.all) func whatWasWithdrawnIsJudgedNoMore(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let exit = try sighting(1_000, "BNP-B")
    try take(bench, [sighting(0), exit], at: 1_100)
    let uuid = try found(bench).uuid
    #expect(try !found(bench).violation.isRetracted)
    var withdrawal = ReceivedCorrection(of: exit.clientID, madeAt: time(1_200), author: "Maya")
    withdrawal.withdrawal = "wrong key"
    try bench.store.take([PassageArrival(withdrawal)], at: time(1_300))
    try bench.reopen()
    #expect(try found(bench).violation.isRetracted)
    let evidence = try #require(try bench.store.violation(uuid))
    #expect(evidence.revisions.map(\.change) == [.made, .retracted])
    #expect(evidence.revisions.last?.cause == .correction)
    #expect(
      evidence.exit.records.flatMap(\.record.corrections).map(\.withdrawal) == ["wrong key"])
    let passages = try bench.store.passages(PassageQuery())
    #expect(passages.count == 2, "a state, not a deletion")
    #expect(passages.map(\.withdrawal).contains("wrong key"))
    #expect(passages.allSatisfy { $0.partner == nil && !$0.passage.isUndated })
    // The same report once more, and the correction once more, change nothing of that.
    try take(bench, [exit], at: 2_000)
    try bench.store.take([PassageArrival(withdrawal)], at: time(2_100))
    #expect(try found(bench).violation.isRetracted)
    // The right one is another passage.
    try take(bench, [sighting(1_060, "BNP-B")], at: 2_200)
    #expect(try !found(bench).violation.isRetracted)
    // Withdrawn before it came.
    let other = try sighting(50_000, "BNP-B")
    var early = ReceivedCorrection(of: other.clientID, madeAt: time(50_100))
    early.withdrawal = "never passed"
    try bench.store.take([PassageArrival(early)], at: time(50_200))
    try take(bench, [sighting(49_000), other], at: 50_300)
    var all = ViolationQuery()
    all.standing = .all
    #expect(try bench.store.violations(all).count == 1)
  }

  /// The evidence names whoever wrote a text down as the list of passages does, and what posts are called.
  @Test(arguments: StoreKind.all) func theEvidenceNamesTheRangersOfTexts(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.put(.ranger(try ranger("Hari", "+9779811119801", "BNP-B")))
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM1")
    try bench.receive(
      "V1|BNP-B|BA1PA1234|CAR|1709121000|9801", id: "SM2", from: "+9779811119801")
    let evidence = try #require(try bench.store.violation(try found(bench).uuid))
    #expect(evidence.entry.records.flatMap(\.reports).map(\.ranger) == ["Sita"])
    #expect(evidence.exit.records.flatMap(\.reports).map(\.ranger) == ["Hari"])
    #expect(evidence.entry.passage?.passage.ranger == "Sita")
    #expect(
      evidence.postNames == [
        try CheckpostCode("BNP-A"): "Post BNP-A", try CheckpostCode("BNP-B"): "Post BNP-B",
      ])
  }

  /// That an operator set a rule aside is in the evidence and in the audit log.
  @Test(arguments: StoreKind.all) func rulesThatWereSetAsideAreTold(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .allowlist
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM1", from: "+9779812345678")
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121000|0000", id: "SM2", from: "+9779812345678")
    _ = try bench.store.reprocess(
      1, rules: bench.rules, waiving: [.anySender, .anyTime], actor: "uid 7", at: bench.wall)
    bench.rules.ingress = .open
    _ = try bench.store.reprocess(2, rules: bench.rules, at: bench.wall)
    let evidence = try #require(try bench.store.violation(try found(bench).uuid))
    #expect(evidence.entry.records.flatMap(\.reports).map(\.warnings) == [[.anySender]])
    #expect(evidence.exit.records.flatMap(\.reports).map(\.warnings) == [[.unboundSender]])
    guard bench.store is any AccountStore else { return }
    let entries = try audit(bench)
    #expect(entries.map(\.kind) == [.ruleSetAside])
    #expect(entries.map(\.actor) == ["uid 7"])
    #expect(entries.map(\.detail) == ["message 1: any_sender any_time"])
  }
}
