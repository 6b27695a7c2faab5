import CentralCore
import CentralSQLite
import Foundation
import SQLiteFile
import Storage
import TestSupport
import Testing

struct FileTests {
  @Test func aNodesStoreIsRefused() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    try bench.store.close()
    try place.execute("PRAGMA application_id = 1234")
    #expect(throws: StorageError.foreignDatabase(path: place.path, found: 1_234)) {
      try SQLiteCentralStore(path: place.path)
    }
  }

  @Test func whoOnlyLooksChangesNothing() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    try bench.receive(text(0), id: "SM1")
    try bench.receive("nonsense", id: "SM2")
    let reader = try SQLiteCentralStore(readingFrom: place.path)
    #expect(try reader.overview().passages == 1)
    #expect(throws: StorageError.self) {
      try reader.reprocessAll(rules: bench.rules, at: bench.wall)
    }
    try reader.close()
  }

  @Test func whatIsMissingIsNotCreatedByLooking() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("central.db")
    #expect(throws: StorageError.missingFile(path: path)) {
      try SQLiteCentralStore(readingFrom: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func everythingIsThereAfterARestart() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    try bench.receive(text(0), id: "SM1")
    try bench.receive("nonsense", id: "SM2")
    try bench.reopen()
    let overview = try bench.store.overview()
    #expect(overview.passages == 1)
    #expect(overview.undecodable == 1)
    #expect(overview.received == 2)
    #expect(overview.posts == 2)
    #expect(overview.segments == 1)
    #expect(overview.rangers == 1)
  }
}
