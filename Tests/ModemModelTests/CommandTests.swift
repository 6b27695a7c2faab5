import GSM
import ModemModel
import Testing
import Time

@Suite struct CommandTests {
  @Test(
    "What a modem says to a command",
    arguments: [
      ("AT", ok()),
      ("at", ok()),
      ("AT;", ok()),
      ("ATE0V1Q0", ok()),
      ("ATI", ok("Checkpost", "Simulated modem", "1.0")),
      ("AT&F0", ok()),
      ("AT&D0&C1", ok()),
      ("ATS0=0", ok()),
      ("ATH", ok()),
      ("AT+CGMI", ok("Checkpost")),
      ("AT+CGMM", ok("Simulated modem")),
      ("AT+CGMR", ok("1.0")),
      ("AT+CGMI=?", ok()),
      ("AT+CGSN", ok("356938035643809")),
      ("AT+CIMI", ok("429011234567890")),
      ("AT+CCID", ok("+CCID: 8997701234567890123")),
      ("AT+CNUM", ok("+CNUM: \"\",\"+9779800000001\",145")),
      ("AT+CPIN?", ok("+CPIN: READY")),
      ("AT+CPINR", ok("+CPINR: SIM PIN,3,3", "+CPINR: SIM PUK,10,10")),
      ("AT+CREG?", ok("+CREG: 0,1")),
      ("AT+CGREG?", ok("+CGREG: 0,1")),
      ("AT+CEREG?", ok("+CEREG: 0,1")),
      ("AT+CREG=2;+CREG?", ok("+CREG: 2,1,\"00C3\",\"01A2F4\"")),
      ("AT+CREG=?", ok("+CREG: (0-2)")),
      ("AT+CSQ", ok("+CSQ: 18,99")),
      ("AT+CSQ=?", ok("+CSQ: (0-31,99),(0-7,99)")),
      ("AT+COPS?", ok("+COPS: 0,0,\"Ncell\"")),
      ("AT+COPS=3,2;+COPS?", ok("+COPS: 0,2,\"42902\"")),
      ("AT+CSCS=\"UCS2\";+COPS?", ok("+COPS: 0,0,\"004E00630065006C006C\"")),
      ("AT+CSCS=\"UCS2\";+COPS=3,2;+COPS?", ok("+COPS: 0,2,\"42902\"")),
      ("AT+COPS=?", ok("+COPS: (2,\"Ncell\",\"Ncell\",\"42902\"),,(0-4),(0-2)")),
      ("AT+CSCS?", ok("+CSCS: \"GSM\"")),
      ("AT+CSCS=?", ok("+CSCS: (\"GSM\",\"IRA\",\"UCS2\",\"HEX\")")),
      ("AT+CSCA?", ok("+CSCA: \"+9779800000000\",145")),
      ("AT+CSCA=\"+9779811111111\",145;+CSCA?", ok("+CSCA: \"+9779811111111\",145")),
      ("AT+CSCA=\"9779811111111\",145;+CSCA?", ok("+CSCA: \"+9779811111111\",145")),
      ("AT+CSMS?", ok("+CSMS: 0,1,1,1")),
      ("AT+CSMS=1", ok("+CSMS: 1,1,1")),
      ("AT+CMGF?", ok("+CMGF: 0")),
      ("AT+CMGF=1;+CMGF?", ok("+CMGF: 1")),
      ("AT+CMGF=?", ok("+CMGF: (0,1)")),
      ("AT+CSMP?", ok("+CSMP: 17,167,0,0")),
      ("AT+CSMP=49,,,8;+CSMP?", ok("+CSMP: 49,167,0,8")),
      ("AT+CSDH=1;+CSDH?", ok("+CSDH: 1")),
      ("AT+CNMI?", ok("+CNMI: 0,0,0,0,0")),
      ("AT+CNMI=2,1,0,2,0;+CNMI?", ok("+CNMI: 2,1,0,2,0")),
      ("AT+CNMI=2,1", ok()),
      ("AT+CNMI=?", ok("+CNMI: (0-3),(0-3),(0,2),(0-2),(0,1)")),
      ("AT+CPMS?", ok("+CPMS: \"SM\",0,30,\"SM\",0,30,\"SM\",0,30")),
      ("AT+CPMS=\"ME\",\"ME\",\"ME\"", ok("+CPMS: 0,100,0,100,0,100")),
      (
        "AT+CPMS=?",
        ok("+CPMS: (\"SM\",\"ME\",\"MT\",\"SR\"),(\"SM\",\"ME\"),(\"SM\",\"ME\",\"MT\")")
      ),
      ("AT+CMGL=4", ok()),
      ("AT+CMGL", ok()),
      ("AT+CMGL=?", ok("+CMGL: (0-4)")),
      ("AT+CMGS=?", ok()),
      ("AT+CMMS=2;+CMMS?", ok("+CMMS: 2")),
      ("AT+CFUN?", ok("+CFUN: 1")),
      ("AT+CFUN=?", ok("+CFUN: (0,1,4),(0,1)")),
      ("AT+CBC", ok("+CBC: 0,87,4012")),
      ("AT+CLCK=\"SC\",2", ok("+CLCK: 0")),
      ("AT+CLCK=\"AO\",2", ok("+CLCK: 0")),
      ("AT+CLCK=?", ok("+CLCK: (\"SC\")")),
      ("AT+CUSD=1", ok()),
      ("AT+CMEE=1;+CMEE?", ok("+CMEE: 1")),
      ("AT+CMEE=?", ok("+CMEE: (0-2)")),
      ("AT+CCLK=\"26/11/21,10:30:00+23\";+CCLK?", ok("+CCLK: \"26/11/21,10:30:00+23\"")),
    ])
  func answers(_ command: String, _ answer: String) {
    var bench = Bench()
    #expect(bench.type(command) == answer)
  }

  @Test(
    "What a modem refuses, and with which code",
    arguments: [
      ("AT+NONSENSE", "ERROR"),
      ("AT*", "ERROR"),
      ("ATE7", "ERROR"),
      ("AT?", "ERROR"),
      ("ATA", "NO CARRIER"),
      ("AT+CMEE=3", "+CME ERROR: 50"),
      ("AT+CREG=9", "+CME ERROR: 50"),
      ("AT+CSCS=\"KLINGON\"", "+CME ERROR: 50"),
      ("AT+CFUN=7", "+CME ERROR: 50"),
      ("AT+COPS=1,2,\"99999\"", "+CME ERROR: 30"),
      ("AT+CPIN=\"1234\"", "+CME ERROR: 3"),
      ("AT+CLCK=\"SC\",1,\"1234\"", "+CME ERROR: 3"),
      ("AT+CCLK=\"noon\"", "+CME ERROR: 50"),
      ("AT+CMGF=2", "+CMS ERROR: 303"),
      ("AT+CSMS=9", "+CMS ERROR: 303"),
      ("AT+CNMI=9,1", "+CMS ERROR: 303"),
      ("AT+CNMI=2,1,1", "+CMS ERROR: 303"),
      ("AT+CPMS=\"XX\"", "+CMS ERROR: 302"),
      ("AT+CPMS=\"SM\",\"SR\"", "+CMS ERROR: 302"),
      ("AT+CMGR=1", "+CMS ERROR: 321"),
      ("AT+CMGR=31", "+CMS ERROR: 321"),
      ("AT+CMGD=1", "+CMS ERROR: 321"),
      ("AT+CMGD=1,9", "+CMS ERROR: 304"),
      ("AT+CMSS=1", "+CMS ERROR: 321"),
      ("AT+CMGL=5", "+CMS ERROR: 304"),
      ("AT+CMGL=\"ALL\"", "+CMS ERROR: 304"),
      ("AT+CMGF=1;+CMGL=4", "+CMS ERROR: 305"),
      ("AT+CMGS=6", "+CMS ERROR: 304"),
      ("AT+CMGS=177", "+CMS ERROR: 304"),
      ("AT+CMGS=\"+9779800000002\"", "+CMS ERROR: 304"),
      ("AT+CMGF=1;+CMGS=18", "+CMS ERROR: 305"),
      ("AT+CMGF=1;+CMGS=\"nobody\"", "+CMS ERROR: 305"),
      ("AT+CSMP=16,167,0,0", "+CMS ERROR: 305"),
      ("AT+CSCA=\"x\"", "+CMS ERROR: 305"),
      ("AT+CNMA", "+CMS ERROR: 340"),
    ])
  func refuses(_ command: String, _ error: String) {
    var bench = Bench()
    _ = bench.type("AT+CMEE=1")
    #expect(bench.type(command).hasSuffix("\r\n\(error)\r\n"))
  }

  @Test func errorsHaveNoNumbersWordsOrNumbersAsAsked() {
    var bench = Bench { $0.hasSIM = false }
    #expect(bench.type("AT+CIMI") == "\r\nERROR\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 310\r\n")
    _ = bench.type("AT+CMEE=1")
    #expect(bench.type("AT+CIMI") == "\r\n+CME ERROR: 10\r\n")
    _ = bench.type("AT+CMEE=2")
    #expect(bench.type("AT+CIMI") == "\r\n+CME ERROR: SIM not inserted\r\n")
    let words = ModemError(.cms, code: 310).words
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: \(words)\r\n")
  }

  @Test func aLineIsLeftAtItsFirstFailure() {
    var bench = Bench()
    #expect(bench.type("AT+CMGF=1;+NONSENSE;+CSDH=1") == "\r\nERROR\r\n")
    #expect(bench.type("AT+CMGF?;+CSDH?") == ok("+CMGF: 1", "+CSDH: 0"))
  }

  @Test func aSemicolonInQuotesIsNoEnd() {
    var bench = Bench()
    #expect(bench.type("AT+CUSD=1,\"a;b\",15") == ok())
  }

  @Test func echoAndVerbosityAndQuiet() {
    var bench = Bench()
    #expect(bench.type("ATE1") == ok())
    #expect(bench.type("AT") == "AT\r\r\nOK\r\n")
    #expect(bench.type("ATE0V0") == "ATE0V0\r0\r")
    #expect(bench.type("AT+CSQ") == "+CSQ: 18,99\r\n0\r")
    #expect(bench.type("AT+NONSENSE") == "4\r")
    #expect(bench.type("ATV1Q1") == "")
    #expect(bench.type("AT+CSQ") == "\r\n+CSQ: 18,99\r\n")
    #expect(bench.type("ATZ") == ok())
  }

  @Test func editingAndRepeatingALine() {
    var bench = Bench()
    #expect(bench.type("AT+CGMX\u{8}I") == ok("Checkpost"))
    #expect(bench.raw([UInt8]("A/".utf8)) == ok("Checkpost"))
    #expect(bench.type("\u{1B}garbage AT") == ok())
    #expect(bench.type("nothing of use") == "")
    #expect(bench.type("") == "")
  }

  @Test func aLongLineIsCutAndHarmless() {
    var bench = Bench()
    _ = bench.type("AT+CSCA=\"" + String(repeating: "1", count: 5_000))
    #expect(bench.type("AT") == ok())
  }

  @Test func charactersWaitWhileACommandIsCarriedOut() {
    var bench = Bench { $0.commandDelay = .seconds(1) }
    _ = bench.wait(.seconds(2))
    #expect(bench.type("AT+CGMI") == "")
    #expect(bench.type("AT+CGMM") == "")
    #expect(bench.modem.deadline == bench.now + .seconds(1))
    #expect(bench.wait(.seconds(1)) == ok("Checkpost"))
    #expect(bench.wait(.seconds(1)) == ok("Simulated modem"))
    #expect(bench.modem.deadline == nil)
  }

  @Test func itTellsTheNetworksTime() {
    var bench = Bench()
    bench.modem.synchronise(WallTime(epochSeconds: 1_795_200_000), at: bench.now)
    #expect(bench.type("AT+CCLK?") == ok("+CCLK: \"26/11/21,00:25:00+23\""))
    _ = bench.wait(.seconds(61))
    #expect(bench.type("AT+CCLK?") == ok("+CCLK: \"26/11/21,00:26:01+23\""))
  }

  @Test func aResetForgetsSettingsAndTellsTheStart() {
    var bench = Bench { $0.profile = .simcom }
    _ = bench.type("AT+CMGF=1;+CNMI=2,1")
    let said = bench.type("AT+CFUN=1,1")
    #expect(said.hasPrefix(ok() + "\r\nRDY\r\n"))
    #expect(said.hasSuffix("\r\nSMS Ready\r\n"))
    #expect(bench.type("ATE0").hasPrefix("ATE0\r"))
    #expect(bench.type("AT+CMGF?;+CNMI?") == ok("+CMGF: 0", "+CNMI: 0,0,0,0,0"))
  }

  @Test func makersWriteThingsInTheirOwnWay() {
    var huawei = Bench { $0.profile = .huawei }
    #expect(huawei.type("AT+CPMS=?") == ok("+CPMS: \"SM\",\"ME\",\"SR\""))
    #expect(huawei.type("AT^CURC=0") == ok())
    var lte = Bench { $0.profile = .simcomLTE }
    #expect(lte.type("AT") == "\r\r\nOK\r\r\n")
    #expect(lte.type("AT+CREG?").contains("+CREG: 0,0"))
    #expect(lte.type("AT+CEREG?").contains("+CEREG: 0,1"))
    #expect(lte.type("AT+CNMI=2,1,0,2,0").contains("+CMS ERROR: 303"))
    #expect(lte.type("AT+CPMS=\"SR\"").contains("+CMS ERROR: 302"))
    var zte = Bench { $0.profile = .zte }
    #expect(zte.type("AT+CMGS=20") == "\r\n>\r\n")
  }
}
