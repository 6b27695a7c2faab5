import GRDB
public import Passages
import SQLiteFile
public import Storage
public import Time

/// An event as the store keeps it.
public struct StoredEvent: Hashable, Sendable {
  /// Later events have higher numbers; ask for what comes after one to follow the log.
  public var id: Int64
  /// The event as it was written down.
  public var event: NodeLogEvent
}

/// Which events to read.
public struct EventQuery: Hashable, Sendable {
  /// Only those after this number.
  public var afterID: Int64?
  /// Only those at or after this moment of the wall clock.
  public var since: WallTime?
  /// Only those about this plate, compact.
  public var plate: String?
  /// Only those about this passage.
  public var clientID: ClientID?
  /// Only those with this name.
  public var name: String?
  /// Only those that matter at least so much.
  public var level: NodeLogEvent.Level?
  /// At most so many: the newest ones, or with ``afterID`` the first ones after it.
  public var limit = Limits.page

  /// Every event.
  public init() {}
}

extension StoreTransaction {
  /// An event with what the store knows of the passage that it is about: its name when only the
  /// text is known, and its plate.
  public func completed(_ event: NodeLogEvent) throws(StorageError) -> NodeLogEvent {
    try sorted {
      var event = event
      if event.clientID == nil, let text = event.textID {
        let client = try String.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT client_id FROM texts JOIN passages ON passages.id = texts.queue_id
              WHERE texts.id = ?
              """), arguments: [text])
        event.clientID = client.flatMap { ClientID($0) }
      }
      if event.plate == nil, let client = event.clientID {
        event.plate = try String.fetchOne(
          database.cachedStatement(sql: "SELECT plate_number FROM passages WHERE client_id = ?"),
          arguments: [client.description])
      }
      return event
    }
  }

  /// Keeps an event, in the same transaction as what it tells of.
  ///
  /// - Returns: the event as ``completed(_:)`` has it.
  @discardableResult
  public func log(_ event: NodeLogEvent) throws(StorageError) -> NodeLogEvent {
    let event = try completed(event)
    return try sorted {
      try database.cachedStatement(
        sql: """
          INSERT INTO log (t, at_ms, level, event, words, client_id, plate_number, text_id,
            next_words, next_ms, waiting)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        event.time.nanoseconds, event.wall.milliseconds, event.level.rawValue, event.name,
        event.words, event.clientID?.description, event.plate, event.textID,
        event.next?.words, event.next?.at.milliseconds, event.waiting,
      ])
      let id = database.lastInsertedRowID
      if id % Limits.logTrimEvery == 0 {
        try database.execute(
          sql: "DELETE FROM log WHERE id <= ?", arguments: [id - Limits.logRows])
      }
      return event
    }
  }
}

extension SQLiteNodeStore {
  /// Events in the order in which they happened.
  public func events(_ query: EventQuery) throws(StorageError) -> [StoredEvent] {
    var conditions: [String] = []
    var arguments: StatementArguments = []
    func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      conditions.append(condition)
      arguments += [value]
    }
    require("id > ?", query.afterID)
    require("at_ms >= ?", query.since?.milliseconds)
    require("plate_number = ?", query.plate)
    require("client_id = ?", query.clientID?.description)
    require("event = ?", query.name)
    if let least = query.level {
      let levels = NodeLogEvent.Level.allCases.filter { $0 >= least }.map { "'\($0.rawValue)'" }
      conditions.append("level IN (\(levels.joined(separator: ", ")))")
    }
    let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let order = query.afterID == nil ? "DESC" : "ASC"
    let sql = "SELECT * FROM log \(filter) ORDER BY id \(order) LIMIT ?"
    let all = arguments + [min(max(query.limit, 0), Limits.page)]
    let events = try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: all)
        .map(StoredEvent.init(row:))
    }
    return query.afterID == nil ? events.reversed() : events
  }
}

extension StoredEvent {
  init(row: Row) {
    let client: String? = row["client_id"]
    var next: NodeLogEvent.Next?
    if let words = row["next_words"] as String?, let milliseconds = row["next_ms"] as Int64? {
      next = NodeLogEvent.Next(words, at: WallTime(milliseconds: milliseconds))
    }
    id = row["id"]
    event = NodeLogEvent(
      name: row["event"], level: NodeLogEvent.Level(rawValue: row["level"]) ?? .info,
      words: row["words"], time: BootInstant(nanoseconds: row["t"]),
      wall: WallTime(milliseconds: row["at_ms"]), clientID: client.flatMap { ClientID($0) },
      plate: row["plate_number"], textID: row["text_id"],
      next: next, waiting: row["waiting"])
  }
}
