import AT
import Testing

@Suite struct AnswerTests {
  @Test func parametersKnowQuotesAndGaps() {
    let fields = Parameters("\"a,b\",,3 , 4,\"\"")
    #expect(fields.count == 5)
    #expect(fields.text(0) == "a,b")
    #expect(fields.text(1) == nil)
    #expect(fields.integer(2) == 3)
    #expect(fields.integer(3) == 4)
    #expect(fields.text(4) == "")
    #expect(fields.text(9) == nil)
    #expect(fields.integer(0) == nil)
  }

  @Test(arguments: [
    (0, Registration.notSearching, false), (1, .home, true), (2, .searching, false),
    (3, .denied, false), (4, .unknown, false), (5, .roaming, true), (6, .textsOnlyHome, true),
    (7, .textsOnlyRoaming, true), (8, .emergencyOnly, false), (9, .home, true),
    (10, .roaming, true), (11, .emergencyOnly, false), (99, .unknown, false),
  ])
  func registrations(number: Int, registration: Registration, canSend: Bool) {
    #expect(Registration(number) == registration)
    #expect(Registration(number).canSend == canSend)
    #expect(Registration(answer: "0,\(number % 100)") == registration)
  }

  @Test(arguments: [
    ("(\"SM\",\"ME\"),(\"SM\",\"ME\"),(\"SM\",\"ME\")", ["SM", "ME"]),
    ("(\"ME\",\"SM\",\"MT\"),(\"ME\",\"SM\",\"MT\"),(\"SM\",\"MT\")", ["ME", "SM", "MT"]),
    ("((\"SM\",\"BM\",\"SR\"),(\"SM\"))", ["SM", "BM", "SR"]),
    ("\"SM\",\"ME\",\"SR\"", ["SM", "ME", "SR"]), ("(SM,ME)", ["SM", "ME"]),
    ("(\"SM_P\",\"SM\",\"SM\") , (\"ME\")", ["SM_P", "SM"]), ("0,30,0,30,0,30", []), ("", []),
    ("(),(\"SM\")", ["SM"]),
  ])
  func storagesThatAreRead(list: String, names: [String]) {
    #expect(StorageNames.readable(in: list) == names)
  }

  @Test(arguments: [
    (
      "(\"battchg\",(0-5)),(\"signal\",(0-5)),(\"smsfull\",(0,1))",
      ["battchg", "signal", "smsfull"]
    ),
    ("( \"SIGNAL\", (0-5) ), (\"SMSFULL\", (0-1))", ["signal", "smsfull"]),
    ("(battchg,(0-5)),(call,(0,1)),(call_held,(0,2))", ["battchg", "call", "call_held"]),
    ("((\"service\",(0,1)),(\"message\",(0,1)))", ["service", "message"]), ("", []),
    ("(0-5),1", []),
    ("(\"no end", ["no", "end"]),
  ])
  func indicatorsAreReadInTheirOrder(list: String, names: [String]) {
    #expect(IndicatorNames.ordered(in: list) == names)
  }

  @Test func aRegistrationIsTheSecondValue() {
    #expect(Registration(answer: "2,5,\"00C3\",\"01A2F4\",7") == .roaming)
    #expect(Registration(answer: "1") == nil)
    #expect(Registration(answer: "1,\"00C3\"") == nil)
  }

  @Test(
    arguments: [
      (0, -113), (1, -111), (2, -109), (18, -77), (31, -51), (99, nil), (100, -116), (191, -25),
      (50, nil), (-1, nil),
    ] as [(Int, Int?)])
  func signals(rssi: Int, strength: Int?) {
    #expect(SignalQuality(rssi).decibelMilliwatts == strength)
  }

  @Test func storageUseIsReadInBothForms() {
    #expect(StorageUse(answer: "3,30,3,30,3,30")?.used == 3)
    #expect(StorageUse(answer: "\"SM\",7,20,\"SM\",7,20")?.size == 20)
    #expect(StorageUse(answer: ",,,,,,,,") == nil)
  }

  @Test func commandsKnowTheirPrefix() {
    #expect(ATCommand("AT+CPMS?", timeout: .zero).prefix == "+CPMS:")
    #expect(ATCommand("AT+CMGS=18", timeout: .zero).prefix == "+CMGS:")
    #expect(ATCommand("AT^SYSINFO", timeout: .zero).prefix == "^SYSINFO:")
    #expect(ATCommand("ATE0", timeout: .zero).prefix == nil)
    #expect(ATCommand("ATE0+CPMS?", timeout: .zero).prefix == "+CPMS:")
    #expect(ATCommand("ATE0V1&F+CPMS?", timeout: .zero).prefix == "+CPMS:")
    #expect(ATCommand("ATS0=0", timeout: .zero).prefix == nil)
    #expect(ATCommand("ATD+15550100;", timeout: .zero).prefix == nil)
    #expect(ATCommand("ATD*99#", timeout: .zero).prefix == nil)
    #expect(ATCommand("AT", timeout: .zero).prefix == nil)
  }
}
