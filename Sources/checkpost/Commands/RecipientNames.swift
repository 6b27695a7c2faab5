import EventLoop
import Host
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
    case .centre: "the centre"
    case .opposite: "the opposite post"
    case .number(let number): mask.phone(number)
    }
  }

  /// How a passage stands on its way there.
  func state(_ delivery: TextDeliveryRecord, at now: Moment) -> String {
    switch delivery.state {
    case .sent: return "texted"
    case .parked: return "set aside: \(delivery.parkedReason ?? "")"
    case .outdated: return "too old for a text"
    case .unknown: return "nobody knows whether its text left"
    case .waiting:
      let failed = delivery.lastError.map { ", the last: \(mask.scrub($0))" } ?? ""
      guard let due = delivery.due, due > now.boot else { return "waits for its turn\(failed)" }
      let clock = LocalClock.ofThisMachine
      return "waits until \(clock.text(now.wall(at: due), seenFrom: now.wall))\(failed)"
    case .notTexted: return "not texted"
    }
  }
}

extension [TextRecord] {
  /// Those to the centre, which tell how the passage stands.
  var toCentre: [TextRecord] { filter { $0.to == .centre } }
}
