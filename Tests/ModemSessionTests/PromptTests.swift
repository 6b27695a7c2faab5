import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// A prompt that comes too late, an escape that nobody takes, and modems without PDU mode.
@Suite struct PromptTests {
  private func steps(_ bench: Bench) -> [String] {
    bench.events.compactMap { event in
      guard case .log(let entry) = event, entry.name == "modem_recovering",
        let field = entry.fields.first(where: { $0.key == "step" }),
        case .text(let step) = field.value
      else { return nil }
      return step
    }
  }

  // What is asked of it from then on is the text that it waits for.
  @Test(arguments: [9, 11, 14, 25])
  func aLatePromptThatTakesNoEscapeIsEndedBeforeAReset(_ seconds: Int) {
    var bench = Bench {
      $0.resets = [.resetUSB, .powerCycle]
    } modem: {
      $0.profile = .huawei
    }
    bench.start()
    bench.pass(.seconds(30))
    bench.inject(.latePrompt(.seconds(seconds)))
    bench.send(1)
    bench.pass(.seconds(90))
    #expect(bench.session.status.state == .ready)
    #expect(bench.resets == [])
    #expect(!steps(bench).contains("reopen"), "\(steps(bench))")
    let texts = bench.network.count { if case .submitted = $0 { true } else { false } }
    #expect(texts == (seconds < 10 ? 1 : 0))
    bench.send(2)
    bench.pass(.seconds(30))
    guard case .accepted = bench.outcomes.last?.outcome else {
      Issue.record("\(bench.outcomes)")
      return
    }
  }

  // In text mode it would send whatever was typed.
  @Test func nothingIsEndedThatWasNotBegun() {
    var line = HandPlayed()
    line.start()
    line.run(for: .seconds(600)) { _ in nil }
    #expect(line.count("") == 0, "a Ctrl-Z alone")
  }

  @Test func aModemThatIsMuteAtATextIsToldOnceToEndIt() {
    var line = HandPlayed()
    line.start()
    line.send()
    var isMute = false
    line.run(for: .seconds(3_600)) { command in
      isMute = isMute || command.hasPrefix("AT+CMGS=")
      return isMute ? nil : HandPlayed.healthy(command)
    }
    #expect(line.count("") == 1, "a Ctrl-Z alone")
  }

  // Whether it is still in PDU mode is asked before the next text goes to whom the digits name.
  @Test(arguments: [true, false]) func afterASilenceInATextTheModeIsAskedFor(_ isPrompted: Bool) {
    var line = HandPlayed()
    line.start()
    line.send()
    var isSilent = true
    line.run(for: .seconds(400)) { command in
      let isText = command.hasPrefix("AT+CMGS=") || command.hasSuffix("\u{1A}")
      guard isText, isSilent, !(isPrompted && command.hasPrefix("AT+CMGS=")) else {
        return HandPlayed.healthy(command)
      }
      isSilent = false
      return nil
    }
    line.send("again")
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    let texts = line.commands.indices.filter { line.commands[$0].hasPrefix("AT+CMGS=") }
    #expect(texts.count == 2)
    guard let first = texts.first, let last = texts.last else { return }
    #expect(line.commands[first...last].contains("AT+CMGF?"))
    #expect(line.commands[first...last].contains("AT+CMGF=0"))
  }

  @Test func anOKWithoutAReferenceLeadsToAFreshSetup() {
    var line = HandPlayed()
    line.start()
    line.send()
    line.run(for: .seconds(10)) {
      $0.hasSuffix("\u{1A}") ? "\r\nOK\r\n" : HandPlayed.healthy($0)
    }
    guard case .unknown = line.outcomes.first else {
      Issue.record("\(line.outcomes)")
      return
    }
    #expect(line.count("AT+CMGF=0") == 2)
  }

  // MARK: No PDU mode

  /// Runs a modem that refuses PDU mode for hours.
  private func withoutPDUMode(_ mode: String, for time: Duration = .seconds(6 * 3_600))
    -> HandPlayed
  {
    var line = HandPlayed { $0.resets = [.resetUSB, .powerCycle] }
    line.run(for: time) { command in
      if command.hasPrefix("AT+CMGF=0") { return "\r\nERROR\r\n" }
      return command.hasPrefix("AT+CMGF?") ? mode : HandPlayed.healthy(command)
    }
    return line
  }

  @Test func aModemOfTextModeIsCalledSo() {
    let line = withoutPDUMode("\r\n+CMGF: 1\r\n\r\nOK\r\n")
    let words = line.session.status.lastError ?? ""
    #expect(words.contains("text mode"), "\(words)")
    #expect(line.session.status.state == .failed(words))
    #expect(line.count("AT+CFUN=1,1") <= 1)
    #expect(line.resets == [])
    let told = line.events.count {
      if case .log(let entry) = $0 { entry.name == "modem_unfit" } else { false }
    }
    #expect(told == 1)
  }

  @Test(arguments: ["\r\nERROR\r\n", "\r\n+CME ERROR: 4\r\n", "\r\n+CMS ERROR: 303\r\n"])
  func aModemWithoutTextsIsCalledSo(_ answer: String) {
    let line = withoutPDUMode(answer)
    let words = line.session.status.lastError ?? ""
    #expect(words.contains("no text messages"), "\(words)")
    #expect(line.count("AT+CFUN=1,1") <= 1)
  }

  @Test func itIsLookedAtAgainAndTakenOnceItCan() {
    var line = withoutPDUMode("\r\nERROR\r\n", for: .seconds(1_000))
    line.run(for: .seconds(700), answering: HandPlayed.healthy)
    #expect(line.session.status.state == .ready)
    #expect(line.session.status.lastError == nil)
  }

  @Test func anOperatorMaySpeakToItMeanwhile() {
    var line = withoutPDUMode("\r\nERROR\r\n", for: .seconds(1_000))
    line.tell(.request(.command(id: 3, text: "AT+GCAP", timeout: .seconds(5))))
    line.run(for: .seconds(5), answering: HandPlayed.healthy)
    let finals = line.events.compactMap { event -> String? in
      if case .commandFinished(3, _, let final) = event { final } else { nil }
    }
    #expect(finals == ["OK"])
  }
}
