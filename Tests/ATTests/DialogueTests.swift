import AT
import ModemMakers
import SeededRandom
import Testing
import Time

@Suite struct DialogueTests {
  var dialogue = ATDialogue(lines: MakerList.known.lines)
  let now = BootInstant.seconds(100)

  /// Feeds text and gives what it made, without what was written.
  mutating func hear(_ text: String, at time: BootInstant? = nil) -> [ATEvent] {
    dialogue.receive(Array(text.utf8), at: time ?? now)
  }

  mutating func open(_ text: String, _ information: ATCommand.Information = .prefixed) {
    _ = dialogue.start(ATCommand(text, information: information, timeout: .seconds(5)), at: now)
  }

  mutating func openText() {
    _ = dialogue.start(
      ATCommand(
        "AT+CMGS=18", timeout: .seconds(10), payload: "0011000B", payloadTimeout: .seconds(180)),
      at: now)
  }

  func answer(_ events: [ATEvent]) -> ATAnswer? {
    events.compactMap { if case .finished(let answer) = $0 { answer } else { nil } }.first
  }

  @Test mutating func writesTheCommandWithACarriageReturn() {
    let bytes = dialogue.start(ATCommand("AT+CSQ", timeout: .seconds(5)), at: now)
    #expect(bytes == Array("AT+CSQ\r".utf8))
    #expect(dialogue.deadline == now + .seconds(5))
  }

  @Test(arguments: [
    "\r\n+CSQ: 18,99\r\n\r\nOK\r\n", "AT+CSQ\r\r\n+CSQ: 18,99\r\n\r\nOK\r\n",
    "+CSQ: 18,99\nOK\n", "\r\r\n+CSQ: 18,99\r\r\n\r\r\nOK\r\r\n", "\0\0\r\n+CSQ: 18,99\r\nOK\r\n",
  ])
  mutating func readsAnAnswerHoweverItsLinesEnd(text: String) {
    open("AT+CSQ")
    let answer = answer(hear(text))
    #expect(answer?.lines == ["+CSQ: 18,99"])
    #expect(answer?.ending == .ok)
    #expect(answer?.value == "18,99")
    #expect(dialogue.openCommand == nil)
  }

  @Test mutating func readsOneByteAtATime() {
    open("AT+CSQ")
    var events: [ATEvent] = []
    for byte in "\r\n+CSQ: 18,99\r\n\r\nOK\r\n".utf8 {
      events += dialogue.receive([byte], at: now)
    }
    #expect(answer(events)?.lines == ["+CSQ: 18,99"])
  }

  @Test(arguments: [
    "ERROR", "+CMS ERROR: 38", "+CME ERROR: SIM busy", "+EXT ERROR: 1", "MODEM ERROR: 4",
    "COMMAND NOT SUPPORT", "ABORTED", "+CMS ERROR",
  ])
  mutating func knowsFailures(final: String) {
    open("AT+CMGF=0")
    #expect(answer(hear("\r\n\(final)\r\n"))?.ending == .failed(final))
  }

  @Test mutating func takesNumericResultsOfBasicCommandsAlone() {
    open("ATE0")
    #expect(answer(hear("0\r"))?.ending == .ok)
    open("ATV1")
    #expect(answer(hear("4\r"))?.ending == .failed("ERROR"))
    open("AT+CGSN", .bare)
    #expect(answer(hear("0\r\nOK\r\n"))?.lines == ["0"])
  }

  @Test mutating func bareTextBelongsToTheCommandThatAsksForIt() {
    open("AT+CGMI", .bare)
    #expect(answer(hear("\r\nhuawei\r\n\r\nOK\r\n"))?.text == "huawei")
    open("AT+CGMI", .bare)
    #expect(answer(hear("\r\n+CGMI: huawei\r\n\r\nOK\r\n"))?.text == "huawei")
  }

  // MARK: Sending

  @Test mutating func writesThePayloadAtThePrompt() {
    openText()
    let events = hear("\r\n> ", at: now + .seconds(1))
    #expect(events == [.write(Array("0011000B\u{1A}".utf8))])
    #expect(dialogue.payloadLeft)
    #expect(dialogue.deadline == now + .seconds(181))
    let answer = answer(hear("\r\n+CMGS: 17\r\n\r\nOK\r\n"))
    #expect(answer?.value == "17")
    #expect(answer?.payloadLeft == true)
  }

  @Test(arguments: [">", "> ", "\r\n>", "\r\n> ", "AT+CMGS=18\r\r\n> ", "\r\n>\r\n"])
  mutating func knowsThePromptInEveryForm(prompt: String) {
    openText()
    let whole = hear(prompt)
    // One that lacks its space is whole when none has come for a moment.
    let events = whole.isEmpty ? dialogue.expire(at: now + .milliseconds(20)).map { [$0] } : whole
    #expect(events?.contains(.write(Array("0011000B\u{1A}".utf8))) == true)
  }

  @Test mutating func nothingIsWrittenInTheMiddleOfAPrompt() {
    openText()
    #expect(hear("\r\n>") == [])
    #expect(dialogue.deadline == now + .milliseconds(20))
    #expect(hear(" ") == [.write(Array("0011000B\u{1A}".utf8))])
    #expect(dialogue.expire(at: now + .seconds(1)) == nil)
  }

  @Test mutating func aListIsWaitedForFromLineToLine() {
    var command = ATCommand("AT+CMGL=4", timeout: .seconds(60))
    command.renewsWithLines = true
    var time = now
    _ = dialogue.start(command, at: time)
    for _ in 1...5 {
      time = time + .seconds(59)
      _ = hear("\r\n+CMGL: 1,1,,4\r\n", at: time)
      #expect(dialogue.deadline == time + .seconds(60))
      time = time + .seconds(1)
      _ = hear("00010203\r\n", at: time)
      #expect(dialogue.deadline == time + .seconds(60))
    }
    // What it tells meanwhile is no sign that the list goes on.
    let deadline = dialogue.deadline
    time = time + .seconds(1)
    _ = hear("\r\n^RSSI: 18\r\n", at: time)
    #expect(dialogue.deadline == deadline)
  }

  @Test mutating func aResultThatSomeLeaveOutIsNotWaitedForLong() {
    var command = ATCommand("AT+CPMS=\"SM\"", timeout: .seconds(10))
    command.mayLackResult = true
    _ = dialogue.start(command, at: now)
    _ = hear("\r\n+CPMS: 1,30,1,30,1,30\r\n")
    #expect(dialogue.deadline == now + .seconds(2))
    guard case .finished(let answer) = dialogue.expire(at: now + .seconds(2)) else {
      Issue.record("it is done")
      return
    }
    #expect(answer.ending == .ok)
    // One that says nothing at all has failed as ever.
    _ = dialogue.start(command, at: now)
    guard case .finished(let silent) = dialogue.expire(at: now + .seconds(10)) else {
      Issue.record("it is over")
      return
    }
    #expect(silent.ending == .timedOut)
  }

  @Test mutating func dropsTheEchoOfThePayload() {
    openText()
    _ = hear("\r\n> ")
    let answer = answer(hear("0011000B\u{1A}\r\n\r\n+CMGS: 1\r\n\r\nOK\r\n"))
    #expect(answer?.lines == ["+CMGS: 1"])
  }

  @Test mutating func unsolicitedResultsMayComeAnywhere() {
    openText()
    var heard = hear("\r\n+CMTI: \"SM\",3\r\n")
    heard += hear("\r\n> \r\n^RSSI: 20\r\n\r\n+CDS: 25\r\n0006\r\n")
    heard += hear("\r\n+CMGS: 4\r\n\r\n+CREG: 5\r\n\r\nOK\r\n")
    #expect(heard.contains(.unsolicited(.messageStored(storage: "SM", index: 3))))
    #expect(heard.contains(.unsolicited(.signal(-73))))
    #expect(heard.contains(.unsolicited(.statusReport(pdu: "0006"))))
    #expect(
      heard.contains(.unsolicited(.registration(domain: .circuitSwitched, .roaming))))
    #expect(answer(heard)?.lines == ["+CMGS: 4"])
  }

  @Test mutating func anAnswerToAnEarlierTextIsNotTakenForThisOne() {
    openText()
    let late = hear("\r\n+CMGS: 16\r\n\r\nOK\r\n")
    #expect(answer(late) == nil)
    #expect(late.allSatisfy { if case .stray = $0 { true } else { false } })
    _ = hear("\r\n> ")
    #expect(answer(hear("\r\n+CMGS: 17\r\n\r\nOK\r\n"))?.value == "17")
  }

  @Test mutating func aRefusalBeforeThePromptLeavesNothing() {
    openText()
    let answer = answer(hear("\r\n+CMS ERROR: 304\r\n"))
    #expect(answer?.ending == .failed("+CMS ERROR: 304"))
    #expect(answer?.payloadLeft == false)
  }

  // MARK: Lists

  @Test mutating func aListTakesEachPDUWithItsHeader() {
    open("AT+CMGL=4")
    let answer = answer(
      hear(
        "\r\n+CMGL: 1,1,,4\r\n0001\r\n\r\n+CMT: ,4\r\nAAAA\r\n\r\n+CMGL: 7,0,\"\",4\r\n0002\r\n\r\nOK\r\n"
      ))
    let messages = answer.map { StoredMessage.messages(in: $0) }
    #expect(messages?.map(\.index) == [1, 7])
    #expect(messages?.map(\.pdu) == ["0001", "0002"])
    #expect(messages?.map(\.state) == [.receivedRead, .receivedUnread])
  }

  @Test mutating func aMessageThatIsReadHasNoIndex() {
    open("AT+CMGR=4")
    let answer = answer(hear("\r\n+CMGR: 0,,4\r\n0001\r\n\r\nOK\r\n"))
    #expect(answer.map { StoredMessage.messages(in: $0) }?.first?.pdu == "0001")
    open("AT+CMGR=5")
    let empty = self.answer(hear("\r\nOK\r\n"))
    #expect(empty.map { StoredMessage.messages(in: $0) } == [])
  }

  @Test mutating func aHeaderWithoutItsPDUTakesNothingElse() {
    open("AT+CSQ")
    let heard = hear("\r\n+CMT: ,24\r\n\r\n+CSQ: 9,99\r\n\r\nOK\r\n")
    #expect(answer(heard)?.lines == ["+CSQ: 9,99"])
  }

  @Test mutating func aQueryOfTheRegistrationIsToldFromItsChange() {
    open("AT+CREG?")
    let heard = hear("\r\n+CREG: 2\r\n\r\n+CREG: 1,5\r\n\r\nOK\r\n")
    #expect(answer(heard)?.lines == ["+CREG: 1,5"])
    #expect(heard.contains(.unsolicited(.registration(domain: .circuitSwitched, .searching))))
    open("AT+CREG?")
    let cell = hear(
      "\r\n+CREG: 1,\"00C3\",\"01A2F4\"\r\n\r\n+CREG: 2,1,\"00C3\",\"01A2\"\r\nOK\r\n")
    #expect(answer(cell)?.lines == ["+CREG: 2,1,\"00C3\",\"01A2\""])
  }

  @Test mutating func restartsAreKnown() {
    for line in ["RDY", "^SYSSTART", "*ATREADY: 1", "+AT: READY", "+WIND: 3"] {
      #expect(hear("\r\n\(line)\r\n") == [.unsolicited(.restarted(line))])
    }
    for line in ["Call Ready", "PB DONE", "+PBREADY", "*EMRDY: 1", "+CFUN: 1"] {
      #expect(hear("\r\n\(line)\r\n") == [.unsolicited(.started(line))])
    }
    #expect(hear("\r\n+CFUN: 4\r\n") == [.unsolicited(.other("+CFUN: 4"))])
    #expect(hear("\r\nNO CARRIER\r\n") == [.unsolicited(.other("NO CARRIER"))])
  }

  @Test mutating func anEchoIsTold() {
    open("AT+CSQ")
    #expect(hear("AT+CSQ\r\r\n+CSQ: 20,99\r\n\r\nOK\r\n").first == .echoed)
    #expect(hear("AT+CSQ\r\n") == [])
  }

  // The closing quote was lost on the line.
  @Test mutating func aTextOfTheNetworkWithoutAnEndSwallowsNothing() {
    let text = Unsolicited.ussd(mode: 0, text: "Balance", coding: nil)
    openText()
    #expect(hear("\r\n> ").count == 1)
    let heard = hear("\r\n+CUSD: 0,\"Balance\r\n\r\n+CMGS: 17\r\n\r\nOK\r\n")
    #expect(heard.first == .unsolicited(text))
    #expect(answer(heard)?.lines == ["+CMGS: 17"])
    _ = hear("\r\n+CUSD: 0,\"Balance\r\n")
    #expect(
      hear("\r\n+CMTI: \"SM\",3\r\n") == [
        .unsolicited(text), .unsolicited(.messageStored(storage: "SM", index: 3)),
      ])
    _ = hear("\r\n+CUSD: 0,\"Balance\r\n")
    openText()
    #expect(hear("\r\n^RSSI: 20\r\n") == [.unsolicited(.signal(-73))])
  }

  // MARK: Time

  @Test mutating func aDeadlineEndsACommand() {
    open("AT+CSQ")
    #expect(dialogue.expire(at: now + .milliseconds(4_999)) == nil)
    guard case .finished(let answer) = dialogue.expire(at: now + .seconds(5)) else {
      Issue.record("the command has to end at its deadline")
      return
    }
    #expect(answer.ending == .timedOut)
    #expect(hear("\r\nOK\r\n") == [.stray("OK")])
  }

  @Test mutating func aLateHalfLineDoesNotStickToTheNext() {
    open("AT+CSQ")
    _ = hear("\r\n+CSQ: 1")
    _ = dialogue.expire(at: now + .seconds(5))
    open("AT+CSQ")
    #expect(answer(hear("\r\n+CSQ: 20,99\r\n\r\nOK\r\n"))?.lines == ["+CSQ: 20,99"])
  }

  // MARK: Anything

  @Test mutating func aLineThatNeverEndsIsBounded() {
    open("AT+CSQ")
    let events = hear(String(repeating: "x", count: 1 << 20) + "\r\n+CSQ: 1,99\r\nOK\r\n")
    #expect(events.contains(.overlong))
    #expect(answer(events)?.lines == ["+CSQ: 1,99"])
  }

  @Test mutating func anAnswerThatNeverEndsIsBounded() {
    open("ATI", .bare)
    let events = hear(String(repeating: "line\r\n", count: Limits.answerLines + 10) + "OK\r\n")
    #expect(answer(events)?.lines.count == Limits.answerLines)
    #expect(answer(events)?.isCut == true)
  }

  @Test mutating func anyBytesAreTaken() {
    var random = SplitMix64(seed: 7)
    let pieces = [
      "\r\n", "OK", "ERROR", "> ", "+CMT: ,20", "+CMGS: 1", "AT", "0011", "\u{1A}", "+CREG: ", "1,",
      "\"", "+CMTI: \"SM\",", "\0", "é", "+CMS ERROR: ",
    ]
    for _ in 0..<3_000 {
      if random.next().isMultiple(of: 3) { openText() } else { open("AT+CMGL=4") }
      for _ in 0..<20 {
        if random.next().isMultiple(of: 5) {
          _ = dialogue.receive([UInt8.random(in: 0...255, using: &random)], at: now)
        } else {
          _ = hear(pieces.randomElement(using: &random) ?? "")
        }
      }
      dialogue.reset()
      open("AT+CSQ")
      #expect(answer(hear("\r\n+CSQ: 3,99\r\n\r\nOK\r\n"))?.ending == .ok)
    }
  }
}
