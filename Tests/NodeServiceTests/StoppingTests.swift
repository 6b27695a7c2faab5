import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import TestSupport
import Testing
import Time

/// How the service ends.
@Suite(.timeLimit(.minutes(15))) struct StoppingTests {
  /// Two passages are due, and the first one's text is with the modem.
  private func beginText(_ bench: ServiceBench) async throws {
    bench.service.post(.modemReady)
    _ = try await bench.service.record([try sample(1), try sample(2)])
    try await bench.pass(.seconds(301))
    _ = try await bench.text(1)
  }

  @Test func theEndWaitsForATextThatIsBeingSent() async throws {
    let bench = try ServiceBench()
    try await bench.runToTheEnd {
      try await beginText(bench)
      bench.service.post(.stopping)
      // The node would answer that it has ended, if it had.
      try await bench.settle()
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
    #expect(try bench.other.texts(of: 1).first?.references == [17])
    // Nothing new was begun.
    #expect(bench.requests.all.compactMap(\.text).count == 1)
    #expect(try bench.other.texts(of: 2).isEmpty)
    await #expect(throws: NodeServiceError.ended) { try await bench.service.record([]) }
    #expect(!bench.service.post(.woke))
  }

  @Test func theEndDoesNotWaitForEver() async throws {
    let bench = try ServiceBench()
    try await bench.runToTheEnd {
      try await beginText(bench)
      bench.service.post(.stopping)
      // It looks at the clock when it hears of that.
      try await bench.settle()
      try await bench.pass(.seconds(64))
      bench.clocks.pass(.seconds(1))
      bench.service.wake()
    }
    // What became of the text is found out by nobody: the next start says so.
    #expect(try bench.other.texts(of: 1).map(\.outcome) == ["intent"])
    let facts = try bench.other.recover(
      rules: .alone,
      at: Moment(boot: .seconds(2_000), wall: WallTime(epochSeconds: 1_800_001_000)))
    #expect(facts.intents == 1)
    #expect(try bench.other.texts(of: 1).map(\.outcome) == ["unknown"])
  }

  @Test func theModemIsToldAtOnceAndItsLastAnswerIsHeard() async throws {
    let bench = try ServiceBench()
    try await bench.runToTheEnd {
      try await beginText(bench)
      bench.service.post(.stopping)
      // The modem ends by itself then, as soon as its text has an outcome.
      _ = try await bench.requests.first { $0 == .stop }
      try await bench.pass(.seconds(59))
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
    #expect(try bench.other.texts(of: 1).map(\.outcome) == ["accepted"])
    #expect(bench.requests.all.last == .stop, "nothing is handed to it after that")
  }

  @Test func stoppingEndsTheServiceInOrder() async throws {
    let bench = try ServiceBench()
    try bench.service.start()
    _ = try await bench.service.record([try sample(1)])
    bench.service.stop()
    try await onThread { try bench.service.join() }
    #expect(try bench.other.list(QueueQuery()).count == 1)
    await #expect(throws: NodeServiceError.ended) { try await bench.service.record([]) }
  }

  @Test func aTextThatNobodySendsIsAnsweredAtTheEnd() async throws {
    let bench = try ServiceBench()
    try await bench.runToTheEnd {
      // There is no modem; the text waits for one.
      async let outcome = bench.service.sendText(to: "+9779841000001", body: "hello")
      try await bench.settle()
      bench.service.post(.stopping)
      #expect(
        await outcome
          == .notSent(reason: "the service is ending; the text goes after its next start"))
    }
  }

  @Test func aTextThatMayHaveGoneOutIsNotCalledUnsentAtTheEnd() async throws {
    let bench = try ServiceBench()
    try await bench.runToTheEnd {
      bench.service.post(.modemReady)
      async let outcome = bench.service.sendText(to: "+9779841000001", body: "hello")
      _ = try await bench.text(1)
      bench.service.post(.stopping)
      try await bench.settle()
      bench.clocks.pass(.seconds(65))
      bench.service.wake()
      guard case .unknown = await outcome else {
        Issue.record("answered \(await outcome)")
        return
      }
    }
  }
}
