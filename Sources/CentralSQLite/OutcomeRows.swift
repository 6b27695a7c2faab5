import Accounts
import CentralCore
import GRDB
import Passages
import Storage
import Time

/// What came of violations, and what else happened to them, as rows.
enum OutcomeRows {
  /// What was recorded of a violation of that name; who recorded it as people call them.
  static func outcome(
    of uuid: ClientID, _ entry: Int64, _ database: Database
  ) throws -> ViolationOutcome? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT o.outcome_type, CAST(round(o.fine_amount * 100) AS INTEGER), o.notes,
            coalesce((SELECT author FROM violation_notes
              WHERE entry = ?2 AND kind = 'outcome' AND at_ms = o.recorded_at),
              (SELECT full_name FROM api_user_profiles WHERE id = o.recorded_by), o.recorded_by),
            o.recorded_at
          FROM violation_outcomes o WHERE o.violation_id = ?1
          """), arguments: [uuid.description, entry]
    ).map { row in
      var reader = RowReader(row)
      let kind: ViolationOutcome.Kind = reader.value(or: .other)
      let (fine, notes) = (reader.optional() as Int64?, reader.optional() as String?)
      let author: String = reader.next()
      return ViolationOutcome(kind, fine: fine, notes: notes, by: author, at: reader.time())
    }
  }

  /// What happened to a violation beside its revisions.
  static func notes(of entry: Int64, _ database: Database) throws -> [ViolationNote] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT kind, at_ms, author, revision FROM violation_notes WHERE entry = ? ORDER BY n"),
      arguments: [entry]
    ).map { row in
      var reader = RowReader(row)
      let kind: ViolationNote.Kind = reader.value(or: .provisional)
      let at = reader.time()
      let author: String? = reader.optional()
      return ViolationNote(kind, at: at, by: author, revision: reader.number())
    }
  }
}

extension InboxTransaction {
  func notes(of entry: Int64) throws(StorageError) -> [ViolationNote] {
    try sorted { try OutcomeRows.notes(of: entry, database) }
  }

  func revisions(of entry: Int64) throws(StorageError) -> [ViolationRevision] {
    try sorted { try ViolationRows.revisions(of: entry, database) }
  }

  func write(_ note: ViolationNote, of entry: Int64) throws(StorageError) {
    try execute(
      "INSERT INTO violation_notes (entry, kind, at_ms, author, revision) VALUES (?, ?, ?, ?, ?)",
      [entry, note.kind.rawValue, note.at.milliseconds, note.author, note.revision])
  }

  func note(_ note: OperatorNote, at wall: WallTime) throws(StorageError) {
    let kind: AuditEntry.Kind =
      switch note.kind {
      case .violationConfirmed: .violationConfirmed
      case .violationClosed: .violationClosed
      case .ruleSetAside: .ruleSetAside
      }
    try AccountRows(database: database, path: path).record(
      AuditEntry(at: wall, kind, actor: note.actor, detail: note.detail))
  }

  /// Records what came of a violation that stands, unless something is recorded.
  func record(
    _ outcome: ViolationOutcome, of uuid: ClientID, actor: String?
  ) throws(StorageError) -> OutcomeReceipt {
    guard let violation = try standing(uuid), !violation.isRetracted else { return .unknown }
    let entry = violation.finding.entry.row
    let known = try sorted { try OutcomeRows.outcome(of: uuid, entry, database) }
    if known == nil, outcome.lacksReason(for: violation) {
      let stored = try sorted {
        try StoredRows.violations("uuid = ?", [uuid.description], database).first
      }
      return stored.map { .unsure($0) } ?? .unknown
    }
    // Who is no profile is named in the note alone.
    try execute(
      """
      INSERT INTO violation_outcomes
        (id, violation_id, outcome_type, fine_amount, notes, recorded_by, recorded_at)
      SELECT ?1, ?2, ?3, ?4, ?5, coalesce(
        (SELECT iif(count(*) = 1, max(id), NULL) FROM api_user_profiles
          WHERE full_name = ?6 OR id = lower(?6)), ?7), ?8
      WHERE true ON CONFLICT (violation_id) DO NOTHING
      """,
      [
        ClientID(random: .random(in: .min ... .max), .random(in: .min ... .max)).description,
        uuid.description, outcome.kind.rawValue, outcome.fine.map { Double($0) / 100 },
        outcome.recordedNotes, outcome.author,
        ClientID.derived(kind: "profile", name: "unknown").description, outcome.at.milliseconds,
      ])
    let isRecorded = database.changesCount > 0
    if isRecorded {
      try write(
        ViolationNote(
          .outcome, at: outcome.at, by: outcome.author, revision: violation.revision), of: entry)
      try note(.closed(violation, outcome, actor: actor), at: outcome.at)
    }
    let stored = try sorted {
      try StoredRows.violations("uuid = ?", [uuid.description], database).first
    }
    return stored.map { isRecorded ? .recorded($0) : .known($0) } ?? .unknown
  }
}
