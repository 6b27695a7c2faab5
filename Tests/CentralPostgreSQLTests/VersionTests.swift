import CentralCore
import CentralPostgreSQL
import Foundation
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// An older version of the schema is brought to this one with all that is in it.
@Suite(.needsPostgreSQL)
struct VersionTests {
  private let evening = WallTime(epochSeconds: judgedMorning + 320_000)

  /// Everything that a migration makes, in words.
  static let objects = """
    SELECT 'column ' || attrelid::regclass || ' ' || attnum || ' ' || attname || ' ' || atttypid::regtype || ' '
        || attnotnull AS t
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'checkpost'::regnamespace AND a.attnum > 0
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'checkpost'::regnamespace AND conrelid <> 0
    UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'checkpost'::regnamespace
    UNION ALL SELECT 'view ' || c.relname || ' ' || pg_get_viewdef(c.oid) FROM pg_class c
      WHERE c.relnamespace = 'checkpost'::regnamespace AND c.relkind = 'v'
    UNION ALL SELECT 'function ' || p.oid::regprocedure || ' ' || md5(p.prosrc) || coalesce(p.proconfig::text, '')
      || p.prosecdef || coalesce(p.proacl::text, '')
      FROM pg_proc p WHERE p.pronamespace = 'checkpost'::regnamespace
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    """

  /// Earlier versions made the table of outcomes without policies beside deployed tables.
  @Test func whatAnEarlierVersionLeftOpenIsClosed() async throws {
    let old = try await JudgedDatabase.version(2)
    try await old.with { connection in
      try connection.run(
        script: """
          ALTER TABLE public.violation_outcomes DISABLE ROW LEVEL SECURITY;
          GRANT ALL ON public.violation_outcomes TO anon;
          DROP POLICY admins ON public.violation_outcomes;
          DROP POLICY of_segment ON public.violation_outcomes;
          DROP POLICY own_insert ON public.violation_outcomes;
          DROP POLICY own_update ON public.violation_outcomes;
          """)
      try Migration.up(connection)
      #expect(try connection.texts(MigrationTests.protection) == ["true 4 false false true"])
    }
  }

  /// What an earlier version judged although nothing can be told of it ended every central at each start: it stands as it
  /// is then, and is judged no more.
  @Test func whatEndedTheServiceIsSetAside() async throws {
    let old = try await JudgedDatabase.version(3)
    let evening = evening
    try await old.with { connection in
      var far = PlainRow(0, client: 1)
      far.second = 253_402_300_800
      try far.insert(connection)
      far.client = PlainRow.uuid(2)
      far.post = "BNP-B"
      far.second += 600
      try far.insert(connection)
      try PlainRow(0, client: 3, plate: "BA1PA7777").insert(connection)
      try PlainRow(600, "BNP-B", client: 4, plate: "BA1PA7777").insert(connection)
      #expect(try connection.number("SELECT count(*) FROM checkpost.pairs") == 2)
      try Migration.up(connection)
      let judging = JudgingDatabase(connection)
      _ = try judging.tick(at: evening)
      #expect(try judging.passages(PassageQuery()).count == 2)
      #expect(
        try judging.violations(ViolationQuery()).map(\.violation.finding.plate) == ["BA1PA7777"])
      #expect(try connection.number("SELECT count(*) FROM checkpost.unreadable") == 2)
      #expect(
        try connection.number(
          "SELECT count(*) FROM public.vehicle_passages WHERE matched_passage_id IS NOT NULL") == 2)
    }
  }

  @Test(arguments: 1...3) func anOlderVersionIsRenewed(_ number: Int) async throws {
    let arrivals = try JudgingWorld.days(trips: 60, vehicles: 15, seed: 3, corrections: false)
      .arrivals
    let rows = arrivals.observations.compactMap { PlainRow($0) }
    let fresh = try await JudgedDatabase.make()
    let expected = try await fresh.with { try $0.texts(Self.objects) }
    let old = try await JudgedDatabase.version(number)
    try await old.with { connection in
      for row in rows { try row.insert(connection, "ON CONFLICT (client_id) DO NOTHING") }
      if number == 1 {
        try connection.query("SELECT checkpost.do_duties($1)", [.time(evening)])
      } else {
        // What that version tells this program does not read.
        try connection.query("SELECT count(*) FROM checkpost.clock(10000, $1)", [.time(evening)])
      }
      let before = try ToldStory(connection)
      #expect(!before.violations.isEmpty)
      #expect(!before.overdue.isEmpty)
      #expect(try Migration.status(connection).version == Int64(number))
      #expect(try Migration.plan(connection).count == 1)
      try Migration.up(connection, isDryRun: true)
      #expect(try Migration.status(connection).version == Int64(number))

      try Migration.up(connection)
      #expect(try Migration.status(connection).isComplete)
      #expect(try Migration.plan(connection) == [])
      let made = Set(try connection.texts(Self.objects))
      #expect(made.symmetricDifference(expected) == [])
      #expect(try ToldStory(connection).differences(from: before) == [])

      // Names are those that another store gives, and what waited is waited for.
      let judging = JudgingDatabase(connection)
      let violations = try judging.violations(ViolationQuery())
      #expect(violations.count == before.violations.count)
      for found in violations {
        #expect(found.uuid == ClientID.derived(kind: "violation", name: found.entry.description))
        #expect(try judging.violation(found.uuid)?.entry.records.isEmpty == false)
      }
      #expect(try judging.clock(at: evening).changes.isEmpty)
      let passages = try judging.passages(PassageQuery())
      #expect(passages.count == before.passages.count)
      // What came of rules that were others then is judged again, once.
      let again = try judging.rejudgeAll(at: evening)
      #expect(again.violations.allSatisfy { $0.revision.cause == .rules })
      #expect(try judging.rejudgeAll(everything: true, at: evening).isEmpty)
      // And it judges on.
      try connection.run(script: "UPDATE checkpost.settings SET ahead = 3000000000")
      try PlainRow(900_000_000, client: 1, plate: "BA1PA0001").insert(connection)
      try PlainRow(900_000_600, "BNP-B", client: 2, plate: "BA1PA0001").insert(connection)
      var query = ViolationQuery()
      query.plate = "BA1PA0001"
      #expect(try judging.violations(query).map(\.violation.finding.seconds) == [600])
      // Final after a day, where no post reports.
      let settled = try judging.tick(at: evening + .seconds(100 * 86_400)).changes.settled
        .filter { $0.finding.plate == "BA1PA0001" }
      #expect(settled.map(\.finality) == [.unreported])
      try Migration.down(connection)
      #expect(try Migration.status(connection).version == nil)
    }
  }
}
