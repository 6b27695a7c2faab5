import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// What is asked to be changed is changed, or refused.
@Suite struct WireChangeTests {
  private static let target = "vehicle_passages?client_id=eq.\(WireWorld.client(1))"

  private func told(_ world: inout WireWorld, _ column: String) -> [RestJSON?] {
    let id = world.rows("\(Self.target)&select=id").first?["id"]?.text ?? ""
    return [Self.target, "vehicle_passages?id=eq.\(id)"]
      .map { world.rows("\($0)&select=\(column)").first?[column] }
  }

  @Test(arguments: StoreKind.shipped) func aPhotographIsPutInPlaceOfAnother(kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    for (value, expected) in [
      ("\"a.jpg\"", RestJSON.text("a.jpg")), ("\"passage-photos/b.jpg\"", "b.jpg"),
      ("null", .null), ("\"c.jpg\"", "c.jpg"),
    ] {
      world.now = world.now + .seconds(60)
      let answer = world.ask(
        "PATCH", "\(Self.target)&select=photo_path", "{\"photo_path\":\(value)}",
        prefer: "return=representation")
      #expect(world.status == 200)
      #expect(answer == .list([.object(["photo_path": expected])]), "\(value)")
      #expect(told(&world, "photo_path") == [expected, expected], "\(value)")
    }
    // What was there before is known, so that it goes with the vehicle.
    let store = try #require(world.store as? any KeepingStore)
    #expect(try store.holdings(of: "BA1PA1234").photographs == ["a.jpg", "b.jpg", "c.jpg"])
    let erased = try store.erase(
      ErasureOrder(plate: "BA1PA1234"), rules: JudgingRules(), at: world.now)
    #expect(erased.dropped.photographs == 3)
    #expect(try store.droppedPhotographs(limit: 9) == ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test(
    arguments: [
      "../../etc/passwd", "zz/\(WireWorld.client(9)).jpg", ".hidden.jpg", "a b.jpg", "",
      "passage-photos/../a.jpg", "passage-photos/", "https://example.org/a.jpg",
    ], StoreKind.shipped)
  func whatIsNoPhotographOfTheBucketIsNotNamed(path: String, kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let posted = world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["photo_path": "\"\(path)\""]))
    #expect(world.status == 400 && posted.object?["code"] == "23514")
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    let changed = world.ask("PATCH", Self.target, "{\"photo_path\":\"\(path)\"}")
    #expect(world.status == 400 && changed.object?["code"] == "23514")
    #expect(told(&world, "photo_path") == [.null, .null])
  }

  /// What a post asks that withdraws a passage: its own column for clients that know none, and the reason beside it.
  @Test(arguments: StoreKind.shipped) func aPassageIsWithdrawn(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, "BA1PA1234", at: 1_000, west: true),
      as: .service)
    #expect(world.status == 201)
    #expect(try world.store.violations(ViolationQuery()).count == 1)
    let id = try #require(world.rows("\(Self.target)&select=id").first?["id"]?.text)
    let answer = world.ask(
      "PATCH", "\(Self.target)&select=client_id&columns=matched_passage_id",
      "{\"matched_passage_id\":\"\(id)\",\"withdrawn_reason\":\"wrong key\"}",
      prefer: "return=representation")
    #expect(world.status == 200)
    #expect(answer == .list([.object(["client_id": .text(WireWorld.client(1))])]))
    #expect(try world.store.violations(ViolationQuery()).isEmpty)
    #expect(told(&world, "matched_passage_id") == [.null, .null])
    #expect(
      try world.store.passages(PassageQuery()).compactMap(\.withdrawal) == ["wrong key"])
  }

  /// Who recorded a passage may be another one than whose account the post uses; what the table has no column for
  /// is told beside those.
  @Test(arguments: StoreKind.shipped) func whoRecordedItIsToldBesideTheColumns(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    let row = WireWorld.passage(
      1, "BA1PA1234", at: 0, west: false, ["ranger_phone_suffix": "\"7788\""])
    let columns =
      "client_id,plate_number,vehicle_type,checkpost_id,segment_id,ranger_id,recorded_at"
    world.ask("POST", "vehicle_passages?columns=\(columns)", row)
    #expect(world.status == 201)
    let passage = try #require(try world.store.passages(PassageQuery()).first)
    #expect(passage.passage.suffix.digits == "7788")
    #expect(
      world.rows("\(Self.target)&select=ranger_id").first?["ranger_id"]?.text == WireWorld.sita)
  }

  @Test(arguments: StoreKind.shipped) func tooManyAreNotChangedAtOnce(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    for numbers in [1...RestLimits.bodyRows, RestLimits.bodyRows + 1...RestLimits.bodyRows + 1] {
      let rows = numbers.map { WireWorld.passage($0, "BA1PA\($0)") }.joined(separator: ",")
      world.ask("POST", "vehicle_passages", "[\(rows)]")
      #expect(world.status == 201)
    }
    let change = "{\"vehicle_type\":\"car\"}"
    let all = world.ask("PATCH", "vehicle_passages?plate_number=like.BA*", change, as: .service)
    #expect(world.status == 413)
    #expect(all.object?["code"] == "54001")
    #expect(world.rows("vehicle_passages?vehicle_type=eq.car", as: .service).isEmpty)
    world.ask("PATCH", "vehicle_passages?plate_number=like.*PA1", change, as: .service)
    #expect(world.status == 204)
    #expect(world.rows("vehicle_passages?vehicle_type=eq.car", as: .service).count == 1)
  }

  @Test(arguments: StoreKind.shipped) func aPlateIsSpelledOtherwise(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    for (body, expected) in [
      ("{\"plate_number_raw\":\"BA 1 PA 1234\"}", "BA 1 PA 1234"),
      ("{\"plate_number\":\"BA1PA1234\",\"plate_number_raw\":\"ba-1-pa-1234\"}", "ba-1-pa-1234"),
      ("{\"plate_number\":\"BA1PA1234\"}", "ba-1-pa-1234"),
      ("{\"plate_number_raw\":null}", "BA1PA1234"),
    ] {
      world.now = world.now + .seconds(60)
      world.ask("PATCH", Self.target, body)
      #expect(world.status == 204)
      #expect(told(&world, "plate_number_raw") == [.text(expected), .text(expected)], "\(body)")
    }
    // What a camera read stands as it was read, whatever the plate is.
    for read in ["somewhat red", "BA 1 PA 1235"] {
      world.now = world.now + .seconds(60)
      world.ask("PATCH", Self.target, "{\"plate_number_raw\":\"\(read)\"}")
      #expect(world.status == 204)
      #expect(told(&world, "plate_number_raw") == [.text(read), .text(read)])
    }
    #expect(told(&world, "plate_number") == ["BA1PA1234", "BA1PA1234"])
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(2, "BA1PA9", at: 0, west: false, ["plate_number_raw": "\"unreadable?\""]))
    #expect(world.status == 201)
    let long = String(repeating: "9", count: 201)
    let error = world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(3, "BA1PA8", at: 0, west: false, ["plate_number_raw": "\"\(long)\""]))
    #expect(world.status == 400 && error.object?["code"] == "23514")
    #expect(error.object?["message"]?.text?.contains("plate_number_raw_check") == true)
  }

  @Test(arguments: StoreKind.shipped) func aTimeIsPutRightToTheMillisecond(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.now = world.now + .seconds(60)
    world.ask("PATCH", Self.target, "{\"recorded_at\":\"2026-01-01T00:00:00.25Z\"}")
    let time = RestJSON.text("2026-01-01T00:00:00.25+00:00")
    #expect(told(&world, "recorded_at") == [time, time])
  }

  @Test(arguments: StoreKind.shipped) func nothingIsRecordedYearsAhead(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let ahead = world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(
        1, "BA1PA1234", at: 0, west: false, ["recorded_at": "\"2099-01-01T00:00:00Z\""]))
    #expect(world.status == 400 && ahead.object?["code"] == "22008")
    #expect(ahead.object?["details"]?.text?.contains("ahead of the clock") == true)
    // A post's clock may be somewhat wrong.
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 3_600))
    #expect(world.status == 201)
    let changed = world.ask("PATCH", Self.target, "{\"recorded_at\":\"2026-01-03T00:00:00Z\"}")
    #expect(world.status == 400 && changed.object?["code"] == "22008")
  }

  @Test(arguments: StoreKind.shipped) func oneIsChangedOrNone(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let one = ["accept": "application/vnd.pgrst.object+json"]
    let rows = (1...7).map { WireWorld.passage($0, "BA1PA\($0)") }
    let error = world.ask(
      "POST", "vehicle_passages", "[\(rows.joined(separator: ","))]", headers: one)
    #expect(world.status == 406 && error.object?["code"] == "PGRST116")
    #expect(world.rows("vehicle_passages").isEmpty)
    world.ask("POST", "vehicle_passages", "[\(rows.joined(separator: ","))]")
    for prefer in [nil, "return=minimal", "return=representation"] {
      let error = world.ask(
        "PATCH", "vehicle_passages?plate_number=like.BA*", "{\"vehicle_type\":\"bus\"}",
        prefer: prefer, headers: one)
      #expect(world.status == 406 && error.object?["code"] == "PGRST116")
      world.ask(
        "PATCH", "vehicle_passages?plate_number=eq.X", "{\"vehicle_type\":\"bus\"}",
        prefer: prefer, headers: one)
      #expect(world.status == 406)
    }
    #expect(world.rows("vehicle_passages?vehicle_type=eq.bus").isEmpty)
    world.ask("PATCH", Self.target, "{\"vehicle_type\":\"bus\"}", headers: one)
    #expect(world.status == 204)
    #expect(world.rows("vehicle_passages?vehicle_type=eq.bus").count == 1)
  }

  @Test(arguments: StoreKind.shipped) func howManyAreWrittenIsTold(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    func range(_ method: String, _ target: String, _ body: String = "") -> String? {
      world.ask(method, target, body, prefer: "count=exact")
      #expect(world.field("Preference-Applied")?.contains("count=exact") == true)
      return world.field("Content-Range")
    }
    #expect(range("POST", "vehicle_passages", WireWorld.passage(1)) == "*/1")
    #expect(range("PATCH", Self.target, "{\"vehicle_type\":\"bus\"}") == "0-0/1")
    #expect(
      range("PATCH", "vehicle_passages?plate_number=eq.X", "{\"vehicle_type\":\"bus\"}") == "*/0")
    let device = "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"a\"}"
    #expect(range("POST", "sync_metadata", device) == "*/1")
    #expect(range("DELETE", "sync_metadata?device_id=eq.a") == "*/1")
    #expect(range("DELETE", "sync_metadata?device_id=eq.a") == "*/0")
    world.ask("POST", "sync_metadata", device)
    world.ask("DELETE", "sync_metadata?device_id=eq.a")
    #expect(world.field("Content-Range") == "*/*")
  }

  @Test(arguments: StoreKind.shipped) func whereARowIsIsToldInTheHeader(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let id = WireWorld.client(50)
    let body = world.ask(
      "POST", "vehicle_passages?select=plate_number",
      WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["id": "\"\(id)\""]),
      prefer: "return=headers-only")
    #expect(world.status == 201 && body == .null)
    #expect(world.field("Location") == "/vehicle_passages?id=eq.\(id)")
    world.ask(
      "POST", "sync_metadata", "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"a\"}",
      prefer: "return=headers-only")
    let place = world.field("Location") ?? ""
    #expect(place.hasPrefix("/sync_metadata?id=eq."))
    #expect(world.rows(String(place.dropFirst())).count == 1)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, "BA1PA2"))
    #expect(world.field("Location") == nil)
  }
}
