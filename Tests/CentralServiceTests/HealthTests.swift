import CentralCore
import CentralSQLite
import CentralService
import Events
import Foundation
import GRDB
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

/// A central whose store takes nothing: what it says of itself, and how often.
@Suite(.timeLimit(.minutes(15))) struct HealthTests {
  func message(_ index: Int) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(index)", from: "+9779801000001", text: text(index),
      receivedAt: Bench.wall)
  }

  @Test func aFullDiskIsAnAlarmAndFewLinesOfTheLog() async throws {
    let bench = try Bench()
    let full = try SQLiteCentralStore(path: bench.path, reserveBytes: .max)
    let said = Said<Event>()
    let service = try CentralService(
      machine: CentralMachine(store: full, rules: CentralRules()),
      clocks: TestClocks(wall: Bench.wall),
      onEvent: { said.add($0) })
    // Also before anything came.
    #expect(service.health == .failing(.diskFull(path: bench.path)))
    #expect(service.alarms.count == 1)
    try service.start()
    for index in 0..<100 {
      let result = await service.submit(message(index))
      #expect(throws: StorageError.diskFull(path: bench.path)) { try result?.get() }
    }
    #expect(service.alarms.first?.contains("no space left") == true)
    service.stop()
    await service.finished()
    #expect(said.all.map(\.name) == ["central_storage_failed"])
    #expect(try bench.store.overview().received == 0)
    try full.close()
  }

  @Test func aStoreWithRoomIsWell() async throws {
    let bench = try Bench()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    try service.start()
    #expect(service.health == .well)
    #expect(service.alarms.isEmpty)
    _ = await service.submit(message(0))
    #expect(service.health == .well)
    service.stop()
    await service.finished()
    #expect(service.health == .ended)
  }

  /// What providers were refused for is known to the next start, and is over when a text was taken.
  @Test func whatWasRefusedToAProviderIsKnownToTheNextStart() async throws {
    let bench = try Bench()
    func run(_ body: (CentralService) async throws -> Void) async throws {
      let service = try CentralService(
        machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
      try service.start()
      // What is handed over behind it is kept after what the store has was read.
      _ = await service.submit(message(0))
      try await body(service)
      service.stop()
      await service.finished()
    }
    let wrong = WebhookRefusal(.signature, "the signature is wrong")
    try await run { service in
      for _ in 0..<3 { service.noteRefusal(wrong, by: "/hook") }
      service.noteRefusal(WebhookRefusal(.storage, "it is full"), by: "/other")
      #expect(service.alarms.count == 1)
    }
    #expect(try bench.store.webhookTallies().map(\.count) == [3])
    try await run { service in
      #expect(service.webhookTallies.map(\.count) == [3])
      #expect(service.alarms.first?.contains("the signature is wrong") == true)
      service.noteTaken(by: "/hook")
      #expect(service.alarms.isEmpty)
    }
    #expect(try bench.store.webhookTallies().isEmpty)
    try await run { service in #expect(service.alarms.isEmpty) }
  }

  /// That it is over shows by itself, though nothing more comes in.
  @Test func whenItIsOverTheCentreSaysSo() async throws {
    let bench = try Bench()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: bench.path, configuration: configuration)
    let (events, sink) = AsyncStream.makeStream(of: String.self)
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall, step: .seconds(11)),
      onEvent: { sink.yield($0.name) })
    try service.start()
    let (locked, hasLocked) = AsyncStream.makeStream(of: Void.self)
    let (release, mayRelease) = AsyncStream.makeStream(of: Void.self)
    let holding = Task {
      try await Holder(other).hold(hasLocked, until: release)
    }
    for await _ in locked { break }
    let result = await service.submit(message(0))
    #expect(throws: StorageError.locked(path: bench.path)) { try result?.get() }
    #expect(service.health == .failing(.locked(path: bench.path)))
    mayRelease.yield()
    _ = try await holding.value
    for await name in events where name == "central_storage_works" { break }
    #expect(service.health == .well)
    service.stop()
    await service.finished()
  }

  /// Holds the lock of a database between two moments.
  private struct Holder {
    let queue: DatabaseQueue

    init(_ queue: DatabaseQueue) {
      self.queue = queue
    }

    func hold(
      _ hasLocked: AsyncStream<Void>.Continuation, until release: AsyncStream<Void>
    ) async throws {
      try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      hasLocked.yield()
      for await _ in release { break }
      try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
  }

  @Test func keepingStopsBeforeTheDiskIsFull() throws {
    let bench = try Bench()
    let full = try SQLiteCentralStore(path: bench.path, reserveBytes: .max)
    #expect(full.shortage != nil)
    #expect(throws: StorageError.diskFull(path: bench.path)) { try full.keep([message(0)]) }
    #expect(throws: StorageError.diskFull(path: bench.path)) { try full.proveWritable() }
    // What is kept already is processed from the reserve.
    _ = try bench.store.keep([message(1)])
    var machine = CentralMachine(store: full, rules: CentralRules())
    machine.rules.ingress = .open
    #expect(try machine.process(at: Bench.wall).messages.count == 1)
    #expect(bench.store.shortage == nil)
    #expect(throws: Never.self) { try bench.store.proveWritable() }
    try full.close()
  }
}

extension CentralService {
  /// What somebody is told of it.
  fileprivate var alarms: [String] { facts.problems(at: Bench.wall).map(\.sentence) }
}
