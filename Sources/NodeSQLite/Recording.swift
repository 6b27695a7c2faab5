import FoundationEssentials
import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

extension StoreTransaction {
  /// Records passages, each with its queue row; the same passage is recognised.
  func record(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome] {
    try sorted {
      let after = try fallbackAfter() ?? NodeRules().fallbackAfter
      let due = moment.boot.nanoseconds + after.wholeNanoseconds + 1
      // Who is signed in records, where nothing else is said.
      let suffix =
        requests.contains { $0.passage.suffix == .unknown }
        ? try Recording.suffixOfProfile(database) : nil
      return try requests.map { request in
        if let known = try Recording.find(database, request) {
          return known
        }
        var request = request
        if request.passage.suffix == .unknown, let suffix,
          let named = request.passage.recorded(by: suffix, keepsIdentity: request.hasGivenIdentity)
        {
          request.passage = named
          if let known = try Recording.find(database, request) { return known }
        }
        let id = try Recording.insert(database, request, at: moment, due: due)
        return .recorded(request.passage.clientID, queueID: id)
      }
    }
  }
}

private enum Recording {
  /// How the number of the ranger ends who is signed in; nil where nobody told.
  static func suffixOfProfile(_ database: Database) throws -> PhoneSuffix? {
    let directory = try Meta.text(database, .directory).flatMap { text in
      try? JSONDecoder().decode(PostDirectory.self, from: Data(text.utf8))
    }
    let suffix = PhoneSuffix(phoneNumber: directory?.profile.phone)
    return suffix == .unknown ? nil : suffix
  }

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
    let past = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT past_identities.queue_id, past_identities.content_client_id, passages.client_id
          FROM past_identities LEFT JOIN passages ON passages.id = past_identities.queue_id
          WHERE past_identities.client_id = ?
          """), arguments: [passage.clientID.description])
    if let past {
      return past[1] == content
        ? .alreadyRecorded(known(past[2]) ?? passage.clientID, queueID: past[0])
        : .identityTaken(passage.clientID)
    }
    if request.hasGivenIdentity {
      return nil
    }
    let twin = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id, client_id FROM passages WHERE content_client_id = ? ORDER BY id LIMIT 1
          """), arguments: [content])
    if let twin, let client = known(twin[1]) {
      return .alreadyRecorded(client, queueID: twin[0])
    }
    let pastTwin = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT past_identities.queue_id,
            coalesce(passages.client_id, past_identities.client_id)
          FROM past_identities LEFT JOIN passages ON passages.id = past_identities.queue_id
          WHERE past_identities.content_client_id = ? ORDER BY past_identities.queue_id LIMIT 1
          """), arguments: [content])
    guard let pastTwin, let client = known(pastTwin[1]) else { return nil }
    return .alreadyRecorded(client, queueID: pastTwin[0])
  }

  private static func known(_ text: String?) -> ClientID? { text.flatMap { ClientID($0) } }

  static func insert(
    _ database: Database, _ request: RecordRequest, at moment: Moment, due: Int64
  ) throws -> Int64 {
    let passage = request.passage
    try database.cachedStatement(
      sql: """
        INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
          vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger,
          photo_path, source, v1_body, undated, since_t, created_at_ms, priority,
          clock_source, clock_skew_s)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      passage.clientID.description,
      (passage.contentClientID ?? passage.clientID).description,
      passage.plate.compact, passage.plate.raw, passage.vehicleType.rawValue,
      passage.checkpost.code, passage.segment, passage.recordedAt.milliseconds,
      passage.suffix.digits, passage.ranger, passage.photoPath, passage.source.rawValue,
      passage.v1Body, passage.isUndated, moment.boot.nanoseconds, moment.wall.milliseconds,
      request.priority, request.clock?.rawValue,
      try request.clockAhead
        ?? (passage.isUndated || (request.clock ?? .none) < .network
          ? nil : ClockSkew.now(database, at: moment)),
    ])
    let id = database.lastInsertedRowID
    // Its upload came with it: the file sees to that.
    try database.cachedStatement(
      sql: """
        INSERT INTO text_deliveries (passage_id, due_t, priority, worth_t) VALUES (?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, passage.isUndated ? nil : due, request.priority,
      worthSince(passage, at: moment)?.nanoseconds,
    ])
    // Less urgent than all that goes to the centre, which therefore goes first.
    try database.cachedStatement(
      sql: """
        INSERT INTO text_deliveries (passage_id, recipient, due_t, priority, worth_t)
        SELECT ?, recipient, ?, \(NodeCore.Limits.otherPriority), ? FROM text_recipients
        ORDER BY place
        """
    ).execute(arguments: [
      id, passage.isUndated ? nil : due, worthSince(passage, at: moment)?.nanoseconds,
    ])
    if let photo = request.photo {
      try database.cachedStatement(
        sql: """
          INSERT INTO uploads (passage_id, kind, priority, photo_file, photo_bytes, photo_type)
          VALUES (?, 'photo', ?, ?, ?, ?)
          """
      ).execute(arguments: [id, request.priority, photo.path, photo.count, photo.contentType])
    }
    if let reason = request.photoLeftOut {
      try database.cachedStatement(
        sql: """
          INSERT INTO photos_left_out (passage_id, left_out_t, left_out_ms, reason)
          VALUES (?, ?, ?, ?)
          """
      ).execute(arguments: [
        id, moment.boot.nanoseconds, moment.wall.milliseconds, reason.kept,
      ])
    }
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
