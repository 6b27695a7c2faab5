/// Something that an operator did, for the audit log, which names no vehicle.
public struct OperatorNote: Hashable, Sendable {
  /// What was done. The names are kept as they are for good.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A person said that a violation is so.
    case violationConfirmed = "violation_confirmed"
    /// A person recorded what came of a violation.
    case violationClosed = "violation_closed"
    /// A text was taken although a rule refuses it.
    case ruleSetAside = "rule_set_aside"
  }

  /// What was done.
  public var kind: Kind
  /// The user of the machine who did it, when known.
  public var actor: String?
  /// What it was done with, by its number.
  public var detail: String

  /// Something that was done.
  public init(_ kind: Kind, by actor: String?, _ detail: String) {
    self.kind = kind
    self.actor = actor
    self.detail = detail
  }
}

extension OperatorNote {
  /// A violation was confirmed.
  static func confirmed(
    _ violation: StandingViolation, by author: String?, actor: String?
  ) -> OperatorNote {
    OperatorNote(
      .violationConfirmed, by: actor,
      "violation \(violation.finding.entry.row), by \(author ?? "nobody who was named")")
  }

  /// An outcome was recorded; with the reason where one was given, and what it was given for.
  public static func closed(
    _ violation: StandingViolation, _ outcome: ViolationOutcome, actor: String?
  ) -> OperatorNote {
    let fine = outcome.fineWords.map { " \($0)" } ?? ""
    let although = outcome.although.map { reason in
      let doubts = violation.fineDoubts.joined(separator: " ")
      return ", although\(doubts.isEmpty ? "" : " \(doubts)"): \(reason)"
    }
    return OperatorNote(
      .violationClosed, by: actor,
      "violation \(violation.finding.entry.row), \(outcome.kind.rawValue)\(fine), by \(outcome.author)"
        + (although ?? ""))
  }

  /// Texts were taken although a rule refuses them; nil where there are none.
  init?(_ waiver: Waiver, _ messages: [ProcessedMessage], by actor: String?) {
    let taken = messages.filter { message in
      if case .undecodable = message.result { false } else { true }
    }.map(\.id)
    guard !waiver.names.isEmpty, let first = taken.min(), let last = taken.max() else { return nil }
    let which =
      taken.count == 1 ? "message \(first)" : "messages \(taken.count), from \(first) to \(last)"
    self.init(.ruleSetAside, by: actor, "\(which): \(waiver.names.joined(separator: " "))")
  }
}

extension Waiver {
  /// What is set aside, by names that stay.
  var names: [String] {
    [(Waiver.anySender, "any_sender"), (.anyTime, "any_time"), (.anyRate, "any_rate")]
      .filter { contains($0.0) }.map(\.1)
  }
}
