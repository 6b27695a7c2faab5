import ArgumentParser
import EventLoop
import Glibc
import JSON
import NodeCore
import NodeSQLite
import Settings
import Time

/// `sms inbox`: what the modems of this node received.
struct SMSInbox: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Show the texts that the modems of this checkpost received, newest first.",
    discussion: """
      The network's own among them: what is left of the credit, what expires when. Status reports \
      are shown with the passages that they belong to (`queue show`), and here only with --all. \
      What the office received is in `central inbox`.
      """)

  @Flag(help: "Show status reports and the parts of long texts too.")
  var all = false

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var spreadsheet: SpreadsheetOptions

  private static let sheet = Spreadsheet([
    "id", "received_at", "modem", "from", "kind", "text", "times", "error",
  ])

  func run() throws {
    try spreadsheet.check(with: output)
    let loaded = try settings.load()
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    let messages = try store.inbox(limit: limit.count, isWhole: all)
    let out = StandardOutput()
    if output.isJSON {
      for message in messages { try out.json(JSONValue.object(SMSInbox.object(message))) }
    } else if spreadsheet.isCSV {
      try out.line(Self.sheet.heading)
      try out.lines(messages.map { Self.sheet.row(SMSInbox.object($0)) })
    } else if messages.isEmpty {
      Diagnostics.say("nothing came in")
    } else {
      var table = TextTable(["#", "received", "modem", "from", "kind", "text"])
      var days = DayHeadings(.ofThisMachine)
      for message in messages {
        table.add(heading: days.heading(before: message.receivedAt))
        table.add([
          "\(message.id)", LocalClock.ofThisMachine.time(message.receivedAt), message.modem ?? "-",
          message.sender ?? "-", message.kind, SMSInbox.words(message),
        ])
      }
      try out.lines(
        table.lines(
          isColoured: Terminal.showsColours(STDOUT_FILENO), fitting: Terminal.room(STDOUT_FILENO)))
    }
    try out.flush()
  }

  private static func words(_ message: InboxMessage) -> String {
    let times = message.times > 1 ? " (came \(message.times) times)" : ""
    let why = message.error.map { " [\($0)]" } ?? ""
    return (message.text ?? message.delivery ?? "") + why + times
  }

  private static func object(_ message: InboxMessage) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "id": .integer(message.id), "received_at": .text(message.receivedAt.rfc3339),
      "kind": .text(message.kind), "times": .integer(Int64(message.times)),
    ]
    object["modem"] = message.modem.map { .text($0) }
    object["from"] = message.sender.map { .text($0) }
    object["text"] = message.text.map { .text($0) }
    object["message_class"] = message.messageClass.map { .integer(Int64($0)) }
    object["delivery"] = message.delivery.map { .text($0) }
    object["whole_id"] = message.wholeID.map { .integer($0) }
    object["error"] = message.error.map { .text($0) }
    return object
  }
}
