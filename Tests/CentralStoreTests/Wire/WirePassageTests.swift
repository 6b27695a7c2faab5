import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// Passages over the API: what a node does, and what comes of it.
@Suite struct WirePassageTests {
  private static let push = "vehicle_passages?on_conflict=client_id&select=id,client_id,recorded_at"
  private static let preference = "resolution=ignore-duplicates,return=representation"

  @Test(arguments: StoreKind.shipped) func aPushIsToldOnceAndReadBack(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let body = "[\(WireWorld.passage(1)),\(WireWorld.passage(2, "BA1PA9999"))]"
    let told = world.ask("POST", Self.push, body, prefer: Self.preference)
    #expect(world.status == 201)
    #expect(
      world.field("Preference-Applied") == "return=representation, resolution=ignore-duplicates")
    guard case .list(let rows) = told else { return }
    #expect(
      rows.map { $0.object?["client_id"]?.text } == [WireWorld.client(1), WireWorld.client(2)])
    #expect(rows.first?.object?["id"]?.text == WireWorld.client(1))
    #expect(rows.first?.object?["recorded_at"]?.text == "2026-01-01T00:00:00+00:00")

    #expect(world.ask("POST", Self.push, body, prefer: Self.preference) == .list([]))
    #expect(world.status == 201)
    let back = world.rows(
      "vehicle_passages?client_id=in.(\(WireWorld.client(1)),\(WireWorld.client(2)))"
        + "&select=client_id,checkpost_id,vehicle_type,ranger_id,source,matched_passage_id")
    #expect(back.count == 2)
    #expect(back.first?["checkpost_id"]?.text == WireWorld.east)
    #expect(back.first?["ranger_id"]?.text == WireWorld.sita)
    #expect(back.first?["vehicle_type"]?.text == "jeep")
    #expect(back.first?["matched_passage_id"] == .null)
    #expect(try store(world).count == 2)
  }

  private func store(_ world: WireWorld) throws -> [StoredPassage] {
    try world.store.passages(PassageQuery())
  }

  /// A post says of which passages nobody vouches for the clock: a lawful hour and a half with the clock eleven
  /// hours behind looks like an overstay, and is none for sure.
  @Test(arguments: StoreKind.shipped) func aDoubtfulClockIsHeld(kind: StoreKind) throws {
    let cases: [(told: String?, doubts: [TravelDoubt])] = [
      ("\(WireWorld.client(1))=315360000", [.clocks]), ("nonsense,=,a=b", []), (nil, []),
    ]
    for (told, doubts) in cases {
      var world = try WireWorld(kind)
      defer { try? world.store.close() }
      world.now = WallTime(epochSeconds: WireWorld.start.epochSeconds + 90_000)
      var headers: [String: String] = [:]
      headers["checkpost-clock"] = told
      world.ask(
        "POST", Self.push, "[\(WireWorld.passage(1, at: 5_400))]", prefer: Self.preference,
        headers: headers)
      #expect(world.status == 201)
      world.ask(
        "POST", Self.push, "[\(WireWorld.passage(2, at: 5_400 + 11 * 3_600 + 5_400, west: true))]",
        prefer: Self.preference, as: WireWorld.western)
      #expect(world.status == 201)
      let found = try world.store.violations(ViolationQuery()).map(\.violation)
      #expect(
        found.map { $0.finding.doubts.filter { $0 != .longStay } } == [doubts], "\(told ?? "")")
    }
  }

  /// A post takes a conflict for success and sends no more of it: what it adds has to be kept by then.
  @Test(arguments: StoreKind.shipped) func whatARepetitionAddsIsKeptBeforeItIsAConflict(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    let place = try #require(world.place as? any SQLPlace)
    defer { try? world.store.close() }
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    #expect(world.status == 201)
    let photo = "\(WireWorld.client(1)).jpg"
    let more = WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["photo_path": "\"\(photo)\""])
    try place.execute(
      place is SQLitePlace
        ? "CREATE TRIGGER failing BEFORE INSERT ON observations BEGIN SELECT RAISE(ABORT, 'no'); END"
        : "CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no'; END$$;"
          + "CREATE TRIGGER failing BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION failing()"
    )
    world.ask("POST", "vehicle_passages", more)
    #expect(world.status >= 500)
    try place.execute(
      place is SQLitePlace ? "DROP TRIGGER failing" : "DROP TRIGGER failing ON observations")
    world.ask("POST", "vehicle_passages", more)
    #expect(world.status == 409)
    #expect(try store(world).first?.passage.photoPath == photo)
  }

  /// Of a time of which nothing is kept any more nothing is taken: it is told so that nobody tries again.
  @Test(arguments: StoreKind.shipped) func whatIsTooOldIsRefused(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.now = world.now + .seconds(100 * 86_400)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, at: 100 * 86_400))
    #expect(
      try world.store.expireAll(
        after: .seconds(60 * 86_400), at: WireWorld.start + .seconds(100 * 86_400)
      ).passages == 1)
    let target = "vehicle_passages?client_id=eq.\(WireWorld.client(2))"
    for (method, target, body) in [
      ("POST", "vehicle_passages", WireWorld.passage(1)),
      ("POST", "vehicle_passages", WireWorld.passage(3, at: 1_000)),
      ("PATCH", target, "{\"recorded_at\":\"2026-01-01T00:00:00Z\"}"),
    ] {
      let error = world.ask(method, target, body, as: RestPrincipal(.service, user: nil))
      #expect(world.status == 400, "\(error)")
      #expect(error.object?["code"] == "23514")
    }
    #expect(try store(world).count == 1)
  }

  @Test(arguments: StoreKind.shipped) func aRepetitionWithoutAWordIsAConflict(kind: StoreKind)
    throws
  {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    #expect(world.status == 201)
    for prefer in [nil, "resolution=ignore-duplicates"] {
      let error = world.ask("POST", "vehicle_passages", WireWorld.passage(1), prefer: prefer)
      #expect(world.status == 409)
      #expect(error.object?["code"] == "23505")
      #expect(
        error.object?["message"]?.text
          == "duplicate key value violates unique constraint \"vehicle_passages_client_id_key\"")
      #expect(error.object?["details"] == .null)
    }
    let own = world.ask("POST", "vehicle_passages", WireWorld.passage(1), as: .service)
    #expect(
      own.object?["details"]?.text == "Key (client_id)=(\(WireWorld.client(1))) already exists.")
    let both = "[\(WireWorld.passage(3)),\(WireWorld.passage(1))]"
    world.ask("POST", "vehicle_passages", both)
    #expect(world.status == 409)
    #expect(world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(3))").isEmpty)
  }

  @Test(arguments: StoreKind.shipped) func oneThatIsKnownByItsContentIsFoundByBothIdentities(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    world.ask("POST", Self.push, WireWorld.passage(1), prefer: Self.preference)
    let again = world.ask("POST", Self.push, WireWorld.passage(2), prefer: Self.preference)
    #expect(world.status == 201 && again == .list([]))
    #expect(world.rows("vehicle_passages").count == 1)
    let second = world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(2))")
    #expect(second.first?["client_id"]?.text == WireWorld.client(2))
    #expect(second.first?["id"]?.text == WireWorld.client(1))
  }

  @Test(arguments: StoreKind.shipped) func oneOfASecondRangerIsTheSameAndReadsAsItCame(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    world.ask("POST", Self.push, WireWorld.passage(1), prefer: Self.preference)
    let told = world.ask("POST", Self.push, WireWorld.passage(2, at: 40), prefer: Self.preference)
    #expect(world.status == 201 && told == .list([]))
    #expect(world.rows("vehicle_passages").count == 1)
    let second = world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(2))")
    #expect(second.first?["recorded_at"]?.text == "2026-01-01T00:00:40+00:00")
  }

  @Test(arguments: StoreKind.shipped) func aPairAppearsWithItsViolation(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    #expect(world.status == 201)
    let rows = world.rows(
      "vehicle_passages?order=recorded_at&select=id,matched_passage_id,is_entry")
    #expect(rows.map { $0["is_entry"] } == [.flag(true), .flag(false)])
    #expect(rows[0]["matched_passage_id"] == rows[1]["id"])
    #expect(rows[1]["matched_passage_id"] == rows[0]["id"])
    let violation =
      world.rows(
        "violations?select=*,entry:vehicle_passages!entry_passage_id(client_id,checkposts(code))"
      )
      .first ?? [:]
    #expect(violation["violation_type"] == "speeding")
    #expect(violation["travel_time_minutes"] == .number("30.00"))
    #expect(violation["threshold_minutes"] == .number("67.50"))
    #expect(violation["calculated_speed_kmh"] == .number("90.00"))
    #expect(violation["speed_limit_kmh"] == .number("40.00"))
    #expect(violation["entry"]?.object?["client_id"]?.text == WireWorld.client(1))
    #expect(violation["entry"]?.object?["checkposts"]?.object?["code"] == "BNP-A")

    let match = MatchFunction.answer(
      Array(
        "{\"entry_passage_id\":\"\(WireWorld.client(2))\",\"exit_passage_id\":\"\(WireWorld.client(1))\"}"
          .utf8), as: WireWorld.eastern, from: world.rest)
    #expect(match.status == 409)
    let pair = RestJSON(Array(match.body.utf8))?.object ?? [:]
    #expect(pair["entry_passage_id"]?.text == WireWorld.client(1))
    #expect(pair["travel_time_minutes"] == .number("30.00"))
    #expect(pair["violation"]?.object?["id"] == violation["id"])
  }

  @Test(arguments: StoreKind.shipped) func aCorrectionSetsRightWhatItNames(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, "BA1PA1235"))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    #expect(world.rows("violations").isEmpty)
    world.now = world.now + .seconds(60)
    let target =
      "vehicle_passages?client_id=eq.\(WireWorld.client(1))&select=plate_number,vehicle_type"
    let told = world.ask(
      "PATCH", target,
      "{\"plate_number\":\"BA1PA1234\",\"plate_number_raw\":\"BA 1 PA 1234\",\"vehicle_type\":\"bus\"}",
      prefer: "return=representation")
    #expect(world.status == 200)
    #expect(told.written == "[{\"plate_number\":\"BA1PA1234\",\"vehicle_type\":\"bus\"}]")
    #expect(world.rows("violations").count == 1)
    let photo = world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))&select=photo_path",
      "{\"photo_path\":\"a.jpg\"}", prefer: "return=representation")
    #expect(photo.written == "[{\"photo_path\":\"a.jpg\"}]")
    #expect(world.rows("violations").count == 1)
  }

  @Test(arguments: StoreKind.shipped) func nobodyChangesWhatIsAnothers(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    let told = world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))", "{\"vehicle_type\":\"bus\"}",
      prefer: "return=representation", as: WireWorld.western)
    #expect(world.status == 200 && told == .list([]))
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))", "{\"vehicle_type\":\"bus\"}",
      as: .anonymous)
    #expect(world.status == 204)
    #expect(world.rows("vehicle_passages").first?["vehicle_type"] == "jeep")
    world.ask("POST", "vehicle_passages", WireWorld.passage(2), as: WireWorld.western)
    #expect(world.status == 403)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2), as: .anonymous)
    #expect(world.status == 401)
    let strange = RestPrincipal(
      .ranger, user: WireWorld.ram, post: WireWorld.east, segment: WireWorld.client(9))
    #expect(world.rows("vehicle_passages", as: strange).isEmpty)
    #expect(world.rows("vehicle_passages", as: .anonymous).isEmpty)
  }

  @Test(
    arguments: ["checkpost_id", "segment_id", "ranger_id"], StoreKind.shipped)
  func whatNobodyKnows(column: String, kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let body = WireWorld.passage(1, more: [column: "\"\(WireWorld.client(7))\""])
    let error = world.ask("POST", "vehicle_passages", body, as: .service)
    #expect(error.object?["code"] == "23503" && world.status == 409)
    #expect(error.object?["message"]?.text?.contains("_\(column)_fkey\"") == true)
    #expect(world.rows("vehicle_passages", as: .service).isEmpty)
  }

  @Test(
    arguments: [
      ("plate_number", "\"!\"", "23514"), ("recorded_at", "\"1969-12-31T23:59:59Z\"", "22008"),
      ("recorded_at", "\"9999-01-01T00:00:00Z\"", "22008"),
    ], StoreKind.shipped)
  func whatIsNoPassage(wrong: (column: String, value: String, code: String), kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    let error = world.ask(
      "POST", "vehicle_passages", WireWorld.passage(1, more: [wrong.column: wrong.value]))
    #expect(error.object?["code"]?.text == wrong.code && world.status == 400)
  }

  @Test(arguments: StoreKind.shipped) func theNameThatWasHandedInNamesTheRow(kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    let named = WireWorld.passage(1, more: ["id": "\"\(WireWorld.client(50))\""])
    world.ask("POST", "vehicle_passages", named)
    #expect(world.rows("vehicle_passages?id=eq.\(WireWorld.client(50))").count == 1)
    let other = WireWorld.passage(
      2, "BA1PA7", more: ["id": "\"\(WireWorld.client(50))\""])
    let error = world.ask("POST", "vehicle_passages", other)
    #expect(error.object?["message"]?.text?.contains("vehicle_passages_pkey") == true)
  }

  @Test(arguments: StoreKind.shipped) func pagesBeginWhereTheLastOneEnded(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    for number in 0..<30 {
      world.ask(
        "POST", "vehicle_passages", WireWorld.passage(number + 1, "BA1PA\(number)", at: number / 2))
    }
    var seen: [String] = []
    var place = ""
    while true {
      let rows = world.rows(
        "vehicle_passages?segment_id=eq.\(WireWorld.segment)&checkpost_id=neq.\(WireWorld.west)"
          + "&matched_passage_id=is.null&recorded_at=gte.2026-01-01T00:00:00Z\(place)"
          + "&order=recorded_at.desc,id.desc&limit=7&select=id,recorded_at,checkposts(code)")
      seen += rows.compactMap { $0["id"]?.text }
      guard let last = rows.last, rows.count == 7 else { break }
      let time = (last["recorded_at"]?.text ?? "").replacing("+", with: "%2B")
      let id = last["id"]?.text ?? ""
      place = "&or=(recorded_at.lt.\(time),and(recorded_at.eq.\(time),id.lt.\(id)))"
    }
    #expect(seen.count == 30 && Set(seen).count == 30)
    let part = world.ask(
      "GET", "vehicle_passages?order=recorded_at&select=id", prefer: "count=exact",
      headers: ["range": "5-9"])
    guard case .list(let rows) = part else { return }
    #expect(rows.count == 5 && world.status == 206 && world.field("Content-Range") == "5-9/30")
    world.ask("GET", "vehicle_passages?offset=31", prefer: "count=exact")
    #expect(world.status == 416)
  }
}

extension WireWorld {
  fileprivate static func passage(
    _ number: Int, _ plate: String = "BA1PA1234", more: [String: String]
  )
    -> String
  {
    passage(number, plate, at: 0, west: false, more)
  }
}
