import Foundation
import ServerModel
import ServerSimulator
import Testing

/// Something answers in the server's place, or the server's answers come to nothing on the way.
@Suite(.ownThreads) struct BadAnswerTests {
  /// What befalls every request, and what the node makes of it.
  private struct Case {
    var fault: ModelFault
    /// The name of the outage.
    var outage: String
    /// What the reason says, among other things.
    var words: String
  }

  private static let cases: [Case] = [
    Case(fault: .portal, outage: "captive_portal", words: "a sign-in page of the network"),
    Case(fault: .portalRedirect, outage: "captive_portal", words: "redirected (HTTP 302)"),
    Case(fault: .portalStatus, outage: "captive_portal", words: "wants a sign-in first"),
    Case(fault: .redirect, outage: "captive_portal", words: "check server.url"),
    Case(fault: .wrongJSON, outage: "captive_portal", words: "what answers is not the server"),
    Case(fault: .huge, outage: "captive_portal", words: "too long an answer"),
    Case(fault: .firewall, outage: "captive_portal", words: "a guard in front of the server"),
    Case(fault: .brokenJSON, outage: "no_answer", words: "the answer was cut off (HTTP 20"),
    Case(fault: .truncated, outage: "no_answer", words: "closed before an answer"),
    Case(fault: .resetBefore, outage: "no_answer", words: "closed before an answer"),
    Case(fault: .resetAfter, outage: "no_answer", words: "closed before an answer"),
    Case(fault: .badGateway, outage: "no_answer", words: "a gateway in front of it answers"),
    Case(fault: .silent, outage: "no_answer", words: "no answer in time"),
    Case(fault: .silentAfter, outage: "no_answer", words: "no answer in time"),
    Case(fault: .slow, outage: "no_answer", words: "no answer in time"),
  ]

  /// Each of them is an outage with a reason; nothing is taken for an answer, and once the server answers
  /// again every passage is there once, also those that it took without being heard.
  ///
  /// Only those that say nothing need a time that ends soon: a machine that is held up by other tests would
  /// make an answer that comes one that did not.
  @Test(.timeLimit(.minutes(15)), arguments: ["60s", "5s"])
  func whatIsNoAnswerIsAnOutageWithItsReason(timeout: String) throws {
    let cases = Self.cases.filter { ($0.words == "no answer in time") == (timeout == "5s") }
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, attempts: 20", offlineFor: "1h", timeout: timeout,
      probeEvery: "60s")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(until: "\"directory_learned\"")
    var recorded: [String] = []
    for (number, one) in cases.enumerated() {
      world.server.inject(InjectedFault(one.fault, times: nil))
      let client = try world.record(3_000 + number)
      recorded.append(client)
      let line = try service.read(until: "\"offline\"", "\"outage\":\"\(one.outage)\"")
      #expect(line.contains(one.words), "\(one.fault): \(line)")
      let told = try world.outage()
      #expect(told?.name == one.outage, "\(one.fault)")
      #expect(told?.words.contains(one.words) == true, "\(one.fault): \(told?.words ?? "")")
      #expect(try world.show(client)["status"] as? String != "synced", "\(one.fault)")
      world.server.withModel { $0.heal() }
      try service.read(until: "\"uploaded\"")
      #expect(try world.outage() == nil, "\(one.fault)")
    }
    #expect(try world.isComplete(recorded))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "no text")
  }

  /// A server that answers questions and drops what it says it took: the passage stays here, and says why.
  @Test(.timeLimit(.minutes(15))) func whatIsSaidToBeTakenIsLookedFor() throws {
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet", offlineFor: "1h", probeEvery: "60s")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(until: "\"directory_learned\"")
    world.server.inject(
      InjectedFault(.dropped, times: nil, areas: [.tables], methods: ["POST"]))
    var recorded: [String] = []
    for number in 0..<2 { recorded.append(try world.record(3_100 + number)) }
    let words = "took or has it, and shows no such passage"
    #expect(try service.read(until: "\"upload_missed\"").contains(words))
    #expect(world.rows.isEmpty)
    let sync = try world.status()["sync"] as? [String: Any]
    #expect(["retrying", "syncing"].contains(sync?["state"] as? String))
    let missed = try #require(
      try world.queue().first { $0["last_error"] is String }?["last_error"] as? String)
    #expect(missed.contains(words))
    world.server.withModel { $0.heal() }
    for _ in recorded { try service.read(until: "\"uploaded\"") }
    #expect(try world.isComplete(recorded))
  }
}
