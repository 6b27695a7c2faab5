import Synchronization
import Testing

@testable import HTTPServer

/// Whoever asks is answered before they have gone, however long the store takes.
@Suite struct StorePatienceTests {
  private final class Held: Sendable {
    let waiting = Mutex<StorePatience.Waiting<Int>?>(nil)
  }

  @Test func whatTakesTooLongIsNotWaitedFor() async {
    let held = Held()
    let answer: Int? = await StorePatience.wait(0) { waiting in
      held.waiting.withLock { $0 = waiting }
    }
    #expect(answer == nil)
    let waiting = held.waiting.withLock { $0 }
    #expect(waiting?.isOver == true)
    // Too late, and nobody minds.
    waiting?.end(with: 7)
  }

  @Test func whatIsThereInTimeIsAnswered() async {
    let answer: Int? = await StorePatience.wait { $0.end(with: 7) }
    #expect(answer == 7)
    let none: Int? = await StorePatience.wait { $0.end(with: nil) }
    #expect(none == nil)
  }
}
