import Foundation
import GRDB
import Glibc
import SQLiteFile
import Storage
import TestSupport
import Testing

@Suite struct FullDiskTests {
  private func fill(_ queue: DatabaseQueue) -> StorageError? {
    let words = String(repeating: "x", count: 4_000)
    for _ in 0..<2_000 {
      do {
        try add(words, to: queue)
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
    let queue = try SQLiteFile.open(path, migrations: notes)
    try Data(count: 200_000).write(to: URL(fileURLWithPath: ballast))
    #expect(fill(queue) == .diskFull(path: path))
    let kept = try count(queue)
    #expect(kept > 0)
    unlink(ballast)
    try add("after", to: queue)
    #expect(try count(queue) == kept + 1)
    #expect(try pragma("integrity_check", queue) == "ok")
  }

  @Test func aFileOfItsFullSizeIsSaid() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.db")
    let queue = try SQLiteFile.open(path, migrations: notes)
    try SQLiteFile.perform(queue, path) { database in
      try database.execute(sql: "PRAGMA max_page_count = 40")
    }
    let error = fill(queue)
    #expect(error == .diskFull(path: path))
    #expect(error?.isTransient == true)
    #expect(try count(queue) > 0)
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
