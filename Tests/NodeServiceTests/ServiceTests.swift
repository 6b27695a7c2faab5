import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Synchronization
import TestSupport
import Testing
import Time

/// The service on its thread.
@Suite(.timeLimit(.minutes(15))) struct ServiceTests {
  @Test func aPassageLeavesAfterMoreThanFiveMinutes() async throws {
    let bench = try ServiceBench()
    try await bench.run {
      bench.service.post(.modemReady)
      let outcome = try await bench.service.record([try sample(1)]).first
      #expect(outcome == .recorded(try sample(1).passage.clientID, queueID: 1))
      try await bench.pass(.seconds(300))
      #expect(bench.requests.all.isEmpty)
      bench.clocks.pass(.nanoseconds(1))
      bench.service.wake()
      let text = try await bench.text(1).text
      #expect(text?.to == gateway)
      #expect(text?.body == (try sample(1).passage.v1Body))
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
    #expect(try bench.other.texts(of: 1).first?.references == [17])
  }

  @Test func aDeadlineWakesTheNodeByItself() async throws {
    let bench = try ServiceBench()
    try await bench.run {
      bench.service.post(.modemReady)
      _ = try await bench.service.record([try sample(1)])
      // The node asks for the time when its wait begins, and that is past the deadline already.
      bench.clocks.pass(.seconds(301))
      try await bench.settle()
      _ = try await bench.text(1)
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
  }

  @Test func aChangeOfAnotherProcessIsSeenAtOnceWhenItSaysSo() async throws {
    let bench = try ServiceBench()
    try await bench.run {
      bench.service.post(.modemReady)
      let before = Moment(
        boot: bench.other.clock.time(at: bench.clocks.boot()), wall: bench.clocks.wall())
      try await bench.pass(.seconds(301))
      // It was recorded that long ago, and nobody has looked since.
      _ = try bench.other.record([try sample(1)], at: before)
      bench.service.wake()
      _ = try await bench.text(1)
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
  }

  @Test func linkAndServerTogetherAreConnectivity() async throws {
    let bench = try ServiceBench(.connected, isLinkUp: true)
    try await bench.run {
      let probe = try await bench.probes.first { _ in true }
      bench.service.post(.answered(probe, .done))
      try await bench.settle()
      #expect(bench.service.report?.node.connectivity == .online)
      bench.link.isUp = false
      try await bench.pass(.seconds(5))
      #expect(
        bench.service.report?.node.connectivity
          == .offline(.outage(.noLink, words: "no network link")))
    }
    #expect(bench.events.all.map(\.name).contains("online"))
  }

  /// Whoever is told something and then asks how the node stands hears of it.
  @Test func whatIsToldStandsInTheReport() async throws {
    let service = Mutex<NodeService?>(nil)
    let stood = Mutex<[Bool?]>([])
    let bench = try ServiceBench(onEvent: { event, _ in
      guard event.name == "modem_ready" else { return }
      let report = service.withLock { $0 }?.report
      stood.withLock { $0.append(report?.modems.first??.canSend) }
    })
    service.withLock { $0 = bench.service }
    try await bench.run {
      bench.service.post(.modemReady)
      try await bench.settle()
    }
    service.withLock { $0 = nil }
    #expect(stood.withLock { $0 } == [true])
  }

  @Test func anOperatorsTextIsAnswered() async throws {
    let bench = try ServiceBench()
    try await bench.run {
      bench.service.post(.modemReady)
      async let outcome = bench.service.sendText(to: "+9779841000001", body: "hello")
      let text = try await bench.text(1).text
      #expect(text?.body == "hello")
      bench.service.post(.outcome(1, .accepted(references: [9])))
      #expect(await outcome == .accepted(references: [9]))
    }
    #expect(try bench.other.texts(of: nil).map(\.outcome) == ["accepted"])
  }

  @Test func aStoreThatFailsForGoodEndsTheServiceAndAnswersWhoWaits() async throws {
    let bench = try ServiceBench()
    try bench.store.close()
    async let waiting = bench.service.sendText(to: "+9779841000001", body: "hello")
    await #expect(throws: StorageError.self) { try await bench.service.run() }
    #expect(await waiting == .notSent(reason: NodeServiceError.ended.message))
    await #expect(throws: NodeServiceError.ended) { try await bench.service.record([]) }
  }

  @Test func tooMuchIsRefused() async throws {
    let bench = try ServiceBench()
    let many = Array(repeating: try sample(1), count: NodeLimits.recordRequest + 1)
    await #expect(throws: NodeServiceError.tooMany(limit: NodeLimits.recordRequest)) {
      try await bench.service.record(many)
    }
    // The service does not run yet, so that nothing is taken out.
    for _ in 0..<NodeLimits.mailbox {
      #expect(bench.service.post(.woke))
    }
    #expect(!bench.service.post(.woke))
    await #expect(throws: NodeServiceError.busy) { try await bench.service.record([]) }
  }
}
