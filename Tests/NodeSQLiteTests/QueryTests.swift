import Foundation
import GRDB
import NodeCore
import NodeSQLite
import Passages
import SQLiteFile
import Storage
import Testing
import Time

@Suite struct QueryTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for number in 1...6 as ClosedRange<Int64> {
      try bench.record(number)
      bench.pass(.seconds(10))
    }
    try bench.step(2, .claimed)
    try bench.step(2, .synced)
    _ = try bench.store.park(3, reason: "bad plate")
  }

  private func list(_ change: (inout QueueQuery) -> Void) throws -> [Int64] {
    var query = QueueQuery()
    change(&query)
    return try bench.store.list(query).map(\.queueID)
  }

  @Test func passagesAreListedOldestFirst() throws {
    #expect(try list { _ in } == [1, 2, 3, 4, 5, 6])
    #expect(try list { $0.status = .synced } == [2])
    #expect(try list { $0.isParked = true } == [3])
    #expect(
      try list {
        $0.isParked = false
        $0.status = .pending
      } == [1, 4, 5, 6])
    #expect(try list { $0.plate = samplePassage(5).plate.compact } == [5])
  }

  @Test func aLongListIsReadInPages() throws {
    var seen: [Int64] = []
    while true {
      let page = try list {
        $0.afterID = seen.last ?? 0
        $0.limit = 4
      }
      if page.isEmpty { break }
      #expect(page.count <= 4)
      seen += page
    }
    #expect(seen == [1, 2, 3, 4, 5, 6])
  }

  @Test func aPassageIsFoundByItsIdentity() throws {
    #expect(try bench.store.item(samplePassage(4).clientID)?.queueID == 4)
    #expect(try bench.store.item(uuid(5)) == nil)
    #expect(try bench.store.item(99) == nil)
  }

  @Test func theOverviewSaysHowOldTheOldestIs() throws {
    let overview = try bench.store.overview(at: bench.moment.boot)
    #expect(overview.oldestPendingAge == .seconds(60))
    #expect(overview.oldestPendingAt == (try bench.item(1).createdAt))
    #expect(overview.databaseBytes > 0)
    #expect(overview.freeBytes ?? 0 > 0)
    #expect(overview.lastTextAt == nil)
  }

  @Test func aReaderSeesTheStoreWithoutWritingToIt() throws {
    let reader = try SQLiteNodeStore(readingFrom: bench.path)
    #expect(try reader.list(QueueQuery()).count == 6)
    #expect(throws: StorageError.self) {
      try reader.record([RecordRequest(samplePassage(7))], at: bench.moment)
    }
  }

  @Test func aTextAndItsPassageLeadToThePlate() throws {
    try bench.begin(1, text: 7)
    let (found, plate, none) = try bench.store.transaction { transaction throws(StorageError) in
      (
        try transaction.passage(ofText: 7),
        try transaction.plate(of: samplePassage(1).clientID),
        try transaction.passage(ofText: 8)?.client
      )
    }
    #expect(found?.client == samplePassage(1).clientID)
    #expect(found?.plate == samplePassage(1).plate.compact)
    #expect(plate == samplePassage(1).plate.compact)
    #expect(none == nil)
  }

  @Test func onlyOneServiceOwnsAStore() throws {
    let lock = try ServiceLock(forStoreAt: bench.path)
    #expect(throws: StorageError.inUse(path: bench.path)) {
      try ServiceLock(forStoreAt: bench.path)
    }
    lock.release()
    #expect(throws: Never.self) { try ServiceLock(forStoreAt: bench.path) }
  }

  @Test func aStoreHasOneOwnerUnderWhateverName() throws {
    let other = bench.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: bench.path)
    let lock = try ServiceLock(forStoreAt: bench.path)
    #expect(throws: StorageError.inUse(path: other)) { try ServiceLock(forStoreAt: other) }
    lock.release()
    #expect(throws: Never.self) { try ServiceLock(forStoreAt: other) }
  }

  @Test func theRightIsFreeThoughACopyOfItsDescriptorIsOpen() throws {
    let lock = try ServiceLock(forStoreAt: bench.path)
    // A child that is being started has such a copy until it runs its own program.
    let held = try #require(try descriptor(of: bench.path + ".service"))
    let copy = fcntl(held, F_DUPFD_CLOEXEC, 0)
    try #require(copy >= 0)
    defer { close(copy) }
    lock.release()
    #expect(throws: Never.self) { try ServiceLock(forStoreAt: bench.path) }
  }

  /// The descriptor by which this process has a file open.
  private func descriptor(of path: String) throws -> Int32? {
    var named = stat()
    try #require(stat(path, &named) == 0)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      Int32($0)
    }.first { number in
      var held = stat()
      return fstat(number, &held) == 0 && held.st_dev == named.st_dev
        && held.st_ino == named.st_ino
    }
  }

  @Test func aCentralStoreIsNotANodesStore() throws {
    let other = bench.path + "-other"
    try SQLiteFile.open(other, applicationID: 1, migrations: .init()).close()
    #expect(throws: StorageError.foreignDatabase(path: other, found: 1)) {
      try SQLiteNodeStore(path: other, bootID: "boot-1")
    }
  }
}
