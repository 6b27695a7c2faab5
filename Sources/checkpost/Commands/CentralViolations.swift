import ArgumentParser
import CentralCore
import Control
import EventLoop
import Evidence
import EvidencePages
import Glibc
import HTTPServer
import Host
import JSON
import PassageFiles
import Passages
import Settings
import Time

/// `central violations`: who was too fast or stayed too long.
struct CentralViolations: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "violations",
    abstract: "See who was too fast or stayed too long, and what each finding rests on.",
    subcommands: [
      CentralViolationsList.self, CentralViolationsShow.self, CentralViolationsConfirm.self,
      CentralViolationsOutcome.self, CentralViolationsTemplate.self,
    ],
    defaultSubcommand: CentralViolationsList.self)
}

/// `central violations list`.
struct CentralViolationsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List violations, the newest exit first.")

  @Option(help: "Those that stand as they were found, those that later data disproved, or all.")
  var standing = ViolationQuery.Standing.standing

  @Option(help: "Only those of one rule.")
  var kind: ViolationFinding.Kind?

  @Option(
    help: """
      Only those that are provisional, final because both posts reported, or final although one never did.
      """)
  var finality: Finality?

  @Option(help: "Only those with this doubt.")
  var doubt: TravelDoubt?

  @OptionGroup var confirmation: ConfirmationFilter

  @Flag(
    help: """
      Only those that are others than when they were final, or none any more, and that nobody has looked at since.
      """)
  var changed = false

  @Option(help: "Only those of which no outcome is recorded (open), or one is (recorded).")
  var outcome: ViolationQuery.Outcome?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  @Option(help: ArgumentHelp("Only those on one segment.", valueName: "name"))
  var segment: String?

  @Option(help: ArgumentHelp("Only those with an end at one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: TimeOption.help("Only those that ended then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those that ended before"))
  var until: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "violation", "number", "kind", "standing", "finality", "plate_number", "plate_display",
    "vehicle_type", "segment", "entry_post", "entry_at", "exit_post", "exit_at", "seconds",
    "limit_seconds", "doubts", "revision", "confirmed_at", "confirmed_by", "outcome",
    "fine_amount", "outcome_notes", "outcome_by", "outcome_at",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    var query = try query()
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let listing = Listing<StoredViolation>(
      [
        "number", "exit", "plate", "what", "from", "to", "took", "lawful", "finality", "doubts",
        "outcome",
      ],
      sheet: Self.sheet, day: { WallTime(epochSeconds: $0.violation.finding.exit.latest) },
      object: JudgingFields.object, cells: ViolationWords.cells)
    try listing.print(limit, output, spreadsheet) { count in
      query.limit = count
      let page = try store.violations(query)
      query.after = page.last?.place
      return page
    }
  }

  private func query() throws -> ViolationQuery {
    var query = ViolationQuery()
    (query.standing, query.kind, query.finality) = (standing, kind, finality)
    query.isChangedAfterFinal = changed
    // What was final may be no violation any more.
    if changed, standing == .standing { query.standing = .all }
    (query.outcome, query.segment) = (outcome, segment)
    (query.doubt, query.isConfirmed) = (doubt, confirmation.isConfirmed)
    do {
      query.post = try checkpost.map { try CheckpostCode($0) }
      query.plate = try plate.map { try Plate($0).compact }
    } catch {
      throw CommandFailure(.usage, "\(error)")
    }
    (query.since, query.until) = try TimeOption.range(since: since, until: until)
    return query
  }
}

/// The violation that somebody names, by its identifier or its number.
struct NamedViolation: ParsableArguments {
  @Argument(help: "The violation: its number in the list, or its identifier.")
  var violation: String

  /// - Throws: That there is none.
  func name(in store: any OpenedCentralStore) throws -> ClientID {
    if let uuid = ClientID(violation) { return uuid }
    var query = ViolationQuery()
    query.standing = .all
    query.entries = Int64(violation).map { [$0] }
    if query.entries != nil, let found = try store.violations(query).first { return found.uuid }
    throw none
  }

  /// That there is no such violation.
  var none: CommandFailure {
    CommandFailure(
      .badData, "there is no violation \(violation); see `checkpost central violations`")
  }
}

/// `central violations show`.
struct CentralViolationsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all that a violation rests on: both ends, every report, every revision.",
    discussion: """
      --html prints the sheet for the driver, for paper and for a phone: what was seen, what is allowed, the \
      photographs. --internal prints central's own instead, with what could make it wrong and who could have \
      forged it. Either can have a letterhead: `violations template` prints the template (Mustache), --template \
      takes another one.
      """)

  /// A template of a page, in bytes.
  static let templateBytes = 1 << 20

  @Flag(help: "Print the driver's sheet as a page for a printer or a browser.")
  var html = false

  @Flag(
    help: "Print central's own sheet: also what could make it wrong, and who could have forged it.")
  var `internal` = false

  @Option(help: "The language of the driver's sheet.")
  var language: SheetLanguage?

  @Option(
    help: ArgumentHelp("The template of the page, in place of ours.", valueName: "file"),
    completion: .file())
  var template: String?

  @OptionGroup var named: NamedViolation
  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    guard let evidence = try store.violation(try named.name(in: store)) else { throw named.none }
    let report = EvidenceReport(evidence, clock: .ofThisMachine)
    let out = StandardOutput()
    if html {
      let printedAt = LocalClock.ofThisMachine.whole(SystemClocks().wall())
      if `internal` {
        try out.page(page().html(report, printedAt: printedAt))
      } else {
        let sheet = DriverSheet(evidence, in: language ?? .english, clock: .ofThisMachine)
        let directory = ObjectDirectory(try database.settings.load().settings.central.photos)
        let photographs = sheet.photographs.map { photograph in
          photograph.path.flatMap { directory.photograph(at: $0) }.map {
            EvidencePhotograph(mediaType: $0.mediaType, content: $0.content)
          }
        }
        try out.page(
          page().html(sheet, photographs: photographs, report: report, printedAt: printedAt))
      }
    } else if output.isJSON {
      var object = JudgingFields.object(evidence)
      object["could_be_wrong"] = .list(report.doubts.map { .text($0) })
      object["could_be_forged_by"] = .list(report.forgers.map { .text($0) })
      try out.json(JSONValue.object(object))
    } else {
      try ViolationWords.show(report, out)
    }
    try out.flush()
  }
}

extension StandardOutput {
  /// Writes a text of several lines, in which nothing is obeyed by a terminal.
  fileprivate func page(_ text: String) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      try self.line(String(line))
    }
  }
}

extension CentralViolationsShow {
  func validate() throws {
    if html, output.isJSON { throw ValidationError("--html and --json are two forms; name one") }
    if template != nil, !html { throw ValidationError("--template is for --html; name both") }
    if `internal`, !html { throw ValidationError("--internal is for --html; name both") }
    if language != nil, !html || `internal` {
      throw ValidationError("--language is for the driver's sheet (--html without --internal)")
    }
  }

  private func page() throws -> EvidencePage {
    guard let template else { return try EvidencePage(isInternal: `internal`) }
    let bytes = try InputFile(template).all(limit: Self.templateBytes)
    do {
      return try EvidencePage(template: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandFailure(.badData, "\(template): \(error)")
    }
  }
}

/// `central violations template`.
struct CentralViolationsTemplate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "template",
    abstract: "Print the template of the page of `show --html`, to make one's own of it.")

  @Flag(help: "That of central's own sheet.")
  var `internal` = false

  func run() throws {
    let out = StandardOutput()
    try out.page(EvidencePage.standard(isInternal: `internal`))
    try out.flush()
  }
}

/// `central violations confirm`.
struct CentralViolationsConfirm: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm",
    abstract: "Note that a person looked at a violation and says that it is so.",
    discussion: """
      One that rests on texts alone becomes final by that and by what its posts report. A confirmation is \
      for what was found: when later data makes something else of it, it has to be confirmed again. \
      Who confirmed it when stays in its evidence all the same, and in the audit log; so does the person who \
      looks at it as well. One that was final and was retracted since is named too: that somebody has seen it \
      is noted, and it is told no more.
      """)

  @OptionGroup var named: NamedViolation

  @Option(help: ArgumentHelp("Who looked at it: 1 to 200 characters.", valueName: "name"))
  var by: OfficerName

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let rules = try JudgingRules(database.settings.load().settings.central)
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let wall = SystemClocks().wall()
    guard
      let stored = try store.confirm(
        try named.name(in: store), by: by.name, actor: "uid \(getuid())", rules: rules, at: wall)
    else {
      throw CommandFailure(
        .badData, "no violation \(named.violation) stands; see `checkpost central violations`")
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(JudgingFields.object(stored)))
    } else {
      let finality = ViolationWords.finality(stored.violation)
      let number = stored.violation.finding.entry.row
      if stored.violation.isRetracted {
        try out.line("violation \(number) was retracted; that \(by.name) has seen that is noted")
      } else if let first = stored.violation.confirmedAt, first != wall {
        let day = LocalClock.ofThisMachine.whole(first)
        try out.line(
          "violation \(number) was confirmed by \(stored.confirmedBy ?? "somebody") on \(day);"
            + " that \(by.name) looked at it as well is noted; \(finality)")
      } else {
        try out.line("violation \(number) is confirmed; \(finality)")
      }
    }
    try out.flush()
    try database.wakeService()
  }
}
