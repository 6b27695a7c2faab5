import SeededRandom
import Time

// What a simulated world draws at random.

extension SplitMix64 {
  /// True in `percent` of a hundred draws.
  mutating func happens(percent: Int) -> Bool {
    Int(next() % 100) < percent
  }

  /// A number of `range`, each as likely as the other.
  mutating func draw(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// A duration between two others, in milliseconds.
  mutating func draw(_ from: Duration, _ to: Duration) -> Duration {
    let low = from.wholeMilliseconds
    let high = max(low, to.wholeMilliseconds)
    return .milliseconds(Int64.random(in: low...high, using: &self))
  }
}
