import CentralCore
import RestAPI
import Testing
import Time

/// What users of PostgREST expect beside the plain comparisons, alike in both stores; and what there is not, said with a
/// code and a sentence.
@Suite struct WireOperatorTests {
  private func world(_ kind: StoreKind) throws -> WireWorld {
    var world = try WireWorld(kind)
    for (number, plate) in ["BA1PA1234", "BA2PA22", "KO3CHA7"].enumerated() {
      world.ask("POST", "vehicle_passages", WireWorld.passage(number + 1, plate, at: number))
      #expect(world.status == 201)
    }
    return world
  }

  @Test(
    arguments: StoreKind.shipped,
    [
      ("plate_number=match.%5EBA%5Cd", ["BA1PA1234", "BA2PA22"]),
      ("plate_number=match.%5Eba", []), ("plate_number=imatch.%5Eba", ["BA1PA1234", "BA2PA22"]),
      ("plate_number=not.match.PA", ["KO3CHA7"]),
      ("plate_number=match.(1234%7CCHA)", ["BA1PA1234", "KO3CHA7"]),
      ("or=(plate_number.match.22$,plate_number.eq.KO3CHA7)", ["BA2PA22", "KO3CHA7"]),
      ("plate_number=eq(any).%7BBA2PA22,KO3CHA7%7D", ["BA2PA22", "KO3CHA7"]),
      ("plate_number=like(all).%7BBA*,*4%7D", ["BA1PA1234"]),
      ("plate_number=not.ilike(any).%7Bba*,x*%7D", ["KO3CHA7"]),
      ("photo_path=isdistinct.x", ["BA1PA1234", "BA2PA22", "KO3CHA7"]),
      ("photo_path=isdistinct.null", []), ("photo_path=not.isdistinct.null&limit=1", ["BA1PA1234"]),
      ("plate_number=isdistinct.KO3CHA7", ["BA1PA1234", "BA2PA22"]),
    ])
  func passagesAreFound(_ kind: StoreKind, _ question: (query: String, plates: [String])) throws {
    var world = try world(kind)
    let rows = world.rows(
      "vehicle_passages?select=plate_number&order=plate_number&\(question.query)")
    #expect(world.status == 200)
    #expect(rows.compactMap { $0["plate_number"]?.text } == question.plates)
  }

  @Test(arguments: StoreKind.shipped) func listsAreAskedForWhatIsInThem(_ kind: StoreKind) throws {
    var world = try world(kind)
    func codes(_ query: String) -> [String] {
      world.rows("checkposts?select=code&order=code&\(query)").compactMap { $0["code"]?.text }
    }
    let segment = WireWorld.segment
    #expect(codes("segment_ids=cs.%7B\(segment)%7D") == ["BNP-A", "BNP-B"])
    #expect(codes("segment_ids=cs.%7B\(segment),x%7D") == [])
    #expect(codes("segment_ids=cs.%7B%7D") == ["BNP-A", "BNP-B"])
    #expect(codes("segment_ids=cd.%7B\(segment),x%7D") == ["BNP-A", "BNP-B"])
    #expect(codes("segment_ids=cd.%7Bx%7D") == [])
    #expect(codes("segment_ids=ov.%7Bx,\(segment)%7D") == ["BNP-A", "BNP-B"])
    #expect(codes("segment_ids=not.ov.%7B\(segment)%7D") == [])
    #expect(codes("or=(segment_ids.cs.%7Bx,y%7D,code.eq.BNP-B)") == ["BNP-B"])
  }

  @Test(arguments: StoreKind.shipped) func valuesAreCast(_ kind: StoreKind) throws {
    var world = try world(kind)
    let passage = world.ask(
      "GET",
      "vehicle_passages?select=recorded_at::text,day:recorded_at::date,id::text,photo_path::text&limit=1&order=recorded_at"
    )
    #expect(world.status == 200, "\(passage)")
    guard case .list(let rows) = passage, let row = rows.first?.object else {
      Issue.record("no row")
      return
    }
    #expect(row["recorded_at"]?.text == "2026-01-01 00:00:00+00")
    #expect(row["day"]?.text == "2026-01-01" && row["id"]?.text?.utf8.count == 36)
    #expect(row["photo_path"] == .null)
    let segment = world.ask(
      "GET",
      "highway_segments?select=distance_km::integer,text:distance_km::text,max_speed_kmh::bigint,is_active::text,n:is_active::int,min_speed_kmh::numeric"
    )
    #expect(
      segment.written
        == "[{\"distance_km\":45,\"is_active\":\"true\",\"max_speed_kmh\":40,\"min_speed_kmh\":10.00,"
        + "\"n\":1,\"text\":\"45.00\"}]")
  }

  @Test(arguments: StoreKind.shipped) func rowsAreToldAndTakenInCSV(_ kind: StoreKind) throws {
    var world = try world(kind)
    let request = RestRequest(
      "GET", "vehicle_passages",
      query: "select=plate_number,photo_path,checkposts(code)&order=plate_number&limit=2",
      headers: ["accept": "text/csv"])
    let answer = RestHandler.answer(request, as: WireWorld.eastern, from: world.rest, at: world.now)
    #expect(answer.status == 200 && answer.field("content-type") == "text/csv; charset=utf-8")
    #expect(
      answer.body
        == "plate_number,photo_path,checkposts\nBA1PA1234,,\"{\"\"code\"\":\"\"BNP-A\"\"}\"\n"
        + "BA2PA22,,\"{\"\"code\"\":\"\"BNP-A\"\"}\"\n")
    let columns = [
      "client_id", "plate_number", "plate_number_raw", "vehicle_type", "checkpost_id", "segment_id",
      "recorded_at", "ranger_id", "source", "photo_path",
    ]
    let body =
      columns.joined(separator: ",") + "\n"
      + [11, 12].map { number in
        "\(WireWorld.client(number)),BA9PA\(number),\"BA 9, PA \(number)\",car,\(WireWorld.east),\(WireWorld.segment),"
          + "2026-01-01T00:01:00Z,\(WireWorld.sita),app,NULL\n"
      }.joined()
    world.ask("POST", "vehicle_passages", body, headers: ["content-type": "text/csv"])
    #expect(world.status == 201)
    let rows = world.rows(
      "vehicle_passages?plate_number=like.BA9*&order=plate_number&select=plate_number_raw,photo_path"
    )
    #expect(rows.compactMap { $0["plate_number_raw"]?.text } == ["BA 9, PA 11", "BA 9, PA 12"])
    #expect(rows.allSatisfy { $0["photo_path"] == .null })
    for broken in ["", "client_id\n", "a,a\n1,2\n", "client_id\n1,2\n", "\"client_id\n"] {
      world.ask("POST", "vehicle_passages", broken, headers: ["content-type": "text/csv"])
      #expect(world.status == 400, "\(broken)")
    }
  }

  @Test(arguments: [
    ("plate_number=fts.a", "0A000"), ("plate_number=wfts(english).a", "0A000"),
    ("recorded_at=sl.a", "0A000"), ("recorded_at=adj.a", "0A000"),
    ("select=count()", "PGRST123"), ("select=n:count()", "PGRST123"),
    ("select=plate_number.max()", "PGRST123"),
    ("select=...checkposts(code)", "0A000"), ("select=plate_number-%3Ea", "0A000"),
    ("plate_number-%3E%3Ea=eq.1", "0A000"), ("order=checkposts(code)", "0A000"),
    ("select=plate_number::int", "42846"), ("select=plate_number::xml", "42704"),
    ("plate_number=cs.%7Ba%7D", "42883"), ("recorded_at=match.a", "42883"),
    ("plate_number=match.(", "2201B"), ("plate_number=match.(%3F=a)", "2201B"),
    ("plate_number=eq(any).a", "22P02"), ("plate_number=neq(any).%7Ba%7D", "PGRST100"),
  ])
  func whatThereIsNotSaysSo(query: String, code: String) throws {
    var world = try WireWorld(.sqlite)
    let answer = world.ask("GET", "vehicle_passages?\(query)")
    #expect(
      world.status == (code == "42883" ? 404 : 400) && answer.object?["code"]?.text == code,
      "\(answer)")
    #expect(answer.object?["message"]?.text?.contains(" ") == true)
  }
}
