import NodeCore
import Testing
import Time

@Suite struct FallbackRuleTests {
  @Test func aPassageLeavesJustAfterFiveMinutesAndNotBefore() {
    var bench = Bench.ready()
    bench.record()
    #expect(bench.pass(.seconds(300)).sent.isEmpty, "at five minutes sharp it is not longer")
    #expect(bench.core.nextDeadline == bench.now + .nanoseconds(1))
    #expect(bench.pass(.nanoseconds(1)).sent.map(\.body) == ["body 1"])
  }

  @Test func theFiveMinutesComeFromTheConfiguration() {
    var rules = NodeRules.testing
    rules.fallbackAfter = .seconds(30)
    var bench = Bench.ready(rules)
    bench.record()
    #expect(bench.pass(.seconds(30)).sent.isEmpty)
    #expect(bench.pass(.seconds(1)).sent.count == 1)
  }

  @Test func theOldestGoesFirstAndOneAtATime() {
    var bench = Bench.ready()
    bench.record(3)
    #expect(bench.pass(.seconds(301)).sent.map(\.queueID) == [1])
    #expect(bench.pass(.seconds(30)).sent.isEmpty, "one text at a time")
    #expect(bench.finish(.fine).sent.map(\.queueID) == [2])
    #expect(bench.finish(.fine).sent.map(\.queueID) == [3])
    #expect(bench.finish(.fine).sent.isEmpty)
    #expect(bench.pass(.seconds(86_400)).sent.isEmpty, "what was accepted is never sent again")
  }

  @Test func theIntentIsWrittenBeforeTheModemHears() throws {
    var bench = Bench.ready()
    bench.record()
    let effects = bench.pass(.seconds(301))
    let write = try #require(
      effects.firstIndex { if case .write(.intent) = $0 { true } else { false } })
    let send = try #require(effects.firstIndex { if case .send = $0 { true } else { false } })
    #expect(write < send)
  }

  @Test func aFailedPassageWaitsAsLongAsAnyOther() {
    var bench = Bench.ready()
    bench.record(2)
    bench.queue.fail(2, at: bench.now)
    #expect(bench.tell(.woke).sent.isEmpty)
    #expect(bench.pass(.seconds(300)).sent.isEmpty)
    #expect(bench.pass(.seconds(1)).sent.map(\.queueID) == [1])
    #expect(bench.finish(.fine).sent.map(\.queueID) == [2])
  }

  @Test func aFailedPassageIsNotTextedWhileTheServerAnswers() {
    var bench = Bench.ready(.withServer)
    let probe = bench.tell(.linkChanged(.up)).probes
    bench.tell(.answered(probe[0], .done))
    bench.record()
    bench.queue.fail(1, at: bench.now)
    #expect(bench.tell(.woke).sent.isEmpty)
  }

  @Test func nothingIsTextedBeforeConnectivityIsKnown() {
    var bench = Bench.ready(.withServer)
    bench.record()
    #expect(bench.pass(.seconds(400)).sent.isEmpty, "the link has not been read")
    let probe = bench.tell(.linkChanged(.up)).probes
    #expect(probe.count == 1)
    #expect(bench.tell(.woke).sent.isEmpty, "the probe is still out")
    let effects = bench.tell(
      .answered(probe[0], .unanswered("connection refused")))
    #expect(effects.sent.isEmpty, "it has only now turned out to be absent")
  }

  @Test func connectivityMustHaveBeenAbsentForFiveMinutes() {
    var bench = Bench.ready(.withServer)
    bench.record()
    bench.pass(.seconds(400))
    #expect(bench.tell(.linkChanged(.down)).sent.isEmpty)
    #expect(bench.core.nextDeadline == bench.now + .seconds(300) + .nanoseconds(1))
    #expect(bench.pass(.seconds(300)).sent.isEmpty, "at five minutes sharp it is not longer")
    #expect(bench.pass(.nanoseconds(1)).sent.count == 1)
  }

  @Test func howLongItMustHaveBeenAbsentComesFromTheConfiguration() {
    var rules = NodeRules.withServer
    rules.offlineFor = .seconds(3_600)
    var bench = Bench.ready(rules)
    bench.tell(.linkChanged(.down))
    bench.record()
    #expect(bench.pass(.seconds(3_600)).sent.isEmpty)
    #expect(bench.pass(.seconds(1)).sent.count == 1)
  }

  @Test func anOutageGoesOnOverARestart() {
    var facts = StartFacts(nextTextID: 1, charges: [])
    var bench = Bench(.withServer)
    facts.memory.offlineSince = bench.now - .seconds(301)
    bench.tell(.started(facts))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    bench.queue.record(at: bench.now - .seconds(400))
    #expect(bench.tell(.woke).sent.isEmpty, "the link has not been read")
    #expect(bench.tell(.linkChanged(.down)).sent.count == 1)
  }

  @Test func theStoreIsToldSinceWhenConnectivityIsAbsent() {
    var bench = Bench.ready(.withServer)
    func kept(_ effects: [NodeEffect]) -> [BootInstant?] {
      effects.compactMap { effect -> BootInstant?? in
        if case .remember(let memory) = effect { memory.offlineSince } else { nil }
      }
    }
    let since = bench.now
    #expect(kept(bench.tell(.linkChanged(.down))) == [since])
    bench.pass(.seconds(100))
    let probes = bench.tell(.linkChanged(.up)).probes
    #expect(kept(bench.tell(.answered(probes[0], .done))) == [nil])
  }

  @Test func aServerThatIsThereAndTakesNothingHoldsTextsForLonger() {
    var bench = Bench.ready(.withServer)
    var probes = bench.tell(.linkChanged(.up)).probes
    bench.record()
    let begun = bench.now
    var sentAt: BootInstant?
    while sentAt == nil, bench.now - begun < .seconds(3_600) {
      for id in probes { bench.tell(.answered(id, .failing("HTTP 503"))) }
      guard let deadline = bench.core.nextDeadline else { break }
      let effects = bench.pass(deadline - bench.now)
      probes = effects.probes
      if !effects.sent.isEmpty { sentAt = bench.now }
    }
    #expect(sentAt == begun + .seconds(1_800) + .nanoseconds(1))
  }

  @Test func withoutARecipientNothingIsTexted() {
    var rules = NodeRules.testing
    rules.gateways = []
    var bench = Bench.ready(rules)
    bench.record()
    #expect(bench.pass(.seconds(3_600)).sent.isEmpty)
    #expect(bench.core.nextDeadline == nil, "and nothing wakes the node for it")
  }

  @Test func aSyncedPassageIsNotTexted() {
    var bench = Bench.ready()
    bench.record(2)
    bench.queue.sync(1)
    #expect(bench.pass(.seconds(301)).sent.map(\.queueID) == [2])
  }

  @Test func aModemThatCannotSendGetsNothing() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no registration"))
    bench.record()
    #expect(bench.pass(.seconds(400)).sent.isEmpty)
    let effects = bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    #expect(effects.sent.count == 1)
  }

  @Test func twoModemsCarryTwoTextsAtOnce() {
    var rules = NodeRules.testing
    rules.modems = [NodeModem(name: "one"), NodeModem(name: "two")]
    var bench = Bench.ready(rules)
    bench.tell(.modemChanged(ModemID(1), canSend: true, reason: ""))
    bench.record(3)
    let sent = bench.pass(.seconds(301)).sent
    #expect(sent.map(\.queueID) == [1, 2])
    #expect(sent.map(\.modem) == [ModemID(0), ModemID(1)])
  }

  @Test func theCoreLooksAtTheStoresOfferItself() throws {
    // A store that offers what the rule forbids gets no text out of it.
    var core = NodeCore(rules: .testing, seed: 1)
    let now = BootInstant.seconds(1_000)
    _ = core.handle(.started(StartFacts(nextTextID: 1, charges: [])), at: now)
    let asked = core.handle(.modemChanged(ModemID(0), canSend: true, reason: ""), at: now)
    #expect(asked.contains(.chooseDue))
    let client = try #require(clientID(1))
    let young = DueText(
      queueID: 1, clientID: client, body: "b", since: now - .seconds(10), status: .pending)
    // What may not go yet keeps nobody waiting: the next one is asked for.
    let due = now + .seconds(290) + .nanoseconds(1)
    #expect(
      core.handle(.chosen(DueAnswer(text: young, nextDue: nil)), at: now)
        == [.write(.putOff(queueID: 1, until: due)), .chooseDue])
    var texted = young
    texted.since = now - .seconds(1_000)
    texted.isTexted = true
    #expect(
      core.handle(.chosen(DueAnswer(text: texted, nextDue: nil)), at: now)
        == [.write(.putOff(queueID: 1, until: nil)), .chooseDue])
    #expect(core.handle(.chosen(DueAnswer(text: nil, nextDue: due)), at: now).isEmpty)
    #expect(core.nextDeadline == due)
  }

  @Test func anEndingServiceBeginsNothing() {
    var bench = Bench.ready()
    bench.record(2)
    bench.pass(.seconds(301))
    bench.tell(.stopping)
    #expect(bench.core.isSending)
    #expect(bench.finish(.fine).sent.isEmpty)
    #expect(!bench.core.isSending)
  }
}
