import CentralCore
import EventLoop
import Evidence
import Glibc
import Passages
import Text
import Time

/// Violations, for people.
enum ViolationWords {
  private static let clock = LocalClock.ofThisMachine

  /// A violation in a list.
  static func cells(_ stored: StoredViolation) -> [String] {
    let violation = stored.violation
    let finding = violation.finding
    return [
      "\(finding.entry.row)", clock.time(WallTime(epochSeconds: finding.exit.latest)),
      plate(finding.plate), finding.kind.rawValue, finding.entry.post.code,
      finding.exit.post.code, duration(finding.seconds), limit(finding),
      violation.isRetracted ? "retracted" : finality(violation),
      finding.doubts.map(\.rawValue).joined(separator: " "),
      stored.outcome.map { outcome in
        outcome.kind.rawValue + (outcome.fineWords.map { " \($0)" } ?? "")
      } ?? "",
    ]
  }

  /// What came of a violation.
  static func outcome(_ outcome: ViolationOutcome) -> String {
    EvidenceReport.words(outcome, clock: clock)
  }

  /// How final it is.
  static func finality(_ violation: StandingViolation) -> String {
    let confirmed = violation.confirmedAt == nil ? "" : ", confirmed"
    switch violation.finality {
    case .provisional: return "provisional\(confirmed)"
    case .reported: return "final\(confirmed)"
    case .unreported: return "final, a post never reported\(confirmed)"
    }
  }

  static func plate(_ plate: String) -> String { (try? Plate(plate))?.display ?? plate }

  static func duration(_ seconds: Int64) -> String { DurationText.format(.seconds(seconds)) }

  private static func limit(_ finding: ViolationFinding) -> String {
    let words = finding.kind == .speeding ? "at least" : "at most"
    return "\(words) \(duration(finding.limitSeconds))"
  }

  /// All that a violation rests on, for a terminal.
  static func show(_ report: EvidenceReport, _ out: StandardOutput) throws {
    let room = Terminal.room(STDOUT_FILENO)
    try out.line("\(report.title), \(report.identifier)")
    try out.fitted(report.standing, room)
    try out.line("")
    var facts = TextTable(["", ""])
    for fact in report.facts { facts.add([fact.label, fact.value]) }
    try out.lines(facts.lines(isColoured: false, fitting: room))
    for (title, words) in [
      ("What could make it wrong", report.doubts), ("Who could have forged it", report.forgers),
    ] {
      try out.line("")
      try out.line(title)
      for line in words.isEmpty ? ["Nothing that is known."] : words {
        try out.fitted(line, room, indent: 2)
      }
    }
    for table in [report.reports, report.corrections, report.revisions] where !table.rows.isEmpty {
      try out.line("")
      try out.line(table.title)
      var text = TextTable(table.columns)
      for row in table.rows { text.add(row) }
      try out.lines(text.lines(isColoured: false, fitting: room))
    }
  }
}

extension StandardOutput {
  /// Writes a sentence, on as many lines as it takes in that room.
  func fitted(_ text: String, _ room: Int?, indent: Int = 0) throws {
    let space = String(repeating: " ", count: indent)
    guard let room else { return try line(space + text) }
    for part in WrappedText.lines(text, columns: room, first: indent, indent: indent) {
      try line(space + part)
    }
  }
}
