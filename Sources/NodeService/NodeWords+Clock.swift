import ModemSession
import PassageStore
import Timing

extension NodeWords {
  /// The event of a clock that shows another time than the network's.
  func clockIsOff(_ verdict: ClockVerdict, by time: NetworkTime) -> NodeLogEvent {
    let off: String
    switch verdict {
    case .ahead(let duration): off = "\(NodeWords.span(duration)) ahead of"
    case .behind(let duration): off = "\(NodeWords.span(duration)) behind"
    case .agrees, .unknown: off = "beside"
    }
    return make(
      "clock_off", .warning,
      "this machine's clock is \(off) the network's time (\(NodeWords.name(time.source))); passages"
        + " are recorded with wrong times until it is set (timedatectl)")
  }

  /// The event of a clock that is right again.
  func clockIsRight() -> NodeLogEvent {
    make("clock_right", .notice, "this machine's clock agrees with the network's time")
  }

  private static func name(_ source: NetworkTime.Source) -> String {
    switch source {
    case .network: "told by the network"
    case .modemClock: "by the modem's clock"
    case .serviceCentre: "by a message's time stamp"
    }
  }

  /// A duration in its largest units: `3 d 2 h`, `2 h 10 min`, `75 s`.
  private static func span(_ duration: Duration) -> String {
    let seconds = duration.wholeSeconds
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3_600) h"
    }
  }
}
