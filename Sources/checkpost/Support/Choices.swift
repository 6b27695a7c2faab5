public import ArgumentParser
public import CentralCore
public import Events
import Evidence
public import GSM
public import Host
public import ModemSession

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

extension QueueChoice: ExpressibleByArgument {
  /// The choice of that name.
  public init?(argument: String) {
    self.init(name: argument)
  }

  /// All names.
  public static var allValueStrings: [String] { allNames }
}
