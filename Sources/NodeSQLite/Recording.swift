import GRDB
public import NodeCore
public import Passages
import SQLiteFile
public import Storage
import Time

/// What came of recording one passage.
public enum RecordOutcome: Hashable, Sendable {
  /// It is in the queue, under this number.
  case recorded(ClientID, queueID: Int64)
  /// The same passage is there already: a button pressed twice, a file read twice. Nothing was
  /// changed, and it keeps the identity it was given first.
  case alreadyRecorded(ClientID, queueID: Int64)
  /// The identity belongs to another passage, which was not touched; this one was not recorded.
  case identityTaken(ClientID)

  /// The identity that the passage is known under here.
  public var clientID: ClientID {
    switch self {
    case .recorded(let id, _), .alreadyRecorded(let id, _), .identityTaken(let id): id
    }
  }
}

/// A passage to be recorded, and how its identity came about.
public struct RecordRequest: Hashable, Sendable {
  /// The passage, with its identity and its frozen V1 body.
  public var passage: Passage
  /// Whether the identity was given by the client. Then it is kept for ever, also beside another
  /// passage with the same content; otherwise the same content is the same passage.
  public var hasGivenIdentity: Bool
  /// How urgent its text is, 0 to 2: the more urgent go first, and among equals the oldest.
  public var priority: Int

  /// The priority of a passage of which nothing is said.
  public static let standardPriority = 1

  /// A passage to be recorded.
  public init(
    _ passage: Passage, hasGivenIdentity: Bool = false, priority: Int = standardPriority
  ) {
    self.passage = passage
    self.hasGivenIdentity = hasGivenIdentity
    self.priority = min(max(priority, 0), 2)
  }
}

extension SQLiteNodeStore {
  /// Records passages: each with its queue row, all in one transaction, on disk when this returns.
  ///
  /// - Returns: one outcome for each request, in order.
  /// - Throws: what is wrong with the store; then none of them is recorded.
  public func record(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome] {
    guard hasRoom else { throw .diskFull(path: path) }
    return try transaction { transaction throws(StorageError) in
      try transaction.record(requests, at: moment)
    }
  }
}

extension StoreTransaction {
  /// Records passages inside this transaction; see ``SQLiteNodeStore/record(_:at:)``. Whoever calls
  /// this has asked ``SQLiteNodeStore/hasRoom`` before.
  public func record(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome] {
    try sorted {
      let due = moment.boot.nanoseconds + (try FallbackSetting.after(database)) + 1
      return try requests.map { request in
        if let known = try Recording.find(database, request) {
          return known
        }
        let id = try Recording.insert(database, request, at: moment, due: due)
        return .recorded(request.passage.clientID, queueID: id)
      }
    }
  }
}

private enum Recording {
  static func find(_ database: Database, _ request: RecordRequest) throws -> RecordOutcome? {
    let passage = request.passage
    let content = (passage.contentClientID ?? passage.clientID).description
    let same = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT id, content_client_id FROM passages WHERE client_id = ?"),
      arguments: [passage.clientID.description])
    if let same {
      return same[1] == content
        ? .alreadyRecorded(passage.clientID, queueID: same[0]) : .identityTaken(passage.clientID)
    }
    if request.hasGivenIdentity {
      return nil
    }
    let twin = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, client_id FROM passages WHERE content_client_id = ? ORDER BY id LIMIT 1
          """), arguments: [content])
    guard let twin, let client = ClientID(twin[1] as String) else { return nil }
    return .alreadyRecorded(client, queueID: twin[0])
  }

  static func insert(
    _ database: Database, _ request: RecordRequest, at moment: Moment, due: Int64
  ) throws -> Int64 {
    let passage = request.passage
    try database.cachedStatement(
      sql: """
        INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
          vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger,
          photo_path, source, v1_body, undated)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      passage.clientID.description,
      (passage.contentClientID ?? passage.clientID).description,
      passage.plate.compact, passage.plate.raw, passage.vehicleType.rawValue,
      passage.checkpost.code, passage.segment, passage.recordedAt.milliseconds,
      passage.suffix.digits, passage.ranger, passage.photoPath, passage.source.rawValue,
      passage.v1Body, passage.isUndated,
    ])
    let id = database.lastInsertedRowID
    try database.cachedStatement(
      sql: """
        INSERT INTO queue (id, created_at_ms, since_t, text_due_t, priority, worth_t)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, moment.wall.milliseconds, moment.boot.nanoseconds, passage.isUndated ? nil : due,
      request.priority, worthSince(passage, at: moment)?.nanoseconds,
    ])
    return id
  }

  /// Since when a passage has been worth a text, where that was before it was recorded here: as long
  /// as it is old by a clock that has been set.
  private static func worthSince(_ passage: Passage, at moment: Moment) -> BootInstant? {
    let age = moment.wall - passage.recordedAt
    guard moment.wall >= Passage.earliest, age >= .seconds(1) else { return nil }
    return moment.boot - age
  }
}
