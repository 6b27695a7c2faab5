import CentralPostgreSQL
import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The tables that a new database gets are those that are deployed, as `Tests/PostgreSQL/schema.sql` has them: each
/// is written down for itself, as one makes a database and the other stands for one that was there.
@Suite(.needsPostgreSQL)
struct DeployedTablesTests {
  /// Columns with their types, and what holds for them, each in a line.
  private static let shape = """
    SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' '
      || coalesce(numeric_precision::text || ',' || numeric_scale, '') || ' '
      || CASE is_nullable WHEN 'NO' THEN 'not null' ELSE '' END || ' ' || coalesce(column_default, '')
      || coalesce(generation_expression, '')
      FROM information_schema.columns WHERE table_schema = 'public'
        AND table_name IN (SELECT relname FROM pg_class WHERE relkind = 'r')
    UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p', 'u')
    """

  private func shape(
    _ prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void
  ) async throws -> Set<String> {
    let database = try await TestDatabase.make()
    return try await database.with { connection throws in
      try prepare(connection)
      return Set(try connection.texts(Self.shape).compactMap { $0 })
    }
  }

  @Test func aNewDatabaseHasTheDeployedTables() async throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PostgreSQL/schema.sql").path
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let script = lines.filter { !$0.hasPrefix("CREATE ROLE") }.joined(separator: "\n")
    let made = try await shape { connection in try Migration.up(connection) }
    let deployed = try await shape { connection in try connection.run(script: script) }
    #expect(deployed.count > 100)
    // Supabase's profiles belong to its users, whose table the deployed ones of the tests do without.
    let known = deployed.filter { $0.hasPrefix("column user_profiles.id ") }
    #expect(known.count == 1)
    #expect(deployed.subtracting(known).subtracting(made).sorted() == [])
  }
}
