/// Random numbers that follow from a seed: the same seed gives the same numbers, on every machine
/// and in every version of this program.
///
/// SplitMix64 (Steele, Lea and Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014)
/// in its form with the fixed increment. Its state is one word, so that it can be part of a state
/// machine that is copied and compared. It is no generator for secrets.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator whose whole course follows from `seed`; any seed is as good as another.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits. The course repeats after 2^64 of them.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A generator of its own for one part of what is simulated, so that one part's draws do not shift
  /// another's.
  public mutating func fork() -> SplitMix64 {
    SplitMix64(seed: next())
  }

  /// True once in `count` draws on average; `count` is at least 1.
  public mutating func happens(onceIn count: Int) -> Bool {
    Int.random(in: 0..<max(count, 1), using: &self) == 0
  }
}
