import Testing
import Time

@testable import NodeCore

/// What is no longer waited for, from the facts alone.
@Suite struct SweepTests {
  private let now = BootInstant.seconds(1_000_000)

  private func sweep(asksForReports: Bool = true, _ change: (inout SweepFacts) -> Void) -> Sweep {
    var facts = SweepFacts()
    change(&facts)
    return Sweep(facts, asksForReports: asksForReports, at: now)
  }

  private func waiting(_ ids: ClosedRange<Int64>, for age: Duration = .zero) -> [WaitingMessage] {
    ids.map { WaitingMessage(id: $0, received: now - age) }
  }

  @Test func aTextExpiresWithThePartsOfWhichNothingFinalIsKnown() {
    let texts = [
      ReportedText(id: 1, parts: [1: .delivered, 2: .trying, 3: nil]),
      ReportedText(id: 2, parts: [1: .failed]),
      ReportedText(id: 3, parts: [:]),
    ]
    let asked = sweep { $0.texts = texts }
    #expect(asked.expired == [1])
    #expect(asked.changes == [.expired(1, parts: [2, 3]), .swept(through: 3)])
    let notAsked = sweep(asksForReports: false) { $0.texts = texts }
    #expect(notAsked.expired.isEmpty)
    #expect(notAsked.changes == [.swept(through: 3)], "they are not looked at again")
  }

  @Test func whatIsExactlyAsOldAsTheLimitStillWaits() {
    let reports = sweep {
      $0.reports =
        waiting(1...1, for: Limits.reportsWait + .nanoseconds(1))
        + waiting(2...2, for: Limits.reportsWait)
    }
    #expect(reports.changes == [.reportsGivenUp([1])])
    let parts = sweep {
      $0.parts =
        waiting(1...1, for: Limits.partsWait + .nanoseconds(1))
        + waiting(2...2, for: Limits.partsWait)
    }
    #expect(parts.changes == [.partsGivenUp([1])])
  }

  @Test func ofTooManyPartsTheOldestAreGivenUp() {
    let most = Int64(Limits.openParts)
    #expect(sweep { $0.parts = waiting(1...most) }.changes.isEmpty)
    #expect(sweep { $0.parts = waiting(1...most + 2) }.partsGivenUp == [1, 2])
  }

  @Test func theOldestMessagesBeyondThoseThatAreKeptGo() {
    #expect(sweep { $0.newestMessage = Limits.inboxRows }.changes.isEmpty)
    #expect(sweep { $0.newestMessage = Limits.inboxRows + 3 }.changes == [.forgotten(through: 3)])
    #expect(sweep { _ in }.changes.isEmpty)
  }
}
