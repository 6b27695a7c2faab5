import GRDB
import RestAPI

/// Fines for what could still be wrong, which came over the API: the notes say why.
enum FineRows {
  /// Why there is a fine all the same.
  struct Reason {
    /// What could still be wrong, by the names of ``StandingViolation/fineDoubts``.
    var doubts: String
    /// The reason; empty where none is given.
    var notes: String

    /// Both, as the audit log has them.
    var words: String { "although \(doubts): \(notes)" }
  }

  /// Refuses fines that need a reason and have none.
  static func check(_ ids: [String], of table: RestTable, _ database: Database) throws {
    guard table.name == Catalogue.outcomes.name else { return }
    for id in ids where try reason(of: id, database)?.notes.isEmpty == true {
      throw RestError.fineNeedsReason
    }
  }

  /// The reason of an outcome; nil of one that needs none.
  static func reason(of id: String, _ database: Database) throws -> Reason? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT trim(iif(v.finality = 'provisional', 'provisional', '')
              || iif(instr(v.doubts, 'by_text_alone') > 0, ' by_text_alone', '')),
            trim(coalesce(o.notes, ''))
          FROM violation_outcomes o JOIN violations v ON v.uuid = o.violation_id
          WHERE o.id = ? AND o.outcome_type = 'fined'
            AND (v.finality = 'provisional' OR instr(v.doubts, 'by_text_alone') > 0)
          """), arguments: [id]
    ).map { Reason(doubts: $0[0], notes: $0[1]) }
  }
}
