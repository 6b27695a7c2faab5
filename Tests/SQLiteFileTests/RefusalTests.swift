import Foundation
import GRDB
import Glibc
import SQLiteFile
import Storage
import TestSupport
import Testing

@Suite struct RefusalTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func aMissingDirectory() {
    let path = directory.file("nowhere/a.db")
    #expect(throws: StorageError.missingDirectory(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
  }

  @Test func aFileInPlaceOfTheDirectory() throws {
    try Data().write(to: URL(fileURLWithPath: directory.file("file")))
    let path = directory.file("file/a.db")
    #expect(throws: StorageError.missingDirectory(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
  }

  @Test func aDirectoryInPlaceOfTheFile() {
    #expect(throws: StorageError.isDirectory(path: directory.path)) {
      try SQLiteFile.open(directory.path, migrations: notes)
    }
  }

  @Test func aMissingFileThatIsOnlyToBeRead() {
    let path = directory.file("a.db")
    #expect(throws: StorageError.missingFile(path: path)) {
      try SQLiteFile.open(path, migrations: notes, mode: .readOnly)
    }
    #expect(access(path, F_OK) != 0, "reading creates nothing")
  }

  @Test func aMissingFileThatIsNotToBeMade() throws {
    let path = directory.file("a.db")
    #expect(throws: StorageError.missingFile(path: path)) {
      try SQLiteFile.open(path, migrations: notes, mode: .existing)
    }
    #expect(access(path, F_OK) != 0, "changing creates nothing")
    try SQLiteFile.open(path, migrations: notes).close()
    let file = try SQLiteFile.open(path, migrations: notes, mode: .existing)
    try file.write { try $0.execute(sql: "CREATE TABLE more (n INTEGER)") }
    try file.close()
  }

  @Test func aFileThatIsNoDatabase() throws {
    let path = directory.file("a.db")
    let text = Data(String(repeating: "plates, not pages\n", count: 200).utf8)
    try text.write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.notADatabase(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text, "it is left as it was")
  }

  @Test func aDatabaseOfAnotherRole() throws {
    let path = directory.file("a.db")
    try SQLiteFile.open(path, applicationID: 7, migrations: notes).close()
    #expect(throws: StorageError.foreignDatabase(path: path, found: 7)) {
      try SQLiteFile.open(path, applicationID: 8, migrations: notes)
    }
  }

  @Test func aDatabaseOfAnotherProgramIsLeftAsItWas() throws {
    let path = directory.file("a.db")
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "CREATE TABLE recipes (name TEXT)") }
    try other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StorageError.foreignDatabase(path: path, found: 0)) {
      try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aDatabaseOfANewerVersion() throws {
    let path = directory.file("a.db")
    try SQLiteFile.open(path, migrations: newerNotes).close()
    #expect(throws: StorageError.newerSchema(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
  }

  @Test func aDatabaseOfAnOlderVersionThatIsOnlyToBeRead() throws {
    let path = directory.file("a.db")
    try SQLiteFile.open(path, migrations: notes).close()
    #expect(throws: StorageError.olderSchema(path: path)) {
      try SQLiteFile.open(path, migrations: newerNotes, mode: .readOnly)
    }
    #expect(throws: Never.self) { try SQLiteFile.open(path, migrations: newerNotes) }
  }

  @Test func aDamagedDatabase() throws {
    let path = directory.file("a.db")
    let file = try SQLiteFile.open(path, migrations: notes)
    for index in 0..<2_000 {
      try add("note \(index) with some length so that there are many pages", to: file)
    }
    try file.close()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 8_192..<bytes.count {
      bytes[index] = UInt8(truncatingIfNeeded: index &* 31)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StorageError.self) {
      try SQLiteFile.open(path, migrations: notes)
    }
    guard error?.kind == .damaged else {
      Issue.record("found \(String(describing: error))")
      return
    }
  }

  @Test func aLockedDatabase() throws {
    let path = directory.file("a.db")
    let holder = try SQLiteFile.open(path, migrations: notes)
    let other = try SQLiteFile.open(path, migrations: notes, busyTimeoutSeconds: 0.02)
    try holder.write { _ in
      let error = #expect(throws: StorageError.locked(path: path)) { try add("one", to: other) }
      #expect(error?.isTransient == true)
    }
    try add("one", to: other)
    #expect(try count(holder) == 1)
  }

  /// The superuser may write any file.
  @Test(.enabled(if: getuid() != 0)) func aFileThatMayNotBeWritten() throws {
    let path = directory.file("a.db")
    try SQLiteFile.open(path, migrations: notes).close()
    chmod(path, 0o444)
    #expect(throws: StorageError.readOnly(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
    chmod(path, 0)
    #expect(throws: StorageError.noPermission(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aReadOnlyFileSystem() throws {
    let disk = try #require(MountedDisk(kilobytes: 4_096))
    let path = disk.file("a.db")
    try SQLiteFile.open(path, migrations: notes).close()
    try #require(disk.remount(readOnly: true))
    #expect(SQLiteFile.isOnReadOnlyFileSystem(path))
    #expect(throws: StorageError.readOnlyFileSystem(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
    let fresh = disk.file("b.db")
    #expect(throws: StorageError.readOnlyFileSystem(path: fresh)) {
      try SQLiteFile.open(fresh, migrations: notes)
    }
  }
}
