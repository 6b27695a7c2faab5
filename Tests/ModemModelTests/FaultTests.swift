import GSM
import ModemModel
import Testing
import Time

@Suite struct FaultTests {
  private func send(_ bench: inout Bench) throws -> String {
    let pdu = try Bench.pdu("x")
    let asked = bench.type("AT+CMGS=\(pdu.length)")
    guard asked.contains(">") else { return asked }
    return bench.body(pdu.hex)
  }

  @Test func mute() {
    var bench = Bench()
    _ = bench.inject(.mute(.seconds(30)))
    #expect(bench.type("AT") == "")
    #expect(bench.modem.deadline == bench.now + .seconds(30))
    #expect(bench.wait(.seconds(30)) == "")
    #expect(bench.type("AT") == ok())
    _ = bench.inject(.mute(nil))
    #expect(bench.modem.deadline == nil)
    #expect(bench.wait(.seconds(9_999)) == "")
    #expect(bench.type("AT") == "")
    _ = bench.inject(.healed)
    #expect(bench.type("AT") == ok())
  }

  @Test func refusals() throws {
    var bench = Bench()
    _ = bench.inject(.refuse(code: 38, times: 2))
    _ = bench.inject(.refuse(code: 500, times: 1))
    #expect(try send(&bench) == "\r\n+CMS ERROR: 38\r\n")
    #expect(try send(&bench) == "\r\n+CMS ERROR: 38\r\n")
    #expect(try send(&bench) == "\r\n+CMS ERROR: 500\r\n")
    #expect(bench.submissions.isEmpty)
    #expect(try send(&bench) == ok("+CMGS: 0"))
  }

  @Test func theAnswerIsLostAndTheMessageIsNot() throws {
    var bench = Bench()
    _ = bench.inject(.loseAnswer)
    #expect(try send(&bench) == "")
    #expect(bench.submissions.count == 1)
    #expect(bench.type("AT") == ok())
    #expect(try send(&bench) == ok("+CMGS: 1"))
  }

  @Test func theAnswerIsLate() throws {
    var bench = Bench()
    _ = bench.inject(.lateAnswer(.seconds(70)))
    #expect(try send(&bench) == "")
    #expect(bench.type("AT") == ok())
    #expect(bench.wait(.seconds(69)) == "")
    #expect(bench.wait(.seconds(1)) == ok("+CMGS: 0"))
  }

  @Test func theAnswerIsFalse() throws {
    var bench = Bench()
    _ = bench.inject(.falseError(code: 332))
    #expect(try send(&bench) == "\r\n+CMS ERROR: 332\r\n")
    #expect(bench.submissions.count == 1)
  }

  @Test func noPromptOnce() throws {
    var bench = Bench()
    _ = bench.inject(.noPrompt)
    #expect(try send(&bench) == "")
    #expect(bench.type("\u{1B}") == "")
    #expect(try send(&bench) == ok("+CMGS: 0"))
  }

  @Test func aLatePromptThatTakesNoEscape() throws {
    var bench = Bench()
    _ = bench.inject(.latePrompt(.seconds(15)))
    #expect(bench.type("AT+CMGS=20") == "")
    #expect(bench.type("\u{1B}") == "", "what is typed before it is lost")
    #expect(bench.wait(.seconds(15)) == "\r\n> ")
    #expect(bench.type("\u{1B}") == "")
    #expect(bench.type("AT") == "", "it is taken for the text")
    #expect(bench.type("\u{1A}").contains("+CMS ERROR: 304"))
    #expect(bench.type("AT") == ok())
    #expect(try send(&bench) == ok("+CMGS: 0"))
  }

  @Test func aShortPrompt() {
    var bench = Bench()
    _ = bench.inject(.shortPrompt)
    #expect(bench.type("AT+CMGS=20") == "\r\n>")
  }

  @Test func aBusyCard() {
    var bench = Bench()
    _ = bench.type("AT+CMEE=1")
    _ = bench.inject(.simBusy(.seconds(10)))
    #expect(bench.type("AT+CPIN?") == "\r\n+CME ERROR: 14\r\n")
    #expect(bench.type("AT+CMGL=4") == "\r\n+CMS ERROR: 314\r\n")
    _ = bench.wait(.seconds(10))
    #expect(bench.type("AT+CPIN?") == ok("+CPIN: READY"))
  }

  @Test func silentReceptionKeepsMessages() throws {
    var bench = Bench()
    _ = bench.type("AT+CNMI=2,2,0,2,0")
    _ = bench.inject(.silentReception)
    #expect(bench.deliver(try Bench.message("a")) == (.taken, ""))
    #expect(bench.deliver(try Bench.report()) == (.taken, ""))
    #expect(bench.type("AT+CPMS?").contains("\"SM\",1,30"))
  }

  @Test func aFullStorage() throws {
    var bench = Bench()
    _ = bench.inject(.storageFull)
    #expect(bench.type("AT+CPMS?").contains("\"SM\",30,30"))
    #expect(bench.deliver(try Bench.message("a")).answer == .refused)
    _ = bench.inject(.healed)
    #expect(bench.deliver(try Bench.message("a")).answer == .taken)
  }

  @Test func slowAndInDribbles() {
    var bench = Bench()
    _ = bench.inject(.slow(.seconds(2)))
    #expect(bench.type("AT") == "")
    #expect(bench.wait(.seconds(2)) == ok())
    _ = bench.inject(.healed)
    _ = bench.inject(.trickle)
    #expect(bench.type("AT") == "")
    var bytes: [String] = []
    while bytes.count < 20, let deadline = bench.modem.deadline {
      bytes.append(bench.wait(deadline - bench.now))
    }
    #expect(
      bytes
        == ["\r\n", "O", "K", "\r\n"].flatMap { Array($0.utf8) }.map { byte in
          String(decoding: [byte], as: UTF8.self)
        })
  }

  @Test func promptsInDribblesOpenAtTheirEnd() throws {
    var bench = Bench()
    let pdu = try Bench.pdu("x")
    _ = bench.inject(.trickle)
    _ = bench.type("AT+CMGS=\(pdu.length)")
    #expect(bench.wait(.milliseconds(3)) == "\r\n>")
    #expect(bench.body(pdu.hex) == "")
    #expect(bench.submissions.isEmpty)
    #expect(bench.wait(.milliseconds(1)) == " ")
    _ = bench.body(pdu.hex)
    #expect(bench.submissions.count == 1)
  }

  @Test func echoComesBack() {
    var bench = Bench()
    _ = bench.inject(.echo)
    #expect(bench.type("AT") == "AT\r" + ok())
  }

  @Test func aRestartInTheMiddleOfAMessage() throws {
    var bench = Bench { $0.profile = .quectel }
    let pdu = try Bench.pdu("x")
    _ = bench.type("AT+CMGS=\(pdu.length)")
    #expect(bench.inject(.restart).hasPrefix("\r\nRDY\r\n"))
    #expect(bench.type("ATE0") == "ATE0\r" + ok())
    #expect(try send(&bench) == ok("+CMGS: 0"))
  }
}
