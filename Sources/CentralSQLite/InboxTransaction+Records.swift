import CentralCore
import GRDB
import Passages
import Storage
import Time

/// The records that judging works on.
extension InboxTransaction: JudgingRows {
  func record(identifiedBy clientID: ClientID) throws(StorageError) -> JudgedRecord? {
    try record("SELECT record FROM identities WHERE client_id = ?", [clientID.description])
  }

  func record(received key: ContentKey) throws(StorageError) -> JudgedRecord? {
    try record(
      """
      SELECT number FROM records
      WHERE received_plate = ? AND received_second = ? AND received_post = ?
      """, [key.plate, key.second, key.post.code])
  }

  /// The record of which a query finds the number. Most find none, and GRDB prepares a name for each column of rows
  /// before it looks for them.
  private func record(
    _ sql: String, _ arguments: StatementArguments
  ) throws(StorageError) -> JudgedRecord? {
    let number = try sorted {
      try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }
    guard let number else { return nil }
    return try records(RecordRows.ofNumber, [number]).first
  }

  func records(
    of plate: String, at posts: [CheckpostCode]?, in seconds: ClosedRange<Int64>?
  ) throws(StorageError) -> [JudgedRecord] {
    guard let posts, let seconds else {
      return try records(RecordRows.ofPlate, [plate])
    }
    let span: StatementArguments = [plate, seconds.lowerBound, seconds.upperBound]
    return try records(
      RecordRows.ofVehicle(posts: posts.count), span + StatementArguments(posts.map(\.code)))
  }

  private func records(
    _ sql: String, _ arguments: StatementArguments
  ) throws(StorageError) -> [JudgedRecord] {
    try sorted { try RecordRows.records(sql, arguments, database) }
  }

  func plates(
    after: String, at posts: [CheckpostCode]?, limit: Int
  ) throws(StorageError) -> [String] {
    let codes = posts.map { "[" + $0.map { "\"\($0.code)\"" }.joined(separator: ",") + "]" }
    return try sorted {
      try String.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT DISTINCT plate FROM records WHERE plate > ?1
              AND (?2 IS NULL OR post IN (SELECT value FROM json_each(?2)))
            ORDER BY plate LIMIT ?3
            """), arguments: [after, codes, limit])
    }
  }

  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, uuid: ClientID,
    at wall: WallTime
  ) throws(StorageError) -> Int64 {
    let key = observation.key
    try execute(
      """
      INSERT INTO records (number, received_post, received_plate, received_second, post, plate,
        second, uuid, client_id, inbox_id, last_at_ms, inserted_at_ms)
        SELECT max(\(Schema.given("last_record")),
            coalesce((SELECT max(number) FROM records WHERE \(Schema.leavesRoom("number"))), 0)) + 1,
          ?1, ?2, ?3, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 FROM keeping
      """,
      [
        key.post.code, key.plate, key.second, uuid.description, observation.clientID.description,
        origin.inboxID, wall.milliseconds,
      ])
    let number = database.lastInsertedRowID
    try insert(observation, from: origin, into: number, at: wall)
    try link(observation.clientID, to: number)
    if uuid != observation.clientID {
      try execute(
        "INSERT INTO names (uuid, record) VALUES (?, ?)", [uuid.description, number])
    }
    return number
  }

  func insert(
    _ observation: Observation, from origin: PassageArrival.Origin, into record: Int64,
    at wall: WallTime
  ) throws(StorageError) {
    try execute(
      """
      INSERT INTO observations (client_id, post, plate_raw, plate, vehicle_type, recorded_at_ms, ranger,
        suffix, photo_path, channel, is_proven, clock, received_at_ms, inbox_id, uuid,
        inserted_at_ms, record, n)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
          coalesce(max(n), 0) + 1 FROM observations WHERE record = ?17 AND \(Schema.leavesRoom("n"))
      """,
      RecordRows.arguments(observation) + [
        observation.receivedAt.milliseconds, origin.inboxID, origin.uuid?.description,
        wall.milliseconds, record,
      ])
  }

  func replace(
    _ known: Observation, with earlier: Observation, from origin: PassageArrival.Origin,
    in record: Int64
  ) throws(StorageError) {
    try execute(
      """
      UPDATE observations SET received_at_ms = ?13, inbox_id = ?14, uuid = ?15 WHERE record = ?16
        AND client_id = ?1 AND post = ?2 AND plate_raw = ?3 AND plate IS ?4 AND vehicle_type = ?5
        AND recorded_at_ms = ?6 AND ranger IS ?7 AND suffix = ?8 AND photo_path IS ?9
        AND channel = ?10 AND is_proven = ?11 AND clock IS ?12
      """,
      RecordRows.arguments(known) + [
        earlier.receivedAt.milliseconds, origin.inboxID, origin.uuid?.description, record,
      ])
  }

  func link(_ clientID: ClientID, to record: Int64) throws(StorageError) {
    try execute(
      "INSERT INTO identities (client_id, record) VALUES (?, ?)", [clientID.description, record])
  }

  func isTaken(_ uuid: ClientID) throws(StorageError) -> Bool {
    try sorted {
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM names WHERE uuid = ?1)
              OR EXISTS (SELECT 1 FROM identities WHERE client_id = ?1)
            """), arguments: [uuid.description]) ?? false
    }
  }

  func count(_ record: Int64, at wall: WallTime) throws(StorageError) {
    try execute(
      "UPDATE records SET times = \(Schema.oneMore("times")), last_at_ms = max(last_at_ms, ?) WHERE number = ?",
      [wall.milliseconds, record])
  }

  func contradict(_ record: Int64) throws(StorageError) {
    try execute("UPDATE records SET is_contradicted = 1 WHERE number = ?", [record])
  }

  func insert(
    _ correction: ReceivedCorrection, into record: Int64, place: ContentKey, at wall: WallTime
  ) throws(StorageError) {
    try execute(
      """
      INSERT INTO corrections (\(RecordRows.ofCorrection), inserted_at_ms, record, n)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, coalesce(max(n), 0) + 1
        FROM corrections WHERE record = ?12 AND \(Schema.leavesRoom("n"))
      """, RecordRows.arguments(correction) + [wall.milliseconds, record])
    try execute(
      """
      UPDATE records SET post = ?, plate = ?, second = ?, corrections = \(Schema.oneMore("corrections"))
        WHERE number = ?
      """, [place.post.code, place.plate, place.second, record])
  }

  func keepEarly(
    _ correction: ReceivedCorrection, at wall: WallTime
  ) throws(StorageError) -> Bool {
    let known = try early(of: correction.clientID)
    guard !known.contains(correction), known.count < CentralCore.Limits.earlyCorrections else {
      return false
    }
    try execute(
      """
      INSERT INTO early_corrections (\(RecordRows.ofCorrection), inserted_at_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """, RecordRows.arguments(correction) + [wall.milliseconds])
    return true
  }

  func takeEarly(of clientID: ClientID) throws(StorageError) -> [ReceivedCorrection] {
    let known = try early(of: clientID)
    guard !known.isEmpty else { return [] }
    try execute("DELETE FROM early_corrections WHERE client_id = ?", [clientID.description])
    return known
  }

  private func early(of clientID: ClientID) throws(StorageError) -> [ReceivedCorrection] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT \(RecordRows.ofCorrection) FROM early_corrections WHERE client_id = ?"),
        arguments: [clientID.description]
      ).map { try RecordRows.correction($0) }
    }
  }

  func move(_ moves: [PassageRecognition.Move]) throws(StorageError) {
    for move in moves {
      try execute("UPDATE records SET passage = ? WHERE number = ?", [move.now, move.record])
    }
  }

  func name(of record: Int64) throws(StorageError) -> PassageName? {
    try sorted {
      try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT uuid, client_id FROM records WHERE number = ?"), arguments: [record]
      ).map { row in
        var reader = RowReader(row)
        return PassageName(
          row: record, uuid: reader.identity(), clientID: reader.identity())
      }
    }
  }

  func execute(_ sql: String, _ arguments: StatementArguments) throws(StorageError) {
    try sorted { try database.cachedStatement(sql: sql).execute(arguments: arguments) }
  }
}
