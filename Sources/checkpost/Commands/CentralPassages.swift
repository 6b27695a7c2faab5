import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Passages
import Time

/// `central passages`.
struct CentralPassages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passages",
    abstract: "List the passages that arrived, the one that was recorded last first.")

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: ArgumentHelp("Only those at an end of one segment.", valueName: "name"))
  var segment: String?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  @Option(
    help: ArgumentHelp(
      "Only those of rangers whose number ends so: its last four digits, or all.",
      valueName: "number"))
  var ranger: String?

  @Flag(help: "Only those whose other end nobody saw.")
  var unpaired = false

  @Option(help: TimeOption.help("Only those recorded then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those recorded before"))
  var until: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "client_id", "recorded_at", "checkpost", "plate_number", "plate_display", "vehicle_type",
    "ranger", "ranger_phone_suffix", "segment", "source", "inserted_at", "row", "partner_row",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    var query = try query()
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let listing = Listing<StoredPassage>(
      ["number", "recorded", "post", "plate", "type", "ranger", "source", "other end"],
      sheet: Self.sheet, day: { $0.passage.recordedAt }, object: CentralFields.object,
      cells: cells)
    try listing.print(limit, output, spreadsheet) { count in
      query.limit = count
      let page = try store.passages(query)
      if let last = page.last { query.order = .newest(after: last.place) }
      return page
    }
  }

  private func cells(_ stored: StoredPassage) -> [String] {
    let passage = stored.passage
    return [
      "\(stored.id)", LocalClock.ofThisMachine.time(passage.recordedAt),
      passage.checkpost.code, passage.plate.display, passage.vehicleType.rawValue,
      passage.ranger ?? "…\(passage.suffix.digits)", passage.source.rawValue,
      stored.partner.map { "\($0.row)" } ?? "",
    ]
  }

  private func query() throws(CommandFailure) -> PassageQuery {
    var query = PassageQuery()
    query.order = .newest(after: nil)
    query.checkpost = try checkpost.map { text throws(CommandFailure) in
      try CentralExport.post(text)
    }
    query.plate = try plate.map { text throws(CommandFailure) in try CentralExport.plate(text) }
    query.segment = segment
    query.isUnpaired = unpaired
    (query.since, query.until) = try TimeOption.range(since: since, until: until)
    if let ranger {
      guard ranger.utf8.contains(where: { (0x30...0x39).contains($0) }) else {
        throw CommandFailure(
          .usage, "--ranger \(ranger): is no number; `checkpost central rangers` lists them")
      }
      query.suffix = PhoneSuffix(phoneNumber: ranger)
    }
    return query
  }
}
