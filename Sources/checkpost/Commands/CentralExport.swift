import ArgumentParser
import CentralCore
import Control
import Glibc
import Host
import JSON
import Passages
import Time

/// `central export`: what there is, whole, for another program or for whoever has a right to it.
struct CentralExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write passages, violations, the inbox, or all that is known of one vehicle to a file.",
    discussion: """
      JSON Lines, in the order in which they came; --csv writes a sheet. Plates and numbers stand in it \
      whole, so a file that --output makes is for its owner alone (0600). --plate without anything else \
      is for a person who asks what is kept of a vehicle: every report as it came, corrections, \
      violations with every revision, alerts, the messages that name it, the names of photographs. \
      What `central export inbox` writes, `central replay` processes again.
      """)

  /// What there is to be written.
  enum What: String, ExpressibleByArgument, CaseIterable {
    case passages, violations, inbox
  }

  @Argument(help: "What: passages, violations with all they rest on, or inbox.")
  var what: What?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: TimeOption.help("Only those from then on"))
  var since: String?

  @Option(help: TimeOption.help("Only those before"))
  var until: String?

  @Option(
    help: ArgumentHelp("The file to make; by default standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(
    name: .customLong("csv"),
    help: "Write CSV for a spreadsheet, where nothing that anybody wrote becomes a formula.")
  var isCSV = false

  @OptionGroup var database: CentralDatabase

  static let passageSheet = Spreadsheet([
    "passage", "client_id", "recorded_at", "checkpost", "plate_number", "plate_display",
    "vehicle_type", "ranger", "ranger_phone_suffix", "segment", "source", "first_received_at",
    "inserted_at", "row", "partner_row", "is_entry",
  ])
  static let violationSheet = Spreadsheet([
    "violation", "number", "kind", "standing", "finality", "plate_number", "plate_display",
    "vehicle_type", "segment", "entry_post", "entry_at", "exit_post", "exit_at", "seconds",
    "limit_seconds", "doubts", "revision", "confirmed_at", "confirmed_by", "outcome",
    "fine_amount", "outcome_notes", "outcome_by", "outcome_at",
  ])
  static let inboxSheet = Spreadsheet([
    "id", "provider", "provider_id", "received_at", "from", "to", "state", "body", "error",
    "message", "client_id", "times_received",
  ])

  func validate() throws {
    guard what == nil else {
      if what == .inbox, plate != nil || checkpost != nil {
        throw ValidationError("a text has no plate or post of its own; use --plate without `inbox`")
      }
      return
    }
    guard plate != nil else {
      throw ValidationError("name what to export: passages, violations, inbox, or a --plate")
    }
    if checkpost != nil || since != nil || until != nil || isCSV {
      throw ValidationError("of a vehicle everything is written, as JSON Lines; leave that out")
    }
  }

  func run() throws {
    var export = try Export(
      plate: plate.map { try CentralExport.plate($0) },
      post: checkpost.map { try CentralExport.post($0) }, since: TimeOption.read(since, "--since"),
      until: TimeOption.read(until, "--until"), isCSV: isCSV,
      store: database.open(for: .reading), file: output.map { try ExportFile($0) })
    defer { try? export.store.close() }
    do {
      switch what {
      case .passages: try export.passages()
      case .violations: try export.violations()
      case .inbox: try export.inbox()
      case nil: try export.vehicle()
      }
    } catch {
      export.file?.discard()
      throw error
    }
    try export.finish()
  }

  static func plate(_ text: String) throws(CommandFailure) -> String {
    do {
      return try Plate(text).compact
    } catch {
      throw CommandFailure(.usage, "--plate \(text): \(error)")
    }
  }

  static func post(_ text: String) throws(CommandFailure) -> CheckpostCode {
    do {
      return try CheckpostCode(text)
    } catch {
      throw CommandFailure(.usage, "--checkpost \(text): \(error)")
    }
  }
}

/// What is written, page by page: no more of it is in memory than a page.
private struct Export {
  let plate: String?
  let post: CheckpostCode?
  let since: WallTime?
  let until: WallTime?
  let isCSV: Bool
  let store: any OpenedCentralStore
  let file: ExportFile?
  private let out: StandardOutput
  private var written = 0

  init(
    plate: String?, post: CheckpostCode?, since: WallTime?, until: WallTime?, isCSV: Bool,
    store: any OpenedCentralStore, file: ExportFile?
  ) {
    (self.plate, self.post, self.since, self.until) = (plate, post, since, until)
    (self.isCSV, self.store, self.file) = (isCSV, store, file)
    out =
      file.map { StandardOutput(descriptor: $0.descriptor, isImmediate: false) } ?? StandardOutput()
  }

  mutating func passages() throws {
    var query = PassageQuery()
    (query.plate, query.checkpost, query.since, query.until) = (plate, post, since, until)
    var bar = ProgressBar("exporting", total: max(1, try store.overview().passages))
    defer { bar.finish() }
    if isCSV { try out.line(CentralExport.passageSheet.heading) }
    while case let page = try store.passages(query), let last = page.last {
      for stored in page {
        try write(CentralFields.object(stored), CentralExport.passageSheet)
      }
      bar.show(written)
      query.afterID = last.id
    }
  }

  mutating func violations() throws {
    var query = ViolationQuery()
    (query.plate, query.post, query.since, query.until) = (plate, post, since, until)
    query.standing = .all
    var bar = ProgressBar("exporting", total: max(1, try store.overview().violations))
    defer { bar.finish() }
    if isCSV { try out.line(CentralExport.violationSheet.heading) }
    while case let page = try store.violations(query), let last = page.last {
      for stored in page {
        if isCSV {
          try write(JudgingFields.object(stored), CentralExport.violationSheet)
        } else if let evidence = try store.violation(stored.uuid) {
          try write(JudgingFields.object(evidence), CentralExport.violationSheet)
        }
      }
      bar.show(written)
      query.after = last.place
    }
  }

  mutating func inbox() throws {
    let keeping = try store.keeping()
    var bar = ProgressBar("exporting", total: max(1, try store.overview().received))
    defer { bar.finish() }
    if isCSV { try out.line(CentralExport.inboxSheet.heading) }
    var after: Int64 = 0
    while case let page = try keeping.messages(
      after: after, since: since, until: until, limit: 500), let last = page.last
    {
      for message in page {
        try write(CentralFields.object(message), CentralExport.inboxSheet)
      }
      bar.show(written)
      after = last.item.id
    }
  }

  mutating func vehicle() throws {
    let known = try store.keeping().holdings(of: plate ?? "")
    func part(_ name: String, _ object: [String: JSONValue]) -> [String: JSONValue] {
      object.merging(["part": .text(name)]) { $1 }
    }
    for passage in known.passages { try write(part("passage", JudgingFields.object(passage))) }
    for violation in known.violations {
      try write(part("violation", JudgingFields.object(violation)))
    }
    for alert in known.alerts { try write(part("alert", JudgingFields.object(alert))) }
    for message in known.messages { try write(part("message", CentralFields.object(message))) }
    for path in known.photographs { try write(part("photograph", ["photo_path": .text(path)])) }
  }

  private mutating func write(
    _ object: [String: JSONValue], _ sheet: Spreadsheet? = nil
  ) throws {
    if isCSV, let sheet {
      try out.line(sheet.row(object))
    } else {
      try out.json(JSONValue.object(object))
    }
    written += 1
  }

  func finish() throws {
    try out.flush()
    if let file {
      try out.keep()
      try file.publish()
      Diagnostics.say("\(file.path): lines \(written), for its owner alone")
    } else if written == 0 {
      Diagnostics.say("there is nothing of it")
    }
  }
}
