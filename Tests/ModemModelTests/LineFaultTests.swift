import GSM
import ModemModel
import Testing
import Time

/// What goes wrong on the line, with the power and with the SIM.
@Suite struct LineFaultTests {
  @Test func deafUntilItIsReset() {
    var bench = Bench()
    _ = bench.inject(.deafAfter(2))
    #expect(bench.type("AT") == ok())
    #expect(bench.type("AT") == ok())
    #expect(bench.type("AT") == "")
    #expect(bench.wait(.seconds(9_999)) == "")
    #expect(bench.type("AT+CFUN=1") == "")
    #expect(bench.type("AT+CFUN=1,1") == "")
    #expect(bench.type("AT") == "AT\r" + ok())
    _ = bench.inject(.deafAfter(0))
    #expect(bench.type("AT") == "")
    bench.modem.lineOpened()
    #expect(bench.type("ATE0").hasSuffix(ok()))
    _ = bench.inject(.deafAfter(1))
    bench.modem.lineOpened()
    #expect(bench.type("AT") == ok())
    #expect(bench.type("AT") == "")
  }

  @Test func onlyPowerHelps() {
    var bench = Bench()
    _ = bench.inject(.needsPower)
    #expect(bench.type("AT") == "")
    #expect(bench.type("AT+CFUN=1,1") == "")
    _ = bench.inject(.restart)
    #expect(bench.wait(.seconds(600)) == "")
    #expect(bench.type("AT") == "")
    #expect(!bench.modem.isReachable(at: bench.now))
    _ = bench.modem.powerCycled(at: bench.now)
    #expect(bench.type("AT") == "AT\r" + ok())
  }

  @Test func aBrownOutCutsAnAnswer() {
    var bench = Bench { $0.profile = .simcom }
    _ = bench.inject(.brownOut(.seconds(5)))
    let said = bench.type("AT+CGMI")
    #expect(!said.isEmpty && !said.contains("OK"))
    #expect("\r\nSIMCOM_Ltd\r\n\r\nOK\r\n".hasPrefix(said))
    #expect(bench.type("AT") == "")
    #expect(bench.modem.deadline == bench.now + .seconds(5))
    #expect(bench.wait(.seconds(5)).hasPrefix("\r\nRDY\r\n"))
    #expect(bench.type("ATE0") == "ATE0\r" + ok())
  }

  @Test func thePlugIsPulledInTheMiddleOfACommand() throws {
    var town = Town()
    town.inject(.unplug(.seconds(5), renames: true), 1)
    let outputs = town.world.receive(
      [UInt8]("AT\r".utf8), modem: 1, at: town.now, wall: town.wall)
    #expect(
      outputs.contains {
        if case .unplugged(1, let plug) = $0 {
          plug.duration == .seconds(5) && plug.renames
        } else {
          false
        }
      })
    #expect(!outputs.contains { if case .bytes = $0 { true } else { false } })
    #expect(town.type("AT", 1) == "")
    _ = try town.send("hello")
    #expect(town.world.inTransit == 1)
    town.take(town.world.setPlugged(true, modem: 1, at: town.now, wall: town.wall))
    #expect(town.type("ATE0", 1).hasSuffix(ok()))
    #expect(try town.texts() == ["hello"])
  }

  @Test func powerAfterAPulledPlugHealsWhatOnlyPowerHeals() {
    var town = Town()
    town.inject(.needsPower, 1)
    #expect(town.type("AT", 1) == "")
    for isPlugged in [false, true] {
      town.take(town.world.setPlugged(isPlugged, modem: 1, at: town.now, wall: town.wall))
    }
    #expect(town.type("AT", 1).hasSuffix(ok()))
  }

  @Test func whatIsNoText() {
    var bench = Bench()
    #expect(bench.inject(.hugeLine(1 << 20)).utf8.count > 1 << 20)
    #expect(bench.inject(.badText).unicodeScalars.contains("\u{FFFD}"))
    let first = bench.inject(.garbage(64))
    #expect(first != bench.inject(.garbage(64)))
    var again = Bench()
    #expect(again.inject(.garbage(64)) == first)
    _ = bench.inject(.nulBytes)
    #expect(bench.type("AT") == "\r\n\0OK\r\n")
  }

  @Test func errorsAreWrittenInOtherWays() {
    var bench = Bench()
    _ = bench.type("AT+CMEE=1")
    _ = bench.inject(.simBusy(.seconds(60)))
    _ = bench.inject(.errorWords)
    #expect(bench.type("AT+CMGL=4").contains("+CMS ERROR: "))
    #expect(!bench.type("AT+CMGL=4").contains("314"))
    _ = bench.inject(.healed)
    _ = bench.inject(.simBusy(.seconds(60)))
    _ = bench.inject(.bareErrors)
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR\r\n")
    _ = bench.inject(.healed)
    _ = bench.inject(.simBusy(.seconds(60)))
    _ = bench.inject(.swappedErrors)
    #expect(bench.type("AT+CMGL=4") == "\r\n+CME ERROR: 314\r\n")
    #expect(bench.type("AT+CPIN?") == "\r\n+CMS ERROR: 14\r\n")
  }

  // MARK: The SIM

  @Test func theSIMIsTakenOutAndPutBack() {
    var bench = Bench()
    _ = bench.type("AT+CMEE=1;+CREG=1")
    #expect(
      bench.inject(.simRemoved(.seconds(60)))
        == "\r\n+CPIN: NOT INSERTED\r\n\r\n+CREG: 0\r\n")
    #expect(bench.type("AT+CPIN?") == "\r\n+CME ERROR: 10\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 310\r\n")
    #expect(bench.modem.deadline == bench.now + .seconds(60))
    #expect(bench.wait(.seconds(60)) == "\r\n+CPIN: READY\r\n\r\n+CREG: 1\r\n")
    #expect(bench.inject(.simInserted) == "")
    var locked = Bench { $0.pin = "1234" }
    _ = locked.type("AT+CPIN=\"1234\"")
    _ = locked.inject(.simRemoved(nil))
    #expect(locked.inject(.simInserted).contains("+CPIN: SIM PIN"))
  }

  @Test func fewTriesAreLeft() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CMEE=1")
    _ = bench.inject(.pinTries(1))
    #expect(bench.type("AT+CPINR").contains("+CPINR: SIM PIN,1,3"))
    #expect(bench.type("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 12\r\n")
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: SIM PUK"))
    var open = Bench()
    _ = open.inject(.pinTries(0))
    #expect(open.type("AT+CPIN?") == ok("+CPIN: SIM PUK"))
    #expect(open.type("AT+CMGS=20") == "\r\n+CMS ERROR: 316\r\n")
  }

  @Test func lockedToAnotherSIM() {
    var bench = Bench()
    _ = bench.inject(.handsetLock)
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: PH-SIM PIN"))
    #expect(bench.type("AT+CMGS=20") == "\r\n+CMS ERROR: 312\r\n")
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,0"))
  }

  // MARK: The network

  @Test func deniedForAWhile() {
    var bench = Bench()
    _ = bench.type("AT+CREG=1")
    #expect(bench.inject(.denied(.seconds(600))) == "\r\n+CREG: 3\r\n")
    #expect(bench.wait(.seconds(599)) == "")
    #expect(bench.wait(.seconds(1)) == "\r\n+CREG: 1\r\n")
  }

  @Test func roamingAndOneDomainOnly() {
    var bench = Bench()
    _ = bench.inject(.roaming)
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,5"))
    _ = bench.inject(.epsOnly)
    #expect(bench.type("AT+CREG?;+CGREG?") == ok("+CREG: 0,0", "+CGREG: 0,0"))
    #expect(bench.type("AT+CEREG?") == ok("+CEREG: 0,5"))
  }

  @Test func theServiceCentreIsMissingOrLate() throws {
    var bench = Bench()
    _ = bench.type("AT+CMEE=1")
    _ = bench.inject(.noServiceCentre)
    #expect(bench.type("AT+CSCA?") == ok("+CSCA: \"\",129"))
    let pdu = try Bench.pdu("x")
    _ = bench.type("AT+CMGS=\(pdu.length)")
    #expect(bench.body(pdu.hex) == "\r\n+CMS ERROR: 330\r\n")
    #expect(bench.type("AT+CSCA=\"+9779800000000\",145") == ok())
    #expect(bench.type("AT+CSCA?") == ok("+CSCA: \"+9779800000000\",145"))
    _ = bench.inject(.lateServiceCentre(.seconds(20)))
    #expect(bench.type("AT+CSCA?") == "\r\n+CME ERROR: 14\r\n")
    _ = bench.wait(.seconds(20))
    #expect(bench.type("AT+CSCA?").contains("+9779800000000"))
    _ = bench.inject(.restart)
    _ = bench.type("ATE0;+CMEE=1")
    #expect(bench.type("AT+CSCA?") == "\r\n+CME ERROR: 14\r\n")
  }
}
