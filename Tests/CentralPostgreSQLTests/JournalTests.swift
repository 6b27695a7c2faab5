import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// What rows of other programs cause is told by whoever does the clock's duties.
@Suite(.needsPostgreSQL)
struct JournalTests {
  private func at(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  @Test func whatOthersCausedIsToldOnce() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try PlainRow(0, client: 1).insert(connection)
      try PlainRow(600, "BNP-B", client: 2).insert(connection)
      let judging = JudgingDatabase(connection)
      // What the service itself hands in is told there, and nowhere else.
      let own = try judging.take(
        [
          PassageArrival(try sighting(0, plate: "BA1PA7777")),
          PassageArrival(try sighting(700, "BNP-B", plate: "BA1PA7777")),
        ], at: at(700))
      #expect(own.changes.violations.map(\.violation.finding.seconds) == [700])
      let told = try judging.tick(at: at(700)).changes
      #expect(told.paired == [PassagePair(entry: 1, exit: 2)])
      #expect(told.violations.map(\.violation.finding.seconds) == [600])
      #expect(told.violations.map(\.revision.change) == [.made])
      #expect(try judging.tick(at: at(701)).changes.isEmpty)

      try connection.query(
        "DELETE FROM public.vehicle_passages WHERE client_id = $1::uuid", [.text(PlainRow.uuid(2))])
      let gone = try judging.tick(at: at(702)).changes
      #expect(gone.parted == [PassagePair(entry: 1, exit: 2)])
      #expect(gone.violations.map(\.revision.change) == [.retracted])
      try connection.run(script: "UPDATE public.highway_segments SET max_speed_kmh = 200")
      let changed = try judging.tick(at: at(703)).changes
      #expect(changed.violations.map(\.revision.cause) == [.directory])
    }
  }

  /// Whoever listens hears of it at the end of the transaction.
  @Test func itIsToldToWhoListens() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      try connection.transaction { connection throws(PostgreSQLError) in
        try PlainRow(0, client: 1).insert(connection)
        try PlainRow(2_000, "BNP-B", client: 2).insert(connection)
      }
      #expect(try connection.texts("SELECT kind FROM checkpost.changes") == ["paired"])
      #expect(
        try connection.texts(
          "SELECT count(DISTINCT transaction) || ' ' || bool_and(transaction < pg_current_xact_id())"
            + " FROM checkpost.changes") == ["1 true"])
    }
  }

  /// A transaction that notifies is committed while no other one of the cluster is: so none of a row does, and the
  /// session that does the clock's duties notifies once for all that came. psql says what it hears behind each statement.
  @Test func noRowsTransactionNotifies() async throws {
    let database = try await JudgedDatabase.make()
    try await onThread {
      let settings = database.database.settings
      let binaries = try #require(PostgreSQLServer.binaries)
      let psql = try ChildProcess(
        "\(binaries)/psql",
        [
          "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
          "--host=\(database.database.server.directory)", "--port=\(database.database.server.port)",
          "--username=\(database.database.server.owner)", settings.database,
        ])
      psql.say("LISTEN checkpost;\n")
      for (number, post) in ["a", "b", "a", "b"].enumerated() {
        psql.say(
          """
          INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
            recorded_at, ranger_id) VALUES ('\(PlainRow.uuid(number))', 'BA1PA\(number / 2 + 10)', 'car',
            '0c000000-0000-4000-8000-00000000000\(post)', '0b000000-0000-4000-8000-000000000001',
            now() - interval '1 hour' + interval '10 minutes' * \(number), '0d000000-0000-4000-8000-00000000000\(post)');

          """)
      }
      psql.say(
        """
        UPDATE public.vehicle_passages SET plate_number = 'BA1PA77' WHERE plate_number = 'BA1PA10';
        DELETE FROM public.vehicle_passages WHERE plate_number = 'BA1PA11';
        SELECT 'changed ' || (count(*) > 3)::text FROM checkpost.changes;
        SELECT DISTINCT 'told ' || kind FROM checkpost.clock(1000, now()) WHERE kind = 'paired';
        SELECT 'over';

        """)
      try psql.endInput()
      var heard: [String] = []
      while let line = psql.lines.next(), line != "over" {
        heard.append(line.hasPrefix("Asynchronous notification \"checkpost\"") ? "notified" : line)
      }
      #expect(heard == ["changed true", "told paired", "notified"])
    }
  }

  /// Somebody else is at it: whoever asks meanwhile is told when to ask again, and does nothing.
  @Test func oneAtATimeDoesTheClocksDuties() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      try judging.take([PassageArrival(try sighting(0))], at: at(1))
      let other = try database.database.connect()
      try other.transaction { other throws(PostgreSQLError) in
        let busy = try JudgingDatabase(other).clock(at: at(10_000))
        #expect(busy.changes.raised.count == 1)
        let mine = try judging.clock(at: at(10_000))
        #expect(mine.changes.isEmpty)
        #expect(mine.next == at(10_005))
        other.rollBackAtEnd()
      }
      // It died, and nothing of it was done.
      other.close()
      #expect(try judging.clock(at: at(10_005)).changes.raised.count == 1)
    }
  }

  /// Where much is there the directory's change is judged in steps, also after a restart.
  @Test func muchIsJudgedAgainInSteps() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      let arrivals = try (0..<1_200).flatMap { index in
        [
          PassageArrival(try sighting(0, plate: "BA1PA\(1_000 + index)")),
          PassageArrival(try sighting(2_000, "BNP-B", plate: "BA1PA\(1_000 + index)")),
        ]
      }
      try judging.take(arrivals, at: at(2_000))
      #expect(try judging.violations(ViolationQuery()).isEmpty)
      try connection.run(script: "UPDATE public.highway_segments SET max_speed_kmh = 40")
      #expect(try connection.number("SELECT count(*) FROM checkpost.violations") == 0)
      let step = try judging.rejudge(rules: JudgingRules(), limit: 700, at: at(3_000))
      #expect(step.vehicles == 700)
      #expect(step.records == 1_400)
      #expect(step.changes.violations.count == 700)
      #expect(!step.isDone)
    }
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      let rest = try judging.rejudge(rules: JudgingRules(), limit: 700, at: at(3_000))
      #expect(rest.changes.violations.count == 500)
      #expect(rest.changes.violations.allSatisfy { $0.revision.cause == .directory })
      #expect(rest.isDone)
      let none = try judging.rejudge(rules: JudgingRules(), limit: 7, at: at(3_000))
      #expect(none == Rejudged(isDone: true))
    }
  }
}
