public import CentralCore
import Passages
public import PostgreSQL
import Time

/// What was judged.
extension JudgingDatabase {
  /// Violations, the newest exit first.
  public func violations(_ query: ViolationQuery) throws(PostgreSQLError) -> [StoredViolation] {
    var conditions = Conditions()
    conditions.add("v.entry = ?", .integer(query.entry))
    switch query.standing {
    case .standing: conditions.add("NOT v.is_retracted")
    case .retracted: conditions.add("v.is_retracted")
    case .all: break
    }
    conditions.add("(v.found).kind = ?", .text(query.kind?.rawValue))
    conditions.add("v.finality = ?", .text(query.finality?.rawValue))
    conditions.add("? = ANY ((v.found).doubts)", .text(query.doubt?.rawValue))
    switch query.isConfirmed {
    case nil: break
    case true?: conditions.add("v.confirmed_at IS NOT NULL")
    case false?: conditions.add("v.confirmed_at IS NULL")
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
    let limit = conditions.place(of: .integer(Int64(limit)))
    let result = try connection.query(
      """
      SELECT \(ViolationColumns.violation), v.uuid, v.confirmed_by,
        \(JudgingDatabase.name(of: "v.entry")), \(JudgingDatabase.name(of: "(v.found).exit")),
        \(JudgingDatabase.type(of: "v.entry", "(v.found).exit"))
      FROM checkpost.violations v WHERE \(conditions.sql)
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
          exit: try reader.identity(), vehicleType: try reader.word(), confirmedBy: author))
    }
    return violations
  }

  /// Alerts of vehicles that have been inside for too long, the one that was due last first.
  public func alerts(_ query: AlertQuery) throws(PostgreSQLError) -> [StoredAlert] {
    var conditions = Conditions()
    if query.isOpen { conditions.add("a.ending IS NULL") }
    conditions.add("a.plate = ?", .text(query.plate))
    conditions.add("a.post = ?", .text(query.post?.code))
    conditions.add("? = \(JudgingDatabase.segmentOfAlert)", .text(query.segment))
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
          entry: entry, vehicleType: try reader.word(), segment: try reader.optional(.text)))
    }
    return alerts
  }

  /// The segment that the vehicle of an alert is on.
  private static let segmentOfAlert = """
    (SELECT s.name FROM checkpost.passages p JOIN public.checkposts c ON c.code = p.post
      JOIN checkpost.segments s ON s.id = c.segment_id WHERE p.row_number = a.entry)
    """

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
