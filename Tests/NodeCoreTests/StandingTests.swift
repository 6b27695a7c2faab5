import Testing
import Time

@testable import NodeCore

/// What follows from where a passage stands.
@Suite struct StandingTests {
  private let now = BootInstant.seconds(1_000)

  private func standing(_ status: QueueStatus = .pending, attempts: Int = 0) -> QueueStanding {
    QueueStanding(
      status: status, attempts: attempts, since: .seconds(900), isTexted: false, textAttempts: 0,
      hasOpenText: false, isParked: false, isUndated: false)
  }

  private func retry(_ change: (inout QueueStanding) -> Void) -> Retry {
    var standing = standing()
    change(&standing)
    return Retry(standing, fallbackAfter: .seconds(300), at: now)
  }

  @Test func whatMayGoAgainGoesAsSoonAsTheRuleAllows() {
    let due = BootInstant.seconds(1_200) + .nanoseconds(1)
    #expect(retry { _ in }.changes == [.textAgain(due: due, askedAt: now)])
    let old = retry { $0.since = .zero }
    #expect(old.changes == [.textAgain(due: now, askedAt: now)])
    #expect(old.outcome == .retried)
    let failed = retry { $0.status = .failed }
    #expect(failed.changes.first == .requeued([.passage]))
    #expect(failed.outcome == .retried)
  }

  @Test func whatMayNotGoAgainSaysWhy() {
    #expect(retry { $0.status = .synced }.outcome == .alreadySynced)
    #expect(retry { $0.status = .inFlight }.outcome == .busy)
    #expect(retry { $0.hasOpenText = true }.outcome == .busy)
    #expect(retry { $0.isTexted = true }.outcome == .alreadyTexted)
    #expect(retry { $0.textAttempts = NodeCore.Limits.textsPerPassage }.outcome == .tooManyTexts)
    let undated = retry {
      $0.isUndated = true
      $0.isParked = true
    }
    #expect(undated.outcome == .undated)
    #expect(undated.changes.isEmpty, "what will not be sent is left as it was")
    let texted = retry {
      $0.isTexted = true
      $0.isParked = true
    }
    #expect(texted.outcome == .alreadyTexted)
    #expect(texted.changes.isEmpty)
    let failed = retry {
      $0.status = .failed
      $0.isTexted = true
      $0.isParked = true
    }
    #expect(failed.changes == [.requeued([.passage]), .unparked], "it goes to the server again")
    let photo = retry {
      $0.status = .synced
      $0.failedBehind = [.photo]
    }
    #expect(photo.outcome == .retried, "what was given up is its photograph, or a correction")
    #expect(photo.changes == [.requeued([.photo])])
    let waiting = retry { $0.attempts = 2 }
    #expect(waiting.changes.first == .requeued([.passage]), "its pause is over, too")
  }

  @Test func aStartLeavesUnknownWhatMayBeOnAir() {
    var rules = NodeRules()
    let text = OpenText(id: 1, queueID: 1, begun: .seconds(500), otherAttempts: 0)
    #expect(text.consequence(rules) == .leftUnknown)
    rules.textsPerPassage = 2
    #expect(
      text.consequence(rules) == .againAfterUnknown(at: .seconds(500) + rules.unknownSpacing))
    let manual = OpenText(id: 2, queueID: nil, begun: .seconds(500), otherAttempts: 0)
    #expect(manual.consequence(rules) == .leftUnknown)
  }
}
