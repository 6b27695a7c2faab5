import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// Nothing that befalls a modem is a state without a way out, and nobody has to come for it.
@Suite struct RecoveryPathTests {
  // Some tell half a minute after a start that their phone book is read.
  @Test(arguments: ["PB DONE", "+PBREADY", "Call Ready", "*EMRDY: 1", "+CFUN: 1"])
  func aLateWordOfTheStartLeavesATextAlone(_ word: String) {
    var line = HandPlayed()
    line.start()
    line.send()
    line.run(for: .seconds(20)) { command in
      let said = HandPlayed.healthy(command)
      return command.hasSuffix("\u{1A}") ? "\r\n\(word)\r\n" + said : said
    }
    #expect(line.outcomes == [.accepted(references: [7])])
    // It may have restarted without another word.
    #expect(line.count("ATE0") == 2)
    #expect(line.session.status.state == .ready)
  }

  @Test(arguments: ModemProfile.named.map(\.name))
  func everyMakersModemIsSetUpAgainWhenItRestarts(_ maker: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    var bench = Bench(modem: { $0.profile = profile })
    bench.start()
    bench.pass(.seconds(30))
    let before = bench.commands.count { $0 == "AT+CMGF=0" }
    bench.inject(.restart)
    bench.pass(.seconds(40))
    #expect(bench.session.status.state == .ready)
    #expect(bench.commands.count { $0 == "AT+CMGF=0" } > before)
  }

  @Test func aModemThatEchoesAgainIsSetUpAgain() {
    var line = HandPlayed()
    line.start()
    var echoes = true
    line.run(for: .seconds(120)) { command in
      if command.hasPrefix("ATE0") { echoes = false }
      return (echoes ? command + "\n" : "") + HandPlayed.healthy(command)
    }
    #expect(line.count("ATE0") == 2)
    // One that cannot leave it is not set up all the time.
    line.run(for: .seconds(3_600)) { $0 + "\n" + HandPlayed.healthy($0) }
    #expect(line.count("ATE0") <= 2 + 7)
    #expect(line.session.status.state == .ready)
  }

  @Test func aPortThatIsThereAndDoesNotOpenIsReset() {
    var line = HandPlayed { $0.resets = [.resetUSB, .powerCycle] }
    line.opening = .openFailed(reason: "/dev/modem: open: Input/output error", .failed)
    line.run(for: .seconds(50), answering: HandPlayed.healthy)
    #expect(line.resets == [])
    line.run(for: .seconds(3_600), answering: HandPlayed.healthy)
    #expect(line.resets.starts(with: [.resetUSB, .powerCycle]))
    #expect((4...6).contains(line.resets.count), "\(line.resets)")
    line.opening = .opened(path: "/dev/modem")
    line.start()
    #expect(line.session.status.state == .ready)
  }

  @Test func aPortThatIsNotForUsIsNotReset() {
    var line = HandPlayed { $0.resets = [.resetUSB, .powerCycle] }
    line.opening = .openFailed(reason: "/dev/modem: permission denied", .refused)
    line.run(for: .seconds(3_600), answering: HandPlayed.healthy)
    #expect(line.resets == [])
  }

  @Test func aModemThatStaysAwayIsGivenItsPowerAnew() {
    var line = HandPlayed { $0.resets = [.resetUSB, .powerCycle] }
    line.opening = .openFailed(reason: "/dev/modem: no such port", .absent)
    line.run(for: .seconds(590), answering: HandPlayed.healthy)
    #expect(line.resets == [])
    line.run(for: .seconds(7_200), answering: HandPlayed.healthy)
    #expect(line.resets == Array(repeating: .powerCycle, count: 4))
  }

  @Test func aModemThatLosesItsSIMIsStartedAnewBeforeSomebodyHasToCome() {
    var line = HandPlayed()
    var isGone = true
    func answer(_ command: String) -> String {
      if command.hasPrefix("AT+CFUN=1,1") { isGone = false }
      return isGone && command.hasPrefix("AT+CPIN?")
        ? "\r\n+CME ERROR: 10\r\n" : HandPlayed.healthy(command)
    }
    line.run(for: .seconds(100), answering: answer)
    #expect(line.count("AT+CFUN=1,1") == 0)
    #expect(line.session.status.lastError == "there is no SIM in the modem; put one in")
    line.run(for: .seconds(200), answering: answer)
    #expect(line.session.status.state == .ready)
  }

  @Test(arguments: ["+CME ERROR: 10", "+CME ERROR: 13", "ERROR", "+CPIN: NOT READY"])
  func aSIMThatIsNotThereIsNoReasonToStartAnewAllTheTime(_ word: String) {
    var line = HandPlayed()
    let said = "\r\n\(word)\r\n" + (word.hasPrefix("+CPIN") ? "\r\nOK\r\n" : "")
    line.run(for: .seconds(6 * 3_600)) {
      $0.hasPrefix("AT+CPIN?") ? said : HandPlayed.healthy($0)
    }
    #expect((1...3).contains(line.count("AT+CFUN=1,1")), "\(line.count("AT+CFUN=1,1"))")
    let words = line.session.status.lastError ?? ""
    #expect(words.contains("not after a fresh start either"), "\(words)")
  }

  // A modem that was denied once holds its SIM for invalid until it starts anew.
  @Test(arguments: ["+CREG: 1,3", "+CREG: 1,2"], [20, 99])
  func aModemWithoutANetworkIsStartedAnewSeldom(_ registration: String, _ signal: Int) {
    var line = HandPlayed { $0.resets = [.powerCycle] }
    func answer(_ command: String) -> String {
      if command.hasPrefix("AT+CREG?") { return "\r\n\(registration)\r\n\r\nOK\r\n" }
      if command.hasPrefix("AT+CSQ") { return "\r\n+CSQ: \(signal),99\r\n\r\nOK\r\n" }
      return HandPlayed.healthy(command)
    }
    line.run(for: .seconds(1_850), answering: answer)
    #expect(line.steps.first == "restart")
    line.run(for: .seconds(12 * 3_600), answering: answer)
    #expect(Array(line.steps.prefix(3)) == ["restart", "restart", "power_cycle"])
    #expect((6...9).contains(line.steps.count), "\(line.steps.count)")
    let chooses = registration == "+CREG: 1,2" && signal == 20
    #expect((line.count("AT+COPS=0") > 10) == chooses)
  }

  // The network's answer to a PIN can take minutes; it has taken it all the same.
  @Test func aPINWhoseAnswerIsLostIsKnownToBeRight() {
    var line = HandPlayed { $0.pin = "1234" }
    var isOpen = false
    line.run(for: .seconds(300)) { command in
      if command.hasPrefix("AT+CPIN=") {
        isOpen = true
        return nil
      }
      return command.hasPrefix("AT+CPIN?") && !isOpen
        ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.session.status.state == .ready)
    #expect(line.pins == [true])
  }

  @Test func aPINThatTheCardWasTooBusyForIsTriedAgain() {
    var line = HandPlayed { $0.pin = "1234" }
    var tries = 0
    line.run(for: .seconds(60)) { command in
      if command.hasPrefix("AT+CPIN=") {
        tries += 1
        return tries < 3 ? "\r\n+CME ERROR: 14\r\n" : HandPlayed.healthy(command)
      }
      if command.hasPrefix("AT+CPINR") { return "\r\n+CPINR: SIM PIN,3,3\r\n\r\nOK\r\n" }
      return command.hasPrefix("AT+CPIN?") && tries < 3
        ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.session.status.state == .ready)
    #expect(line.pins == [true])
  }

  // A card that does not tell its tries may have lost one.
  @Test func aPINIsNotTriedAgainWhereNothingTellsThatItCostNothing() {
    var line = HandPlayed { $0.pin = "1234" }
    line.run(for: .seconds(3_600)) { command in
      if command.hasPrefix("AT+CPIN=") { return "\r\n+CME ERROR: 14\r\n" }
      return command.hasPrefix("AT+CPIN?")
        ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.count("AT+CPIN=\"1234\"") == 1)
  }

  // It wakes up, and answers one after the other what it was asked before the port was opened.
  @Test func lateAnswersAfterOpeningAreNotTakenForOthers() {
    var line = HandPlayed()
    for _ in 0..<8 { line.hear("OK") }
    line.run(for: .seconds(60)) { command in
      command.hasPrefix("AT+CGMM") ? "\r\nModel\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.session.status.manufacturer == "Maker")
    #expect(line.session.status.model == "Model")
  }

  @Test(arguments: ["AT+COPS?", "AT+CIMI", "AT+CSCS", "AT+CCLK?"])
  func aSettingThatIsMetWithSilenceIsLeftOut(_ silent: String) {
    var line = HandPlayed()
    line.run(for: .seconds(600)) { command in
      command.hasPrefix(silent) ? nil : HandPlayed.healthy(command)
    }
    #expect(line.session.status.state == .ready)
    #expect(line.commands.count { $0.hasPrefix(silent) } == 2)
    #expect(line.steps == ["resynchronise", "resynchronise"])
  }

  @Test func onePortOfManyThatIsSilentKeepsOneTrace() {
    var line = HandPlayed { $0.port = "auto" }
    for hour in 1...2 {
      for port in 0..<20 {
        line.opening = .opened(path: "/dev/ttyUSB\(port % 4)")
        line.run(for: .seconds(160)) { _ in nil }
      }
      #expect(line.traces.count <= hour)
    }
  }

  @Test func aTextOfWhichAPartHasLeftIsAnsweredWhenTheSIMGoes() {
    var line = HandPlayed()
    line.start()
    line.send(String(repeating: "long ", count: 50))
    line.run(for: .seconds(300)) { command in
      if command.hasPrefix("AT+CPIN?") { return "\r\n+CPIN: SIM PUK\r\n\r\nOK\r\n" }
      let said = HandPlayed.healthy(command)
      return command.hasSuffix("\u{1A}") ? said + "\r\n+CPIN: SIM PUK\r\n" : said
    }
    #expect(line.outcomes.count == 1)
    guard case .unknown(let reason)? = line.outcomes.first else {
      Issue.record("\(line.outcomes)")
      return
    }
    #expect(reason.contains("1 of 2 parts"))
  }
}
