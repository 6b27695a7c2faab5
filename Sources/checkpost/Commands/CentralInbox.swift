import ArgumentParser
import CentralCore
import CentralService
import Control
import EventLoop
import Glibc
import Host
import JSON
import Settings
import Time

/// `central inbox`: what came in, and above all what is no passage.
struct CentralInbox: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "See the texts that are no passage, with their reasons, and run them again.",
    subcommands: [CentralInboxList.self, CentralInboxRun.self],
    defaultSubcommand: CentralInboxList.self)
}

/// `central inbox list`.
struct CentralInboxList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List texts, newest first; by default those that are no passage."
  )

  @Option(help: ArgumentHelp("Those that stand so.", valueName: "state"))
  var state = InboxChoice.only(.undecodable)

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "id", "received_at", "from", "state", "body", "error", "message", "client_id",
    "times_received",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let items = try store.inbox(state: state.state, limit: limit.count)
    let out = StandardOutput()
    if output.isJSON {
      for item in items { try out.json(JSONValue.object(CentralFields.object(item))) }
    } else if spreadsheet.isCSV {
      try out.line(Self.sheet.heading)
      try out.lines(items.map { Self.sheet.row(CentralFields.object($0)) })
    } else {
      var table = TextTable(["#", "received", "from", "state", "text", "why"])
      var days = DayHeadings(.ofThisMachine)
      for item in items {
        table.add(heading: days.heading(before: item.receivedAt))
        table.add([
          "\(item.id)", LocalClock.ofThisMachine.time(item.receivedAt),
          item.from.isEmpty ? "-" : item.from,
          item.state.rawValue, CentralFields.text(item) ?? "PDU \(item.body.prefix(24))…",
          item.words ?? "",
        ])
      }
      try out.lines(table.lines(isColoured: Terminal.showsColours(STDOUT_FILENO)))
    }
    try out.flush()
  }
}

/// `central inbox run`.
struct CentralInboxRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract:
      "Process texts again that were no passage: after an import, or with a rule set aside.",
    discussion: """
      A rule is set aside for one text, which its number names. Only where a clock was wrong, be it \
      the central's or that of a post which had no power for days, are there many at once: --any-time \
      without a number takes all that were refused for their time, and holds them to every other rule.
      """)

  @Argument(help: "The number of a text; without one all of them.")
  var number: Int64?

  @Flag(help: "Take it whoever sent it. Needs a number.")
  var anySender = false

  @Flag(help: "Take it whatever time it names; without a number, all refused for their time.")
  var anyTime = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if number == nil, anySender {
      throw ValidationError("--any-sender sets a rule aside for one text; name it")
    }
  }

  func run() throws {
    let loaded = try database.settings.load()
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let processed = try reprocess(store, try CentralRules(loaded.settings.central))
    guard !processed.isEmpty else {
      throw CommandFailure(
        .badData,
        number.map { "there is no text \($0) that waits; see `checkpost central inbox`" }
          ?? "no text waits to be run again\(anyTime ? " that was refused for its time" : "")")
    }
    let out = StandardOutput()
    var refused = 0
    for entry in processed {
      guard let item = try store.inboxItem(entry.id) else { continue }
      if item.state == .undecodable { refused += 1 }
      if output.isJSON {
        try out.json(JSONValue.object(CentralFields.object(item)))
      } else {
        try out.line("\(item.id)  \(item.state.rawValue)  \(item.words ?? item.clientID ?? "")")
      }
    }
    try out.flush()
    if refused > 0 {
      throw CommandFailure(.badData, "\(refused) of \(processed.count) are still no passage")
    }
  }

  private func reprocess(
    _ store: any OpenedCentralStore, _ rules: CentralRules
  ) throws -> [ProcessedMessage] {
    var waiver = Waiver()
    if anySender { waiver.insert(.anySender) }
    if anyTime { waiver.insert(.anyTime) }
    let wall = SystemClocks().wall()
    if let number {
      return try store.reprocess(number, rules: rules, waiving: waiver, at: wall).messages
    }
    var messages: [ProcessedMessage] = []
    var after: Int64? = 0
    while let last = after {
      let page = try store.reprocessAll(
        after: last, reason: anyTime ? Reason.time : nil, rules: rules, waiving: waiver, at: wall)
      messages += page.messages
      after = page.lastID
    }
    return messages
  }
}
