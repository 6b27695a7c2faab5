import GRDB
public import NodeCore
import Passages
import SQLiteFile
public import Storage
import Time

// What is known here of the opposite post.
extension StoreTransaction {
  /// Keeps passages of the opposite post; one that is known already is replaced. What only the server or
  /// only a text told stays where the other does not know it.
  func keep(_ passages: [RemotePassage], at moment: Moment) throws(StorageError) {
    try sorted {
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO remote_passages (client_id, server_id, plate_number, vehicle_type, checkpost,
            recorded_at_ms, origin)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (client_id) DO UPDATE SET
            server_id = coalesce(excluded.server_id, server_id),
            plate_number = excluded.plate_number,
            vehicle_type = coalesce(excluded.vehicle_type, vehicle_type),
            checkpost = coalesce(excluded.checkpost, checkpost),
            recorded_at_ms = excluded.recorded_at_ms,
            origin = iif(excluded.server_id IS NULL, origin, excluded.origin)
          """)
      for passage in passages {
        try statement.execute(arguments: [
          passage.clientID.description, passage.serverID, passage.plate,
          passage.vehicleType?.rawValue, passage.checkpost?.code,
          passage.recordedAt.milliseconds, passage.origin.rawValue,
        ])
      }
    }
  }

  /// Passages of the opposite post of that plate, compact, oldest first.
  func remotePassages(plate: String) throws(StorageError) -> [RemotePassage] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT * FROM remote_passages WHERE plate_number = ? ORDER BY recorded_at_ms"),
        arguments: [plate]
      ).compactMap(RemotePassage.init(row:))
    }
  }

  /// All passages of the opposite post that are known, oldest first by their own time.
  func remotePassages(limit: Int) throws(StorageError) -> [RemotePassage] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT * FROM remote_passages ORDER BY recorded_at_ms, client_id LIMIT ?"),
        arguments: [max(limit, 0)]
      ).compactMap(RemotePassage.init(row:))
    }
  }

  /// Forgets passages of the opposite post: they are matched, or gone from the server.
  func forgetRemote(_ identities: [ClientID]) throws(StorageError) {
    try sorted {
      let statement = try database.cachedStatement(
        sql: "DELETE FROM remote_passages WHERE client_id = ?")
      for identity in identities { try statement.execute(arguments: [identity.description]) }
    }
  }

  /// Forgets passages of the opposite post from before a moment, and the oldest beyond `most`.
  func forgetRemote(before: WallTime, most: Int) throws(StorageError) {
    try sorted {
      try database.execute(
        sql: "DELETE FROM remote_passages WHERE recorded_at_ms < ?",
        arguments: [before.milliseconds])
      try database.execute(
        sql: """
          DELETE FROM remote_passages WHERE client_id IN (
            SELECT client_id FROM remote_passages
            ORDER BY recorded_at_ms DESC, client_id DESC LIMIT -1 OFFSET ?)
          """, arguments: [max(most, 0)])
    }
  }

  /// Passages of this post of that plate, compact, recorded at or after a moment, oldest first; those
  /// without a time of their own are not among them.
  func ownPassages(plate: String, since: WallTime) throws(StorageError) -> [Passage] {
    try sorted {
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM passages WHERE plate_number = ? AND recorded_at_ms >= ? AND undated = 0
              AND withdrawn_ms IS NULL
            ORDER BY recorded_at_ms, id
            """), arguments: [plate, since.milliseconds]
      ).map { try Passage(row: $0) }
    }
  }
}

extension SQLiteNodeStore {
  /// Passages of the opposite post whose vehicles were not recorded here since, those that came in first
  /// before the others.
  ///
  /// - Parameter ending: How their plates end, compact; nil for any.
  public func expected(ending: String? = nil, limit: Int) throws(StorageError) -> [RemotePassage] {
    try file.read { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM remote_passages AS remote
            WHERE (?1 = '' OR substr(plate_number, -length(?1)) = ?1) AND NOT EXISTS (
              SELECT 1 FROM passages WHERE passages.plate_number = remote.plate_number
                AND passages.withdrawn_ms IS NULL
                AND passages.recorded_at_ms >= remote.recorded_at_ms - ?2)
            ORDER BY recorded_at_ms, client_id LIMIT ?3
            """),
        arguments: [
          ending ?? "",
          NodeCore.Limits.sameVehicleWithin.wholeSeconds * 1_000, max(limit, 0),
        ]
      ).compactMap(RemotePassage.init(row:))
    }
  }

  /// Vehicles that are known from the opposite post, each by its plate, compact, and the identity of its
  /// passage: those that are waited for, and those of warnings.
  public func vehiclesElsewhere(
    limit: Int
  ) throws(StorageError) -> [(plate: String, client: String)] {
    try file.read { database in
      let kept = try Row.fetchAll(
        database, sql: "SELECT plate_number, client_id FROM remote_passages LIMIT ?",
        arguments: [max(limit, 0)]
      ).map { (plate: $0[0] as String, client: $0[1] as String) }
      return try kept
        + Meta.alerts(database).map { (plate: $0.plate, client: $0.entry.clientID.description) }
    }
  }
}

extension RemotePassage {
  /// The passage of a row of `remote_passages`; nil for one that this program did not write.
  fileprivate init?(row: Row) {
    guard let client = ClientID(row["client_id"] as String),
      let origin = Origin(rawValue: row["origin"])
    else { return nil }
    self.init(
      clientID: client, serverID: row["server_id"], plate: row["plate_number"],
      vehicleType: (row["vehicle_type"] as String?).flatMap { VehicleType(rawValue: $0) },
      checkpost: (row["checkpost"] as String?).flatMap { try? CheckpostCode($0) },
      recordedAt: WallTime(milliseconds: row["recorded_at_ms"]), origin: origin)
  }
}
