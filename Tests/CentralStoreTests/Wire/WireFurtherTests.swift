import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// Posts of several segments, and parks to which people are assigned, written over the API alike in both stores.
@Suite struct WireFurtherTests {
  private static let admin = RestPrincipal(.admin, user: WireWorld.client(77))
  private static let alpha = WireWorld.client(710)
  private static let far = WireWorld.client(711)

  private func code(_ answer: RestJSON) -> String? { answer.object?["code"]?.text }

  /// A second segment of 12 km, which comes first by name, with a post of its own at one end.
  private func road(_ kind: StoreKind) throws -> WireWorld {
    var world = try WireWorld(kind)
    let park = world.rows("parks")[0]["id"]?.text ?? ""
    for (table, body) in [
      (
        "highway_segments",
        "{\"id\":\"\(Self.alpha)\",\"park_id\":\"\(park)\",\"name\":\"Alpha\",\"distance_km\":12,"
          + "\"max_speed_kmh\":40,\"min_speed_kmh\":10}"
      ),
      (
        "checkposts",
        "{\"id\":\"\(Self.far)\",\"segment_id\":\"\(Self.alpha)\",\"name\":\"Far\",\"code\":\"BNP-C\","
          + "\"position_index\":0}"
      ),
    ] {
      let answer = world.ask("POST", table, body, as: Self.admin)
      #expect(world.status == 201, "\(answer)")
    }
    return world
  }

  private func places(_ world: WireWorld, _ code: String) throws -> [Post.Place]? {
    try world.store.posts().first { $0.code.code == code }?.places
  }

  @Test(arguments: StoreKind.shipped) func aPostGetsAFurtherSegment(_ kind: StoreKind) throws {
    var world = try road(kind)
    let target = "checkposts?id=eq.\(WireWorld.west)"
    let both = "{\"segment_ids\":[\"\(WireWorld.segment)\",\"\(Self.alpha)\"]}"
    world.ask("PATCH", target, both)
    #expect(try places(world, "BNP-B")?.count == 1, "a ranger changes no post")
    let told = world.ask(
      "PATCH", "\(target)&select=segment_id,segment_ids,position_index", both,
      prefer: "return=representation", as: Self.admin)
    #expect(world.status == 200, "\(told)")
    // It keeps its end, and takes the free one of the other.
    #expect(
      try places(world, "BNP-B") == [
        Post.Place(segment: "Alpha", index: 1), Post.Place(segment: "Banke", index: 1),
      ])
    #expect(
      told.written
        == "[{\"position_index\":1,\"segment_id\":\"\(Self.alpha)\",\"segment_ids\":[\"\(Self.alpha)\",\"\(WireWorld.segment)\"]}]"
    )
    // What passes there is judged on both.
    world.now = world.now + .seconds(6_000)
    for (number, post, segment, second) in [
      (1, WireWorld.east, WireWorld.segment, 0), (2, WireWorld.west, WireWorld.segment, 1_800),
      (3, Self.far, Self.alpha, 2_100),
    ] {
      let answer = world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, at: second, ["checkpost_id": "\"\(post)\"", "segment_id": "\"\(segment)\""]),
        as: .service)
      #expect(world.status == 201, "\(answer)")
    }
    #expect(
      Set(world.rows("violations", as: .service).compactMap { $0["segment_id"]?.text }) == [
        WireWorld.segment, Self.alpha,
      ])
    // What was read is written again, and changes nothing.
    world.ask(
      "PATCH", target, "{\"segment_ids\":[\"\(Self.alpha)\",\"\(WireWorld.segment)\"]}",
      as: Self.admin)
    #expect(world.status == 204)
    #expect(try places(world, "BNP-B")?.count == 2)
    // One of them is left.
    world.ask("PATCH", target, "{\"segment_ids\":[\"\(WireWorld.segment)\"]}", as: Self.admin)
    #expect(world.status == 204)
    #expect(try places(world, "BNP-B") == [Post.Place(segment: "Banke", index: 1)])
  }

  @Test(arguments: StoreKind.shipped) func aPostIsPutInWithSeveralSegments(
    _ kind: StoreKind
  ) throws {
    var world = try road(kind)
    // At Banke both ends are taken.
    let row = { (ids: String) in
      "{\"segment_id\":\"\(Self.alpha)\",\"name\":\"Mid\",\"code\":\"BNP-D\",\"position_index\":1,"
        + "\"segment_ids\":[\(ids)]}"
    }
    for (ids, expected) in [
      ("\"\(Self.alpha)\",\"\(WireWorld.segment)\"", "23505"),
      // Its own one is not among them.
      ("\"\(WireWorld.segment)\"", "23514"), ("7", "22P02"),
    ] {
      let answer = world.ask("POST", "checkposts", row(ids), as: Self.admin)
      #expect(code(answer) == expected, "\(ids): \(answer)")
    }
    #expect(try places(world, "BNP-D") == nil)
    world.ask("DELETE", "checkposts?code=eq.BNP-B", as: Self.admin)
    #expect(world.status == 204)
    let answer = world.ask(
      "POST", "checkposts", row("\"\(WireWorld.segment)\",\"\(Self.alpha)\""), as: Self.admin)
    #expect(world.status == 201, "\(answer)")
    #expect(
      try places(world, "BNP-D") == [
        Post.Place(segment: "Alpha", index: 1), Post.Place(segment: "Banke", index: 1),
      ])
    // By CSV, as PostgreSQL writes a list.
    world.ask(
      "PATCH", "checkposts?code=eq.BNP-D", "segment_ids\n{\(Self.alpha)}\n",
      headers: ["content-type": "text/csv"], as: Self.admin)
    #expect(world.status == 204)
    #expect(try places(world, "BNP-D") == [Post.Place(segment: "Alpha", index: 1)])
  }

  @Test(arguments: StoreKind.shipped) func peopleAreAssignedToAPark(_ kind: StoreKind) throws {
    var world = try road(kind)
    let park = WireWorld.client(720)
    // The park that was there first is everybody's.
    world.now = WireWorld.start + .seconds(20 * 365 * 86_400)
    world.ask(
      "POST", "parks", "{\"id\":\"\(park)\",\"name\":\"Bardiya\",\"code\":\"BDY\"}",
      as: Self.admin)
    #expect(world.status == 201)
    let target = "user_profiles?id=eq.\(WireWorld.sita)"
    func assigned() -> RestJSON? {
      world.rows(target, as: Self.admin).first?["assigned_park_id"]
    }
    let own = try #require(assigned())
    #expect(own != .text(park) && own != .null)
    let body = "{\"assigned_park_id\":\"\(park)\"}"
    world.ask("PATCH", target, body)
    #expect(assigned() == own, "nobody assigns themselves")
    let unknown = world.ask(
      "PATCH", target, "{\"assigned_park_id\":\"\(WireWorld.client(9))\"}", as: Self.admin)
    #expect(code(unknown) == "23503")
    world.ask("PATCH", target, body, as: Self.admin)
    #expect(world.status == 204)
    #expect(assigned() == .text(park))
    // It stays with somebody who has another number, and goes with the park.
    world.ask("PATCH", target, "{\"phone_number\":\"+9779801119999\"}", as: Self.admin)
    #expect(world.status == 204 && assigned() == .text(park))
    world.ask("DELETE", "parks?id=eq.\(park)", as: Self.admin)
    #expect(world.status == 204)
    #expect(assigned() == own)
    let told = world.ask(
      "POST", "user_profiles?select=assigned_park_id",
      "{\"full_name\":\"Hari\",\"role\":\"ranger\",\"phone_number\":\"9801112255\","
        + "\"assigned_checkpost_id\":\"\(WireWorld.east)\",\"assigned_park_id\":\(own.written)}",
      prefer: "return=representation", as: Self.admin)
    #expect(told.written == "[{\"assigned_park_id\":\(own.written)}]", "\(told)")
  }
}
