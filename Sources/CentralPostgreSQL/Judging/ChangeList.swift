import CentralCore
import PostgreSQL

/// What a judgement changed, as the database names it.
struct ChangeList {
  /// One change.
  struct Change {
    var kind: String
    var entry: Int64
    /// The exit of a pair, or the number of a revision.
    var other: Int64?
  }

  private(set) var all: [Change] = []

  init() {}

  /// Each row is a change.
  init(_ result: PostgreSQLResult) throws(PostgreSQLError) {
    for row in result.rows { try add(row) }
  }

  mutating func add(_ row: PostgreSQLRow) throws(PostgreSQLError) {
    all.append(
      Change(
        kind: try row.value("kind", .text), entry: try row.value("entry", .integer),
        other: try row.optional("other", .integer)))
  }

  func entries(_ kinds: Set<String>) -> [Int64] {
    Set(all.filter { kinds.contains($0.kind) }.map(\.entry)).sorted()
  }

  func pairs(_ kind: String) -> [PassagePair] {
    all.filter { $0.kind == kind }.compactMap { change in
      change.other.map { PassagePair(entry: change.entry, exit: $0) }
    }
  }
}

extension JudgingDatabase {
  /// What changed, with what stands now. What is gone since is left out.
  func told(_ list: ChangeList) throws(PostgreSQLError) -> JudgedChanges {
    var changes = JudgedChanges()
    changes.parted = list.pairs("parted")
    changes.paired = list.pairs("paired")
    let judged = list.entries(["revised", "settled"])
    if !judged.isEmpty {
      let violations = try standing(judged)
      let revisions = try revisions(of: list.entries(["revised"]))
      for change in list.all {
        guard let violation = violations[change.entry] else { continue }
        if change.kind == "settled" {
          changes.settled.append(violation)
        } else if change.kind == "revised",
          let revision = revisions[change.entry]?.first(where: { $0.number == change.other })
        {
          changes.violations.append(JudgedChanges.Violation(violation, revision))
        }
      }
    }
    let told = list.entries(["raised", "ended"])
    if !told.isEmpty {
      let alerts = try alerts(of: told)
      for change in list.all {
        guard let alert = alerts[change.entry] else { continue }
        if change.kind == "raised" { changes.raised.append(alert) }
        if change.kind == "ended" { changes.ended.append(alert) }
      }
    }
    return changes
  }

  private func standing(
    _ entries: [Int64]
  ) throws(PostgreSQLError) -> [Int64: StandingViolation] {
    var violations: [Int64: StandingViolation] = [:]
    let result = try connection.query(
      "SELECT \(ViolationColumns.violation) FROM checkpost.violations v"
        + " WHERE v.entry = ANY ($1) AND v.found IS NOT NULL",
      [.integers(entries)])
    for row in result.rows {
      var reader = ColumnReader(row)
      let violation = try ViolationColumns.violation(&reader)
      violations[violation.finding.entry.row] = violation
    }
    return violations
  }

  /// Every revision of some violations, in their order.
  func revisions(
    of entries: [Int64]
  ) throws(PostgreSQLError) -> [Int64: [ViolationRevision]] {
    guard !entries.isEmpty else { return [:] }
    var revisions: [Int64: [ViolationRevision]] = [:]
    let result = try connection.query(
      """
      SELECT \(ViolationColumns.revision) FROM checkpost.revisions r WHERE r.entry = ANY ($1)
      ORDER BY r.entry, r.number
      """, [.integers(entries)])
    for row in result.rows {
      var reader = ColumnReader(row)
      let revision = try ViolationColumns.revision(&reader)
      revisions[revision.entry, default: []].append(revision)
    }
    return revisions
  }

  private func alerts(of entries: [Int64]) throws(PostgreSQLError) -> [Int64: OverdueAlert] {
    var alerts: [Int64: OverdueAlert] = [:]
    let result = try connection.query(
      "SELECT \(ViolationColumns.alert) FROM checkpost.alerts a WHERE a.entry = ANY ($1)",
      [.integers(entries)])
    for row in result.rows {
      var reader = ColumnReader(row)
      let alert = try ViolationColumns.alert(&reader)
      alerts[alert.entry.row] = alert
    }
    return alerts
  }
}
