import CentralCore
import Passages

extension EvidenceWords {
  func doubts(_ evidence: ViolationEvidence) -> [String] {
    let standing = evidence.violation.violation
    var doubts = standing.finding.doubts.map { doubt in
      switch doubt {
      case .byTextAlone: byTextAlone(standing)
      case .longStay:
        "It took so long that the vehicle may have left, unseen, and come back."
      case .clocks: "The clocks of the two posts may be so wrong that nothing was broken."
      case .contradicted:
        "Reports of one end say different things, or somebody used its identity for another passage."
      case .contradictedByText: contradictedByText(evidence)
      case .turned:
        "The vehicle went back from the exit soon after, so it may have turned there, or have left unseen and come"
          + " again: a person has to look."
      case .impossibleSpeed: "No vehicle is so fast: a clock, a plate or a post is wrong."
      }
    }
    if standing.finding.isFar {
      doubts.append(
        "The two passages are one travel only because nothing was seen of the vehicle in between.")
    }
    if !standing.isRetracted, standing.finality != .reported {
      doubts.append(
        "A post has not reported everything up to the exit: a passage that it still holds may change this."
      )
    }
    let observations = evidence.records.flatMap(\.record.observations)
    if observations.contains(where: { $0.clock == .unknown }) {
      doubts.append("Nobody told how right a post's clock was; it is taken to be right.")
    }
    for (name, records) in evidence.ends {
      let warnings = Set(records.flatMap { $0.reports.flatMap(\.warnings) })
      for warning in IntakeWarning.allCases
      where warnings.contains(warning) && warning.isOfEvidence {
        doubts.append("Of a text of the \(name): \(warning.words).")
      }
    }
    if evidence.records.contains(where: { !$0.record.corrections.isEmpty }) {
      doubts.append("A passage was corrected after it had been sent; see the corrections.")
    }
    if evidence.segment == nil {
      doubts.append("The directory does not have the segment any more.")
    }
    return doubts
  }

  private func contradictedByText(_ evidence: ViolationEvidence) -> String {
    let known = "Texts of which nobody proved who sent them say otherwise"
    let numbers = evidence.contradicting.map { "\($0)" }.joined(separator: ", ")
    return numbers.isEmpty
      ? "\(known)."
      : "\(known), which changes nothing until an upload or a person confirms them: \(numbers) of the inbox."
  }

  private func byTextAlone(_ violation: StandingViolation) -> String {
    let known = "An end is known by text alone, of which nobody proved who sent it"
    // Nobody waits for a proof of what is no violation any more.
    if violation.isRetracted { return "\(known)." }
    return violation.confirmedAt == nil
      ? "\(known): it waits for an upload or for a person who confirms it."
      : "\(known); a person confirmed it all the same."
  }

  func forgers(_ evidence: ViolationEvidence) -> [String] {
    evidence.ends.map { name, records in
      let forger = forger(of: name, records)
      let people = distinct(records.flatMap { $0.record.corrections.map(\.author) }).map { author in
        author.map { evidence.rangerNames[$0] ?? $0 } ?? "somebody who was not told"
      }
      guard !people.isEmpty else { return forger }
      return "\(forger) And who corrected it: \(people.joined(separator: ", "))."
    }
  }

  private func distinct(_ authors: [String?]) -> [String?] {
    var found: [String?] = []
    for author in authors where !found.contains(author) { found.append(author) }
    return found
  }

  private func forger(of name: String, _ records: [RecordEvidence]) -> String {
    let observations = records.flatMap(\.record.observations)
    let proven = observations.filter(\.isProven)
    if proven.contains(where: { $0.channel == .upload }) {
      return "The \(name): who has the account or the key by which it was uploaded."
    }
    if proven.contains(where: { $0.channel == .operated }) {
      return "The \(name): an operator of central."
    }
    if !proven.isEmpty {
      return "The \(name): who can send under the number of the post, which central trusts."
    }
    if observations.contains(where: { $0.channel != .text }) {
      return "The \(name): anybody who could hand it in without a proof of who they are."
    }
    return "The \(name): anybody who knows the post's code and the plate. The number that a text"
      + " comes from can be forged."
  }
}

extension IntakeWarning {
  /// Whether it says something against what a text tells, and not of the directory alone.
  fileprivate var isOfEvidence: Bool {
    switch self {
    case .unboundSender, .anySender, .anyTime, .anyRate: true
    case .unknownPost, .unknownRanger, .ambiguousRanger: false
    }
  }
}
