import RestAPI
import RestSQL
import SeededRandom
import Testing
import Time

/// A store without a row, which refuses to be written to when it should not be.
private struct EmptyStore: RestStore {
  func read(_ read: RestRead) throws(RestError) -> RestRows {
    RestRows([], total: read.counts ? 0 : nil)
  }

  func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    RestChange([], count: 0)
  }

  func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    RestChange([], count: 0)
  }

  func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    RestChange([], count: 0)
  }
}

/// Whatever comes in is answered, and nothing of it stands in an SQL text.
@Suite struct NonsenseTests {
  private static let pieces = [
    "select=", "order=", "limit=", "offset=", "on_conflict=", "columns=", "or=", "and=", "not.or=",
    "(", ")", ",", ".", "!", ":", "*", "%", "%00", "%ff", "%E0%A4", "\"", "\\", "'", ";", "--", "&",
    "=", "+", " ", "eq", "neq", "in", "is", "like", "ilike", "not", "null", "true", "id",
    "client_id", "plate_number", "recorded_at", "checkposts", "highway_segments",
    "vehicle_passages", "2026-01-01T00:00:00Z", "zqjx' OR '1'='1", "zqjx\" UNION SELECT",
    "\u{301}", "\u{200D}", "\u{0600}", "🚙", "बा", "-1", "0", "99999999999999999999", "1e9",
    "5b0b1d3e-0000-4000-8000-000000000001", "desc", "nullslast", "inner",
  ]
  private static let bodies = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud83d\\ude99", "null", "true", "1", "-",
    "1e400", "0.5", "\"id\"", "\"client_id\"", "\"plate_number\"", "\"zqjx\"", " ", "\u{FFFD}",
  ]

  @Test(arguments: 0..<16)
  func anythingIsAnswered(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", ""]
    let tables = Catalogue.tables.map(\.name) + ["", "nonsense", "zqjx'"]
    let principals = [RestPrincipal.service, .anonymous, Reading.ranger]
    for _ in 0..<400 {
      let query = (0..<Int.random(in: 0..<14, using: &random)).map { _ in
        Self.pieces.randomElement(using: &random) ?? ""
      }.joined()
      let body = (0..<Int.random(in: 0..<14, using: &random)).map { _ in
        Self.bodies.randomElement(using: &random) ?? ""
      }.joined()
      let request = RestRequest(
        methods.randomElement(using: &random) ?? "", tables.randomElement(using: &random) ?? "",
        query: query, headers: ["range": query, "prefer": body], body: Array(body.utf8))
      let answer = RestHandler.answer(
        request, as: principals.randomElement(using: &random) ?? .anonymous, from: EmptyStore(),
        at: Reading.now)
      #expect((200..<500).contains(answer.status), "\(request)")
      #expect(answer.body.isEmpty || RestJSON(Array(answer.body.utf8)) != nil, "\(request)")
    }
  }

  @Test(arguments: 0..<8)
  func nothingFromOutsideStandsInSQL(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 1_000)
    let hostile = ["zqjx' OR 1=1 --", "zqjx\"; DROP TABLE x", "zqjx\\", "zqjx%zqjx", "zqjx)"]
    func piece() -> String {
      (hostile.randomElement(using: &random) ?? "").utf8.map {
        "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }.joined()
    }
    for _ in 0..<200 {
      let query =
        "select=\(piece()):id,b:checkposts(\(piece()):code)&plate_number=eq.\(piece())"
        + "&plate_number=in.(a,%22\(piece())%22)&or=(photo_path.ilike.%22\(piece())%22,source.eq.a)"
        + "&order=id&limit=3"
      guard let read = try? Reading.read(query) else { continue }
      for dialect in [SQLDialect.sqlite, .postgreSQL] {
        let keys = SQLWriter.keys(
          [read.filter, read.visible], Catalogue.passages.columns[0], of: Catalogue.passages,
          limit: 10, dialect)
        let statements = [SQLWriter.select(read, dialect), SQLWriter.count(read, dialect), keys]
        for statement in statements {
          #expect(!statement.text.contains("zqjx"))
          let places = statement.text.split { $0 == "?" || $0 == "$" }.dropFirst()
            .compactMap { Int($0.prefix { $0.isNumber }) }
          #expect(Set(places) == Set(1...statement.parameters.count))
        }
        let parameters = SQLWriter.select(read, dialect).parameters
        #expect(parameters.contains { $0.text?.contains("zqjx") ?? false })
      }
    }
  }

  @Test func answersHaveTheFormOfTheServers() {
    let answer = RestHandler.answer(
      RestRequest("GET", "nonsense"), as: .anonymous, from: EmptyStore(), at: Reading.now)
    #expect(answer.status == 404)
    #expect(
      answer.body
        == "{\"code\":\"PGRST205\",\"details\":null,\"hint\":null,\"message\":"
        + "\"Could not find the table 'public.nonsense' in the schema cache\"}")
    #expect(answer.field("content-type") == "application/json; charset=utf-8")
    let one = RestHandler.answer(
      RestRequest("GET", "parks", headers: ["accept": "application/vnd.pgrst.object+json"]),
      as: .service, from: EmptyStore(), at: Reading.now)
    #expect(one.status == 406 && one.body.contains("PGRST116"))
    let none = RestHandler.answer(
      RestRequest("GET", "parks", headers: ["prefer": "count=exact"]), as: .service,
      from: EmptyStore(), at: Reading.now)
    #expect(none.status == 200 && none.field("content-range") == "*/0")
    #expect(none.field("preference-applied") == "count=exact")
  }
}
