import GRDB
import Glibc
import SQLiteFile
import Storage

/// A schema for the tests.
var notes: DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("1") { database in
    try database.execute(sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, words TEXT NOT NULL)")
  }
  return migrator
}

/// The same schema, one version on.
var newerNotes: DatabaseMigrator {
  var migrator = notes
  migrator.registerMigration("2") { database in
    try database.execute(sql: "ALTER TABLE notes ADD COLUMN author TEXT")
  }
  return migrator
}

func add(_ words: String, to file: SQLiteFile) throws(StorageError) {
  try file.write { database in
    try database.execute(sql: "INSERT INTO notes (words) VALUES (?)", arguments: [words])
  }
}

func count(_ file: SQLiteFile) throws(StorageError) -> Int {
  try file.read { database in
    try Int.fetchOne(database, sql: "SELECT count(*) FROM notes") ?? 0
  }
}

func permissions(_ path: String) throws -> UInt32 {
  var status = stat()
  guard stat(path, &status) == 0 else { throw StorageError.missingFile(path: path) }
  return status.st_mode & 0o777
}

func pragma(_ name: String, _ file: SQLiteFile) throws(StorageError) -> String? {
  try file.perform { database in
    try String.fetchOne(database, sql: "PRAGMA \(name)")
  }
}
