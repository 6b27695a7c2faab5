import Testing

@testable import CentralCore

/// What is counted of judging.
struct JudgingTallyTests {
  @Test func messagesAreCountedByWhatTheyAre() {
    var tally = JudgingTally()
    let reasons = [Reason.rate, Reason.sender, Reason.rate]
    tally.add(
      (reasons.map { .refused(Reason(code: $0, message: "")) } + [.report]).map { change in
        ProcessedMessage(
          InboxFact(id: 1, sender: "", change: change), isDuplicate: false, missing: 0)
      })
    tally.add(notKept: 4)
    #expect((tally.refused, tally.overRate, tally.notKept) == (3, 2, 4))
    #expect((tally.texts, tally.repeated) == (0, 0))
  }

  @Test func latenciesFallIntoClasses() {
    var tally = JudgingTally()
    for milliseconds in [-5, 0, 10, 11, 2_999, 10_000, 10_001, 1_000_000] as [Int64] {
      tally.add(latency: .milliseconds(milliseconds))
    }
    #expect(tally.latencies == [3, 1, 0, 0, 0, 1, 1, 2])
  }
}
