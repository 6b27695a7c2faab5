import GRDB

extension SQLiteFile {
  /// The version of SQLite that this process runs with, which is the system's: `3.40.1`.
  public static var libraryVersion: String {
    // X * 1,000,000 + Y * 1,000 + Z (https://sqlite.org/c3ref/libversion.html).
    let number = Int(Database.sqliteLibVersionNumber)
    return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }
}
