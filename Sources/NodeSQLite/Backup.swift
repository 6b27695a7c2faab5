import GRDB
import NodeCore
import Passages
import SQLiteFile
public import Storage
import Time

#if canImport(Glibc)
  import Glibc
#endif

/// What a node's database holds, counted for whoever saves it or puts it back.
public struct StoreCounts: Hashable, Sendable {
  /// All passages.
  public var passages = 0
  /// Those that the server does not have.
  public var unsynced = 0
  /// Those with a photograph, which is a file of its own.
  public var photos = 0
}

extension SQLiteNodeStore {
  /// Saves the database at `path` as one file, while whoever uses it goes on. What the node signs in with
  /// is not in it.
  ///
  /// - Returns: what the copy holds.
  public static func backUp(
    _ path: String, to copy: String
  ) throws(StorageError) -> StoreCounts {
    try SQLiteFile.copy(path, to: copy, applicationID: NodeSchema.applicationID) { database in
      for key in secrets {
        try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [key])
      }
      // What was deleted is gone from the file, and not only from its tables.
      try database.execute(sql: "VACUUM")
    }
    let saved = try SQLiteNodeStore(readingFrom: copy)
    let counts = try saved.counts()
    try saved.close()
    return counts
  }

  /// What opens the server to whoever has it: no copy of the file has that.
  private static let secrets = ["refresh_token"]

  /// Makes a database of a saved one beside `path`, up to date and ready to take that place.
  ///
  /// - Returns: where it is, for ``exchange(_:for:)``, and what it holds.
  public static func prepare(
    _ backup: String, for path: String, bootID: String
  ) throws(StorageError) -> (file: String, counts: StoreCounts) {
    let file = "\(path).restored-\(getpid())"
    try SQLiteFile.copy(backup, to: file, applicationID: NodeSchema.applicationID)
    do {
      let store = try SQLiteNodeStore(path: file, bootID: bootID)
      let counts = try store.counts()
      try store.close()
      return (file, counts)
    } catch {
      discard(file)
      throw error
    }
  }

  /// Puts what ``prepare(_:for:bootID:)`` made in the place of the database at `path`.
  ///
  /// - Returns: where the other one is now; nil when there was none.
  public static func exchange(_ file: String, for path: String) throws(StorageError) -> String? {
    try SQLiteFile.exchange(file, for: path)
  }

  /// Removes what ``prepare(_:for:bootID:)`` made.
  public static func discard(_ file: String) {
    for end in ["", "-wal", "-shm"] { unlink(file + end) }
  }

  /// What the store holds.
  public func counts() throws(StorageError) -> StoreCounts {
    let overview = try overview(at: .zero)
    var counts = StoreCounts()
    counts.unsynced = overview.pending + overview.inFlight + overview.failed
    counts.passages = counts.unsynced + overview.synced
    counts.photos = try file.read { database in
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM passages WHERE photo_path IS NOT NULL") ?? 0
    }
    return counts
  }

  /// How many passages that the server does not have are here and not in another store.
  public func unsyncedMissing(in other: SQLiteNodeStore) throws(StorageError) -> Int {
    var missing = 0
    var query = QueueQuery()
    while true {
      let items = try list(query)
      for item in items where item.status != .synced {
        if try other.item(item.passage.clientID) == nil { missing += 1 }
      }
      guard items.count == query.limit, let last = items.last else { return missing }
      query.afterID = last.queueID
    }
  }
}
