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
      """)

  /// Characters of the notes.
  static let notesCharacters = 1_000

  @OptionGroup var named: NamedViolation

  @Option(help: "What was done.")
  var type: ViolationOutcome.Kind

  @Option(help: ArgumentHelp("The fine in rupees: 1500, or 1500.50.", valueName: "amount"))
  var fine: FineAmount?

  @Option(help: ArgumentHelp("What else there is to say: 1,000 characters.", valueName: "words"))
  var notes: String?

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
  }

  func run() throws {
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let outcome = ViolationOutcome(
      type, fine: fine?.hundredths, notes: notes.flatMap { $0.isEmpty ? nil : $0 }, by: by.name,
      at: SystemClocks().wall())
    switch try store.record(outcome, of: try named.name(in: store), actor: "uid \(getuid())") {
    case .unknown:
      throw CommandFailure(
        .badData, "no violation \(named.violation) stands; see `checkpost central violations`")
    case .known(let stored):
      let known = stored.outcome.map { ViolationWords.outcome($0) } ?? ""
      throw CommandFailure(
        .badData,
        "violation \(stored.violation.finding.entry.row) has an outcome, which stays: \(known)")
    case .recorded(let stored):
      let out = StandardOutput()
      if output.isJSON {
        try out.json(JSONValue.object(JudgingFields.object(stored)))
      } else {
        try out.line(
          "violation \(stored.violation.finding.entry.row): \(ViolationWords.outcome(outcome))")
      }
      try out.flush()
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
