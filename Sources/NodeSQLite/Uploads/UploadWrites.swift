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
      case .missed(let id, let error, let next):
        try one(
          id, from: .inFlight,
          """
          status = 'pending', attempts = attempts + 1, last_error = ?,
          last_error_class = 'transient', next_t = ?
          """, [error.kept, (next ?? moment.boot).nanoseconds])
      case .returned(let id, let error, let next):
        try one(
          id, from: .inFlight,
          "status = 'pending', last_error = coalesce(?, last_error), next_t = ?",
          [error?.kept, (next ?? moment.boot).nanoseconds])
      case .failed(let id, let error, let isPermanent, let mayBeTexted):
        try one(
          id, from: .inFlight,
          "status = 'failed', attempts = attempts + 1, last_error = ?, last_error_class = ?",
          [error.kept, isPermanent ? "permanent" : "transient"])
        guard isPermanent, !mayBeTexted else { return }
        try dropTexts(of: id)
      case .requeuedFailed:
        try database.execute(
          sql: """
            UPDATE uploads SET status = 'pending', attempts = 0, requeues = requeues + 1,
              next_t = \(StoreTransaction.turn)
            WHERE status = 'failed' AND last_error_class = 'transient'
              AND NOT \(StoreTransaction.isSuperseded)
            """)
      case .conflict(let id, let theirs, let resolution):
        try conflict(id, theirs, resolution, at: moment)
      }
    }
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
