import GRDB
import Mutants
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// Changes where something stands on its way to the server. The triggers refuse what the rules do not
  /// have.
  func apply(_ change: UploadChange, at moment: Moment) throws(StorageError) {
    try sorted {
      switch change {
      case .claimed(let ids):
        for id in ids {
          try one(
            id, from: .pending, "status = 'in_flight', last_attempt_at_ms = ?",
            [moment.wall.milliseconds])
        }
      case .synced(let id, let serverID):
        try synced(id, serverID: serverID, at: moment)
      case .stored(let id):
        try one(id, from: .inFlight, "stored_ms = ?", [moment.wall.milliseconds])
      case .missed(let id, let error, let next, let isOwn):
        let now = moment.boot.nanoseconds
        try one(
          id, from: .inFlight,
          """
          status = 'pending', attempts = attempts + 1, last_error = ?,
          last_error_class = 'transient', next_t = ?, missed_t = coalesce(missed_t, ?)
          """, [error.kept, next?.nanoseconds ?? now, isOwn ? now : nil])
      case .returned(let id, let error, let next):
        try one(
          id, from: .inFlight,
          "status = 'pending', last_error = coalesce(?, last_error), next_t = ?",
          [error?.kept, (next ?? moment.boot).nanoseconds])
      case .failed(let id, let error, let isPermanent, let mayBeTexted, let refusal, let again):
        try one(
          id, from: .inFlight,
          """
          status = 'failed', attempts = attempts + 1, last_error = ?, last_error_class = ?,
          refusal = ?, next_t = ?, missed_t = coalesce(missed_t, ?)
          """,
          [
            error.kept, isPermanent ? "permanent" : "transient",
            isPermanent ? refusal?.rawValue : nil, again?.nanoseconds, moment.boot.nanoseconds,
          ])
        guard isPermanent, !mayBeTexted else { return }
        try dropTexts(of: id)
      case .requeuedDue(let refusedAgain):
        try requeueDue(at: moment.boot, refusedAgain: refusedAgain)
      case .requeuedFailed:
        try requeue(behind: true, "last_error_class = 'transient'")
      case .requeuedOne(let refusals):
        let known = refusals.map { "refusal = '\($0.rawValue)'" }.joined(separator: " OR ")
        try requeue(
          behind: true,
          """
          id = (SELECT min(id) FROM uploads WHERE status = 'failed' AND \(NodeSchema.ofPassage)
            AND (\(known.isEmpty ? "0" : known)) AND \(StoreTransaction.canGo))
          """)
      case .requeuedRefused(let refusal):
        try requeue(behind: false, "refusal = ?", [refusal.rawValue])
      case .requeuedAll:
        try requeue(behind: false, "1")
        try database.execute(
          sql: """
            UPDATE uploads SET next_t = \(StoreTransaction.turn)
            WHERE \(NodeSchema.uploadable) AND next_t > ?
            """, arguments: [moment.boot.nanoseconds])
      case .textedAfterAll(let id):
        try database.execute(
          sql: """
            UPDATE text_deliveries SET due_t = since_t + ? FROM passages
            WHERE passages.id = passage_id AND recipient = 'centre' AND due_t IS NULL
              AND parked_reason IS NULL AND sms_sent = 0 AND outdated = 0 AND text_attempts = 0
              AND handed_on_ms IS NULL AND undated = 0
              AND withdrawn_ms IS NULL AND on_hold_reason IS NULL
              AND passage_id = (SELECT passage_id FROM uploads
                WHERE id = ? AND \(NodeSchema.ofPassage) AND status = 'failed')
            """,
          arguments: [
            (try fallbackAfter() ?? NodeRules().fallbackAfter).wholeNanoseconds + 1, id,
          ])
      case .conflict(let id, let theirs, let resolution):
        try conflict(id, theirs, resolution, at: moment)
      }
    }
  }

  /// What was given up and whose moment has come is pending again; of what was refused by policy one alone.
  private func requeueDue(at now: BootInstant, refusedAgain: BootInstant) throws {
    let isDue = "next_t IS NOT NULL AND next_t <= ?"
    try requeue(
      behind: true, "last_error_class = 'transient' AND \(isDue)", [now.nanoseconds])
    let one = try Int64.fetchOne(
      database,
      sql: """
        SELECT min(id) FROM uploads
        WHERE status = 'failed' AND refusal IS NOT NULL AND \(isDue) AND \(StoreTransaction.canGo)
        """, arguments: [now.nanoseconds])
    if let one {
      try database.execute(
        sql: """
          UPDATE uploads SET next_t = ?1
          WHERE status = 'failed' AND refusal IS NOT NULL AND next_t IS NOT NULL AND next_t < ?1
          """, arguments: [refusedAgain.nanoseconds])
      try requeue(behind: true, "id = ?", [one])
    }
    // What is left has nothing to be tried again for: another correction counts, or a person decides.
    try database.execute(
      sql: "UPDATE uploads SET next_t = NULL WHERE status = 'failed' AND \(isDue)",
      arguments: [now.nanoseconds])
  }

  /// The condition on an upload that was given up that it is to go at all: no correction that another one took
  /// the place of, nothing of a passage that a person has to decide about.
  private static let isToGo = """
    NOT \(isSuperseded) AND NOT EXISTS (SELECT 1 FROM conflicts
      WHERE conflicts.passage_id = uploads.passage_id AND resolution IS NULL)
    """

  /// The same, and that it would go at once: its passage is neither on hold nor withdrawn nor handed on. One that
  /// cannot go would be tried in place of one that can.
  private static let canGo = """
    \(isToGo) AND NOT \(NodeSchema.isKeptHere("uploads")) AND NOT (\(NodeSchema.ofPassage) AND EXISTS (
      SELECT 1 FROM passages WHERE passages.id = uploads.passage_id AND handed_on_ms IS NOT NULL))
    """

  /// What failed and fits a condition is pending again.
  ///
  /// - Parameter behind: whether it goes behind all others, as what is not sure to be taken.
  private func requeue(
    behind: Bool, _ condition: String, _ values: StatementArguments = []
  ) throws {
    let priority = "(SELECT priority FROM passages WHERE passages.id = uploads.passage_id)"
    try database.execute(
      sql: """
        UPDATE uploads SET status = 'pending', attempts = 0, requeues = requeues + 1,
          next_t = \(StoreTransaction.turn),
          \(behind ? "priority = \(NodeCore.Limits.behindPriority)" : "priority = \(priority), refusal = NULL")
        WHERE status = 'failed' AND \(condition) AND \(StoreTransaction.isToGo)
        """, arguments: values)
  }

  /// The server has it: no text is due for a passage then, and what waits for it is.
  func synced(_ id: UploadID, serverID: String?, at moment: Moment) throws {
    try one(
      id, from: .inFlight,
      """
      status = 'synced', synced_t = ?, synced_ms = ?, server_id = coalesce(?, server_id),
      open_at_ms = NULL
      """, [moment.boot.nanoseconds, moment.wall.milliseconds, serverID])
    let passage = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT passage_id FROM uploads WHERE id = ? AND \(NodeSchema.ofPassage)"),
      arguments: [id])
    guard let passage else { return }
    try dropTexts(of: id)
    try database.cachedStatement(
      sql: """
        UPDATE uploads SET next_t = ?
        WHERE passage_id = ? AND kind <> 'passage' AND status = 'pending'
        """
    ).execute(arguments: [moment.boot.nanoseconds, passage])
  }

  /// No text is due any more for the passage of an upload; for its photograph this changes nothing.
  func dropTexts(of id: UploadID) throws {
    if Mutant.syncedStaysDueForAText.isActive { return }
    try database.cachedStatement(
      sql: """
        UPDATE text_deliveries SET due_t = NULL WHERE due_t IS NOT NULL AND passage_id =
          (SELECT passage_id FROM uploads WHERE id = ? AND \(NodeSchema.ofPassage))
        """
    ).execute(arguments: [id])
  }

  /// Changes one upload that stands where it has to.
  func one(
    _ id: UploadID, from status: QueueStatus, _ assignments: String,
    _ values: StatementArguments
  ) throws {
    try database.cachedStatement(
      sql: "UPDATE uploads SET \(assignments) WHERE id = ? AND status = ?"
    ).execute(arguments: values + [id, status.rawValue])
    if database.changesCount == 0 {
      throw StorageError.refusedChange(
        path: path, detail: "upload \(id) is not \(status.rawValue)")
    }
  }
}
