import Foundation
import GRDB
import Glibc
import SQLiteFile
import Storage
import TestSupport
import Testing

@Suite struct FullDiskTests {
  private func fill(_ file: SQLiteFile) -> StorageError? {
    let words = String(repeating: "x", count: 4_000)
    for _ in 0..<2_000 {
      do {
        try add(words, to: file)
      } catch {
        return error
      }
    }
    return nil
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aFullFileSystemIsSaidAndNothingIsLost()
    throws
  {
    let disk = try #require(MountedDisk(kilobytes: 1_024))
    let path = disk.file("a.db")
    let ballast = disk.file("ballast")
    let file = try SQLiteFile.open(path, migrations: notes)
    try Data(count: 200_000).write(to: URL(fileURLWithPath: ballast))
    #expect(fill(file) == .diskFull(path: path))
    let kept = try count(file)
    #expect(kept > 0)
    unlink(ballast)
    try add("after", to: file)
    #expect(try count(file) == kept + 1)
    #expect(try pragma("integrity_check", file) == "ok")
  }

  @Test func aFileOfItsFullSizeIsSaid() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let file = try SQLiteFile.open(path, migrations: notes)
    try file.perform { database in
      try database.execute(sql: "PRAGMA max_page_count = 40")
    }
    let error = fill(file)
    #expect(error == .diskFull(path: path))
    #expect(error?.isTransient == true)
    #expect(try count(file) > 0)
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aFullFileSystemRefusesANewFile() throws {
    let disk = try #require(MountedDisk(kilobytes: 1_024))
    let handle = open(disk.file("ballast"), O_CREAT | O_WRONLY, 0o600)
    defer { close(handle) }
    var block = [UInt8](repeating: 1, count: 4_096)
    while write(handle, &block, block.count) > 0 {}
    let path = disk.file("a.db")
    #expect(throws: StorageError.diskFull(path: path)) {
      try SQLiteFile.open(path, migrations: notes)
    }
  }
}
