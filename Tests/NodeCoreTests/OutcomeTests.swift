import GSM
import NodeCore
import Testing
import Time

@Suite struct OutcomeTests {
  private func bench(passages: Int = 1, _ rules: NodeRules = .testing) -> Bench {
    var bench = Bench.ready(rules)
    bench.record(passages)
    bench.pass(.seconds(301))
    return bench
  }

  /// Seconds from each outcome to the next text, when every text ends alike.
  private func pauses(_ outcome: TextOutcome, count: Int, passages: Int = 1) -> [Int64] {
    var bench = bench(passages: passages)
    var seconds: [Int64] = []
    for _ in 0..<count {
      let ended = bench.now
      bench.finish(outcome)
      while bench.flying.isEmpty, let deadline = bench.core.nextDeadline {
        bench.pass(deadline - bench.now)
      }
      guard !bench.flying.isEmpty else { break }
      seconds.append((bench.now - ended).wholeSeconds)
    }
    return seconds
  }

  @Test func refusalsForNowAreTriedInSecondsAndThenInMinutes() {
    // The passage that was refused three times waits a little longer than its modem.
    let found = pauses(.refused(.soon), count: 5, passages: 9)
    #expect(found == [10, 20, 30, 60, 120])
  }

  @Test func refusalsForLongerAreTriedWithGrowingPausesUpToAnHour() {
    #expect(
      pauses(.refused(.later), count: 8, passages: 9)
        == [15, 30, 60, 120, 300, 900, 1_800, 3_600])
  }

  @Test func textsThatNeverLeftAreTriedSoon() {
    #expect(pauses(.notSent(reason: "no registration"), count: 6) == [5, 10, 30, 60, 60, 60])
  }

  @Test func aWrongCardIsTriedOnceAnHour() {
    #expect(pauses(.refused(.alert), count: 2) == [3_600, 3_600])
  }

  @Test func aModemThatNeverAnswersDoesNotBurnTheQueue() {
    #expect(pauses(.unknown(reason: "no answer"), count: 3, passages: 9) == [60, 120, 300])
  }

  @Test func anAcceptedTextEndsThePauses() {
    var bench = bench(passages: 4)
    bench.finish(.refused(.later))
    bench.pass(.seconds(15))
    bench.finish(.fine)
    bench.finish(.refused(.later))
    #expect(bench.pass(.seconds(14)).sent.isEmpty)
    #expect(bench.pass(.seconds(1)).sent.count == 1, "15 s again, not 30")
  }

  @Test func theRefusedPassageIsStillTheOldest() {
    var bench = bench(passages: 3)
    bench.finish(.refused(.soon))
    #expect(bench.pass(.seconds(10)).sent.map(\.queueID) == [1])
  }

  @Test func aPassageThatIsRefusedAgainAndAgainLetsOthersPass() {
    var bench = bench(passages: 3)
    bench.finish(.refused(.soon))
    bench.pass(.seconds(10))
    bench.finish(.refused(.soon))
    bench.pass(.seconds(20))
    bench.finish(.refused(.soon))
    #expect(bench.pass(.seconds(30)).sent.map(\.queueID) == [2])
  }

  @Test func aPassageThatCanNeverGoIsSetAsideAndTheNextGoesAtOnce() {
    var bench = bench(passages: 2)
    let effects = bench.finish(.refused(.permanent))
    #expect(effects.sent.map(\.queueID) == [2])
    #expect(bench.queue.items[0].parkedReason == "CMS 38 network out of order")
    #expect(
      effects.facts.contains {
        if case .passageParked = $0 { true } else { false }
      })
  }

  @Test func threeInARowThatCanNeverGoAreNotThePassagesFault() {
    var bench = bench(passages: 5)
    bench.finish(.refused(.permanent))
    bench.finish(.refused(.permanent))
    let effects = bench.finish(.refused(.permanent))
    #expect(effects.sent.isEmpty)
    #expect(bench.queue.items.filter { $0.parkedReason != nil }.map(\.queueID) == [1, 2])
    #expect(
      effects.facts.contains {
        if case .sendingHeld(_, _, _, needsOperator: true) = $0 { true } else { false }
      })
  }

  @Test func whatWasAcceptedAlreadyCountsAsAccepted() {
    var bench = bench()
    bench.finish(.refused(.done))
    #expect(bench.queue.items[0].isTexted)
    #expect(bench.pass(.seconds(86_400)).sent.isEmpty)
  }

  @Test func anUnknownOutcomeIsNotSentAgainByDefault() {
    var bench = bench()
    bench.finish(.unknown(reason: "no answer"))
    #expect(bench.pass(.seconds(86_400)).sent.isEmpty)
    #expect(bench.queue.items[0].textAttempts == 1)
    #expect(!bench.queue.items[0].isTexted)
  }

  @Test func anUnknownOutcomeMayBeSentAgainTenMinutesLaterWhenAllowed() {
    var rules = NodeRules.testing
    rules.textsPerPassage = 9
    var bench = bench(rules)
    var texts = 1
    for _ in 0..<5 {
      guard !bench.flying.isEmpty else { break }
      bench.finish(.unknown(reason: "no answer"))
      #expect(bench.pass(.seconds(599)).sent.isEmpty)
      texts += bench.pass(.seconds(7_200)).sent.count
    }
    #expect(texts == 3, "three at most, whatever the configuration asks for")
  }

  private func bench(_ rules: NodeRules) -> Bench {
    bench(passages: 1, rules)
  }

  @Test func aLostOutcomeIsUnknownInTheEnd() {
    var bench = bench(passages: 2)
    let effects = bench.pass(.seconds(601))
    #expect(effects.facts.contains { if case .textUnknown = $0 { true } else { false } })
    #expect(!bench.core.isSending)
  }

  @Test func anOutcomeThatComesAfterItWasGivenUpIsStillKept() {
    var bench = bench()
    let id = bench.flying[0].id
    bench.pass(.seconds(700))
    bench.tell(.textFinished(id, .fine))
    #expect(bench.queue.outcomes[id] == .fine)
    #expect(bench.queue.items[0].isTexted)
  }

  @Test func anOperatorMayEndAPause() {
    var bench = bench(passages: 2)
    bench.finish(.refused(.alert))
    #expect(bench.pass(.seconds(60)).sent.isEmpty)
    #expect(bench.tell(.retryNow).sent.map(\.queueID) == [2], "the first still waits for its hour")
  }
}
