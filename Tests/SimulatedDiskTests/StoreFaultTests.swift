import NodeCore
import NodeSQLite
import Passages
import SimulatedDisk
import Storage
import TestSupport
import Testing
import Time

/// The node's store on a disk that fails: it says what is wrong, keeps what it acknowledged, and goes on once
/// the disk is whole again.
@Suite struct StoreFaultTests {
  private let directory: TemporaryDirectory
  private let disk: SimulatedDisk

  init() throws {
    directory = try TemporaryDirectory()
    disk = SimulatedDisk(path: directory.file("node.db"))
  }

  private func open() throws(StorageError) -> SQLiteNodeStore {
    try SQLiteNodeStore(path: disk.path, bootID: StoreLife.bootID, reserveBytes: 0)
  }

  private func passage(_ number: Int) throws -> Passage {
    try Passage(
      recording: try Plate("BA 1 PA \(1_000 + number)"), vehicleType: .truck,
      checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_800_000_000 + Int64(number)), suffix: .unknown)
  }

  private let moment = Moment(boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))

  private func record(_ number: Int, in store: SQLiteNodeStore) throws {
    _ = try store.record([RecordRequest(try passage(number))], at: moment)
  }

  private func count(_ store: SQLiteNodeStore) throws(StorageError) -> Int {
    try store.overview(at: moment.boot).pending
  }

  @Test func aFullDiskKeepsWhatIsThereAndGoesOnWithRoom() throws {
    let store = try open()
    disk.capacity = disk.used + (1 << 20)
    var recorded = 0
    let error = #expect(throws: StorageError.self) {
      while recorded < 10_000 {
        try record(recorded, in: store)
        recorded += 1
      }
    }
    #expect(error?.kind == .full)
    #expect(recorded > 5)
    #expect(try count(store) == recorded, "it can be read")
    // What was there before stands in the way of everything, also of what would make room.
    #expect(throws: StorageError.self) { try record(recorded, in: store) }
    disk.capacity = nil
    try record(recorded, in: store)
    disk.powerCut(.nothing, seed: 1)
    #expect(try count(try open()) == recorded + 1)
    #expect(disk.damages.writesWithoutSpace > 0)
  }

  @Test(arguments: [SimulatedDisk.Call.write, .sync]) func anErrorOfTheDeviceAtAnyCallLosesNothing(
    _ call: SimulatedDisk.Call
  ) throws {
    var store = try open()
    var acknowledged = 0
    var failed = 0
    for after in 0..<12 {
      disk.fail(call, after: after)
      // Until the fault has come: it ends the process, and the next one finds all that was acknowledged.
      for _ in 0..<12 {
        do {
          try record(acknowledged + failed, in: store)
          acknowledged += 1
        } catch let error as StorageError {
          #expect(error.kind == .failed)
          failed += 1
          break
        }
      }
      disk.heal()
      disk.powerCut(.any, seed: UInt64(after))
      store = try open()
      let found = try count(store)
      #expect(found >= acknowledged, "after \(after) calls")
      #expect(found <= acknowledged + failed, "after \(after) calls")
      acknowledged = found
      failed = 0
    }
    #expect(call == .write ? disk.damages.failedWrites > 0 : disk.damages.failedSyncs > 0)
  }

  @Test(arguments: [0, 1, 2, 3]) func whatASyncThatFailedLeftInTheCacheIsNotBuiltUpon(
    _ after: Int
  ) throws {
    var store = try open()
    for number in 0..<5 { try record(number, in: store) }
    disk.fail(.sync, after: after)
    var next = 5
    while disk.damages.failedSyncs == 0, next < 20 {
      do { try record(next, in: store) } catch { #expect(disk.damages.failedSyncs == 1) }
      next += 1
    }
    // The process ends, and the next one reads what was written and is not on the disk.
    disk.crash()
    store = try open()
    let before = try count(store)
    try record(100, in: store)
    disk.powerCut(.nothing, seed: 1)
    store = try open()
    #expect(try count(store) == before + 1, "what was acknowledged after it is gone")
  }

  @Test func aReadThatFailsIsNoEmptyStore() throws {
    var store = try open()
    for number in 0..<40 { try record(number, in: store) }
    try store.close()
    for after in 0..<20 {
      disk.fail(.read, after: after, times: nil)
      do {
        store = try open()
        #expect(try count(store) == 40, "after \(after) reads")
      } catch {
        #expect(error.kind == .failed, "after \(after) reads: \(error)")
      }
      disk.heal()
      disk.crash()
    }
    #expect(disk.damages.failedReads > 0)
    #expect(try count(try open()) == 40)
  }

  @Test func aFileSystemMadeReadOnlyTakesNothingAndIsRead() throws {
    let store = try open()
    try record(1, in: store)
    disk.isReadOnly = true
    #expect(throws: StorageError.self) { try record(2, in: store) }
    #expect(try count(store) == 1)
    #expect(disk.damages.writesRefused > 0)
    disk.isReadOnly = false
    disk.crash()
    let next = try open()
    try record(2, in: next)
    #expect(try count(next) == 2)
  }

  @Test func aBitThatTurnedOverIsFoundAtTheStart() throws {
    var store = try open()
    for number in 0..<200 { try record(number, in: store) }
    try store.close()
    var found = 0
    // One bit in the middle of every page, one after another; it is turned back afterwards.
    let pages = Int(disk.used / 4_096)
    for page in 0..<pages {
      let offset = Int64(page * 4_096 + 5)
      #expect(disk.damage(disk.path, at: offset, bit: 6))
      do {
        store = try open()
        try store.close()
      } catch {
        #expect([.damaged, .notOurs, .otherVersion].contains(error.kind), "page \(page): \(error)")
        found += 1
      }
      disk.crash()
      disk.damage(disk.path, at: offset, bit: 6)
    }
    #expect(found > pages / 2, "\(found) of \(pages)")
    #expect(try count(try open()) == 200)
  }

  @Test func aBitThatTurnedOverInTheLogTakesNothingThatStandsBeforeIt() throws {
    var store = try open()
    for number in 0..<20 { try record(number, in: store) }
    disk.crash()
    let log = disk.path + "-wal"
    var offset: Int64 = 0
    while disk.damage(log, at: offset, bit: 0) {
      disk.damage(log, at: offset, bit: 0)
      offset += 4_096
    }
    #expect(disk.damage(log, at: offset - 4_096, bit: 3))
    store = try open()
    let found = try count(store)
    #expect(found < 20, "the last page of the log is damaged, and was read all the same")
    #expect(found >= 18)
  }
}
