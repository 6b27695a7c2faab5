import CentralCore
import CentralSQLite
import Control
import Foundation
import JSON
import NodeCore
import NodeSQLite
import Storage
import Testing
import Text
import Time

/// What strangers, modems and networks write reaches people as letters, and never as orders to their
/// terminal: CWE-150, and CVE-2021-42574 for what turns a line around.
@Suite(.ownThreads) struct ForeignTextTests {
  private let files: ProgramFiles
  private let config: String

  /// Titles, a cleared screen, colours in both spellings, a line that is turned around, isolates, and
  /// every way to begin a new row.
  private static let hostile: String =
    "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31mred\u{202E}dlrow\u{2066}x\u{2069}\nsecond\r\tline"
    + "\u{7F}\u{85}end\u{2028}z\u{2029}\u{200E}\u{200F}\u{61C}\u{8}\u{B}\u{C} बा १ 車 done"
  private static let told = JSONValue.text(hostile)

  init() throws {
    files = try ProgramFiles()
    let directory = files.directory.path
    config = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "+9779801000002"}
      central: {database: \(directory)/central.db}
      control: {socket: \(directory)/control.sock}
      log: {file: \(directory)/log.jsonl, mask_key_file: null}
      """)
  }

  /// What a terminal obeys, or what turns a line around, in what a program wrote.
  private func obeyed(_ text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control: return scalar != "\n"
      case .lineSeparator, .paragraphSeparator: return true
      default: return properties.isBidiControl
      }
    }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
  }

  /// Runs a command and checks that what it wrote, anywhere, is inert.
  @discardableResult
  private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    let outcome = try Program.run(arguments, input: input)
    #expect(obeyed(outcome.output) == [], "\(arguments.first ?? "")")
    #expect(obeyed(outcome.errors) == [], "\(arguments.first ?? "")")
    return outcome
  }

  /// Runs it with `--json`, whose values are whole all the same.
  private func objects(_ arguments: [String]) throws -> [[String: Any]] {
    try run(arguments + ["--json"]).objects()
  }

  @Test func aTextAtTheCentreStaysInItsRow() throws {
    let path = files.path("central.db")
    let wall = WallTime(epochSeconds: 1_709_123_500)
    let store = try SQLiteCentralStore(path: path)
    _ = try store.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM1", from: "EVIL\u{1B}[1A\u{202E}", text: Self.hostile,
        receivedAt: wall),
      InboundMessage(
        provider: "twilio", providerID: "SM2", from: "+9779841114567",
        text: "V1|BNP-A|\u{1B}[2J|CAR|1709123456|9801", receivedAt: wall),
    ])
    _ = try store.process(rules: CentralRules(), at: wall)
    try store.close()
    let arguments = ["central", "inbox", "list", "--database", path, "--config", config]
    let shown = try run(arguments)
    #expect(shown.status == 0)
    #expect(shown.lines.count == 4, "\(shown.output)")
    for words in ["owned", "red", "second", "बा १ 車 done"] { #expect(shown.output.contains(words)) }
    let listed = try objects(arguments)
    #expect(listed.map { $0["body"] as? String }.last == Self.hostile)
    #expect(listed.map { $0["from"] as? String }.last == "EVIL\u{1B}[1A\u{202E}")
    try run(["central", "inbox", "run", "--database", path, "--config", config])
    let sheet = try run(arguments + ["--csv"])
    #expect(sheet.lines.count == 3 && sheet.output.contains("second"), "\(sheet.output)")
  }

  @Test func aTextAtAPostStaysInItsRow() throws {
    let store = try SQLiteNodeStore(path: files.path("node.db"), bootID: "boot")
    let moment = Moment(boot: .seconds(1), wall: WallTime(epochSeconds: 1_800_000_000))
    try store.transaction { transaction throws(StorageError) in
      for (pdu, content) in [
        ("1", InboxEntry.Content.text(sender: "NTC\u{1B}[1A", text: Self.hostile)),
        ("2", .text(sender: "222", text: "plain")),
      ] { _ = try transaction.keep(InboxEntry(pdu: pdu, content: content), at: moment) }
    }
    try store.close()
    let sheet = try run(["sms", "inbox", "--csv", "--config", config])
    #expect(sheet.lines.count == 3, "\(sheet.output)")
    let shown = try run(["sms", "inbox", "--config", config])
    #expect(shown.status == 0)
    #expect(shown.lines.count == 4, "\(shown.output)")
    #expect(
      try objects(["sms", "inbox", "--config", config]).map { $0["text"] as? String }
        == ["plain", Self.hostile])
  }

  @Test(.timeLimit(.minutes(15))) func aTextInAModemStaysInItsRow() throws {
    let simulator = try SimulatorProcess("+9779801000001", files)
    let request = try JSONText.encode(
      JSONValue.object(["sms": ["from": "NTC", "text": Self.told]]))
    simulator.request(request)
    let event = try simulator.expect("\"event\":\"delivered\"")
    #expect(obeyed(event) == [])
    let place = ["--port", simulator.link, "--config", config]
    let shown = try run(["modem", "inbox"] + place)
    #expect(shown.status == 0)
    #expect(shown.lines.count == 2, "\(shown.output)")
    let message = try #require(try objects(["modem", "inbox"] + place).first)
    #expect(message["text"] as? String == Self.hostile)
    let pdu = try #require(message["pdu"] as? String)
    #expect(try run(["pdu", "decode", pdu]).output.contains("बा १ 車 done"))
    #expect(try objects(["pdu", "decode", pdu]).first?["text"] as? String == Self.hostile)
    try run(["modem", "trace", "--whole"] + place)
  }

  /// A service whose modem, network and alarms say all that.
  @Test func whatAServiceTellsStaysInItsLine() async throws {
    let modem: JSONValue = [
      "name": Self.told, "port": Self.told, "state": "ready", "state_words": Self.told,
      "manufacturer": Self.told, "model": Self.told, "revision": Self.told,
      "operator": Self.told, "registration": "home", "smsc": Self.told,
      "signal_dbm": -70, "last_error": Self.told, "profile": Self.told,
    ]
    let server = try ControlServer(path: files.path("control.sock"))
    try server.start { request, reply in
      switch request.operation {
      case "modem_command":
        reply.done(["lines": [ForeignTextTests.told], "final": ForeignTextTests.told])
      case "modem_ussd":
        reply.done(["text": "1. Data\n2. \u{1B}[2JVoice\r\n\u{202E}3", "asks": true])
      case "modem_trace": reply.done(["trace": "# trace\n0 > \"\u{1B}\"\n"])
      case "modem_send": reply.refuse("refused", "\u{1B}[2J no; wait\nhere", exitCode: 75)
      default:
        reply.done([
          "modems": [modem], "alarms": [ForeignTextTests.told, "plain"],
          "connectivity": ["words": ForeignTextTests.told, "state": "offline"],
        ])
      }
    }
    let result = Result {
      let status = try run(["status", "--config", config])
      #expect(status.lines.count == 6, "\(status.output)")
      let modems = try #require(
        try objects(["status", "--config", config]).first?["modems"] as? [[String: Any]])
      #expect(modems.first?["operator"] as? String == Self.hostile)
      #expect(try run(["modem", "info", "--config", config]).lines.count == 10)
      #expect(try run(["modem", "at", "AT+COPS?", "--config", config]).lines.count == 2)
      let menu = try run(["modem", "ussd", "*1#", "--config", config]).lines
      #expect(menu.count == 4 && menu.first == "1. Data", "\(menu)")
      #expect(try run(["modem", "trace", "--config", config]).lines.count == 2)
      #expect(try run(["modem", "send", "+9779801000002", "x", "--config", config]).status == 75)
      try run(["doctor", "--config", config])
    }
    server.stop()
    await server.finished()
    try result.get()
  }

  /// A file that anybody wrote, or an older program.
  @Test func theLogStaysInItsLine() throws {
    let record = JSONValue.object([
      "event": Self.told, "level": "warning", "time": "2026-11-20T23:59:59Z",
      "subject": Self.told, "words": Self.told, "plate": Self.told, "next": Self.told,
      "next_at": "2026-11-20T23:59:59Z",
    ])
    _ = try files.write("log.jsonl", try JSONText.encode(record) + "\n")
    #expect(try run(["log", "--config", config]).lines.count == 2)
    #expect(
      try objects(["log", "--config", config]).first?["words"] as? String == Self.hostile)
  }

  @Test(arguments: [
    ["central", "inbox", "list", "--state"], ["queue", "list", "--status"], ["queue", "show"],
    ["queue", "list", "--plate"], ["log", "--since"], ["log", "--event"], ["sms", "decode"],
    ["pdu", "decode"], ["modem", "at"], ["modem", "ussd"], ["modem", "inbox", "--port"],
    ["record", "--type", "car", "--plate"], ["record", "--file"], ["central", "import", "--posts"],
    ["simulate", "--faults"], ["status", "--config"], [],
  ])
  func anErrorQuotesWhatWasTypedOnOneLine(arguments: [String]) throws {
    let outcome = try run(arguments + [Self.hostile])
    #expect(outcome.errorLines.count <= 1, "\(outcome.errors)")
  }

  @Test func aRowThatIsRefusedIsQuotedOnOneLine() throws {
    let row = try JSONText.encode(
      JSONValue.object([
        "plate": "BA1PA1", "vehicle_type": Self.told, "recorded_at": 1_709_123_456,
      ]))
    for arguments in [["--config", config], ["--config", config, "--json"]] {
      let outcome = try run(["record", "--file", "-"] + arguments, input: row + "\n")
      #expect(outcome.status == 65)
    }
  }
}
