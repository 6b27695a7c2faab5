import GRDB
import GRDBSQLite

extension SQLiteFile {
  @TaskLocal private static var end: ContinuousClock.Instant?

  /// Whether what runs now in a database has taken as long as it may. SQLite asks by itself, but never inside of a function
  /// that was given to it: one that may take long asks here, and fails with `SQLITE_INTERRUPT`.
  public static var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// Runs `body`, and has SQLite interrupt its statements once `limit` is over.
  ///
  /// SQLite asks now and then whether it is to go on (https://sqlite.org/c3ref/progress_handler.html), and stops
  /// asking before its transaction is ended, so that the end is never interrupted.
  ///
  /// - Parameter longestText: How many bytes a text may have that SQLite reads or puts together
  ///   (https://sqlite.org/c3ref/limit.html); nil for as many as it has.
  static func run<Value>(
    _ body: (Database) throws -> Value, _ database: Database, within limit: Duration?,
    longestText: Int? = nil
  ) throws -> Value {
    let longestBefore = longestText.map {
      sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: $0))
    }
    defer {
      if let longestBefore {
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, longestBefore)
      }
    }
    guard let limit else { return try body(database) }
    var end = ContinuousClock.now + limit
    return try withUnsafeMutablePointer(to: &end) { end in
      sqlite3_progress_handler(
        database.sqliteConnection, Limits.instructionsBetweenLooks,
        { context in
          guard let end = context?.load(as: ContinuousClock.Instant.self) else { return 0 }
          return ContinuousClock.now < end ? 0 : 1
        }, end)
      defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
      return try Self.$end.withValue(end.pointee) { try body(database) }
    }
  }
}
