public import GRDB
public import Storage

extension SQLiteFile {
  /// Runs `body` in one read transaction on a connection that only reads: it waits for nobody who writes, and whoever
  /// writes does not wait for it. It sees what was committed before it began. A database in memory has one
  /// connection, and a file that is opened for reading needs no other one: there it is ``read(_:)``.
  ///
  /// - Parameter limit: How long it may take; nil for as long as it takes.
  /// - Throws: `StorageError.tookTooLong` at the limit, `StorageError.replaced` when the file is not where it was, and
  ///   what else is wrong.
  public func concurrentRead<Value>(
    within limit: Duration? = nil, _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    guard let readers else { return try read { try Self.run(body, $0, within: limit) } }
    return try readers.withConnection { queue throws(StorageError) in
      try transaction(
        queue, "BEGIN DEFERRED TRANSACTION", { try Self.run(body, $0, within: limit) },
        check: { place throws(StorageError) in try place.checkDatabase() })
    }
  }
}
