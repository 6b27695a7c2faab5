import ModemModel
import Testing
import Time

@Suite struct SIMTests {
  @Test func nothingWorksBeforeThePIN() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CMEE=1")
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: SIM PIN"))
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,0"))
    #expect(bench.type("AT+CIMI") == "\r\n+CME ERROR: 11\r\n")
    for command in ["AT+CMGL=4", "AT+CMGS=20", "AT+CSCA?", "AT+CPMS?", "AT+CNMI=2,1"] {
      #expect(bench.type(command) == "\r\n+CMS ERROR: 311\r\n", "\(command)")
    }
    #expect(bench.type("AT+CPIN=\"1234\"") == ok())
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: READY"))
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,1"))
    #expect(bench.type("AT+CMGL=4") == ok())
  }

  @Test func threeWrongPINsBlockAndThePUKHelps() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CMEE=1")
    #expect(bench.type("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 16\r\n")
    #expect(bench.type("AT+CPINR").contains("SIM PIN,2,3"))
    #expect(bench.type("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 16\r\n")
    #expect(bench.type("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 12\r\n")
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: SIM PUK"))
    #expect(bench.type("AT+CPIN=\"1234\"") == "\r\n+CME ERROR: 12\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 316\r\n")
    #expect(bench.type("AT+CPIN=\"00000000\",\"4321\"") == "\r\n+CME ERROR: 16\r\n")
    #expect(bench.type("AT+CPIN=\"12345678\",\"4321\"") == ok())
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: READY"))
    _ = bench.type("AT+CFUN=1,1")
    _ = bench.type("ATE0")
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: SIM PIN"))
    #expect(bench.type("AT+CPIN=\"4321\"") == ok())
  }

  @Test func tenWrongPUKsEndTheCard() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CMEE=1")
    for _ in 0..<3 { _ = bench.type("AT+CPIN=\"0000\"") }
    for _ in 0..<9 {
      #expect(bench.type("AT+CPIN=\"1\",\"4321\"") == "\r\n+CME ERROR: 16\r\n")
    }
    #expect(bench.type("AT+CPIN=\"1\",\"4321\"") == "\r\n+CME ERROR: 13\r\n")
    #expect(bench.type("AT+CPIN?") == "\r\n+CME ERROR: 13\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 313\r\n")
  }

  @Test func triesSurviveARestart() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CPIN=\"0000\"")
    _ = bench.inject(.restart)
    #expect(bench.type("ATE0;+CPINR").contains("SIM PIN,2,3"))
  }

  @Test func theLockIsTakenOffAndPutOn() {
    var bench = Bench { $0.pin = "1234" }
    _ = bench.type("AT+CMEE=1;+CPIN=\"1234\"")
    #expect(bench.type("AT+CLCK=\"SC\",2") == ok("+CLCK: 1"))
    #expect(bench.type("AT+CLCK=\"SC\",0,\"9999\"") == "\r\n+CME ERROR: 16\r\n")
    #expect(bench.type("AT+CLCK=\"SC\",0,\"1234\"") == ok())
    #expect(bench.type("AT+CLCK=\"SC\",2") == ok("+CLCK: 0"))
    _ = bench.inject(.restart)
    #expect(bench.type("ATE0;+CPIN?").hasSuffix(ok("+CPIN: READY")))
  }

  @Test func withoutACard() {
    var bench = Bench { $0.hasSIM = false }
    _ = bench.type("AT+CMEE=1")
    #expect(bench.type("AT+CPIN?") == "\r\n+CME ERROR: 10\r\n")
    #expect(bench.type("AT+CMGS=20") == "\r\n+CMS ERROR: 310\r\n")
    #expect(bench.type("AT+CREG?") == ok("+CREG: 0,0"))
  }

  @Test func theBalanceOfAPrepaidCard() {
    var bench = Bench { $0.credit = 5 }
    #expect(bench.type("AT+CUSD=1,\"*100#\",15") == ok())
    #expect(bench.type("AT") == ok())
    #expect(
      bench.wait(.seconds(1))
        == "\r\n+CUSD: 0,\"Balance 5 texts, valid until 2027-01-01\",15\r\n")
    #expect(bench.type("AT+CUSD=1,\"*1#\"") == ok())
    #expect(bench.wait(.seconds(1)) == "\r\n+CUSD: 4\r\n")
    _ = bench.type("AT+CSCS=\"UCS2\"")
    #expect(bench.type("AT+CUSD=1,\"002A0031003000300023\",15") == ok())
    #expect(bench.wait(.seconds(1)).hasPrefix("\r\n+CUSD: 0,\"00420061006C0061006E"))
    _ = bench.type("AT+CMEE=1;+COPS=2")
    #expect(bench.type("AT+CUSD=1,\"*100#\"") == "\r\n+CME ERROR: 30\r\n")
  }
}
