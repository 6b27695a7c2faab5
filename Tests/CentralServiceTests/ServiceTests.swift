import CentralCore
import CentralService
import Events
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing
import Time

struct ServiceTests {
  func message(_ index: Int) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(index)", from: "+9779801000001", text: text(index),
      receivedAt: Bench.wall)
  }

  @Test func whoHandsOverIsToldWhenItIsOnDisk() async throws {
    let bench = try Bench()
    let said = Said<Event>()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { said.add($0) })
    try service.start()
    let result = await service.submit(message(0))
    #expect(try result?.get() == .kept(1))
    let again = await service.submit(message(0))
    #expect(try again?.get() == .known(1))
    service.stop()
    await service.finished()
    #expect(try bench.store.overview().passages == 1)
    #expect(said.all.map(\.name) == ["passage_arrived"])
  }

  @Test func manyAtOnceAreAllKept() async throws {
    let bench = try Bench()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    let kept = Said<Int64>()
    let (done, finish) = AsyncStream.makeStream(of: Void.self)
    for index in 0..<1_000 {
      let taken = service.submit(message(index)) { result in
        if case .success(.kept(let id)) = result { kept.add(id) }
        finish.yield()
      }
      #expect(taken)
    }
    // All of them wait before the thread begins, so they share few commits.
    try service.start()
    var answers = 0
    for await _ in done {
      answers += 1
      if answers == 1_000 { break }
    }
    service.stop()
    await service.finished()
    #expect(Set(kept.all).count == 1_000)
    #expect(try bench.store.overview().passages == 1_000)
  }

  /// Who hands a message over while many are processed is told before the last of them is.
  @Test(.timeLimit(.minutes(15))) func whoComesWhileMuchIsProcessedDoesNotWaitForAllOfIt()
    async throws
  {
    let bench = try Bench()
    let handedOver = Mutex<CentralService?>(nil)
    let processed = Atomic(0)
    let processedBefore = Said<Int>()
    let message = message(-1)
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall),
      onEvent: { event in
        guard event.name == "passage_arrived" else { return }
        processed.add(1, ordering: .relaxed)
        let service = handedOver.withLock { service in
          defer { service = nil }
          return service
        }
        let isTaken = service?.submit(message) { _ in
          processedBefore.add(processed.load(ordering: .relaxed))
        }
        if isTaken == false { Issue.record("it was not taken") }
        arrived.yield()
      })
    handedOver.withLock { $0 = service }
    for index in 0..<600 { _ = service.submit(self.message(index), completion: { _ in }) }
    try service.start()
    var count = 0
    for await _ in arrivals {
      count += 1
      if count == 601 { break }
    }
    service.stop()
    await service.finished()
    #expect(processedBefore.all.count == 1)
    #expect(processedBefore.all.allSatisfy { $0 < 200 })
    #expect(try bench.store.overview().passages == 601)
    #expect(service.tally.latencies.reduce(0, +) == 601)
  }

  /// The end does not wait until a great crowd is processed; the next start goes on with it.
  @Test func whatIsLeftAtTheEndIsProcessedByTheNextStart() async throws {
    let bench = try Bench()
    var passages: [Int] = []
    let count = Limits.mailbox
    for isFirst in [true, false] {
      let service = try CentralService(
        machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
      if isFirst {
        for index in 0..<count { _ = service.submit(message(index), completion: { _ in }) }
      }
      service.stop()
      try service.start()
      await service.finished()
      passages.append(try bench.store.overview().passages)
    }
    #expect(try bench.store.overview().received == count)
    #expect(passages[0] < count)
    #expect(passages[1] > passages[0])
  }

  @Test func whatWaitsWhenTheEndComesIsStillKept() async throws {
    let bench = try Bench()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    let kept = Said<Bool>()
    for index in 0..<10 {
      _ = service.submit(message(index)) { result in kept.add((try? result.get()) != nil) }
    }
    service.stop()
    try service.start()
    await service.finished()
    #expect(kept.all == Array(repeating: true, count: 10))
    #expect(try bench.store.overview().passages == 10)
    #expect(await service.submit(message(11)) == nil)
  }

  @Test func whenTooMuchWaitsNothingIsTakenAndTheEndStillComes() async throws {
    let bench = try Bench()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    var taken = 0
    while service.submit(message(taken), completion: { _ in }) { taken += 1 }
    #expect(taken == Limits.mailbox)
    service.stop()
    try service.start()
    await service.finished()
    #expect(try bench.store.overview().received == taken)
  }

  @Test func whatAnEarlierRunLeftIsProcessedAtTheStart() async throws {
    let bench = try Bench()
    _ = try bench.store.keep([message(0)])
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    service.stop()
    try service.start()
    await service.finished()
    #expect(try bench.store.overview().passages == 1)
  }

  @Test func newRulesCountForWhatComesAfter() async throws {
    let bench = try Bench()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { _ in })
    try service.start()
    var open = CentralRules()
    open.ingress = .open
    service.change(open)
    var message = message(0)
    message.from = "ANYBODY"
    _ = await service.submit(message)
    service.stop()
    await service.finished()
    #expect(try bench.store.inboxItem(1)?.state == .decoded)
  }

  /// The store goes away under the running service: nobody is told that a message was
  /// kept, and the service ends instead of going on over a store it cannot trust.
  @Test func aStoreThatFailsIsToldAndEndsTheService() async throws {
    let bench = try Bench()
    let said = Said<Event>()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { said.add($0) })
    try bench.store.close()
    async let ended: Void = service.run()
    let result = await service.submit(message(0))
    #expect(throws: (any Error).self) { try result?.get() }
    do {
      try await ended
      Issue.record("the service goes on")
    } catch {
      #expect(!"\(error)".isEmpty)
    }
    let failure = said.all.first { $0.name == "central_storage_failed" && $0.level == .error }
    #expect(failure?.words.contains("start it again") == true)
  }

  @Test(.timeLimit(.minutes(15))) func whatCouldNotBeProcessedIsProcessedAgainByItself()
    async throws
  {
    let bench = try Bench()
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let other = try DatabaseQueue(path: bench.path, configuration: configuration)
    try await other.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER stuck BEFORE UPDATE ON inbox BEGIN SELECT RAISE(ABORT, 'stuck'); END
          """)
    }
    let failures = Mutex(0)
    let (events, sink) = AsyncStream.makeStream(of: String.self)
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall, step: .seconds(11)),
      onEvent: { event in
        // It keeps trying, and nothing more comes in. Between two tries, as a text that is refused alone while
        // it can be set aside is set aside.
        if event.name != "passage_arrived",
          failures.withLock({
            $0 += 1
            return $0
          }) == 2
        {
          do {
            try other.write { try $0.execute(sql: "DROP TRIGGER stuck") }
          } catch {
            Issue.record(error)
            sink.finish()
          }
        }
        sink.yield(event.name)
      })
    try service.start()
    #expect(try (await service.submit(message(0)))?.get() == .kept(1))
    for await name in events where name == "passage_arrived" { break }
    service.stop()
    await service.finished()
    #expect(failures.withLock { $0 } >= 2)
    #expect(try bench.store.overview().passages == 1)
  }

  /// Plates, numbers and bodies stand in fields that are masked, and never in the words.
  @Test func theWordsOfEventsNameNobody() async throws {
    let bench = try Bench()
    let said = Said<Event>()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { said.add($0) })
    try service.start()
    _ = await service.submit(message(0))
    for (index, text) in ["V1|BNP-A|BA1PA1234|CAR|1|4567", "BA1PA1234", text(0)].enumerated() {
      _ = await service.submit(
        InboundMessage(
          provider: "twilio", providerID: "X\(index)", from: "+9779801000001", text: text,
          receivedAt: Bench.wall))
    }
    _ = await service.submit(
      InboundMessage(
        provider: "twilio", providerID: "S", from: "+9779812345678", text: text(9),
        receivedAt: Bench.wall))
    service.stop()
    await service.finished()
    #expect(
      said.all.map(\.name) == [
        "passage_arrived", "text_undecodable", "text_undecodable", "passage_repeated",
        "text_undecodable",
      ])
    for event in said.all {
      #expect(!event.words.contains("BA1PA1234"))
      #expect(!event.words.contains("97798"))
      #expect(event.fields.contains { $0.key == "inbox_id" })
    }
    // What an operator asks first of a passage, without its plate.
    let arrived = try #require(said.all.first)
    #expect(arrived["vehicle_type"] == .text("car") && arrived["channel"] == .text("text"))
    #expect(arrived.fields.contains { $0.key == "recorded_at" })
    #expect(arrived.fields.contains { $0.key == "delay_seconds" })
    #expect(arrived.fields.contains { $0.key == "ranger_digits" })
    // Who it is stands masked beside the words, which say what helps.
    let stranger = try #require(said.all.last)
    #expect(stranger["from"] == .phone("+9779812345678"))
    #expect(stranger.words.contains("`central import --numbers`"))
    let repeated = try #require(said.all.first { $0.name == "passage_repeated" })
    #expect(repeated["plate"] == .plate("BA1PA1234"))
  }
}
