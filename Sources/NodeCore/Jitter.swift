import SeededRandom
import Time

extension SplitMix64 {
  /// `duration` made longer or shorter by at most a fifth, so that posts that lost the server
  /// together do not come back together.
  mutating func jittered(_ duration: Duration) -> Duration {
    let fifth = duration.wholeNanoseconds / 5
    guard fifth > 0 else { return duration }
    let offset = Int64(next() % UInt64(2 * fifth + 1)) - fifth
    return duration + .nanoseconds(offset)
  }

  /// `duration` made shorter by at most a fifth: what must not take longer.
  mutating func jitteredDown(_ duration: Duration) -> Duration {
    let fifth = duration.wholeNanoseconds / 5
    guard fifth > 0 else { return duration }
    return duration - .nanoseconds(Int64(next() % UInt64(fifth + 1)))
  }
}
