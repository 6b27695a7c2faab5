import GSM
import ModemModel
import Testing
import Time

@Suite struct SendingTests {
  @Test func aMessageInPDUMode() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("V1|KTM|BA1PA1234|1|1700000000|1234")
    #expect(bench.type("AT+CMGS=\(pdu.length)") == prompt)
    #expect(bench.body(pdu.hex) == ok("+CMGS: 0"))
    #expect(bench.submissions.first?.message.userData.text == "V1|KTM|BA1PA1234|1|1700000000|1234")
    #expect(bench.submissions.first?.message.destination.number == Bench.bob)
    #expect(bench.type("AT+CMGS=\(pdu.length)") == prompt)
    #expect(bench.body(pdu.hex) == ok("+CMGS: 1"))
    #expect(bench.submissions.map(\.message.messageReference) == [0, 1])
  }

  @Test func referencesGoRound() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("x")
    for number in 0..<258 {
      _ = bench.type("AT+CMGS=\(pdu.length)")
      #expect(bench.body(pdu.hex) == ok("+CMGS: \(number % 256)"))
    }
  }

  @Test func echoComesWithTheBody() throws {
    var bench = Bench()
    _ = bench.type("ATE1")
    let pdu = try Bench.pdu("x")
    let command = "AT+CMGS=\(pdu.length)"
    #expect(bench.type(command) == command + "\r" + prompt)
    #expect(bench.body(pdu.hex) == pdu.hex + "\u{1A}" + ok("+CMGS: 0"))
  }

  @Test func charactersBeforeThePromptAreLost() throws {
    var bench = Bench { $0.promptDelay = .milliseconds(200) }
    let pdu = try Bench.pdu("x")
    #expect(bench.type("AT+CMGS=\(pdu.length)") == "")
    #expect(bench.body(pdu.hex) == "")
    #expect(bench.wait(.milliseconds(200)) == prompt)
    #expect(bench.body(pdu.hex) == ok("+CMGS: 0"))
    #expect(bench.submissions.count == 1)
    var hasty = Bench()
    let typedAhead = "AT+CMGS=\(pdu.length)\r\(pdu.hex)\u{1A}"
    #expect(hasty.raw([UInt8](typedAhead.utf8)) == prompt)
    #expect(hasty.raw([0x1B]) == ok())
    #expect(hasty.submissions.isEmpty)
  }

  @Test func escapeCancels() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("x")
    _ = bench.type("AT+CMGS=\(pdu.length)")
    #expect(bench.raw([UInt8](pdu.hex.utf8) + [0x1B]) == ok())
    #expect(bench.submissions.isEmpty)
    #expect(bench.type("AT") == ok())
  }

  @Test(
    "A body that is none is refused",
    arguments: [
      ("", 20), ("00", 20), ("XYZ", 20), ("0011000B915121551532F40000A70A", 14),
      ("0004", 7), ("07911326040000F001000B916407281553F80000AA0AE8329BFD4697D9EC37", 21),
    ])
  func badBodies(_ body: String, _ length: Int) {
    var bench = Bench()
    #expect(bench.type("AT+CMGS=\(length)") == prompt)
    #expect(bench.body(body) == "\r\n+CMS ERROR: 304\r\n")
    #expect(bench.submissions.isEmpty)
  }

  @Test func withoutNetworkOrServiceCentre() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("x")
    func send(_ bench: inout Bench, _ hex: String) -> String {
      _ = bench.type("AT+CMGS=\(pdu.length)")
      return bench.body(hex)
    }
    _ = bench.inject(.unregistered(nil))
    #expect(send(&bench, pdu.hex) == "\r\n+CMS ERROR: 331\r\n")
    _ = bench.inject(.healed)
    _ = bench.type("AT+CFUN=4")
    #expect(send(&bench, pdu.hex) == "\r\n+CMS ERROR: 302\r\n")
    var unset = Bench { $0.smsc = "" }
    #expect(send(&unset, pdu.hex) == "\r\n+CMS ERROR: 330\r\n")
    // A service centre in the message itself does.
    #expect(send(&unset, "0791799708111111" + pdu.hex.dropFirst(2)) == ok("+CMGS: 0"))
    var noCredit = Bench { $0.credit = 1 }
    #expect(send(&noCredit, pdu.hex) == ok("+CMGS: 0"))
    #expect(send(&noCredit, pdu.hex) == "\r\n+CMS ERROR: 21\r\n")
    bench = Bench()
    bench.networkAnswer = .refused(38)
    #expect(send(&bench, pdu.hex) == "\r\n+CMS ERROR: 38\r\n")
  }

  @Test func theAnswerTakesItsTimeAndLinesComeBetween() throws {
    var bench = Bench {
      $0.sendDelay = .seconds(3)
      $0.profile = .huawei
    }
    _ = bench.inject(.noise)
    let pdu = try Bench.pdu("x")
    _ = bench.type("AT+CMGS=\(pdu.length)")
    #expect(bench.body(pdu.hex) == "")
    let effects = bench.modem.tell(unsolicited: "^RSSI:9", at: bench.now)
    #expect(effects == [.bytes([UInt8]("\r\n^RSSI:9\r\n".utf8))])
    #expect(bench.type("AT") == "")
    let said = bench.wait(.seconds(3))
    #expect(said.hasPrefix("\r\n^RSSI:18\r\n"))
    #expect(said.hasSuffix(ok("+CMGS: 0") + ok()))
  }

  @Test func aStoredMessageIsSentAsOftenAsWanted() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("kept")
    #expect(bench.type("AT+CMGW=\(pdu.length)") == prompt)
    #expect(bench.body(pdu.hex) == ok("+CMGW: 1"))
    #expect(bench.type("AT+CMGL=2") == ok("+CMGL: 1,2,,\(pdu.length)\r\n\(pdu.hex)"))
    #expect(bench.type("AT+CMSS=1") == ok("+CMSS: 0"))
    #expect(bench.type("AT+CMGL=2") == ok())
    #expect(bench.type("AT+CMSS=1,\"+9779800000009\"") == ok("+CMSS: 1"))
    #expect(
      bench.submissions.map(\.message.destination.number) == [Bench.bob, "+9779800000009"])
    _ = bench.inject(.storageFull)
    _ = bench.type("AT+CMGW=\(pdu.length)")
    #expect(bench.body(pdu.hex) == "\r\n+CMS ERROR: 322\r\n")
  }

  @Test func aReceivedMessageIsNotSent() throws {
    var bench = Bench()
    _ = bench.deliver(try Bench.message("hello"))
    #expect(bench.type("AT+CMSS=1") == "\r\n+CMS ERROR: 302\r\n")
  }
}
