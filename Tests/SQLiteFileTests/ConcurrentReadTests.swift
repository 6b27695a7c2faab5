import Foundation
import GRDB
import SQLiteFile
import Storage
import TestSupport
import Testing

/// Reading beside whoever writes.
@Suite struct ConcurrentReadTests {
  /// Counts to a number; without end where there is none.
  private func counting(to last: Int? = nil) -> String {
    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number"
      + (last.map { " WHERE n < \($0)" } ?? "") + ") SELECT count(*) FROM number"
  }

  private var notes: DatabaseMigrator {
    var migrations = DatabaseMigrator()
    migrations.registerMigration("v1") { database in
      try database.execute(sql: "CREATE TABLE note (n INTEGER PRIMARY KEY)")
    }
    return migrations
  }

  private func add(_ file: SQLiteFile) throws {
    try file.write { try $0.execute(sql: "INSERT INTO note DEFAULT VALUES") }
  }

  private func count(_ database: Database) throws -> Int? {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM note")
  }

  @Test func whoReadsSeesWhatWasCommittedBefore() throws {
    let directory = try TemporaryDirectory()
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    try add(file)
    try file.write { database in
      try database.execute(sql: "INSERT INTO note DEFAULT VALUES")
      #expect(try file.concurrentRead { try count($0) } == 1)
    }
    #expect(try file.concurrentRead { try count($0) } == 2)
  }

  /// Nor for whoever else reads, and what it reads is of one moment.
  @Test func whoWritesDoesNotWaitForWhoReads() throws {
    let directory = try TemporaryDirectory()
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    try file.concurrentRead { database in
      #expect(try count(database) == 0)
      try add(file)
      #expect(try file.concurrentRead { try count($0) } == 1)
      #expect(try count(database) == 0)
    }
    #expect(try file.concurrentRead { try count($0) } == 1)
  }

  @Test func itOnlyReads() throws {
    let directory = try TemporaryDirectory()
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(throws: StorageError.self) {
      try file.concurrentRead { try $0.execute(sql: "INSERT INTO note DEFAULT VALUES") }
    }
    #expect(try file.concurrentRead { try count($0) } == 0)
  }

  @Test(arguments: ["a.db", SQLiteFile.inMemory])
  func whatTakesTooLongIsEnded(name: String) throws {
    let directory = try TemporaryDirectory()
    let path = name == SQLiteFile.inMemory ? name : directory.file(name)
    let file = try SQLiteFile.open(path, migrations: notes)
    for limit in [Duration.zero, .milliseconds(20)] {
      #expect(throws: StorageError.tookTooLong(path: path)) {
        try file.concurrentRead(within: limit) { try Int.fetchOne($0, sql: counting()) }
      }
    }
    // The same connection is as good as before, and nothing bounds what comes after.
    try add(file)
    let counted = try file.concurrentRead { try Int.fetchOne($0, sql: counting(to: 100_000)) }
    #expect(counted == 100_000)
    #expect(try file.concurrentRead(within: .seconds(600)) { try count($0) } == 1)
  }

  @Test func nothingIsReadOfAnotherFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let file = try SQLiteFile.open(path, migrations: notes)
    #expect(try file.concurrentRead { try count($0) } == 0)
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.moveItem(atPath: path + end, toPath: path + ".old" + end)
    }
    #expect(throws: StorageError.self) { try file.concurrentRead { try count($0) } }
    let other = try SQLiteFile.open(path, migrations: notes)
    #expect(throws: StorageError.replaced(path: path)) {
      try file.concurrentRead { try count($0) }
    }
    #expect(try other.concurrentRead { try count($0) } == 0)
  }

  @Test func nothingIsReadOnceItIsClosed() throws {
    let directory = try TemporaryDirectory()
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(try file.concurrentRead { try count($0) } == 0)
    try file.close()
    #expect(throws: StorageError.self) { try file.concurrentRead { try count($0) } }
  }
}
