import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// What a post may say and both stores take alike: a camera's reading, a clock that was not set, a passage at a segment
/// of which the other end is not known yet.
@Suite struct WireReadingTests {
  /// An app that corrected a camera's reading uploads both.
  @Test(arguments: StoreKind.shipped) func aReadingThatIsNoPlateIsKept(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let readings = ["B4 1PA I234", "?", "BA 2 PA 9999", "\u{915}\u{94D}\u{937}!"]
    for (number, reading) in readings.enumerated() {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number + 1, "BA1PA\(1_000 + number)", at: 0, west: false,
          ["plate_number_raw": "\"\(reading)\""]))
      #expect(world.status == 201, "\(reading)")
    }
    let rows = world.rows(
      "vehicle_passages?order=plate_number&select=plate_number,plate_number_raw")
    #expect(rows.compactMap { $0["plate_number_raw"]?.text } == readings)
    let plates = (0..<4).map { "BA1PA\(1_000 + $0)" }
    #expect(rows.compactMap { $0["plate_number"]?.text } == plates)
    let stored = try world.store.passages(PassageQuery())
    #expect(stored.map(\.passage.plate.raw) == readings)
    #expect(stored.map(\.passage.plate.compact) == plates)
    // The same once more is nothing new, and what is put right later pairs.
    world.ask(
      "POST", "vehicle_passages?on_conflict=client_id",
      WireWorld.passage(
        1, "BA1PA1000", at: 0, west: false, ["plate_number_raw": "\"B4 1PA I234\""]),
      prefer: "resolution=ignore-duplicates")
    #expect(world.status == 201)
    world.now = world.now + .seconds(5_000)
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"plate_number\":\"BA1PA7777\",\"plate_number_raw\":\"8A IPA 7?77\"}")
    #expect(world.status == 204)
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(9, "BA1PA7777", at: 1_800, west: true),
      as: WireWorld.western)
    let found = try #require(try world.store.violations(ViolationQuery()).first)
    #expect(found.violation.finding.plate == "BA1PA7777")
    let evidence = try #require(try world.store.violation(found.uuid))
    #expect(evidence.entry.passage?.passage.plate.raw == "8A IPA 7?77")
    #expect(evidence.entry.records.first?.record.corrections.first?.plate?.compact == "BA1PA7777")
    #expect(
      evidence.entry.records.first?.record.observations.first?.plate.raw == "B4 1PA I234")
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(
        10, "BA1PA1000", at: 9, west: false,
        ["plate_number_raw": "\"\(String(repeating: "x", count: 201))\""]))
    #expect(world.status == 400)
  }

  /// A clock of 1970 is kept as one of 2015 is: without a time, and not judged.
  @Test(arguments: StoreKind.shipped) func aClockThatWasNeverSetIsKept(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    for (number, time) in [
      "1970-01-01T00:00:00Z", "1970-01-01T00:10:00.250Z", "1999-12-31T23:59:59Z",
      "2015-06-01T00:00:00Z",
    ].enumerated() {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number + 1, "BA1PA1234", at: 0, west: false, ["recorded_at": "\"\(time)\""]))
      #expect(world.status == 201, "\(time)")
    }
    let stored = try world.store.passages(PassageQuery())
    #expect(stored.count == 4 && stored.allSatisfy(\.passage.isUndated))
    #expect(
      world.rows("vehicle_passages?order=recorded_at&select=recorded_at&limit=1").first?[
        "recorded_at"]
        == "1970-01-01T00:00:00+00:00")
    // It gets its time, and is judged.
    world.now = world.now + .seconds(5_000)
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"recorded_at\":\"2026-01-01T00:00:00Z\"}")
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(9, at: 1_800, west: true), as: WireWorld.western
    )
    #expect(try world.store.violations(ViolationQuery()).count == 1)
  }

  /// A post whose segment has no other end yet hands in passages, which are told and are judged once there is one.
  @Test(arguments: StoreKind.shipped) func aSegmentWithOneEndTakesPassages(_ kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    let north = try Segment(
      name: "North", distanceKilometres: 45, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 40)
    func post(_ code: String, _ index: Int) throws -> DirectoryEntry {
      .post(
        Post(
          code: try CheckpostCode(code), name: code,
          place: Post.Place(segment: "North", index: index)
        ))
    }
    let phone = try #require(PhoneNumber("+9779802220000"))
    _ = try world.store.put([
      .segment(north), try post("NTH-A", 0),
      .ranger(Ranger(name: "Maya", phone: phone, checkpost: try CheckpostCode("NTH-A"))),
    ])
    func uuid(_ kind: String, _ name: String) -> String {
      ClientID.derived(kind: kind, name: name).description
    }
    let (segment, first, other) = (
      uuid("segment", "North"), uuid("post", "NTH-A"), uuid("post", "NTH-B")
    )
    let maya = RestPrincipal(
      .ranger, user: uuid("profile", phone.digits), post: first, segment: segment)
    func passage(_ number: Int, at second: Int, _ post: String, _ ranger: String) -> String {
      WireWorld.passage(
        number, "BA1PA1234", at: second, west: false,
        [
          "checkpost_id": "\"\(post)\"", "segment_id": "\"\(segment)\"",
          "ranger_id": "\"\(ranger)\"",
        ])
    }
    let told = world.ask(
      "POST", "vehicle_passages?select=client_id,segment_id",
      passage(1, at: 0, first, maya.user ?? ""), prefer: "return=representation", as: maya)
    #expect(world.status == 201, "\(told)")
    #expect(
      told.written == "[{\"client_id\":\"\(WireWorld.client(1))\",\"segment_id\":\"\(segment)\"}]")
    #expect(world.rows("vehicle_passages", as: maya).count == 1)
    #expect(world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(1))", as: maya).count == 1)
    var query = PassageQuery()
    query.segment = "North"
    #expect(try world.store.passages(query).map(\.passage.segment) == ["North"])

    let far = try #require(PhoneNumber("+9779802220001"))
    _ = try world.store.put([
      try post("NTH-B", 1),
      .ranger(Ranger(name: "Asha", phone: far, checkpost: try CheckpostCode("NTH-B"))),
    ])
    while try !world.store.rejudge(
      rules: JudgingRules(), everything: false, limit: 10, at: world.now
    ).isDone {}
    let asha = RestPrincipal(
      .ranger, user: uuid("profile", far.digits), post: other, segment: segment)
    world.ask("POST", "vehicle_passages", passage(2, at: 1_800, other, asha.user ?? ""), as: asha)
    #expect(world.status == 201)
    #expect(world.rows("violations", as: maya).count == 1)
  }

  /// A post that recorded before it stood at any segment.
  @Test(arguments: StoreKind.shipped) func aPostThatIsPutOnASegmentLaterIsTold(_ kind: StoreKind)
    throws
  {
    let world = try WireWorld(kind)
    let code = try CheckpostCode("NTH-A")
    let lone = try Passage(
      recording: try Plate("BA1PA1234"), vehicleType: .car, checkpost: code,
      recordedAt: WireWorld.start, suffix: .unknown)
    _ = try world.store.put([.post(Post(code: code, name: "North", place: nil))])
    _ = try world.store.take(
      [
        PassageArrival(
          Observation(of: lone, channel: .operated, isProven: true, receivedAt: world.now))
      ],
      at: world.now)
    #expect(try world.store.passages(PassageQuery()).map(\.passage.segment) == [nil])
    _ = try world.store.put([
      .segment(
        try Segment(
          name: "North", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      .post(Post(code: code, name: "North", place: Post.Place(segment: "North", index: 0))),
    ])
    while try !world.store.rejudge(
      rules: JudgingRules(), everything: false, limit: 10, at: world.now
    ).isDone {}
    #expect(try world.store.passages(PassageQuery()).map(\.passage.segment) == ["North"])
  }
}
