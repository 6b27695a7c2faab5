import AT
import Testing
import Time

@testable import ModemSession

@Suite struct FirstAnswerTests {
  private func answer(_ lines: [String] = [], _ ending: ATAnswer.Ending = .ok) -> ATAnswer {
    ATAnswer(
      command: ATCommand("AT+CMGF?", timeout: .seconds(5)), lines: lines, ending: ending)
  }

  @Test func aModemThatAnswersAtOnceIsSetUpAtOnce() {
    var first = FirstAnswer()
    expect(first.probed(.ok, tries: 0), is: .setUp)
    expect(first.probed(.ok, tries: 1), is: .synchronise(0))
    first.mayBeLate = true
    expect(first.probed(.ok, tries: 0), is: .synchronise(0))
  }

  @Test func anOKThatAnswersNothingIsLetGoBy() {
    var first = FirstAnswer()
    first.mayBeLate = true
    expect(first.synchronised(answer(), tries: 0), is: .settle(.seconds(1)))
    expect(first.settled(), is: .synchronise(1))
    expect(first.synchronised(answer(), tries: 1), is: .settle(.seconds(2)))
    expect(first.settled(), is: .synchronise(2))
    expect(first.synchronised(answer(["+CMGF: 0"]), tries: 2), is: .setUp)
    #expect(!first.mayBeLate)
    expect(first.settled(), is: .probe(0, escapes: false))
  }

  @Test func aTextThatIsStillAwaitedIsEndedBeforeAnythingHarsher() {
    var first = FirstAnswer()
    first.mayAwaitText = true
    expect(first.probed(.timedOut, tries: 0), is: .probe(1, escapes: true))
    expect(first.probed(.failed("ERROR"), tries: 1), is: .probe(2, escapes: false))
    expect(first.probed(.timedOut, tries: Limits.probes), is: .endText)
    #expect(first.mayBeLate)
    expect(first.probed(.timedOut, tries: Limits.probes), is: .mute)
  }
}
