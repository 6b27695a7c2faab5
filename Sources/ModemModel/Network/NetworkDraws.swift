import SeededRandom
import Time

// What a simulated network draws at random.

extension SplitMix64 {
  /// True with that probability.
  mutating func happens(_ probability: Double) -> Bool {
    guard probability > 0 else { return false }
    return Double(next() >> 11) < probability * 0x1p53
  }

  /// A duration between two, both ends with it, in whole milliseconds.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let low = range.lowerBound.wholeMilliseconds
    let high = range.upperBound.wholeMilliseconds
    guard high > low else { return range.lowerBound }
    return .milliseconds(low + Int64(next() % UInt64(high - low + 1)))
  }
}
