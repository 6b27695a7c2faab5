import ModemModel
import Testing
import Time

@Suite struct RegistrationTests {
  @Test func itTellsWhenItFindsTheNetwork() {
    var bench = Bench { $0.registrationDelay = .seconds(20) }
    #expect(bench.type("AT+CREG=1;+CEREG=2;+CREG?") == ok("+CREG: 1,2"))
    #expect(bench.type("AT+CSQ") == ok("+CSQ: 99,99"))
    #expect(bench.type("AT+COPS?") == ok("+COPS: 0"))
    #expect(bench.modem.deadline == bench.now + .seconds(20))
    #expect(
      bench.wait(.seconds(20))
        == "\r\n+CREG: 1\r\n\r\n+CEREG: 1,\"00C3\",\"01A2F4\"\r\n")
    #expect(bench.modem.deadline == nil)
    #expect(bench.effects.contains(.reachable))
  }

  @Test func oneThatTellsNothingAnswers() {
    var bench = Bench { $0.tellsRegistration = false }
    #expect(bench.type("AT+CREG=1;+CREG?") == ok("+CREG: 1,1"))
    #expect(bench.inject(.unregistered(.seconds(90))) == "")
    #expect(bench.type("AT+CREG?") == ok("+CREG: 1,2"))
    #expect(bench.wait(.seconds(90)) == "")
    #expect(bench.type("AT+CREG?") == ok("+CREG: 1,1"))
  }

  @Test func roamingAndDeniedAndLost() {
    var bench = Bench { $0.isRoaming = true }
    #expect(bench.type("AT+CREG=1;+CREG?") == ok("+CREG: 1,5"))
    #expect(bench.inject(.unregistered(.seconds(90))) == "\r\n+CREG: 2\r\n")
    #expect(bench.modem.deadline == bench.now + .seconds(90))
    #expect(!bench.modem.isReachable(at: bench.now))
    #expect(bench.wait(.seconds(90)) == "\r\n+CREG: 5\r\n")
    #expect(bench.inject(.denied(nil)) == "\r\n+CREG: 3\r\n")
    #expect(bench.inject(.healed) == "\r\n+CREG: 5\r\n")
  }

  @Test func lostForGoodNeedsNoWaking() {
    var bench = Bench()
    _ = bench.inject(.unregistered(nil))
    #expect(bench.modem.deadline == nil)
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,2"))
  }

  @Test func flightModeAndBack() {
    var bench = Bench()
    _ = bench.type("AT+CREG=1")
    #expect(bench.type("AT+CFUN=4") == "\r\n+CREG: 0\r\n" + ok())
    #expect(bench.type("AT+CREG?") == ok("+CREG: 1,0"))
    #expect(bench.type("AT+CFUN=1") == "\r\n+CREG: 1\r\n" + ok())
  }

  @Test func leavingTheNetworkByHand() {
    var bench = Bench()
    #expect(bench.type("AT+COPS=2;+COPS?") == ok("+COPS: 2"))
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,0"))
    #expect(bench.type("AT+COPS=0;+CREG?") == ok("+CREG: 0,1"))
  }
}
