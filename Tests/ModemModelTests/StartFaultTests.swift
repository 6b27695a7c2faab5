import ModemModel
import Testing
import Time

/// Modems that start slowly or silently, and that echo whatever they are told.
@Suite struct StartFaultTests {
  private let errors = "\r\nERROR\r\n"

  @Test func messagesAreLateAfterAStart() {
    var bench = Bench { $0.profile = .simcom }
    #expect(bench.inject(.lateMessages(.seconds(20))).contains("RDY"))
    _ = bench.type("ATE0")
    for command in ["AT+CMGF=0", "AT+CNMI=2,1,0,0,0", "AT+CPMS?", "AT+CMGL=4", "AT+CSCA?"] {
      #expect(bench.type(command) == errors, "\(command)")
    }
    #expect(bench.type("AT+CSQ").contains("OK"))
    #expect(bench.type("AT+CMEE=1").contains("OK"))
    let said = bench.wait(.seconds(20))
    #expect(said == "\r\nCall Ready\r\n\r\nSMS Ready\r\n")
    #expect(bench.type("AT+CMGF=0").contains("OK"))
    // Each start is as slow, until it is healed.
    _ = bench.inject(.restart)
    _ = bench.type("ATE0")
    #expect(bench.type("AT+CMGF=0") == errors)
    _ = bench.inject(.healed)
    _ = bench.inject(.restart)
    _ = bench.type("ATE0")
    #expect(bench.type("AT+CMGF=0").contains("OK"))
  }

  @Test func aQuietRestartSaysOnlyThatItIsReady() {
    var bench = Bench { $0.profile = .simcom }
    #expect(bench.type("AT+CMGF=1").contains("OK"))
    #expect(bench.inject(.quietRestart(.seconds(3))) == "")
    #expect(bench.type("AT") == "")
    #expect(bench.wait(.seconds(2)) == "")
    #expect(bench.wait(.seconds(1)) == "\r\nCall Ready\r\n\r\nSMS Ready\r\n")
    _ = bench.type("ATE0")
    // Its settings are those of a start.
    #expect(bench.type("AT+CMGF?").contains("+CMGF: 0"))
  }

  @Test func anEchoThatDoesNotEnd() {
    var bench = Bench()
    _ = bench.inject(.endlessEcho)
    #expect(bench.type("ATE0").hasPrefix("ATE0\r"))
    #expect(bench.type("AT+CSQ").hasPrefix("AT+CSQ\r"))
    _ = bench.inject(.healed)
    _ = bench.type("ATE0")
    #expect(!bench.type("AT+CSQ").contains("AT+CSQ"))
  }

  @Test func anE3131EndsACodeThatItDoesNotKnow() {
    var bench = Bench { $0.profile = .huawei }
    #expect(bench.type("AT+CUSD=1,\"AA180C3602\",15").contains("OK"))
    #expect(bench.wait(.seconds(2)) == "\r\n+CUSD: 2\r\n")
    #expect(bench.type("AT+CUSD=1,\"*100#\",15").contains("OK"))
    #expect(bench.wait(.seconds(2)).contains("+CUSD: 0,\"Balance"))
  }
}
