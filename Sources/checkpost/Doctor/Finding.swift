import JSON

/// What the doctor found out about one thing.
struct Finding: Hashable, Sendable {
  /// How it stands.
  enum State: String, Hashable, Sendable {
    /// As it should be.
    case good
    /// It works, and will not for ever or not as well as it could.
    case warning
    /// It does not work.
    case bad
    /// Not looked at, for a reason.
    case skipped
  }

  /// What was looked at, in snake_case: `modem_signal`.
  var name: String
  /// How it stands.
  var state: State
  /// What was seen, in words.
  var words: String
  /// What to do about it; nil when there is nothing to do.
  var remedy: String?
  /// Which modem it is about, where there are several.
  var modem: String?

  init(_ name: String, _ state: State, _ words: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.words = words
    self.remedy = remedy
  }

  /// The finding of an error: what it says ends with what to do.
  init(_ name: String, _ error: any Error) {
    let message = CommandFailure(error)?.message ?? "\(error)"
    let parts = message.split(separator: "; ", maxSplits: 1).map(String.init)
    self.init(name, .bad, parts[0], remedy: parts.count > 1 ? parts[1] : nil)
  }

  /// The finding as a JSON object.
  var object: JSONValue {
    var object: [String: JSONValue] = [
      "check": .text(name), "state": .text(state.rawValue), "words": .text(words),
    ]
    object["remedy"] = remedy.map { .text($0) }
    object["modem"] = modem.map { .text($0) }
    return .object(object)
  }

  /// What was looked at, for people.
  var label: String { name.replacing("_", with: " ") }

  /// The finding as lines for people.
  func lines(colour: Bool) -> [ShownText] {
    let mark =
      switch state {
      case .good: Colour.good.paint("ok  ", if: colour)
      case .warning: Colour.warning.paint("warn", if: colour)
      case .bad: Colour.bad.paint("BAD ", if: colour)
      case .skipped: Colour.faint.paint("--  ", if: colour)
      }
    let padded = label + String(repeating: " ", count: max(1, 18 - label.count))
    let which = modem.map { "\($0): " } ?? ""
    let first: ShownText = "\(mark)  \(padded)\(which)\(words)"
    guard let remedy else { return [first] }
    return [first, "\(String(repeating: " ", count: 24))→ \(remedy)"]
  }
}
