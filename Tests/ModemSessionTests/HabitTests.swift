import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// Modems that answer and never say that they have: the information is there, and its `OK` never comes.
@Suite struct HabitTests {
  private func entries(_ events: [ModemEvent], _ name: String) -> [Event] {
    events.compactMap {
      if case .log(let entry) = $0, entry.name == name { entry } else { nil }
    }
  }

  private static let queries = [
    "AT+CGMI", "AT+CGMM", "AT+CGSN", "AT+CPIN?", "AT+CIMI", "AT+CSCA?", "AT+CREG?", "AT+CEREG?",
    "AT+CSQ", "AT+COPS?", "AT+CCLK?", "AT+CPMS=?", "AT+CMGL=4", "AT+CMGR=", "AT+CFUN?", "AT+CMGF?",
  ]

  /// What it is asked, without the `OK` for one command.
  private func answer(_ command: String, without query: String) -> String {
    let lines = [
      "AT+CGMM": "Model", "AT+CGSN": "490154203237518", "AT+CIMI": "429010123456789",
      "AT+CSCA?": "+CSCA: \"+9779800000000\",145", "AT+CEREG?": "+CEREG: 1,1",
      "AT+COPS?": "+COPS: 0,0,\"Ncell\",7", "AT+CCLK?": "+CCLK: \"26/11/21,14:32:12+23\"",
      "AT+CPMS=?": "+CPMS: (\"SM\"),(\"SM\"),(\"SM\")", "AT+CFUN?": "+CFUN: 1",
      "AT+CMGL": "+CMGL: 3,1,,24\r\n07917952250000F0040C917952251032540000622111412300230161",
      "AT+CMGR": "+CMGR: 1,,24\r\n07917952250000F0040C917952251032540000622111412300230161",
    ]
    var said = HandPlayed.healthy(command)
    if let line = lines.first(where: { command.hasPrefix($0.key) })?.value {
      said = "\r\n\(line)\r\n\r\nOK\r\n"
    }
    guard command.hasPrefix(query) else { return said }
    return said.replacing("\r\nOK\r\n", with: "")
  }

  @Test(arguments: HabitTests.queries)
  func anAnswerWithoutAnOKIsTaken(_ query: String) {
    var line = HandPlayed()
    line.run(for: .seconds(300)) { self.answer($0, without: query) }
    line.hear("+CMTI: \"SM\",3")
    line.run(for: .seconds(300)) { self.answer($0, without: query) }
    #expect(line.session.status.state == .ready)
    #expect(line.steps == [], "no trouble: it answers")
    let status = line.session.status
    #expect(status.manufacturer == "Maker")
    #expect(status.model == "Model")
    #expect(status.smsc == "+9779800000000")
    #expect(status.operatorName == "Ncell")
    #expect(status.signalDBm == -73)
    #expect(line.commands.contains("AT+CMGR=3"))
    let wasAsked = line.commands.contains { $0.hasPrefix(query) && !$0.hasPrefix("AT+CMGF?") }
    if wasAsked {
      #expect(entries(line.events, "modem_lacks_result").count == 1, "noted once")
    }
    // It sends as any other.
    line.send()
    line.run(for: .seconds(30)) { self.answer($0, without: query) }
    #expect(line.outcomes == [.accepted(references: [7])])
  }

  // The network has taken it once its reference is there.
  @Test func aTextWhoseOKNeverComesIsAccepted() {
    var line = HandPlayed()
    line.start()
    for _ in 0..<3 {
      line.send()
      line.run(for: .seconds(200)) { command in
        command.hasSuffix("\u{1A}") ? "\r\n+CMGS: 7\r\n" : HandPlayed.healthy(command)
      }
    }
    #expect(line.outcomes == Array(repeating: .accepted(references: [7]), count: 3))
    #expect(line.steps == [])
    #expect(entries(line.events, "modem_lacks_result").count == 1)
  }

  // What comes late is not the answer to what is asked next.
  @Test func anOKThatComesLateIsNotTakenForAnothers() {
    var line = HandPlayed()
    line.start()
    line.run(for: .seconds(120)) { command in
      command.hasPrefix("AT+CSQ") ? "\r\n+CSQ: 20,99\r\n" : HandPlayed.healthy(command)
    }
    line.hear("OK")
    line.run(for: .seconds(30), answering: HandPlayed.healthy)
    #expect(line.session.status.state == .ready)
    #expect(line.session.status.signalDBm == -73)
  }

  @Test(arguments: ModemProfile.named.map(\.name))
  func everyMakersModemIsUsedWithoutIts(_ maker: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    var bench = Bench { _ in
    } modem: {
      $0.profile = profile
    }
    bench.inject(.withoutResult)
    bench.start()
    bench.pass(.seconds(600))
    #expect(bench.session.status.state == .ready, "\(maker)")
    bench.send(1)
    bench.pass(.seconds(400))
    #expect(bench.outcomes.map(\.outcome) == [.accepted(references: [0])])
    try bench.receive(from: "+9779801000009", "came in")
    bench.pass(.seconds(120))
    #expect(bench.received.contains { $0.pdu.message?.userData.text == "came in" })
    #expect(entries(bench.events, "modem_lacks_result").count == 1)
    #expect(entries(bench.events, "modem_recovering").isEmpty)
  }
}
