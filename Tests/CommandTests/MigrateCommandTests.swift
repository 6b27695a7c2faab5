import Foundation
import TestSupport
import Testing

/// `central migrate` with the real program and a real PostgreSQL.
@Suite(
  .ownThreads,
  .enabled(if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing)))
struct MigrateCommandTests {
  private func object(_ outcome: Program.Outcome) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  @Test func thereAndBack() async throws {
    let server = try await PostgreSQLServer.shared()
    let name = try await server.makeDatabase()
    let place = "host=\(server.directory) port=\(server.port) dbname=\(name) user=\(server.owner)"
    func migrate(_ options: String...) throws -> Program.Outcome {
      try Program.run(["central", "migrate", "--database-url", place] + options)
    }
    let dry = try migrate("--dry-run", "--json")
    #expect(dry.status == 0)
    #expect(try object(dry)["dry_run"] as? Bool == true)
    #expect(try object(dry)["complete"] as? Bool == false)
    let up = try migrate()
    #expect(up.status == 0)
    #expect(up.lines.last == "done")
    #expect(try migrate().lines == ["there is nothing to do"])
    // Nobody can be asked here, and nothing goes without a word.
    let unasked = try migrate("--down")
    #expect(unasked.status == 64)
    #expect(unasked.errors.contains("add --yes"))
    #expect(unasked.lines.last?.contains("accounts 0, sessions 0, keys 0") == true)
    #expect(unasked.lines.last?.contains("messages of the inbox 0") == true)
    #expect(try migrate().lines == ["there is nothing to do"])
    #expect(try migrate("--down", "--dry-run").status == 0)
    let down = try migrate("--down", "--json", "--yes")
    #expect(down.status == 0, "\(down.errors)")
    #expect((try object(down)["steps"] as? [String])?.isEmpty == false)
    #expect(try migrate("--down").lines == ["there is nothing to do"])
  }

  @Test func whatIsWrongIsSaid() async throws {
    let nowhere = try Program.run([
      "central", "migrate", "--database-url", "host=/nonexistent dbname=none user=nobody",
    ])
    #expect(nowhere.status == 75)
    let unknown = try Program.run(["central", "migrate", "--database-url", "colour=red"])
    #expect(unknown.status == 78)
  }
}
