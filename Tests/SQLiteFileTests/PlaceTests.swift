import Foundation
import Glibc
import SQLiteFile
import Storage
import TestSupport
import Testing

/// A database whose file is taken away, replaced or covered while it is open: what is committed to it
/// then is in no file that anybody finds again.
@Suite struct PlaceTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private func opened() throws -> SQLiteFile {
    let file = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    try add("before", to: file)
    return file
  }

  private func move(_ from: String, _ to: String) throws {
    guard rename(from, to) == 0 else { throw POSIXError(.EIO) }
  }

  @Test(arguments: ["", "-wal", "-shm"]) func nothingIsCommittedIntoAFileThatIsGone(
    suffix: String
  ) throws {
    let file = try opened()
    try move(path + suffix, directory.file("away"))
    for _ in 0..<2 {
      #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
    }
    try move(directory.file("away"), path + suffix)
    try add("after", to: file)
    #expect(try count(file) == 2)
    try file.close()
    #expect(try count(try SQLiteFile.open(path, applicationID: 7, migrations: notes)) == 2)
  }

  @Test func nothingIsCommittedIntoAFileThatIsDeleted() throws {
    let file = try opened()
    unlink(path)
    #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
    // What was committed last stands in the log alone, and would be read into a new file.
    let error = #expect(throws: StorageError.self) {
      try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    }
    #expect(error?.message.contains("-wal") == true)
    #expect(access(path, F_OK) != 0)
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    // Somebody makes another one, or puts a copy there.
    let other = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
    try add("its own", to: other)
    #expect(try count(other) == 1)
  }

  @Test func whatAFileHeldThatIsGoneIsSaved() throws {
    let file = try opened()
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
    let copy = try file.saveCopy()
    #expect(copy == path + ".saved-1")
    #expect(try permissions(copy) & 0o007 == 0)
    #expect(try file.saveCopy() == path + ".saved-2", "none is written over")
    let saved = try SQLiteFile.open(copy, applicationID: 7, migrations: notes)
    #expect(try count(saved) == 1)
    try add("after", to: saved)
  }

  @Test func aCopyInItsPlaceIsAnotherFile() throws {
    let file = try opened()
    try FileManager.default.copyItem(atPath: path, toPath: directory.file("copy"))
    try move(directory.file("copy"), path)
    #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
  }

  @Test func aFileThatIsReachedByALinkIsFollowed() throws {
    try SQLiteFile.open(path, applicationID: 7, migrations: notes).close()
    let link = directory.file("link.db")
    #expect(symlink(path, link) == 0)
    let file = try SQLiteFile.open(link, applicationID: 7, migrations: notes)
    try add("one", to: file)
    let other = try SQLiteFile.open(directory.file("b.db"), applicationID: 7, migrations: notes)
    unlink(link)
    #expect(symlink(directory.file("b.db"), link) == 0)
    #expect(throws: StorageError.replaced(path: link)) { try add("lost", to: file) }
    try other.close()
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aDiskThatIsMountedOverItIsAnotherPlace()
    throws
  {
    // Inode numbers of two file systems may be the same.
    let disk = try #require(MountedDisk(kilobytes: 4_096))
    let path = disk.file("a.db")
    let file = try SQLiteFile.open(path, applicationID: 7, migrations: notes)
    try add("one", to: file)
    try #require(mount("tmpfs", disk.path, "tmpfs", 0, "size=4m") == 0)
    defer { umount2(disk.path, Int32(MNT_DETACH)) }
    try SQLiteFile.open(path, applicationID: 7, migrations: notes).close()
    #expect(throws: StorageError.replaced(path: path)) { try add("lost", to: file) }
  }
}
