import Passages
public import Time

/// A time that is known, and by what.
public struct KnownTime: Hashable, Sendable {
  /// By what.
  public var source: ClockSource
  /// The time.
  public var wall: WallTime
  /// When it was that, by the node's clock.
  public var at: BootInstant

  /// A time that was known at a moment.
  public init(_ source: ClockSource, _ wall: WallTime, at moment: BootInstant) {
    self.source = source
    self.wall = wall
    at = moment
  }

  /// The time at another moment of the node's clock, of the same start of the machine.
  public func wall(at moment: BootInstant) -> WallTime { wall + (moment - at) }
}

/// How this machine's clock stands, as the system tells.
public struct SystemClockState: Hashable, Sendable {
  /// Whether a time service keeps it.
  public var isSynchronised: Bool
  /// Whether it was set from one with a battery when the machine started.
  public var hasBattery: Bool

  /// A clock that stands so.
  public init(isSynchronised: Bool = false, hasBattery: Bool = false) {
    self.isSynchronised = isSynchronised
    self.hasBattery = hasBattery
  }

  /// By what a clock that stands so and shows `wall` is known. One that shows a time from before this
  /// program was never set, whatever the system says.
  public func source(showing wall: WallTime) -> ClockSource {
    guard wall >= Passage.earliest else { return .none }
    if isSynchronised { return .ntp }
    return hasBattery ? .battery : .none
  }
}

/// What is known of the time: what the server and the mobile network told, and this machine's clock. No
/// decision about order, ages or pauses looks at it; it only tells when a passage was.
public struct TimeKnowledge: Hashable, Sendable {
  /// How long what was told is gone by: a boot clock may be off by some seconds then.
  public static let tellsFor: Duration = .seconds(86_400)
  /// How far this machine's clock may be from the server's before that is told with a passage.
  public static let tolerance: Duration = .seconds(60)

  private var told: [ClockSource: KnownTime] = [:]

  /// Nothing is known.
  public init() {}

  /// Takes what somebody told; of each the last counts. A time from before this program is none.
  public mutating func take(_ time: KnownTime) {
    guard time.source != .none, time.wall >= Passage.earliest else { return }
    told[time.source] = time
  }

  /// The time by the best that is known of it; with ``ClockSource/none`` when that is only what this
  /// machine's clock shows.
  public func best(_ state: SystemClockState, showing wall: WallTime, at now: BootInstant)
    -> KnownTime
  {
    let own = KnownTime(state.source(showing: wall), wall, at: now)
    return told.values.filter { now - $0.at < TimeKnowledge.tellsFor }
      .reduce(own) { $0.source < $1.source ? $1 : $0 }
  }

  /// How many seconds this machine's clock is ahead of the server's, where that is more than the
  /// tolerance; nil where it is less, or the server told nothing.
  public func skewSeconds(showing wall: WallTime, at now: BootInstant) -> Int64? {
    guard let server = told[.server], now - server.at < TimeKnowledge.tellsFor else { return nil }
    let ahead = wall - server.wall(at: now)
    guard ahead > TimeKnowledge.tolerance || ahead < .zero - TimeKnowledge.tolerance else {
      return nil
    }
    return ahead.wholeSeconds
  }
}
