import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import Host
import JSON
import Passages
import Time

/// `central alerts`: vehicles that entered and ought to have left.
struct CentralAlerts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "List vehicles that entered and ought to have left by now, the latest first.")

  @Flag(help: "Also those that are over, with how they ended.")
  var all = false

  @Option(help: ArgumentHelp("Only those that entered at one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: ArgumentHelp("Only those on one segment.", valueName: "name"))
  var segment: String?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  @Option(help: TimeOption.help("Only those that were due then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those that were due before"))
  var until: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "alert", "number", "plate_number", "plate_display", "vehicle_type", "segment", "entry_post",
    "entry_at", "exit_post", "due_at", "expires_at", "raised_at", "unheard", "ending", "ended_at",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    var query = AlertQuery()
    query.isOpen = !all
    do {
      query.post = try checkpost.map { try CheckpostCode($0) }
      query.plate = try plate.map { try Plate($0).compact }
    } catch {
      throw CommandFailure(.usage, "\(error)")
    }
    query.segment = segment
    (query.since, query.until) = try TimeOption.range(since: since, until: until)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let listing = Listing<StoredAlert>(
      ["number", "due", "plate", "entered", "at", "awaited at", "", ""], sheet: Self.sheet,
      day: { WallTime(epochSeconds: $0.alert.entry.dueAt) }, object: JudgingFields.object,
      cells: cells)
    try listing.print(limit, output, spreadsheet) { count in
      query.limit = count
      let page = try store.alerts(query)
      query.after = page.last?.place
      return page
    }
  }

  private func cells(_ stored: StoredAlert) -> [String] {
    let (alert, entry) = (stored.alert, stored.alert.entry)
    let clock = LocalClock.ofThisMachine
    let due = WallTime(epochSeconds: entry.dueAt)
    let entered = WallTime(epochSeconds: entry.place.second)
    return [
      "\(entry.row)", clock.time(due), ViolationWords.plate(entry.place.plate),
      clock.text(entered, seenFrom: due), entry.place.post.code, entry.opposite.code,
      alert.ending.map { $0.name.split(separator: "_").joined(separator: " ") } ?? "inside",
      alert.isUnheard && alert.ending == nil ? "\(entry.opposite) has not reported since" : "",
    ]
  }
}
