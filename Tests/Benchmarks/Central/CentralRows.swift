import CentralCore
import CentralSQLite
import GRDB
import Passages
import Storage
import Time

/// A central's file with passages of a year in it, two of each travel.
///
/// One travel is taken as the service takes it; all others are rows like its own, with plates, times and names of
/// their own. Written one by one they would take hours.
struct CentralRows {
  /// How many passages there are, unless `BENCH_ROWS` says another number.
  static let count = Place.environment("BENCH_ROWS").flatMap { Int($0) } ?? 5_000_000
  /// Vehicles among them.
  static let vehicles = 500_000
  /// When the first of them passes.
  static let start: Int64 = 1_760_000_000

  let path: String

  /// Makes the file.
  init(_ path: String) throws {
    self.path = path
    let store = try SQLiteCentralStore(path: path)
    for refusal in try store.put(try CentralRows.directory()) where refusal != nil {
      throw Failure("the directory of the benchmark is refused")
    }
    try CentralRows.take(
      [CentralRows.arrival(0, "BNP-A", 0), CentralRows.arrival(1, "BNP-B", 2_700)], store)
    try store.close()
    try multiply()
  }

  /// A segment of 30 km with a post at each end.
  static func directory() throws -> [DirectoryEntry] {
    let segment = try Segment(
      name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
      maximumKilometresPerHour: 60)
    return try [DirectoryEntry.segment(segment)]
      + ["BNP-A", "BNP-B"].enumerated().map { index, code in
        .post(
          CentralCore.Post(
            code: try CheckpostCode(code), name: code,
            place: CentralCore.Post.Place(segment: "Banepa", index: index)))
      }
  }

  /// A report as an upload brings it.
  ///
  /// - Parameters:
  ///   - number: Names it, and its vehicle.
  ///   - second: After ``start``.
  static func arrival(
    _ number: Int, _ post: String, _ second: Int64, vehicle: Int? = nil
  ) throws -> PassageArrival {
    let digits = String(vehicle ?? 0)
    let plate = try Plate("ZZ1PA" + String(repeating: "0", count: 6 - digits.utf8.count) + digits)
    let moment = WallTime(epochSeconds: start + second)
    guard let suffix = PhoneSuffix("4567") else { throw Failure("4567 is a suffix") }
    return PassageArrival(
      Observation(
        clientID: ClientID(random: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, UInt64(number)),
        post: try CheckpostCode(post), plate: plate, vehicleType: .car, recordedAt: moment,
        ranger: nil, suffix: suffix, photoPath: nil, channel: .upload, isProven: true,
        receivedAt: moment, clock: .unknown))
  }

  /// Takes arrivals in one transaction.
  @discardableResult
  static func take(
    _ arrivals: [PassageArrival], _ store: some CentralStore
  ) throws -> TakenArrivals {
    try store.transaction { transaction throws(StorageError) in
      try transaction.take(
        arrivals, rules: JudgingRules(), at: WallTime(epochSeconds: start + 40_000_000))
    }
  }

  // MARK: Rows

  private static let second = "i * 31536000 / :travels"
  private static let vehicle = "'ZZ1PA' || printf('%06d', 1 + i * 7919 % :vehicles)"

  /// What is other in each row; the rest is as it is in the first travel.
  private static let other: [(table: String, columns: [String: String])] = [
    (
      "records",
      [
        "number": "t.number + 2 * i", "passage": "t.passage + 2 * i",
        "received_plate": vehicle, "plate": vehicle,
        "received_second": "t.received_second + \(second)", "second": "t.second + \(second)",
        "uuid": name("t.number"), "client_id": name("t.number"),
      ]
    ),
    (
      "observations",
      [
        "record": "t.record + 2 * i", "client_id": name("t.record"), "plate_raw": vehicle,
        "recorded_at_ms": "t.recorded_at_ms + 1000 * (\(second))",
        "received_at_ms": "t.received_at_ms + 1000 * (\(second))",
      ]
    ),
    (
      "passages",
      [
        "id": "t.id + 2 * i", "uuid": name("t.id"), "client_id": name("t.id"),
        "plate_number": vehicle, "plate_number_raw": vehicle, "partner": "t.partner + 2 * i",
        "recorded_at_ms": "t.recorded_at_ms + 1000 * (\(second))",
        "first_received_at_ms": "t.first_received_at_ms + 1000 * (\(second))",
      ]
    ),
  ]

  /// Names that come in no order, as those that posts make.
  private static func name(_ number: String) -> String {
    "printf('%08x-%04x-4000-8000-%012x', (\(number) + 2 * i) * 2654435761 & 4294967295,"
      + " (\(number) + 2 * i) & 65535, \(number) + 2 * i)"
  }

  private func multiply() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
      try database.inTransaction {
        let built = try String.fetchAll(
          database,
          sql: """
            SELECT 'DROP ' || type || ' ' || name || '; ' || sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND type IN ('index', 'trigger')
              AND tbl_name IN ('records', 'observations', 'identities', 'passages')
            """)
        for statement in built {
          try database.execute(sql: String(statement.prefix { $0 != ";" }))
        }
        for (table, columns) in CentralRows.other {
          try CentralRows.copy(table, columns, database)
        }
        try database.execute(
          sql: """
            INSERT INTO identities SELECT client_id, number FROM records WHERE number > 2
              ORDER BY client_id
            """)
        for statement in built {
          try database.execute(sql: String(statement.drop { $0 != ";" }.dropFirst()))
        }
        try database.execute(
          sql: "UPDATE tally SET n = (SELECT count(*) FROM passages) WHERE name = 'passages'")
        return .commit
      }
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }

  private static func copy(
    _ table: String, _ other: [String: String], _ database: Database
  ) throws {
    let columns = try database.columns(in: table).map(\.name)
    let values = columns.map { other[$0] ?? "t.\($0)" }.joined(separator: ", ")
    let travels = count / 2 - 1
    try database.execute(
      sql: """
        WITH RECURSIVE series (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM series WHERE i < :travels)
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT \(values) FROM series, (SELECT * FROM \(table)) AS t
        """,
      arguments: StatementArguments(
        ["travels": travels, "vehicles": vehicles].filter { key, _ in
          key == "travels" || values.contains(":vehicles")
        }))
  }
}
