import Accounts
import CentralCore
import GRDB
import Passages
import Storage
import Time

/// What is dropped and erased, as rows.
extension InboxTransaction: KeepingRows {
  func keptSince() throws(StorageError) -> Int64? {
    try sorted {
      try Int64.fetchOne(database.cachedStatement(sql: "SELECT since FROM keeping"))
    }
  }

  func keeping() throws(StorageError) -> KeepingState {
    try sorted {
      var state = KeepingState()
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT since, place, after_ms, after_id, next_at_ms FROM keeping")
      else { return state }
      state.since = row[0]
      let after: Int64? = row[3]
      switch row[1] as String? {
      case "passages":
        let milliseconds: Int64? = row[2]
        state.place = .passages(
          after: milliseconds.flatMap { milliseconds in
            after.map { AgedPassage.Place(milliseconds: milliseconds, row: $0) }
          })
      case "messages": state.place = .messages(after: after ?? 0)
      case "audit": state.place = .audit
      default: state.place = nil
      }
      state.nextAt = (row[4] as Int64?).map { WallTime(milliseconds: $0) }
      return state
    }
  }

  func write(_ state: KeepingState) throws(StorageError) {
    let (place, milliseconds, after): (String?, Int64?, Int64?) =
      switch state.place {
      case nil: (nil, nil, nil)
      case .passages(let after): ("passages", after?.milliseconds, after?.row)
      case .messages(let after): ("messages", nil, after)
      case .audit: ("audit", nil, nil)
      }
    try execute(
      "UPDATE keeping SET since = ?, place = ?, after_ms = ?, after_id = ?, next_at_ms = ?",
      [state.since, place, milliseconds, after, state.nextAt?.milliseconds])
  }

  func newest() throws(StorageError) -> WallTime? {
    try sorted {
      try Int64.fetchOne(database, sql: "SELECT max(recorded_at_ms) FROM passages")
        .map { WallTime(milliseconds: $0) }
    }
  }

  func aged(
    after: AgedPassage.Place?, before second: Int64, limit: Int
  ) throws(StorageError) -> [AgedPassage] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT p.recorded_at_ms, p.id, p.plate_number, p.checkpost, p.is_dated, r.is_aside
            FROM passages p JOIN records r ON r.number = p.id
            WHERE p.recorded_at_ms < ?1 AND (p.recorded_at_ms, p.id) > (?2, ?3)
            ORDER BY p.recorded_at_ms, p.id LIMIT ?4
            """),
        arguments: [
          second.multipliedReportingOverflow(by: 1_000).partialValue,
          after?.milliseconds ?? .min, after?.row ?? .min, limit,
        ]
      ).map { row in
        AgedPassage(
          place: AgedPassage.Place(milliseconds: row[0], row: row[1]), plate: row[2],
          post: CheckpostCode(asItStands: row[3] as String), isDated: row[4], isAside: row[5])
      }
    }
  }

  func records(under rows: [Int64]) throws(StorageError) -> [JudgedRecord] {
    try sorted { try rows.flatMap { try RecordRows.records(RecordRows.ofPassage, [$0], database) } }
  }

  func records(naming plate: String) throws(StorageError) -> [JudgedRecord] {
    try sorted {
      var numbers = try Int64.fetchAll(
        database,
        sql: """
          SELECT number FROM records WHERE plate = ?1
          UNION SELECT number FROM records WHERE received_plate = ?1
          """, arguments: [plate])
      for row in try Row.fetchAll(
        database,
        sql:
          "SELECT record, coalesce(plate, plate_raw) FROM corrections WHERE plate_raw IS NOT NULL")
      where InboxTransaction.isPlate(row[1], plate) { numbers.append(row[0]) }
      return try Set(numbers).sorted().flatMap {
        try RecordRows.records(RecordRows.ofNumber, [$0], database)
      }
    }
  }

  private static func isPlate(_ raw: String, _ plate: String) -> Bool {
    (try? Plate(raw))?.compact == plate
  }

  func violations(touching rows: [Int64]) throws(StorageError) -> [HeldViolation] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT v.entry, v.exit, v.is_retracted, o.recorded_at FROM violations v
              LEFT JOIN violation_outcomes o ON o.violation_id = v.uuid
            WHERE v.entry IN (
              SELECT entry FROM violations WHERE entry IN (SELECT value FROM json_each(?1))
              UNION SELECT entry FROM violations WHERE exit IN (SELECT value FROM json_each(?1)))
            """), arguments: [rows.list]
      ).map { row in
        HeldViolation(
          entry: row[0], exit: row[1], isRetracted: row[2],
          closedAt: (row[3] as Int64?).map { WallTime(milliseconds: $0) })
      }
    }
  }

  func setAside(_ records: [Int64]) throws(StorageError) {
    for record in records {
      try execute("UPDATE records SET is_aside = 1 WHERE number = ? AND NOT is_aside", [record])
    }
  }

  func dropMessages(
    after: Int64, receivedBefore moment: WallTime, limit: Int
  ) throws(StorageError) -> (dropped: Int, last: Int64?) {
    let next = try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT id, received_at_ms FROM inbox WHERE id > ? ORDER BY id LIMIT ?"),
        arguments: [after, limit]
      ).map { (id: $0[0] as Int64, at: $0[1] as Int64) }
    }
    let old = next.filter { $0.at < moment.milliseconds }.map(\.id)
    // They came one after the other, so where a whole page is younger the rest is as well.
    return (try drop(messages: old), old.isEmpty || next.count < limit ? nil : next.last?.id)
  }

  func drop(messages: [Int64]) throws(StorageError) -> Int {
    guard !messages.isEmpty else { return 0 }
    try execute(
      """
      UPDATE keeping SET
        last_message = max(last_message, coalesce((SELECT max(id) FROM inbox WHERE \(Schema.leavesRoom("id"))), 0))
      """, [])
    var count = 0
    for id in messages {
      try execute(
        """
        DELETE FROM inbox WHERE id = ?1
          AND NOT EXISTS (SELECT 1 FROM observations WHERE inbox_id = ?1)
          AND NOT EXISTS (SELECT 1 FROM records WHERE inbox_id = ?1)
          AND NOT EXISTS (SELECT 1 FROM passages WHERE inbox_id = ?1)
        """, [id])
      count += database.changesCount
    }
    return count
  }

  func dropEarly(naming plate: String) throws(StorageError) -> Int {
    let found = try sorted {
      try Row.fetchAll(
        database,
        sql:
          "SELECT id, coalesce(plate, plate_raw) FROM early_corrections WHERE plate_raw IS NOT NULL"
      ).filter { InboxTransaction.isPlate($0[1], plate) }.map { $0[0] as Int64 }
    }
    for id in found { try execute("DELETE FROM early_corrections WHERE id = ?", [id]) }
    return found.count
  }

  func dropEarly(before moment: WallTime, limit: Int) throws(StorageError) {
    try execute(
      """
      DELETE FROM early_corrections WHERE id IN (
        SELECT id FROM (SELECT id, inserted_at_ms FROM early_corrections ORDER BY id LIMIT ?2)
        WHERE inserted_at_ms < ?1)
      """, [moment.milliseconds, limit])
  }

  func dropAudit(before moment: WallTime, limit: Int) throws(StorageError) -> Int {
    try execute(
      """
      DELETE FROM audit WHERE id IN (
        SELECT id FROM (SELECT id, at_ms FROM audit ORDER BY id LIMIT ?2) WHERE at_ms < ?1)
      """, [moment.milliseconds, limit])
    return database.changesCount
  }

  func note(_ dropped: Dropped, by actor: String?, at wall: WallTime) throws(StorageError) {
    try AccountRows(database: database, path: path).record(
      AuditEntry(
        at: wall, .vehicleErased, actor: actor,
        detail: dropped.words))
  }
}
