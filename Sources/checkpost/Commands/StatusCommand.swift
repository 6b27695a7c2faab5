import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
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
      let status = try ServiceStatus.read(loaded, clocks: clocks)
      if output.isJSON {
        try out.json(status)
      } else {
        if watch, Terminal.isTerminal(STDOUT_FILENO) { try out.line(Terminal.cleared) }
        try out.lines(StatusText.lines(status, colour: Terminal.showsColours(STDOUT_FILENO)))
      }
      try out.flush()
      if watch { _ = PollLoop.wait([], until: clocks.boot() + .seconds(2), clocks: clocks) }
    } while watch
  }
}

/// A status for people.
enum StatusText {
  static func lines(_ status: ServiceStatus, colour: Bool) -> [ShownText] {
    var lines: [ShownText] = []
    func row(_ name: String, _ words: String, _ paint: Colour? = nil) {
      let label = ForeignText.padded(ForeignText.shown(name), to: 14)
      lines.append(
        Colour.strong.paint(label, if: colour)
          + (paint?.paint(words, if: colour) ?? ShownText(words)))
    }
    if let service = status.service {
      if service.isRunning == false {
        row("service", "not running; the queue below is from the database", .bad)
      } else if service.answers == false {
        let reason = service.reason ?? "does not answer"
        row("service", "\(reason); the queue below is from the database", .bad)
      }
    }
    if let queue = status.queue {
      row(
        "queue",
        "\(queue.pending) pending, \(queue.inFlight) in flight, \(queue.failed) failed,"
          + " \(queue.synced) synced, \(queue.parked) parked")
      if let age = queue.oldestPendingSeconds {
        row("oldest", "\(StatusText.duration(age)) pending")
      }
      row(
        "texts",
        "\(queue.waitingForText) waiting, \(queue.texted) texted,"
          + " \(queue.undelivered) undelivered, \(queue.unknownTexts) unknown,"
          + " \(queue.textsLastDay) sent in 24 h")
      let free = queue.freeBytes.map { ", \(ByteCountText.format($0)) free" } ?? ""
      row("storage", "database of \(ByteCountText.format(queue.databaseBytes))\(free)")
    }
    if let connectivity = status.connectivity {
      row(
        "connectivity", connectivity.words, connectivity.state == "online" ? .good : .warning)
    }
    if let budget = status.budget {
      row(
        "budget",
        "\(budget.minuteUsed) of \(budget.perMinute) a minute,"
          + " \(budget.hourUsed) of \(budget.perHour) an hour,"
          + " \(budget.dayUsed) of \(budget.perDay) a day,"
          + " \(budget.monthUsed) of \(budget.perMonth) in 30 days;"
          + " worst case in 24 h \(budget.worstDay)",
        budget.opensInSeconds == nil ? nil : .warning)
    }
    for modem in status.modems ?? [] {
      row(
        modem.role == "central" ? "central modem" : modem.name.map { "modem \($0)" } ?? "modem",
        StatusText.modem(modem), modem.canSend == true ? .good : .warning)
    }
    if let central = status.central {
      row(
        "central",
        "\(central.passages) passages, \(central.undecodable) texts wait for an operator")
    }
    for alarm in status.alarms ?? [] {
      row("ALARM", alarm, .bad)
    }
    return lines
  }

  static func modem(_ modem: ModemReport) -> String {
    let name = [modem.manufacturer, modem.model].compactMap { $0 }.joined(separator: " ")
    return [
      modem.stateWords, name.isEmpty ? nil : name, modem.port, modem.operatorName,
      modem.accessWords, modem.signalDBm.map { "\($0) dBm" },
      modem.registration.map { "registration \($0)" }, modem.supply,
    ].compactMap { $0 }.joined(separator: ", ")
  }

  static func duration(_ seconds: Int64) -> String {
    seconds < 120
      ? "\(seconds) s" : seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
  }
}
