import EventLoop
import Host
import JSON
import Log
import NodeCore
import Settings
import Time

/// Those who get passages as texts, in words for people: numbers are masked as they are in the log.
struct RecipientNames {
  private let mask: Mask

  /// Numbers as the settings want them shown.
  init(_ settings: Settings) {
    mask = settings.log.mask ? .short : .whole
  }

  /// Who it is.
  func words(for recipient: TextRecipient) -> String {
    switch recipient {
    case .centre: "central"
    case .opposite: "the opposite post"
    case .number(let number): mask.phone(number)
    }
  }

  /// Words of others without numbers in them.
  func shown(_ words: String) -> String { mask.scrub(words) }

  /// How a passage stands on its way there.
  ///
  /// - Parameter held: Up to when something keeps its text back though it is due; nil for nothing.
  func state(
    _ delivery: JSONValue, _ times: TimeWords, heldUntil held: WallTime? = nil
  ) -> String {
    switch delivery["state"]?.text.flatMap({ TextDeliveryRecord.State(rawValue: $0) }) {
    case .sent: return "texted"
    case .parked: return "on hold: \(delivery["parked_reason"]?.text ?? "")"
    case .outdated: return "too old for a text"
    case .unknown: return "nobody knows whether its text left"
    case .waiting:
      let due = held ?? delivery["next_text_at"]?.text.flatMap { WallTime(rfc3339: $0) }
      guard let due, due > times.now else { return "waits for its turn" }
      return "waits, goes \(times.next(due))"
    case .notTexted, nil: return "not texted"
    }
  }
}
