import GSM
import NodeCore
import Passages
import Testing
import Time

/// A post that has been silent for long tells that it lives.
@Suite struct HeartbeatTests {
  private func rules(every: Duration = .seconds(86_400)) throws -> NodeRules {
    var rules = NodeRules.testing
    rules.checkpost = try CheckpostCode("BNP-A")
    rules.heartbeatAfter = every
    return rules
  }

  private func heartbeats(_ effects: [NodeEffect]) -> [TextIntent] {
    effects.sent.filter(\.isHeartbeat)
  }

  @Test func itGoesAfterTheSilenceAndThenAgain() throws {
    var bench = Bench.ready(try rules())
    #expect(bench.pass(.seconds(86_400 - 1_001)).sent.isEmpty)
    let first = try #require(heartbeats(bench.pass(.seconds(2))).first)
    #expect(first.body == "H1|BNP-A|0|-|0|0")
    #expect(first.queueID == nil)
    #expect(bench.queue.intents[first.id] == first)
    bench.finish(.accepted(references: [1]))
    #expect(bench.pass(.seconds(86_400 - 10)).sent.isEmpty)
    #expect(heartbeats(bench.pass(.seconds(10))).count == 1)
  }

  @Test func itIsOffUnlessAskedFor() throws {
    var bench = Bench.ready(try rules(every: .zero))
    #expect(bench.pass(.seconds(30 * 86_400)).sent.isEmpty)
    #expect(bench.core.nextDeadline == nil)
  }

  @Test func aPassageThatLeftIsASignOfLifeToo() throws {
    var bench = Bench.ready(try rules())
    bench.pass(.seconds(80_000))
    bench.record()
    let left = bench.pass(.seconds(301)).sent
    #expect(left.map(\.isHeartbeat) == [false])
    bench.finish(.accepted(references: [1]))
    #expect(bench.pass(.seconds(86_000)).sent.isEmpty)
    let beat = try #require(heartbeats(bench.pass(.seconds(500))).first)
    #expect(beat.body == "H1|BNP-A|1|-|0|1")
  }

  @Test func aPassageThatIsDueGoesFirst() throws {
    var bench = Bench.ready(try rules())
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "away"))
    bench.record()
    bench.pass(.seconds(90_000))
    let sent = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent
    #expect(sent.map(\.queueID) == [1])
  }

  @Test func theReserveStaysForPassages() throws {
    var poor = try rules()
    poor.textsPerDay = 5
    var bench = Bench.ready(poor)
    #expect(bench.pass(.seconds(10 * 86_400)).sent.isEmpty)
    poor.textsPerDay = 6
    #expect(heartbeats(bench.tell(.rulesChanged(poor))).count == 1)
    bench.finish(.accepted(references: [1]))
    bench.record(5)
    bench.pass(.seconds(301))
    for _ in 0..<5 { bench.finish(.accepted(references: [1])) }
    #expect(bench.queue.items.count(where: \.isTexted) == 5)
  }

  @Test func aRestartDoublesNone() throws {
    var bench = Bench(try rules(every: .seconds(3_600)))
    bench.now = .seconds(50_000)
    // What was begun before the end may have left, whoever heard of it.
    let charge = TextCharge(modem: ModemID(0), at: .seconds(49_000))
    bench.tell(.started(StartFacts(nextTextID: 8, charges: [charge], intents: 1)))
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
    #expect(bench.pass(.seconds(2_599)).sent.isEmpty)
    #expect(heartbeats(bench.pass(.seconds(1))).map(\.id) == [8])
  }

  @Test func whatTheNetworkDidNotTakeIsTriedAgainLater() throws {
    var bench = Bench.ready(try rules())
    #expect(heartbeats(bench.pass(.seconds(85_400))).count == 1)
    bench.finish(.notSent(reason: "no answer"))
    #expect(heartbeats(bench.pass(.seconds(3_599))).isEmpty)
    #expect(heartbeats(bench.pass(.seconds(1))).count == 1)
  }

  @Test func nobodyIsToldWhileTheServerMayBeThere() throws {
    var rules = try rules()
    rules.hasServer = true
    var bench = Bench.ready(rules)
    #expect(bench.pass(.seconds(3 * 86_400)).sent.isEmpty)
  }

  @Test func itWaitsForTheEndOfQuietHours() throws {
    var bench = Bench.ready(try rules())
    bench.core.setQuiet(until: bench.now + .seconds(90_000))
    #expect(bench.pass(.seconds(89_000)).sent.isEmpty)
    #expect(heartbeats(bench.pass(.seconds(1_001))).count == 1)
  }

  @Test func itIsWithdrawnAtTheLastMoment() throws {
    var bench = Bench.ready(try rules())
    bench.now = .seconds(90_000)
    #expect(bench.core.handle(.timePassed, at: bench.now).contains(.chooseHeartbeat))
    _ = bench.core.handle(.stopping, at: bench.now)
    let facts = HeartbeatFacts(lastNumber: 1, syncedThrough: nil, waiting: 0, texted: 0)
    #expect(bench.core.handle(.heartbeatChosen(facts), at: bench.now).sent.isEmpty)
    #expect(bench.core.handle(.heartbeatChosen(facts), at: bench.now).sent.isEmpty)
  }
}
