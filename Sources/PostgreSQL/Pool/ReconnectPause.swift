import SeededRandom
import Time

/// How long to wait before connecting once more: longer each time, up to a bound, and never the same for many
/// that lost a server together.
struct ReconnectPause: Hashable {
  private(set) var failures = 0
  private let first: Duration
  private let longest: Duration

  init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The pause after one more failure: between half of its bound and all of it.
  mutating func next(using random: inout SplitMix64) -> Duration {
    // 2^30 times the shortest pause is beyond every bound.
    let bound = min(longest, first * (1 << min(failures, 30)))
    failures += 1
    let half = max(bound.wholeNanoseconds / 2, 0)
    return .nanoseconds(half + Int64.random(in: 0...half, using: &random))
  }

  /// There was a connection.
  mutating func reset() {
    failures = 0
  }
}
