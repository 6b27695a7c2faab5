import AT
import ModemMakers
import Testing
import Time

/// Lines between a command and its answer that are neither: results of a SIM application, of Option's
/// firmware, words with which Huawei's modules refuse.
@Suite struct ForeignLineTests {
  private func answer(_ said: String, to command: ATCommand) -> (ATAnswer?, [ATEvent]) {
    var dialogue = ATDialogue(lines: MakerList.known.lines)
    _ = dialogue.start(command, at: .zero)
    let events = dialogue.receive(Array(said.utf8), at: .zero)
    let answers = events.compactMap { if case .finished(let answer) = $0 { answer } else { nil } }
    return (answers.first, events)
  }

  private func bare(_ text: String) -> ATCommand {
    ATCommand(text, information: .bare, timeout: .seconds(5))
  }

  @Test(arguments: [
    "+STIN: 25", "+UUSORD: 1,2", "+QSIMSTAT : 1,0", "_OSIGQ: 3,0", "!GSTATUS: 1", "+CEREG: 1",
    "+XCSQ:1,2", "@EVENT: 4", "^HCSQ: \"LTE\",30", "+PSMPOWERDOWN",
  ])
  func aLineWithAnotherPrefixIsNoBareAnswer(line: String) {
    let (before, events) = answer("\r\n\(line)\r\n\r\nhuawei\r\n\r\nOK\r\n", to: bare("AT+CGMI"))
    #expect(before?.lines == ["huawei"])
    #expect(events.contains { if case .unsolicited = $0 { true } else { false } })
    let (after, _) = answer("\r\nhuawei\r\n\r\n\(line)\r\n\r\nOK\r\n", to: bare("AT+CGMI"))
    #expect(after?.lines == ["huawei"])
    let (alone, _) = answer("\r\n\(line)\r\n\r\nOK\r\n", to: bare("AT+CGMI"))
    #expect(alone?.lines == [])
    #expect(alone?.text == nil)
  }

  @Test(arguments: [
    ("AT+CGMI", "+CGMI: huawei", "huawei"), ("AT+CGMI", "+CGMI: \"huawei\"", "huawei"),
    ("AT+CGMI", "\"FOXCOM MODEM\"", "FOXCOM MODEM"), ("AT+CGMR", "Revision:1.0", "Revision:1.0"),
    ("AT+CGMM", "-model-", "-model-"), ("AT+CGMR", "V1: \"two\" words", "V1: \"two\" words"),
  ])
  func theCommandsOwnPrefixAndQuotesAreNotPartOfTheAnswer(row: (String, String, String)) {
    let (command, said, text) = row
    #expect(answer("\r\n\(said)\r\n\r\nOK\r\n", to: bare(command)).0?.text == text)
  }

  // MU509 and EM770W refuse so; without it each such command takes its whole time.
  @Test(arguments: [
    "TOO MANY PARAMETERS", "TOO MANY PARAMETER", "TOO FEW PARAMETERS", "COMMAND NOT SUPPORT",
    "COMMAND NOT SUPPORTED", "Command Not Support", "TOO MANY PARAMETERS.", "NOT SUPPORT",
    "UNKNOWN COMMAND", "INVALID PARAMETERS", "OPERATION NOT SUPPORTED",
  ])
  func aRefusalInWordsEndsACommand(words: String) {
    for command in [
      ATCommand("AT+CNMI=2,1,0,2,0", timeout: .seconds(5)), bare("AT+CGMI"),
      ATCommand(
        "AT+CMGS=18", timeout: .seconds(10), payload: "0011", payloadTimeout: .seconds(180)),
    ] {
      let (answer, _) = answer("\r\n\(words)\r\n", to: command)
      #expect(answer?.ending == .failed(words), "\(command.text)")
      #expect(answer?.lines == [])
    }
  }

  @Test(arguments: ["NOT SUPPORTED BY MANY", "TOO MANY", "SUPPORT", "MODEL NOT SUPPORTING"])
  func otherWordsAreInformation(words: String) {
    let (answer, _) = answer("\r\n\(words)\r\n\r\nOK\r\n", to: bare("AT+CGMM"))
    #expect(answer?.text == words)
    #expect(answer?.ending == .ok)
  }
}
