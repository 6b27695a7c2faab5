import Control
import EventLoop
public import Events
import Host
public import JSON
import ModemSession
import Settings
import Storage

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

  /// The finding of a problem: a critical one does not work, any other works less well than it could.
  public init(_ name: String, _ problem: Problem) {
    self.init(
      name, problem.severity == .critical ? .bad : .warning, problem.what, remedy: problem.remedy)
    modem = problem.name.hasPrefix("modem_") ? problem.subject : nil
  }

  /// The finding of an error: what is wrong and what helps, as its type tells them apart.
  public init(_ name: String, _ error: any Error) {
    switch error {
    case let error as StorageError: self.init(name, .bad, error.problem, remedy: error.remedy)
    case let error as SettingsError: self.init(name, .bad, error.problem, remedy: error.remedy)
    case let error as ControlError: self.init(name, .bad, error.problem, remedy: error.remedy)
    case let error as LinkError: self.init(name, .bad, error.problem, remedy: error.remedy)
    case let error as DirectModemError:
      let fault = FailureWords(error.reason)
      self.init(name, .bad, fault.problem, remedy: fault.remedy)
    case let error as ControlRefusal: self.init(name, .bad, error.message)
    default: self.init(name, .bad, "\(error)")
    }
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
