/// A moment on the boot-time clock: nanoseconds that have passed while the machine was running.
///
/// Ages, delays, budgets and order are counted on this clock and never on the wall clock, because
/// the wall clock of a checkpost jumps: there is no battery behind it and no network to set it.
/// The store carries the clock over restarts of the machine, so that a passage that was pending
/// for four minutes before a power cut is four minutes old after it; time without power counts
/// as nothing.
public struct BootInstant: InstantProtocol, Hashable, Sendable, Codable {
  /// Nanoseconds since the clock's own zero; never negative in practice, yet any value is valid.
  public var nanoseconds: Int64

  /// The moment `nanoseconds` after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The clock's zero.
  public static let zero = BootInstant(nanoseconds: 0)

  /// The moment `seconds` after the clock's zero, at most the last moment the clock can show.
  public static func seconds(_ seconds: Int64) -> BootInstant {
    BootInstant(nanoseconds: Duration.seconds(seconds).wholeNanoseconds)
  }

  /// The moment `duration` later, at most the last moment the clock can show.
  public func advanced(by duration: Duration) -> BootInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    if overflow {
      return BootInstant(nanoseconds: duration < .zero ? .min : .max)
    }
    return BootInstant(nanoseconds: sum)
  }

  /// How long it is from this moment to `other`; negative when `other` is earlier.
  public func duration(to other: BootInstant) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    if overflow {
      return .nanoseconds(other < self ? Int64.min : Int64.max)
    }
    return .nanoseconds(difference)
  }

  /// The order of the two moments on one clock.
  public static func < (left: BootInstant, right: BootInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `duration` later.
  public static func + (instant: BootInstant, duration: Duration) -> BootInstant {
    instant.advanced(by: duration)
  }

  /// The moment `duration` earlier, at least the first moment the clock can show.
  public static func - (instant: BootInstant, duration: Duration) -> BootInstant {
    let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(
      duration.wholeNanoseconds)
    if overflow {
      return BootInstant(nanoseconds: duration < .zero ? .max : .min)
    }
    return BootInstant(nanoseconds: difference)
  }

  /// How long it is from `earlier` to `later`.
  public static func - (later: BootInstant, earlier: BootInstant) -> Duration {
    earlier.duration(to: later)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero and held within 292 years either way.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow {
      return seconds < 0 ? .min : .max
    }
    let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in whole milliseconds, rounded towards zero.
  public var wholeMilliseconds: Int64 {
    wholeNanoseconds / 1_000_000
  }

  /// The duration in whole seconds, rounded towards zero.
  public var wholeSeconds: Int64 {
    components.seconds
  }
}
