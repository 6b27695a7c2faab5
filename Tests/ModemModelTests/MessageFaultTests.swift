import GSM
import ModemModel
import Testing
import Time

/// What goes wrong with messages, on their way out and in.
@Suite struct MessageFaultTests {
  private func send(_ bench: inout Bench) throws -> String {
    let pdu = try Bench.pdu("x")
    let asked = bench.type("AT+CMGS=\(pdu.length)")
    guard asked.contains(">") else { return asked }
    return bench.body(pdu.hex)
  }

  // MARK: Out

  @Test func theAccountRunsOut() throws {
    var bench = Bench()
    _ = bench.inject(.credit(2, code: 38))
    #expect(try send(&bench).contains("+CMGS"))
    #expect(try send(&bench).contains("+CMGS"))
    #expect(try send(&bench) == "\r\n+CMS ERROR: 38\r\n")
    #expect(bench.type("AT+CUSD=1,\"*901#\",15") == ok())
    #expect(bench.wait(.seconds(1)).contains("Balance 0 texts"))
    _ = bench.inject(.healed)
    #expect(try send(&bench).contains("+CMGS"))
  }

  @Test func oneNumberIsRefused() throws {
    var bench = Bench()
    _ = bench.inject(.refuseNumber(Bench.bob, code: 21))
    #expect(try send(&bench) == "\r\n+CMS ERROR: 21\r\n")
    #expect(try send(&bench) == "\r\n+CMS ERROR: 21\r\n")
    let other = try #require(
      try MessageComposer.submit(text: "x", to: Address("+9779800000003")).first)
    _ = bench.type("AT+CMGS=\(other.length)")
    #expect(bench.body(other.hex).contains("+CMGS"))
    _ = bench.inject(.numberBusy(Bench.bob, .seconds(60)))
    #expect(try send(&bench) == "\r\n+CMS ERROR: 27\r\n")
    _ = bench.wait(.seconds(60))
    #expect(try send(&bench).contains("+CMGS"))
  }

  @Test func theNetworkIsSlow() throws {
    var bench = Bench()
    _ = bench.inject(.slowNetwork(.seconds(40)))
    #expect(try send(&bench) == "")
    #expect(bench.wait(.seconds(39)) == "")
    #expect(bench.wait(.seconds(1)) == ok("+CMGS: 0"))
    #expect(bench.type("AT") == ok())
  }

  @Test func promptsInOtherForms() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("x")
    _ = bench.inject(.promptLine)
    #expect(bench.type("AT+CMGS=\(pdu.length)") == "\r\n>\r\n")
    #expect(bench.body(pdu.hex) == ok("+CMGS: 0"))
    _ = bench.inject(.healed)
    _ = bench.inject(.promptEcho)
    #expect(bench.type("AT+CMGS=\(pdu.length)") == "AT+CMGS=\(pdu.length)\r\r\n> ")
    #expect(bench.body(pdu.hex) == pdu.hex + ok("+CMGS: 1"))
    #expect(bench.type("AT") == ok())
  }

  @Test func theReportComesBeforeTheAnswer() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,1,0")
    _ = bench.inject(.reportFirst)
    #expect(try send(&bench) == "")
    let said = try bench.deliver(Bench.report()).said
    #expect(said.hasPrefix("\r\n+CDS: 2"))
    #expect(said.hasSuffix(ok("+CMGS: 0")))
    _ = bench.inject(.reportFirst)
    #expect(try send(&bench) == "")
    #expect(bench.wait(.seconds(10)) == ok("+CMGS: 1"))
    #expect(try send(&bench) == ok("+CMGS: 2"))
  }

  // MARK: In

  @Test func indicationsAreLostOrLate() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,2,0")
    _ = bench.inject(.loseIndication(1))
    #expect(bench.deliver(try Bench.message("a")) == (.taken, ""))
    #expect(bench.deliver(try Bench.message("b")).said == "\r\n+CMTI: \"SM\",2\r\n")
    _ = bench.inject(.lateIndication(.seconds(9)))
    #expect(bench.deliver(try Bench.message("c")).said == "")
    #expect(bench.type("AT+CPMS?").contains("\"SM\",3,30"))
    #expect(bench.wait(.seconds(9)) == "\r\n+CMTI: \"SM\",3\r\n")
  }

  @Test func indicationsNameTheWrongPlaceOrGoElsewhere() throws {
    var bench = Bench { $0.profile = .quectel }
    _ = bench.type("AT+CNMI=2,1,0,2,0")
    _ = bench.inject(.wrongStorage)
    #expect(bench.deliver(try Bench.message("a")).said == "\r\n+CMTI: \"ME\",1\r\n")
    _ = bench.inject(.healed)
    _ = bench.inject(.indicationElsewhere)
    #expect(bench.deliver(try Bench.message("b")).said == "")
    #expect(bench.type("AT+QURCCFG=\"urcport\",\"usbat\"") == ok())
    #expect(bench.deliver(try Bench.message("c")).said == "\r\n+CMTI: \"SM\",3\r\n")
  }

  @Test func theModemForgetsToTell() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,2,0")
    _ = bench.inject(.forgetIndication)
    #expect(bench.type("AT+CNMI?") == ok("+CNMI: 0,0,0,0,0"))
    #expect(bench.deliver(try Bench.message("a")) == (.taken, ""))
  }

  @Test func reportsComeTwiceOrForAnother() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,1,0")
    _ = bench.inject(.doubleReport)
    let twice = try bench.deliver(Bench.report()).said
    #expect(twice.ranges(of: "+CDS: ").count == 2)
    _ = bench.inject(.healed)
    _ = bench.inject(.wrongReference)
    let said = try bench.deliver(Bench.report()).said
    let hex = try #require(said.split(separator: "\r\n").last)
    guard
      case .statusReport(let report) = try PDU.decode(hex: hex, direction: .mobileTerminated).tpdu
    else { throw PDUError.notHexadecimal }
    #expect(report.messageReference == 107)
  }

  @Test func reportsCannotBeRead() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,2,0")
    _ = bench.inject(.unreadableReport)
    #expect(try bench.deliver(Bench.report()).said == "\r\n+CDSI: \"SR\",1\r\n")
    #expect(bench.type("AT+CPMS=\"SR\"").contains("OK"))
    #expect(bench.type("AT+CMGR=1") == "\r\n+CMS ERROR: 321\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 321\r\n")
    _ = bench.inject(.healed)
    #expect(bench.type("AT+CMGR=1").contains("+CMGR: "))
  }

  // MARK: Storages

  @Test func aSmallStorageIsFull() throws {
    var bench = Bench()
    _ = bench.inject(.storageLimit(2))
    #expect(bench.deliver(try Bench.message("a")).answer == .taken)
    #expect(bench.deliver(try Bench.message("b")).answer == .taken)
    #expect(bench.deliver(try Bench.message("c")).answer == .refused)
    #expect(bench.type("AT+CPMS?").contains("\"SM\",2,2"))
    _ = bench.type("AT+CMGD=1")
    #expect(bench.effects.contains(.reachable))
    #expect(bench.deliver(try Bench.message("c")).answer == .taken)
  }

  @Test func listsAreNeverAnswered() {
    var bench = Bench()
    _ = bench.inject(.muteList)
    #expect(bench.type("AT+CMGL=4") == "")
    #expect(bench.wait(.seconds(999)) == "")
    #expect(bench.type("AT") == ok())
    _ = bench.inject(.healed)
    #expect(bench.type("AT+CMGL=4") == ok())
  }

  @Test func theStorageIsChosenWithoutAnEnd() {
    var bench = Bench()
    _ = bench.inject(.storageWithoutOK)
    #expect(bench.type("AT+CPMS=\"SM\",\"SM\",\"SM\"") == "\r\n+CPMS: 0,30,0,30,0,30\r\n")
    #expect(bench.type("AT+CPMS?").hasSuffix(ok()))
  }
}
