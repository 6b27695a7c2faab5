import ArgumentParser
import CentralCore
import CentralService
import Control
import EventLoop
import GSM
import Glibc
import Host
import JSON
import PassageFiles
import Passages
import Settings
import Text
import Time

/// `checkpost central`: the office that receives.
struct CentralCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "central", abstract: "Set up the central, and see what arrived.",
    subcommands: [
      CentralInit.self, CentralMigrate.self, CentralImport.self, CentralPassages.self,
      CentralInbox.self, CentralRangers.self, CentralNumbers.self, CentralViolations.self,
      CentralAlerts.self, CentralMatch.self,
      CentralForwards.self, CentralExport.self, CentralReplay.self, CentralErase.self,
      CentralUsers.self, CentralKeys.self,
    ])
}

/// The central's database, as the settings or an option name it.
struct CentralDatabase: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The central's database; by default that of the configuration.", valueName: "file"),
    completion: .file())
  var database: String?

  @OptionGroup var settings: SettingsOptions

  /// Opens the database.
  func open(for use: CentralStores.Use) throws -> any OpenedCentralStore {
    if let database { return try CentralStores.open(file: database, for: use) }
    return try CentralStores.open(settings.load().settings.central, for: use)
  }

  /// What it is called, for people.
  func place() throws -> String {
    try database ?? CentralStores.place(settings.load().settings.central)
  }

  func wakeService() throws {
    guard database == nil else { return }
    RunningService.tell(
      Operations.CentralWake(), socket: try settings.load().settings.control.socket)
  }
}

/// `central init`.
struct CentralInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the central's database, or check the one that is there.")

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let place = try database.place()
    let store = try database.open(for: .service)
    let overview = try store.overview()
    try store.close()
    let out = StandardOutput()
    if output.isJSON {
      var object = JSONText.object(of: CentralReport(overview))
      object["database"] = .text(place)
      try out.json(JSONValue.object(object))
    } else {
      try out.line(
        "\(place): ready, with \(CountText.of(overview.posts, "post")),"
          + " \(CountText.of(overview.rangers, "ranger")), "
          + CountText.of(overview.passages, "passage"))
    }
    try out.flush()
  }
}

/// `central import`.
struct CentralImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Put segments, posts, rangers and numbers in from CSV files, or change those that are there.",
    discussion: """
      Segments: name,distance_km,min_speed_kmh,max_speed_kmh. Posts: code,name and, for a post at \
      the end of a segment, segment,position_index (0 or 1); phone is the number of its modem. Of a \
      post that is there, what the file has no column for stays; an empty cell clears it. \
      Rangers: name,phone,checkpost. Numbers, which may speak for a post beside those of its modem \
      and its rangers: number,checkpost,valid_from,valid_until (RFC 3339, or empty). All files are \
      put in at once, so that two posts can change places. A wrong row is reported with its line, \
      the others are put in, and the exit code is then 65.
      """)

  /// A file of theirs, in bytes; the posts and rangers of a whole country need a tenth.
  static let fileBytes = 16 << 20

  @Option(help: ArgumentHelp("A file of segments.", valueName: "file"), completion: .file())
  var segments: String?

  @Option(help: ArgumentHelp("A file of posts.", valueName: "file"), completion: .file())
  var posts: String?

  @Option(help: ArgumentHelp("A file of rangers.", valueName: "file"), completion: .file())
  var rangers: String?

  @Option(
    help: ArgumentHelp("A file of further numbers.", valueName: "file"), completion: .file())
  var numbers: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if segments == nil, posts == nil, rangers == nil, numbers == nil {
      throw ValidationError("name a file by --segments, --posts, --rangers or --numbers")
    }
  }

  func run() throws {
    // In the order in which they refer to each other, and all of them before anything is taken in.
    var files: [(kind: CentralImporter.Kind, path: String, bytes: [UInt8])] = []
    for case (let kind, let path?) in [
      (CentralImporter.Kind.segments, segments), (.posts, posts), (.rangers, rangers),
      (.numbers, numbers),
    ] {
      files.append((kind, path, try InputFile(path).all(limit: CentralImport.fileBytes)))
    }
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let out = StandardOutput()
    var refused = 0
    let outcomes = try CentralImporter(store: store).read(files.map { ($0.bytes, $0.kind) })
    for ((kind, path, _), outcome) in zip(files, outcomes) {
      refused += outcome.refused
      for problem in outcome.problems {
        Diagnostics.say("\(path), line \(problem.line): \(problem.words)")
      }
      if output.isJSON {
        try out.json(
          JSONValue.object([
            "table": .text(kind.rawValue), "imported": .integer(Int64(outcome.rows)),
            "refused": .integer(Int64(outcome.refused)),
          ]))
      } else {
        let noun = outcome.rows == 1 ? String(kind.rawValue.dropLast()) : kind.rawValue
        try out.line("\(outcome.rows) \(noun) from \(path)")
      }
    }
    try out.flush()
    // What is there is judged by the new directory, here or by the service, whichever is first.
    let rules = try JudgingRules(database.settings.load().settings.central)
    while try !store.rejudge(
      rules: rules, everything: false, limit: CentralCore.Limits.rejudgedAtOnce,
      at: SystemClocks().wall()
    ).isDone {}
    try database.wakeService()
    if refused > 0 {
      throw CommandFailure(
        .badData,
        "\(refused) row\(refused == 1 ? " was" : "s were") not imported; correct \(refused == 1 ? "it" : "those")"
          + " and import the file again")
    }
  }
}

/// `central passages`.
struct CentralPassages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passages", abstract: "List the passages that arrived.")

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  @Option(
    help: ArgumentHelp("Only those recorded from then on: RFC 3339.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "client_id", "recorded_at", "checkpost", "plate_number", "plate_display", "vehicle_type",
    "ranger", "ranger_phone_suffix", "segment", "source", "inserted_at",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    var query = try query()
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let listing = Listing<StoredPassage>(
      ["client_id", "recorded", "post", "plate", "type", "ranger", "source"], sheet: Self.sheet,
      day: { $0.passage.recordedAt }, object: CentralFields.object, cells: cells)
    try listing.print(limit, output, spreadsheet) { count in
      query.limit = count
      let page = try store.passages(query)
      query.afterID = page.last?.id ?? query.afterID
      return page
    }
  }

  private func cells(_ stored: StoredPassage) -> [String] {
    let passage = stored.passage
    return [
      passage.clientID.description, LocalClock.ofThisMachine.time(passage.recordedAt),
      passage.checkpost.code, passage.plate.display, passage.vehicleType.rawValue,
      passage.ranger ?? "…\(passage.suffix.digits)", passage.source.rawValue,
    ]
  }

  private func query() throws -> PassageQuery {
    var query = PassageQuery()
    do {
      query.checkpost = try checkpost.map { try CheckpostCode($0) }
      query.plate = try plate.map { try Plate($0).compact }
    } catch {
      throw CommandFailure(.usage, "\(error)")
    }
    if let since {
      guard let moment = TimeText.parse(since) else {
        throw CommandFailure(.usage, "--since \(since): is no time; write 2026-11-21T14:00:00Z")
      }
      query.since = moment
    }
    return query
  }
}
