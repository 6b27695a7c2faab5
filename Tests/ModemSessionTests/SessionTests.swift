import Events
import GSM
import ModemModel
import ModemSession
import SeededRandom
import Testing
import Time

@Suite struct SessionTests {
  // MARK: Setup

  @Test func setsAModemUp() {
    var bench = Bench()
    bench.start()
    #expect(bench.session.status.state == .ready)
    #expect(bench.session.status.canSend)
    #expect(bench.session.status.smsc == "+9779800000000")
    #expect(bench.commands.contains("AT+CMGF=0"))
    #expect(bench.commands.contains("AT+CNMI=2,1,0,2,0"))
  }

  @Test func setsTheServiceCentreWhenItIsConfigured() {
    var bench = Bench({ $0.smsc = "+9779811111111" })
    bench.start()
    #expect(bench.commands.contains("AT+CSCA=\"+9779811111111\",145"))
    #expect(bench.session.status.smsc == "+9779811111111")
  }

  @Test func waitsForTheNetwork() {
    var bench = Bench(modem: { $0.registrationDelay = .seconds(90) })
    bench.start()
    #expect(bench.session.status.state == .registering)
    bench.send(1)
    guard case .notSent = bench.outcomes.last?.outcome else {
      Issue.record("without a network nothing can be sent")
      return
    }
    bench.pass(.seconds(120))
    #expect(bench.session.status.state == .ready)
  }

  @Test func waitsForABusySIM() {
    var bench = Bench()
    bench.inject(.simBusy(.seconds(9)))
    bench.start()
    #expect(!bench.session.status.canSend)
    bench.pass(.seconds(15))
    #expect(bench.session.status.state == .ready)
  }

  @Test func saysThatTheSIMIsMissing() {
    var bench = Bench(modem: { $0.hasSIM = false })
    bench.start()
    guard case .simLocked(let reason) = bench.session.status.state else {
      Issue.record("without a SIM it cannot go on: \(bench.session.status.state)")
      return
    }
    #expect(reason.contains("no SIM"))
  }

  @Test func aLockOfWhichTheModemSaysNothingIsFound() {
    var bench = Bench()
    bench.start()
    bench.inject(.handsetLock)
    bench.pass(.seconds(60))
    guard case .simLocked(let reason) = bench.session.status.state else {
      Issue.record("\(bench.session.status.state)")
      return
    }
    #expect(reason.contains("PH-SIM"))
  }

  @Test func aSIMThatIsPutInIsSeenAtOnce() {
    var bench = Bench()
    bench.start()
    bench.inject(.simRemoved(.seconds(31)))
    bench.pass(.seconds(30))
    guard case .simLocked = bench.session.status.state else {
      Issue.record("\(bench.session.status.state)")
      return
    }
    bench.pass(.seconds(4))
    #expect(bench.session.status.state == .ready)
  }

  @Test func anOperatorsCommandIsAnsweredWhileTheSIMIsLocked() {
    var bench = Bench(modem: { $0.hasSIM = false })
    bench.start()
    bench.pass(.seconds(58))
    bench.inject(.slow(.seconds(4)))
    bench.tell(.request(.command(id: 9, text: "AT+GCAP", timeout: .seconds(30))))
    bench.pass(.seconds(60))
    let finals = bench.events.compactMap { event -> String? in
      if case .commandFinished(9, _, let final) = event { final } else { nil }
    }
    #expect(finals == ["OK"])
  }

  @Test func aModemThatLeavesAResultOutIsSetUp() {
    var bench = Bench()
    bench.inject(.storageWithoutOK)
    bench.start()
    bench.pass(.seconds(10))
    #expect(bench.session.status.state == .ready)
  }

  @Test func everyByteAloneMakesATextAllTheSame() {
    var bench = Bench()
    bench.start()
    bench.inject(.trickle)
    bench.send(1)
    bench.pass(.seconds(5))
    #expect(bench.outcomes.map(\.outcome) == [.accepted(references: [0])])
  }

  @Test func triesAPINOnceAndNeverAgain() {
    var bench = Bench({ $0.pin = "0000" }, modem: { $0.pin = "1234" })
    bench.start()
    bench.pass(.seconds(3_600))
    bench.inject(.restart)
    bench.pass(.seconds(3_600))
    #expect(bench.commands.filter { $0.hasPrefix("AT+CPIN=") }.count == 1)
    guard case .simLocked = bench.session.status.state else {
      Issue.record("the SIM stays locked: \(bench.session.status.state)")
      return
    }
  }

  @Test func aPINIsNeverInTheLog() {
    var bench = Bench({ $0.pin = "4711" }, modem: { $0.pin = "1234" })
    bench.start()
    for case .log(let entry) in bench.events { #expect(!entry.words.contains("4711")) }
  }

  @Test func aModemThatNeverAnswersIsExplained() {
    var bench = Bench()
    bench.inject(.mute(nil))
    bench.start()
    bench.pass(.seconds(30))
    let reasons = bench.events.compactMap { event -> String? in
      if case .status(let status) = event, case .failed(let reason) = status.state {
        reason
      } else {
        nil
      }
    }
    #expect(reasons.first?.contains("does not answer AT") == true, "silence has to be a failure")
    bench.inject(.healed)
    bench.pass(.seconds(60))
    #expect(bench.session.status.state == .ready)
  }

  // MARK: Idle

  @Test func anIdleModemIsAskedTwiceAMinuteAtMost() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(60))
    let before = bench.commands.count
    bench.pass(.seconds(3_600))
    #expect(bench.commands.count - before <= 120)
    #expect(bench.commands.count - before >= 60)
  }

  @Test func aModemThatRestartsIsSetUpAgain() {
    var bench = Bench(modem: { $0.profile = .huawei })
    bench.start()
    bench.inject(.restart)
    bench.pass(.seconds(30))
    #expect(bench.session.status.state == .ready)
    #expect(bench.commands.filter { $0 == "AT+CMGF=0" }.count == 2, "\(bench.commands)")
    bench.send(1)
    #expect(bench.outcomes.last?.outcome == .accepted(references: [0]))
  }

  // MARK: Sending

  @Test func textsGoInTheirOrder() {
    var bench = Bench(modem: { $0.sendDelay = .seconds(2) })
    bench.start()
    for id in 1...5 as ClosedRange<Int64> { bench.send(id) }
    bench.pass(.seconds(60))
    #expect(bench.outcomes.map(\.id) == [1, 2, 3, 4, 5])
    #expect(
      bench.outcomes.map(\.outcome) == (0...4).map { .accepted(references: [UInt8($0)]) })
  }

  @Test func everyOutcomeIsItsOwn() {
    var bench = Bench(modem: { $0.sendDelay = .seconds(1) })
    bench.start()
    bench.inject(.refuse(code: 42, times: 1))
    bench.send(1)
    bench.pass(.seconds(5))
    bench.inject(.loseAnswer)
    bench.send(2)
    bench.pass(.seconds(200))
    bench.inject(.noPrompt)
    bench.send(3)
    bench.pass(.seconds(30))
    bench.send(4)
    bench.pass(.seconds(30))
    #expect(bench.outcomes.map(\.id) == [1, 2, 3, 4])
    #expect(bench.outcomes[0].outcome == .refused(ModemError(.cms, code: 42)))
    if case .unknown = bench.outcomes[1].outcome {} else { Issue.record("2 is unknown") }
    if case .notSent = bench.outcomes[2].outcome {} else { Issue.record("3 never left") }
    if case .accepted = bench.outcomes[3].outcome {} else { Issue.record("4 goes") }
  }

  @Test func aLateAnswerIsNotTakenForThatOfTheNextText() {
    var bench = Bench(
      {
        $0.timeouts.submit = .seconds(20)
      }, modem: { $0.promptDelay = .seconds(3) })
    bench.start()
    bench.inject(.lateAnswer(.seconds(26)))
    bench.send(1)
    bench.pass(.seconds(24))
    bench.send(2)
    bench.pass(.seconds(30))
    #expect(bench.outcomes.count == 2)
    if case .unknown = bench.outcomes[0].outcome {} else { Issue.record("1 is unknown") }
    #expect(bench.outcomes[1].outcome == .accepted(references: [1]))
  }

  @Test func aTextThatCannotBeOneIsRefusedBeforeTheModemIsTouched() {
    var bench = Bench()
    bench.start()
    let before = bench.commands.count
    bench.send(1, to: "no number at all")
    bench.send(2, String(repeating: "x", count: 100_000))
    #expect(bench.outcomes.map(\.id) == [1, 2])
    for outcome in bench.outcomes {
      if case .refused = outcome.outcome {} else { Issue.record("\(outcome)") }
    }
    #expect(!bench.commands[before...].contains { $0.hasPrefix("AT+CMGS") })
  }

  @Test func aPulledPlugInTheMiddleIsUnknownAndBeforeItNotSent() {
    var bench = Bench(modem: { $0.sendDelay = .seconds(5) })
    bench.start()
    bench.send(1)
    bench.send(2)
    bench.pass(.seconds(1))
    bench.unplug()
    if case .unknown = bench.outcomes.first?.outcome {} else { Issue.record("1 had left") }
    if case .notSent = bench.outcomes.last?.outcome {} else { Issue.record("2 never left") }
    bench.pass(.seconds(600))
    bench.plug()
    bench.pass(.seconds(30))
    #expect(bench.session.status.state == .ready)
  }

  @Test func everyTextIsAnsweredOnceWhateverHappens() {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var bench = Bench(modem: { $0.sendDelay = .milliseconds(1_500) })
      bench.start()
      var asked: [Int64] = []
      for id in 1...20 as ClosedRange<Int64> {
        switch random.next() % 12 {
        case 0: bench.inject(.mute(.seconds(Int64.random(in: 1...300, using: &random))))
        case 1: bench.inject(.loseAnswer)
        case 2: bench.inject(.noPrompt)
        case 3: bench.inject(.restart)
        case 4: bench.inject(.unregistered(.seconds(30)))
        case 5: bench.inject(.lateAnswer(.seconds(Int64.random(in: 1...250, using: &random))))
        case 6: bench.isPlugged ? bench.unplug() : bench.plug()
        default: break
        }
        bench.send(id)
        asked.append(id)
        bench.pass(.milliseconds(Int64.random(in: 0...20_000, using: &random)))
      }
      if !bench.isPlugged { bench.plug() }
      bench.inject(.healed)
      bench.pass(.seconds(3_600))
      #expect(bench.outcomes.map(\.id).sorted() == asked, "seed \(seed)")
      #expect(bench.session.status.state == .ready, "seed \(seed)")
    }
  }

  // MARK: Receiving

  @Test func aMessageIsToldAndDeletedOnlyWhenItIsConfirmed() throws {
    var bench = Bench()
    bench.start()
    try bench.receive(from: "+9779812345678", "hello")
    bench.pass(.seconds(5))
    let inbound = try #require(bench.received.last)
    #expect(inbound.storage == "SM")
    #expect(!bench.commands.contains { $0.hasPrefix("AT+CMGD") })
    bench.tell(.request(.confirmStored(token: inbound.token)))
    bench.pass(.seconds(5))
    #expect(bench.commands.contains("AT+CMGD=1"))
  }

  @Test func anotherMessageInTheSamePlaceHasAnotherToken() throws {
    var bench = Bench(modem: { $0.commandDelay = .seconds(1) })
    bench.start()
    bench.pass(.seconds(60))
    try bench.receive(from: "+9779812345678", "first")
    bench.pass(.seconds(5))
    let first = try #require(bench.received.last)
    // It is confirmed while a list is under way that still has it.
    bench.tell(.request(.sweep))
    bench.tell(.request(.confirmStored(token: first.token)))
    bench.pass(.seconds(10))
    try bench.receive(from: "+9779812345678", "second")
    bench.pass(.seconds(5))
    let second = try #require(bench.received.last)
    #expect(second.index == first.index)
    #expect(second.hex != first.hex)
    let tokensOfFirst = bench.received.filter { $0.hex == first.hex }.map(\.token)
    #expect(!tokensOfFirst.contains(second.token))
  }

  @Test func whatIsNotConfirmedIsToldAgain() throws {
    var bench = Bench()
    bench.start()
    try bench.receive(from: "+9779812345678", "hello")
    bench.pass(.seconds(700))
    #expect(bench.received.count >= 2)
    #expect(Set(bench.received.map(\.token)).count == 1)
  }

  @Test func aMessageOfWhichTheModemSaysNothingIsFound() throws {
    var bench = Bench()
    bench.start()
    bench.inject(.silentReception)
    try bench.receive(from: "+9779812345678", "hello")
    bench.pass(.seconds(1))
    #expect(bench.received.isEmpty)
    bench.pass(.seconds(601))
    #expect(bench.received.count == 1)
  }

  @Test func theReportOfATextIsRead() throws {
    var bench = Bench()
    bench.start()
    bench.send(1)
    bench.pass(.seconds(10))
    let report = try #require(bench.received.last)
    #expect(report.storage == "SR")
    guard
      case .statusReport(let status) = try PDU.decode(
        hex: report.hex, direction: .mobileTerminated
      ).tpdu
    else {
      Issue.record("no report")
      return
    }
    #expect(status.messageReference == 0)
    bench.tell(.request(.confirmStored(token: report.token)))
    bench.pass(.seconds(10))
    #expect(bench.commands.last == "AT+CPMS=\"SM\"")
  }

  // MARK: Operators

  @Test func settingsThatAnOperatorChangedAreSetAgain() {
    var bench = Bench()
    bench.start()
    bench.tell(.request(.command(id: 1, text: "AT+CMGF=1", timeout: .seconds(5))))
    bench.pass(.seconds(10))
    #expect(bench.commands.last { $0.hasPrefix("AT+CMGF") } == "AT+CMGF=0")
    #expect(bench.session.status.state == .ready)
  }

  @Test func theEndDoesNotWaitForEverForAnAnswer() {
    var bench = Bench()
    bench.start()
    bench.inject(.loseAnswer)
    bench.send(1)
    bench.pass(.seconds(5))
    bench.tell(.request(.stop))
    #expect(bench.outcomes.isEmpty)
    bench.pass(.seconds(59))
    #expect(bench.outcomes.isEmpty, "a network may take so long over a text")
    bench.pass(.seconds(2))
    guard case .unknown = bench.outcomes.first?.outcome else {
      Issue.record("\(bench.outcomes)")
      return
    }
    #expect(bench.session.status.state == .closed)
    #expect(bench.session.deadline == nil)
  }

  @Test func stoppingEndsWithoutWaitingForASilentModem() {
    var bench = Bench()
    bench.start()
    bench.inject(.mute(nil))
    bench.pass(.seconds(61))
    bench.tell(.request(.stop))
    #expect(bench.session.status.state == .closed)
  }
}
