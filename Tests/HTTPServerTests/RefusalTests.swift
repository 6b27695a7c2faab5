import CentralCore
import CentralService
import Events
import Log
import Synchronization
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// The log of refused requests under a flood of them.
@Suite struct RefusalTests {
  @Test func eachKindIsCountedForItself() {
    let log = ServiceLog(level: .debug, mask: .short, sinks: [])
    let clock = TestClocks(boot: .zero)
    let refusals = RefusalLog(clocks: clock, log: log)
    for _ in 0..<12 { refusals.record("webhook_signature", .warning, "wrong") }
    refusals.record("webhook_storage", .error, "not kept")
    clock.pass(.seconds(61))
    refusals.record("webhook_storage", .error, "not kept")
    refusals.record("webhook_signature", .warning, "wrong")
    #expect(log.counts == ["webhook_signature": 11, "webhook_storage": 2])
    let words = log.recent.suffix(2).map(\.words)
    #expect(words == ["not kept", "wrong (2 more before this one were not written)"])
  }

  /// A provider whose every request fails one way is a problem, and `/healthz` says that somebody has to look,
  /// until one is taken.
  @Test func aProviderOfWhichNothingGetsThroughIsAProblem() async throws {
    let path = "/functions/v1/sms-webhook"
    let bench = try Bench()
    try await bench.serve(twilio: .expected, bounds: Bench.patient) { address, server in
      func health() async throws -> String { try await send(address + "/healthz").body }
      let text = ProviderText()
      for count in 1...3 {
        #expect(try await health() == "{\"status\":\"ok\"}\n", "after \(count - 1)")
        let answer = try await send(address + path, text.form, signature: "wrong")
        #expect(answer.status == 403)
      }
      #expect(try await health() == "{\"status\":\"degraded\"}\n")
      var facts = CentralFacts()
      facts.webhooks = bench.central.webhookTallies
      let problem = facts.problems(at: Bench.wall).first
      #expect(problem?.name == "webhook_refused")
      #expect(problem?.count == 3)
      #expect(problem?.severity == .critical)
      let answer = try await send(address + path, text.form, signature: text.signature())
      #expect(answer.status == 200)
      #expect(bench.central.webhookTallies == [])
      #expect(try await health() == "{\"status\":\"ok\"}\n")
    }
  }
}
