import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

/// What a store has seen of this machine's clock.
enum ClockRows {
  /// Passages that are looked at when the time becomes known: the youngest.
  static let looks = 5_000

  /// With a new start what was seen in the one before is the newest moment; how long the machine was off,
  /// nobody knows.
  static func beginStart(_ database: Database) throws {
    let seen = try Meta.integer(database, .seenWall)
    // A store of an earlier version kept none, but when passages were recorded.
    let recorded =
      try seen == nil
      ? Int64.fetchOne(
        database, sql: "SELECT created_at_ms FROM passages ORDER BY id DESC LIMIT 1") : nil
    let earliest = Passage.earliest.milliseconds
    let before = ClockHistory(
      boot: "",
      seen: seen.map { Moment(boot: .zero, wall: WallTime(milliseconds: $0)) },
      unproven: try Meta.integer(database, .unproven).map { .milliseconds($0) })
    let moments = [
      try Meta.integer(database, .newestWall), before.newestForNextStart?.milliseconds, recorded,
    ].compactMap { $0 }
    try Meta.keep(database, .newestWall, moments.filter { $0 >= earliest }.max())
    try Meta.keep(database, .seenWall, nil as Int64?)
    try Meta.keep(database, .seenWallAt, nil as Int64?)
    try Meta.keep(database, .unproven, nil as Int64?)
  }

  private static let historyQuery =
    "SELECT "
    + [Meta.Key.bootID, .newestWall, .seenWall, .seenWallAt, .unproven]
    .map { "(SELECT value FROM meta WHERE key = '\($0.rawValue)')" }.joined(separator: ", ")

  /// Keeps that the clock has come to ?1, and that the wall clock showed ?2 at ?3.
  static let keepSeen = """
    INSERT INTO meta VALUES ('\(Meta.Key.lastTime.rawValue)', ?1),
      ('\(Meta.Key.seenWall.rawValue)', ?2), ('\(Meta.Key.seenWallAt.rawValue)', ?3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
    """

  /// What the store has seen of the clock, in one question.
  static func history(_ database: Database) throws -> ClockHistory {
    let row = try Row.fetchOne(database.cachedStatement(sql: historyQuery))
    guard let row else { return ClockHistory(boot: "") }
    let (wall, moment): (Int64?, Int64?) = (row[2], row[3])
    return ClockHistory(
      boot: row[0] ?? "",
      newest: (row[1] as Int64?).map { WallTime(milliseconds: $0) },
      seen: wall.flatMap { wall in
        moment.map {
          Moment(boot: BootInstant(nanoseconds: $0), wall: WallTime(milliseconds: wall))
        }
      },
      unproven: (row[4] as Int64?).map { .milliseconds($0) })
  }

  /// The start that the file belongs to.
  static let start = "(SELECT coalesce(max(start_t), 0) FROM boots)"

  /// By how many milliseconds the clock was ahead when a passage was recorded, of a time ?1 in milliseconds
  /// that was known at ?2 by the node's clock.
  static let ahead = "(created_at_ms - (?1 + (since_t - ?2) / 1000000))"

  /// Whether a time was put right by what is noted of its clock; what left before stays, and is off by that. As in
  /// ``NodeCore/ClockSource``.
  static let isMended = """
    (abs(created_at_ms - recorded_at_ms - 1000 * coalesce(clock_skew_s, 0))
      < abs(created_at_ms - recorded_at_ms))
    """
}

extension ClockRows {
  /// How long a passage whose time is in doubt keeps it in doubt up to when everything is on the server: as long as
  /// central looks for the other end of a travel, by the node's clock, which stands still while the machine is off.
  static let doubtsFor: Duration = .seconds(72 * 3_600)

  /// How many seconds the time of a row of `passages` may be wrong; nil where nothing is known against it.
  static func doubt(_ row: Row) -> Int64? {
    let source = (row["clock_source"] as String?).flatMap { ClockSource(rawValue: $0) }
    return source?.doubt(
      recorded: WallTime(milliseconds: row["recorded_at_ms"]),
      created: WallTime(milliseconds: row["created_at_ms"]), ahead: row["clock_skew_s"])
  }

  /// How many seconds the times of passages may be wrong at most that were recorded lately, whether the server has
  /// them or not; nil where nothing is known against any.
  static func doubt(_ database: Database, at moment: Moment) throws -> Int64? {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          WITH young AS (SELECT * FROM passages ORDER BY id DESC LIMIT \(looks))
          SELECT clock_source, clock_skew_s, recorded_at_ms, created_at_ms FROM young
          WHERE (clock_source = 'none' OR clock_source IS NOT NULL AND clock_skew_s IS NOT NULL)
            AND since_t > ?1 AND withdrawn_ms IS NULL
          """), arguments: [(moment.boot - doubtsFor).nanoseconds]
    ).compactMap(doubt).max()
  }
}

extension StoreTransaction {
  func clockHistory() throws(StorageError) -> ClockHistory {
    try sorted { try ClockRows.history(database) }
  }

  func keep(_ history: ClockHistory) throws(StorageError) {
    try sorted {
      try Meta.keep(database, .newestWall, history.newest?.milliseconds)
      try Meta.keep(database, .seenWall, history.seen?.wall.milliseconds)
      try Meta.keep(database, .seenWallAt, history.seen?.boot.nanoseconds)
      try Meta.keep(database, .unproven, history.unproven?.wholeMilliseconds)
    }
  }

  func misdated(
    by time: KnownTime, tolerance: Duration, limit: Int
  ) throws(StorageError) -> [MisdatedPassage] {
    try sorted {
      // One that was put right before has what it was put right by in its skew.
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            WITH young AS (SELECT * FROM passages ORDER BY id DESC LIMIT \(ClockRows.looks))
            SELECT *, \(ClockRows.ahead) AS ahead_ms, \(NodeSchema.hasLeft("young.id")) AS has_left
            FROM young
            WHERE undated = 0 AND clock_source IN ('none', 'rtc') AND handed_on_ms IS NULL
              AND withdrawn_ms IS NULL AND since_t > \(ClockRows.start)
              AND abs(ahead_ms - 1000 * coalesce(clock_skew_s, 0)) > ?3
            ORDER BY id DESC LIMIT ?4
            """),
        arguments: [
          time.wall.milliseconds, time.at.nanoseconds, tolerance.wholeNanoseconds / 1_000_000,
          max(limit, 0),
        ]
      ).map { row in
        let ahead: Int64 = row["ahead_ms"]
        let hasLeft: Bool = row["has_left"]
        return MisdatedPassage(
          queueID: row["id"], passage: try Passage(row: row), mended: row["clock_skew_s"] ?? 0,
          ahead: (Double(ahead) / 1_000).rounded().whole, hasLeft: hasLeft)
      }
    }
  }

  func noteClock(
    _ queueID: Int64, source: ClockSource?, ahead: Int64?
  ) throws(StorageError) {
    try sorted {
      try database.cachedStatement(
        sql: """
          UPDATE passages SET clock_source = coalesce(?2, clock_source), clock_skew_s = ?3
          WHERE id = ?1
          """
      ).execute(arguments: [queueID, source?.rawValue, ahead])
    }
  }

  func vouch(_ time: KnownTime, tolerance: Duration) throws(StorageError) {
    try sorted {
      try database.cachedStatement(
        sql: """
          WITH young AS (SELECT id FROM passages ORDER BY id DESC LIMIT \(ClockRows.looks))
          UPDATE passages SET clock_source = ?4
          WHERE id IN young AND undated = 0 AND clock_source = 'none'
            AND since_t > \(ClockRows.start)
            AND abs(\(ClockRows.ahead) - 1000 * coalesce(clock_skew_s, 0)) <= ?3
            AND (clock_skew_s IS NULL OR \(ClockRows.isMended))
          """
      ).execute(arguments: [
        time.wall.milliseconds, time.at.nanoseconds, tolerance.wholeNanoseconds / 1_000_000,
        time.source.rawValue,
      ])
    }
  }

  func doubtBattery() throws(StorageError) {
    try sorted {
      try database.cachedStatement(
        sql: """
          WITH young AS (SELECT id FROM passages ORDER BY id DESC LIMIT \(ClockRows.looks))
          UPDATE passages SET clock_source = 'none'
          WHERE id IN young AND undated = 0 AND clock_source = 'rtc'
            AND since_t > \(ClockRows.start)
          """
      ).execute()
    }
  }

  func forgetClock(_ queueID: Int64) throws(StorageError) {
    try sorted {
      try database.execute(
        sql: "UPDATE passages SET clock_source = NULL, clock_skew_s = NULL WHERE id = ?",
        arguments: [queueID])
    }
  }
}

extension Double {
  /// The whole number, or the farthest one that there is.
  fileprivate var whole: Int64 { Int64(exactly: self) ?? (self < 0 ? .min : .max) }
}
