import Time

/// What was told lately: the same once more tells nothing new.
struct ToldOnce: Hashable, Sendable {
  private var times: [String: BootInstant] = [:]

  /// Whether something is news; notes that it is told.
  ///
  /// - Parameter time: How long it is not told again.
  mutating func isNews(_ what: String, for time: Duration, at now: BootInstant) -> Bool {
    times = times.filter { now - $0.value < time }
    guard times[what] == nil, times.count < Limits.traceReasons else { return false }
    times[what] = now
    return true
  }
}
