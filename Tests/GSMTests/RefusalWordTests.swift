import GSM
import Testing

/// Refusals in words, and USSD texts that have rubbish after their end.
@Suite struct RefusalWordTests {
  @Test(arguments: ["TOO MANY PARAMETERS", "COMMAND NOT SUPPORT", "Command not supported."])
  func aRefusalInWordsIsAnError(line: String) {
    let error = ModemError(finalResult: line)
    #expect(error?.kind == .plain)
    #expect(error?.words == line.lowercased())
    #expect(error?.isOutcomeUnknown == false)
  }

  @Test(arguments: [
    "OK", "", "TOO MANY", "huawei", "+CMGS: 1", "THE COMMAND IS NOT SUPPORTED HERE",
  ])
  func whatIsNoneIsNone(line: String) {
    #expect(!ModemError.isRefusal(inWords: line))
    #expect(ModemError(finalResult: line) == nil)
  }

  @Test(arguments: [
    ("00420061006C00000041", "Bal"), ("00420061006C0000", "Bal"), ("00420061006C0000F", "Bal"),
    ("00420061006C0000xyz", "Bal"), ("0042000000430A0D", "B"),
  ])
  func aTextEndsAtItsNUL(row: (String, String)) {
    for coding in [72, 17, 0, nil] {
      let text = USSDText(row.0, coding: coding).text
      #expect(text == row.1, "\(String(describing: coding))")
    }
  }

  @Test(arguments: ["10000000", "50000000", "Balance 0000 0000", "99990000", "0000", "00000000"])
  func whatIsNoSuchTextIsLeftWhole(text: String) {
    #expect(USSDText(text, coding: 15).text.isEmpty == false)
    #expect(USSDText(text, coding: nil).text == text)
  }
}
