import Testing

@testable import ServerHTTP

/// When an exchange counts as standing still.
@Suite struct StallTests {
  private let start = ContinuousClock.now

  private func watch(_ moves: [(after: Int, moved: Int64)]) -> [Bool] {
    var watch = StallWatch<ContinuousClock.Instant>(.seconds(30))
    return moves.map { watch.stands(moved: $0.moved, at: start + .seconds($0.after)) }
  }

  @Test func whatMovesGoesOn() {
    // 26 kbit/s for eleven minutes.
    #expect(!watch((0...65).map { ($0 * 10, Int64($0) * 32_500) }).contains(true))
  }

  /// The library has written all of it, and the network takes it bit by bit.
  @Test func whatOnlyTheNetworkTakesMoves() {
    let sent: Int64 = 200_000
    #expect(!watch((0...60).map { ($0 * 10, sent - Int64(60 - $0) * 3_000) }).contains(true))
  }

  @Test func whatStandsStillIsOver() {
    #expect(watch([(0, 5_000), (29, 5_000), (30, 5_000)]) == [false, false, true])
    #expect(watch([(0, 0), (30, 9_000), (59, 9_000), (60, 9_000)]) == [false, false, false, true])
    // A few bytes are no way to get on.
    #expect(watch([(0, 0), (30, 100)]) == [false, true])
    // What is buffered and not taken is less than nothing.
    #expect(watch([(0, 9_000), (30, 8_000)]) == [false, true])
  }

  @Test func itSaysWhenToLookAgain() {
    var watch = StallWatch<ContinuousClock.Instant>(.seconds(30))
    #expect(watch.deadline == nil)
    _ = watch.stands(moved: 0, at: start)
    #expect(watch.deadline == start + .seconds(30))
    _ = watch.stands(moved: 9_000, at: start + .seconds(30))
    #expect(watch.deadline == start + .seconds(60))
  }
}
