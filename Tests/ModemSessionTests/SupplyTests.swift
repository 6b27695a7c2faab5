import Events
import ModemSession
import Testing
import Time

/// Signs of a supply that is too weak, told from other troubles.
@Suite struct SupplyTests {
  private func told(_ line: HandPlayed) -> [String] {
    line.events.compactMap {
      if case .log(let entry) = $0, entry.name == "modem_supply" { entry.words } else { nil }
    }
  }

  /// Sends a text, and stops when its PDU has been written.
  private func handOver(_ line: inout HandPlayed) {
    line.send()
    let before = line.commands.count { $0.hasPrefix("AT+CMGS=") }
    line.run(
      steps: 10_000,
      until: { line in
        line.commands.count { $0.hasPrefix("AT+CMGS=") } > before
          && line.commands.last?.hasPrefix("AT+CMGS=") == false
      },
      answering: { $0.hasSuffix("\u{1A}") ? nil : HandPlayed.healthy($0) })
  }

  @Test func aModemThatRestartsWheneverItSendsHasAWeakSupply() {
    var line = HandPlayed()
    line.start()
    for number in 1...3 {
      handOver(&line)
      line.hear("RDY")
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
      #expect((line.session.status.supply != nil) == (number >= 3))
    }
    #expect(told(line).count == 1)
    #expect(told(line).first?.contains("the supply dips when it sends") == true)
    #expect(line.session.status.supply?.contains("a supply of its own") == true)
    // More of it is nothing new.
    handOver(&line)
    line.hear("RDY")
    line.run(for: .seconds(60), answering: HandPlayed.healthy)
    #expect(told(line).count == 1)
    // It is over when it has been for a day.
    line.run(for: .seconds(25 * 3_600), answering: HandPlayed.healthy)
    #expect(line.session.status.supply == nil)
  }

  @Test func aDeviceThatFallsOffTheBusWhenItSendsHasOneToo() {
    var line = HandPlayed()
    line.start()
    for _ in 1...3 {
      handOver(&line)
      line.tell(.closed(reason: "the device went away"))
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
    }
    #expect(told(line).first?.contains("the supply dips when it sends") == true)
  }

  @Test func restartsAtOtherTimesSayLess() {
    var line = HandPlayed()
    line.start()
    for number in 1...6 {
      line.run(for: .seconds(600), answering: HandPlayed.healthy)
      line.hear("RDY")
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
      #expect((line.session.status.supply != nil) == (number >= 6))
    }
    #expect(told(line).count == 1)
    #expect(told(line).first?.contains("when it sends") == false)
    #expect(told(line).first?.contains("again and again") == true)
  }

  // Pulled out and put in by hand, or told to start anew: neither is the supply's fault.
  @Test func whatPeopleDoIsNoSign() {
    var line = HandPlayed()
    line.start()
    for _ in 1...8 {
      handOver(&line)
      line.opening = .openFailed(reason: "not there", .absent)
      line.tell(.closed(reason: "the device went away"))
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
      line.opening = .opened(path: "/dev/modem")
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
      #expect(line.session.status.state == .ready)
    }
    for id in 1...8 as ClosedRange<Int64> {
      line.tell(.request(.reset(id: id, .restart)))
      line.run(
        steps: 1_000, until: { $0.commands.last == "AT+CFUN=1,1" },
        answering: HandPlayed.healthy)
      line.tell(.closed(reason: "the device went away"))
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
    }
    #expect(told(line).isEmpty)
    #expect(line.session.status.supply == nil)
  }

  @Test(arguments: [
    "UNDER-VOLTAGE WARNNING", "UNDER-VOLTAGE WARNING", "UNDER_VOLTAGE WARNING",
    "UNDER-VOLTAGE POWER DOWN",
  ])
  func aModemThatSaysSoIsBelieved(words: String) {
    var line = HandPlayed()
    line.start()
    line.hear(words)
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(told(line).first?.contains("says that its supply is too low") == true)
    #expect(line.session.status.supply != nil)
  }

  @Test func tooMuchVoltageIsNotTooLittle() {
    var line = HandPlayed()
    line.start()
    line.hear("OVER-VOLTAGE WARNNING")
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(told(line).isEmpty)
  }
}
