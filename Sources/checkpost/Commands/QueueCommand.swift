import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import NodeCore
import NodeSQLite
import Passages
import Settings
import Time

/// `checkpost queue`: the passages of this node, and where each of them stands.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "See the passages of this node, and help those that are stuck.",
    subcommands: [
      QueueList.self, QueueShow.self, QueueRetry.self, QueuePark.self, QueueCorrect.self,
      QueueWithdraw.self,
      QueueDate.self, QueueConflicts.self, QueueExport.self,
    ], defaultSubcommand: QueueList.self)
}

/// Which passages are wanted.
struct QueueFilter: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only those that stand so: waiting, sending, sent, done or stuck. pending, in_flight, synced and \
      failed say how their upload does; undelivered and unknown how their texts do.
      """, valueName: "status"))
  var status: QueueChoice?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  func query(_ states: PassageStates) throws -> QueueQuery {
    var query = QueueQuery(status, states)
    if let plate {
      do {
        query.plate = try Plate(plate).compact
      } catch {
        throw CommandFailure(.usage, "--plate \(plate): \(error)")
      }
    }
    return query
  }

  /// Whether a passage that the query finds is meant.
  func isMeant(_ item: QueueItem, _ states: PassageStates) -> Bool {
    status?.holds(for: item, states) ?? true
  }
}

/// `queue list`.
struct QueueList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List passages, the newest last.")

  @OptionGroup var filter: QueueFilter

  @Option(help: ArgumentHelp("List the newest so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @Flag(
    name: .customLong("full-ids"),
    help: "Show each client_id whole; its beginning is enough to name a passage.")
  var fullIDs = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let access = QueueAccess(try settings.load())
    let found = try newest(access)
    let out = StandardOutput()
    if output.isJSON {
      for passage in found.passages { try out.json(JSONValue.object(passage.fields)) }
    } else {
      let table = table(found.passages, TimeWords(seenAt: SystemClocks().wall()))
      try out.lines(
        table.lines(
          isColoured: Terminal.showsColours(STDOUT_FILENO), fitting: Terminal.room(STDOUT_FILENO)))
    }
    try out.flush()
    if !output.isJSON, found.hasMore {
      Diagnostics.say("the newest \(limit.count) are shown; --limit shows more")
    }
  }

  /// The newest that are meant, the newest last, page by page.
  private func newest(_ access: QueueAccess) throws -> Operations.QueueList.Answer {
    var found: [PassageReport] = []
    var before: Int64?
    while found.count < limit.count {
      let asked = Operations.QueueList(
        status: filter.status?.name, plate: filter.plate,
        limit: min(limit.count - found.count, Operations.queueLimit), before: before)
      let page = try access.look(asked) { try $0.list(asked) }
      found = page.passages + found
      before = page.passages.first?.queueID
      guard page.hasMore else { return .init(passages: found, hasMore: false) }
    }
    return .init(passages: found, hasMore: true)
  }

  private func table(_ passages: [PassageReport], _ times: TimeWords) -> TextTable {
    var table = TextTable([
      ("#", .right), (fullIDs ? "client_id" : "id", .left), ("recorded", .left), ("post", .left),
      ("plate", .left), ("type", .left), ("status", .left), ("detail", .left),
    ])
    var days = DayHeadings(times.clock)
    for passage in passages {
      let recorded = passage["recorded_at"]?.text.flatMap { WallTime(rfc3339: $0) }
      if let recorded { table.add(heading: days.heading(before: recorded)) }
      table.add([
        "\(passage.queueID)",
        fullIDs ? passage.clientID : QueueWords.shortID(passage.clientID),
        recorded.map(times.cell) ?? "", passage["checkpost"]?.text ?? "",
        passage.plate, passage["vehicle_type"]?.text ?? "", passage["state"]?.text ?? "",
        QueueWords.note(passage, times),
      ])
    }
    return table
  }
}

/// `queue export`.
struct QueueExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write every passage as JSON Lines or CSV, ready to be recorded elsewhere.",
    discussion: """
      `record --file` takes both. CSV is for spreadsheets: a cell that one would reckon out begins \
      with ', which is taken away when it is recorded, and what cannot stand on one line is shown as \
      people see it; JSON Lines have everything whole.

      --mark says that what was written is brought to the office by hand: such a passage is done, and \
      no text goes for it. `checkpost queue retry` takes that back.
      """)

  @OptionGroup var filter: QueueFilter

  @Flag(help: "Mark what was written as handed on, once all of it is written.")
  var mark = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    ("recorded_at", "recorded_at"), ("plate", "plate_number_raw"),
    ("vehicle_type", "vehicle_type"), ("checkpost", "checkpost"),
    ("ranger_phone_suffix", "ranger_phone_suffix"), ("ranger", "ranger"), ("segment", "segment"),
    ("photo_path", "photo_path"), ("client_id", "client_id"), ("priority", "priority"),
    ("v1", "v1"), ("queue_id", "queue_id"), ("status", "status"), ("text", "text"),
    ("attempts", "attempts"), ("last_error", "last_error"), ("parked_reason", "parked_reason"),
    ("created_at", "created_at"), ("state", "state"),
  ])

  func run() throws {
    let loaded = try settings.load()
    let states = PassageStates(loaded.settings)
    let query = try filter.query(states)
    let path = loaded.settings.node.database
    let store = try mark ? NodeDatabase.open(loaded) : SQLiteNodeStore(readingFrom: path)
    defer { try? store.close() }
    let out = StandardOutput()
    var written: [Int64] = []
    if spreadsheet.isCSV { try out.line(Self.sheet.heading) }
    try QueuePages.forEach(store, query, limit: .max) { item in
      guard filter.isMeant(item, states) else { return }
      let object = QueueFields.object(item, states)
      if spreadsheet.isCSV {
        try out.line(Self.sheet.row(object))
      } else {
        try out.json(JSONValue.object(object))
      }
      if mark { written.append(item.queueID) }
    }
    try out.flush()
    guard mark else { return }
    try out.keep()
    try HandedOn.mark(written, in: store, loaded)
  }
}
