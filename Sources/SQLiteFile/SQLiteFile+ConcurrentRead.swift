public import GRDB
public import Storage

extension SQLiteFile {
  /// Runs `body` in one read transaction on a connection that only reads: it waits for nobody who writes, and whoever
  /// writes does not wait for it. It sees what was committed before it began. A database in memory has one
  /// connection, and a file that is opened for reading needs no other one: there it is ``read(_:)``.
  ///
  /// - Parameters:
  ///   - limit: How long it may take; nil for as long as it takes.
  ///   - longestText: How many bytes a text may have that SQLite reads or puts together; a longer one fails with
  ///     `SQLITE_TOOBIG`. Nil for as many as it has.
  /// - Throws: `StorageError.tookTooLong` at the limit, `StorageError.replaced` when the file is not where it was, and
  ///   what else is wrong.
  public func concurrentRead<Value>(
    within limit: Duration? = nil, longestText: Int? = nil, _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    guard let readers else {
      return try read { try Self.run(body, $0, within: limit, longestText: longestText) }
    }
    return try readers.withConnection { queue throws(StorageError) in
      try transaction(
        queue, "BEGIN DEFERRED TRANSACTION",
        { try Self.run(body, $0, within: limit, longestText: longestText) },
        check: { place throws(StorageError) in try place.checkDatabase() })
    }
  }
}
