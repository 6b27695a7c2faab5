/// How much an event matters to an operator.
public enum LogLevel: String, CaseIterable, Hashable, Sendable, Comparable, Codable {
  /// Only of use when something is being looked for.
  case debug
  /// The ordinary course of things.
  case info
  /// A change of state: connectivity came or went, a modem became ready.
  case notice
  /// Something failed that will be tried again, or was put aside for an operator.
  case warning
  /// Something failed that waiting alone will hardly mend.
  case error

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .notice: 2
    case .warning: 3
    case .error: 4
    }
  }

  /// The order of what matters less before what matters more.
  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }
}
