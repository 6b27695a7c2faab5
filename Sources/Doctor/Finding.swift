import Control
public import JSON

/// What was found out about one thing.
public struct Finding: Hashable, Sendable {
  /// How it stands.
  public enum State: String, Hashable, Sendable {
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
  public var name: String
  /// How it stands.
  public var state: State
  /// What was seen, in words.
  public var words: String
  /// What to do about it; nil when there is nothing to do.
  public var remedy: String?
  /// Which modem it is about, where there are several.
  public var modem: String?

  /// What was found out about the thing of that name.
  public init(_ name: String, _ state: State, _ words: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.words = words
    self.remedy = remedy
  }

  /// The finding of an error: what it says ends with what to do.
  public init(_ name: String, _ error: any Error) {
    let message = (error as? ControlRefusal)?.message ?? "\(error)"
    let parts = message.split(separator: "; ", maxSplits: 1).map(String.init)
    self.init(name, .bad, parts[0], remedy: parts.count > 1 ? parts[1] : nil)
  }

  /// The finding as a JSON object.
  public var object: JSONValue {
    var object: [String: JSONValue] = [
      "check": .text(name), "state": .text(state.rawValue), "words": .text(words),
    ]
    object["remedy"] = remedy.map { .text($0) }
    object["modem"] = modem.map { .text($0) }
    return .object(object)
  }

  /// What was looked at, for people.
  public var label: String { name.replacing("_", with: " ") }
}
