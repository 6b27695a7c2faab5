import CentralCore
import CentralSQLite
import CentralService
import Events
import Foundation
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

/// A central whose database is deleted under it: nothing more is acknowledged, and what was is saved.
@Suite(.timeLimit(.minutes(15))) struct ReplacedStoreTests {
  private func message(_ index: Int) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(index)", from: "+9779801000001", text: text(index),
      receivedAt: Bench.wall)
  }

  @Test func nothingIsAcknowledgedAndWhatWasIsSaved() async throws {
    let bench = try Bench()
    let said = Said<Event>()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { said.add($0) })
    try service.start()
    for index in 0..<5 { _ = await service.submit(message(index)) }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: bench.path + suffix)
    }
    for index in 5..<20 {
      let result = await service.submit(message(index))
      #expect(throws: StorageError.replaced(path: bench.path)) { try result?.get() }
    }
    service.stop()
    await service.finished()
    #expect(said.all.count { $0.name == "central_storage_saved" } == 1)
    let saved = try #require(said.all.first { $0.name == "central_storage_saved" })
    #expect(saved.words.contains(bench.path + ".saved-1"))
    let copy = try SQLiteCentralStore(path: bench.path + ".saved-1")
    #expect(try copy.overview().received == 5)
    try copy.close()
  }
}
