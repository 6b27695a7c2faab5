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
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(try pragma("synchronous", file) == "2")
    #expect(try pragma("journal_mode", file) == "wal")
    #expect(try pragma("foreign_keys", file) == "1")
  }

  @Test func anExistingFileSyncsItsCommitsToo() throws {
    try SQLiteFile.open(directory.file("a.db"), migrations: notes).close()
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(try pragma("synchronous", file) == "2")
  }

  @Test func theInMemoryDatabaseOpensToo() throws {
    let file = try SQLiteFile.open(SQLiteFile.inMemory, applicationID: 7, migrations: notes)
    try add("one", to: file)
    #expect(try count(file) == 1)
  }

  @Test func onlyTheOwnerAndTheGroupMayReadAFreshFile() throws {
    let path = directory.file("a.db")
    _ = try SQLiteFile.open(path, migrations: notes)
    #expect(try permissions(path) & 0o007 == 0)
  }

  @Test func whatIsWrittenIsThereAfterReopening() throws {
    let path = directory.file("a.db")
    let file = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    try add("one", to: file)
    try file.close()
    let again = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    #expect(try count(again) == 1)
  }

  @Test func aTransactionThatThrowsChangesNothing() throws {
    struct Stop: Error {}
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    #expect(throws: StorageError.self) {
      try file.write { database in
        try database.execute(sql: "INSERT INTO notes (words) VALUES ('lost')")
        throw Stop()
      }
    }
    #expect(try count(file) == 0)
  }

  @Test func aConnectionWritesOnAfterATransactionThatCouldNotBeCommitted() throws {
    let file = try SQLiteFile.open(directory.file("a.db"), migrations: notes)
    for _ in 0..<2 {
      // As SQLite itself does when the disk is full in the middle of a transaction.
      #expect(throws: StorageError.self) {
        try file.write { database in
          try database.execute(sql: "INSERT INTO notes (words) VALUES ('lost')")
          try database.rollback()
        }
      }
      try add("kept", to: file)
    }
    #expect(try count(file) == 2)
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
          let file = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
          try add("one", to: file)
        }
      }
      try await group.waitForAll()
    }
    let file = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    #expect(try count(file) == 8)
  }
}
