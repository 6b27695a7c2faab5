import Accounts
import CentralCore
import Passages
import RestAPI
import Storage
import Testing
import Time

/// What an admin and the service key write of parks, segments, posts and people, alike in both stores.
@Suite struct WireDirectoryTests {
  private static let admin = RestPrincipal(.admin, user: WireWorld.client(77))
  private static let new = WireWorld.client(700)

  private func code(_ answer: RestJSON) -> String? { answer.object?["code"]?.text }

  private func audit(_ world: WireWorld) throws -> [AuditEntry] {
    let store = try #require(world.store as? any AccountStore)
    return try store.readAccounts { rows throws(StorageError) in try rows.audit(limit: 50) }
      .reversed()
  }

  /// A travel of 1,800 s over 45 km: 90 km/h, far too fast.
  private func speed(_ world: inout WireWorld, _ number: Int, at second: Int) {
    let plate = "BA1PA\(1_000 + number)"
    world.ask("POST", "vehicle_passages", WireWorld.passage(number, plate, at: second))
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(number + 1, plate, at: second + 1_800, west: true), as: WireWorld.western)
  }

  private func rejudge(_ world: WireWorld) throws {
    _ = try world.store.rejudgeAll(everything: false, limit: 100, at: world.now)
  }

  @Test(arguments: StoreKind.shipped) func aRoadIsPutInChangedAndRemoved(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let park = WireWorld.client(701)
    let segment = WireWorld.client(702)
    let (first, second) = (WireWorld.client(703), WireWorld.client(704))
    for (table, body) in [
      ("parks", "{\"id\":\"\(park)\",\"name\":\"Bardiya\",\"code\":\"BDY\"}"),
      (
        "highway_segments",
        "{\"id\":\"\(segment)\",\"park_id\":\"\(park)\",\"name\":\"Bardiya East\",\"distance_km\":20.5,"
          + "\"max_speed_kmh\":40,\"min_speed_kmh\":10}"
      ),
      (
        "checkposts",
        "[{\"id\":\"\(first)\",\"segment_id\":\"\(segment)\",\"name\":\"Amb\",\"code\":\"BDY-A\",\"position_index\":0,"
          + "\"latitude\":28.1},{\"id\":\"\(second)\",\"segment_id\":\"\(segment)\",\"name\":\"Chi\","
          + "\"code\":\"BDY-B\",\"position_index\":1,\"latitude\":null}]"
      ),
    ] {
      #expect(code(world.ask("POST", table, body)) == "42501" && world.status == 403)
      let answer = world.ask("POST", table, body, as: Self.admin)
      #expect(world.status == 201, "\(answer)")
      #expect(code(world.ask("POST", table, body, as: Self.admin)) == "23505")
    }
    let row = try #require(world.rows("highway_segments?id=eq.\(segment)").first)
    #expect(row["max_travel_time_minutes"] == .number("123.00") && row["park_id"]?.text == park)
    #expect(row["checkpost_ids"] == .list([.text(first), .text(second)]))
    #expect(
      try world.store.posts().filter { $0.code.code.hasPrefix("BDY") }.map(\.places) == [
        [Post.Place(segment: "Bardiya East", index: 0)],
        [Post.Place(segment: "Bardiya East", index: 1)],
      ])
    // What was put in is judged by.
    let ranger = RestPrincipal(.service)
    for (number, post, at) in [(1, first, 0), (2, second, 600)] {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, at: at, ["checkpost_id": "\"\(post)\"", "segment_id": "\"\(segment)\""]),
        as: ranger)
      #expect(world.status == 201)
    }
    #expect(world.rows("violations?segment_id=eq.\(segment)", as: .service).count == 1)
    for (target, body) in [
      ("parks?id=eq.\(park)", "{\"name\":\"Bardiya National Park\",\"is_active\":false}"),
      ("highway_segments?id=eq.\(segment)", "{\"is_active\":false}"),
      (
        "checkposts?id=eq.\(first)",
        "{\"name\":\"Ambassa\",\"longitude\":81.25,\"is_active\":false,\"latitude\":null}"
      ),
    ] {
      world.ask("PATCH", target, body)
      #expect(world.field("Content-Range") == "*/*")
      let answer = world.ask("PATCH", target, body, as: Self.admin)
      #expect(world.status == 204, "\(answer)")
    }
    #expect(
      world.rows("parks?id=eq.\(park)").first?["name"]?.text == "Bardiya National Park")
    let post = try #require(world.rows("checkposts?id=eq.\(first)").first)
    #expect(post["name"]?.text == "Ambassa" && post["longitude"] == .number("81.250000"))
    #expect(post["is_active"] == .flag(false) && post["latitude"] == .null)
    // A post, its segment and its park stay as long as passages name them.
    for target in [
      "checkposts?id=eq.\(first)", "highway_segments?id=eq.\(segment)", "parks?id=eq.\(park)",
    ] {
      #expect(code(world.ask("DELETE", target, as: Self.admin)) == "23503" && world.status == 409)
    }
    let kinds = try audit(world).map(\.kind)
    #expect(
      kinds == Array(repeating: .directoryAdded, count: 4)
        + Array(repeating: .directoryChanged, count: 3))
    #expect(try audit(world).allSatisfy { $0.actor == Self.admin.user })
  }

  @Test(arguments: StoreKind.shipped) func whatNothingNamesGoesWithItsSegment(
    _ kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    let told = world.ask(
      "DELETE", "highway_segments?id=eq.\(WireWorld.segment)&select=name",
      prefer: "return=representation", as: Self.admin)
    #expect(told.written == "[{\"name\":\"Banke\"}]")
    #expect(world.rows("highway_segments").isEmpty && world.rows("checkposts").isEmpty)
    #expect(try world.store.posts().isEmpty)
    // The ranger who served there is still known, and serves nowhere.
    let sita = try #require(
      world.rows("user_profiles?id=eq.\(WireWorld.sita)", as: Self.admin).first)
    #expect(sita["assigned_checkpost_id"] == .null)
    #expect(try world.store.rangers().isEmpty)
    #expect(try audit(world).map(\.kind) == [.directoryRemoved])
  }

  @Test(arguments: StoreKind.shipped) func newNumbersHoldFromNowOn(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    speed(&world, 1, at: 0)
    world.now = world.now + .seconds(5_000)
    let found = try #require(try world.store.violations(ViolationQuery()).first)
    _ = try world.store.confirm(found.uuid, by: "Maya", rules: JudgingRules(), at: world.now)
    let target = "highway_segments?id=eq.\(WireWorld.segment)"
    let answer = world.ask("PATCH", target, "{\"max_speed_kmh\":120}", as: Self.admin)
    #expect(world.status == 204, "\(answer)")
    try rejudge(world)
    let kept = try #require(try world.store.violations(ViolationQuery()).first)
    #expect(kept.violation.confirmedAt != nil && !kept.violation.isRetracted)
    #expect(try world.store.segments().first?.earlier.map(\.until) == [world.now.epochSeconds])
    // Who comes from then on may be faster.
    speed(&world, 3, at: 6_000)
    #expect(world.rows("violations").count == 1)
    // From before on it would take back what a person confirmed.
    let back = world.ask(
      "PATCH", target, "{\"max_speed_kmh\":110,\"since\":\"2025-12-31T00:00:00Z\"}",
      as: Self.admin)
    #expect(code(back) == "0A000" && world.status == 409)
    #expect(back.object?["message"]?.text?.hasPrefix("1 violations") == true)
    #expect(try world.store.segments().first?.maximumMetresPerHour == 120_000)
    try rejudge(world)
    #expect(world.rows("violations").count == 1)
  }

  @Test(arguments: StoreKind.shipped) func newNumbersHoldFromWhenTheyAreSaidTo(
    _ kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    speed(&world, 1, at: 0)
    speed(&world, 3, at: 3_000)
    world.now = world.now + .seconds(9_000)
    #expect(world.rows("violations").count == 2)
    let since = (WireWorld.start + .seconds(2_000)).rfc3339
    let answer = world.ask(
      "PATCH", "highway_segments?id=eq.\(WireWorld.segment)",
      "{\"max_speed_kmh\":120,\"since\":\"\(since)\"}", as: Self.admin)
    #expect(world.status == 204, "\(answer)")
    try rejudge(world)
    #expect(world.rows("violations").map { $0["plate_number"]?.text } == ["BA1PA1001"])
    #expect(
      code(
        world.ask(
          "PATCH", "highway_segments?id=eq.\(WireWorld.segment)", "{\"since\":\"soon\"}",
          as: Self.admin)) == "22007")
  }

  @Test(arguments: StoreKind.shipped) func aPostThatMovesTakesNothingBackThatIsFined(
    _ kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    let segment = WireWorld.client(702)
    world.ask(
      "POST", "highway_segments",
      "{\"id\":\"\(segment)\",\"park_id\":\"\(world.rows("parks")[0]["id"]?.text ?? "")\",\"name\":\"Far\","
        + "\"distance_km\":20,\"max_speed_kmh\":40,\"min_speed_kmh\":10}", as: Self.admin)
    #expect(world.status == 201)
    speed(&world, 1, at: 0)
    let violation = world.rows("violations").first?["id"]?.text ?? ""
    world.ask(
      "POST", "violation_outcomes",
      "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"fined\",\"notes\":\"paid\","
        + "\"recorded_by\":\"\(WireWorld.sita)\"}")
    #expect(world.status == 201)
    let target = "checkposts?id=eq.\(WireWorld.west)"
    let since = (WireWorld.start - .seconds(5_000)).rfc3339
    let moved = "{\"segment_id\":\"\(segment)\",\"since\":\"\(since)\"}"
    let refused = world.ask("PATCH", target, moved, as: Self.admin)
    #expect(code(refused) == "0A000" && world.status == 409, "\(refused)")
    let ahead = world.ask(
      "PATCH", target, moved.replacing(since, with: "2999-01-01T00:00:00Z"), as: Self.admin)
    #expect(code(ahead) == "23514")
    #expect(world.rows(target).first?["segment_id"]?.text == WireWorld.segment)
    let taken = world.ask("PATCH", target, "{\"position_index\":0}", as: Self.admin)
    #expect(code(taken) == "23505")
    // From now on it may: what it recorded before stays there, with the segment of then.
    world.now = WireWorld.start + .seconds(4_000)
    world.ask("PATCH", target, "{\"segment_id\":\"\(segment)\"}", as: Self.admin)
    #expect(world.status == 204)
    #expect(world.rows(target).first?["segment_id"]?.text == segment)
    try rejudge(world)
    let passages = "vehicle_passages?checkpost_id=eq.\(WireWorld.west)"
    #expect(
      Set(world.rows(passages, as: .service).compactMap { $0["segment_id"]?.text }) == [
        WireWorld.segment
      ])
    #expect(world.rows("violations", as: .service).count == 1)
    // What comes late counts for where the post stood, and the post reads it.
    let late = WireWorld.western.serving(at: try world.rest.place(ofPost: "BNP-B"))
    for (number, at) in [(8, 1_000), (9, 5_000)] {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, "BA2PA1", at: at, west: true, ["segment_id": "\"\(segment)\""]), as: late)
      #expect(world.status == 201)
      let read = world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(number))", as: late)
      #expect(
        read.map { $0["segment_id"]?.text } == [at < 4_000 ? WireWorld.segment : segment])
    }
    world.ask("DELETE", "violation_outcomes", as: .service)
    world.ask("PATCH", target, moved, as: Self.admin)
    #expect(world.status == 204)
    try rejudge(world)
    #expect(
      Set(world.rows(passages, as: .service).compactMap { $0["segment_id"]?.text }) == [segment])
  }

  @Test(arguments: StoreKind.shipped) func whatMakesNoSenseIsRefused(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let segment = "highway_segments?id=eq.\(WireWorld.segment)"
    let post = "checkposts?id=eq.\(WireWorld.east)"
    let rows = [
      ("PATCH", segment, "{\"distance_km\":0}", "23514"),
      ("PATCH", segment, "{\"max_speed_kmh\":5}", "23514"),
      ("PATCH", segment, "{\"name\":\"Other\"}", "0A000"),
      ("PATCH", segment, "{\"min_travel_time_minutes\":1}", "0A000"),
      ("PATCH", segment, "{\"park_id\":\"\(Self.new)\"}", "23503"),
      ("PATCH", segment, "{\"park_id\":null}", "23502"),
      ("PATCH", post, "{\"code\":\"X-1\"}", "0A000"),
      ("PATCH", post, "{\"position_index\":2}", "23514"),
      ("PATCH", post, "{\"latitude\":91}", "23514"),
      ("PATCH", post, "{\"segment_id\":\"\(Self.new)\"}", "23503"),
      ("PATCH", post, "{\"segment_ids\":[]}", "23514"),
      ("PATCH", post, "{\"segment_ids\":[\"x\"]}", "23514"),
      ("PATCH", post, "{\"segment_ids\":[\"\(Self.new)\"]}", "23503"),
      ("PATCH", post, "{\"segment_ids\":{}}", "22P02"),
      ("PATCH", "parks", "{\"code\":\"ABCDEFGHIJK\"}", "23514"),
      ("POST", "parks", "{\"name\":\"A\\nB\",\"code\":\"A\"}", "23514"),
      (
        "POST", "checkposts",
        "{\"segment_id\":\"\(WireWorld.segment)\",\"name\":\"N\",\"code\":\"n 1\",\"position_index\":0}",
        "23514"
      ),
      ("DELETE", "user_profiles", "", "PGRST117"), ("DELETE", "violations", "", "PGRST117"),
      ("POST", "proactive_overstay_alerts", "{}", "PGRST117"),
    ]
    for (method, target, body, expected) in rows {
      let answer = world.ask(method, target, body, as: Self.admin)
      #expect(code(answer) == expected, "\(method) \(target) \(body): \(answer)")
    }
    #expect(try audit(world).isEmpty)
  }

  @Test(arguments: StoreKind.shipped) func aRowIsMergedByItsCode(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let body =
      "{\"segment_id\":\"\(WireWorld.segment)\",\"name\":\"Easternmost\",\"code\":\"BNP-A\",\"position_index\":0}"
    for (resolution, status, name) in [
      ("ignore", 201, "East"), ("merge", 200, "Easternmost"),
    ] {
      let answer = world.ask(
        "POST", "checkposts?on_conflict=code", body,
        prefer: "resolution=\(resolution)-duplicates", as: Self.admin)
      #expect(world.status == status, "\(answer)")
      #expect(world.rows("checkposts?code=eq.BNP-A").first?["name"]?.text == name)
    }
    #expect(world.rows("checkposts").count == 2)
  }

  @Test(arguments: StoreKind.shipped) func peopleWithoutAnAccount(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    func person(_ more: String) -> String {
      "{\"full_name\":\"Hari\",\"role\":\"ranger\",\"assigned_checkpost_id\":\"\(WireWorld.east)\"\(more)}"
    }
    let phone = ",\"phone_number\":\"9801112255\""
    #expect(code(world.ask("POST", "user_profiles", person(phone))) == "42501")
    let rows = [
      (person(""), "23502"), (person(",\"phone_number\":\"nonsense\""), "23514"),
      (person(",\"phone_number\":\"+9779801234567\""), "23505"),
      (person(phone + ",\"id\":\"\(Self.new)\""), "23503"),
      (person(phone).replacing("\"ranger\"", with: "\"admin\""), "0A000"),
    ]
    for (body, expected) in rows {
      let answer = world.ask("POST", "user_profiles", body, as: Self.admin)
      #expect(code(answer) == expected, "\(body): \(answer)")
    }
    let told = world.ask(
      "POST", "user_profiles?select=id,phone_number", person(phone),
      prefer: "return=representation", as: Self.admin)
    #expect(world.status == 201, "\(told)")
    guard case .list(let list) = told, let row = list.first?.object, let id = row["id"]?.text else {
      Issue.record("\(told)")
      return
    }
    #expect(row["phone_number"]?.text == "+9779801112255")
    #expect(try world.store.rangers().contains { $0.name == "Hari" })
    let target = "user_profiles?id=eq.\(id)"
    func change(_ body: String) -> String? {
      let answer = world.ask("PATCH", target, body, as: Self.admin)
      return code(answer) ?? "\(world.status)"
    }
    #expect(change("{\"phone_number\":null}") == "0A000")
    #expect(change("{\"phone_number\":\"+9779807654321\"}") == "23505")
    #expect(change("{\"full_name\":\"Hari K.C.\",\"phone_number\":\"+9779801119999\"}") == "204")
    var now = try #require(world.rows(target, as: Self.admin).first)
    #expect(now["full_name"]?.text == "Hari K.C.")
    #expect(now["phone_number"]?.text == "+9779801119999")
    #expect(try world.store.rangers().map(\.phone.description).contains("+9779801119999"))
    #expect(try !world.store.rangers().map(\.phone.description).contains("+9779801112255"))
    // One who left speaks for no post, and is not imported by the number again.
    #expect(change("{\"is_active\":false}") == "204")
    now = try #require(world.rows(target, as: Self.admin).first)
    #expect(now["is_active"] == .flag(false))
    let left = try #require(PhoneNumber("+9779801119999"))
    #expect(try !world.store.rangers().contains { $0.phone == left })
    let again = Ranger(name: "Hari", phone: left, checkpost: try CheckpostCode("BNP-B"))
    #expect(try world.store.put([.ranger(again)]).first != .some(nil))
    #expect(change("{\"is_active\":true,\"assigned_checkpost_id\":\"\(WireWorld.west)\"}") == "204")
    let back = try #require(try world.store.rangers().first { $0.phone == left })
    #expect(back.checkpost.code == "BNP-B")
    #expect(change("{\"assigned_checkpost_id\":null}") == "204")
    #expect(try !world.store.rangers().contains { $0.phone == left })
    let entries = try audit(world)
    #expect(
      entries.map(\.kind) == [.directoryAdded] + Array(repeating: .directoryChanged, count: 4))
    #expect(entries.allSatisfy { $0.detail?.contains("98011") == false })
  }
}
