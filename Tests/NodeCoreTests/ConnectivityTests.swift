import NodeCore
import Testing
import Time

@Suite struct ConnectivityTests {
  private func online() -> Bench {
    var bench = Bench.ready(.withServer)
    let probes = bench.tell(.linkChanged(.up)).probes
    bench.tell(.answered(probes[0], .done))
    return bench
  }

  private func state(_ bench: Bench) -> ConnectivityState {
    bench.core.snapshot(at: bench.now).connectivity
  }

  @Test func withoutAServerThereIsNoConnectivity() {
    var bench = Bench.ready()
    bench.tell(.linkChanged(.up))
    #expect(state(bench) == .offline(.noServer))
    #expect(bench.effects.probes.isEmpty)
  }

  @Test func theLinkAloneIsNoConnectivity() {
    var bench = Bench.ready(.withServer)
    bench.tell(.linkChanged(.up))
    #expect(state(bench) == .unknown)
  }

  @Test func anAuthenticatedAnswerIsConnectivity() {
    let bench = online()
    #expect(state(bench) == .online)
  }

  @Test func aServerThatTakesNothingIsNot() {
    var bench = Bench.ready(.withServer)
    let probes = bench.tell(.linkChanged(.up)).probes
    bench.tell(.answered(probes[0], .failing("HTTP 503")))
    #expect(state(bench) == .impaired(.trouble(.failing)))
  }

  @Test func anAnswerIsAskedForAgainBeforeItGrowsOld() {
    var bench = online()
    for _ in 0..<20 {
      var probes: [UInt64] = []
      while probes.isEmpty, let deadline = bench.core.nextDeadline {
        probes = bench.pass(deadline - bench.now).probes
      }
      #expect(state(bench) == .online, "the next probe comes while the last answer still counts")
      bench.tell(.answered(probes[0], .done))
    }
  }

  @Test func anAnswerGrowsOldAfterAMinute() {
    var bench = online()
    bench.record()
    // No probe is answered from here on.
    bench.pass(.seconds(90))
    #expect(state(bench).isOffline)
    #expect(bench.pass(.seconds(400)).sent.count == 1)
  }

  /// The probe that is out is waited for: a deadline that stays in the past would have the service spin.
  @Test func everyDeadlineMovesOnAlsoWhereAnAnswerGrowsOldWhileAProbeIsOut() {
    var rules = NodeRules.withServer
    rules.onlineFor = .seconds(10)
    var bench = Bench.ready(rules)
    let probes = bench.tell(.linkChanged(.up)).probes
    bench.tell(.answered(probes[0], .done))
    var states: [ConnectivityState] = []
    for _ in 0..<50 {
      guard let deadline = bench.core.nextDeadline else { break }
      bench.now = max(bench.now, deadline)
      bench.tell(.timePassed)
      #expect(bench.core.nextDeadline.map { $0 > bench.now } ?? true)
      if states.last?.isSame(as: state(bench)) != true { states.append(state(bench)) }
    }
    #expect(states.first == .unknown)
    #expect(states.last?.isOffline == true)
  }

  @Test func theLinkGoingDownEndsConnectivityAtOnce() {
    var bench = online()
    let effects = bench.tell(.linkChanged(.down))
    #expect(
      effects.facts == [.connectivityChanged(.offline(.outage(.noLink, words: "no network link")))])
    let later = bench.pass(.seconds(86_400))
    #expect(later.probes.isEmpty, "nothing is probed without a link")
  }

  @Test func theLinkComingUpIsProbedAtOnce() {
    var bench = online()
    bench.tell(.linkChanged(.down))
    bench.pass(.seconds(1))
    #expect(bench.tell(.linkChanged(.up)).probes.count == 1)
  }

  @Test func aLinkThatIsBackInAnInstantIsProbedASecondAfterTheLastTime() {
    var bench = online()
    bench.tell(.linkChanged(.down))
    #expect(bench.tell(.linkChanged(.up)).probes.isEmpty)
    #expect(bench.pass(.seconds(1)).probes.count == 1)
  }

  @Test func failuresAreProbedWithGrowingPauses() {
    var bench = Bench.ready(.withServer)
    var probes = bench.tell(.linkChanged(.up)).probes
    var pauses: [Duration] = []
    for _ in 0..<8 {
      bench.tell(.answered(probes[0], .unanswered("no route")))
      let failed = bench.now
      probes = []
      while probes.isEmpty, let deadline = bench.core.nextDeadline {
        probes = bench.pass(deadline - bench.now).probes
      }
      pauses.append(bench.now - failed)
    }
    for (pause, nominal) in zip(pauses, [5, 8, 8, 8, 8, 8, 8, 8]) {
      #expect(pause >= .milliseconds(nominal * 800) && pause <= .seconds(nominal))
    }
    #expect(Set(pauses.suffix(4)).count > 1, "with jitter")
  }

  @Test func aProbeThatNeverEndsHasFailed() {
    var bench = Bench.ready(.withServer)
    let probes = bench.tell(.linkChanged(.up)).probes
    bench.pass(.seconds(20))
    #expect(state(bench) == .offline(.outage(.noAnswer, words: "no answer within 20 s")))
    bench.tell(.answered(probes[0], .done))
    #expect(state(bench).isOffline, "an answer to a probe that was given up says nothing")
  }

  @Test func theSameSeedProbesAtTheSameTimes() {
    func times(_ seed: UInt64) -> [BootInstant] {
      var bench = Bench(.withServer, seed: seed)
      bench.tell(.started(StartFacts(nextTextID: 1, charges: [])))
      bench.tell(.linkChanged(.up))
      var times: [BootInstant] = []
      for _ in 0..<12 {
        guard let deadline = bench.core.nextDeadline else { break }
        bench.pass(deadline - bench.now)
        times.append(bench.now)
      }
      return times
    }
    #expect(times(7) == times(7))
    #expect(times(7) != times(8))
  }

  @Test func aChangedConfigurationIsFollowed() {
    var bench = online()
    bench.record()
    bench.tell(.rulesChanged(.testing))
    #expect(state(bench) == .offline(.noServer))
    #expect(bench.pass(.seconds(301)).sent.count == 1)
  }
}
