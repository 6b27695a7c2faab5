import ModemSession
import Testing
import Time

/// Who a modem says it is: what stands between, quotes, numbers that are none, and the modem that is
/// wanted by its IMEI.
@Suite struct IdentityTests {
  private static let imei = "356938035643809"

  /// A modem that answers these commands so, between the line ends of V.250, and is well otherwise.
  private func line(
    _ answers: [String: String], for time: Duration = .seconds(20),
    _ change: (inout ModemConfiguration) -> Void = { _ in }
  ) -> HandPlayed {
    var line = HandPlayed(change)
    line.run(for: time) { command in
      answers[command.filter { $0 != "\r" }].map { "\r\n\($0)\r\n" } ?? HandPlayed.healthy(command)
    }
    return line
  }

  // The SIM application's menu is told at any time; it became the maker, and would be the IMEI.
  @Test func aResultOfTheSIMApplicationIsNotTheModemsName() {
    let stin = "+STIN: 25\r\n\r\n"
    let line = line(
      [
        "AT+CGMI": stin + "SIMCOM_Ltd\r\n\r\nOK", "AT+CGMM": stin + "SIMCOM_SIM800L\r\n\r\nOK",
        "AT+CGMR": stin + "Revision:1418B05SIM800L24\r\n\r\nOK",
        "AT+CGSN": stin + IdentityTests.imei + "\r\n\r\nOK",
        "AT+CIMI": stin + "429011234567890\r\n\r\nOK",
      ], { $0.imei = IdentityTests.imei })
    let status = line.session.status
    #expect(status.manufacturer == "SIMCOM_Ltd")
    #expect(status.model == "SIMCOM_SIM800L")
    #expect(status.revision == "Revision:1418B05SIM800L24")
    #expect(status.imei == IdentityTests.imei)
    #expect(status.imsi == "429011234567890")
    #expect(status.profile == "simcom")
    #expect(status.state == .ready)
  }

  @Test func quotesAreNotPartOfAName() {
    let line = line([
      "AT+CGMI": "+CGMI: \"Quectel\"\r\n\r\nOK", "AT+CGMM": "\"EC25\"\r\n\r\nOK",
      "AT+CGSN": "+CGSN: \"\(IdentityTests.imei)\"\r\n\r\nOK",
      "AT+CIMI": "+CIMI: \"429011234567890\"\r\n\r\nOK",
    ])
    #expect(line.session.status.manufacturer == "Quectel")
    #expect(line.session.status.model == "EC25")
    #expect(line.session.status.imei == IdentityTests.imei)
    #expect(line.session.status.imsi == "429011234567890")
  }

  @Test(arguments: [
    ("356938035643809", "356938035643809"), ("35693803564380", "356938035643809"),
    ("3569380356438012", "356938035643809"), ("IMEI: 356938035643809", "356938035643809"),
    ("356938035643809,01", "356938035643809"), ("356938-03-564380-9", nil), ("0", nil),
    ("35693803564", nil), ("35693803564380912", nil), ("A00000353B9E55", nil),
    ("+STIN: 356938035643809", nil), ("000000000000000", nil),
  ])
  func anIMEIIsFourteenDigitsWithTheirCheckDigit(row: (String, String?)) {
    let line = line(["AT+CGSN": row.0 + "\r\n\r\nOK"])
    #expect(line.session.status.imei == row.1)
    #expect(line.session.status.state == .ready)
  }

  @Test(arguments: [
    ("429011234567890", "429011234567890"), ("42901123456789", "42901123456789"), ("7", nil),
    ("4290112345678901", nil), ("none", nil), ("+STIN: 429011234567890", nil),
  ])
  func anIMSIIsDigits(row: (String, String?)) {
    let line = line(["AT+CIMI": row.0 + "\r\n\r\nOK"])
    #expect(line.session.status.imsi == row.1)
    #expect(line.session.status.state == .ready)
  }

  // Some have the number under another command, or in the form of 3GPP TS 27.007 5.4.
  @Test(arguments: ["AT+GSN", "AT+CGSN=1"])
  func aNumberThatIsRefusedIsAskedForOtherwise(_ other: String) {
    for refusal in ["ERROR", "+CME ERROR: 100", "OK"] {
      var answers = ["AT+CGSN": refusal, "AT+GSN": refusal, "AT+CGSN=1": refusal]
      let name = other == "AT+GSN" ? "+GSN" : "+CGSN"
      answers[other] = "\(name): \"\(IdentityTests.imei)\"\r\n\r\nOK"
      let line = line(answers, { $0.imei = IdentityTests.imei })
      #expect(line.session.status.imei == IdentityTests.imei, "\(refusal)")
      #expect(line.session.status.state == .ready, "\(refusal)")
    }
  }

  // Whose number is not known may be anybody's: nothing is done with it, its PIN above all.
  @Test(arguments: ["ERROR", "+CME ERROR: 100", "OK", "0\r\n\r\nOK"])
  func aModemThatDoesNotTellItsNumberIsNotTheOneThatIsWanted(_ answer: String) {
    let answers = ["AT+CGSN": answer, "AT+GSN": answer, "AT+CGSN=1": answer]
    // A refusal may be that of a modem that starts, for a minute.
    let wanted = line(answers, for: .seconds(70)) { $0.imei = IdentityTests.imei }
    #expect(!wanted.commands.contains { $0.hasPrefix("AT+CPIN") || $0 == "AT+CMGF=0" })
    let reasons = wanted.events.compactMap { event -> String? in
      if case .status(let status) = event, case .failed(let reason) = status.state {
        reason
      } else {
        nil
      }
    }
    #expect(reasons.first?.contains("does not tell its own") == true, "\(reasons)")
    let anybody = line(answers)
    #expect(anybody.session.status.state == .ready)
    #expect(anybody.session.status.imei == nil)
  }

  @Test func aModemThatIsSilentWhenAskedForItsNumberIsNotTheOneThatIsWanted() {
    for wanted in [true, false] {
      var line = HandPlayed { if wanted { $0.imei = IdentityTests.imei } }
      line.run(for: .seconds(200)) { command in
        command.contains("GSN") ? nil : HandPlayed.healthy(command)
      }
      #expect(line.commands.contains("AT+CMGF=0") == !wanted)
    }
  }

  // What an operator types is answered whole, results of the firmware with it.
  @Test func whatAnOperatorAsksIsAnsweredWithEveryLine() {
    var line = HandPlayed()
    line.start()
    line.tell(.request(.command(id: 1, text: "ATI", timeout: .seconds(5))))
    line.run(for: .seconds(1)) { command in
      command.hasPrefix("ATI")
        ? "\r\nManufacturer: INCORPORATED\r\n+GCAP: +CGSM,+FCLASS\r\n\r\nOK\r\n"
        : HandPlayed.healthy(command)
    }
    let answers = line.events.compactMap { event -> [String]? in
      if case .commandFinished(1, let lines, _) = event { lines } else { nil }
    }
    #expect(answers == [["Manufacturer: INCORPORATED", "+GCAP: +CGSM,+FCLASS"]])
  }
}
