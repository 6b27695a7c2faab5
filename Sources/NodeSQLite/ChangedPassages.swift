import GRDB
import NodeCore
import Passages
import Storage

extension StoreTransaction {
  /// The passages that got another plate or another time since this was last asked for, as they are now.
  func takeChanged() throws(StorageError) -> [ChangedPassage] {
    try sorted {
      let numbers = try ChangedPassages.numbers(database)
      guard !numbers.isEmpty else { return [] }
      try Meta.keep(database, .changed, nil as String?)
      return try numbers.compactMap { try ChangedPassages.read(database, $0) }
    }
  }
}

/// Which passages changed: any process may change one, and the service looks at them.
enum ChangedPassages {
  /// Numbers that are kept: what nobody takes is forgotten, oldest first.
  private static let most = 100

  static func numbers(_ database: Database) throws -> [Int64] {
    let text = try Meta.text(database, .changed) ?? ""
    return text.split(separator: " ").compactMap { Int64($0) }
  }

  static func add(_ database: Database, _ queueID: Int64) throws {
    let numbers = try numbers(database).filter { $0 != queueID }.suffix(most - 1) + [queueID]
    let text = numbers.map(String.init).joined(separator: " ")
    try Meta.keep(database, .changed, text)
  }

  /// The passage, with the correction that goes behind it if there is one.
  fileprivate static func read(_ database: Database, _ queueID: Int64) throws -> ChangedPassage? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT passages.*, new_plate, new_vehicle_type FROM passages
        LEFT JOIN uploads ON passage_id = passages.id AND kind = 'correction'
          AND withdrawal IS NULL
        WHERE passages.id = ? ORDER BY uploads.id DESC LIMIT 1
        """, arguments: [queueID])
    guard let row else { return nil }
    var passage = try Passage(row: row)
    if let correction = try PlateCorrection(row: row) {
      passage.plate = correction.plate
      passage.vehicleType = correction.vehicleType ?? passage.vehicleType
    }
    let past = try String.fetchAll(
      database, sql: "SELECT client_id FROM past_identities WHERE queue_id = ?",
      arguments: [queueID])
    var changed = ChangedPassage(passage, past: past.compactMap { ClientID($0) })
    changed.isWithdrawn = (row["withdrawn_ms"] as Int64?) != nil
    return changed
  }
}
