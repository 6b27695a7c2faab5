import PostgreSQL
import TestSupport
import Testing

@testable import struct PostgreSQL.ReceivedValue

@Suite(.needsPostgreSQL) struct ArrayTests {
  @Test func arraysComeBackInBothForms() async throws {
    let texts: [[String?]] = [
      [], [nil], [""], ["a", nil, "NULL", "null", "b,c", "{d}", "\"e\"", "\\", " f ", "'", "ग"],
    ]
    let numbers: [[Int64?]] = [[], [nil], [.min, -1, 0, nil, .max]]
    let fractions: [[Double?]] = [[], [0.1, nil, -.infinity, 1e-300]]
    let truths: [[Bool?]] = [[], [true, nil, false]]
    let octets: [[[UInt8]?]] = [[], [[], nil, [0, 0x22, 0x5C, 0xFF]]]
    try await TestDatabase.make().with { connection throws in
      for list in texts {
        #expect(try both(connection, "text", .texts(list), .text) == [list, list])
      }
      for list in numbers {
        #expect(try both(connection, "bigint", .integers(list), .integer) == [list, list])
      }
      for list in fractions {
        #expect(try both(connection, "float8", .doubles(list), .double) == [list, list])
      }
      for list in truths {
        #expect(try both(connection, "bool", .bools(list), .bool) == [list, list])
      }
      for list in octets {
        #expect(try both(connection, "bytea", .byteArrays(list), .bytes) == [list, list])
      }
    }
  }

  /// What comes back of an array in the binary form, and as a text: a column whose binary form is not read makes
  /// the whole answer one of texts.
  private func both<Element>(
    _ connection: PostgreSQLConnection, _ type: String, _ value: PostgreSQLValue,
    _ element: PostgreSQLType<Element>
  ) throws -> [[Element?]] {
    try ["", ", now() AS other"].map { other in
      try connection.query("SELECT $1::\(type)[] AS a\(other)", [value]).rows[0]
        .value("a", .array(of: element))
    }
  }

  @Test func arraysOfOtherTypesGoAsTexts() async throws {
    try await TestDatabase.make().with { connection throws in
      let ids = [
        "903f6178-1d77-5a73-b651-63f83b997eb3", nil, "dc136851-5076-5884-95f0-9a051d552b52",
      ]
      let row = try connection.query(
        """
        SELECT $1::uuid[] AS ids, $2::timestamptz[] AS times, $3::numeric[] AS sums,
          $4::smallint[] AS small, $5::float4[] AS few, $6::varchar[] AS words
        """,
        [
          .texts(ids), .texts(["2026-01-01T00:00:00Z", nil]), .doubles([0.25, nil]),
          .integers([1, nil]), .doubles([0.5]), .texts(["a", nil]),
        ]
      ).rows[0]
      #expect(try row.value("ids", .array(of: .text)) == ids)
      #expect(try row.value("times", .array(of: .text)) == ["2026-01-01 00:00:00+00", nil])
      #expect(try row.value("sums", .array(of: .double)) == [0.25, nil])
      #expect(try row.value("small", .array(of: .integer)) == [1, nil])
      #expect(try row.value("few", .array(of: .double)) == [0.5])
      #expect(try row.value("words", .array(of: .text)) == ["a", nil])
    }
  }

  @Test func aBatchIsOneStatement() async throws {
    try await TestDatabase.make().with { connection throws in
      try connection.run(
        script: "CREATE TABLE t (id uuid PRIMARY KEY, plate text, speed float8, seen bigint)")
      let count = 2_000
      let ids = (0..<count).map { index in
        "00000000-0000-4000-8000-\(String(1_000_000_000_000 + index).dropFirst())"
      }
      let result = try connection.query(
        """
        INSERT INTO t SELECT * FROM unnest($1::uuid[], $2::text[], $3::float8[], $4::bigint[])
        ON CONFLICT DO NOTHING
        """,
        [
          .texts(ids), .texts((0..<count).map { $0 % 7 == 0 ? nil : "BA1PA\($0)'" }),
          .doubles((0..<count).map { Double($0) / 3 }), .integers((0..<count).map { Int64($0) }),
        ])
      #expect(result.affected == count)
      #expect(try connection.number("SELECT count(*) FROM t WHERE plate IS NULL") == 286)
      let last = try connection.query("SELECT * FROM t ORDER BY seen DESC LIMIT 1").rows[0]
      #expect(try last.value("speed", .double) == Double(count - 1) / 3)
      #expect(try last.value("plate", .text) == "BA1PA\(count - 1)'")
    }
  }

  @Test func whatIsNoListIsRefused() async throws {
    try await TestDatabase.make().with { connection throws in
      let row = try connection.query(
        "SELECT '{{1,2},{3,4}}'::bigint[] AS square, 'x'::text AS word, now() AS other"
      ).rows[0]
      #expect(
        failure { () throws(PostgreSQLError) in
          try row.value("square", .array(of: .integer))
        }?.kind == .programming)
      #expect(
        failure { () throws(PostgreSQLError) in
          try row.value("word", .array(of: .text))
        }?.kind == .programming)
      let binary = try connection.query("SELECT '{{1,2},{3,4}}'::bigint[] AS square").rows[0]
      #expect(
        failure { () throws(PostgreSQLError) in
          try binary.value("square", .array(of: .integer))
        }?.kind == .programming)
    }
  }
}

/// Bytes as no server would send them end nothing but their own reading.
@Suite struct ReceivedValueTests {
  @Test func everyCutOfAnArrayIsRefused() {
    // One dimension, no NULL, int8, two elements from 1 on.
    let whole: [UInt8] =
      [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0, 1]
      + [0, 0, 0, 8] + [0, 0, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 8] + [0, 0, 0, 0, 0, 0, 0, 6]
    func numbers(_ bytes: [UInt8]) -> [Int64?]? {
      bytes.withUnsafeBytes { space in
        var numbers: [Int64?] = []
        let isWhole = ReceivedValue(bytes: space, type: 1_016, isBinary: true).forEachElement {
          numbers.append($0?.integer)
          return true
        }
        return isWhole ? numbers : nil
      }
    }
    #expect(numbers(whole) == [5, 6])
    for count in 0..<whole.count { #expect(numbers(Array(whole[..<count])) == nil) }
    #expect(numbers(whole + [0]) == nil)
  }

  @Test(arguments: ["", "\\", "\\x", "\\x4", "\\x4g", "x41", "\\x4142"])
  func bytesAsTextAreReadWholeOrNotAtAll(_ text: String) {
    var text = text
    let bytes = text.withUTF8 { space in
      ReceivedValue(bytes: UnsafeRawBufferPointer(space), type: 17, isBinary: false).octets
    }
    #expect(bytes == (text == "\\x" ? [] : text == "\\x4142" ? [0x41, 0x42] : nil))
  }
}
