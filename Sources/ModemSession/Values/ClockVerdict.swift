/// What is known of this machine's clock.
public enum ClockVerdict: Hashable, Sendable {
  /// They agree as far as can be told.
  case agrees
  /// The clock shows a time that is still to come, by so much.
  case ahead(Duration)
  /// The clock shows a time that is over, by so much.
  case behind(Duration)
  /// Too little is known: a modem's clock alone, or times that are only known to be over.
  case unknown

  /// The name for scripts: `agrees`, `ahead`, `behind`, `unknown`.
  public var name: String {
    switch self {
    case .agrees: "agrees"
    case .ahead: "ahead"
    case .behind: "behind"
    case .unknown: "unknown"
    }
  }
}
