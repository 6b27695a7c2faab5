/// Whether an exchange that is under way stands still: by what the network took and gave, not by what this
/// machine's buffers took. On a thin line they would swallow a photograph at once and be busy with it for
/// minutes.
struct StallWatch<Moment: InstantProtocol> where Moment.Duration == Duration {
  private let patience: Duration
  private var mark: (moved: Int64, at: Moment)?

  /// - Parameter patience: How long an exchange may stand still.
  init(_ patience: Duration) {
    self.patience = max(patience, .milliseconds(1))
  }

  /// When to look again; nil before the first look.
  var deadline: Moment? { mark.map { $0.at.advanced(by: patience) } }

  /// Takes in how many bytes have moved until now.
  ///
  /// - Returns: Whether it has stood still for as long as it may.
  mutating func stands(moved: Int64, at now: Moment) -> Bool {
    guard let mark, let deadline else {
      mark = (moved, now)
      return false
    }
    guard deadline <= now else { return false }
    let least = max(1, Limits.standingStill * mark.at.duration(to: now).components.seconds)
    self.mark = (moved, now)
    return moved - mark.moved < least
  }
}
