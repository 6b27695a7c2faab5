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
      QueueList.self, QueueShow.self, QueueRetry.self, QueuePark.self, QueueExport.self,
    ], defaultSubcommand: QueueList.self)
}

/// Which passages are wanted.
struct QueueFilter: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only those that stand so; undelivered and unknown say how their texts do.",
      valueName: "status"))
  var status: QueueChoice?

  @Option(help: ArgumentHelp("Only those of one plate.", valueName: "plate"))
  var plate: String?

  func query() throws -> QueueQuery {
    var query = QueueQuery()
    switch status {
    case nil: break
    case .status(let status): query.status = status
    case .text(let text): query.text = text
    case .parked: query.isParked = true
    }
    if let plate {
      do {
        query.plate = try Plate(plate).compact
      } catch {
        throw CommandFailure(.usage, "--plate \(plate): \(error)")
      }
    }
    return query
  }
}

/// `queue list`.
struct QueueList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List passages, oldest first.")

  @OptionGroup var filter: QueueFilter

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = 100

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try SQLiteNodeStore(readingFrom: try settings.load().settings.node.database)
    defer { try? store.close() }
    let out = StandardOutput()
    var table = TextTable([
      ("#", .right), ("client_id", .left), ("recorded", .left), ("post", .left),
      ("plate", .left), ("type", .left), ("status", .left), ("text", .left),
    ])
    var shown = 0
    try QueuePages.forEach(store, try filter.query(), limit: limit) { item in
      shown += 1
      if output.isJSON {
        try out.json(JSONValue.object(QueueFields.object(item)))
      } else {
        table.add([
          "\(item.queueID)", item.passage.clientID.description, item.passage.recordedAt.rfc3339,
          item.passage.checkpost.code, item.passage.plate.display,
          item.passage.vehicleType.rawValue, QueueFields.status(item), QueueFields.text(item),
        ])
      }
    }
    if !output.isJSON {
      try out.lines(table.lines(isColoured: Terminal.showsColours(STDOUT_FILENO)))
      if shown == limit { Diagnostics.say("the first \(limit) are shown; --limit shows more") }
    }
    try out.flush()
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
      """)

  @OptionGroup var filter: QueueFilter
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    ("recorded_at", "recorded_at"), ("plate", "plate_number_raw"),
    ("vehicle_type", "vehicle_type"), ("checkpost", "checkpost"),
    ("ranger_phone_suffix", "ranger_phone_suffix"), ("ranger", "ranger"), ("segment", "segment"),
    ("photo_path", "photo_path"), ("client_id", "client_id"), ("priority", "priority"),
    ("v1", "v1"), ("queue_id", "queue_id"), ("status", "status"), ("text", "text"),
    ("attempts", "attempts"), ("last_error", "last_error"), ("parked_reason", "parked_reason"),
    ("created_at", "created_at"),
  ])

  func run() throws {
    let store = try SQLiteNodeStore(readingFrom: try settings.load().settings.node.database)
    defer { try? store.close() }
    let out = StandardOutput()
    if spreadsheet.isCSV { try out.line(Self.sheet.heading) }
    try QueuePages.forEach(store, try filter.query(), limit: .max) { item in
      let object = QueueFields.object(item)
      if spreadsheet.isCSV {
        try out.line(Self.sheet.row(object))
      } else {
        try out.json(JSONValue.object(object))
      }
    }
    try out.flush()
  }
}

/// `queue show`.
struct QueueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one passage with every text sent for it.")

  @Argument(help: "The passage: its number in the queue, or its client_id.")
  var passage: String

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try SQLiteNodeStore(readingFrom: try settings.load().settings.node.database)
    defer { try? store.close() }
    let item = try QueueFields.find(passage, in: store)
    let texts = try store.texts(of: item.queueID)
    let out = StandardOutput()
    var object = QueueFields.object(item)
    object["texts"] = .list(texts.map { .object(QueueFields.object($0)) })
    // What dates a passage later: how long the machine had been up, in which of its starts.
    let moment = try item.passage.isUndated ? store.bootMoment(of: item.since) : nil
    object["boot_id"] = moment.map { .text($0.bootID) }
    object["boot_seconds"] = moment.map { .integer(($0.time - .zero).wholeSeconds) }
    if output.isJSON {
      try out.json(JSONValue.object(object))
    } else {
      for line in lines(item, texts) { try out.line(line) }
    }
    try out.flush()
  }

  private func lines(_ item: QueueItem, _ texts: [TextRecord]) -> [String] {
    func row(_ name: String, _ value: String) -> String {
      name + String(repeating: " ", count: max(1, 14 - name.count)) + value
    }
    var lines = [
      row("number", "\(item.queueID)"), row("client_id", "\(item.passage.clientID)"),
      row("recorded", item.passage.recordedAt.rfc3339), row("post", item.passage.checkpost.code),
      row("plate", "\(item.passage.plate.display)  (as read: \(item.passage.plate.raw))"),
      row("type", item.passage.vehicleType.rawValue), row("text body", item.passage.v1Body),
      row("status", QueueFields.status(item)), row("attempts", "\(item.attempts)"),
    ]
    if let error = item.lastError { lines.append(row("last error", error)) }
    if let reason = item.parkedReason { lines.append(row("parked", reason)) }
    if item.priority != RecordRequest.standardPriority {
      lines.append(row("priority", "\(item.priority)"))
    }
    if item.passage.isUndated {
      lines.append(
        row("undated", "recorded while the clock had not been set; kept, and not texted"))
    }
    if item.isOutdated { lines.append(row("outdated", "too old to be texted; queue retry does")) }
    for text in texts {
      var words = "\(text.begunAt.rfc3339)  \(text.outcome)"
      if !text.references.isEmpty {
        words += "  reference \(text.references.map(String.init).joined(separator: ", "))"
      }
      if let delivery = text.delivery { words += "  \(delivery.rawValue)" }
      if let error = text.error { words += "  \(error)" }
      if let rule = text.settledBy { words += "  settled by \(rule.words)" }
      lines.append(row("text \(text.id)", words))
    }
    return lines
  }
}

/// `queue retry`.
struct QueueRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Let passages be tried again that failed, were parked, or whose text is lost.",
    discussion: """
      A text of which nobody knows whether it left, or which the network reported as not delivered, \
      never goes again by itself; this sends another one. What was accepted and may still arrive is \
      not sent twice, whoever asks.
      """)

  @Argument(help: "The passages: their numbers in the queue, or their client_ids.")
  var passages: [String]

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try QueueChange.run(settings, passages) { store, item, moment in
      switch try store.retry(item.queueID, at: moment) {
      case .retried: nil
      case .alreadySynced: "the server has it already"
      case .alreadyTexted:
        "its text was accepted, and no report says that it was not delivered; it is not sent again"
      case .tooManyTexts:
        "three texts for it went out or may have; there will be no fourth, hand it on by"
          + " `checkpost queue export`"
      case .undated:
        "it was recorded while the clock had not been set, and a text says the time; it is kept, hand it"
          + " on by `checkpost queue export`"
      case .busy: "it is being sent at this moment; try again"
      case .notFound: "there is no such passage"
      }
    }
  }
}

/// `queue park`.
struct QueuePark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "park", abstract: "Set passages aside, so that nothing more is sent for them.")

  @Argument(help: "The passages: their numbers in the queue, or their client_ids.")
  var passages: [String]

  @Option(help: ArgumentHelp("Why; it is kept with the passage.", valueName: "words"))
  var reason = "parked by an operator"

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try QueueChange.run(settings, passages) { store, item, _ in
      try store.park(item.queueID, reason: reason)
        ? nil : "it cannot be parked: the server has it, or it is being sent"
    }
  }
}

/// A change of several passages, each reported.
enum QueueChange {
  static func run(
    _ settings: SettingsOptions, _ passages: [String],
    _ change: (SQLiteNodeStore, QueueItem, Moment) throws -> String?
  ) throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    let store = try NodeDatabase.open(loaded)
    defer { try? store.close() }
    var refused = 0
    for passage in passages {
      let item = try QueueFields.find(passage, in: store)
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      if let reason = try change(store, item, moment) {
        Diagnostics.say("\(passage): \(reason)")
        refused += 1
      }
    }
    RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
    if refused > 0 { throw ExitCode(ExitStatus.badData.code) }
  }
}

extension QueueFields {
  /// The passage that somebody names by its number in the queue or its identity.
  static func find(_ text: String, in store: SQLiteNodeStore) throws -> QueueItem {
    let found: QueueItem? =
      if let number = Int64(text) {
        try store.item(number)
      } else if let client = ClientID(text) {
        try store.item(client)
      } else {
        throw CommandFailure(.usage, "\(text): is neither a number of the queue nor a client_id")
      }
    guard let found else {
      throw CommandFailure(
        .badData, "\(text): there is no such passage; see `checkpost queue list`")
    }
    return found
  }
}
