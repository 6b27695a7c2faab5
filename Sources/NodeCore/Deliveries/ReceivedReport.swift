public import Time

/// A status report with where and when it came, and whether it can be about a text by its times.
///
/// Its reference alone does not tell: it is one octet and comes round, a modem that restarts may begin
/// again, and a report of long ago may have lain in a SIM or at the service centre. Three things show
/// that it is about an earlier text, each from a clock of its own:
///
/// - It came before the text was begun, by the node's clock.
/// - The SMSC had taken its text before this one was begun, by the SMSC's own clock, which the
///   reports before it have shown. That clock runs on at least as far as the node's, which stands
///   still without power.
/// - The same by the wall clock of this machine. As nobody knows whether that is right, and centres
///   are met that write their local time with a wrong zone, only more than half a day counts; and what
///   the last reports all show is how far the two clocks are apart.
public struct ReceivedReport: Hashable, Sendable {
  /// What it says.
  public var report: StatusReport
  /// The name of the modem that received it.
  public var modem: String?
  /// When it came.
  public var received: Moment
  /// What the last reports of the same card said of the service centre's clock, without this one.
  public var readings: [CentreReading]

  /// A report as it came.
  public init(
    _ report: StatusReport, from modem: String?, at received: Moment,
    readings: [CentreReading] = []
  ) {
    self.report = report
    self.modem = modem
    self.received = received
    self.readings = readings
  }

  /// Whether the report is about a text of before the one that was begun then.
  public func isOlder(than begun: Moment) -> Bool {
    if received.boot < begun.boot { return true }
    guard let taken = report.takenAt else { return false }
    // The best but one: a single time that is wrong must not stand against all that come after it.
    let clocks = readings.filter { $0.received.boot <= begun.boot }
      .map { ahead($0.discharged, of: $0.received.boot) }.sorted(by: >)
    if clocks.count >= 2, ahead(taken, of: begun.boot) < clocks[1] - Limits.centreDoubt {
      return true
    }
    // A wall clock that was set back since was ahead when the text was begun.
    let wall = min(begun.wall, received.wall)
    return taken < wall - Limits.wallDoubt - distance
  }

  /// How far this machine's wall clock is ahead of the SMSC's, as far as all of the last reports
  /// show; nothing while there are too few of them.
  private var distance: Duration {
    guard readings.count >= 2, let mine = report.dischargedAt else { return .zero }
    let all = readings.map { $0.received.wall - $0.discharged } + [received.wall - mine]
    return max(.zero, all.min() ?? .zero)
  }
}

/// What a report says of the clock of the service centre.
public struct CentreReading: Hashable, Sendable {
  /// When the report came.
  public var received: Moment
  /// When the SMSC let go of its text, by its own clock.
  public var discharged: WallTime

  /// A reading.
  public init(received: Moment, discharged: WallTime) {
    self.received = received
    self.discharged = discharged
  }
}

/// How far a time of a wall clock is ahead of one of the node's clock, in milliseconds: both may be of
/// any year.
private func ahead(_ time: WallTime, of moment: BootInstant) -> Duration {
  time - WallTime(milliseconds: moment.nanoseconds / 1_000_000)
}
