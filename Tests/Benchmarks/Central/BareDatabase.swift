import GRDB

/// A database of SQLite as durable as central's own, without anything of it: what floors are measured with.
enum BareDatabase {
  /// Opens a file, which is made where there is none.
  ///
  /// - Parameter cacheBytes: How much of it is held in memory at most; nil for what SQLite itself takes.
  static func open(_ path: String, cacheBytes: Int? = nil) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // Negative numbers are KiB, others pages (SQLite, PRAGMA cache_size).
      if let cacheBytes { try database.execute(sql: "PRAGMA cache_size = -\(cacheBytes >> 10)") }
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return queue
  }
}
