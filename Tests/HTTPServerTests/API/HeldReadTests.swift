import CentralCore
import CentralSQLite
import Dispatch
import RestAPI
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// Readings of passages that take until they are let go.
private final class HeldStore: RestStore, Sendable {
  private let store: SQLiteRestStore
  let begun = DispatchSemaphore(value: 0)
  let release = DispatchSemaphore(value: 0)

  init(_ store: SQLiteRestStore) {
    self.store = store
  }

  func read(_ read: RestRead) throws(RestError) -> RestRows {
    if read.table.name == "vehicle_passages" {
      begun.signal()
      release.wait()
    }
    return try store.read(read)
  }

  func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    try store.insert(insert, at: now)
  }

  func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    try store.update(update, at: now)
  }

  func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    try store.delete(delete, at: now)
  }
}

@Suite(.timeLimit(.minutes(5))) struct HeldReadTests {
  @Test func whoReadsForLongKeepsNoUploadWaiting() async throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteCentralStore(path: directory.file("api.db"), reserveBytes: 0)
    let held = HeldStore(
      SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in }))
    let api = try APIBench(store, held, in: directory)
    let path = "/rest/v1/vehicle_passages"
    try await api.bench.route { client in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<Limits.callsAtOnce {
          group.addTask { try await client.ask("GET", path, as: "service").status }
        }
        await onThread { for _ in 0..<Limits.callsAtOnce { held.begun.wait() } }
        let put = try await client.ask("POST", path, Array(APIBench.passage(1).utf8))
        #expect(put.status == 201)
        for _ in 0...Limits.callsAtOnce { held.release.signal() }
        // How long they were held is the machine's affair, and whether they are still waited for then.
        try await group.waitForAll()
      }
      let read = try await client.ask("GET", path + "?select=plate_number", as: "service")
      #expect(read.body == "[{\"plate_number\":\"BA1PA1234\"}]")
    }
  }
}
