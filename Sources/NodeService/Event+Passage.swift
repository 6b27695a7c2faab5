public import Events
public import NodeCore
public import Passages
import Time

// What a node's events are about, under keys that never change.
extension Event {
  /// The passage it is about.
  public var clientID: ClientID? {
    get { if case .identity(let identity) = self["client_id"] { ClientID(identity) } else { nil } }
    set { self["client_id"] = newValue.map { .identity($0.description) } }
  }

  /// The plate of that passage, compact.
  public var plate: String? {
    get { if case .plate(let plate) = self["plate"] { plate } else { nil } }
    set { self["plate"] = newValue.map { .plate($0) } }
  }

  /// The text it is about.
  public var textID: TextID? {
    get { if case .integer(let id) = self["text_id"] { id } else { nil } }
    set { self["text_id"] = newValue.map { .integer($0) } }
  }

  /// The modem it is about, by its name.
  public var modem: String? {
    get { if case .text(let name) = self["modem"] { name } else { nil } }
    set { self["modem"] = newValue.map { .text($0) } }
  }

  /// The name of the event of a passage that was recorded.
  public static let passageRecorded = "passage_recorded"

  /// The event of a passage that was recorded.
  ///
  /// - Parameter rules: what says from when on it is texted.
  public static func recorded(_ passage: Passage, at moment: Moment, _ rules: NodeRules) -> Event {
    var event = Event(
      passageRecorded, at: moment.wall,
      words: "passage recorded at \(passage.checkpost.code)"
        + (passage.isUndated ? "; the clock was not set, so it is kept without its time" : ""))
    if !passage.isUndated, !rules.gateways.isEmpty {
      event.next = NextStep(
        rules.hasServer ? "unless the server answers, texted from" : "texted from",
        at: moment.wall + rules.fallbackAfter)
    }
    event.clientID = passage.clientID
    event.plate = passage.plate.compact
    return event
  }

  /// The event of a photograph that is not kept, though its passage is recorded.
  static func photoLeftOut(of passage: Passage, _ reason: String, at moment: Moment) -> Event {
    var event = Event(
      "photo_left_out", .warning, at: moment.wall,
      words: "recorded without its photograph, which is left out: \(reason)",
      fields: [EventField("reason", .text(reason))])
    event.clientID = passage.clientID
    event.plate = passage.plate.compact
    return event
  }
}
