import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// What is done about a modem that fails: the mildest first, none too often.
@Suite struct RecoveryTests {
  private func steps(_ bench: Bench) -> [String] {
    bench.events.compactMap { event in
      guard case .log(let entry) = event, entry.name == "modem_recovering",
        let field = entry.fields.first(where: { $0.key == "step" }),
        case .text(let step) = field.value
      else { return nil }
      return step
    }
  }

  @Test func aModemThatComesBackAfterAMinuteSendsWithinTwoSeconds() {
    var bench = Bench()
    bench.start()
    bench.inject(.mute(.seconds(60)))
    bench.send(1)
    // It may not be known yet that the modem is mute; then this text waits for its prompt in vain.
    bench.pass(.seconds(60))
    bench.pass(.seconds(2))
    #expect(bench.session.status.state == .ready)
    bench.send(2)
    bench.pass(.seconds(1))
    #expect(bench.outcomes.last?.outcome == .accepted(references: [0]))
  }

  @Test func aLateAnswerToAProbeIsNotTakenForAnother() {
    var bench = Bench()
    bench.start()
    bench.inject(.slow(.seconds(4)))
    bench.inject(.restart)
    bench.pass(.seconds(400))
    // Every answer comes four seconds late; the setup must not be off by one.
    #expect(bench.session.status.manufacturer == "Checkpost")
    #expect(bench.session.status.model == "Simulated modem")
    bench.inject(.healed)
    bench.pass(.seconds(120))
    #expect(bench.session.status.state == .ready)
  }

  @Test func theStepsComeInTheirOrderAndNotTooOften() {
    var bench = Bench { $0.resets = [.resetUSB, .powerCycle] }
    bench.start()
    bench.pass(.seconds(600))
    bench.inject(.mute(nil))
    bench.pass(.seconds(1_200))
    let first = steps(bench)
    // A modem that says nothing cannot be told to restart.
    #expect(!first.contains("restart"))
    #expect(
      first.prefix(5) == ["resynchronise", "reopen", "reset_usb", "power_cycle", "reopen"])
    #expect(bench.resets.filter { $0 == .resetUSB }.count <= 2)
    #expect(bench.resets.filter { $0 == .powerCycle }.count == 1)
    #expect(!bench.traces.isEmpty, "what was last said is kept")
    bench.inject(.healed)
    bench.pass(.seconds(60))
    #expect(bench.session.status.state == .ready)
  }

  @Test func aPortThatIsNotThereIsNoTroubleAndBeginsClean() {
    var bench = Bench { $0.resets = [.resetUSB, .powerCycle] }
    bench.start()
    bench.isPlugged = false
    bench.tell(.closed(reason: "gone"))
    bench.pass(.seconds(590))
    #expect(bench.resets == [])
    #expect(steps(bench) == [])
    // It may have fallen off the bus.
    bench.pass(.seconds(3_600))
    #expect(Set(bench.resets) == [.powerCycle])
    bench.isPlugged = true
    bench.pass(.seconds(2))
    #expect(bench.session.status.state == .ready)
  }

  @Test func aModemThatHasJustArrivedIsNotReset() {
    var bench = Bench { $0.resets = [.resetUSB, .powerCycle] }
    bench.inject(.mute(nil))
    bench.start()
    bench.pass(.seconds(55))
    #expect(bench.resets == [])
    bench.pass(.seconds(60))
    #expect(bench.resets.first == .resetUSB)
  }

  @Test func anOperatorCanResetAndIsToldWhatThereIsNot() {
    var bench = Bench()
    bench.start()
    bench.tell(.request(.reset(id: 7, .powerCycle)))
    bench.tell(.request(.reset(id: 8, .restart)))
    bench.pass(.seconds(60))
    let finals = bench.events.compactMap { event -> String? in
      if case .commandFinished(_, _, let final) = event { final } else { nil }
    }
    #expect(finals.first?.contains("modem.power_command") == true)
    #expect(finals.last == "OK")
    #expect(bench.commands.contains("AT+CFUN=1,1"))
    #expect(bench.session.status.state == .ready)
  }

  /// Huawei's sticks come back as a CD-ROM when they are restarted by command.
  @Test(
    arguments: [
      ("Checkpost", [], "restart"), ("Checkpost", [.resetUSB, .powerCycle], "restart"),
      ("huawei", [], "reopen"), ("huawei", [.powerCycle], "power_cycle"),
      ("huawei", [.resetUSB, .powerCycle], "reset_usb"),
    ] as [(String, Set<RecoveryStep>, String)])
  func aResetTakesTheBestStepThatThisModemHas(
    maker: String, resets: Set<RecoveryStep>, best: String
  ) {
    var bench = HandPlayed { $0.resets = resets }
    let answer = { (command: String) -> String? in
      command == "AT+CGMI\r" ? "\r\n\(maker)\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    bench.run(for: .seconds(30), answering: answer)
    bench.tell(.request(.reset(id: 7, nil)))
    bench.run(for: .seconds(60), answering: answer)
    let finished = bench.events.compactMap { event -> [String]? in
      if case .commandFinished(7, let lines, let final) = event { lines + [final] } else { nil }
    }
    #expect(finished == [[best, "OK"]])
    #expect(bench.steps.last == best)
    #expect(bench.session.status.state == .ready)
  }

  @Test func aModemThatDoesNotListenIsResetFromOutside() {
    var bench = HandPlayed { $0.resets = [.resetUSB] }
    bench.run(for: .seconds(2), answering: { _ in nil })
    bench.tell(.request(.reset(id: 7, nil)))
    bench.run(
      steps: 100, until: { !$0.resets.isEmpty }, answering: { _ in nil })
    #expect(bench.resets == [.resetUSB])
  }

  @Test func whatIsSaidNamesThePortThatWasFound() {
    var bench = HandPlayed { $0.port = "auto" }
    bench.opening = .opened(path: "/dev/ttyUSB2")
    bench.start()
    let words = bench.events.compactMap { event -> String? in
      if case .log(let entry) = event, entry.name == "modem_set_up" { entry.words } else { nil }
    }
    #expect(words.first?.contains("at /dev/ttyUSB2:") == true, "\(words)")
  }

  @Test func anotherModemIsNamedWithWhatHelps() {
    var bench = HandPlayed { $0.imei = "356938035643809" }
    bench.run(for: .seconds(30)) { command in
      command == "AT+CGSN\r" ? "\r\n490154203237518\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    let words = bench.session.status.lastError ?? ""
    #expect(words.contains("it has 490154203237518"))
    #expect(words.contains("correct modem.identity (imei=490154203237518)"))
  }

  @Test func anImpatientOperatorDoesNotMakeTheModemRestart() {
    var bench = Bench { $0.resets = [.resetUSB, .powerCycle] }
    bench.start()
    bench.pass(.seconds(600))
    bench.inject(.slow(.seconds(2)))
    for id in 1...5 as ClosedRange<Int64> {
      bench.tell(.request(.command(id: id, text: "AT+COPS=?", timeout: .seconds(1))))
      bench.pass(.seconds(100))
    }
    #expect(!bench.commands.contains("AT+CFUN=1,1"))
    #expect(!steps(bench).contains("reopen"))
    #expect(bench.resets == [])
    #expect(bench.session.status.state == .ready)
  }

  @Test func refusalsInARowAreSeenAsTheModemsOwn() {
    var troubles = Bench()
    troubles.start()
    troubles.inject(.refuse(code: 500, times: 3))
    for id in 1...3 as ClosedRange<Int64> {
      troubles.send(id)
      troubles.pass(.seconds(1))
    }
    #expect(troubles.commands.contains("AT+CGSMS=2"))
  }

  @Test func aStorageThatFillsUpIsTold() throws {
    var bench = Bench(modem: { $0.storageSize = 5 })
    bench.start()
    // Nobody confirms them, so they stay.
    for number in 1...4 { try bench.receive(from: "+9779801000009", "text \(number)") }
    bench.pass(.seconds(700))
    let words = bench.events.compactMap { event -> String? in
      if case .log(let entry) = event, entry.name == "modem_storage_filling" {
        entry.words
      } else {
        nil
      }
    }
    #expect(words.count == 1)
    #expect(words.first?.contains("4 messages of 5") == true)
  }
}
