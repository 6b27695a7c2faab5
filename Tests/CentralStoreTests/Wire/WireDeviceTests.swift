import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// What a device says of how far it is, is the word of its post; and what was judged is told with how final it is.
@Suite struct WireDeviceTests {
  private let prefer = "resolution=merge-duplicates"

  /// Two uploads of a vehicle that was too fast.
  private func world(_ kind: StoreKind) throws -> WireWorld {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    world.now = WireWorld.start + .seconds(10_000)
    return world
  }

  private func told(_ world: WireWorld, _ second: Int64) -> String {
    (WireWorld.start + .seconds(second)).rfc3339
  }

  private func mark(
    _ world: inout WireWorld, west isWest: Bool, device: String? = nil, through second: Int64,
    pending: Int = 0, clock: String? = nil
  ) {
    var headers: [String: String] = [:]
    headers["checkpost-clock"] = clock
    let user = isWest ? WireWorld.ram : WireWorld.sita
    let name = device ?? (isWest ? "BNP-B" : "BNP-A")
    world.ask(
      "POST", "sync_metadata?on_conflict=user_id,device_id",
      "{\"user_id\":\"\(user)\",\"device_id\":\"\(name)\",\"pending_count\":\(pending),"
        + "\"last_sync_at\":\"\(told(world, second))\"}", prefer: prefer,
      headers: headers, as: isWest ? WireWorld.western : WireWorld.eastern)
    #expect((200..<300).contains(world.status))
  }

  private func finality(_ world: WireWorld) throws -> [Finality] {
    try world.store.violations(ViolationQuery()).map(\.violation.finality)
  }

  @Test(arguments: StoreKind.shipped) func aPostThatSaysThatNothingWaitsHasReported(
    _ kind: StoreKind
  ) throws {
    var world = try world(kind)
    mark(&world, west: false, through: 9_000)
    mark(&world, west: true, through: 9_000, pending: 1)
    #expect(try finality(world) == [.provisional])
    let west = try #require(try world.store.overview().heard.first { $0.code == "BNP-B" })
    #expect(west.deviceWaiting == 1, "what is stuck there is told")
    #expect(west.deviceAt != nil)
    #expect(west.heardAt.map { heard in west.deviceAt.map { heard >= $0 } ?? false } == true)
    mark(&world, west: true, through: 1_800)
    #expect(try finality(world) == [.provisional], "it passed after that")
    mark(&world, west: true, through: 9_000)
    #expect(try finality(world) == [.reported])
    let evidence = try #require(
      try world.store.violations(ViolationQuery()).first.flatMap {
        try world.store.violation($0.uuid)
      })
    #expect(evidence.notes == [ViolationNote(.reported, at: world.now, revision: 1)])
  }

  /// A device says that nobody vouches for the clock of what it recorded lately: what it says settles nothing, until it
  /// says it without that. By how much a clock is off is how much less is certain.
  @Test(arguments: StoreKind.shipped) func aMarkInDoubtMakesNothingFinal(_ kind: StoreKind) throws {
    var world = try world(kind)
    mark(&world, west: false, through: 9_000)
    mark(&world, west: true, through: 9_000, clock: "BNP-B=315360000")
    #expect(try finality(world) == [.provisional])
    // Whoever asks for all posts again finds it as well, and who says something of another device says nothing of it.
    mark(&world, west: true, device: "tablet", through: 9_000)
    #expect(try finality(world) == [.provisional])
    world.ask("DELETE", "sync_metadata?device_id=eq.tablet", as: WireWorld.western)
    mark(&world, west: true, through: 9_000, clock: "BNP-B=8000")
    #expect(try finality(world) == [.provisional], "a thousand seconds are certain")
    let west = try #require(try world.store.overview().heard.first { $0.code == "BNP-B" })
    #expect(west.deviceWaiting == 0 && west.deviceAt != nil, "that it is there is known")
    mark(&world, west: true, through: 9_000, clock: "nonsense,BNP-A=315360000")
    #expect(try finality(world) == [.reported])
  }

  @Test(arguments: StoreKind.shipped) func aDeviceThatHoldsSomethingIsWaitedFor(
    _ kind: StoreKind
  ) throws {
    var world = try world(kind)
    mark(&world, west: true, through: 9_000)
    mark(&world, west: false, device: "tablet", through: 8_000, pending: 2)
    mark(&world, west: false, through: 9_000)
    #expect(try finality(world) == [.provisional])
    // A change of the row that is there counts as well.
    world.ask(
      "PATCH", "sync_metadata?device_id=eq.tablet",
      "{\"pending_count\":0,\"last_sync_at\":\"\(told(world, 9_500))\"}")
    #expect(try finality(world) == [.reported])
  }

  @Test(arguments: StoreKind.shipped) func aDeviceThatHoldsLessThanNothingIsWaitedFor(
    _ kind: StoreKind
  ) throws {
    var world = try world(kind)
    mark(&world, west: true, through: 9_000)
    mark(&world, west: false, device: "tablet", through: 9_000, pending: -1)
    mark(&world, west: false, through: 9_000)
    #expect(try finality(world) == [.provisional])
    mark(&world, west: false, device: "tablet", through: 9_500)
    #expect(try finality(world) == [.reported])
  }

  @Test(arguments: StoreKind.shipped) func aClockThatIsAheadCountsUpToTheReceipt(
    _ kind: StoreKind
  ) throws {
    var world = try world(kind)
    world.now = WireWorld.start + .seconds(1_700)
    mark(&world, west: true, through: 900_000)
    world.now = WireWorld.start + .seconds(10_000)
    mark(&world, west: false, through: 900_000)
    #expect(try finality(world) == [.provisional])
    mark(&world, west: true, through: 900_000)
    #expect(try finality(world) == [.reported])
  }

  /// On PostgreSQL a row that another server writes into the deployed table is the same word.
  @Test(.needsPostgreSQL) func aRowOfAnotherProgramCountsAlike() throws {
    var world = try world(.postgreSQL)
    mark(&world, west: false, through: 9_000)
    let place = try #require(world.place as? any SQLPlace)
    try place.execute(
      """
      INSERT INTO public.sync_metadata (user_id, device_id, last_sync_at, pending_count)
        VALUES ('\(WireWorld.ram)', 'BNP-B', '\(told(world, 9_000))', 0)
      """)
    #expect(try finality(world) == [.reported])
    let duties = try world.store.clock(rules: JudgingRules(), at: world.now)
    #expect(duties.changes.settled.map(\.finality) == [.reported])
  }

  @Test(arguments: StoreKind.shipped) func howFinalAViolationIsIsTold(_ kind: StoreKind) throws {
    var world = try world(kind)
    let columns = "violations?select=finality,doubts,is_retracted"
    func row() -> [String: RestJSON] { world.rows(columns).first ?? [:] }
    #expect(row()["finality"] == "provisional" && row()["doubts"] == .list([]))
    #expect(row()["is_retracted"] == .flag(false))
    // The same end once more, as another kind of vehicle, makes that doubtful.
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["vehicle_type": "\"bus\""]))
    #expect(row()["doubts"] == .list(["contradicted"]))
    for (filter, count) in [
      ("doubts=eq.{contradicted}", 1), ("doubts=eq.{}", 0), ("finality=eq.provisional", 1),
      ("is_retracted=is.true", 0),
    ] {
      #expect(world.rows("violations?\(filter)").count == count, "\(filter)")
    }
    #expect(world.rows("violations").first?.keys.contains("calculated_speed_kmh") == true)
    world.ask("GET", "violations?doubts=eq.contradicted")
    #expect(world.status == 400)
  }

  /// An outcome that came over the API is shown with the violation, by the name of whoever recorded it.
  @Test(arguments: StoreKind.shipped) func anOutcomeOfTheAPIIsShown(_ kind: StoreKind) throws {
    var world = try world(kind)
    let id = world.rows("violations").first?["id"]?.text ?? ""
    world.ask(
      "POST", "violation_outcomes",
      "{\"violation_id\":\"\(id)\",\"outcome_type\":\"fined\",\"fine_amount\":1500,\"notes\":\"admitted\","
        + "\"recorded_by\":\"\(WireWorld.sita)\"}")
    #expect(world.status == 201)
    let stored = try #require(try world.store.violations(ViolationQuery()).first)
    #expect(
      stored.outcome
        == ViolationOutcome(
          .fined, fine: 150_000, notes: "admitted", by: "Sita", at: world.now))
    #expect(
      try world.store.record(
        ViolationOutcome(.warned, by: "Maya", at: world.now), of: stored.uuid, actor: nil)
        == .known(stored))
    // And the other way about: what an operator recorded is a row of the API.
    world.ask("DELETE", "violation_outcomes", as: .service)
    _ = try world.store.record(
      ViolationOutcome(.letGo, notes: "ambulance", by: "Ram", at: world.now), of: stored.uuid,
      actor: nil)
    let row = world.rows("violation_outcomes").first ?? [:]
    #expect(row["outcome_type"] == "let_go" && row["notes"] == "ambulance")
    #expect(row["recorded_by"]?.text == WireWorld.ram)
    #expect(row["fine_amount"] == .null)
  }

  /// Who corrects by a key is named by it.
  @Test(arguments: StoreKind.shipped) func aCorrectionByAKeyNamesIt(_ kind: StoreKind) throws {
    var world = try world(kind)
    var program = RestPrincipal.service
    program.key = "k3v9x2ab"
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(2))",
      "{\"vehicle_type\":\"bus\"}", as: program)
    let stored = try #require(try world.store.violations(ViolationQuery()).first)
    let evidence = try #require(try world.store.violation(stored.uuid))
    #expect(
      evidence.exit.records.flatMap { $0.record.corrections.map(\.author) } == ["key k3v9x2ab"])
  }
}
