import GSM
import NodeCore
import Testing
import Time

@Suite struct GatewayTests {
  private let first = "+9779800000001"
  private let second = "+9779800000002"

  private func bench(_ numbers: [String], passages: Int = 5) -> Bench {
    var rules = NodeRules.testing
    rules.gateways = numbers
    var bench = Bench.ready(rules)
    bench.record(passages)
    bench.pass(.seconds(301))
    return bench
  }

  @Test func eachTextGoesToOneNumberTheFirst() {
    var bench = bench([first, second])
    for _ in 0..<5 { bench.finish(.fine) }
    #expect(Set(bench.effects.sent.map(\.to)) == [first])
    #expect(bench.effects.sent.count == 5)
  }

  @Test func aNumberThatIsRefusedRestsAndTheNextIsUsedAtOnce() {
    var bench = bench([first, second])
    let effects = bench.finish(.refused(.destination))
    #expect(effects.sent.map(\.to) == [second])
    #expect(effects.sent.map(\.queueID) == [1], "the passage waits for nothing")
    #expect(
      effects.facts.contains {
        if case .gatewayRests(index: 0, _, _, _) = $0 { true } else { false }
      })
    #expect(bench.finish(.fine).sent.map(\.to) == [second])
    while !bench.flying.isEmpty { bench.finish(.fine) }
    // After its rest the first has its turn again.
    bench.pass(.seconds(61))
    bench.record()
    #expect(bench.pass(.seconds(301)).sent.map(\.to) == [first])
  }

  @Test func aPassageGoesNotBackToTheNumberThatRefusedIt() {
    var bench = bench([first, second], passages: 1)
    bench.finish(.refused(.destination))
    bench.finish(.notSent(reason: "port lost"))
    let sent = bench.pass(.seconds(120)).sent
    #expect(sent.map(\.to) == [second], "the first rests no longer, but has refused this one")
  }

  @Test func theOnlyNumberRestsWithGrowingPauses() {
    var bench = bench([first], passages: 9)
    var seconds: [Int64] = []
    for _ in 0..<7 {
      let ended = bench.now
      bench.finish(.refused(.destination))
      while bench.flying.isEmpty, let deadline = bench.core.nextDeadline {
        bench.pass(deadline - bench.now)
      }
      seconds.append((bench.now - ended).wholeSeconds)
    }
    #expect(seconds == [60, 120, 300, 900, 1_800, 3_600, 3_600])
  }

  @Test func aNumberThatKeepsBeingRefusedForNowGivesWayToTheNext() {
    var bench = bench([first, second])
    bench.finish(.refused(.later))
    #expect(bench.pass(.seconds(60)).sent.map(\.to) == [first])
    bench.finish(.refused(.later))
    #expect(bench.pass(.seconds(120)).sent.map(\.to) == [second])
  }

  @Test func anOperatorsBadNumberHoldsNobody() {
    for kind in [ErrorClass.destination, .later, .soon, .permanent] {
      var bench = bench([first], passages: 2)
      bench.tell(.manualText(ManualText(requestID: 1, to: "+9779811111111", body: "b")))
      bench.finish(.fine)
      #expect(bench.flying.map(\.to) == ["+9779811111111"])
      #expect(bench.finish(.refused(kind)).sent.map(\.to) == [first], "\(kind)")
    }
  }

  @Test func threeNumbersRefusedInARowAreTheSIMsFault() {
    var bench = bench([first], passages: 0)
    var effects: [NodeEffect] = []
    for number in 1...3 {
      bench.tell(
        .manualText(ManualText(requestID: Int64(number), to: "+977981111111\(number)", body: "b")))
      effects = bench.finish(.refused(.destination))
    }
    #expect(
      effects.facts.contains {
        if case .sendingHeld(_, _, _, needsOperator: true) = $0 { true } else { false }
      })
  }

  @Test func anOperatorMaySendWhileTheSIMIsHeldAndEndsTheHold() {
    var bench = bench([first], passages: 2)
    bench.finish(.refused(.alert))
    #expect(bench.pass(.seconds(60)).sent.isEmpty)
    let manual = ManualText(requestID: 1, to: "+9779811111111", body: "b")
    #expect(bench.tell(.manualText(manual)).sent.count == 1)
    #expect(bench.finish(.fine).sent.map(\.queueID) == [2], "the account is full again")
  }

  @Test func anOperatorsTextDoesNotWaitForEver() {
    var bench = bench([first], passages: 0)
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: "no registration"))
    bench.tell(.manualText(ManualText(requestID: 1, to: "+9779811111111", body: "b")))
    let effects = bench.pass(.seconds(60))
    #expect(
      effects.contains { if case .manualFinished(1, .notSent) = $0 { true } else { false } })
  }
}
