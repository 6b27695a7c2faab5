import GSM
import NodeCore
import Testing
import Time

/// A pause ends with what it was made for, and not when a clock says so.
@Suite struct PauseTests {
  private func bench(passages: Int = 9) -> Bench {
    var bench = Bench.ready()
    bench.record(passages)
    bench.pass(.seconds(301))
    return bench
  }

  /// The modem cannot send, and can again after so long; what goes then.
  private func goes(
    _ bench: inout Bench, after pause: Duration = .seconds(90)
  ) -> Int {
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no network"))
    bench.pass(pause)
    return bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.count
  }

  @Test(arguments: [
    TextOutcome.notSent(reason: "no network"), .refused(.later), .refused(.soon),
  ])
  func theNetworksReturnEndsAPauseThatWasForIt(_ outcome: TextOutcome) {
    for pause in [Duration.milliseconds(5), .seconds(1), .seconds(90)] {
      var bench = bench()
      bench.finish(outcome)
      #expect(goes(&bench, after: pause) == 1, "\(outcome), gone for \(pause)")
    }
  }

  @Test func anOperatorsPauseAndADoubtStay() {
    for outcome in [TextOutcome.refused(.alert), .unknown(reason: "no answer")] {
      var bench = bench()
      bench.finish(outcome)
      #expect(goes(&bench, after: .seconds(5)) == 0, "\(outcome)")
    }
  }

  // One that comes and goes must not be tried each time that it comes.
  @Test func aModemThatComesAndGoesIsLeftAloneInTheEnd() {
    var bench = bench()
    var tries = 0
    for _ in 0..<10 {
      if !bench.flying.isEmpty { bench.finish(.refused(.later)) }
      tries += goes(&bench, after: .seconds(1))
    }
    #expect((1...3).contains(tries), "\(tries)")
  }

  @Test func aRestartThatIsOverEndsTheDoubtThatItMade() {
    var bench = bench()
    bench.finish(.unknown(reason: "the modem restarted by itself (RDY)"))
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "restarted"))
    bench.pass(.seconds(8))
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
    #expect(bench.tell(.modemRestarted(ModemID(0))).sent.count == 1)
    // One that restarts with each text would burn one passage after the other.
    bench.finish(.unknown(reason: "the modem restarted by itself (RDY)"))
    #expect(bench.tell(.modemRestarted(ModemID(0))).sent.isEmpty)
    #expect(bench.pass(.seconds(119)).sent.isEmpty)
    #expect(bench.pass(.seconds(1)).sent.count == 1)
  }

  @Test func aRestartEndsNoPauseOfAnother() {
    var bench = bench()
    bench.finish(.refused(.alert))
    #expect(bench.tell(.modemRestarted(ModemID(0))).sent.isEmpty)
    #expect(bench.tell(.modemRestarted(ModemID(7))).sent.isEmpty)
  }

  /// Each pause is told when it begins and when it ends, however it ends.
  @Test func aPauseIsToldWhenItBeginsAndWhenItEnds() {
    func told(_ effects: [NodeEffect]) -> [String] {
      effects.facts.compactMap { fact in
        switch fact {
        case .sendingHeld: "held"
        case .sendingResumed(_, let after): "resumed after \(after.wholeSeconds)"
        default: nil
        }
      }
    }
    var byTime = bench()
    var before = byTime.effects.count
    byTime.finish(.unknown(reason: "no answer"))
    byTime.pass(.seconds(59))
    #expect(told(Array(byTime.effects[before...])) == ["held"])
    byTime.pass(.seconds(1))
    #expect(told(Array(byTime.effects[before...])) == ["held", "resumed after 60"])
    byTime.pass(.seconds(60))
    #expect(told(Array(byTime.effects[before...])).count == 2, "once")

    var byHand = bench()
    before = byHand.effects.count
    byHand.finish(.refused(.alert))
    byHand.pass(.seconds(5))
    byHand.tell(.retryNow)
    #expect(told(Array(byHand.effects[before...])).prefix(2) == ["held", "resumed after 5"])
  }
}
