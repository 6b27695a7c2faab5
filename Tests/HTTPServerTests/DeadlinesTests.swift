import NIOCore
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct DeadlinesTests {
  @Test func whatIsDueEndsInItsOrder() async {
    let deadlines = Deadlines()
    let (ends, continuation) = AsyncStream.makeStream(of: Int.self)
    // Each sooner than the one before, so that the timer is set anew; and one that another has set already.
    for milliseconds in [40, 20, 0, 60] {
      _ = deadlines.add(after: .milliseconds(Int64(milliseconds))) {
        continuation.yield(milliseconds)
        if milliseconds == 60 { continuation.finish() }
      }
    }
    var told: [Int] = []
    for await end in ends { told.append(end) }
    #expect(told == [0, 20, 40, 60])
  }

  @Test func whatIsRemovedNeverEnds() async {
    let deadlines = Deadlines()
    let (ends, continuation) = AsyncStream.makeStream(of: Int.self)
    let first = deadlines.add(after: .milliseconds(50)) { continuation.yield(1) }
    let second = deadlines.add(after: .hours(1)) { continuation.yield(2) }
    _ = deadlines.add(after: .milliseconds(60)) {
      continuation.yield(3)
      continuation.finish()
    }
    deadlines.remove(first)
    deadlines.remove(second)
    deadlines.remove(second)
    var told: [Int] = []
    for await end in ends { told.append(end) }
    #expect(told == [3])
  }

  /// What comes after the timer has been used up gets another one.
  @Test func theTimerIsSetAgain() async {
    let deadlines = Deadlines()
    var ended = 0
    for milliseconds: Int64 in [0, 2, 0] {
      let removed = deadlines.add(after: .milliseconds(1)) {}
      deadlines.remove(removed)
      ended += await withCheckedContinuation { continuation in
        _ = deadlines.add(after: .milliseconds(milliseconds)) { continuation.resume(returning: 1) }
      }
    }
    #expect(ended == 3)
  }
}
