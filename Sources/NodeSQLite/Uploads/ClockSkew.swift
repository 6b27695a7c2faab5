import GRDB
import NodeCore
import Passages
import Storage
import Time

/// How far this machine's clock was from the server's when a passage was recorded, where it is more than
/// ``NodeCore/TimeKnowledge/tolerance`` and somebody kept the clock: then its time is off by as much, or the
/// server's is. The time of a clock that nobody kept is put right instead, see ``NodeCore/ClockHistory``.
enum ClockSkew {
  /// Passages that are looked at when the server tells the time: the youngest that wait.
  private static let looks = 5_000

  /// In seconds, for what is recorded at this moment; nil when there is none, or nobody knows.
  static func now(_ database: Database, at moment: Moment) throws -> Int64? {
    guard let time = try Meta.serverTime(database) else { return nil }
    var known = TimeKnowledge()
    known.take(time)
    return known.skewSeconds(showing: moment.wall, at: moment.boot)
  }

  /// Notes it for passages that were recorded in this start of the machine before the server told the
  /// time, and that it has not got yet.
  static func flagWaiting(_ database: Database, by time: KnownTime) throws {
    let tolerance = TimeKnowledge.tolerance.wholeNanoseconds / 1_000_000
    try database.cachedStatement(
      sql: """
        WITH start (t) AS (SELECT coalesce(max(start_t), 0) FROM boots),
        waiting AS (
          SELECT passages.id, created_at_ms - (?1 + (since_t - ?2) / 1000000) AS ahead
          FROM passages JOIN uploads ON uploads.passage_id = passages.id
          WHERE \(NodeSchema.ofPassage) AND uploads.status <> 'synced' AND undated = 0
            AND clock_source NOT IN ('none', 'rtc') AND clock_skew_s IS NULL
            AND since_t > (SELECT t FROM start)
          ORDER BY passages.id DESC LIMIT \(looks)
        )
        UPDATE passages SET clock_skew_s = waiting.ahead / 1000 FROM waiting
        WHERE waiting.id = passages.id AND abs(waiting.ahead) > ?3
        """
    ).execute(arguments: [time.wall.milliseconds, time.at.nanoseconds, tolerance])
  }
}

extension Meta {
  /// What the server's clock showed; nil when it told nothing in this start of the machine.
  static func serverTime(_ database: Database) throws -> KnownTime? {
    guard let wall = try integer(database, .serverTime),
      let moment = try integer(database, .serverTimeAt)
    else { return nil }
    return KnownTime(
      .server, WallTime(milliseconds: wall), at: BootInstant(nanoseconds: moment))
  }
}
