public import CentralCore
import Passages
public import Time

/// What a violation rests on, in words and in an order in which a person can follow it: for the terminal, for a
/// printed page, for whoever has to decide on a fine and for whoever has to pay it.
///
/// It says nothing that the ``ViolationEvidence`` does not: what was seen, by whom it was reported and when that
/// came, how much the clocks can be trusted, what was allowed for, what could make it wrong, who could have forged
/// it, and how it came to be as it is.
public struct EvidenceReport: Hashable, Sendable {
  /// One thing that is known.
  public struct Fact: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// What is known.
    public var value: String

    /// A fact.
    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// Rows of one kind.
  public struct Table: Hashable, Sendable {
    /// What the rows are.
    public var title: String
    /// What each column is.
    public var columns: [String]
    /// The rows, each with a text for each column.
    public var rows: [[String]]
  }

  /// What was broken: `Speeding`, `Overstay`.
  public var title: String
  /// What names the violation.
  public var identifier: String
  /// Its number in the list.
  public var number: Int64
  /// How it stands, in a sentence: final, provisional, retracted.
  public var standing: String
  /// Whether it stands.
  public var isRetracted: Bool
  /// The vehicle, the segment, the travel and the rule.
  public var facts: [Fact]
  /// Every report of both ends.
  public var reports: Table
  /// Every correction of both ends; no rows where nothing was corrected.
  public var corrections: Table
  /// Every change of the violation, when it became final, who confirmed it, and what came of it.
  public var revisions: Table
  /// What could make it wrong, a sentence each.
  public var doubts: [String]
  /// Who could have forged it, a sentence each.
  public var forgers: [String]

  /// Puts the evidence in words.
  ///
  /// - Parameter clock: By which times are told; UTC stands beside them where it differs.
  public init(_ evidence: ViolationEvidence, clock: LocalClock) {
    let standing = evidence.violation.violation
    let words = EvidenceWords(clock: clock)
    title = standing.finding.kind == .speeding ? "Speeding" : "Overstay"
    identifier = evidence.violation.uuid.description
    number = standing.finding.entry.row
    isRetracted = standing.isRetracted
    self.standing = words.standing(standing, confirmedBy: evidence.violation.confirmedBy)
    facts = words.facts(evidence)
    reports = words.reports(evidence)
    corrections = words.corrections(evidence)
    revisions = words.revisions(evidence)
    doubts = words.doubts(evidence)
    forgers = words.forgers(evidence)
  }

  /// What came of a violation, in words.
  public static func words(_ outcome: ViolationOutcome, clock: LocalClock) -> String {
    EvidenceWords(clock: clock).words(outcome)
  }
}

/// A violation in words, by one clock.
struct EvidenceWords {
  let clock: LocalClock

  func standing(_ violation: StandingViolation, confirmedBy: String?) -> String {
    let since = clock.whole(violation.since)
    if violation.isRetracted {
      return "Retracted on \(since): what came later disproved it. Nobody is to be fined for it."
    }
    let confirmed = violation.confirmedAt.map { at in
      " \(confirmedBy.flatMap { $0.isEmpty ? nil : $0 } ?? "Somebody") confirmed it on \(clock.whole(at))."
    }
    let finality =
      switch violation.finality {
      case .provisional:
        "Provisional, as it is since \(since): a passage that has not come yet may change it."
      case .reported:
        "Final, as it is since \(since): the posts have reported past every time that could change it."
      case .unreported:
        "Final, as it is since \(since), though a post has not reported past the exit for too long to"
          + " wait: a passage that it still holds may change it."
      }
    return finality + (confirmed ?? "")
  }

  func facts(_ evidence: ViolationEvidence) -> [EvidenceReport.Fact] {
    let finding = evidence.violation.violation.finding
    let passages = [evidence.entry.passage, evidence.exit.passage].compactMap { $0?.passage }
    let spoken = passages.map(\.plate).first { $0.raw != $0.compact }?.display
    var facts = [
      EvidenceReport.Fact("Number", "\(finding.entry.row)"),
      EvidenceReport.Fact("Vehicle", spoken ?? passages.first?.plate.display ?? finding.plate),
      EvidenceReport.Fact("Type", evidence.violation.vehicleType.rawValue),
      EvidenceReport.Fact("Segment", segment(finding.segment, evidence.segment)),
      EvidenceReport.Fact("Entry", end(finding.entry, evidence.postNames)),
      EvidenceReport.Fact("Exit", end(finding.exit, evidence.postNames)),
      EvidenceReport.Fact("Travel", travel(finding, evidence.segment)),
      EvidenceReport.Fact("Allowed", allowed(finding)),
      EvidenceReport.Fact(
        "Tolerance",
        "\(SpeedCheck.tolerance) s on each side: passages are known to the second, floored"),
    ]
    let rangers = rangers(evidence)
    if !rangers.isEmpty {
      facts.append(EvidenceReport.Fact("Recorded by", rangers.joined(separator: ", ")))
    }
    if let outcome = evidence.violation.outcome {
      facts.append(EvidenceReport.Fact("Outcome", words(outcome)))
    }
    let photos = evidence.records.flatMap { $0.record.photoPaths }
    if !photos.isEmpty {
      facts.append(EvidenceReport.Fact("Photographs", photos.joined(separator: ", ")))
    }
    return facts
  }

  /// Who wrote the ends down: of each record whom a report names, else whom the directory knows by the digits.
  func rangers(_ evidence: ViolationEvidence) -> [String] {
    var rangers: [String] = []
    for record in evidence.records {
      let named = record.reports.first { $0.observation.ranger != nil }
        .flatMap { EvidenceWords.who($0, in: evidence) }
      guard let name = named ?? record.reports.lazy.compactMap(\.ranger).first,
        !rangers.contains(name)
      else { continue }
      rangers.append(name)
    }
    return rangers
  }

  /// What came of it.
  func words(_ outcome: ViolationOutcome) -> String {
    let fine = outcome.fineWords.map { " \($0)" } ?? ""
    let notes = outcome.notes.map { "; \($0)" } ?? ""
    return
      "\(name(outcome.kind))\(fine), recorded by \(outcome.author) on \(clock.whole(outcome.at))"
      + notes
  }

  private func name(_ kind: ViolationOutcome.Kind) -> String {
    switch kind {
    case .warned: "warned"
    case .fined: "fined"
    case .letGo: "let go"
    case .notFound: "not found"
    case .other: "something else"
    }
  }

  private func segment(_ name: String, _ segment: Segment?) -> String {
    guard let segment else { return "\(name), which the directory does not have any more" }
    return "\(name): \(Self.thousandths(segment.distanceMetres)) km, "
      + "\(Self.thousandths(segment.minimumMetresPerHour)) to \(Self.thousandths(segment.maximumMetresPerHour)) km/h"
  }

  private func end(_ end: ViolationFinding.End, _ names: [CheckpostCode: String]) -> String {
    let first = time(end.earliest)
    let post = names[end.post].map { "\(end.post) (\($0))" } ?? "\(end.post)"
    guard end.latest != end.earliest else { return "\(post), \(first)" }
    return "\(post), \(first), and written down once more \(end.spread) s later"
  }

  private func travel(_ finding: ViolationFinding, _ segment: Segment?) -> String {
    let seconds = duration(finding.seconds)
    guard let segment,
      let speed = SpeedCheck.kilometresPerHour(travelSeconds: finding.seconds, on: segment)
    else { return seconds }
    // Rounded to a tenth by whole numbers, for the same text everywhere.
    let tenths = Int64((speed * 10).rounded())
    return "\(seconds), \(tenths / 10).\(tenths % 10) km/h on average"
  }

  private func allowed(_ finding: ViolationFinding) -> String {
    let limit = duration(finding.limitSeconds)
    return finding.kind == .speeding ? "\(limit) at least" : "\(limit) at most"
  }

  func time(_ second: Int64) -> String {
    let time = WallTime(epochSeconds: second)
    return clock.offsetMinutes(at: time) == 0
      ? clock.whole(time) : "\(clock.whole(time)), \(time.rfc3339)"
  }

  func duration(_ seconds: Int64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    let parts = [(hours, "h"), (minutes, "min"), (rest, "s")].filter { $0.0 > 0 }
    let text = parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    return seconds < 60 ? "\(seconds) s" : "\(text) (\(seconds) s)"
  }

  static func thousandths(_ value: Int64) -> String {
    var digits = String(value % 1_000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "\(value / 1_000)" : "\(value / 1_000).\(digits)"
  }
}

extension ViolationEvidence {
  /// The records of both ends, those of the entry first.
  var records: [RecordEvidence] { entry.records + exit.records }

  /// The records with the name of their end.
  var ends: [(name: String, records: [RecordEvidence])] {
    [("entry", entry.records), ("exit", exit.records)]
  }
}
