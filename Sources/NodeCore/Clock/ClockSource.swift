/// By what a time is known. The earlier case is the better one.
public enum ClockSource: String, CaseIterable, Hashable, Sendable, Comparable {
  /// The machine's clock, which a time service keeps.
  case ntp
  /// The server, with an answer that was its own.
  case server
  /// The mobile network.
  case network
  /// The machine's clock, set from one with a battery when it started.
  case battery = "rtc"
  /// The machine's clock, of which nobody knows by what it was set.
  case none

  /// The better one is the greater one.
  public static func < (left: ClockSource, right: ClockSource) -> Bool {
    left.rank > right.rank
  }

  private var rank: Int {
    switch self {
    case .ntp: 0
    case .server: 1
    case .network: 2
    case .battery: 3
    case .none: 4
    }
  }

  /// Seconds by which a clock may be wrong that nobody vouched for: any number of them.
  public static let anyDoubt: Int64 = 315_360_000

  /// How many seconds the clock may have been wrong that a time is from; nil where nothing is known against it.
  ///
  /// - Parameter ahead: How many seconds it was ahead, where that was noted.
  public func doubt(ahead: Int64?) -> Int64? {
    switch self {
    case .none: ClockSource.anyDoubt
    case .ntp, .battery: ahead.map { min(Int64(clamping: $0.magnitude), ClockSource.anyDoubt) }
    // What these told has put the time right.
    case .server, .network: nil
    }
  }

  /// What people call it.
  public var words: String {
    switch self {
    case .ntp: "a time service"
    case .server: "the server"
    case .network: "the mobile network"
    case .battery: "the machine's clock with a battery"
    case .none: "a clock that nobody has set"
    }
  }
}
