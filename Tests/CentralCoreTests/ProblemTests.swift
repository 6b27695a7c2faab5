import CentralCore
import Events
import Storage
import Testing
import Time

/// What is told of a central: from facts, and since when.
@Suite struct CentralProblemTests {
  private let now = WallTime(epochSeconds: 1_795_000_000)
  private let error = StorageError(
    .full, of: "c.sqlite", problem: "c.sqlite: no space left", remedy: "Make room")

  @Test func aCentralAgainstWhichNothingIsKnownIsWell() {
    var facts = CentralFacts()
    #expect(facts.problems(at: now).isEmpty)
    facts.connections = CentralFacts.Connections(most: 8, mostPerAddress: 4)
    #expect(facts.problems(at: now).isEmpty)
  }

  @Test func aStoreThatFailsIsToldWithWhatHelps() {
    var facts = CentralFacts()
    facts.keeping = CentralFacts.Failure(error, since: now - .seconds(60))
    facts.processing = CentralFacts.Failure(error)
    facts.unreadable = error
    let problems = facts.problems(at: now)
    #expect(
      problems.map(\.name) == [
        "central_keeps_nothing", "central_processes_nothing", "central_store_unreadable",
      ])
    #expect(
      problems.map(\.sentence) == [
        "central: nothing that comes in is kept: \(error.message)",
        "central: what came in waits to be processed: \(error.message)",
        "the central's database cannot be used: \(error.message)",
      ])
    #expect(problems.map(\.since) == [now - .seconds(60), nil, nil])
    #expect(problems.allSatisfy { $0.remedy == "Make room." && $0.severity == .critical })
  }

  @Test(arguments: [(Duration.zero, 2), (.seconds(59), 2), (.seconds(60), 0)])
  func connectionsThatRanOutAreToldForAMinute(ago: Duration, count: Int) {
    var connections = CentralFacts.Connections(most: 8, mostPerAddress: 4)
    connections.fullAgo = ago
    connections.refusedAgo = ago
    var facts = CentralFacts()
    facts.connections = connections
    let problems = facts.problems(at: now)
    #expect(problems.count == count)
    #expect(problems.allSatisfy { $0.since == now - ago })
    #expect(count == 0 || problems.first?.what.contains("all 8 connections") == true)
    #expect(count == 0 || problems.last?.remedy?.contains("central.http.proxies") == true)
  }

  @Test(arguments: WebhookRefusal.Kind.allCases) func aProviderThatIsRefusedEachTimeIsToldWithWhy(
    kind: WebhookRefusal.Kind
  ) {
    var facts = CentralFacts()
    func problems(_ count: Int, _ ago: Duration = .seconds(60)) -> [Problem] {
      facts.webhooks = [
        WebhookTally(
          path: "/functions/v1/sms-webhook", kind: kind, words: "why it is", count: count,
          since: now - .seconds(600), last: now - ago)
      ]
      return facts.problems(at: now)
    }
    #expect(problems(0).isEmpty && problems(2).isEmpty)
    let told = problems(3)
    #expect(told.map(\.name) == ["webhook_refused"])
    #expect(told.first?.what.hasSuffix("is refused (3 in a row): why it is") == true)
    #expect(told.first?.since == now - .seconds(600) && told.first?.remedy?.isEmpty == false)
    // Who tried the door once is no trouble for good.
    #expect(problems(3, .seconds(86_399)).count == 1 && problems(3, .seconds(86_400)).isEmpty)
  }

  /// Silent is a post of which nothing came, whichever way; one that is there and records nothing is not.
  @Test func aSilentPostIsToldFromOneWithoutTraffic() {
    func problems(_ change: (inout PostHeard) -> Void) -> [Problem] {
      var post = PostHeard(code: "BNP-A", lastAt: now - .seconds(100_000))
      change(&post)
      var facts = CentralFacts()
      facts.silentAfter = .seconds(86_400)
      facts.overview = CentralOverview(
        posts: 1, segments: 0, rangers: 0, passages: 0, received: 0, undecodable: 0, duplicates: 0,
        heard: [post, PostHeard(code: "BNP-N")])
      return facts.problems(at: now)
    }
    let silent = problems { _ in }
    #expect(silent.map(\.name) == ["post_silent"])
    #expect(silent.first?.since == now - .seconds(100_000))
    #expect(silent.first?.count == 1, "a post that was never heard of is not set up yet")
    #expect(silent.first?.what.hasPrefix("post BNP-A is silent") == true)
    #expect(problems { $0.deviceAt = now - .seconds(60) } == [])
    #expect(problems { $0.signedInAt = now - .seconds(60) } == [])
    #expect(problems { $0.signedInAt = now - .seconds(90_000) }.count == 1)
  }

  /// What nobody can read and who took their word back is told, for as long as it matters.
  @Test func whatIsUnreadableAndWhatWentBackIsTold() {
    func problems(_ change: (inout CentralOverview) -> Void) -> [Problem] {
      var facts = CentralFacts()
      var overview = CentralOverview(
        posts: 1, segments: 0, rangers: 0, passages: 0, received: 0, undecodable: 0, duplicates: 0,
        heard: [PostHeard(code: "BNP-A", lastAt: now), PostHeard(code: "BNP-B", lastAt: now)])
      change(&overview)
      facts.overview = overview
      return facts.problems(at: now)
    }
    #expect(problems { _ in } == [])
    let unreadable = problems { $0.unreadable = 3 }
    #expect(unreadable.map(\.name) == ["rows_unreadable"] && unreadable.first?.count == 3)
    let back = problems { overview in
      overview.heard[1].wentBackAt = now - .seconds(86_400)
    }
    #expect(back.map(\.name) == ["post_mark_went_back"])
    #expect(
      back.first?.what.contains("BNP-B") == true && back.first?.since == now - .seconds(86_400))
    #expect(problems { $0.heard[1].wentBackAt = now - .seconds(8 * 86_400) } == [])
  }
}
