import Testing
import Time

@testable import NodeCore

/// Where a delivery stands in the store's queue.
@Suite struct QueuePlaceTests {
  private let now = BootInstant.seconds(100)

  private func answer(next: BootInstant? = nil) -> DueAnswer {
    DueAnswer(text: nil, nextDue: next)
  }

  @Test func itLooksFirstAndThenWhenSomethingIsDue() {
    var outbox = Outbox()
    #expect(outbox.isTime(at: now))
    #expect(outbox.deadline == .zero)
    outbox.ask()
    #expect(outbox.deadline == nil, "an answer is still to come")
    let isTaken = outbox.take(answer(next: .seconds(200)))
    #expect(isTaken)
    #expect(!outbox.isTime(at: now))
    #expect(outbox.deadline == .seconds(200))
    #expect(outbox.isTime(at: .seconds(200)))
  }

  @Test func anAnswerThatNobodyAskedForSaysNothing() {
    var outbox = Outbox()
    let unasked = outbox.take(answer(next: .seconds(200)))
    #expect(!unasked)
    outbox.ask()
    outbox.storeFailed()
    let late = outbox.take(answer())
    #expect(!late)
    #expect(outbox.isTime(at: now), "it is asked again")
  }

  @Test func anEmptyQueueWaitsForAChange() {
    var outbox = Outbox()
    outbox.ask()
    _ = outbox.take(answer())
    #expect(outbox.deadline == nil)
    outbox.look()
    #expect(outbox.isTime(at: now))
  }

  @Test func manyThatAreSetAsideLetOthersTakeTheirTurn() {
    var outbox = Outbox()
    for _ in 1..<NodeCore.Limits.setAsideAtOnce {
      outbox.ask()
      _ = outbox.take(answer())
      outbox.lookBehind(at: now)
      #expect(outbox.isTime(at: now))
    }
    outbox.ask()
    _ = outbox.take(answer())
    outbox.lookBehind(at: now)
    #expect(!outbox.isTime(at: now))
    #expect(outbox.deadline == now + .nanoseconds(1))
  }
}
