import GRDB
import SQLiteFile
import Storage
import TestSupport
import Testing

@Suite struct DurabilityTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aFreshFileSyncsItsCommits() throws {
    let queue = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(try pragma("synchronous", queue) == "2")
    #expect(try pragma("journal_mode", queue) == "wal")
    #expect(try pragma("foreign_keys", queue) == "1")
  }

  @Test func anExistingFileSyncsItsCommitsToo() throws {
    try SQLiteFile.open(directory.file("a.db"), migrations: notes).close()
    let queue = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(try pragma("synchronous", queue) == "2")
  }

  @Test func theInMemoryDatabaseOpensToo() throws {
    let queue = try SQLiteFile.open(SQLiteFile.inMemory, applicationID: 7, migrations: notes)
    try add("one", to: queue)
    #expect(try count(queue) == 1)
  }

  @Test func onlyTheOwnerAndTheGroupMayReadAFreshFile() throws {
    let path = directory.file("a.db")
    _ = try SQLiteFile.open(path, migrations: notes)
    #expect(try permissions(path) & 0o007 == 0)
  }

  @Test func whatIsWrittenIsThereAfterReopening() throws {
    let path = directory.file("a.db")
    let queue = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    try add("one", to: queue)
    try queue.close()
    let again = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    #expect(try count(again) == 1)
  }

  @Test func aTransactionThatThrowsChangesNothing() throws {
    struct Stop: Error {}
    let queue = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(throws: StorageError.self) {
      try SQLiteFile.write(queue, queue.path) { database in
        try database.execute(sql: "INSERT INTO notes (words) VALUES ('lost')")
        throw Stop()
      }
    }
    #expect(try count(queue) == 0)
  }

  @Test func aConnectionWritesOnAfterATransactionThatCouldNotBeCommitted() throws {
    let queue = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    for _ in 0..<2 {
      // As SQLite itself does when the disk is full in the middle of a transaction.
      #expect(throws: StorageError.self) {
        try SQLiteFile.write(queue, queue.path) { database in
          try database.execute(sql: "INSERT INTO notes (words) VALUES ('lost')")
          try database.rollback()
        }
      }
      try add("kept", to: queue)
    }
    #expect(try count(queue) == 2)
  }

  @Test func aReaderSeesWhatTheWriterCommitted() throws {
    let path = directory.file("a.db")
    let writer = try SQLiteFile.open(path, migrations: notes)
    try add("one", to: writer)
    let reader = try SQLiteFile.open(path, migrations: notes, mode: .readOnly)
    #expect(try count(reader) == 1)
    #expect(throws: StorageError.readOnly(path: path)) { try add("two", to: reader) }
  }

  @Test func manyMayOpenTheSameNewFileAtOnce() async throws {
    let path = directory.file("a.db")
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let queue = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
          try add("one", to: queue)
        }
      }
      try await group.waitForAll()
    }
    let queue = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    #expect(try count(queue) == 8)
  }
}
