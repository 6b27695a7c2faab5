public import CentralCore
import Passages
import PostgreSQL
public import Storage

extension PostgreSQLCentralStore {
  /// The store in numbers, at the cost of a few look-ups however many messages there are.
  public func overview() throws(StorageError) -> CentralOverview {
    try readAll { connection throws(PostgreSQLError) in
      let results = try connection.pipeline(
        [
          Self.counts, Self.tally, Self.heard, Self.devices, Self.signIns, Self.unproven,
          Self.changed, Self.back,
        ].map {
          PostgreSQLCommand($0)
        }, isReading: true)
      let counts = try results[0].firstRow()
      var tally: [String: Int] = [:]
      for row in results[1].rows {
        tally[try row.value(0, .text)] = Int(try row.value(1, .integer))
      }
      var heard: [PostHeard] = []
      for row in results[2].rows { heard.append(try Self.heard(row)) }
      let places = Dictionary(
        heard.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
      for row in results[3].rows {
        guard let place = places[try row.value(0, .text)] else { continue }
        heard[place].deviceAt = try row.value(1, .time)
        heard[place].deviceWaiting = try row.value(2, .integer)
      }
      for row in results[4].rows {
        guard let place = places[try row.value(0, .text)] else { continue }
        heard[place].signedInAt = try row.value(1, .time)
      }
      for row in results[7].rows {
        guard let place = places[try row.value(0, .text)] else { continue }
        heard[place].wentBackAt = try row.value(1, .time)
      }
      // Counts that other programs wrote may be as large as numbers are.
      let passages = heard.reduce(0) { $0.addingReportingOverflow(Int($1.passages)).partialValue }
      var overview = CentralOverview(
        posts: Int(try counts.value(0, .integer)), segments: Int(try counts.value(1, .integer)),
        rangers: Int(try counts.value(2, .integer)),
        passages: passages, received: tally["inbox"] ?? 0,
        undecodable: tally["undecodable"] ?? 0, duplicates: tally["duplicate"] ?? 0, heard: heard,
        databaseBytes: try counts.value(4, .integer), freeBytes: nil)
      overview.violations = tally["violations"] ?? 0
      let unproven = try results[5].firstRow()
      overview.unproven = Int(try unproven.value(0, .integer))
      overview.unprovenSince = try unproven.optional(1, .time)
      let changed = try results[6].firstRow()
      overview.changedAfterFinal = Int(try changed.value(0, .integer))
      overview.changedSince = try changed.optional(1, .time)
      overview.alerts = Int(try counts.value(3, .integer))
      overview.judgesAgain = try counts.value(5, .bool)
      overview.unreadable = Int(try counts.value(6, .integer))
      return overview
    }
  }

  /// Gathers what changed the counts, where that is much and nobody else is writing: with messages it is gathered
  /// anyway, but rows may come by other ways alone.
  func gatherCounts() throws(StorageError) {
    try write { connection throws(PostgreSQLError) in
      guard try connection.query(Self.mayGather).firstRow().value(0, .bool) else { return }
      _ = try connection.query("SELECT checkpost.gather_counts()")
    }
  }

  private static let mayGather = """
    SELECT CASE WHEN EXISTS (SELECT FROM checkpost.heard_changes OFFSET \(Limits.countsUngathered))
      THEN pg_try_advisory_xact_lock(7064, 0) ELSE false END
    """

  private static let counts = """
    SELECT (SELECT count(*) FROM public.checkposts),
      (SELECT count(*) FROM checkpost.known_segments),
      (SELECT count(*) FROM public.user_profiles
        WHERE is_active AND phone_number ~ '[0-9]' AND assigned_checkpost_id IS NOT NULL),
      (SELECT count(*) FROM checkpost.alerts WHERE ending IS NULL),
      pg_database_size(current_database()),
      (SELECT cause IS NOT NULL FROM checkpost.rejudging),
      (SELECT count(*) FROM checkpost.unreadable)
    """

  private static let tally = "SELECT name, n FROM checkpost.tally_now"

  /// What the device told last that told anything of a post last.
  private static let devices = """
    SELECT DISTINCT ON (c.code) c.code, m.received_at, m.pending
    FROM checkpost.device_marks m JOIN public.user_profiles u ON u.id = m.user_id
      JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
    ORDER BY c.code, m.received_at DESC
    """

  /// When posts said less than before.
  private static let back = """
    SELECT b.post, max(b.at) FROM (
      SELECT m.post::text AS post, m.went_back_at AS at FROM checkpost.post_marks m
      UNION ALL SELECT c.code::text, d.went_back_at
        FROM checkpost.device_marks d JOIN public.user_profiles u ON u.id = d.user_id
          JOIN public.checkposts c ON c.id = u.assigned_checkpost_id) AS b
    WHERE b.at IS NOT NULL GROUP BY b.post
    """

  private static let unproven = """
    SELECT count(*), min(v.since) FROM checkpost.violations v
    WHERE v.finality = 'provisional' AND NOT v.is_retracted AND v.unreported_from IS NULL
      AND v.confirmed_at IS NULL
    """

  private static let changed = """
    SELECT count(*), min(v.changed_final_at) FROM checkpost.violations v
    WHERE v.changed_final_at IS NOT NULL
    """

  private static let signIns = """
    SELECT t.checkpost, max(t.at) FROM (
      SELECT a.checkpost, s.refreshed_at AS at
        FROM checkpost.sessions s JOIN checkpost.accounts a ON a.id = s.account
      UNION ALL SELECT k.checkpost, k.used_at FROM checkpost.api_keys k WHERE k.used_at IS NOT NULL) AS t
    WHERE t.checkpost IS NOT NULL GROUP BY t.checkpost
    """

  private static let heard = """
    SELECT c.code, c.name, h.last_at, h.passages, h.recorded, \(HeardColumns.columns)
      FROM public.checkposts c LEFT JOIN checkpost.heard_now h ON h.post = c.code COLLATE "C"
    UNION ALL
    SELECT h.post, NULL, h.last_at, h.passages, h.recorded, \(HeardColumns.columns)
      FROM checkpost.heard_now h
      WHERE NOT EXISTS (SELECT FROM public.checkposts c WHERE c.code COLLATE "C" = h.post)
        AND (h.passages <> 0 OR h.recorded <> 0 OR h.heartbeat_at IS NOT NULL)
    ORDER BY 1
    """

  private static func heard(_ row: PostgreSQLRow) throws(PostgreSQLError) -> PostHeard {
    var post = PostHeard(
      code: try row.value(0, .text), name: try row.optional(1, .text),
      lastAt: try row.optional(2, .time))
    post.passages = try row.optional(3, .integer) ?? 0
    post.recorded = try row.optional(4, .integer) ?? 0
    if let code = CheckpostCode(known: post.code) {
      post.heartbeat = try HeardColumns.heartbeat(of: code, row, from: 5)
    }
    return post
  }
}
