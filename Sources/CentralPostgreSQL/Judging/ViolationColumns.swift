import CentralCore
import Passages
import PostgreSQL
import Time

/// Violations, revisions and alerts as columns.
enum ViolationColumns {
  /// What a violation `v` is read from.
  static let violation =
    "(v.found).*, v.is_retracted, v.since, v.finality, v.confirmed_at, v.revision, v.changed_final_at"

  /// What a revision `r` is read from.
  static let revision = """
    r.entry, r.number, r.change, r.cause, r.at, r.was_final, ARRAY(SELECT unnest(r.origins)) AS origins,
      (\(finding("r.before"))) IS NOT NULL, (\(finding("r.after"))) IS NOT NULL,
      (\(finding("r.before"))).*, (\(finding("r.after"))).*
    """

  /// A finding in JSON; what the owner of the tables made none is read as none.
  private static func finding(_ column: String) -> String {
    """
    jsonb_populate_record(NULL::checkpost.finding, CASE WHEN jsonb_typeof(\(column)) = 'object'
      AND jsonb_exists_all(\(column), ARRAY['kind', 'entry', 'entry_post', 'exit', 'exit_post', 'seconds', 'doubts'])
      THEN \(column) END)
    """
  }

  /// What an alert `a` is read from.
  static let alert = """
    a.entry, a.post, a.plate, a.second, a.opposite, a.due_at, a.expires_at, a.raised_at, a.is_unheard,
      a.ending, a.exit, a.ended_at
    """

  static func violation(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> StandingViolation {
    let finding = try finding(&reader)
    return StandingViolation(
      finding, isRetracted: try reader.next(.bool), since: try reader.next(.time),
      finality: try reader.word(or: .provisional), confirmedAt: try reader.optional(.time),
      revision: try reader.next(.integer), changedFinalAt: try reader.optional(.time))
  }

  private static func finding(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> ViolationFinding {
    ViolationFinding(
      kind: try reader.word(or: .overstay), plate: try reader.next(.text),
      segment: try reader.next(.text),
      entry: try end(&reader), exit: try end(&reader), seconds: try reader.next(.integer),
      limitSeconds: try reader.next(.integer), isFar: try reader.next(.bool),
      doubts: try reader.words())
  }

  private static func end(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> ViolationFinding.End {
    ViolationFinding.End(
      row: try reader.next(.integer), post: try reader.post(),
      earliest: try reader.next(.integer), latest: try reader.next(.integer))
  }

  static func revision(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> ViolationRevision {
    let (entry, number) = (try reader.next(.integer), try reader.next(.integer))
    let change: ViolationRevision.Change = try reader.word(or: .changed)
    let cause: ViolationRevision.Cause = try reader.word(or: .rules)
    let at = try reader.next(.time)
    let wasFinal: Finality = try reader.word(or: .provisional)
    let origins = try reader.next(.array(of: .integer)).compactMap { $0 }
    let (hasBefore, hasAfter) = (try reader.next(.bool), try reader.next(.bool))
    let before = try optionalFinding(hasBefore, &reader)
    let after = try optionalFinding(hasAfter, &reader)
    return ViolationRevision(
      entry: entry, number: number, change: change, cause: cause, at: at, before: before,
      after: after, wasFinal: wasFinal, origins: origins)
  }

  private static func optionalFinding(
    _ isThere: Bool, _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> ViolationFinding? {
    guard isThere else {
      reader.skip(15)
      return nil
    }
    return try finding(&reader)
  }

  static func alert(_ reader: inout ColumnReader) throws(PostgreSQLError) -> OverdueAlert {
    let row = try reader.next(.integer)
    let post = try reader.post()
    let place = ContentKey(
      post: post, plate: try reader.next(.text), second: try reader.next(.integer))
    let entry = WaitingEntry(
      row: row, place: place, opposite: try reader.post(), dueAt: try reader.next(.integer),
      expiresAt: try reader.next(.integer))
    let raisedAt = try reader.next(.time)
    let isUnheard = try reader.next(.bool)
    let word = try reader.optional(.text)
    let exit = try reader.optional(.integer)
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
      endedAt: try reader.optional(.time))
  }
}
