import Time

/// How fast a backlog is drained: a request a second at first, and faster as long as the server bears it.
///
/// After an outage of a whole country all posts come back at once. Each adds a tenth of a request a second
/// for every half minute that went well, and halves its rate when the server is slow or says that it is
/// too much (additive increase, multiplicative decrease), so that they share what there is.
struct DrainPace: Hashable, Sendable {
  /// Requests a second, in hundredths.
  private(set) var hundredths: Int
  private var goodSince: BootInstant?
  /// When the next request may go.
  private(set) var nextAt = BootInstant.zero

  init(first: Int = Limits.drainFirst) {
    hundredths = first
  }

  /// A request goes now.
  mutating func sent(at now: BootInstant) {
    nextAt = now + .nanoseconds(100_000_000_000 / Int64(max(hundredths, 1)))
    goodSince = goodSince ?? now
  }

  /// It went well, and took that long.
  mutating func succeeded(took: Duration, at now: BootInstant) {
    guard took <= Limits.slowAnswer else { return slowDown(at: now) }
    guard let since = goodSince, now - since >= Limits.drainStep else { return }
    goodSince = now
    hundredths = min(hundredths + 10, Limits.drainMost)
  }

  /// The server said that it is too much, or showed it.
  mutating func slowDown(at now: BootInstant) {
    hundredths = max(hundredths / 2, Limits.drainLeast)
    goodSince = nil
  }
}
