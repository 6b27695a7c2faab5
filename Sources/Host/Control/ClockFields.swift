import JSON
import ModemSession
import Time

/// What is known of this machine's clock, as JSON and in words; the same in the service and in the
/// commands.
enum ClockFields {
  /// A comparison, with what the clock showed then.
  static func object(_ comparison: ClockComparison, clock: WallTime) -> JSONValue {
    var object: [String: JSONValue] = [
      "network_time": .text(comparison.time.rfc3339), "source": .text(comparison.source.rawValue),
      "uncertainty_s": .integer(comparison.uncertainty.wholeSeconds),
      // How far this machine's clock was ahead of the network's.
      "ahead_s": .integer((clock - comparison.time).wholeSeconds),
      "verdict": .text(comparison.verdict.name),
    ]
    if comparison.verdict.isOff { object["words"] = .text(comparison.words) }
    return .object(object)
  }

  /// What somebody has to know of the clock, by the statuses of modems; nil when nothing is known
  /// against it.
  static func alarm(_ modems: [[String: JSONValue]]) -> String? {
    modems.lazy.compactMap { $0["clock"]?["words"]?.text }.first
      .map { "\($0); set it (timedatectl)" }
  }
}

extension ClockVerdict {
  /// Whether the clock is known to be wrong.
  fileprivate var isOff: Bool {
    switch self {
    case .ahead, .behind: true
    case .agrees, .unknown: false
    }
  }
}
