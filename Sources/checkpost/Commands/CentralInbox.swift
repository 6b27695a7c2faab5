import ArgumentParser
import CentralCore
import CentralService
import Control
import EventLoop
import Glibc
import Host
import JSON
import Settings
import Text
import Time

/// `central inbox`: what came in, and above all what is no passage.
struct CentralInbox: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract:
      "See the texts that are no passage, with their reasons, run them again, or dismiss them.",
    subcommands: [CentralInboxList.self, CentralInboxRun.self, CentralInboxDismiss.self],
    defaultSubcommand: CentralInboxList.self)
}

/// `central inbox list`.
struct CentralInboxList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List texts, newest first; by default those that are no passage and wait.")

  @Option(help: ArgumentHelp("Those of one state.", valueName: "state"))
  var state = InboxChoice.only(.undecodable)

  @Flag(help: "Those that somebody looked at and dismissed, in place of those that wait.")
  var dismissed = false

  @Option(
    help: ArgumentHelp(
      "Only those of one sender: a number in any form, or a name.", valueName: "sender"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Only those that are no passage for this reason: sender, rate, timestamp, …",
      valueName: "reason"))
  var reason: String?

  @Option(help: TimeOption.help("Only those that came then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those that came before"))
  var until: String?

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "id", "received_at", "from", "state", "body", "error", "message", "client_id",
    "times_received", "dismissed_at", "dismissed_by",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let listing = Listing<InboxItem>(
      ["#", "received", "from", "state", "text", "why"], sheet: Self.sheet,
      day: { $0.receivedAt }, object: CentralFields.object, cells: cells)
    var query = InboxQuery()
    query.state = state.state
    // Whoever asks for all of them is shown all.
    query.isDismissed = dismissed ? true : state.state == nil ? nil : false
    (query.sender, query.reason) = (from, reason)
    (query.since, query.until) = try TimeOption.range(since: since, until: until)
    try listing.print(limit, output, spreadsheet) { count in
      query.limit = count
      let page = try store.inbox(query)
      query.before = page.last?.id
      return page
    }
  }

  private func cells(_ item: InboxItem) -> [String] {
    [
      "\(item.id)", LocalClock.ofThisMachine.time(item.receivedAt),
      item.from.isEmpty ? "-" : item.from, item.state.rawValue,
      CentralFields.text(item) ?? "PDU \(item.body.prefix(24))…", why(item),
    ]
  }

  private func why(_ item: InboxItem) -> String {
    guard let dismissal = item.dismissal else { return item.words ?? "" }
    let at = LocalClock.ofThisMachine.text(dismissal.at, seenFrom: item.receivedAt)
    return "\(item.words ?? ""); dismissed \(at) by \(dismissal.author)"
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
      without a number takes all that were refused for their time, and holds them to every other rule. \
      --any-rate does the same with those that were more than their sender may send (central.ingress).
      """)

  @Argument(help: "The number of a text; without one all of them.")
  var number: Int64?

  @Flag(help: "Ignore who sent it. Needs a number.")
  var anySender = false

  @Flag(help: "Take it whatever time it names; without a number, all refused for their time.")
  var anyTime = false

  @Flag(
    help: "Take it however many its sender texted; without a number, all refused for their rate.")
  var anyRate = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if number == nil, anyTime, anyRate {
      throw ValidationError("--any-time and --any-rate are for different texts; name one of them")
    }
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
          ?? "no text waits to be run again\(kind)")
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

  /// Which texts are meant where none is named.
  private var kind: String {
    anyTime ? " that was refused for its time" : anyRate ? " that was refused for its rate" : ""
  }

  private func reprocess(
    _ store: any OpenedCentralStore, _ rules: CentralRules
  ) throws -> [ProcessedMessage] {
    var waiver = Waiver()
    if anySender { waiver.insert(.anySender) }
    if anyTime { waiver.insert(.anyTime) }
    if anyRate { waiver.insert(.anyRate) }
    let wall = SystemClocks().wall()
    let actor = "uid \(getuid())"
    let reason = anyTime ? Reason.time : anyRate ? Reason.rate : nil
    if let number {
      return try store.reprocess(
        number, rules: rules, waiving: waiver, actor: actor, at: wall
      ).messages
    }
    var messages: [ProcessedMessage] = []
    var after: Int64? = 0
    while let last = after {
      let page = try store.reprocessAll(
        after: last, reason: reason, rules: rules, waiving: waiver, actor: actor, at: wall)
      messages += page.messages
      after = page.lastID
    }
    return messages
  }
}

/// `central inbox dismiss`.
struct CentralInboxDismiss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Note that somebody looked at texts that are no passage; they wait no more.",
    discussion: """
      They are kept as they came, as evidence, for as long as central.keep says, and `inbox list --dismissed` shows \
      them with when and by whom. They no longer count for central.ingress.kept, beyond which nothing more that is \
      no passage is kept. Named are numbers, or all of one reason, of one sender, from before a time, or what is all \
      of that. `inbox run` with its number takes one up again. The audit log has it.
      """)

  @Argument(help: "The numbers of texts, as the list shows them.")
  var numbers: [Int64] = []

  @Option(help: ArgumentHelp("Those that are no passage for this reason.", valueName: "reason"))
  var reason: String?

  @Option(
    help: ArgumentHelp("Those of one sender: a number in any form, or a name.", valueName: "sender")
  )
  var from: String?

  @Option(help: TimeOption.help("Those that came before"))
  var before: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if numbers.isEmpty, reason == nil, from == nil, before == nil {
      throw ValidationError("name the numbers of texts, or which by --reason, --from or --before")
    }
  }

  func run() throws {
    var dismissal = InboxDismissal(by: "uid \(getuid())")
    dismissal.ids = numbers.isEmpty ? nil : numbers
    (dismissal.reason, dismissal.sender) = (reason, from)
    dismissal.before = try TimeOption.read(before, "--before")
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let count = try store.dismiss(dismissal, at: SystemClocks().wall())
    guard count > 0 else {
      throw CommandFailure(
        .badData, "no such text waits; `checkpost central inbox` lists those that do")
    }
    let waiting = try store.overview().undecodable
    let out = StandardOutput()
    if output.isJSON {
      try out.json(
        JSONValue.object([
          "dismissed": .integer(count), "inbox_undecodable": .integer(Int64(waiting)),
        ]))
    } else {
      try out.line("\(CountText.of(Int(count), "text")) dismissed; \(waiting) wait")
    }
    try out.flush()
    try database.wakeService()
  }
}
