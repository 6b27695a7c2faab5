import Dispatch
import Testing

@testable import HTTPServer

/// Whoever asks is answered before they have gone, however long the store takes.
@Suite struct StorePatienceTests {
  @Test func whatTakesTooLongIsNotWaitedFor() async {
    let door = DispatchSemaphore(value: 0)
    let answer = await StorePatience.wait(0) { _ -> Int? in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          door.wait()
          continuation.resume(returning: 7)
        }
      }
    }
    #expect(answer == nil)
    door.signal()
  }

  @Test func whatIsThereInTimeIsAnswered() async {
    #expect(await StorePatience.wait { _ -> Int? in 7 } == 7)
    #expect(await StorePatience.wait { _ -> Int? in nil } == nil)
  }
}
