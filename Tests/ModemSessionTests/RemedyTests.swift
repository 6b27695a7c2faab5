import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// What a session does by itself before somebody has to come.
@Suite struct RemedyTests {
  private func refusals(_ bench: Bench) -> [ModemError] {
    bench.outcomes.compactMap { if case .refused(let error) = $0.outcome { error } else { nil } }
  }

  /// A text has gone, and nobody told of the report on it.
  private func benchWithAnUntoldReport() -> Bench {
    var bench = Bench()
    bench.start()
    bench.inject(.loseIndication(1))
    bench.tell(
      .request(
        .send(OutgoingText(id: 1, to: "+15550100", body: "text", requestStatusReport: true))))
    bench.pass(.seconds(60))
    return bench
  }

  // A report whose indication was lost, or came while nobody was there, lies where no message does.
  @Test func reportsOfWhichNobodyToldAreFound() {
    var bench = benchWithAnUntoldReport()
    #expect(bench.outcomes.map(\.id) == [1])
    #expect(bench.received.isEmpty, "nobody told of it")
    bench.pass(.seconds(3_600))
    #expect(Set(bench.received.map(\.storage)) == ["SR"])
  }

  @Test func reportsThatCameBeforeTheStartAreFound() {
    var bench = benchWithAnUntoldReport()
    bench.session = ModemSession(configuration: bench.session.configuration)
    bench.start()
    bench.pass(.seconds(10))
    #expect(bench.received.map(\.storage) == ["SR"])
  }

  @Test func whatIsTypedIsMeantForTheMessages() {
    var bench = Bench()
    bench.start()
    for second in 0..<40 {
      bench.tell(
        .request(.command(id: Int64(second), text: "AT+CPMS?", timeout: .seconds(5))))
      bench.pass(.milliseconds(25))
    }
    let answers = bench.events.compactMap { event -> String? in
      guard case .commandFinished(_, let lines, _) = event else { return nil }
      return lines.first
    }
    #expect(answers.count == 40)
    #expect(answers.allSatisfy { $0.hasPrefix("+CPMS: \"SM\"") }, "\(answers)")
    #expect(bench.commands.contains("AT+CPMS=\"SR\""))
  }

  @Test func aModemThatBearsNoLookIntoItsReportsIsLookedIntoOnce() {
    var line = HandPlayed()
    var looks = 0
    line.run(
      steps: 100_000, until: { $0.now >= .zero + .seconds(7_200) },
      answering: { command in
        guard command.hasPrefix("AT+CPMS=\"SR\"") else { return HandPlayed.healthy(command) }
        looks += 1
        return nil
      })
    #expect(line.now >= .zero + .seconds(7_200))
    #expect(looks == 1)
    #expect(line.session.status.state == .ready)
  }

  // V.250 6.2.5: after ATQ1 a modem does what it is told and says nothing of it.
  @Test func aModemThatWasToldToSayNothingIsMadeToSpeak() {
    var line = HandPlayed()
    var isQuiet = true
    line.run(
      steps: 400, until: { $0.session.status.manufacturer != nil },
      answering: { command in
        if command.hasPrefix("ATQ0") { isQuiet = false }
        return isQuiet ? nil : HandPlayed.healthy(command)
      })
    #expect(line.session.status.manufacturer == "Maker")
  }

  @Test(arguments: [198, 199]) func aTextWhoseValidityIsRefusedGoesWithoutOne(_ code: Int) {
    var bench = Bench()
    bench.start()
    bench.inject(.refuse(code: code, times: 1))
    bench.tell(
      .request(.send(OutgoingText(id: 1, to: "+15550100", body: "text", validity: .seconds(600)))))
    bench.pass(.seconds(60))
    #expect(bench.outcomes.map(\.outcome) == [.accepted(references: [0])])
    #expect(bench.commands.filter { $0.hasPrefix("AT+CMGS") }.count == 2)
    // One without a validity period is refused for what it is.
    bench.inject(.refuse(code: code, times: 1))
    bench.send(2)
    bench.pass(.seconds(60))
    #expect(refusals(bench) == [ModemError(.cms, code: code)])
  }

  @Test(arguments: [303, 304, 305, 310, 311]) func settingsThatMayBeLostAreMadeAgain(_ code: Int) {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(10))
    bench.inject(.refuse(code: code, times: 1))
    bench.send(1)
    bench.pass(.seconds(20))
    #expect(refusals(bench) == [ModemError(.cms, code: code)])
    #expect(bench.commands.filter { $0 == "AT+CMGF=0" }.count == 2)
    bench.send(2)
    bench.pass(.seconds(20))
    #expect(bench.outcomes.last?.outcome == .accepted(references: [0]))
  }

  @Test func aSIMThatFailsIsGivenItsPowerAnew() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(1_800))
    bench.inject(.refuse(code: 313, times: 1))
    bench.send(1)
    bench.pass(.seconds(60))
    #expect(bench.commands.contains("AT+CFUN=1,1"))
  }

  @Test func theSameFailureIsKeptOnce() {
    var bench = Bench()
    bench.start()
    bench.inject(.mute(nil))
    bench.send(1)
    bench.pass(.seconds(1_200))
    #expect(Set(bench.traces).count == bench.traces.count)
    #expect(!bench.traces.isEmpty)
  }

  @Test func aClockThatNobodyHasSetTellsNothing() {
    var bench = Bench()
    bench.start()
    func times() -> Int {
      bench.events.count { if case .networkTime = $0 { true } else { false } }
    }
    let before = times()
    for text in ["80/01/06,00:00:40", "70/01/01,00:00:40", "04/01/01,00:00:00"] {
      bench.tell(.received(Array("\r\n^NWTIME: \(text)+00,00\r\n".utf8)))
    }
    #expect(times() == before)
    bench.tell(.received(Array("\r\n^NWTIME: 26/11/21,08:00:00+23,00\r\n".utf8)))
    #expect(times() == before + 1)
  }

  // The stick takes packed septets for a code that nobody knows.
  @Test func aCodeIsAskedPlainWhereItIsNotToBePacked() {
    var bench = Bench(modem: {
      $0.profile = .huawei
    })
    bench.start()
    bench.pass(.seconds(10))
    for id in 1...2 as ClosedRange<Int64> {
      bench.tell(.request(.ussd(id: id, code: "*100#")))
      bench.pass(.seconds(30))
    }
    let answers = bench.events.compactMap { event -> Bool? in
      guard case .ussdFinished(_, let outcome) = event else { return nil }
      if case .refused = outcome { return false }
      return true
    }
    #expect(answers == [true, true])
    #expect(
      bench.commands.filter { $0.hasPrefix("AT+CUSD=1") }.count == 3)
  }
}
