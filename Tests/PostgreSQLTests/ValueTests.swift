import PostgreSQL
import SeededRandom
import TestSupport
import Testing
import Time

/// Values go to a real server and come back as they were.
@Suite(.needsPostgreSQL) struct ValueTests {
  private static let texts = [
    "", "a", "'", "''; DROP TABLE t; --", "\"", "\\", "\\x41", "NULL", "null", "{}", "{a,b}", ",",
    " ", "\t\n\r", "बा १ प १२३४", "👩‍👩‍👧 é e\u{301}", "$1", "%", "_", "--", "/* */",
    String(repeating: "ab'\\\"", count: 20_000), "\u{1}\u{7F}\u{FFFF}",
  ]

  @Test func textsComeBack() async throws {
    try await TestDatabase.make().with { connection throws in
      for text in Self.texts {
        let row = try connection.query("SELECT $1::text AS t, length($1) AS n", [.text(text)])
          .rows[0]
        #expect(try row.value("t", .text) == text)
        #expect(try row.value("n", .integer) == text.unicodeScalars.count)
      }
    }
  }

  @Test func aTextOfEveryKindStaysAValueInATable() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(script: "CREATE TABLE t (id bigint PRIMARY KEY, body text NOT NULL)")
      for (index, text) in Self.texts.enumerated() {
        try connection.query(
          "INSERT INTO t VALUES ($1, $2)", [.integer(Int64(index)), .text(text)])
        #expect(
          try connection.number("SELECT count(*) FROM t WHERE body = $1", [.text(text)]) == 1)
      }
      #expect(try connection.number("SELECT count(*) FROM t") == Int64(Self.texts.count))
    }
  }

  @Test func aZeroCharacterIsRefusedBeforeItIsSent() async throws {
    try await TestDatabase.make().with { connection throws in
      for value in [PostgreSQLValue.text("a\0b"), .texts(["a\0b"])] {
        let type = value == .text("a\0b") ? "text" : "text[]"
        let error = failure { () throws(PostgreSQLError) in
          try connection.query("SELECT $1::\(type)", [value])
        }
        #expect(
          error
            == .misused(reason: "parameter 1 has a zero character, which no text may have"))
      }
      #expect(failure { () throws(PostgreSQLError) in try connection.query("SELECT '\0'") } != nil)
      #expect(try connection.number("SELECT 1") == 1)
    }
  }

  @Test func numbersComeBack() async throws {
    try await TestDatabase.make().with { connection throws in
      for number in [Int64.min, -1, 0, 1, 42, Int64.max] {
        for type in ["bigint", "numeric"] {
          #expect(try connection.number("SELECT $1::\(type)", [.integer(number)]) == number)
        }
        #expect(
          try connection.query("SELECT $1::text", [.integer(number)]).rows[0].value(0, .text)
            == String(number))
      }
      for type in ["smallint", "integer", "oid"] {
        #expect(try connection.number("SELECT $1::\(type)", [.integer(12_345)]) == 12_345)
      }
      #expect(try connection.number("SELECT $1::oid", [.integer(4_000_000_000)]) == 4_000_000_000)
      let tooLarge = failure { () throws(PostgreSQLError) in
        try connection.query("SELECT $1::smallint", [.integer(70_000)])
      }
      #expect(tooLarge?.state?.code == "22003")
      #expect(tooLarge?.description.contains("70000") == false)
    }
  }

  @Test func fractionsComeBack() async throws {
    let numbers = [
      0, -0.0, 0.1, 1.0 / 3, -27.717245, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .infinity,
      -.infinity,
    ]
    try await TestDatabase.make().with { connection throws in
      for number in numbers {
        for text in ["SELECT $1::float8 AS a", "SELECT $1::float8 AS a, 1::numeric AS b"] {
          let row = try connection.query(text, [.double(number)]).rows[0]
          #expect(try row.value("a", .double).bitPattern == number.bitPattern)
        }
      }
      let row = try connection.query("SELECT $1::float8 AS a", [.double(.nan)]).rows[0]
      #expect(try row.value("a", .double).isNaN)
      #expect(
        try connection.query("SELECT $1::numeric", [.double(0.1)]).rows[0].value(0, .text) == "0.1")
      #expect(
        try connection.query("SELECT $1::float4", [.double(0.5)]).rows[0].value(0, .double) == 0.5)
    }
  }

  @Test func bytesAndTruthComeBack() async throws {
    var random = SplitMix64(seed: 7)
    let lists: [[UInt8]] =
      [[], [0], [0x5C, 0x78], Array(0...255)]
      + [(0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }]
    try await TestDatabase.make().with { connection throws in
      for bytes in lists {
        // With a column of another type the answer comes as a text.
        for text in ["SELECT $1::bytea AS a", "SELECT $1::bytea AS a, now() AS b"] {
          let row = try connection.query(text, [.bytes(bytes)]).rows[0]
          #expect(try row.value("a", .bytes) == bytes)
        }
      }
      for value in [true, false] {
        for text in ["SELECT $1::bool AS a", "SELECT $1::bool AS a, now() AS b"] {
          #expect(try connection.query(text, [.bool(value)]).rows[0].value("a", .bool) == value)
        }
      }
    }
  }

  @Test func nullIsNotEmpty() async throws {
    try await TestDatabase.make().with { connection throws in
      let types: [(String, PostgreSQLValue)] = [
        ("text", .text(nil)), ("bigint", .integer(nil)), ("float8", .double(nil)),
        ("bool", .bool(nil)), ("bytea", .bytes(nil)), ("uuid", .null), ("text[]", .null),
      ]
      for (type, value) in types {
        let row = try connection.query("SELECT $1::\(type) IS NULL AS n, 1 AS x", [value]).rows[0]
        #expect(try row.value("n", .bool))
      }
      // One statement, once with a value and once without.
      let text = "SELECT $1::bigint AS n"
      #expect(try connection.query(text, [.null]).rows[0].optional("n", .integer) == nil)
      #expect(try connection.query(text, [.integer(5)]).rows[0].optional("n", .integer) == 5)
      let row = try connection.query("SELECT $1::text AS t", [.text("")]).rows[0]
      #expect(try row.optional("t", .text) == "")
    }
  }

  @Test func momentsComeBackToTheMillisecond() async throws {
    let times = [-62_000_000_000_000, -1, 0, 1, 999, 1_767_225_600_250, 253_402_300_799_999].map {
      WallTime(milliseconds: $0)
    }
    try await TestDatabase.make().with { connection throws in
      for time in times {
        let row = try connection.query(
          "SELECT $1::timestamptz AS t, extract(epoch FROM $1::timestamptz)::float8 AS s",
          [.time(time)]
        ).rows[0]
        #expect(try row.value("t", .time) == time)
        #expect(try row.value("s", .double) == Double(time.milliseconds) / 1_000)
      }
      let list: [WallTime?] = times + [nil]
      let row = try connection.query(
        "SELECT $1::timestamptz[] AS l, $2::timestamptz AS n", [.times(list), .time(nil)]
      ).rows[0]
      #expect(try row.value("l", .array(of: .time)) == list)
      #expect(try row.optional("n", .time) == nil)
      let fine = try connection.query(
        "SELECT '1969-12-31 23:59:59.999999+00'::timestamptz AS t")
      #expect(try fine.rows[0].value("t", .time) == WallTime(milliseconds: -1))
    }
  }

  /// Whatever moment stands in a column, reading it is no failure, and it goes back as it came.
  @Test func everyMomentOfAColumnIsRead() async throws {
    try await TestDatabase.make().with { connection throws in
      let moments = [
        "10000-01-01 00:00:00+00", "294276-12-31 23:59:59.999+00", "0001-01-01 00:00:00+00",
        "0001-12-31 00:00:00+00 BC", "0044-03-15 12:00:00.25+00 BC", "4713-01-01 00:00:00+00 BC",
        "infinity", "-infinity",
      ]
      for moment in moments {
        let row = try connection.query(
          "SELECT $1::text::timestamptz AS t, floor(extract(epoch FROM $1::text::timestamptz) * 1000)::text AS n",
          [.text(moment)]
        ).rows[0]
        let time = try row.value("t", .time)
        if let number = try Int64(row.value("n", .text)) {
          #expect(time.milliseconds == number, "\(moment)")
        } else {
          #expect([.min, .max].contains(time.milliseconds), "\(moment)")
        }
        let back = try connection.query(
          "SELECT $1::timestamptz = $2::text::timestamptz AS e, $3::timestamptz[] AS l",
          [.time(time), .text(moment), .times([time])]
        ).rows[0]
        #expect(try back.value("e", .bool), "\(moment)")
        #expect(try back.value("l", .array(of: .time)) == [time])
      }
    }
  }

  @Test func whatHasATypeOfItsOwnIsWrittenAsAText() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(script: "CREATE TYPE kind AS ENUM ('car', 'bus')")
      let row = try connection.query(
        "SELECT $1::uuid AS u, $2::timestamptz AS t, $3::jsonb AS j, $4::kind AS k",
        [
          .text("903F6178-1D77-5A73-B651-63F83B997EB3"), .text("2026-01-01T05:45:00.5+05:45"),
          .text(#"{"a": 1}"#), .text("bus"),
        ]
      ).rows[0]
      #expect(try row.value("u", .text) == "903f6178-1d77-5a73-b651-63f83b997eb3")
      #expect(try row.value("t", .text) == "2026-01-01 00:00:00.5+00")
      #expect(try row.value("j", .text) == #"{"a": 1}"#)
      #expect(try row.value("k", .text) == "bus")
      let only = try connection.query(
        "SELECT $1::uuid AS u", [.text("903f6178-1d77-5a73-b651-63f83b997eb3")])
      #expect(try only.rows[0].value("u", .text) == "903f6178-1d77-5a73-b651-63f83b997eb3")
    }
  }
}
