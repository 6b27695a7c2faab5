import GSM
import ModemModel
import Testing
import Time

/// Storages that are chosen, listed and filled otherwise, and a clock that shows another time.
@Suite struct StorageFaultTests {
  @Test func threeNamesOrNone() {
    var bench = Bench()
    _ = bench.inject(.storagesTogether)
    #expect(bench.type("AT+CPMS=\"ME\"") == "\r\nERROR\r\n")
    #expect(bench.type("AT+CPMS=\"ME\",\"SM\"") == "\r\nERROR\r\n")
    #expect(bench.type("AT+CPMS=\"ME\",\"SM\",\"SM\"") == ok("+CPMS: 0,100,0,30,0,30"))
    _ = bench.inject(.healed)
    #expect(bench.type("AT+CPMS=\"SM\"").hasSuffix(ok()))
  }

  @Test func messagesGoIntoTheModem() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,1,0,0,0")
    _ = bench.inject(.storedInModem)
    #expect(try bench.deliver(Bench.message("a")) == (.taken, "\r\n+CMTI: \"ME\",1\r\n"))
    #expect(bench.type("AT+CMGL=4") == ok())
    _ = bench.type("AT+CPMS=\"ME\"")
    #expect(bench.type("AT+CMGL=4").contains("+CMGL: 1,0,"))
  }

  @Test func listsAreRefused() {
    var bench = Bench()
    _ = bench.inject(.refuseList(code: 305, times: 2))
    _ = bench.inject(.refuseList(code: 0, times: 1))
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 305\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 305\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\nERROR\r\n")
    #expect(bench.type("AT+CMGL=4") == ok())
  }

  @Test func aListIsSlow() throws {
    var bench = Bench()
    for text in ["a", "b", "c"] { _ = try bench.deliver(Bench.message(text)) }
    _ = bench.inject(.slowList(.seconds(7)))
    #expect(bench.type("AT+CMGL=4") == "")
    for number in 1...3 {
      #expect(bench.wait(.seconds(6)) == "")
      let said = bench.wait(.seconds(1))
      #expect(said.contains("+CMGL: \(number),0,"))
      #expect(said.hasSuffix(ok()) == (number == 3))
    }
  }

  @Test func anotherProgramLeftTextMode() {
    var bench = Bench()
    _ = bench.type("AT+CMGF=0")
    _ = bench.inject(.textMode)
    #expect(bench.type("AT+CMGF?") == ok("+CMGF: 1"))
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 305\r\n")
  }

  @Test func othersLeftMessages() {
    var bench = Bench { $0.storageSize = 3 }
    _ = bench.inject(.leftovers(2))
    #expect(bench.type("AT+CPMS?").contains("\"SM\",2,3"))
    let listed = bench.type("AT+CMGL=4")
    #expect(listed.contains("+CMGL: 1,3,") && listed.contains("+CMGL: 2,2,"))
    _ = bench.inject(.leftovers(9))
    #expect(bench.type("AT+CPMS?").contains("\"SM\",3,3"))
  }

  @Test func aClockShowsTheTimeOfGreenwichOrOfHere() {
    for (profile, first, then) in [
      (ModemProfile.quectel, "26/11/20,18:40:00+23", "26/11/21,00:25:00+23"),
      (.generic, "26/11/21,00:25:00+23", "26/11/21,00:25:00+23"),
    ] {
      var bench = Bench { $0.profile = profile }
      bench.modem.synchronise(WallTime(epochSeconds: 1_795_200_000), at: bench.now)
      #expect(bench.type("AT+CTZU=1") == ok())
      #expect(bench.type("AT+CCLK?") == ok("+CCLK: \"\(first)\""))
      let offersLocal = bench.type("AT+CTZU=?").contains("3")
      #expect((bench.type("AT+CTZU=3") == ok()) == offersLocal)
      #expect(bench.type("AT+CCLK?") == ok("+CCLK: \"\(then)\""))
    }
  }
}
