import CentralCore
import Passages
import RestAPI
import Storage
import Testing
import Time

/// What the least account may not say: passages in other names and of other posts, that all is here, what came of other
/// people's violations.
@Suite struct WireForgeryTests {
  @Test(arguments: StoreKind.shipped) func nobodyWritesInAnothersName(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let inHisName = WireWorld.passage(
      1, "BA1PA1234", at: 0, west: false, ["ranger_id": "\"\(WireWorld.ram)\""])
    world.ask("POST", "vehicle_passages", inHisName)
    #expect(world.status == 403)
    // A machine of a post names the ranger who serves there, and nobody else.
    let machine = RestPrincipal(.post, post: WireWorld.east, segment: WireWorld.segment, key: "k")
    world.ask("POST", "vehicle_passages", inHisName, as: machine)
    #expect(world.status == 403)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1), as: machine)
    #expect(world.status == 201)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, "BA1PA1235"))
    #expect(world.status == 201)
    let stranger = WireWorld.passage(
      3, "BA1PA1236", at: 0, west: false, ["ranger_id": "\"\(WireWorld.client(7))\""])
    world.ask("POST", "vehicle_passages", stranger, as: .service)
    #expect(world.status == 409, "nobody has that name")
  }

  /// Two passages at the own post, and one of them moved to the other: no violation, and where central moves it a
  /// doubt.
  @Test(arguments: StoreKind.shipped) func onlyCentralMovesAPassage(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, at: 1_800))
    let target = "vehicle_passages?client_id=eq.\(WireWorld.client(2))"
    let move = "{\"checkpost_id\":\"\(WireWorld.west)\"}"
    world.ask("PATCH", target, move)
    #expect(world.status == 403)
    let machine = RestPrincipal(.post, post: WireWorld.east, segment: WireWorld.segment, key: "k")
    world.ask("PATCH", target, move, as: machine)
    #expect(world.status == 403)
    // Nor by handing it in once more, from the other post.
    let merged = WireWorld.passage(2, at: 1_800, west: true)
    world.ask(
      "POST", "vehicle_passages?on_conflict=client_id", merged,
      prefer: "resolution=merge-duplicates", as: WireWorld.western)
    #expect(world.status == 403)
    #expect(try world.store.violations(ViolationQuery()).isEmpty)
    // What says the same moves nothing.
    world.ask("PATCH", target, "{\"checkpost_id\":\"\(WireWorld.east)\",\"vehicle_type\":\"bus\"}")
    #expect(world.status == 204)

    world.now = world.now + .seconds(5_000)
    world.ask("PATCH", target, move, as: .service)
    #expect(world.status == 204)
    let found = try #require(try world.store.violations(ViolationQuery()).first)
    #expect(found.violation.finding.doubts == [.contradicted])
    let evidence = try #require(try world.store.violation(found.uuid))
    #expect(evidence.exit.passage?.contradictions == [.post])
    // And back.
    world.now = world.now + .seconds(60)
    world.ask("PATCH", target, "{\"checkpost_id\":\"\(WireWorld.east)\"}", as: .service)
    #expect(try world.store.violations(ViolationQuery()).isEmpty)
    #expect(
      try world.store.passages(PassageQuery()).flatMap(\.contradictions).isEmpty)
  }

  private func mark(
    _ world: inout WireWorld, west isWest: Bool, device: String, through: String,
    pending: Int = 0, user: String? = nil
  ) {
    let user = user ?? (isWest ? WireWorld.ram : WireWorld.sita)
    world.ask(
      "POST", "sync_metadata?on_conflict=user_id,device_id",
      "{\"user_id\":\"\(user)\",\"device_id\":\"\(device)\",\"pending_count\":\(pending),"
        + "\"last_sync_at\":\"\(through)\"}", prefer: "resolution=merge-duplicates", as: .service)
    #expect((200..<300).contains(world.status))
  }

  private func told(_ second: Int64) -> String { (WireWorld.start + .seconds(second)).rfc3339 }

  private func finality(_ world: WireWorld) throws -> [Finality] {
    try world.store.violations(ViolationQuery()).map(\.violation.finality)
  }

  /// A second account of a post adds to what its node says, and never speaks in its place, whatever it calls its
  /// device.
  @Test(arguments: StoreKind.shipped) func nobodySaysForANodeThatAllIsHere(_ kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    let hari = ClientID.derived(kind: "profile", name: "9779801110000").description
    _ = try world.store.put([
      .ranger(
        Ranger(
          name: "Hari", phone: try #require(PhoneNumber("+9779801110000")),
          checkpost: try CheckpostCode("BNP-B")))
    ])
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    world.now = WireWorld.start + .seconds(10_000)
    mark(&world, west: false, device: "BNP-A", through: told(9_000))
    // The node has told of more than what waits there still.
    mark(&world, west: true, device: "BNP-B", through: told(9_000), pending: 3)
    for through in ["2099-01-01T00:00:00Z", "9999-12-31T00:00:00Z", told(9_900)] {
      mark(&world, west: true, device: "BNP-B", through: through, user: hari)
      mark(&world, west: true, device: "other", through: through, user: hari)
      #expect(try finality(world) == [.provisional])
    }
    // The node's own word counts, also after that.
    world.now = world.now + .seconds(100)
    mark(&world, west: true, device: "BNP-B", through: told(9_500))
    #expect(try finality(world) == [.reported])
  }

  /// Whoever says that all is here up to 2099 has said it of what was here: of what comes later it says nothing, by
  /// whatever way it was told.
  @Test(arguments: StoreKind.shipped) func aMarkSaysNothingOfWhatComesAfterIt(_ kind: StoreKind)
    throws
  {
    for isByText in [false, true] {
      var world = try WireWorld(kind)
      world.now = WireWorld.start + .seconds(1_000)
      for isWest in [false, true] {
        if isByText {
          let (post, now) = (try CheckpostCode(isWest ? "BNP-B" : "BNP-A"), world.now)
          _ = try world.store.transaction { inbox throws(StorageError) in
            try inbox.report(
              post, through: 4_070_908_800, receivedAt: now, rules: JudgingRules(), at: now)
          }
        } else {
          mark(
            &world, west: isWest, device: isWest ? "BNP-B" : "BNP-A",
            through: "2099-01-01T00:00:00Z")
        }
      }
      world.now = WireWorld.start + .seconds(5_000)
      world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 1_500))
      world.ask(
        "POST", "vehicle_passages", WireWorld.passage(2, at: 3_300, west: true),
        as: WireWorld.western)
      #expect(try finality(world) == [.provisional], "by text: \(isByText)")
      for isWest in [false, true] {
        mark(
          &world, west: isWest, device: isWest ? "BNP-B" : "BNP-A", through: told(4_900))
      }
      #expect(try finality(world) == [.reported], "by text: \(isByText)")
      try world.store.close()
    }
  }

  /// A post that said too much is heard as well when it says less, and it is told.
  @Test(arguments: StoreKind.shipped) func aMarkThatGoesBackCountsAndIsTold(_ kind: StoreKind)
    throws
  {
    var world = try WireWorld(kind)
    world.now = WireWorld.start + .seconds(1_000)
    mark(&world, west: true, device: "BNP-B", through: "2099-01-01T00:00:00Z")
    func west() throws -> PostHeard? {
      try world.store.overview().heard.first { $0.code == "BNP-B" }
    }
    #expect(try west()?.wentBackAt == nil)
    world.now = WireWorld.start + .seconds(2_000)
    mark(&world, west: true, device: "BNP-B", through: told(500))
    #expect(try west()?.wentBackAt == world.now)
    // What passes then is waited for, since less is here than was said.
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_200, west: true), as: WireWorld.western
    )
    mark(&world, west: false, device: "BNP-A", through: told(1_900))
    #expect(try finality(world) == [.provisional])
    mark(&world, west: true, device: "BNP-B", through: told(1_900))
    #expect(try finality(world) == [.reported])
  }

  /// An outcome for what its recorder may not see is refused, whether or not there is one, and does not stand in
  /// the way of the right one.
  @Test(arguments: StoreKind.shipped) func anOutcomeIsOfTheOwnSegment(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    let id = world.rows("violations").first?["id"]?.text ?? ""
    #expect(!id.isEmpty)
    let stranger = RestPrincipal(
      .ranger, user: WireWorld.ram, post: WireWorld.client(8), segment: WireWorld.client(9))
    func outcome(_ user: String) -> String {
      "{\"violation_id\":\"\(id)\",\"outcome_type\":\"let_go\",\"recorded_by\":\"\(user)\"}"
    }
    world.ask("POST", "violation_outcomes", outcome(WireWorld.ram), as: stranger)
    #expect(world.status == 403)
    world.ask("POST", "violation_outcomes", outcome(WireWorld.sita))
    #expect(world.status == 201)
    world.ask("POST", "violation_outcomes", outcome(WireWorld.ram), as: stranger)
    #expect(world.status == 403, "not that there is one")
    world.ask("POST", "violation_outcomes", outcome(WireWorld.ram), as: WireWorld.western)
    #expect(world.status == 409)
  }
}
