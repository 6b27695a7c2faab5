public import CentralCore
import GRDB
public import Passages
import SQLiteFile
public import Storage
public import Time

/// Which passages are wanted.
public struct PassageQuery: Hashable, Sendable {
  /// Only those of this post; nil for those of all posts.
  public var checkpost: CheckpostCode?
  /// A plate in its compact form.
  public var plate: String?
  /// Only those recorded at that moment or later; nil for those of all times.
  public var since: WallTime?
  /// Only those with higher numbers.
  public var afterID: Int64 = 0
  /// How many at most: ask again with ``afterID`` for what follows.
  public var limit = Limits.page

  /// Every passage.
  public init() {}
}

/// A passage as the centre has it.
public struct StoredPassage: Hashable, Sendable {
  /// Its number in the store; later rows have higher ones.
  public var id: Int64
  /// What was written down at the post.
  public var passage: Passage
  /// When it was inserted.
  public var insertedAt: WallTime
}

extension SQLiteCentralStore {
  /// Passages in the order in which they were inserted.
  public func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM passages WHERE id > ?1 AND (?2 IS NULL OR checkpost = ?2)
            AND (?3 IS NULL OR plate_number = ?3) AND (?4 IS NULL OR recorded_at_ms >= ?4)
          ORDER BY id LIMIT ?5
          """,
        arguments: [
          query.afterID, query.checkpost?.code, query.plate, query.since?.milliseconds,
          query.limit,
        ]
      ).map { try StoredPassage(row: $0) }
    }
  }

  /// The travels among the passages that are there, in the order of their entry.
  ///
  /// - Parameter since: Only passages from then on.
  public func travels(since: WallTime? = nil) throws(StorageError) -> [Travel] {
    let passages = try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM passages WHERE segment IS NOT NULL AND (?1 IS NULL OR recorded_at_ms >= ?1)
          ORDER BY id LIMIT ?2
          """,
        arguments: [since?.milliseconds, Limits.paired]
      ).map { try StoredPassage(row: $0).passage }
    }
    return Pairing.pairs(passages: passages, segments: try routes())
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
