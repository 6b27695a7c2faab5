import Dispatch
import Testing

@testable import HTTPServer

/// Whoever asks is answered before they have gone, however long the store takes.
@Suite struct StorePatienceTests {
  @Test func whatTakesTooLongIsNotWaitedFor() async {
    let door = DispatchSemaphore(value: 0)
    let answer: Int? = await StorePatience.wait(0) { waiting in
      DispatchQueue.global().async {
        door.wait()
        // Too late, and nobody minds.
        waiting.end(with: 7)
      }
    }
    #expect(answer == nil)
    door.signal()
  }

  @Test func whatIsThereInTimeIsAnswered() async {
    let answer: Int? = await StorePatience.wait { $0.end(with: 7) }
    #expect(answer == 7)
    let none: Int? = await StorePatience.wait { $0.end(with: nil) }
    #expect(none == nil)
  }
}
