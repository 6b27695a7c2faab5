import ModemSession
import Operations
import Timing

/// What is known of this machine's clock, as JSON and in words; the same in the service and in the
/// commands.
enum ClockFields {
  /// A judgement, with what the clock showed then.
  static func object(_ judgement: ClockJudgement, clock: WallTime) -> JSONValue {
    var object: [String: JSONValue] = [
      "network_time": .text(judgement.time.rfc3339), "source": .text(judgement.source.rawValue),
      "uncertainty_s": .integer(judgement.uncertainty.wholeSeconds),
      // How far this machine's clock was ahead of the network's.
      "ahead_s": .integer((clock - judgement.time).wholeSeconds),
      "verdict": .text(judgement.verdict.name),
    ]
    if judgement.verdict.isOff { object["words"] = .text(judgement.words) }
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
