import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// Errors after which nobody knows whether the network took the text.
@Suite struct DoubtTests {
  /// What becomes of a text when the modem says `word` so long after it was handed the PDU.
  private func outcome(_ word: String, after wait: Duration) -> SendOutcome? {
    var line = HandPlayed()
    line.start()
    line.send()
    var hasLeft = false
    line.run(
      steps: 50, until: { _ in hasLeft },
      answering: { command in
        guard command.hasSuffix("\u{1A}") else { return HandPlayed.healthy(command) }
        hasLeft = true
        return nil
      })
    line.now = line.now + wait
    line.hear(word)
    line.run(steps: 1, until: { _ in false }, answering: HandPlayed.healthy)
    return line.outcomes.first
  }

  private func isUnknown(_ outcome: SendOutcome?) -> Bool {
    if case .unknown = outcome { true } else { false }
  }

  @Test(arguments: ["ERROR", "+CMS ERROR", "+CME ERROR", "+CMS ERROR: never heard of", "ABORTED"])
  func anErrorWithoutANumberMayHideATextThatWent(_ word: String) {
    for wait in [Duration.seconds(1), .seconds(2), .seconds(120)] {
      #expect(isUnknown(outcome(word, after: wait)), "\(word) after \(wait)")
    }
    // At once the modem alone has said no: no network answers so soon.
    for wait in [Duration.zero, .milliseconds(200), .milliseconds(999)] {
      guard case .refused = outcome(word, after: wait) else {
        Issue.record("\(word) after \(wait): \(String(describing: outcome(word, after: wait)))")
        continue
      }
    }
  }

  @Test(arguments: [
    "+CMS ERROR: 500", "+CME ERROR: 500", "+CME ERROR: 100", "+CMS ERROR: unknown error",
    "+CMS ERROR: 332", "+CME ERROR: 31",
  ])
  func aCodeThatNamesNoRefusalMayHideOneWheneverItComes(_ word: String) {
    for wait in [Duration.zero, .milliseconds(300), .seconds(1), .seconds(60)] {
      #expect(isUnknown(outcome(word, after: wait)), "\(word) after \(wait)")
    }
  }

  @Test(arguments: [38, 21, 42, 302, 304, 310, 322, 331, 512], [Duration.zero, .seconds(5)])
  func aCodeThatNamesARefusalIsOne(_ code: Int, _ wait: Duration) {
    #expect(
      outcome("+CMS ERROR: \(code)", after: wait) == .refused(ModemError(.cms, code: code)))
  }

  // The network cannot have taken what never left.
  @Test(arguments: ["ERROR", "+CMS ERROR: 500", "+CMS ERROR", "+CMS ERROR: 332"])
  func whatNeverLeftIsNotInDoubt(_ word: String) {
    var line = HandPlayed()
    line.start()
    line.send()
    var isAsked = false
    line.run(
      steps: 50, until: { _ in isAsked },
      answering: { command in
        guard command.hasPrefix("AT+CMGS=") else { return HandPlayed.healthy(command) }
        isAsked = true
        return nil
      })
    line.now = line.now + .seconds(3)
    line.hear(word)
    line.run(steps: 1, until: { _ in false }, answering: HandPlayed.healthy)
    switch line.outcomes.first {
    case .refused, .notSent: break
    default: Issue.record("\(line.outcomes)")
    }
  }

  @Test func aLaterPartMayHaveGoneAsWell() {
    var bench = Bench(modem: { $0.sendDelay = .seconds(2) })
    bench.start()
    bench.send(1, String(repeating: "x", count: 200))
    // While the first part is on its way: the second is the next that the network takes.
    bench.pass(.seconds(1))
    bench.inject(.falseError(code: 500))
    bench.pass(.seconds(10))
    guard case .unknown(let reason)? = bench.outcomes.first?.outcome else {
      Issue.record("\(bench.outcomes)")
      return
    }
    #expect(reason.contains("1 of 2 parts"))
  }

  // It is the modem that fails, whatever became of the texts.
  @Test func errorsInARowAreLookedIntoAllTheSame() {
    var bench = Bench()
    bench.start()
    bench.inject(.refuse(code: 500, times: 3))
    for id in 1...3 as ClosedRange<Int64> {
      bench.send(id)
      bench.pass(.seconds(1))
    }
    #expect(bench.outcomes.count { isUnknown($0.outcome) } == 3)
    let told = bench.events.compactMap { event -> String? in
      guard case .log(let entry) = event, entry.name == "modem_texts_in_doubt" else { return nil }
      return entry.words
    }
    #expect(told.count == 1)
    #expect(told.first?.contains("credit") == true, "operators answer an empty account so")
  }
}
