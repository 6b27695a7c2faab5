import Foundation
import Glibc
import SQLiteFile
import TestSupport
import Testing

/// Space that is held back for a full disk.
@Suite struct BallastTests {
  @Test func itTakesRealRoomAndGivesItBack() throws {
    let directory = try TemporaryDirectory()
    let ballast = Ballast(beside: directory.file("a.db"), bytes: 1_000_001)
    #expect(!ballast.isThere && !ballast.drop())
    #expect(ballast.make(leaving: 0))
    #expect(ballast.isThere)
    #expect(!ballast.make(leaving: 0), "it is there already")
    var status = stat()
    try #require(stat(directory.file("a.db-ballast"), &status) == 0)
    #expect(status.st_size == 1_000_001)
    #expect(status.st_blocks * 512 >= 1_000_001)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(ballast.drop() && !ballast.isThere)
  }

  /// It does not come and go on a disk that is nearly full.
  @Test(.enabled(if: MountedDisk.isAllowed)) func itIsHeldOnlyWhereThereIsRoomForMore() throws {
    let disk = try #require(MountedDisk(kilobytes: 1_024))
    let path = disk.file("a.db")
    #expect(!Ballast(beside: path, bytes: 400 << 10).make(leaving: 0))
    #expect(!Ballast(beside: path, bytes: 300 << 10).make(leaving: 200 << 10))
    #expect(Ballast(beside: path, bytes: 300 << 10).make(leaving: 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["a.db-ballast"])
  }

  /// One that a power cut left half is no ballast, and is made whole.
  @Test func oneThatIsTooSmallIsMadeAnew() throws {
    let directory = try TemporaryDirectory()
    try Data(count: 10).write(to: URL(fileURLWithPath: directory.file("a.db-ballast")))
    let ballast = Ballast(beside: directory.file("a.db"), bytes: 100_000)
    #expect(!ballast.isThere)
    #expect(ballast.make(leaving: 0) && ballast.isThere)
  }
}
