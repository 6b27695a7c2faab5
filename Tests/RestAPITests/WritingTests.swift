import RestAPI
import RestSQL
import Testing

@testable import enum RestAPI.RestPolicy

@Suite struct WritingTests {
  private func insert(
    _ body: String, _ query: String = "", prefer: String? = nil, table: String = "vehicle_passages",
    as principal: RestPrincipal = Reading.ranger
  ) throws(RestError) -> RestInsert {
    let headers = prefer.map { ["prefer": $0] } ?? [:]
    guard
      case .insert(let insert) = try Reading.plan(
        "POST", table, query, headers: headers, body: body, as: principal)
    else { throw RestError("test", "no insert") }
    return insert
  }

  @Test func whatANodePushes() throws {
    let insert = try insert(
      "[\(Reading.passage())]", "on_conflict=client_id&select=id",
      prefer: "resolution=ignore-duplicates,return=representation")
    let row = try #require(insert.rows.first)
    #expect(row["client_id"] == .text(Reading.client))
    #expect(row["recorded_at"] == .time(1_767_225_600_412_000))
    #expect(row["server_received_at"] == .time(1_767_225_600_000_000))
    #expect(row["source"] == .text("app") && row["photo_path"] == .null && row["id"] == nil)
    #expect(insert.telling.tells && !insert.telling.wantsOne && insert.telling.hidesDetails)
    guard case .ignore(let unique) = insert.resolution else {
      Issue.record("\(insert.resolution)")
      return
    }
    #expect(unique.name == "vehicle_passages_client_id_key")
  }

  @Test func withoutTheColumnTheKeyCounts() throws {
    let insert = try insert(Reading.passage(), prefer: "resolution=ignore-duplicates")
    guard case .ignore(let unique) = insert.resolution else {
      Issue.record("\(insert.resolution)")
      return
    }
    #expect(unique.name == "vehicle_passages_pkey")
  }

  @Test(arguments: [
    ("", "PGRST102"), ("nonsense", "PGRST102"), ("1", "PGRST102"), ("[1]", "PGRST102"),
    ("[[]]", "PGRST102"), ("{\"a\":1", "PGRST102"), ("{\"a\":01}", "PGRST102"),
    ("{'a':1}", "PGRST102"), ("{\"a\":\"\u{1}\"}", "PGRST102"), ("{\"a\":1,}", "PGRST102"),
    ("{\"a\":\"\\ud800\"}", "PGRST102"), ("NaN", "PGRST102"), ("{}x", "PGRST102"),
    ("{\"nonsense\":1}", "PGRST204"), ("{\"id\\\"\":1}", "PGRST204"),
    ("[{\"id\":null},{\"client_id\":null}]", "PGRST102"),
    (Reading.passage(["client_id": "\"1\""]), "22P02"),
    (Reading.passage(["client_id": "1"]), "22P02"),
    (Reading.passage(["client_id": "null"]), "23502"),
    (Reading.passage(without: ["client_id"]), "23502"),
    (Reading.passage(without: ["plate_number"]), "23502"),
    (Reading.passage(["id": "null"]), "23502"),
    (Reading.passage(["vehicle_type": "\"ship\""]), "23514"),
    (Reading.passage(["vehicle_type": "{\"a\":[1]}"]), "22P02"),
    (Reading.passage(["source": "\"mail\""]), "23514"),
    (Reading.passage(["recorded_at": "\"now\""]), "22007"),
    (Reading.passage(["recorded_at": "1767225600"]), "22007"),
    (Reading.passage(["recorded_at": "\"2026-13-01T00:00:00Z\""]), "22008"),
    (Reading.passage(["plate_number": "\"a\\u0000\""]), "22P05"),
    (Reading.passage(["matched_passage_id": "\"\(Reading.client)\""]), "42501"),
    (Reading.passage(["is_entry": "true"]), "42501"),
    (Reading.passage(["checkpost_id": "\"\(Reading.client)\""]), "42501"),
    (Reading.passage(["checkpost_id": "null"]), "42501"),
  ])
  func badBodies(body: String, code: String) {
    let error = Reading.refusal("POST", "vehicle_passages", body: body, as: Reading.ranger)
    #expect(error?.code == code)
  }

  @Test func whatIsJudgedMayBeSentEmpty() throws {
    let body = Reading.passage(["matched_passage_id": "null", "is_entry": "null"])
    #expect(try insert(body).rows.count == 1)
  }

  @Test func bodiesAreBounded() {
    let rows = "[" + Array(repeating: "{}", count: 1_001).joined(separator: ",") + "]"
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    let wide = "{\"notes\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"
    let long = Reading.passage(["photo_path": "\"" + String(repeating: "a", count: 4_097) + "\""])
    func code(_ body: String) -> String? {
      Reading.refusal("POST", "vehicle_passages", body: body, as: Reading.ranger)?.code
    }
    #expect(code(rows) == "54001" && code(wide) == "54001")
    #expect(code(deep) == "PGRST102" && code(long) == "22001")
  }

  @Test func onlyTheColumnsThatAreNamedCount() throws {
    let body = Reading.passage(["nonsense": "1", "photo_path": "\"a.jpg\""])
    let names = Reading.passage().split(separator: "\"").enumerated()
      .filter { $0.offset % 4 == 1 }.map { String($0.element) }
    let row = try #require(
      try insert(body, "columns=" + names.joined(separator: ",")).rows.first)
    #expect(row["photo_path"] == .null)
    #expect(
      Reading.refusal("POST", "vehicle_passages", "columns=nonsense", body: "{}")?.code
        == "PGRST204")
  }

  @Test func missingValuesAreNullOrTheDefault() throws {
    let body = Reading.passage(without: ["source"])
    #expect(try insert(body).rows.first?["source"] == .text("app"))
    let columns =
      "columns=source,client_id,plate_number,vehicle_type,checkpost_id,segment_id,ranger_id,recorded_at"
    let error = Reading.refusal("POST", "vehicle_passages", columns, body: body, as: Reading.ranger)
    #expect(error?.code == "23502" && error?.message.contains("\"source\"") == true)
    #expect(
      try insert(body, columns, prefer: "missing=default").rows.first?["source"] == .text("app"))
  }

  @Test(arguments: ["5", "false", "[]", "{}"]) func whatIsToldBesideIsAText(value: String) {
    let withdrawn = Reading.refusal(
      "PATCH", "vehicle_passages", "id=eq.\(Reading.client)",
      body: "{\"withdrawn_reason\":\(value)}")
    #expect(withdrawn?.code == "22P02")
    let kept = Reading.refusal(
      "PATCH", "vehicle_passages", "id=eq.\(Reading.client)", body: "{\"withdrawn_reason\":null}")
    #expect(kept == nil)
  }

  @Test func whatIsNotWrittenThisWay() throws {
    for name in ["user_profiles", "violations", "proactive_overstay_alerts"] {
      let table = try #require(Catalogue.table(name))
      for method in [RestMethod.post, .patch, .delete] {
        let error = Reading.refusal(method.rawValue, name, body: "{}", as: Reading.ranger)
        guard RestPolicy.isWritable(table, by: method) else {
          // Nobody may, in any role; the answer says what to do instead.
          #expect(error?.code == "PGRST117" && error?.status(isAnonymous: false) == 405)
          #expect(error?.hint != nil)
          continue
        }
        #expect(error?.code == "42501" && error?.status(isAnonymous: false) == 403)
        #expect(error?.status(isAnonymous: true) == 401)
      }
    }
    // The directory is central's people's: nobody else puts rows in, and changes and removes none.
    for table in ["parks", "highway_segments", "checkposts"] {
      let error = Reading.refusal("POST", table, body: "{}", as: Reading.ranger)
      #expect(error?.code == "42501" && error?.status(isAnonymous: false) == 403)
      for method in ["PATCH", "DELETE"] {
        #expect(Reading.refusal(method, table, body: "{}", as: Reading.ranger) == nil)
      }
    }
    #expect(Reading.refusal("DELETE", "user_profiles", as: .service)?.code == "PGRST117")
    #expect(Reading.refusal("POST", "violations")?.code == "PGRST117")
    #expect(
      Reading.refusal("PATCH", "violations", body: "{}", as: Reading.ranger)?.code == "42501")
    #expect(Reading.refusal("PUT", "vehicle_passages")?.status(isAnonymous: false) == 405)
    #expect(Reading.refusal("GET", "secrets")?.status(isAnonymous: false) == 404)
    #expect(Reading.refusal("GET", "api_parks")?.code == "PGRST205")
    #expect(
      Reading.refusal("POST", "vehicle_passages", body: Reading.passage(), as: .anonymous)?.code
        == "42501")
  }

  @Test func changesOfAPassage() throws {
    guard
      case .update(let update) = try Reading.plan(
        "PATCH", "vehicle_passages", "client_id=eq.\(Reading.client)",
        body: "{\"plate_number\":\"BA1PA1235\",\"vehicle_type\":\"jeep\"}", as: Reading.ranger)
    else { return }
    #expect(update.changes.map(\.column.name) == ["plate_number", "vehicle_type"])
    for (body, code) in [
      ("{\"matched_passage_id\":null}", "42501"), ("{\"ranger_id\":\"\(Reading.user)\"}", "42501"),
      ("{\"client_id\":\"\(Reading.client)\"}", "42501"), ("{\"plate_number\":null}", "23502"),
      ("{\"vehicle_type\":\"ship\"}", "23514"), ("{\"nonsense\":1}", "PGRST204"),
      ("[{},{}]", "PGRST102"), ("", "PGRST102"),
    ] {
      let error = Reading.refusal("PATCH", "vehicle_passages", body: body, as: Reading.ranger)
      #expect(error?.code == code)
    }
  }

  @Test func preferences() throws {
    let strict = Reading.refusal(
      "GET", "parks", headers: ["prefer": "handling=strict, nonsense, a=b"])
    #expect(strict?.code == "PGRST122" && strict?.details == "Invalid preferences: nonsense, a=b")
    #expect(Reading.refusal("GET", "parks", headers: ["prefer": "nonsense,a=b,,="]) == nil)
    #expect(try Reading.read("", headers: ["prefer": "count=exact"]).counts)
  }

  @Test(arguments: [
    ("accept", "text/csv", nil), ("accept", "application/geo+json", 406),
    ("accept", "text/html, */*;q=0.1", nil),
    ("accept", "application/json", nil), ("accept", "", 406), ("accept-profile", "public", nil),
    ("accept-profile", "auth", 406),
  ])
  func headers(name: String, value: String, status: Int?) {
    let error = Reading.refusal("GET", "parks", headers: [name: value])
    #expect(error?.status(isAnonymous: false) == status)
  }

  @Test func otherKindsOfBodies() {
    for type in ["text/plain", "application/x-www-form-urlencoded", ""] {
      let error = Reading.refusal(
        "POST", "vehicle_passages", headers: ["content-type": type], body: Reading.passage(),
        as: Reading.ranger)
      #expect(error?.code == "PGRST102")
    }
    #expect(
      Reading.refusal(
        "POST", "vehicle_passages", headers: ["content-type": "application/json; charset=utf-8"],
        body: Reading.passage(), as: Reading.ranger) == nil)
  }

  @Test func statementsThatWrite() throws {
    let body = "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"'; --\",\"pending_count\":3}"
    let merged = try insert(
      body, "on_conflict=device_id,user_id", prefer: "resolution=merge-duplicates",
      table: "sync_metadata")
    let sql = SQLWriter.insert(merged, .postgreSQL)
    #expect(
      sql.text
        == "INSERT INTO \"public\".\"sync_metadata\" AS t0 (\"user_id\", \"device_id\","
        + " \"last_sync_at\", \"last_pull_at\", \"pending_count\", \"created_at\", \"updated_at\")"
        + " VALUES ($1::uuid, $2::text, $3::timestamptz, $4::timestamptz, $5::integer,"
        + " $6::timestamptz, $7::timestamptz) ON CONFLICT (\"user_id\", \"device_id\") DO UPDATE SET"
        + " \"device_id\" = excluded.\"device_id\", \"pending_count\" = excluded.\"pending_count\","
        + " \"user_id\" = excluded.\"user_id\" RETURNING t0.\"id\", t0.xmax = 0")
    #expect(sql.parameters[1] == .text("'; --"))
    guard
      case .update(let update) = try Reading.plan(
        "PATCH", "sync_metadata", "device_id=eq.a", body: "{\"pending_count\":4}",
        as: Reading.ranger)
    else { return }
    #expect(
      SQLWriter.update(update, .sqlite).text
        == "UPDATE \"sync_metadata\" AS t0 SET \"pending_count\" = ?1 WHERE ((t0.\"device_id\" = ?2))"
        + " AND (t0.\"user_id\" = ?3) AND (t0.\"user_id\" = ?4) RETURNING \"id\"")
    guard
      case .delete(let delete) = try Reading.plan("DELETE", "sync_metadata", as: Reading.ranger)
    else { return }
    #expect(
      SQLWriter.delete(delete, .postgreSQL).text
        == "DELETE FROM \"public\".\"sync_metadata\" AS t0 WHERE (t0.\"user_id\" = $1::uuid) AND"
        + " (t0.\"user_id\" = $2::uuid) RETURNING \"id\"")
  }
}
