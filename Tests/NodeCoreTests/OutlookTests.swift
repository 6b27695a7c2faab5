import Events
import GSM
import NodeCore
import Testing
import Time

/// Why nothing goes just now, and when something will: told by the core that decides it.
@Suite struct OutlookTests {
  private let wall = WallTime(epochSeconds: 1_795_000_000)

  private func outlook(_ bench: Bench) -> TextOutlook { bench.core.snapshot(at: bench.now).outlook }

  /// The problems of a node whose store says that so many wait.
  private func problems(_ bench: Bench, waiting: Int = 1) -> [Problem] {
    var overview = StoreOverview(
      pending: waiting, inFlight: 0, synced: 0, failed: 0, waitingForText: waiting, texted: 0,
      undelivered: 0, unknownTexts: 0, parked: 0, undated: 0, textsLastDay: 0, databaseBytes: 0,
      isReadOnly: false)
    overview.firstTextDue = bench.now
    var facts = NodeFacts(overview: overview, reserveBytes: 0)
    facts.node = bench.core.snapshot(at: bench.now)
    return NodeProblems(facts, at: Moment(boot: bench.now, wall: wall)).ofTheService
  }

  @Test func nothingKeepsATextThatIsDue() {
    let bench = Bench.ready()
    #expect(outlook(bench) == TextOutlook())
    #expect(problems(bench).isEmpty)
  }

  @Test func aPassageThatIsNotDueWaitsForItsTime() {
    let bench = Bench.ready()
    let due = bench.now + .seconds(60)
    #expect(outlook(bench).forPassage(due: due, at: bench.now) == TextOutlook(.notDue, until: due))
    #expect(outlook(bench).forPassage(due: bench.now, at: bench.now) == TextOutlook())
  }

  @Test func whatEndsLaterIsToldToAPassage() {
    let now = BootInstant.seconds(100)
    let rests = TextOutlook(.gatewayRests(reason: "CMS 1"), until: now + .seconds(60))
    #expect(rests.forPassage(due: now + .seconds(30), at: now) == rests)
    #expect(
      rests.forPassage(due: now + .seconds(90), at: now)
        == TextOutlook(.notDue, until: now + .seconds(90)))
    let never = TextOutlook(.noGateway)
    #expect(never.forPassage(due: now + .seconds(90), at: now) == never)
    #expect(
      TextOutlook(.sending).forPassage(due: now + .seconds(90), at: now).obstacle == .notDue,
      "what is being sent now is over by then")
  }

  @Test func aTextWithTheModemIsToldSinceItWent() {
    var bench = Bench.ready()
    bench.record(2)
    bench.pass(.seconds(301))
    #expect(outlook(bench) == TextOutlook(.sending))
    let modem = bench.core.snapshot(at: bench.now).modems.first
    #expect(modem?.isSending == true)
    #expect(modem?.sendingSince.map { bench.now - $0 < .seconds(2) } == true)
  }

  @Test func aBudgetThatIsUsedUpIsToldWithItsNumbersAndWhenItOpens() {
    var rules = NodeRules.testing
    rules.textsPerHour = 3
    var bench = Bench.ready(rules)
    bench.record(5)
    bench.pass(.seconds(301))
    for _ in 0..<3 { bench.finish(.fine) }
    let use = BudgetUse(window: .hour, used: 3, limit: 3)
    #expect(outlook(bench).obstacle == .budget(use))
    #expect(outlook(bench).obstacle?.words == "hour budget used (3 of 3)")
    let opens = outlook(bench).until
    #expect(opens.map { $0 - bench.now > .seconds(3_590) } == true)
    let told = problems(bench, waiting: 2)
    #expect(told.map(\.name) == ["budget_used"])
    #expect(told.first?.what == "the hour budget is used (3 of 3), and 2 passages wait")
    #expect(told.first?.until == opens.map { wall - (bench.now - $0) })
    #expect(problems(bench, waiting: 0).isEmpty, "nobody waits for it")
  }

  @Test func theBudgetOfAMinuteIsNoProblem() {
    var rules = NodeRules.testing
    rules.textsPerMinute = 1
    var bench = Bench.ready(rules)
    bench.record(2)
    bench.pass(.seconds(301))
    bench.finish(.fine)
    #expect(outlook(bench).obstacle?.name == "budget")
    #expect(problems(bench).isEmpty)
  }

  @Test func aBudgetOfNothingNeverOpens() {
    var rules = NodeRules.testing
    rules.textsPerDay = 0
    let bench = Bench.ready(rules)
    #expect(outlook(bench) == TextOutlook(.budget(BudgetUse(window: .day, used: 0, limit: 0))))
    #expect(problems(bench).map(\.severity) == [.critical])
  }

  @Test func aGatewayThatRestsIsToldWithWhatWasSaid() {
    var bench = Bench.ready()
    bench.record(2)
    bench.pass(.seconds(301))
    let refusedAt = bench.now
    bench.finish(
      .refused(
        Refusal(code: "CMS 21", words: "short message transfer rejected", kind: .destination)))
    #expect(
      outlook(bench).obstacle?.words
        == "the gateway number rests after CMS 21 short message transfer rejected")
    let told = problems(bench)
    #expect(told.map(\.name) == ["gateway_rests"])
    #expect(told.first?.since == wall - (bench.now - refusedAt))
    #expect(told.first?.until == outlook(bench).until.map { wall - (bench.now - $0) })
    #expect(told.first?.remedy != nil)
  }

  @Test func aNodeWithoutANumberSaysSo() {
    var rules = NodeRules()
    #expect(outlook(.ready(rules)) == TextOutlook(.noGateway))
    #expect(problems(.ready(rules)).map(\.name) == ["no_gateway"])
    #expect(problems(.ready(rules)).map(\.severity) == [.critical])
    rules.hasServer = true
    #expect(problems(.ready(rules)).map(\.severity) == [.warning], "they have somewhere to go")
  }

  @Test func aModemThatCannotSendIsToldWithItsReason() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "the SIM wants its PIN"))
    #expect(
      outlook(bench)
        == TextOutlook(.modemUnable(reason: "the modem cannot send: the SIM wants its PIN")))
  }

  @Test func ofSeveralModemsTheOneThatIsFreeFirstCounts() {
    var bench = Bench.ready(modems: [NodeModem(name: "one"), NodeModem(name: "two")])
    bench.record(4)
    bench.pass(.seconds(301))
    #expect(outlook(bench) == TextOutlook(.sending))
    bench.finish(by: 0, .refused(.alert))
    #expect(outlook(bench) == TextOutlook(.sending), "the other one is at it")
    bench.finish(by: 1, .notSent(reason: "port lost"))
    #expect(outlook(bench).until == bench.now + .seconds(5))
    #expect(outlook(bench).obstacle?.words == "the modem pauses after not sent: port lost")
    bench.tell(.modemChanged(ModemID(1), canSend: false, reason: "no port"))
    #expect(outlook(bench).obstacle?.words.hasPrefix("the modem stopped after CMS 38") == true)
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no network"))
    #expect(
      outlook(bench).obstacle?.words
        == "modem one cannot send: no network; modem two cannot send: no port")
  }

  @Test func aServerThatAnswersAndAStoreThatFailsAreReasonsToo() {
    var bench = Bench.ready(.withServer)
    #expect(outlook(bench) == TextOutlook(.serverUnknown))
    bench.tell(.linkChanged(.up))
    if let probe = bench.effects.probes.last {
      bench.tell(.answered(probe, .done))
    }
    #expect(outlook(bench) == TextOutlook(.online))
    bench.tell(.linkChanged(.down))
    #expect(
      outlook(bench)
        == TextOutlook(.offlineLately, until: bench.now + .seconds(300) + .nanoseconds(1)))
    bench.tell(.storageFailed(reason: "the disk is full"))
    #expect(outlook(bench).obstacle == .storage(reason: "the disk is full"))
    #expect(outlook(bench).until == bench.now + NodeCore.Limits.storageHold)
    bench.tell(.stopping)
    #expect(outlook(bench) == TextOutlook(.stopping))
  }
}
