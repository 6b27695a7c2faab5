import SeededRandom
import Time

/// How long is waited after failures in a row. What failed has a pause of its own, which grows with its
/// attempts; the queue waits as a whole where different passages fail one after the other.
struct RetryPause: Hashable, Sendable {
  /// Failures since the last success.
  private(set) var failures = 0

  /// The pause after one more failure.
  ///
  /// - Parameter asked: what the server asked for in `Retry-After`; it is waited for at least.
  mutating func failed(
    _ preset: RetryPreset, asked: Duration?, _ random: inout SplitMix64
  ) -> Duration {
    failures += 1
    return RetryPause.pause(after: failures, preset, asked: asked, &random)
  }

  /// Something went: the next failure is the first again.
  mutating func succeeded() {
    failures = 0
  }

  /// The pause after so many failures.
  ///
  /// - Parameter asked: what the server asked for in `Retry-After`; it is waited for at least.
  static func pause(
    after failures: Int, _ preset: RetryPreset, asked: Duration?, _ random: inout SplitMix64
  ) -> Duration {
    let pause = pause(after: failures, preset, &random)
    return max(pause, asked.map { random.jitteredUp($0) } ?? .zero)
  }

  private static func pause(
    after failures: Int, _ preset: RetryPreset, _ random: inout SplitMix64
  ) -> Duration {
    let doublings = min(failures - 1, 16)
    switch preset {
    case .offlineSync:
      return random.jittered(min(.seconds(30) * (1 << doublings), .seconds(750)))
    case .fleet:
      let jitter = Duration.milliseconds(Int64(random.next() % 1_001))
      return min(.seconds(1) * (1 << doublings) + jitter, .seconds(300))
    case .core:
      let pauses: [Int64] = [5, 25, 125]
      return .seconds(pauses[min(failures, pauses.count) - 1])
    }
  }
}

extension RetryPreset {
  /// Attempts after which a passage is given up, where the settings ask for `attempts`.
  func attempts(_ attempts: Int) -> Int {
    // The first at once and three after pauses.
    self == .core ? 4 : min(max(attempts, 1), Limits.mostAttempts)
  }

  /// Whether what was given up is tried again by itself; otherwise a person decides.
  var requeues: Bool { self != .core }

  /// After how long it is tried again: the longest pause between two attempts.
  var longestPause: Duration { self == .fleet ? .seconds(300) : .seconds(900) }
}

extension SplitMix64 {
  /// `duration` made longer by at most a fifth.
  mutating func jitteredUp(_ duration: Duration) -> Duration {
    let fifth = duration.wholeNanoseconds / 5
    guard fifth > 0 else { return duration }
    return duration + .nanoseconds(Int64(next() % UInt64(fifth + 1)))
  }

  /// Some time from nothing up to `most`.
  mutating func spread(_ most: Duration) -> Duration {
    let nanoseconds = most.wholeNanoseconds
    guard nanoseconds > 0 else { return .zero }
    return .nanoseconds(Int64(next() % UInt64(nanoseconds + 1)))
  }
}
