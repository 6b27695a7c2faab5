public import ArgumentParser
public import CentralCore
public import Events
import Evidence
public import GSM
public import ModemSession
import NodeCore

// What options take by its name. The parser lists the names in the help, and where one is wrong.

extension Direction: ExpressibleByArgument {}

extension Alphabet: ExpressibleByArgument {}

extension LogLevel: ExpressibleByArgument {}

extension RecoveryStep: ExpressibleByArgument {
  /// The step of that name.
  public init?(argument: String) {
    self.init(name: argument)
  }

  /// The names of all steps.
  public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension ViolationQuery.Standing: ExpressibleByArgument {}

extension ViolationFinding.Kind: ExpressibleByArgument {}

extension Finality: ExpressibleByArgument {}
extension ViolationQuery.Outcome: ExpressibleByArgument {}
extension ViolationOutcome.Kind: ExpressibleByArgument {}

extension TravelDoubt: ExpressibleByArgument {}

extension SheetLanguage: ExpressibleByArgument {}

/// Which messages of the inbox are listed.
enum InboxChoice: ExpressibleByArgument {
  case all
  case only(InboxItem.State)

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let state = InboxItem.State(rawValue: argument) {
      self = .only(state)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { InboxItem.State.allCases.map(\.rawValue) + ["all"] }

  var defaultValueDescription: String { state?.rawValue ?? "all" }

  /// How they stand; nil when that does not matter.
  var state: InboxItem.State? {
    if case .only(let state) = self { state } else { nil }
  }
}

/// Which passages of the queue are meant, by how they or their texts stand.
enum QueueChoice: ExpressibleByArgument {
  case state(PassageState)
  case status(QueueStatus)
  case text(TextStanding)
  case parked

  init?(argument: String) {
    if argument == "parked" {
      self = .parked
    } else if let state = PassageState(rawValue: argument) {
      self = .state(state)
    } else if let status = QueueStatus(rawValue: argument) {
      self = .status(status)
    } else if let text = TextStanding(rawValue: argument) {
      self = .text(text)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] {
    PassageState.allCases.map(\.rawValue) + QueueStatus.allCases.map(\.rawValue)
      + TextStanding.allCases.map(\.rawValue) + ["parked"]
  }
}
