public import CentralCore
import Passages
public import PostgreSQL
import Time

/// What was judged.
extension JudgingDatabase {
  /// Violations, the newest exit first.
  public func violations(_ query: ViolationQuery) throws(PostgreSQLError) -> [StoredViolation] {
    var conditions = Conditions()
    if let entries = query.entries { conditions.add("v.entry = ANY (?)", .integers(entries)) }
    switch query.standing {
    case .standing: conditions.add("NOT v.is_retracted")
    case .retracted: conditions.add("v.is_retracted")
    case .all: break
    }
    conditions.add("(v.found).kind = ?", .text(query.kind?.rawValue))
    conditions.add("v.finality = ?", .text(query.finality?.rawValue))
    conditions.add("? = ANY ((v.found).doubts)", .text(query.doubt?.rawValue))
    if query.isChangedAfterFinal { conditions.add("v.changed_final_at IS NOT NULL") }
    switch query.isConfirmed {
    case nil: break
    case true?: conditions.add("v.confirmed_at IS NOT NULL")
    case false?: conditions.add("v.confirmed_at IS NULL")
    }
    switch query.outcome {
    case .open: conditions.add("NOT \(JudgingDatabase.isClosed)")
    case .recorded: conditions.add(JudgingDatabase.isClosed)
    case nil: break
    }
    conditions.add("(v.found).plate = ?", .text(query.plate))
    conditions.add("(v.found).segment = ?", .text(query.segment))
    conditions.add("? IN ((v.found).entry_post, (v.found).exit_post)", .text(query.post?.code))
    conditions.add("(v.found).exit_earliest >= ?", .integer(query.since?.epochSeconds))
    conditions.add("(v.found).exit_earliest < ?", .integer(query.until?.epochSeconds))
    if let place = query.after {
      let (second, row) = (
        conditions.place(of: .integer(place.second)), conditions.place(of: .integer(place.row))
      )
      conditions.add("((v.found).exit_earliest, v.entry) < (\(second), \(row))")
    }
    return try violations(conditions, limit: query.limit)
  }

  func violations(
    _ conditions: Conditions, limit: Int
  ) throws(PostgreSQLError) -> [StoredViolation] {
    var conditions = conditions
    // What the owner of the tables left without a value says nothing.
    conditions.add("v.found IS NOT NULL AND v.uuid IS NOT NULL")
    let limit = conditions.place(of: .integer(Int64(limit)))
    let result = try connection.query(
      """
      SELECT \(ViolationColumns.violation), v.uuid, v.confirmed_by,
        \(JudgingDatabase.name(of: "v.entry")), \(JudgingDatabase.name(of: "(v.found).exit")),
        \(JudgingDatabase.type(of: "v.entry", "(v.found).exit")), \(JudgingDatabase.outcome)
      FROM checkpost.violations v LEFT JOIN LATERAL (
        SELECT o.* \(JudgingDatabase.outcomes)) o ON true
      WHERE \(conditions.sql)
      ORDER BY (v.found).exit_earliest DESC, v.entry DESC LIMIT \(limit)
      """, conditions.values, isReading: true)
    var violations: [StoredViolation] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let violation = try ViolationColumns.violation(&reader)
      let uuid = try reader.identity()
      let author = try reader.optional(.text)
      violations.append(
        StoredViolation(
          uuid: uuid, violation: violation, entry: try reader.identity(),
          exit: try reader.identity(), vehicleType: try reader.word(or: .other),
          confirmedBy: author,
          outcome: try JudgingDatabase.outcome(&reader)))
    }
    return violations
  }

  /// Alerts of vehicles that have been inside for too long, the one that was due last first.
  public func alerts(_ query: AlertQuery) throws(PostgreSQLError) -> [StoredAlert] {
    var conditions = Conditions()
    if query.isOpen { conditions.add("a.ending IS NULL") }
    conditions.add("a.plate = ?", .text(query.plate))
    conditions.add("a.post = ?", .text(query.post?.code))
    conditions.add(JudgingDatabase.isOnSegment, .text(query.segment))
    conditions.add("a.due_at >= ?", .integer(query.since?.epochSeconds))
    conditions.add("a.due_at < ?", .integer(query.until?.epochSeconds))
    if let place = query.after {
      let (second, row) = (
        conditions.place(of: .integer(place.second)), conditions.place(of: .integer(place.row))
      )
      conditions.add("(a.due_at, a.entry) < (\(second), \(row))")
    }
    let limit = conditions.place(of: .integer(Int64(query.limit)))
    let result = try connection.query(
      """
      SELECT \(ViolationColumns.alert), \(JudgingDatabase.name(of: "a.entry")),
        \(JudgingDatabase.type(of: "a.entry", "a.entry")),
        \(JudgingDatabase.segmentOfAlert)
      FROM checkpost.alerts a WHERE \(conditions.sql)
      ORDER BY a.due_at DESC, a.entry DESC LIMIT \(limit)
      """, conditions.values, isReading: true)
    var alerts: [StoredAlert] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let alert = try ViolationColumns.alert(&reader)
      let entry = try reader.identity()
      alerts.append(
        StoredAlert(
          uuid: ClientID.derived(kind: "alert", name: entry.description), alert: alert,
          entry: entry, vehicleType: try reader.word(or: .other),
          segment: try reader.optional(.text)))
    }
    return alerts
  }

  /// The segment that the vehicle of an alert is on.
  private static let segmentOfAlert = """
    coalesce(
      (SELECT min(g.name COLLATE "C") FROM checkpost.held_ends x
          JOIN checkpost.held_ends y ON y.segment_id = x.segment_id
          JOIN checkpost.known_segments g ON g.id = x.segment_id
        WHERE x.code = a.post AND y.code = a.opposite AND a.second >= x.since AND a.second < x.until
          AND a.due_at >= y.since AND a.due_at < y.until),
      (SELECT s.name FROM checkpost.passages p JOIN public.checkposts c ON c.code = p.post
        JOIN checkpost.segments s ON s.id = checkpost.segment_at(c.id, c.segment_id, p.earliest)
        WHERE p.row_number = a.entry))
    """

  /// Whether that is the segment `?`; the posts of segments are looked up once.
  private static let isOnSegment = """
    CASE WHEN NOT EXISTS (SELECT FROM checkpost.earlier_places) AND (a.post, a.opposite) IN (\(between))
      THEN (a.post, a.opposite) IN (\(between) GROUP BY x.post, y.post HAVING min(g.name COLLATE "C") = ?)
      ELSE ? = \(segmentOfAlert) END
    """
  private static let between = """
    SELECT x.post, y.post FROM checkpost.segments g, unnest(g.posts) AS x(post), unnest(g.posts) AS y(post)
      WHERE x.post <> y.post
    """

  /// What is recorded of a violation `v`, in the deployed table, which it stands in under its entry.
  private static let outcomes = """
    FROM checkpost.records r JOIN public.violations d ON d.entry_passage_id = r.passage_id
      JOIN public.violation_outcomes o ON o.violation_id = d.id WHERE r.number = v.entry
    """
  private static let isClosed = "EXISTS (SELECT \(outcomes))"

  /// The columns of an outcome `o` of `v`; who recorded it as people call them.
  private static let outcome = """
    o.outcome_type, CASE WHEN o.fine_amount <> 'NaN' THEN round(o.fine_amount * 100)::bigint END, o.notes,
      coalesce((SELECT n.author FROM checkpost.violation_notes n
          WHERE n.entry = v.entry AND n.kind = 'outcome' AND n.at = o.recorded_at LIMIT 1),
        (SELECT u.full_name FROM public.user_profiles u WHERE u.id = o.recorded_by), o.recorded_by::text),
      o.recorded_at
    """

  private static func outcome(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> ViolationOutcome? {
    guard let name = try reader.optional(.text) else { return nil }
    let kind = ViolationOutcome.Kind(rawValue: name) ?? .other
    let (fine, notes) = (try reader.optional(.integer), try reader.optional(.text))
    let author = try reader.next(.text)
    return ViolationOutcome(
      kind, fine: fine, notes: notes, by: author, at: try reader.next(.time))
  }

  /// Records what came of a violation that stands, unless something is recorded.
  func record(
    _ outcome: ViolationOutcome, of name: ClientID, actor: String?
  ) throws(PostgreSQLError) -> OutcomeReceipt {
    var conditions = Conditions()
    conditions.add("v.entry = checkpost.violation_named(?::uuid)", .text(name.description))
    guard let stored = try violations(conditions, limit: 1).first else { return .unknown }
    let note = OperatorNote.closed(stored.violation, outcome, actor: actor)
    let done = try connection.query(
      "SELECT kind FROM checkpost.close_violation($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9)",
      [
        .text(name.description), .text(outcome.kind.rawValue), .integer(outcome.fine),
        .text(outcome.recordedNotes), .text(outcome.author), .text(actor), .text(note.detail),
        .time(outcome.at), .bool(outcome.although != nil),
      ])
    guard let kind = try done.rows.first?.value("kind", .text),
      let after = try violations(conditions, limit: 1).first
    else { return .unknown }
    switch kind {
    case "recorded": return .recorded(after)
    case "unsure": return .unsure(after)
    default: return .known(after)
    }
  }

  /// What happened to a violation beside its revisions.
  func notes(of entry: Int64) throws(PostgreSQLError) -> [ViolationNote] {
    let result = try connection.query(
      """
      SELECT n.kind, n.at, n.author, n.revision FROM checkpost.violation_notes n
      WHERE n.entry = $1 ORDER BY n.number
      """, [.integer(entry)], isReading: true)
    var notes: [ViolationNote] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let kind: ViolationNote.Kind = try reader.word(or: .provisional)
      let at = try reader.next(.time)
      let author = try reader.optional(.text)
      notes.append(
        ViolationNote(kind, at: at, by: author, revision: try reader.next(.integer)))
    }
    return notes
  }

  /// The name of a record; of one that was forgotten, one that nothing else has.
  private static func name(of number: String) -> String {
    """
    coalesce((SELECT r.passage_id FROM checkpost.records r WHERE r.number = \(number)),
      checkpost.derived_id('forgotten', (\(number))::text))
    """
  }

  /// The kind of vehicle that was seen at one of the ends.
  private static func type(of entry: String, _ exit: String) -> String {
    """
    coalesce((SELECT p.vehicle_type FROM checkpost.passages p WHERE p.row_number IN (\(entry), \(exit))
      ORDER BY p.vehicle_type = 'other', p.row_number <> \(entry) LIMIT 1), 'other')
    """
  }
}
