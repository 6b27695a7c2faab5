import Timing

/// The chance of a simulated world: SplitMix64, so that one seed gives one course of events.
public struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose whole course follows from `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits of the course.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A generator of its own for one part of the world, so that one part's draws do not shift
  /// another's.
  public mutating func fork() -> Chance {
    Chance(seed: next())
  }

  /// True in `percent` of a hundred draws.
  public mutating func happens(percent: Int) -> Bool {
    Int(next() % 100) < percent
  }

  /// A number of `range`, each as likely as the other.
  public mutating func draw(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// A duration between two others, in milliseconds.
  public mutating func draw(_ from: Duration, _ to: Duration) -> Duration {
    let low = from.wholeMilliseconds
    let high = max(low, to.wholeMilliseconds)
    return .milliseconds(Int64.random(in: low...high, using: &self))
  }
}
