import Timing

/// A small seeded generator (SplitMix64), for jitter: the same seed gives the same node.
struct Chance: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `duration` made longer or shorter by at most a fifth, so that posts that lost the server
  /// together do not come back together.
  mutating func jittered(_ duration: Duration) -> Duration {
    let fifth = duration.wholeNanoseconds / 5
    guard fifth > 0 else { return duration }
    let offset = Int64(next() % UInt64(2 * fifth + 1)) - fifth
    return duration + .nanoseconds(offset)
  }
}
