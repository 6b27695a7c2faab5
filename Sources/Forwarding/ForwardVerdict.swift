import CentralCore
import NodeCore
import SeededRandom
import Time

/// What to do after the server did not take passages.
enum ForwardVerdict: Hashable, Sendable {
  /// It is about one of several: each by itself.
  case oneByOne
  /// It is known what became of the one that was handed on.
  case settled(Settled)
  /// It is about none of them: all later.
  case pause(ServerFailure)

  /// What became of it.
  enum Settled: Hashable, Sendable {
    /// The server has it.
    case forwarded
    /// The server's directory may be another one by now.
    case unplaced
    /// A person has to see to it.
    case refused
  }

  /// - Parameter count: How many were handed on.
  init(_ failure: ServerFailure, of count: Int) {
    switch failure.kind {
    case .duplicate, .reference, .rejected:
      guard count == 1 else {
        self = .oneByOne
        return
      }
      switch failure.kind {
      case .duplicate: self = .settled(.forwarded)
      case .reference: self = .settled(.unplaced)
      default: self = .settled(.refused)
      }
    case .outage, .credential, .trouble, .denied, .absent: self = .pause(failure)
    }
  }
}

/// How long it is waited after failures in a row.
struct ForwardPause: Hashable, Sendable {
  /// Failures in a row.
  private(set) var failures = 0

  /// The pause after one more.
  ///
  /// - Parameter asked: What the server asked for; it is waited for at least.
  mutating func failed(asked: Duration?, _ chance: inout SplitMix64) -> Duration {
    failures += 1
    let pause = min(Limits.firstPause * (1 << min(failures - 1, 16)), Limits.longestPause)
    // Of those who lost the server together not all come back at once.
    let fifth = UInt64(pause.wholeNanoseconds / 5)
    let longer = pause + .nanoseconds(Int64(chance.next() % (fifth + 1)))
    return max(longer, asked ?? .zero)
  }

  /// Something went.
  mutating func succeeded() { failures = 0 }

  /// Whether the last attempt failed.
  var isFailing: Bool { failures > 0 }
}
