import GSM
import ModemModel
import Testing
import Time

@Suite struct ReceptionTests {
  private func line(_ head: String, _ tpdu: TPDU) throws -> String {
    let pdu = try PDU(serviceCentre: Address("+9779800000000"), tpdu: tpdu).encoded()
    return "\r\n\(head)\(try tpdu.encoded().count)\r\n\(Hex.encode(pdu))\r\n"
  }

  @Test func inSilence() throws {
    var bench = Bench()
    let (answer, said) = bench.deliver(try Bench.message("hello"))
    #expect(answer == .taken)
    #expect(said == "")
    #expect(bench.type("AT+CPMS?") == ok("+CPMS: \"SM\",1,30,\"SM\",1,30,\"SM\",1,30"))
    let message = try line("+CMGL: 1,0,,", try Bench.message("hello"))
    #expect(bench.type("AT+CMGL=4") == message + ok())
    #expect(bench.type("AT+CMGL=0") == ok())
    #expect(bench.type("AT+CMGR=1") == (try line("+CMGR: 1,,", try Bench.message("hello"))) + ok())
    #expect(bench.type("AT+CMGD=1") == ok())
    #expect(bench.type("AT+CMGL=4") == ok())
    let changes = bench.effects.compactMap { effect in
      if case .storeChanged(let change) = effect { change.kind } else { nil }
    }
    #expect(changes == [.stored, .read, .deleted])
  }

  @Test func byItsPlace() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,2,0")
    #expect(bench.deliver(try Bench.message("a")).said == "\r\n+CMTI: \"SM\",1\r\n")
    #expect(bench.deliver(try Bench.message("b")).said == "\r\n+CMTI: \"SM\",2\r\n")
    _ = bench.type("AT+CMGD=1")
    #expect(bench.deliver(try Bench.message("c")).said == "\r\n+CMTI: \"SM\",1\r\n")
    #expect(bench.deliver(try Bench.report()).said == "\r\n+CDSI: \"SR\",1\r\n")
    _ = bench.type("AT+CPMS=\"SR\"")
    #expect(bench.type("AT+CMGR=1") == (try line("+CMGR: 0,,", try Bench.report())) + ok())
    _ = bench.type("AT+CPMS=\"SM\",\"SM\",\"ME\"")
    #expect(bench.deliver(try Bench.message("d")).said == "\r\n+CMTI: \"ME\",1\r\n")
  }

  @Test func handedOverWhole() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,2,0,1,0")
    #expect(
      bench.deliver(try Bench.message("a")).said == (try line("+CMT: ,", try Bench.message("a"))))
    #expect(bench.deliver(try Bench.report()).said == (try line("+CDS: ", try Bench.report())))
    // A message of class 2 belongs on the SIM.
    #expect(
      bench.deliver(try Bench.message("b", messageClass: 2)).said == "\r\n+CMTI: \"SM\",1\r\n")
    _ = bench.type("AT+CNMI=2,3")
    #expect(bench.deliver(try Bench.message("c")).said == "\r\n+CMTI: \"SM\",2\r\n")
    let third = try Bench.message("d", messageClass: 3)
    #expect(bench.deliver(third).said == (try line("+CMT: ,", third)))
    var simcom = Bench { $0.profile = .simcom }
    _ = simcom.type("AT+CNMI=2,1,0,2,0")
    #expect(simcom.deliver(try Bench.report()).said == "\r\n+CDSI: \"SM\",1\r\n")
    #expect(simcom.type("AT+CMGR=1") == (try line("+CMGR: 0,,", try Bench.report())) + ok())
    var zte = Bench { $0.profile = .zte }
    _ = zte.type("AT+CNMI=2,1,0,1,0")
    #expect(zte.deliver(try Bench.report()).said.hasPrefix("\r\n+CDS: ,"))
  }

  @Test func unwantedReportsGoNowhere() throws {
    var bench = Bench()
    #expect(bench.deliver(try Bench.report()) == (.taken, ""))
    #expect(bench.type("AT+CPMS=\"SR\"") == ok("+CPMS: 0,20,0,30,0,30"))
  }

  @Test func heldBackUntilTheModeAllowsIt() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=0,1,0,0,0")
    #expect(bench.deliver(try Bench.message("a")) == (.taken, ""))
    #expect(bench.type("AT+CNMI=2,1,0,0,0") == "\r\n+CMTI: \"SM\",1\r\n" + ok())
    _ = bench.type("AT+CNMI=0,1,0,0,0")
    _ = bench.deliver(try Bench.message("b"))
    #expect(bench.type("AT+CNMI=2,1,0,0,1") == ok())
  }

  @Test func acknowledgedReception() throws {
    var bench = Bench()
    #expect(bench.type("AT+CNMA") == "\r\n+CMS ERROR: 340\r\n")
    _ = bench.type("AT+CSMS=1;+CNMI=2,2,0,1,0")
    #expect(bench.deliver(try Bench.message("a")).answer == .later)
    #expect(bench.deliver(try Bench.message("b")).answer == .refused)
    #expect(bench.type("AT+CNMA") == ok())
    #expect(bench.effects.contains(.acknowledged(true)))
    #expect(bench.type("AT+CNMA") == "\r\n+CMS ERROR: 340\r\n")
    _ = bench.deliver(try Bench.message("c"))
    #expect(bench.type("AT+CNMA=2") == ok())
    #expect(bench.effects.contains(.acknowledged(false)))
    _ = bench.deliver(try Bench.message("d"))
    #expect(bench.type("AT+CNMA=1,3") == prompt)
    #expect(bench.body("000000") == ok())
    #expect(bench.type("AT+CNMI?") == ok("+CNMI: 2,2,0,1,0"))
  }

  @Test func unacknowledgedReceptionStopsInSilence() throws {
    var bench = Bench()
    _ = bench.type("AT+CSMS=1;+CNMI=2,2,0,1,0")
    _ = bench.deliver(try Bench.message("a"))
    #expect(bench.modem.deadline == bench.now + .seconds(15))
    #expect(bench.wait(.seconds(15)) == "")
    #expect(bench.effects.contains(.acknowledged(false)))
    #expect(bench.type("AT+CNMI?") == ok("+CNMI: 2,0,0,0,0"))
  }

  @Test func aFullStorageTakesNothing() throws {
    var bench = Bench { $0.storageSize = 2 }
    _ = bench.type("AT+CNMI=2,1")
    for text in ["a", "b"] { #expect(bench.deliver(try Bench.message(text)).answer == .taken) }
    #expect(bench.deliver(try Bench.message("c")) == (.refused, ""))
    bench.effects = []
    #expect(bench.type("AT+CMGD=1") == ok())
    #expect(bench.effects.contains(.reachable))
    #expect(bench.deliver(try Bench.message("c")).answer == .taken)
  }

  @Test(
    "Deleting by state",
    arguments: [(1, [2, 3, 4]), (2, [2, 3]), (3, [2]), (4, [])])
  func deletingByState(_ flag: Int, _ left: [Int]) throws {
    var bench = Bench()
    _ = bench.deliver(try Bench.message("read"))
    _ = bench.type("AT+CMGR=1")
    _ = bench.deliver(try Bench.message("unread"))
    let pdu = try Bench.pdu("x")
    for _ in 0..<2 {
      _ = bench.type("AT+CMGW=\(pdu.length)")
      _ = bench.body(pdu.hex)
    }
    _ = bench.type("AT+CMSS=4")
    #expect(bench.type("AT+CMGD=?") == ok("+CMGD: (1,2,3,4),(0-4)"))
    // 1 read, 2 unread, 3 unsent, 4 sent.
    #expect(bench.type("AT+CMGD=1,\(flag)") == ok())
    let numbers = left.map(String.init).joined(separator: ",")
    #expect(bench.type("AT+CMGD=?") == ok("+CMGD: (\(numbers)),(0-4)"))
  }

  @Test func notWhileUnreachable() throws {
    var bench = Bench { $0.registrationDelay = .seconds(10) }
    #expect(bench.deliver(try Bench.message("a")).answer == .refused)
    _ = bench.wait(.seconds(10))
    #expect(bench.deliver(try Bench.message("a")).answer == .taken)
  }
}
