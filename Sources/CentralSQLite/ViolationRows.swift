import CentralCore
import GRDB
import Passages
import Time

/// Violations, revisions and alerts as columns.
enum ViolationRows {
  private static let ofFinding = """
    kind, plate, segment, entry, entry_post, entry_earliest, entry_latest, exit, exit_post,
    exit_earliest, exit_latest, seconds, limit_seconds, is_far, doubts
    """

  /// What a violation is read from.
  static let columns = """
    \(ofFinding), is_retracted, since_ms, finality, confirmed_at_ms, revision, changed_final_ms
    """

  /// How many these are.
  static let count = 21

  static let write = """
    INSERT INTO violations (\(columns), uuid, entry_needs, exit_needs, unreported_from_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (entry) DO UPDATE SET kind = excluded.kind, plate = excluded.plate,
      segment = excluded.segment, entry_post = excluded.entry_post,
      entry_earliest = excluded.entry_earliest, entry_latest = excluded.entry_latest,
      exit = excluded.exit, exit_post = excluded.exit_post,
      exit_earliest = excluded.exit_earliest, exit_latest = excluded.exit_latest,
      seconds = excluded.seconds, limit_seconds = excluded.limit_seconds,
      is_far = excluded.is_far, doubts = excluded.doubts,
      is_retracted = excluded.is_retracted, since_ms = excluded.since_ms,
      finality = excluded.finality, confirmed_at_ms = excluded.confirmed_at_ms,
      confirmed_by = iif(excluded.confirmed_at_ms IS NULL, NULL, confirmed_by),
      revision = excluded.revision, changed_final_ms = excluded.changed_final_ms,
      entry_needs = excluded.entry_needs,
      exit_needs = excluded.exit_needs, unreported_from_ms = excluded.unreported_from_ms
    """

  /// What another program wrote may have its number already; then it takes the next one.
  static let writeRevision = """
    INSERT INTO violation_revisions (number, change, cause, at_ms, was_final, entry, kind, plate,
      segment, entry_post, entry_earliest, entry_latest, exit, exit_post, exit_earliest, exit_latest,
      seconds, limit_seconds, is_far, doubts, origins)
    VALUES (
      iif(
        EXISTS (SELECT 1 FROM violation_revisions WHERE entry = ?6 AND number = ?1),
        (SELECT max(number) + 1 FROM violation_revisions
          WHERE entry = ?6 AND number < 9223372036854775807),
        ?1),
      ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
    """

  static let ofRevision = "\(ofFinding), number, change, cause, at_ms, was_final, origins"

  static func arguments(_ open: OpenViolation) -> StatementArguments {
    let violation = open.violation
    let finding = violation.finding
    return [
      finding.kind.rawValue, finding.plate, finding.segment, finding.entry.row,
      finding.entry.post.code, finding.entry.earliest, finding.entry.latest, finding.exit.row,
      finding.exit.post.code, finding.exit.earliest, finding.exit.latest, finding.seconds,
      finding.limitSeconds, finding.isFar, finding.doubts.column, violation.isRetracted,
      violation.since.milliseconds, violation.finality.rawValue,
      violation.confirmedAt?.milliseconds, violation.revision,
      violation.changedFinalAt?.milliseconds, open.uuid.description,
      open.entryNeeds, open.exitNeeds, open.unreportedFrom?.milliseconds,
    ]
  }

  /// What was found, without the row of its entry.
  static func arguments(_ finding: ViolationFinding?) -> StatementArguments {
    [
      finding?.kind.rawValue, finding?.plate, finding?.segment, finding?.entry.post.code,
      finding?.entry.earliest, finding?.entry.latest, finding?.exit.row, finding?.exit.post.code,
      finding?.exit.earliest, finding?.exit.latest, finding?.seconds, finding?.limitSeconds,
      finding?.isFar, finding?.doubts.column,
    ]
  }

  private static func finding(_ reader: inout RowReader) throws -> ViolationFinding {
    func end(_ reader: inout RowReader) throws -> ViolationFinding.End {
      ViolationFinding.End(
        row: reader.next(), post: reader.post(), earliest: reader.number(),
        latest: reader.number())
    }
    return ViolationFinding(
      kind: reader.value(or: .overstay), plate: reader.next(), segment: reader.next(),
      entry: try end(&reader), exit: try end(&reader), seconds: reader.number(),
      limitSeconds: reader.number(), isFar: reader.next(),
      doubts: (reader.next() as String).values())
  }

  static func violation(_ row: Row) throws -> StandingViolation {
    var reader = RowReader(row)
    let finding = try finding(&reader)
    return StandingViolation(
      finding, isRetracted: reader.next(), since: reader.time(),
      finality: reader.value(or: .provisional),
      confirmedAt: reader.optionalTime(), revision: reader.number(),
      changedFinalAt: reader.optionalTime())
  }

  /// Revisions of one violation in their order: what stood before one is what the last before it found.
  static func revisions(of entry: Int64, _ database: Database) throws -> [ViolationRevision] {
    var before: ViolationFinding?
    return try Row.fetchAll(
      database,
      sql: "SELECT \(ofRevision) FROM violation_revisions WHERE entry = ? ORDER BY number",
      arguments: [entry]
    ).map { row in
      var reader = RowReader(row)
      let isFound = row[0] as String? != nil
      let after = isFound ? try finding(&reader) : nil
      reader = RowReader(row, from: 15)
      defer { before = after ?? before }
      return ViolationRevision(
        entry: entry, number: reader.number(), change: reader.value(or: .changed),
        cause: reader.value(or: .rules), at: reader.time(), before: before, after: after,
        wasFinal: reader.value(or: .provisional),
        origins: (reader.next() as String).split(separator: " ").compactMap { Int64($0) })
    }
  }

  static let ofEntry = "entry, post, plate, second, opposite, due_at, expires_at"

  static let ofAlert = "\(ofEntry), raised_at_ms, is_unheard, ending, exit, ended_at_ms"

  static func arguments(_ entry: WaitingEntry) -> StatementArguments {
    [
      entry.row, entry.place.post.code, entry.place.plate, entry.place.second,
      entry.opposite.code, entry.dueAt, entry.expiresAt,
    ]
  }

  static func arguments(_ ending: OverdueAlert.Ending?) -> StatementArguments {
    switch ending {
    case nil: [nil, nil]
    case .left(let exit): ["left", exit]
    case .seenAgain: ["seen_again", nil]
    case .withdrawn: ["withdrawn", nil]
    case .expired: ["expired", nil]
    }
  }

  static func entry(_ row: Row) throws -> WaitingEntry {
    var reader = RowReader(row)
    let number: Int64 = reader.next()
    let place = ContentKey(post: reader.post(), plate: reader.next(), second: reader.number())
    return WaitingEntry(
      row: number, place: place, opposite: reader.post(), dueAt: reader.number(),
      expiresAt: reader.number())
  }

  static func alert(_ row: Row) throws -> OverdueAlert {
    let entry = try entry(row)
    var reader = RowReader(row, from: 7)
    let raisedAt = reader.time()
    let isUnheard: Bool = reader.next()
    let word: String? = reader.optional()
    let exit: Int64? = reader.optional()
    let ending: OverdueAlert.Ending? =
      switch word {
      case "left": exit.map { .left(exit: $0) }
      case "seen_again": .seenAgain
      case "withdrawn": .withdrawn
      case "expired": .expired
      default: nil
      }
    return OverdueAlert(
      entry: entry, raisedAt: raisedAt, isUnheard: isUnheard, ending: ending,
      endedAt: reader.optionalTime())
  }
}
