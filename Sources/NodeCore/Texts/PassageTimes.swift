public import Time

/// The times that a passage bears: its own, and what this machine's clock showed when it was recorded.
public struct PassageTimes: Hashable, Sendable {
  /// Its own, which its text says.
  public var recordedAt: WallTime
  /// What this machine's clock showed when it was recorded here.
  public var createdAt: WallTime

  /// The times of a passage.
  public init(recordedAt: WallTime, createdAt: WallTime) {
    self.recordedAt = recordedAt
    self.createdAt = createdAt
  }

  /// How old the passage is by its own time, where a better clock tells that the one which dated it was
  /// far off; negative for one that is dated ahead. Nil where that is not known: what was known when it
  /// was recorded holds then.
  ///
  /// - Parameters:
  ///   - since: When it was recorded, by the node's clock.
  ///   - start: When the machine was started, by the node's clock.
  ///   - better: What the better clock tells.
  ///   - farOff: How far this machine's clock has to have been from that.
  ///   - now: The moment by the node's clock.
  public func ownAge(
    since: BootInstant, start: BootInstant, by better: KnownTime, farOff: Duration,
    at now: BootInstant
  ) -> Duration? {
    let wrong = createdAt - better.wall(at: since)
    // How long the machine was without power nobody knows: a passage of an earlier start may be older than
    // the node's clock says, and never younger.
    let isKnown = wrong > farOff || (since > start && wrong < .zero - farOff)
    return isKnown ? better.wall(at: now) - recordedAt : nil
  }
}
