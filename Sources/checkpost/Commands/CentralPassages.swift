import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import Host
import JSON
import Passages
import Settings
import Storage
import Time

/// `central passages`.
struct CentralPassages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passages",
    abstract: "List the passages that arrived, the one that was recorded last first.",
    discussion: """
      --follow goes on with those that arrive from now on, in the order in which they arrive.

      --withdraw says of one that it never was: a wrong key, a vehicle that did not pass. It stays in the list \
      with the reason, and is judged no more; what rested on it is retracted, with that as its cause. A post \
      withdraws what it recorded itself by `checkpost queue withdraw`; where it sends texts alone, that \
      reaches nobody.

      --confirm says of one that is known by text alone that a person asked the post, and it is so. From then on \
      it counts as what is uploaded: it can change what is proven, and a violation that rests on it is not by \
      text alone any more.
      """)

  /// How often what is new is looked for.
  private static let followed: Duration = .seconds(1)
  /// Passages that are looked at once more each time.
  private static let overlap: Int64 = 200
  /// Passages that are looked at at a time; more than ``overlap``.
  private static let followedAtOnce = 1_000

  @Flag(name: [.long, .customShort("f")], help: "Go on with what arrives from now on.")
  var follow = false

  @Option(help: ArgumentHelp("Only those of one post.", valueName: "code"))
  var checkpost: String?

  @Option(help: ArgumentHelp("Only those at an end of one segment.", valueName: "name"))
  var segment: String?

  @Option(
    help: ArgumentHelp(
      "Only those of one plate, or of all that have this in them.", valueName: "plate"))
  var plate: String?

  @Option(
    help: ArgumentHelp(
      "Only those of rangers whose number ends so: its last four digits, or all.",
      valueName: "number"))
  var ranger: String?

  @Flag(help: "Only those whose other end nobody saw.")
  var unpaired = false

  @Flag(
    help:
      "Those that another program wrote and that cannot be read: no plate, or no time. They are not judged."
  )
  var unreadable = false

  @Option(help: TimeOption.help("Only those recorded then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those recorded before"))
  var until: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @Option(help: ArgumentHelp("Withdraw the passage of this client_id.", valueName: "client_id"))
  var withdraw: String?

  @Option(
    help: ArgumentHelp("Confirm a passage that is known by text alone.", valueName: "client_id"))
  var confirm: String?

  @Option(help: ArgumentHelp("Why it never was, with --withdraw.", valueName: "words"))
  var reason: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "client_id", "recorded_at", "checkpost", "plate_number", "plate_display", "vehicle_type",
    "ranger", "ranger_phone_suffix", "segment", "source", "inserted_at", "row", "partner_row",
  ])

  func validate() throws {
    if follow, spreadsheet.isCSV {
      throw ValidationError("--follow does not end, and a spreadsheet does; name one")
    }
    if confirm != nil, withdraw != nil {
      throw ValidationError("--confirm says that it was, --withdraw that it never was; name one")
    }
    if unreadable,
      follow || unpaired || plate != nil || ranger != nil || since != nil || until != nil
    {
      throw ValidationError("--unreadable lists all of those; name nothing else with it")
    }
  }

  func run() throws {
    if let withdraw { return try withdrawPassage(withdraw) }
    if let confirm { return try confirmPassage(confirm) }
    try spreadsheet.check(with: output)
    var query = try query()
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    if query.plate != nil, try !isKnown(query, store) {
      (query.platePart, query.plate) = (query.plate, nil)
    }
    if unreadable { return try listUnreadable(store) }
    if follow { return try follow(query, store) }
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

  /// Prints the rows that cannot be read as they stand.
  private func listUnreadable(_ store: any OpenedCentralStore) throws {
    let listing = Listing<UnreadablePassage>(
      ["row", "recorded", "post", "plate"], sheet: Self.unreadableSheet
    ) { row in
      [
        "passage": .text(row.id), "client_id": .text(row.clientID),
        "plate_number": .text(row.plate), "recorded_at": .text(row.recordedAt),
        "checkpost": row.checkpost.map { .text($0) } ?? .null, "unreadable": .flag(true),
      ]
    } cells: { row in
      [row.id, row.recordedAt, row.checkpost ?? "", row.plate]
    }
    var last: String?
    try listing.print(limit, output, spreadsheet) { count in
      let page = try store.unreadable(after: last, limit: count)
      last = page.last?.id ?? last
      return page
    }
  }

  private static let unreadableSheet = Spreadsheet([
    "passage", "client_id", "recorded_at", "checkpost", "plate_number", "unreadable",
  ])

  /// Whether there is a vehicle of exactly that plate; else it is a part of one.
  private func isKnown(_ query: PassageQuery, _ store: any OpenedCentralStore) throws -> Bool {
    var exact = PassageQuery()
    (exact.plate, exact.limit) = (query.plate, 1)
    return try !store.passages(exact).isEmpty
  }

  /// Prints the last ones, and then what arrives, one line each, until somebody ends it.
  private func follow(_ wanted: PassageQuery, _ store: any OpenedCentralStore) throws {
    let out = StandardOutput(isImmediate: true)
    let clocks = SystemClocks()
    var query = wanted
    var last = try store.lastArrival()
    // Who writes at the same time may be done in another order than they began.
    query.order = .following(max(0, last - Self.overlap))
    query.limit = Self.followedAtOnce
    var seen = Set(try store.passages(query).map(\.arrival).filter { $0 <= last })
    var first = wanted
    first.limit = min(limit.count, 10)
    for stored in try store.passages(first).reversed() {
      // What arrives just now is told as such, or here.
      seen.insert(stored.arrival)
      try tell(stored, out)
    }
    while true {
      query.order = .following(max(0, last - Self.overlap))
      let page = try store.passages(query)
      for stored in page where seen.insert(stored.arrival).inserted { try tell(stored, out) }
      last = max(last, page.last?.arrival ?? last)
      seen = seen.filter { $0 > last - 2 * Self.overlap }
      guard page.count < Self.followedAtOnce else { continue }
      _ = PollLoop.wait([], until: clocks.boot() + Self.followed, clocks: clocks)
    }
  }

  private func tell(_ stored: StoredPassage, _ out: StandardOutput) throws {
    if output.isJSON { return try out.json(JSONValue.object(CentralFields.object(stored))) }
    let time = LocalClock.ofThisMachine.full(stored.passage.recordedAt)
    try out.line(([time] + cells(stored).filter { !$0.isEmpty }).joined(separator: "  "))
  }

  /// Withdraws a passage, and says what came of it.
  private func withdrawPassage(_ name: String) throws {
    guard let client = ClientID(name) else {
      throw CommandFailure(.usage, "--withdraw \(name): is no client_id")
    }
    guard let reason, reason.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.usage, "say with --reason why it never was")
    }
    let rules = try JudgingRules(database.settings.load().settings.central)
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    guard try store.passages(identifiedBy: [client])[client] != nil else {
      throw CommandFailure(
        .badData, "no passage \(name) is here; see `checkpost central passages`")
    }
    let wall = SystemClocks().wall()
    var correction = ReceivedCorrection(of: client, madeAt: wall, author: "uid \(getuid())")
    correction.withdrawal = reason
    let changes = try store.transaction { inbox throws(StorageError) in
      try inbox.take([PassageArrival(correction)], rules: rules, at: wall).changes
    }
    let out = StandardOutput(outlivesReader: true)
    if output.isJSON {
      let stored = try store.passages(identifiedBy: [client])[client]
      try out.json(JSONValue.object(stored.map(CentralFields.object) ?? [:]))
    } else {
      let retracted = changes.violations.count { $0.violation.isRetracted }
      try out.line(
        "\(name): withdrawn; it is kept, and judged no more"
          + (retracted > 0 ? ". \(retracted) violation\(retracted == 1 ? "" : "s") retracted" : ""))
    }
    try out.flush()
    try database.wakeService()
  }

  /// Puts a passage in that is known by text alone, as a person says that it was.
  private func confirmPassage(_ name: String) throws {
    guard let client = ClientID(name) else {
      throw CommandFailure(.usage, "--confirm \(name): is no client_id")
    }
    let rules = try JudgingRules(database.settings.load().settings.central)
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    guard let known = try store.passages(identifiedBy: [client])[client] else {
      throw CommandFailure(
        .badData, "no passage \(name) is here; see `checkpost central passages`")
    }
    let wall = SystemClocks().wall()
    var said = Observation(of: known.passage, channel: .operated, isProven: true, receivedAt: wall)
    (said.ranger, said.photoPath) = ("uid \(getuid())", nil)
    let report = PassageArrival(said)
    let changes = try store.transaction { inbox throws(StorageError) in
      try inbox.take([report], rules: rules, at: wall).changes
    }
    let out = StandardOutput(outlivesReader: true)
    if output.isJSON {
      let stored = try store.passages(identifiedBy: [client])[client]
      try out.json(JSONValue.object(stored.map(CentralFields.object) ?? [:]))
    } else {
      let changed = changes.violations.count
      try out.line(
        "\(name): confirmed"
          + (changed > 0 ? ". \(changed) violation\(changed == 1 ? "" : "s") changed by it" : ""))
    }
    try out.flush()
    try database.wakeService()
  }

  private func cells(_ stored: StoredPassage) -> [String] {
    let passage = stored.passage
    return [
      "\(stored.id)", LocalClock.ofThisMachine.time(passage.recordedAt),
      passage.checkpost.code, passage.plate.display, passage.vehicleType.rawValue,
      passage.ranger ?? "…\(passage.suffix.digits)", passage.source.rawValue,
      stored.withdrawal.map { "withdrawn: \($0)" } ?? stored.partner.map { "\($0.row)" } ?? "",
    ]
  }

  private func query() throws(CommandFailure) -> PassageQuery {
    var query = PassageQuery()
    query.order = .newest(after: nil)
    query.checkpost = try checkpost.map { text throws(CommandFailure) in
      try CentralExport.post(text)
    }
    query.plate = try plate.map { text throws(CommandFailure) in
      do throws(PlateError) {
        return try Plate.part(text)
      } catch {
        throw CommandFailure(.usage, "--plate \(text): \(error)")
      }
    }
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
