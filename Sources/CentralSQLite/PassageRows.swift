public import CentralCore
import GRDB
import Passages
import SQLiteFile
public import Storage
import Time

/// The passages, as rows.
extension SQLiteCentralStore {
  /// Passages in the order in which they were inserted.
  public func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    try file.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM passages WHERE id > ?1 AND (?2 IS NULL OR checkpost = ?2)
            AND (?3 IS NULL OR plate_number = ?3) AND (?4 IS NULL OR recorded_at_ms >= ?4)
            AND (NOT ?5 OR segment IS NOT NULL)
          ORDER BY id LIMIT ?6
          """,
        arguments: [
          query.afterID, query.checkpost?.code, query.plate, query.since?.milliseconds,
          query.onSegment, query.limit,
        ]
      ).map { try StoredPassage(row: $0) }
    }
  }
}

enum PassageRows {
  /// Inserts a passage; false when one of that identity is there.
  static func insert(
    _ passage: Passage, of message: Int64, at wall: WallTime, _ database: Database
  ) throws -> Bool {
    try database.cachedStatement(
      sql: """
        INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
          vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, source,
          v1_body, inbox_id, inserted_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [
      passage.clientID.description, passage.contentClientID?.description, passage.plate.compact,
      passage.plate.raw, passage.vehicleType.rawValue, passage.checkpost.code, passage.segment,
      passage.recordedAt.milliseconds, passage.suffix.digits, passage.ranger,
      passage.source.rawValue, passage.v1Body, message, wall.milliseconds,
    ])
    return database.changesCount > 0
  }
}
extension StoredPassage {
  init(row: Row) throws {
    guard let client = ClientID(row["client_id"] as String),
      let type = VehicleType(rawValue: row["vehicle_type"]),
      let suffix = PhoneSuffix(row["ranger_phone_suffix"] as String),
      let source = Passage.Source(rawValue: row["source"])
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "passage \(row["id"] as Int64) is not one of ours")
    }
    self.init(
      id: row["id"],
      passage: Passage(
        clientID: client,
        contentClientID: (row["content_client_id"] as String?).flatMap { ClientID($0) },
        plate: try Plate(row["plate_number_raw"] as String), vehicleType: type,
        checkpost: try CheckpostCode(row["checkpost"] as String), segment: row["segment"],
        recordedAt: WallTime(milliseconds: row["recorded_at_ms"]), suffix: suffix,
        ranger: row["ranger"], photoPath: nil, source: source, v1Body: row["v1_body"]),
      insertedAt: WallTime(milliseconds: row["inserted_at_ms"]))
  }
}
