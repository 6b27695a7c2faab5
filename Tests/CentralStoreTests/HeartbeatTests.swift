import CentralCore
import Passages
import Testing
import Time

/// What a post tells of itself: kept with the post, never a passage.
@Suite struct HeartbeatTests {
  private func told(_ last: Int, _ through: Int, _ waiting: Int, _ texted: Int) -> String {
    "H1|BNP-A|\(last)|\(1_709_120_000 + through)|\(waiting)|\(texted)"
  }

  private func missing(_ messages: [ProcessedMessage]) -> Int64? {
    guard case .heartbeat(_, let missing) = messages.last?.result else { return nil }
    return missing
  }

  @Test(arguments: StoreKind.all) func aHeartbeatIsNoPassage(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    #expect(missing(try bench.receive(told(9, 5, 4, 2), id: "SM1")) == 0)
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .heartbeat)
    #expect(item.clientID == nil)
    #expect(try bench.store.passages(PassageQuery()).isEmpty)
    try bench.reopen()
    let overview = try bench.store.overview()
    #expect(overview.undecodable == 0)
    let post = try #require(overview.heard.first { $0.code == "BNP-A" })
    #expect(post.lastAt == nil)
    #expect(post.heartbeat?.at == bench.wall)
    #expect(post.heartbeat?.message.lastNumber == 9)
    #expect(post.heartbeat?.message.syncedThrough == 1_709_120_005)
    #expect(post.heartbeat?.message.waiting == 4)
  }

  @Test(arguments: StoreKind.all) func whatWasTextedAndDidNotComeIsMissing(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    // Before the first heartbeat nothing is known: the post may be older than this store.
    try bench.receive(text(0), id: "SM1")
    #expect(missing(try bench.receive(told(50, 0, 0, 40), id: "SM2")) == 0)
    try bench.receive(text(1), id: "SM3")
    #expect(missing(try bench.receive(told(54, 1, 3, 44), id: "SM4")) == 3)
    // Two were on their way.
    try bench.receive(text(2), id: "SM5")
    try bench.receive(text(3), id: "SM6")
    let post = try #require(try bench.store.overview().heard.first { $0.code == "BNP-A" })
    #expect(post.passages == 4)
    #expect(post.missing == 1)
  }

  @Test(arguments: StoreKind.all) func anOlderOneThatComesLateChangesNothing(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    try bench.receive(told(10, 100, 0, 10), id: "SM1")
    try bench.receive(told(30, 300, 0, 30), id: "SM2")
    #expect(missing(try bench.receive(told(20, 200, 0, 20), id: "SM3")) == 20)
    let post = try #require(try bench.store.overview().heard.first { $0.code == "BNP-A" })
    #expect(post.heartbeat?.message.lastNumber == 30)
  }

  @Test(arguments: StoreKind.all) func aPostThatBeganAgainIsCountedAfresh(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.receive(told(10, 100, 0, 10), id: "SM1")
    try bench.receive(told(30, 300, 0, 30), id: "SM2")
    #expect(missing(try bench.receive(told(1, 400, 0, 0), id: "SM3")) == 0)
    #expect(missing(try bench.receive(told(3, 500, 0, 2), id: "SM4")) == 2)
  }

  /// Whoever forges a number must not make a violation final by telling that nothing waits.
  @Test(arguments: StoreKind.all) func anUnprovenHeartbeatSettlesNothing(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.put(.ranger(try ranger("Hari", "+9779811119801", "BNP-B")))
    try bench.store.take(
      [
        PassageArrival(try sighting(0, "BNP-A")), PassageArrival(try sighting(1_000, "BNP-B")),
      ], at: WallTime(epochSeconds: judgedMorning + 1_100))
    let through = judgedMorning + 2_000
    func tell(_ id: String) throws {
      for (post, sender) in [("BNP-A", "+9779841114567"), ("BNP-B", "+9779811119801")] {
        _ = try bench.store.keep([
          InboundMessage(
            provider: "twilio", providerID: "\(id)\(post)", from: sender,
            text: "H1|\(post)|1|\(through)|0|1", receivedAt: WallTime(epochSeconds: through))
        ])
      }
      _ = try bench.store.process(rules: bench.rules, at: WallTime(epochSeconds: through))
    }
    try tell("1")
    #expect(
      try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.provisional])
    #expect(try bench.store.overview().heard.count { $0.heartbeat != nil } == 2)
    bench.rules.trust = .number
    try bench.put(
      .number(
        SenderBinding(
          number: try number("+9779811119801"), post: try CheckpostCode("BNP-B"),
          validUntil: WallTime(epochSeconds: 1_600_000_000))))
    try tell("2")
    #expect(
      try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.provisional],
      "of one of them the number was ended")
    try bench.put(
      .number(
        SenderBinding(number: try number("+9779811119801"), post: try CheckpostCode("BNP-B"))))
    try tell("3")
    #expect(
      try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.reported])
  }

  @Test(arguments: StoreKind.all) func whoMayNotSpeakForThePostIsKeptBack(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.receive(told(10, 100, 0, 10), id: "SM1", from: "+9779812345678")
    try bench.receive("H1|BNP-A|ten|-|0|0", id: "SM2")
    #expect(try bench.store.inboxItem(1)?.reason == Reason.sender)
    #expect(try bench.store.inboxItem(2)?.reason == "last_number")
    #expect(try bench.store.overview().heard.allSatisfy { $0.heartbeat == nil })
    _ = try bench.reprocess(1, waiving: .anySender)
    #expect(try bench.store.inboxItem(1)?.state == .heartbeat)
  }
}
