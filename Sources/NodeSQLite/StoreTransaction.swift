import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

/// The store inside one transaction.
struct StoreTransaction: NodeTransaction {
  let database: Database
  let path: String

  /// The most urgent passage that is due for a text at `now`, and of those the oldest; or when the first one will be.
  ///
  /// - Throws: Why the file could not be read.
  func chooseDue(at now: BootInstant) throws(StorageError) -> DueAnswer {
    try sorted {
      // First the earliest moment, then, only if it has come, the oldest passage. Passages that
      // stand before it in the queue and are not due are those refused within the last hour and
      // those recorded within the last five minutes, so few rows are looked at.
      guard
        let earliest = try Int64.fetchOne(database.cachedStatement(sql: DueQueries.earliest))
      else {
        return DueAnswer(text: nil, nextDue: nil)
      }
      guard earliest <= now.nanoseconds else {
        return DueAnswer(text: nil, nextDue: BootInstant(nanoseconds: earliest))
      }
      let row = try Row.fetchOne(
        database.cachedStatement(sql: DueQueries.mostUrgent), arguments: [now.nanoseconds])
      return DueAnswer(
        text: try row.flatMap { try DueQueries.dueText($0, database) }, nextDue: nil)
    }
  }

  /// The same among passages to central that the server was handed and has not taken for `after`.
  ///
  /// - Throws: Why the file could not be read.
  func chooseUntaken(
    for after: Duration, at now: BootInstant
  ) throws(StorageError) -> DueAnswer {
    try sorted {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: DueQueries.mostUrgentUntaken),
        arguments: [now.nanoseconds, after.wholeNanoseconds])
      if let row {
        return DueAnswer(text: try DueQueries.dueText(row, database), nextDue: nil)
      }
      let earliest = try Int64.fetchOne(
        database.cachedStatement(sql: DueQueries.earliestUntaken),
        arguments: [after.wholeNanoseconds])
      return DueAnswer(text: nil, nextDue: earliest.map { BootInstant(nanoseconds: $0) })
    }
  }

  /// Writes down one change; nothing else is touched.
  ///
  /// - Throws: Why the file could not be written.
  func apply(_ write: NodeWrite, at moment: Moment) throws(StorageError) {
    try sorted {
      switch write {
      case .intent(let intent):
        try TextWrites.begin(database, intent, at: moment)
      case .outcome(let id, let outcome, let consequence):
        try TextWrites.end(database, id, outcome, consequence, at: moment)
      case .outdated(let queueID, let recipient):
        try database.cachedStatement(
          sql: """
            UPDATE text_deliveries SET due_t = NULL, outdated = 1
            WHERE passage_id = ? AND recipient = ?
            """
        ).execute(arguments: [queueID, recipient.name])
      case .putOff(let queueID, let recipient, let until):
        try database.cachedStatement(
          sql: "UPDATE text_deliveries SET due_t = ? WHERE passage_id = ? AND recipient = ?"
        ).execute(arguments: [until?.nanoseconds, queueID, recipient.name])
      case .park(let queueID, let recipient, let reason):
        try database.cachedStatement(
          sql: """
            UPDATE text_deliveries SET due_t = NULL, parked_reason = ?
            WHERE passage_id = ? AND recipient = ?
            """
        ).execute(arguments: [reason.kept, queueID, recipient.name])
      case .keepText(let text, let modemName):
        try OutgoingTexts.keep(database, text, modemName, at: moment)
      case .endText(let id, let end):
        try OutgoingTexts.end(database, id, end, at: moment)
      }
    }
  }

  /// Passages that wait for a text or for the server and are not given up.
  func waiting() throws(StorageError) -> Int {
    try sorted {
      try Int.fetchOne(
        database.cachedStatement(sql: "SELECT n FROM tally WHERE name = 'waiting'")) ?? 0
    }
  }

  /// Writes down that the clock has come to `time`, so that a power cut takes at most the time since
  /// then from the ages of the passages. A passage that is recorded does the same.
  /// Goes with each event that is logged, on the way of every text: one statement, and nothing is read.
  func keepTime(_ time: BootInstant, seen: Moment?) throws(StorageError) {
    try sorted {
      guard let seen else { return try Meta.set(database, .lastTime, time.nanoseconds) }
      try database.cachedStatement(sql: ClockRows.keepSeen).execute(arguments: [
        time.nanoseconds, seen.wall.milliseconds, seen.boot.nanoseconds,
      ])
    }
  }

  /// A number that changes when another process or connection has changed the file.
  func foreignChanges() throws(StorageError) -> Int64 {
    try sorted { try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
  }

  /// The passage that a text was for, and its plate, compact; nil for an operator's text.
  func passage(ofText id: TextID) throws(StorageError) -> (client: ClientID, plate: String)? {
    try sorted {
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT client_id, plate_number FROM texts
            JOIN text_deliveries ON text_deliveries.id = texts.delivery_id
            JOIN passages ON passages.id = text_deliveries.passage_id WHERE texts.id = ?
            """), arguments: [id])
      return row.flatMap { row in ClientID(row[0] as String).map { ($0, row[1]) } }
    }
  }

  /// The plate of a passage, compact; nil when there is no such passage.
  func plate(of client: ClientID) throws(StorageError) -> String? {
    try sorted {
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT plate_number FROM passages WHERE client_id = ?"),
        arguments: [client.description])
    }
  }

  func sorted<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
    do {
      return try body()
    } catch {
      throw SQLiteFile.classify(error, path: path)
    }
  }
}
