import Glibc
import NodeSQLite
import Storage
import TestSupport
import Testing

/// A service that is started while the disk is full.
@Suite(.enabled(if: MountedDisk.isAllowed)) struct FullDiskStartTests {
  private static let ballast: Int64 = 512 << 10

  /// A store that holds space back, closed, on a disk that was filled up behind it.
  private func fullDisk() throws -> MountedDisk {
    let disk = try #require(MountedDisk(kilobytes: 4_096))
    let store = try open(disk, bootID: "a")
    #expect(store.restoreBallast())
    try store.close()
    disk.fill()
    return disk
  }

  private func open(
    _ disk: MountedDisk, bootID: String, ballast: Int64 = ballast
  ) throws -> SQLiteNodeStore {
    try SQLiteNodeStore(
      path: disk.file("node.db"), bootID: bootID, reserveBytes: 0, ballastBytes: ballast)
  }

  @Test func itBeginsWithTheSpaceThatWasHeldBack() throws {
    let disk = try fullDisk()
    let store = try open(disk, bootID: "b")
    #expect(store.hasBallast == false)
    #expect(access(disk.file("node.db-ballast"), F_OK) != 0)
    #expect(try store.counts().passages == 0)
    try store.close()
  }

  /// A command beside the service leaves its space alone.
  @Test func aCommandIsToldThatTheDiskIsFull() throws {
    let disk = try fullDisk()
    #expect(throws: StorageError.self) { try open(disk, bootID: "b", ballast: 0) }
    #expect(access(disk.file("node.db-ballast"), F_OK) == 0)
  }
}
