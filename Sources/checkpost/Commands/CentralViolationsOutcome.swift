import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import Host
import JSON
import Passages
import Time

/// `central violations outcome`.
struct CentralViolationsOutcome: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outcome",
    abstract: "Record what came of a violation, which closes it.",
    discussion: """
      An outcome is recorded once, here or over the API (violation_outcomes). The evidence of a closed \
      violation is kept for as long again as central.keep says.

      A fine for what is provisional, or what rests on texts alone, needs a reason: --although "…". It \
      stands in the notes and in the audit log. Over the API the notes have to say it.
      """)

  /// Characters of the notes.
  static let notesCharacters = 1_000
  /// Characters of the reason.
  static let reasonCharacters = 500

  @OptionGroup var named: NamedViolation

  @Option(help: "What was done.")
  var type: ViolationOutcome.Kind

  @Option(help: ArgumentHelp("The fine in rupees: 1500, or 1500.50.", valueName: "amount"))
  var fine: FineAmount?

  @Option(help: ArgumentHelp("What else there is to say: 1,000 characters.", valueName: "words"))
  var notes: String?

  @Option(
    help: ArgumentHelp(
      "Why there is a fine although it is provisional or rests on texts alone: 500 characters.",
      valueName: "reason"))
  var although: String?

  @Option(help: ArgumentHelp("Who records it: 1 to 200 characters.", valueName: "name"))
  var by: OfficerName

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if fine != nil, type != .fined, type != .other {
      throw ValidationError("--fine is for --type fined")
    }
    if let notes, notes.count > Self.notesCharacters {
      throw ValidationError("--notes has \(Self.notesCharacters) characters at most")
    }
    if let although {
      guard type == .fined else { throw ValidationError("--although is for --type fined") }
      guard (1...Self.reasonCharacters).contains(although.count),
        !although.allSatisfy(\.isWhitespace)
      else {
        throw ValidationError("--although has 1 to \(Self.reasonCharacters) characters")
      }
    }
  }

  func run() throws {
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let outcome = ViolationOutcome(
      type, fine: fine?.hundredths, notes: notes.flatMap { $0.isEmpty ? nil : $0 }, by: by.name,
      at: SystemClocks().wall(), although: although)
    switch try store.record(outcome, of: try named.name(in: store), actor: "uid \(getuid())") {
    case .unknown:
      throw CommandFailure(
        .badData, "no violation \(named.violation) stands; see `checkpost central violations`")
    case .known(let stored):
      let known = stored.outcome.map { ViolationWords.outcome($0) } ?? ""
      throw CommandFailure(
        .badData,
        "violation \(stored.violation.finding.entry.row) has an outcome, which stays: \(known)")
    case .unsure(let stored):
      throw CommandFailure(
        .badData,
        "violation \(stored.violation.finding.entry.row) \(Self.words(stored.violation)): a fine for it"
          + " needs --although \"the reason\", which the audit log keeps; or wait until it is final"
      )
    case .recorded(let stored):
      let out = StandardOutput()
      if output.isJSON {
        try out.json(JSONValue.object(JudgingFields.object(stored)))
      } else {
        try out.line(
          "violation \(stored.violation.finding.entry.row): "
            + ViolationWords.outcome(stored.outcome ?? outcome))
      }
      try out.flush()
    }
  }
}

extension CentralViolationsOutcome {
  /// What could still be wrong.
  private static func words(_ violation: StandingViolation) -> String {
    let isOfText = violation.finding.doubts.contains(.byTextAlone)
    return switch (violation.finality == .provisional, isOfText) {
    case (true, true): "is provisional and rests on texts alone"
    case (true, false): "is provisional"
    default: "rests on texts alone"
    }
  }
}

/// The name of whoever confirms or closes a violation.
struct OfficerName: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    let name = argument.drop { $0.isWhitespace }
    guard let last = name.lastIndex(where: { !$0.isWhitespace }),
      CentralCore.Limits.authorCharacters.contains(name[...last].count)
    else { return nil }
    self.name = String(name[...last])
  }
}

/// An amount of rupees, with two digits behind the point at most.
struct FineAmount: ExpressibleByArgument {
  let hundredths: Int64

  init?(argument: String) {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
    let isDecimal = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard isDecimal, (1...2).contains(parts.count), (1...8).contains(parts[0].count),
      let whole = Int64(parts[0])
    else { return nil }
    var rest: Int64 = 0
    if parts.count == 2 {
      guard (1...2).contains(parts[1].count), let digits = Int64(parts[1]) else { return nil }
      rest = parts[1].count == 1 ? digits * 10 : digits
    }
    hundredths = whole * 100 + rest
  }
}
