import ArgumentParser
import Control
import EventLoop
import Events
import Glibc
import Host
import JSON
import Log
import Passages
import Settings
import Time

/// `checkpost log`: what happened, one line an event.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "The events of the service: texts, connectivity, modem, receipt.",
    discussion: """
      Plates, phone numbers and client_ids are masked in the log. --plate finds the events of one \
      vehicle and shows its plate, --client-id those of one passage; --reveal shows every plate and \
      every client_id that the databases of this machine know, to who may read those: nothing of it \
      is written. Machines that have the same key file (log.mask_key_file) mask a plate alike.
      """)

  @Flag(name: [.long, .customShort("f")], help: "Go on with what happens from now on.")
  var follow = false

  @Option(help: TimeOption.help("Only what happened then or later"))
  var since: String?

  @Option(help: ArgumentHelp("Only what matters at least so much.", valueName: "level"))
  var level: LogLevel?

  @Option(
    help: ArgumentHelp("Only events of this name; may be repeated.", valueName: "name"),
    completion: .list(EventCatalogue.names))
  var event: [String] = []

  @Option(help: ArgumentHelp("Only events about this plate, in any spelling.", valueName: "plate"))
  var plate: String?

  @Option(
    help: ArgumentHelp(
      "Only events about the passage with this client_id, as record printed it.",
      valueName: "uuid"))
  var clientID: String?

  @Option(
    name: [.customLong("lines"), .customShort("n")],
    help: ArgumentHelp(
      "Only the last so many; with --follow 10 unless --since is given.", valueName: "count"))
  var lines: Int?

  @Flag(
    name: [.customLong("reveal"), .customLong("unmask")],
    help: "Show plates and client_ids whole, as far as the databases of this machine know them.")
  var reveal = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let lines, lines < 0 {
      throw ValidationError("--lines \(lines): must not be negative")
    }
  }

  func run() throws {
    let loaded = try settings.load()
    guard let path = loaded.settings.log.file else {
      throw CommandFailure(
        .configuration,
        "log.file is null, so no log is written; name a file, and restart the service")
    }
    let clocks = SystemClocks()
    var masks = PlateMasks()
    let filter = try filter(loaded, &masks, now: clocks.wall())
    if reveal {
      try masks.learnAll(loaded)
    }
    let printer = LogPrinter(
      out: StandardOutput(isImmediate: follow ? true : nil), isJSON: output.isJSON,
      look: Terminal.look(STDOUT_FILENO), masks: masks)
    let reader = LogReader(path: path)
    try show(reader, filter, printer)
    // What is recorded from now on was not there to be learned.
    printer.learnsFrom = reveal ? loaded : nil
    while follow {
      reader.wait(until: nil, clocks: clocks)
      try printer.print(reader, filter, last: nil, mayBeMissing: true)
    }
  }

  private func show(_ reader: LogReader, _ filter: LogFilter, _ printer: LogPrinter) throws {
    let last = lines ?? (follow && since == nil ? 10 : nil)
    try printer.print(reader, filter, last: last, mayBeMissing: follow)
    for name in event where !printer.names.contains(name) {
      let names = printer.names.sorted().joined(separator: ", ")
      Diagnostics.say(
        "--event \(name): the log has no event of that name"
          + (names.isEmpty ? "; it is empty" : "; it has \(names)"))
    }
  }

  private func filter(_ loaded: LoadedSettings, _ masks: inout PlateMasks, now: WallTime) throws
    -> LogFilter
  {
    var filter = LogFilter()
    filter.names = Set(event)
    filter.since = try TimeOption.read(since, "--since", now: now)
    filter.level = level
    if let plate {
      let compact: String
      do {
        compact = try Plate(plate).compact
      } catch {
        throw CommandFailure(.usage, "--plate \(plate): \(error)")
      }
      if let mask = try MaskSource.find(loaded)?.mask(plate: compact) {
        filter.show(plate: compact, mask: mask)
        masks.learn(compact, mask: mask)
      } else {
        filter.show(plate: compact, key: nil)
      }
    }
    if let clientID {
      guard let identity = ClientID(clientID) else {
        throw CommandFailure(.usage, "--client-id \(clientID): is no UUID")
      }
      let mask = try MaskSource.find(loaded)?.mask(identity: identity.description)
      guard mask != nil || !loaded.settings.log.mask else {
        throw CommandFailure(
          .configuration,
          "log.mask_key_file is null, so the log tells no passage from another; name a file, and"
            + " restart the service")
      }
      if let mask {
        filter.show(identity: identity.description, mask: mask)
        masks.learn(identity: identity.description, mask: mask)
      } else {
        filter.show(identity: identity.description, key: nil)
      }
    }
    return filter
  }
}

/// Prints records as they come: masks lifted as far as asked for, a heading where a day begins.
private final class LogPrinter {
  private let out: StandardOutput
  private let isJSON: Bool
  private let line: LogLine
  private var masks: PlateMasks
  /// Where masks are looked for that are not known; nil where they stay.
  var learnsFrom: LoadedSettings?
  private var days = DayHeadings(.ofThisMachine)
  private var fold = RepeatFold()
  /// The names of all events that were read, whether shown or not.
  private(set) var names = Set<String>()

  init(out: StandardOutput, isJSON: Bool, look: ConsoleLook, masks: PlateMasks) {
    self.out = out
    self.isJSON = isJSON
    self.masks = masks
    line = LogLine(look)
  }

  /// Prints what the reader has now, of it the last so many.
  func print(_ reader: LogReader, _ filter: LogFilter, last: Int?, mayBeMissing: Bool) throws {
    var kept: [LogRecord] = []
    var failure: (any Error)?
    do {
      let isStopped = { failure != nil }
      try reader.read(isStopped: isStopped) { record in
        names.insert(record.name)
        guard failure == nil, filter.allows(record) else { return }
        guard let last else {
          do { try show(record) } catch { failure = error }
          return
        }
        kept.append(record)
        if kept.count >= 2 * max(last, 1_024) {
          kept.removeFirst(kept.count - last)
        }
      }
    } catch {
      // A service that has not written anything yet is waited for by whoever follows.
      guard case .missing = error, mayBeMissing else { throw error }
    }
    if let failure { throw failure }
    for record in kept.suffix(last ?? 0) {
      try show(record)
    }
    // The person who looks now sees now how often the last one came.
    for shown in fold.end() { try show(line: shown) }
    try out.flush()
  }

  private func show(_ masked: LogRecord) throws {
    var record = masked
    if let learnsFrom {
      // A database that cannot be read just now is no reason to stop: the mask is shown.
      try? masks.learnMissing(of: record, learnsFrom)
    }
    masks.lift(&record)
    guard !isJSON else { return try out.json(JSONValue.object(record.object)) }
    for shown in fold.take(record) { try show(line: shown) }
  }

  private func show(line record: LogRecord) throws {
    if let heading = days.heading(before: record.time) {
      try out.line(ShownText(alreadySafe: line.heading(heading)))
    }
    try out.line(ShownText(alreadySafe: line.text(record)))
  }
}
