import Foundation
import PostgreSQL
import RestAPI
import RestSQL
import TestSupport
import Testing
import Time

/// The statements of the API on a PostgreSQL with the tables as they are deployed.
@Suite(.needsPostgreSQL) struct RestStatementTests {
  private static func script() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PostgreSQL/schema.sql")
    // Roles are of the whole server, which other tests use as well.
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { line in
        line.hasPrefix("CREATE ROLE")
          ? "DO $$ BEGIN \(line) EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;"
          : String(line)
      }.joined(separator: "\n") + """
        ;
        CREATE TABLE IF NOT EXISTS violation_outcomes (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(), violation_id uuid NOT NULL UNIQUE,
          outcome_type text NOT NULL, fine_amount numeric(10,2), notes text,
          recorded_by uuid NOT NULL, recorded_at timestamptz NOT NULL DEFAULT now());
        -- As the view of `central migrate` tells them.
        ALTER TABLE violations ADD COLUMN is_retracted boolean NOT NULL DEFAULT false,
          ADD COLUMN finality text NOT NULL DEFAULT 'provisional',
          ADD COLUMN doubts text NOT NULL DEFAULT '[]';
        ALTER TABLE checkposts ADD COLUMN segment_ids text NOT NULL DEFAULT '[]';
        ALTER TABLE highway_segments ADD COLUMN checkpost_ids text NOT NULL DEFAULT '[]';
        SET TimeZone = 'UTC';
        CREATE SCHEMA checkpost;
        """
      + Catalogue.tables.map {
        "CREATE VIEW checkpost.api_\($0.name) AS SELECT * FROM public.\($0.name);"
      }
      .joined() + """
        CREATE VIEW checkpost.api_vehicle_passages_by_identity AS SELECT * FROM public.vehicle_passages;
        """
  }

  @Test func everyTableIsReadAndWritten() async throws {
    let script = try Self.script()
    try await TestDatabase.make().with { connection throws in
      try connection.run(script: script)
      func ask(
        _ method: String, _ table: String, _ query: String = "", _ body: String = "",
        prefer: String = "return=representation,count=exact"
      ) -> RestAnswer {
        RestHandler.answer(
          RestRequest(
            method, table, query: query, headers: ["prefer": prefer], body: Array(body.utf8)),
          as: .service, from: TestRows(connection: connection),
          at: WallTime(epochSeconds: 1_767_225_600))
      }
      for table in Catalogue.tables {
        for column in table.columns {
          let query = "\(column.name)=not.is.null&order=\(column.name).desc.nullslast&limit=3"
          let answer = ask("GET", table.name, query)
          #expect((200..<300).contains(answer.status), "\(table.name) \(query) \(answer.body)")
        }
      }
      let profiles = ask(
        "GET", "user_profiles",
        "select=full_name,checkposts!inner(code,highway_segments(distance_km,parks(code)))"
          + "&order=full_name&full_name=ilike.*a*&or=(role.eq.ranger,role.in.(admin,%22a,b%22))")
      #expect(profiles.status == 200 && profiles.body.contains("\"BNP-A\""), "\(profiles.body)")
      let posts = ask(
        "GET", "checkposts", "select=code,user_profiles(full_name)&order=position_index")
      #expect(posts.body.contains("[{\"full_name\" :"), "\(posts.body)")
      let place = try #require(
        RestJSON(
          Array(ask("GET", "user_profiles", "role=eq.ranger&limit=1&select=id").body.utf8)))
      guard case .list(let list) = place, let user = list.first?.object?["id"]?.text else { return }
      let body =
        "{\"user_id\":\"\(user)\",\"device_id\":\"'; DROP TABLE parks --\",\"pending_count\":3}"
      for status in [201, 200] {
        let told = ask(
          "POST", "sync_metadata", "on_conflict=user_id,device_id&select=device_id,created_at",
          body,
          prefer: "return=representation,resolution=merge-duplicates")
        #expect(told.status == status, "\(told.body)")
        #expect(told.body.contains("\"'; DROP TABLE parks --\""))
        #expect(told.body.contains("2026-01-01T00:00:00+00:00"))
      }
      let changed = ask("PATCH", "sync_metadata", "pending_count=gt.1", "{\"pending_count\":0}")
      #expect(changed.status == 200 && changed.body.contains("\"pending_count\" : 0"))
      let gone = ask("DELETE", "sync_metadata", "device_id=like.%27*")
      #expect(gone.status == 200 && gone.field("Content-Range") == "*/1", "\(gone.body)")
      #expect(ask("GET", "sync_metadata").body == "[]")
    }
  }
}

/// Tables of a PostgreSQL, each statement by itself.
private struct TestRows: RestStore {
  let connection: PostgreSQLConnection

  private func texts(_ statement: SQLStatement) throws(RestError) -> [String] {
    do {
      let values = statement.parameters.map { value -> PostgreSQLValue in
        switch value {
        case .null: .null
        case .text(let text): .text(text)
        case .flag(let flag): .text(flag ? "true" : "false")
        case .integer(let number): .text("\(number)")
        case .number(let number): .text("\(number)")
        case .time(let micros): .text(RestMoment.text(micros))
        }
      }
      return try connection.query(statement.text, values).rows.map { try $0.value(0, .text) }
    } catch {
      throw RestError("XX000", "\(error)")
    }
  }

  func read(_ read: RestRead) throws(RestError) -> RestRows {
    let rows = try texts(SQLWriter.select(read, .postgreSQL))
    guard read.counts else { return RestRows(rows) }
    var count = SQLWriter.count(read, .postgreSQL)
    count.text = "SELECT (\(count.text))::text"
    return RestRows(rows, total: try texts(count).first.flatMap { Int($0) })
  }

  private func told(_ ids: [String], _ table: RestTable, _ telling: RestTelling)
    throws(RestError) -> [String]
  {
    var rows: [String] = []
    for id in ids {
      rows += try texts(SQLWriter.select(telling.read(table.columns[0], .text(id)), .postgreSQL))
    }
    return rows
  }

  private func ids(_ statement: SQLStatement) throws(RestError) -> [(id: String, isNew: Bool)] {
    var statement = statement
    let isInsert = statement.text.hasPrefix("INSERT")
    statement.text =
      "WITH written AS (\(statement.text)) SELECT written::text FROM written"
    return try texts(statement).map { row in
      let values = row.dropFirst().dropLast().split(separator: ",")
      return (String(values[0]), isInsert && values.last == "t")
    }
  }

  func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    let written = try ids(SQLWriter.insert(insert, .postgreSQL))
    return RestChange(
      try told(written.map(\.id), insert.table, insert.telling), count: written.count,
      isAllMerged: !written.isEmpty && !written.contains { $0.isNew })
  }

  func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    let written = try ids(SQLWriter.update(update, .postgreSQL))
    return RestChange(
      try told(written.map(\.id), update.table, update.telling), count: written.count)
  }

  func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    let written = try ids(SQLWriter.delete(delete, .postgreSQL))
    return RestChange([], count: written.count)
  }
}
