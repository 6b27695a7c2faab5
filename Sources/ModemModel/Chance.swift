/// The chance of a simulated network: SplitMix64, so that one seed gives one course of events.
struct Chance: RandomNumberGenerator, Hashable, Sendable {
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

  /// True with that probability.
  mutating func happens(_ probability: Double) -> Bool {
    guard probability > 0 else { return false }
    return Double(next() >> 11) < probability * 0x1p53
  }

  /// A duration between two, both ends with it, in whole milliseconds.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let low = milliseconds(range.lowerBound)
    let high = milliseconds(range.upperBound)
    guard high > low else { return range.lowerBound }
    return .milliseconds(low + Int64(next() % UInt64(high - low + 1)))
  }

  private func milliseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
  }
}
