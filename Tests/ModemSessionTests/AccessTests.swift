import AT
import Events
import ModemSession
import Testing
import Time

/// Access technologies: what is told of them, and another one where texts are refused.
@Suite struct AccessTests {
  /// A modem that refuses texts on LTE alone, and how it is told to leave it.
  struct Maker: Sendable, CustomTestStringConvertible {
    var name: String
    var model = ""
    /// What it answers to queries for its setting; it refuses all that are not here.
    var answers: [String: String]
    var leaves: String
    var putsBack: String
    var testDescription: String { "\(name) \(model)" }
  }

  static let makers = [
    Maker(
      name: "SIMCOM INCORPORATED", model: "SIMCOM_SIM7600E", answers: ["AT+CNMP?": "+CNMP: 2"],
      leaves: "AT+CNMP=14", putsBack: "AT+CNMP=2"),
    Maker(
      name: "Quectel", model: "EC25",
      answers: ["AT+QCFG=\"nwscanmode\"": "+QCFG: \"nwscanmode\",0"],
      leaves: "AT+QCFG=\"nwscanmode\",2,1", putsBack: "AT+QCFG=\"nwscanmode\",0,1"),
    Maker(
      name: "huawei", model: "E3372", answers: ["AT^SYSCFG?": "^SYSCFG:2,0,3FFFFFFF,1,2"],
      leaves: "AT^SYSCFG=14,2,3FFFFFFF,1,2", putsBack: "AT^SYSCFG=2,0,3FFFFFFF,1,2"),
    Maker(
      name: "huawei", model: "E3372h",
      answers: ["AT^SYSCFGEX?": "^SYSCFGEX:\"00\",3FFFFFFF,1,2,7FFFFFFFFFFFFFFF"],
      leaves: "AT^SYSCFGEX=\"02\",3FFFFFFF,1,2,7FFFFFFFFFFFFFFF,,",
      putsBack: "AT^SYSCFGEX=\"00\",3FFFFFFF,1,2,7FFFFFFFFFFFFFFF,,"),
    Maker(
      name: "ZTE CORPORATION", model: "MF823", answers: ["AT+ZSNT?": "+ZSNT: 0,0,0"],
      leaves: "AT+ZSNT=2,0,0", putsBack: "AT+ZSNT=0,0,0"),
    Maker(
      name: "Maker", answers: ["AT+WS46?": "+WS46: 25"], leaves: "AT+WS46=22",
      putsBack: "AT+WS46=25"),
  ]

  /// The modem as it stands: which technology, and whether there is a network on the other one.
  private struct Modem {
    var maker: Maker
    var code = 50
    var isAway = false
    var hasOther = true
    var takesChange = true

    mutating func answer(_ command: String) -> String {
      let text = command.filter { $0 != "\r" }
      if text == "AT+CGMI" { return said(maker.name) }
      if text == "AT+CGMM" { return said(maker.model) }
      if text == "AT+CGSN" { return said("490154203237518") }
      if text == "AT+CREG?" { return said("+CREG: 1,\(isAway && !hasOther ? 2 : 1)") }
      if text == "AT+COPS?" { return said("+COPS: 0,0,\"Ncell\",\(isAway ? 2 : 7)") }
      if let line = maker.answers[text] { return said(line) }
      if text == maker.leaves {
        guard takesChange else { return "\r\nERROR\r\n" }
        isAway = true
        return "\r\nOK\r\n" + (hasOther ? "" : "\r\n+CREG: 2\r\n")
      }
      if text == maker.putsBack {
        isAway = false
        return "\r\nOK\r\n\r\n+CREG: 1\r\n"
      }
      if ["CNMP", "QCFG", "SYSCFG", "ZSNT", "WS46"].contains(where: text.contains) {
        return "\r\nERROR\r\n"
      }
      if command.hasSuffix("\u{1A}"), !isAway { return "\r\n+CMS ERROR: \(code)\r\n" }
      return HandPlayed.healthy(command)
    }

    private func said(_ line: String) -> String { "\r\n\(line)\r\n\r\nOK\r\n" }
  }

  /// Sends so many texts, one after the other.
  private func send(_ count: Int, _ line: inout HandPlayed, _ modem: inout Modem) {
    for _ in 0..<count {
      line.send()
      let before = line.outcomes.count
      line.run(
        steps: 10_000, until: { $0.outcomes.count > before }, answering: { modem.answer($0) })
    }
  }

  /// What was to be remembered over restarts, in order.
  private func notes(_ line: HandPlayed) -> [AccessNote?] {
    line.events.compactMap { if case .accessChanged(let note) = $0 { .some(note) } else { nil } }
  }

  private func logged(_ name: String, _ line: HandPlayed) -> [String] {
    line.events.compactMap {
      if case .log(let entry) = $0, entry.name == name { entry.words } else { nil }
    }
  }

  @Test(arguments: makers) func textsLeaveATechnologyThatRefusesThemAndComeBack(maker: Maker) {
    var (line, modem) = (HandPlayed(), Modem(maker: maker))
    line.run(for: .seconds(30)) { modem.answer($0) }
    #expect(line.session.status.access == .lte)
    send(6, &line, &modem)
    line.run(for: .seconds(20)) { modem.answer($0) }
    #expect(line.count(maker.leaves) == 1)
    #expect(line.session.status.access == .umts || line.session.status.access == .lte)
    #expect(notes(line) == [AccessNote(imei: "490154203237518", putBack: maker.putsBack)])
    // What puts it back is told before anything is changed.
    send(1, &line, &modem)
    #expect(line.outcomes.last == .accepted(references: [7]))
    #expect(line.count(maker.putsBack) == 0)
    line.run(for: .seconds(3_700)) { modem.answer($0) }
    #expect(line.count(maker.putsBack) == 1)
    #expect(notes(line).count == 2 && notes(line).last == .some(nil))
    #expect(line.session.status.access == .lte)
    #expect(line.session.status.state == .ready)
  }

  @Test func fewRefusalsOrAnotherKindChangeNothing() {
    for (code, count) in [(50, 5), (1, 12), (304, 12)] {
      var (line, modem) = (HandPlayed(), Modem(maker: AccessTests.makers[0], code: code))
      line.run(for: .seconds(30)) { modem.answer($0) }
      send(count, &line, &modem)
      line.run(for: .seconds(60)) { modem.answer($0) }
      #expect(line.count("AT+CNMP?") == 0)
    }
  }

  @Test func whoDoesNotWantItIsLetBe() {
    var (line, modem) = (
      HandPlayed { $0.accessFallback = false }, Modem(maker: AccessTests.makers[0])
    )
    line.run(for: .seconds(30)) { modem.answer($0) }
    send(12, &line, &modem)
    #expect(line.count("AT+CNMP?") == 0)
  }

  @Test func aTechnologyWithoutNetworkIsLeftSoon() {
    var (line, modem) = (HandPlayed(), Modem(maker: AccessTests.makers[0], hasOther: false))
    line.run(for: .seconds(30)) { modem.answer($0) }
    send(6, &line, &modem)
    line.run(for: .seconds(600)) { modem.answer($0) }
    #expect(line.count("AT+CNMP=14") == 1)
    #expect(line.count("AT+CNMP=2") == 1)
    #expect(line.session.status.state == .ready)
  }

  @Test func aModemThatRefusesTheChangeHasNothingToPutBack() {
    var (line, modem) = (HandPlayed(), Modem(maker: AccessTests.makers[0], takesChange: false))
    line.run(for: .seconds(30)) { modem.answer($0) }
    send(6, &line, &modem)
    line.run(for: .seconds(3_700)) { modem.answer($0) }
    #expect(line.count("AT+CNMP=14") == 1)
    #expect(line.count("AT+CNMP=2") == 0)
    #expect(notes(line).last == .some(nil))
  }

  @Test func whatAnEarlierRunChangedIsPutBack() {
    let note = AccessNote(imei: "490154203237518", putBack: "AT+CNMP=2")
    var (line, modem) = (
      HandPlayed { $0.accessNote = note }, Modem(maker: AccessTests.makers[0], isAway: true)
    )
    line.run(for: .seconds(120)) { modem.answer($0) }
    #expect(line.count("AT+CNMP=2") == 1)
    #expect(notes(line) == [nil])
    // Another modem's setting is none of ours.
    line = HandPlayed { $0.accessNote = AccessNote(imei: "356938035643809", putBack: note.putBack) }
    line.run(for: .seconds(120)) { modem.answer($0) }
    #expect(line.count("AT+CNMP=2") == 0)
  }

  @Test func aNoteHoldsNothingButWhatIsUsedHere() {
    for text in ["356938035643809 AT+CNMP=2\n", "- AT+QCFG=\"nwscanmode\",0,1\n"] {
      #expect(AccessNote(text: text)?.text == text)
    }
    for text in [
      "", "\n", "AT+CNMP=2", "- AT+CMGD=1,4", "- AT+CNMP=2;+CMGD=1,4", "- AT+CNMP=2\rAT+CMGD=1",
      "- AT+CNMP=" + String(repeating: "2", count: 1_000),
    ] {
      #expect(AccessNote(text: text) == nil, "\(text)")
    }
  }

  @Test func whenOnly2GIsLeftThatIsSaid() {
    var number = 7
    var line = HandPlayed()
    let answer = { (command: String) -> String? in
      command == "AT+COPS?\r"
        ? "\r\n+COPS: 0,0,\"Ncell\",\(number)\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    line.run(for: .seconds(30), answering: answer)
    #expect(line.session.status.access == .lte)
    #expect(logged("modem_access", line).isEmpty)
    number = 3
    line.run(for: .seconds(1_600), answering: answer)
    #expect(line.session.status.access == .gsm)
    #expect(line.session.status.access?.warning?.contains("only 2G is left") == true)
    #expect(
      logged("modem_access", line) == [
        "the modem fell from LTE (4G) to GSM (2G): only 2G is left here: texts go through while it"
          + " lasts, and networks are switching it off"
      ])
    // Said once, and once that it is better.
    line.run(for: .seconds(2_000), answering: answer)
    number = 7
    line.run(for: .seconds(1_600), answering: answer)
    #expect(logged("modem_access", line).count == 2)
  }

  @Test func everyNumberOfTheStandardIsKnown() {
    let known = (0...13).map { AccessTechnology(number: $0) }
    #expect(
      known == [
        .gsm, .gsm, .umts, .gsm, .umts, .umts, .umts, .lte, .narrow, .narrow, .lte, .nr, .nr, .lte,
      ])
    #expect(AccessTechnology(number: -1) == nil && AccessTechnology(number: 14) == nil)
  }
}
