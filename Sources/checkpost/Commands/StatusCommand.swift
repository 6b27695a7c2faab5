import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import NodeCore
import NodeSQLite
import Settings
import Text
import Time

/// `checkpost status`: how it stands, from the running service where there is one, and from the store.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the queue, connectivity, the modem, the budget and what is wrong.",
    discussion: """
      Without a running service the queue is shown from its database, and the rest is unknown; the \
      exit code is 0 all the same.
      """)

  @Flag(help: "Show it again every two seconds until interrupted.")
  var watch = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    let out = StandardOutput()
    repeat {
      let status = try collect(loaded, clocks)
      if output.isJSON {
        try out.json(JSONValue.object(status))
      } else {
        if watch, Terminal.isTerminal(STDOUT_FILENO) { try out.line(Terminal.cleared) }
        try out.lines(StatusText.lines(status, colour: Terminal.showsColours(STDOUT_FILENO)))
      }
      try out.flush()
      if watch { _ = PollLoop.wait([], until: clocks.boot() + .seconds(2), clocks: clocks) }
    } while watch
  }

  private func collect(
    _ loaded: LoadedSettings, _ clocks: SystemClocks
  ) throws -> [String: JSONValue] {
    do {
      let client = try ControlClient(path: loaded.settings.control.socket)
      switch try client.ask(ControlRequest("status")) {
      case .done(let fields): return fields
      case .refused(let refusal): throw refusal
      }
    } catch let error as ControlError {
      var status: [String: JSONValue] = ["service": .object(StatusFields.service(error))]
      guard loaded.settings.roles.node || !loaded.settings.roles.central else { return status }
      let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
      defer { try? store.close() }
      status["queue"] = .object(
        StatusFields.queue(try store.overview(at: store.clock.time(at: clocks.boot()))))
      let alarms = StatusFields.queueAlarms(status)
      if !alarms.isEmpty { status["alarms"] = .list(alarms.map { .text($0) }) }
      return status
    }
  }
}

/// A status for people.
enum StatusText {
  static func lines(_ status: [String: JSONValue], colour: Bool) -> [ShownText] {
    var lines: [ShownText] = []
    func row(_ name: String, _ words: String, _ paint: Colour? = nil) {
      let label = ForeignText.padded(ForeignText.shown(name), to: 14)
      lines.append(
        Colour.strong.paint(label, if: colour)
          + (paint?.paint(words, if: colour) ?? ShownText(words)))
    }
    if status["service"]?["running"]?.flag == false {
      row("service", "not running; the queue below is from the database", .bad)
    } else if status["service"]?["answers"]?.flag == false {
      let reason = status["service"]?["reason"]?.text ?? "does not answer"
      row("service", "\(reason); the queue below is from the database", .bad)
    }
    if let queue = status["queue"] {
      func number(_ key: String) -> Int64 { queue[key]?.integer ?? 0 }
      row(
        "queue",
        "\(number("pending")) pending, \(number("in_flight")) in flight, \(number("failed")) failed,"
          + " \(number("synced")) synced, \(number("parked")) parked")
      if let age = queue["oldest_pending_seconds"]?.integer {
        row("oldest", "\(StatusText.duration(age)) pending")
      }
      row(
        "texts",
        "\(number("waiting_for_text")) waiting, \(number("texted")) texted,"
          + " \(number("text_undelivered")) undelivered, \(number("text_unknown")) unknown,"
          + " \(number("texts_last_day")) sent in 24 h")
      let free = queue["free_bytes"]?.integer.map { ", \(StatusFields.size($0)) free" } ?? ""
      row("storage", "database of \(StatusFields.size(number("database_bytes")))\(free)")
    }
    if let words = status["connectivity"]?["words"]?.text {
      row(
        "connectivity", words,
        status["connectivity"]?["state"]?.text == "online" ? .good : .warning)
    }
    if let budget = status["budget"] {
      let windows = [
        ("minute", "a minute"), ("hour", "an hour"), ("day", "a day"), ("month", "in 30 days"),
      ]
      let uses = windows.map { window, words in
        "\(budget["\(window)_used"]?.integer ?? 0) of \(budget["per_\(window)"]?.integer ?? 0) \(words)"
      }
      row(
        "budget",
        uses.joined(separator: ", ") + "; worst case in 24 h \(budget["worst_day"]?.integer ?? 0)",
        budget["opens_in_seconds"] == nil ? nil : .warning)
    }
    for modem in status["modems"]?.list ?? [] {
      row(
        modem["role"]?.text == "central"
          ? "central modem" : modem["name"]?.text.map { "modem \($0)" } ?? "modem",
        StatusText.modem(modem), modem["can_send"]?.flag == true ? .good : .warning)
    }
    if let central = status["central"] {
      row(
        "central",
        "\(central["passages"]?.integer ?? 0) passages, \(central["inbox_undecodable"]?.integer ?? 0)"
          + " texts wait for an operator")
    }
    for alarm in status["alarms"]?.list?.compactMap(\.text) ?? [] {
      row("ALARM", alarm, .bad)
    }
    return lines
  }

  static func modem(_ modem: JSONValue) -> String {
    let name = [modem["manufacturer"]?.text, modem["model"]?.text].compactMap { $0 }
      .joined(separator: " ")
    return [
      modem["state_words"]?.text, name.isEmpty ? nil : name, modem["port"]?.text,
      modem["operator"]?.text, modem["access_words"]?.text,
      modem["signal_dbm"]?.integer.map { "\($0) dBm" },
      modem["registration"]?.text.map { "registration \($0)" }, modem["supply"]?.text,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  static func duration(_ seconds: Int64) -> String {
    seconds < 120
      ? "\(seconds) s" : seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
  }
}
