import CentralCore
import CentralSQLite
import Dispatch
import EventLoop
import Glibc
import RestAPI
import Synchronization
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// Readings of passages that take until they are let go.
private final class HeldStore: RestStore, Sendable {
  private let store: SQLiteRestStore
  let begun = DispatchSemaphore(value: 0)
  let release = DispatchSemaphore(value: 0)
  /// How many were begun.
  let count = Atomic(0)
  /// How many calls were answered.
  let answered = Atomic(0)

  init(_ store: SQLiteRestStore) {
    self.store = store
  }

  func read(_ read: RestRead) throws(RestError) -> RestRows {
    if read.table.name == "vehicle_passages" {
      count.add(1, ordering: .sequentiallyConsistent)
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
        // One account has half of the threads at most.
        for who in ["service", "west"] {
          for _ in 0..<Limits.callsAtOnce / 2 {
            group.addTask { try await client.ask("GET", path, as: who).status }
          }
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

  /// One account, however much it reads at the same time, and by whatever way: somebody else is answered meanwhile.
  @Test(arguments: ["tables", "functions"]) func whoReadsForLongKeepsNoReaderWaiting(
    _ way: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteCentralStore(path: directory.file("api.db"), reserveBytes: 0)
    let held = HeldStore(
      SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in }))
    let api = try APIBench(store, held, in: directory)
    let all = Limits.waitingCalls + 2 * Limits.callsAtOnce
    try await api.bench.route { client in
      let reads = try #require(client.server.api?.reads)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<all {
          group.addTask {
            if way == "tables" {
              _ = try await client.ask("GET", "/rest/v1/vehicle_passages")
            } else {
              let body =
                "{\"entry_passage_id\":\"\(APIBench.sita)\",\"exit_passage_id\":\"\(APIBench.east)\"}"
              _ = try await client.ask("POST", "/functions/v1/match-passage", Array(body.utf8))
            }
            held.answered.add(1, ordering: .sequentiallyConsistent)
          }
        }
        // All are under way, wait, or found no room.
        await onThread {
          held.begun.wait()
          while held.count.load(ordering: .sequentiallyConsistent) + reads.waiting
            + held.answered.load(ordering: .sequentiallyConsistent) < all
          { sched_yield() }
        }
        let other = try await client.ask("GET", "/rest/v1/checkposts?select=code", as: "west")
        #expect(other.status == 200, "\(other.body)")
        for _ in 0..<4 * all { held.release.signal() }
        try await group.waitForAll()
      }
    }
  }
}
