import GSM
import ModemModel
import Testing

@Suite struct TextModeTests {
  private func bench(_ set: String = "IRA") -> Bench {
    var bench = Bench()
    _ = bench.type("AT+CMGF=1;+CSCS=\"\(set)\"")
    return bench
  }

  private func last(_ bench: Bench) throws -> SMSSubmit {
    try #require(bench.submissions.last).message
  }

  @Test func aTextWithSeveralLines() throws {
    var bench = bench()
    #expect(bench.type("AT+CMGS=\"\(Bench.bob)\"") == prompt)
    #expect(bench.type("first") == prompt)
    #expect(bench.body("second") == ok("+CMGS: 0"))
    #expect(try last(bench).userData.text == "first\nsecond")
    #expect(try last(bench).destination.number == Bench.bob)
    #expect(try last(bench).validity == .relative(167))
  }

  @Test func typingIsCorrected() throws {
    var bench = bench()
    _ = bench.type("AT+CMGS=\"980\",129")
    #expect(bench.body("helk\u{8}lo") == ok("+CMGS: 0"))
    #expect(try last(bench).userData.text == "hello")
    #expect(try last(bench).destination.typeOfNumber == .unknown)
    _ = bench.type("AT+CMGS=\"9779800000002\",145")
    _ = bench.body("x")
    #expect(try last(bench).destination.number == Bench.bob)
  }

  @Test func septetsAreTypedAsTheyAre() throws {
    var bench = bench("GSM")
    _ = bench.type("AT+CMGS=\"\(Bench.bob)\"")
    #expect(bench.raw([0x00, 0x02, 0x11, 0x41, 0x1A]) == ok("+CMGS: 0"))
    #expect(try last(bench).userData.text == "@$_A")
  }

  @Test func textInHexadecimalDigits() throws {
    var bench = bench("UCS2")
    let number = "002B0039003700370039003800300030003000300030003000300032"
    #expect(bench.type("AT+CMGS=\"\(number)\"") == prompt)
    #expect(bench.body("00480069") == ok("+CMGS: 0"))
    #expect(try last(bench).userData.text == "Hi")
    #expect(try last(bench).destination.number == Bench.bob)
    #expect(bench.type("AT+CMGS=\"\(Bench.bob)\"") == "\r\n+CMS ERROR: 305\r\n")
    var hex = self.bench("HEX")
    #expect(hex.type("AT+CMGS=\"\(number)\"").hasSuffix("305\r\n"))
  }

  @Test func codingsOfTheParameters() throws {
    var bench = bench()
    _ = bench.type("AT+CSMP=49,0,0,8")
    _ = bench.type("AT+CMGS=\"\(Bench.bob)\"")
    #expect(bench.body("0928092E") == ok("+CMGS: 0"))
    #expect(try last(bench).userData.text == "नम")
    #expect(try last(bench).requestsStatusReport)
    #expect(try last(bench).validity == .relative(0))
    _ = bench.type("AT+CSMP=1,0,0,4")
    _ = bench.type("AT+CMGS=\"\(Bench.bob)\"")
    #expect(bench.body("00FF") == ok("+CMGS: 1"))
    #expect(try last(bench).userData.data == [0x00, 0xFF])
    #expect(try last(bench).validity == nil)
    _ = bench.type("AT+CSMP=65,,0,0")
    _ = bench.type("AT+CMGS=\"\(Bench.bob)\"")
    #expect(bench.body("050003070201906536FB0D") == ok("+CMGS: 2"))
    #expect(try last(bench).userData.header?.concatenation?.total == 2)
    #expect(try last(bench).userData.text == "Hello")
  }

  @Test(
    "A body that does not fit",
    arguments: [
      (0, String(repeating: "x", count: 161)), (0, "é"), (8, "092"), (8, "hello"), (4, "0"),
    ])
  func badBodies(_ coding: Int, _ body: String) {
    var bench = bench()
    _ = bench.type("AT+CSMP=17,167,0,\(coding)")
    _ = bench.type("AT+CMGS=\"\(Bench.bob)\"")
    #expect(bench.body(body) == "\r\n+CMS ERROR: 305\r\n")
    #expect(bench.submissions.isEmpty)
  }

  @Test func aReceivedTextIsShown() throws {
    var bench = bench()
    _ = bench.deliver(try Bench.message("hello"))
    let time = "\"26/11/21,00:25:00+23\""
    #expect(
      bench.type("AT+CMGL=\"ALL\"")
        == ok("+CMGL: 1,\"REC UNREAD\",\"\(Bench.bob)\",,\(time)\r\nhello"))
    #expect(
      bench.type("AT+CSDH=1;+CMGL=\"REC READ\"")
        == ok("+CMGL: 1,\"REC READ\",\"\(Bench.bob)\",,\(time),145,5\r\nhello"))
    #expect(
      bench.type("AT+CMGR=1")
        == ok(
          "+CMGR: \"REC READ\",\"\(Bench.bob)\",,\(time),145,4,0,0,\"+9779800000000\",145,5"
            + "\r\nhello"))
    _ = bench.type("AT+CSCS=\"UCS2\";+CSDH=0")
    #expect(bench.type("AT+CMGR=1").hasSuffix("\r\n00680065006C006C006F\r\n\r\nOK\r\n"))
  }

  @Test func whatIsNoTextIsShownInDigits() throws {
    var bench = bench()
    _ = bench.deliver(try Bench.message("नम"))
    #expect(bench.type("AT+CMGR=1").hasSuffix("\r\n0928092E\r\n\r\nOK\r\n"))
    let part = UserData(
      header: UserDataHeader(concatenation: Concatenation(reference: 7, total: 2, part: 1)),
      content: .gsm7([0x41]))
    _ = bench.deliver(
      .deliver(SMSDeliver(from: try Address(Bench.bob), userData: part, timestamp: nil)))
    #expect(bench.type("AT+CMGR=2").contains("\r\n05000307020182\r\n"))
  }

  @Test func itIsHandedOver() throws {
    var bench = bench()
    _ = bench.type("AT+CNMI=2,2,0,1,0")
    let time = "\"26/11/21,00:25:00+23\""
    #expect(
      bench.deliver(try Bench.message("hi")).said
        == "\r\n+CMT: \"\(Bench.bob)\",,\(time)\r\nhi\r\n")
    #expect(
      bench.deliver(try Bench.report()).said
        == "\r\n+CDS: 6,7,\"\(Bench.bob)\",145,\(time),\"26/11/21,00:26:00+23\",0\r\n")
  }

  @Test func aStoredTextAndItsRecipient() throws {
    var bench = bench()
    #expect(bench.type("AT+CMGW") == prompt)
    #expect(bench.body("draft") == ok("+CMGW: 1"))
    #expect(bench.type("AT+CMSS=1") == "\r\n+CMS ERROR: 305\r\n")
    #expect(bench.type("AT+CMSS=1,\"\(Bench.bob)\"") == ok("+CMSS: 0"))
    #expect(bench.type("AT+CMGR=1") == ok("+CMGR: \"STO SENT\",\"\",\r\ndraft"))
    #expect(bench.type("AT+CMGW=\"\(Bench.bob)\",145,\"STO SENT\"") == prompt)
    #expect(bench.body("sent") == ok("+CMGW: 2"))
    #expect(
      bench.type("AT+CMGL=\"STO SENT\"")
        == ok(
          "+CMGL: 1,\"STO SENT\",\"\",\r\ndraft", "+CMGL: 2,\"STO SENT\",\"\(Bench.bob)\",\r\nsent")
    )
  }
}
