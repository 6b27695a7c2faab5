import ModemModel
import ModemSession
import Testing
import Time

/// A SIM800 that starts: it answers `ERROR` until it says `SMS Ready` (Seeed-Studio/GPRS_SIM900#39), and
/// without a fixed speed it says nothing of a restart before.
@Suite struct StartTests {
  private static let messages = ["AT+CMGF", "AT+CSMS", "AT+CSCS", "AT+CPMS", "AT+CNMI", "AT+CSCA"]

  private func healthy(_ command: String) -> String {
    command.hasPrefix("AT+CGMI") ? "\r\nSIMCOM_Ltd\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
  }

  private func starting(_ command: String) -> String {
    StartTests.messages.contains { command.hasPrefix($0) } && command != "AT+CMGF?\r"
      ? "\r\nERROR\r\n" : healthy(command)
  }

  /// A modem that has worked for ten minutes.
  private func settled() -> HandPlayed {
    var line = HandPlayed()
    line.run(for: .seconds(600), answering: healthy)
    #expect(line.session.status.state == .ready)
    return line
  }

  @Test(arguments: [2, 7, 20, 45, 58]) func aStartingModemIsWaitedFor(seconds: Int64) {
    for isTold in [true, false] {
      var line = settled()
      line.hear("RDY")
      line.hear("+CFUN: 1")
      line.hear("+CPIN: READY")
      line.run(for: .seconds(seconds), answering: starting)
      #expect(!line.session.status.canSend)
      if isTold {
        line.hear("Call Ready")
        line.hear("SMS Ready")
      }
      let ready = line.now
      line.run(
        steps: 10_000, until: { $0.session.status.canSend }, answering: healthy)
      // Told, it is asked at once; otherwise soon.
      #expect(ready.duration(to: line.now) <= (isTold ? .seconds(1) : .seconds(3)))
      line.run(for: .seconds(30), answering: healthy)
      #expect(line.session.status.state == .ready)
      #expect(!line.commands.contains("AT+CFUN=1,1"))
      #expect(line.steps == ["resynchronise"], "the one for the restart itself")
    }
  }

  @Test func aModemThatIsNeverReadyIsTroubleAfterAMinute() {
    var line = settled()
    line.hear("RDY")
    line.run(for: .seconds(50), answering: starting)
    #expect(line.steps == ["resynchronise"])
    line.run(for: .seconds(120), answering: starting)
    #expect(line.commands.contains("AT+CFUN=1,1"))
  }

  // Without a restart a refusal is no matter of time.
  @Test func aModemThatHasLongStartedIsNotWaitedFor() {
    var line = settled()
    line.tell(.request(.command(id: 1, text: "ATZ", timeout: .seconds(5))))
    line.run(for: .seconds(3), answering: starting)
    #expect(line.steps.first == "resynchronise")
  }

  @Test func aSIM800ThatStartsSlowlyIsReadyWhenItSaysSo() {
    var bench = Bench(modem: { $0.profile = .simcom })
    bench.start()
    bench.pass(.seconds(900))
    bench.inject(.lateMessages(.seconds(25)))
    bench.pass(.seconds(24))
    #expect(!bench.session.status.canSend)
    bench.pass(.seconds(2))
    #expect(bench.session.status.canSend)
    #expect(!bench.commands.contains("AT+CFUN=1,1"))
  }

  // MARK: In the middle of a text

  @Test func aSIM800ThatRestartsWithoutAWordCostsATextASecondAndNotMinutes() {
    var bench = Bench(modem: {
      $0.profile = .simcom
      $0.sendDelay = .seconds(20)
    })
    bench.start()
    bench.pass(.seconds(900))
    bench.send(1)
    bench.pass(.seconds(2))
    bench.inject(.quietRestart(.seconds(3)))
    bench.pass(.seconds(3))
    guard case .unknown? = bench.outcomes.first?.outcome else {
      Issue.record("\(bench.outcomes)")
      return
    }
    bench.pass(.seconds(5))
    #expect(bench.session.status.canSend)
  }

  /// A modem that takes a text and then says nothing of it.
  private func silent(_ command: String) -> String? {
    command.hasSuffix("\u{1A}") ? nil : healthy(command)
  }

  @Test(arguments: ["Call Ready", "SMS Ready"])
  func aTextIsNotWaitedForOnceTheModemHasStartedAnew(_ mark: String) {
    var line = settled()
    line.send()
    line.run(for: .seconds(2), answering: silent)
    #expect(line.outcomes == [])
    let started = line.now
    line.hear(mark)
    line.run(steps: 20, until: { !$0.outcomes.isEmpty }, answering: silent)
    guard case .unknown(let reason)? = line.outcomes.first else {
      Issue.record("\(line.outcomes)")
      return
    }
    #expect(reason.contains(mark))
    #expect(line.now == started)
    line.run(for: .seconds(30), answering: healthy)
    #expect(line.session.status.state == .ready)
    #expect(line.count("AT+CMGF=0") == 2)
  }

  @Test func aTextThatNeverLeftIsNotSent() {
    var line = settled()
    line.send()
    line.run(
      steps: 20, until: { $0.commands.last?.hasPrefix("AT+CMGS") == true },
      answering: { $0.hasPrefix("AT+CMGS") ? nil : healthy($0) })
    line.hear("Call Ready")
    line.run(steps: 20, until: { !$0.outcomes.isEmpty }, answering: silent)
    guard case .notSent? = line.outcomes.first else {
      Issue.record("\(line.outcomes)")
      return
    }
  }

  // The words of a start that was known come up to half a minute after it.
  @Test(arguments: ["Call Ready", "SMS Ready", "PB DONE"])
  func theLateWordsOfAStartThatIsKnownEndNoText(_ mark: String) {
    for isRestart in [true, false] {
      var line = isRestart ? settled() : HandPlayed()
      if isRestart { line.hear("RDY") }
      line.run(for: .seconds(10), answering: healthy)
      #expect(line.session.status.canSend)
      line.send()
      line.run(for: .seconds(2), answering: silent)
      line.hear(mark)
      line.run(for: .seconds(1), answering: silent)
      #expect(line.outcomes == [])
      line.hear("+CMGS: 9")
      line.hear("OK")
      line.run(for: .seconds(10), answering: healthy)
      #expect(line.outcomes == [.accepted(references: [9])])
    }
  }

  // The phone book is read anew without a restart, as when the network changes the SIM's contents.
  @Test func aPhoneBookThatIsReadAgainEndsNoText() {
    var line = settled()
    line.send()
    line.run(for: .seconds(2), answering: silent)
    line.hear("PB DONE")
    line.hear("+CMGS: 9")
    line.hear("OK")
    line.run(for: .seconds(10), answering: healthy)
    #expect(line.outcomes == [.accepted(references: [9])])
  }
}
