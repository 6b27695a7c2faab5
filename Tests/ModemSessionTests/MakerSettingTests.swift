import Events
import ModemSession
import Testing
import Time

/// Settings of makers that have alternatives or are put back, and words of trouble.
@Suite struct MakerSettingTests {
  private func modem(
    _ maker: String, _ answers: [String: String] = [:]
  ) -> (String) -> String {
    { command in
      if command.hasPrefix("AT+CGMI") { return "\r\n\(maker)\r\n\r\nOK\r\n" }
      return answers[command.filter { $0 != "\r" }].map { "\r\n\($0)\r\n" }
        ?? HandPlayed.healthy(command)
    }
  }

  // What Huawei's sticks tell by themselves comes at the port where commands go.
  @Test func huaweisOwnResultsAreToldAtThisPort() {
    var line = HandPlayed()
    line.run(for: .seconds(20), answering: modem("huawei"))
    #expect(line.count("AT^PORTSEL=0") == 1)
    var other = HandPlayed()
    other.run(for: .seconds(20), answering: modem("Quectel"))
    #expect(other.count("AT^PORTSEL=0") == 0)
  }

  @Test func resultsAreToldAtEveryPortBeforeOne() {
    let all = "AT+QURCCFG=\"urcport\",\"all\""
    let one = "AT+QURCCFG=\"urcport\",\"usbat\""
    var line = HandPlayed()
    line.run(for: .seconds(20), answering: modem("Quectel"))
    #expect(line.count(all) == 1)
    #expect(line.count(one) == 0)
    var old = HandPlayed()
    old.run(for: .seconds(20), answering: modem("Quectel", [all: "+CME ERROR: 50"]))
    #expect(old.count(all) == 1)
    #expect(old.count(one) == 1)
    // What comes after it is set all the same.
    for line in [line, old] { #expect(line.count("AT+QINDCFG=\"smsincoming\",1") == 1) }
    #expect(line.session.status.state == .ready)
    #expect(old.session.status.state == .ready)
  }

  // MARK: The domain of texts

  /// A modem whose texts are refused, with this setting for their domain.
  private func refusing(_ setting: Int) -> (String) -> String {
    { command in
      if command.hasPrefix("AT+CGSMS?") { return "\r\n+CGSMS: \(setting)\r\n\r\nOK\r\n" }
      return command.hasSuffix("\u{1A}") ? "\r\n+CMS ERROR: 69\r\n" : HandPlayed.healthy(command)
    }
  }

  private func send(
    _ count: Int64, on line: inout HandPlayed, _ answer: @escaping (String) -> String
  ) {
    for _ in 0..<count {
      line.send()
      line.run(for: .seconds(20), answering: answer)
    }
  }

  @Test(arguments: [(0, 3), (1, 2), (2, 3), (3, 2)])
  func theOtherDomainIsPreferredAndTheModemsOwnPutBack(row: (Int, Int)) {
    let (own, other) = row
    var line = HandPlayed()
    line.start()
    send(2, on: &line, refusing(own))
    #expect(!line.commands.contains { $0.hasPrefix("AT+CGSMS") })
    send(1, on: &line, refusing(own))
    #expect(
      line.commands.filter { $0.hasPrefix("AT+CGSMS") } == ["AT+CGSMS?", "AT+CGSMS=\(other)"])
    // It did not help either.
    send(6, on: &line, refusing(own))
    #expect(line.commands.last { $0.hasPrefix("AT+CGSMS") } == "AT+CGSMS=\(own)")
  }

  @Test(arguments: [true, false]) func aDomainThatHelpedIsPutBackAtTheEnd(_ answers: Bool) {
    var line = HandPlayed()
    line.start()
    send(3, on: &line, refusing(1))
    #expect(line.commands.contains("AT+CGSMS=2"))
    send(1, on: &line, HandPlayed.healthy)
    #expect(line.outcomes.last == .accepted(references: [7]))
    #expect(!line.commands.contains("AT+CGSMS=1"))
    line.tell(.request(.stop))
    line.run(
      steps: 20, until: { $0.hasStopped },
      answering: { answers ? HandPlayed.healthy($0) : nil })
    #expect(line.count("AT+CGSMS=1") == 1)
    #expect(line.hasStopped)
  }

  @Test func aModemWhoseDomainIsItsOwnIsLeftAloneAtTheEnd() {
    var line = HandPlayed()
    line.start()
    line.tell(.request(.stop))
    line.run(steps: 20, until: { $0.hasStopped }, answering: HandPlayed.healthy)
    #expect(!line.commands.contains { $0.hasPrefix("AT+CGSMS") })
    #expect(line.hasStopped)
  }

  @Test func aModemThatDoesNotTellItsDomainIsAskedForNone() {
    var line = HandPlayed()
    line.start()
    send(3, on: &line) { command in
      if command.hasPrefix("AT+CGSMS") { return "\r\n+CME ERROR: 4\r\n" }
      return command.hasSuffix("\u{1A}") ? "\r\n+CMS ERROR: 69\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.commands.filter { $0.hasPrefix("AT+CGSMS") } == ["AT+CGSMS?"])
    #expect(line.session.status.state == .ready)
  }

  // MARK: Words of trouble

  private func entries(_ line: HandPlayed, _ name: String) -> [Event] {
    line.events.compactMap { event in
      if case .log(let entry) = event, entry.name == name { entry } else { nil }
    }
  }

  @Test(arguments: [
    ("UNDER-VOLTAGE WARNNING", "supply"), ("UNDER-VOLTAGE WARNING", "supply"),
    ("UNDER-VOLTAGE POWER DOWN", "supply"), ("OVER-VOLTAGE WARNNING", "supply"),
    ("^SBC: Undervoltage", "supply"), ("^SBC: Undervoltage Shutdown", "supply"),
    ("NORMAL POWER DOWN", "power_down"), ("POWERED DOWN", "power_down"),
    ("^SHUTDOWN", "power_down"), ("+CMTE: 1", "temperature"), ("+CMTE: -2", "temperature"),
    ("^SCTM_B: 1", "temperature"), ("+UUSTS: 0,2,85", "temperature"),
  ])
  func wordsOfTroubleAreTold(row: (String, String)) {
    var line = HandPlayed()
    line.start()
    for _ in 0..<5 {
      line.hear(row.0)
      line.run(for: .seconds(10), answering: HandPlayed.healthy)
    }
    let told = entries(line, "modem_warns")
    #expect(told.count == 1, "the same word again and again is told once")
    #expect(told.first?.level == .warning)
    #expect(told.first?.words.contains(row.0) == true)
    #expect(told.first?.fields.first == EventField("kind", .text(row.1)))
    // An hour later it is news again.
    line.run(for: .seconds(3_600), answering: HandPlayed.healthy)
    line.hear(row.0)
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(entries(line, "modem_warns").count == 2)
    #expect(line.session.status.state == .ready)
  }

  @Test(arguments: ["+CMTE: 0", "^SBC: 0", "^SCTM_B: 0", "+UUSTS: 0,0,30", "+CIEV: \"smsfull\",0"])
  func allIsWellIsNoTrouble(_ said: String) {
    var line = HandPlayed()
    line.start()
    line.hear(said)
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(entries(line, "modem_warns") == [])
  }

  @Test(arguments: [
    "+QIND: \"smsfull\",\"SM\"", "+QIND: smsfull", "+CIEV: \"SMSFULL\",1", "^SMMEMFULL: \"SM\"",
    "+CIEV: smsfull,2",
  ])
  func aFullStorageIsToldAndEmptied(_ said: String) {
    var line = HandPlayed()
    line.start()
    let before = line.count("AT+CMGL=4")
    line.hear(said)
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(entries(line, "modem_storage_full").count == 1)
    #expect(line.count("AT+CMGL=4") == before + 1)
  }
}
