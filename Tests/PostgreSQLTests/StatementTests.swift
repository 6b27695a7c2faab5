import PostgreSQL
import TestSupport
import Testing

@Suite(.needsPostgreSQL) struct StatementTests {
  @Test func aStatementIsPreparedOnce() async throws {
    try await TestDatabase.make().with { connection throws in
      for number in 0..<10 as Range<Int64> {
        #expect(try connection.number("SELECT $1::bigint + 1", [.integer(number)]) == number + 1)
      }
      let row = try connection.query(
        "SELECT count(*) AS n, sum(generic_plans + custom_plans)::bigint AS runs "
          + "FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1%'"
      ).rows[0]
      #expect(try row.value("n", .integer) == 1)
      #expect(try row.value("runs", .integer) == 10)
    }
  }

  @Test func noMoreStatementsAreKeptThanThereIsRoomFor() async throws {
    try await TestDatabase.make().with { connection throws in
      for number in 0..<600 {
        #expect(try connection.number("SELECT \(number)") == Int64(number))
        // One that is always used stays.
        #expect(try connection.number("SELECT $1::bigint", [.integer(1)]) == 1)
      }
      let row = try connection.query(
        "SELECT count(*) AS n, count(*) FILTER (WHERE statement = 'SELECT $1::bigint') AS kept "
          + "FROM pg_prepared_statements"
      ).rows[0]
      #expect(try row.value("n", .integer) <= 256)
      #expect(try row.value("n", .integer) > 200)
      #expect(try row.value("kept", .integer) == 1)
    }
  }

  @Test func aStatementThatNoLongerFitsItsTableIsPreparedAnew() async throws {
    let database = try await TestDatabase.make()
    try await database.with { connection throws in
      try connection.run(script: "CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
      #expect(try connection.query("SELECT * FROM t").columns == ["a"])
      let other = try database.connect()
      try other.run(script: "ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
      #expect(try connection.query("SELECT * FROM t").columns == ["a", "b"])
      // Also when the server was told to forget it.
      try connection.run(script: "DEALLOCATE ALL")
      #expect(try connection.query("SELECT * FROM t").columns == ["a", "b"])
      // In a transaction everything before it would be lost: whoever began it begins anew.
      var attempts = 0
      let columns = try connection.transaction(attempts: 2) { connection throws(PostgreSQLError) in
        attempts += 1
        _ = try connection.query("SELECT * FROM t")
        if attempts == 1 { try other.run(script: "DEALLOCATE ALL") }
        return try connection.query("SELECT * FROM t").columns
      }
      #expect(columns == ["a", "b"])
      try other.run(script: "ALTER TABLE t ADD COLUMN c text")
      attempts = 0
      let wider = try connection.transaction(attempts: 2) { connection throws(PostgreSQLError) in
        attempts += 1
        return try connection.query("SELECT * FROM t").columns
      }
      #expect(wider == ["a", "b", "c"])
      #expect(attempts == 2)
    }
  }

  @Test func rowsAreReadByNameAndNumberAndNeverTrap() async throws {
    try await TestDatabase.make().with { connection throws in
      let result = try connection.query(
        "SELECT 1::bigint AS a, 'x'::text AS b, NULL::text AS c, 2::int AS a, 'Ä' AS \"Größe\"")
      #expect(result.columns == ["a", "b", "c", "a", "Größe"])
      #expect(result.rows.count == 1)
      let row = try #require(try result.onlyRow())
      #expect(try row.value("a", .integer) == 1)
      #expect(try row.value(3, .integer) == 2)
      #expect(try row.value("Größe", .text) == "Ä")
      #expect(try row.optional("c", .text) == nil)
      let faults: [(PostgreSQLError?, String)] = [
        (failure { () throws(PostgreSQLError) in try row.value("c", .text) }, "NULL"),
        (failure { () throws(PostgreSQLError) in try row.value("d", .text) }, "no column d"),
        (failure { () throws(PostgreSQLError) in try row.value("b", .integer) }, "whole number"),
        (failure { () throws(PostgreSQLError) in try row.value("a", .text) }, "a text"),
        (failure { () throws(PostgreSQLError) in try row.value(-1, .text) }, "number -1"),
        (failure { () throws(PostgreSQLError) in try row.value(5, .text) }, "number 5"),
      ]
      for (fault, words) in faults {
        #expect(fault?.kind == .programming)
        #expect(fault?.problem.contains(words) == true)
      }
      let many = try connection.query("SELECT generate_series(1, 3) AS n")
      #expect(try many.rows.map { try $0.value("n", .integer) } == [1, 2, 3])
      #expect(failure { () throws(PostgreSQLError) in try many.onlyRow() } != nil)
      #expect(try connection.query("SELECT 1 WHERE false").onlyRow() == nil)
    }
  }

  @Test func whatAStatementDidIsTold() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(
        script: "CREATE TABLE t (id bigint); INSERT INTO t SELECT generate_series(1, 5);")
      let update = try connection.query("UPDATE t SET id = id + 10 WHERE id > $1", [.integer(2)])
      #expect((update.affected, update.tag) == (3, "UPDATE 3"))
      #expect(update.rows.isEmpty)
      #expect(try connection.query("SELECT * FROM t").affected == 5)
      #expect(try connection.query("").affected == 0)
    }
  }

  @Test func wrongCallsAreRefusedAndTheConnectionGoesOn() async throws {
    try await TestDatabase.make().with { connection throws in
      let wrong: [(String, [PostgreSQLValue], String?)] = [
        ("SELEC 1", [], "42601"), ("SELECT * FROM nowhere", [], "42P01"),
        ("SELECT 1; SELECT 2", [], "42601"), ("SELECT $1::bigint", [], nil),
        ("SELECT 1", [.integer(1)], nil), ("SELECT $1::bigint", [.text("BA1PA1234")], "22P02"),
        ("SELECT 1 / $1::bigint", [.integer(0)], "22012"),
      ]
      for (text, values, code) in wrong {
        let error = failure { () throws(PostgreSQLError) in try connection.query(text, values) }
        #expect(error?.state?.code == code)
        #expect(error != nil)
        #expect(error?.description.contains("BA1PA1234") == false)
        #expect(connection.isIdle)
      }
      #expect(try connection.number("SELECT 1") == 1)
    }
  }

  @Test func copyIsNotSpokenAndEndsTheConnection() async throws {
    try await TestDatabase.make().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.run(script: "COPY (SELECT 1) TO STDOUT")
      }
      #expect(error?.kind == .programming)
      #expect(!connection.isOpen)
    }
  }

  @Test func aScriptIsOneTransaction() async throws {
    try await TestDatabase.make().with { connection throws in
      let error = failure { () throws(PostgreSQLError) in
        try connection.run(script: "CREATE TABLE t (id bigint); INSERT INTO t VALUES ('x')")
      }
      #expect(error?.state?.code == "22P02")
      #expect(try connection.number("SELECT count(*) FROM pg_tables WHERE tablename = 't'") == 0)
    }
  }

  @Test func whatTheServerSaysOfARowIsApartFromTheWords() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(
        script: """
          CREATE TABLE passages (plate text CONSTRAINT one_plate UNIQUE, speed int NOT NULL
            CONSTRAINT fast CHECK (speed < 300));
          INSERT INTO passages VALUES ('BA1PA1234', 50);
          CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'plate % is wanted', NEW.plate; END $$;
          """)
      func refused(_ plate: String, _ speed: Int64?) -> PostgreSQLError? {
        failure { () throws(PostgreSQLError) in
          try connection.query(
            "INSERT INTO passages VALUES ($1, $2)", [.text(plate), .integer(speed)])
        }
      }
      let twice = refused("BA1PA1234", 50)
      #expect(twice?.isViolation(.uniqueViolation, of: "one_plate") == true)
      #expect(twice?.isViolation(.uniqueViolation, of: "another") == false)
      #expect(twice?.report?.detail?.contains("BA1PA1234") == true)
      #expect(twice?.report?.table == "passages")
      let null = refused("BA1PA9999", nil)
      #expect(null?.isViolation(.notNullViolation) == true)
      #expect(null?.report?.column == "speed")
      let fast = refused("BA1PA9999", 777)
      #expect(fast?.isViolation(.checkViolation, of: "fast") == true)
      try connection.run(
        script: "CREATE TRIGGER t BEFORE INSERT ON passages FOR EACH ROW EXECUTE FUNCTION shout()")
      let raised = refused("BA1PA9999", 5)
      #expect(raised?.state?.code == "P0001")
      for error in [twice, null, fast, raised] {
        for text in [error?.description, error.map { String(reflecting: $0) }] {
          let text = try #require(text)
          #expect(!text.contains("BA1PA") && !text.contains("777"))
        }
      }
    }
  }
}
