import Control
import EventLoop
import Host
import JSON
import NodeCore
import NodeSQLite
import PassageFiles
import Passages
import Settings
import Text
import Time

/// One shift at the desk: each line is one passage, or asks for something. It is at the running service's
/// socket for everything but recording, which goes on without it.
struct DeskSession {
  private enum Limits {
    /// Passages that the list shows.
    static let listed = 5
    /// Vehicles that one line names or asks about.
    static let named = 5
  }

  private let loaded: LoadedSettings
  private let clocks: any Clocks
  private let columns: Int
  private let isColoured: Bool
  private let out: StandardOutput
  private let store: DeskStore
  /// What a line may speak of without naming it.
  private var memory = DeskMemory()
  /// Warnings of vehicles that were shown.
  private var warned: Set<String> = []
  /// Whether the last passage found no service, so that the next one does not wait for it.
  private var isAlone = false

  /// A shift that begins.
  ///
  /// - Parameter columns: Columns of the terminal.
  init(
    _ loaded: LoadedSettings, clocks: any Clocks, columns: Int, isColoured: Bool,
    out: StandardOutput
  ) {
    self.loaded = loaded
    self.clocks = clocks
    self.columns = columns
    self.isColoured = isColoured
    self.out = out
    store = DeskStore(loaded)
  }

  /// Says what was not recorded because its vehicle was never typed, and gives back what was opened.
  mutating func end() throws {
    defer { store.close() }
    if let left = memory.end() { try tellNotRecorded(left) }
  }

  private func tellNotRecorded(_ entry: EntryLine) throws {
    let plate = (try? Plate(entry.plate))?.display ?? entry.plate
    try warn(Diagnostics.notRecorded + "\(plate): its vehicle was not typed")
  }

  private var socket: String { loaded.settings.control.socket }
  private var words: RecordedWords { RecordedWords(now: clocks.wall()) }

  private func show(_ text: String, _ colour: Colour? = nil) throws {
    for line in WrappedText.lines(ForeignText.shown(text), columns: columns, indent: 2).enumerated()
    {
      let shown = (line.offset == 0 ? "" : "  ") + line.element
      try out.line(
        colour?.paint(shown, if: isColoured) ?? ShownText(alreadySafe: shown))
    }
  }

  /// A warning that is heard as well.
  private func warn(_ text: String) throws {
    try out.raw("\u{07}")
    try show("! " + text, .warning)
  }

  /// What the desk begins with.
  func begin() throws {
    try show("checkpost desk. A plate and a vehicle: ba1pa1234 c. More: ?")
    try status()
  }

  /// What stands before a line that is typed.
  var prompt: String {
    memory.pending.map { "\($0.plate)? " } ?? "> "
  }

  /// Does what a line asks for.
  ///
  /// - Returns: false at the end of the shift.
  mutating func take(_ line: String) throws -> Bool {
    let (asked, dropped) = memory.take(DeskLine(line))
    do {
      if let dropped { try tellNotRecorded(dropped) }
      switch asked {
      case .empty: break
      case .quit: return false
      case .help: try help()
      case .wrong(let words): try show(words, .warning)
      case .last: try last()
      case .status: try status()
      case .warnings: try overdue()
      case .expected: try expected()
      case .entry(let entry): try enter(entry)
      case .type: try show("Type the plate first: ba1pa1234 \(line.prefix(3))", .warning)
      case .digits(let digits, let type): try complete(digits, type)
      case .correct(let queueID, let plate, let type): try correct(queueID, plate, type)
      case .undo(let queueID): try undo(queueID)
      }
    } catch {
      guard let failure = CommandFailure(error) else { throw error }
      try warn(failure.message)
    }
    try lookForOverdue()
    return true
  }

  // MARK: Recording

  private mutating func enter(_ entry: EntryLine) throws {
    guard let typed = entry.type else {
      do {
        let plate = try Plate(entry.plate)
        memory.ask(for: entry)
        try show("\(plate.display): which vehicle? \(DeskSession.types)")
      } catch {
        try warn(Diagnostics.notRecorded + "plate: \(error)")
      }
      return
    }
    var row = PassageRow(line: 0)
    let now = clocks.wall()
    row.plate = entry.plate
    row.vehicleType = EntryLine.type(typed)?.rawValue ?? typed
    row.isNow = entry.time == nil
    row.recordedAt = entry.time.map { TimeOption.ofRow($0, now: now) } ?? now.rfc3339
    if let time = entry.time, let row = row.recordedAt, TimeText.parse(row) == nil {
      return try warn(Diagnostics.notRecorded + "\(time) is no time; write 18:10")
    }
    if EntryLine.type(typed) == nil {
      // It has to be a plate to be asked about.
      if (try? Plate(entry.plate)) != nil { memory.ask(for: entry) }
      try warn("\(typed) is no vehicle. \(DeskSession.types)")
      return
    }
    try record(row, now)
  }

  private mutating func record(_ row: PassageRow, _ now: WallTime) throws {
    let checker = PassageChecker(
      settings: loaded.settings.node, now: now,
      state: SystemClockState(
        isSynchronised: SystemClocks.isSynchronised, hasBattery: SystemClocks.hasBattery()),
      future: loaded.settings.central.clockWindow.future, boot: SystemClocks.bootIdentity())
    var events: [PassageRecording.Event] = []
    do {
      let sinks = RecordingSinks(
        loaded, clocks: clocks, patience: isAlone ? .zero : RecordingSinks.patience,
        open: store.open)
      var recording = PassageRecording(
        into: try sinks.sink(), checker: checker, clocks: clocks, checkpost: nil)
      try recording.record(row) { events.append($0) }
      if let alarm = recording.clockAlarm { try warn(alarm) }
    } catch {
      guard let failure = CommandFailure(error) else { throw error }
      return try warn(Diagnostics.notRecorded + failure.message)
    }
    for event in events {
      switch event {
      case .refused(_, let words): try warn(Diagnostics.notRecorded + words)
      case .photoLeftOut, .photoScaled: break
      case .recorded(let done):
        isAlone = done.keptIn != nil
        let look = RecordLook(at: done, socket: socket, store: store.opened, now: clocks.wall())
        try tell(done, look)
      }
    }
  }

  private mutating func tell(_ done: PassageRecording.Recorded, _ look: RecordLook) throws {
    let sentences = words.sentences(done, look.report)
    for (index, sentence) in sentences.enumerated() {
      try show(sentence, index == 0 ? .strong : .faint)
    }
    memory.recorded(done.outcome, isKept: done.keptIn != nil)
    for warning in look.warnings { try warn(warning.words) }
    for alert in done.alerts.map({ AlertReport($0) }) {
      warned.insert(alert.kind + alert.clientID)
      try out.lines(words.banner(alert, columns: columns, isColoured: isColoured))
    }
  }

  // MARK: Completing

  /// Records the one vehicle that is expected, or was here, and whose plate ends so.
  private mutating func complete(_ digits: String, _ type: String?) throws {
    var found: [(plate: String, display: String, type: String?)] = []
    if let coming = try? ControlClient(path: socket).ask(Operations.Expected(ending: digits)) {
      found = coming.vehicles.map { ($0.plate, $0.plateDisplay, $0.vehicleType) }
    }
    if found.isEmpty {
      found = recent(DeskLimits.searched)
        .filter { $0.plate.hasSuffix(digits) && $0.next != "withdrawn" }
        .map { ($0.plate, $0.plateDisplay, $0.vehicleType) }
    }
    var known: Set<String> = []
    found = found.filter { known.insert($0.plate).inserted }
    guard let only = found.first else {
      return try warn("No vehicle is expected, or was here lately, whose plate ends in \(digits).")
    }
    guard found.count == 1 else {
      return try show(
        "Which one? " + found.prefix(Limits.named).map(\.display).joined(separator: "; "), .warning)
    }
    var entry = EntryLine(only.plate)
    entry?.type = type ?? only.type
    if let entry { try enter(entry) }
  }

  // MARK: The last ones

  private func recent(_ count: Int) -> [RecentPassage] {
    if let answer = try? ControlClient(path: socket).ask(Operations.Passages(last: count)) {
      return answer.passages
    }
    guard let store = try? store.open() else { return [] }
    var query = QueueQuery()
    (query.beforeID, query.limit) = (.max, count)
    let items = try? store.list(query).map { try store.corrected($0) }
    return (items ?? []).map { RecentPassage($0) }
  }

  private func last() throws {
    let passages = recent(Limits.listed)
    if passages.isEmpty { try show("Nothing is recorded, or the service does not run.") }
    for passage in passages.reversed() {
      let time = WallTime(rfc3339: passage.recordedAt).map {
        words.clock.text($0, seenFrom: clocks.wall())
      }
      try show(
        "\(passage.queueID): \(passage.plateDisplay), \(passage.vehicleType), "
          + (passage.isUndated ? "time not known" : time ?? passage.recordedAt)
          + (passage.next == "withdrawn" ? ", withdrawn" : ""))
    }
  }

  /// The passage that is meant: a number, or the last one of this shift.
  private func meant(_ queueID: Int64?) throws -> Int64 {
    if let queueID { return queueID }
    switch memory.last {
    case .number(let queueID): return queueID
    case .none:
      throw CommandFailure(
        .usage, "nothing was recorded in this shift; name a number: l lists the last")
    case .kept:
      throw CommandFailure(
        .tryAgain,
        "the last passage waits for the service and has no number yet; once that runs, l lists it")
    }
  }

  private func correct(_ queueID: Int64?, _ plate: String?, _ type: VehicleType?) throws {
    let number = try meant(queueID)
    let asked = Operations.QueueCorrect("\(number)", plate: plate, type: type?.rawValue)
    for change in try QueueAccess(loaded).change(asked, { try $0.correct(asked) }).changes {
      let words = "\(number) \(change.passage.plate): \(change.message)"
      try change.done ? show(words, .strong) : warn(words)
    }
  }

  private mutating func undo(_ queueID: Int64?) throws {
    let number = try meant(queueID)
    let asked = Operations.QueueWithdraw(["\(number)"], reason: "taken back at the desk")
    for change in try QueueAccess(loaded).change(asked, { try $0.withdraw(asked) }).changes {
      let words = "\(number) \(change.passage.plate): \(change.message)"
      guard change.done else {
        try warn(words)
        continue
      }
      memory.forget(number)
      try show(words, .strong)
    }
  }

  // MARK: How it stands

  private func status() throws {
    guard let status = try? ControlClient(path: socket).ask(Operations.Status()) else {
      return try show("The service does not answer; passages are kept for it.", .bad)
    }
    var parts = [status.connectivity?.state ?? "no server"]
    if let queue = status.queue {
      parts.append("\(queue.waiting ?? queue.pending) waiting")
      if let stuck = queue.stuck, stuck > 0 { parts.append("\(stuck) stuck") }
    }
    if let warnings = status.warnings, warnings.overdue > 0 {
      parts.append("\(warnings.overdue) overdue")
    }
    let summary = StatusPage.summary(status)
    if summary.colour != .good { parts.append(summary.words) }
    try show(parts.joined(separator: ", "), summary.colour == .good ? .good : .warning)
  }

  private func overdue() throws {
    let warnings = try ControlClient(path: socket).ask(Operations.Warnings(isOpen: true)).warnings
      .sorted { $0.entryAt < $1.entryAt }
    if warnings.isEmpty { try show("No vehicle is overdue.") }
    for warning in warnings {
      try show(
        OverdueCommand.words(warning, TimeWords(seenAt: clocks.wall(), clock: words.clock)),
        .warning)
    }
  }

  private func expected() throws {
    let vehicles = try ControlClient(path: socket).ask(Operations.Expected()).vehicles
    if vehicles.isEmpty { try show("No vehicle is expected from the other post.") }
    func minute(_ text: String) -> String {
      WallTime(rfc3339: text).map {
        String(words.clock.text($0, seenFrom: clocks.wall()).dropLast(3))
      } ?? text
    }
    for vehicle in vehicles {
      let name = [vehicle.plateDisplay, vehicle.vehicleType].compactMap { $0 }
      try show(
        "\(name.joined(separator: ", ")): not before \(minute(vehicle.notBefore)), not after"
          + " \(minute(vehicle.notAfter))")
    }
  }

  /// Tells of vehicles that became overdue since it last looked, each once and with a sound.
  mutating func lookForOverdue() throws {
    guard
      let warnings = try? ControlClient(path: socket).ask(
        Operations.Warnings(isOpen: true), timeout: .seconds(2)
      ).warnings
    else { return }
    for warning in warnings where warned.insert(warning.kind + warning.clientID).inserted {
      try out.lines(words.banner(warning, columns: columns, isColoured: isColoured))
    }
  }

  /// The short names of the types.
  static let types = EntryLine.types.map { type in
    "\(type.names[0]) \(type.type.rawValue)"
  }.joined(separator: ", ")

  private func help() throws {
    for line in [
      "ba1pa1234 c    record it, now",
      "ba1pa1234 c 18:10    it passed at 18:10",
      "1234    the vehicle that is expected, or was here, whose plate ends so",
      "= ba1pa1235    the last one was this plate; = b: it was a bus; =7 …: number 7",
      "u    the last one never was; u 7: number 7",
      "l    the last ones", "i    who is expected from the other post", "w    who is overdue",
      "s    how it stands", "q    the end",
      "Vehicles: " + DeskSession.types,
      "In Nepali: "
        + EntryLine.types.map { "\($0.names[1]) \($0.type.rawValue)" }.joined(separator: ", "),
    ] { try show(line) }
  }
}

/// The bounds of the desk.
enum DeskLimits {
  /// Passages that are looked at for a plate that ends so.
  static let searched = 200
}

/// The node's database for a user who may open it, opened when it is needed.
final class DeskStore {
  private let loaded: LoadedSettings
  private(set) var opened: SQLiteNodeStore?

  /// A database that is not open.
  init(_ loaded: LoadedSettings) {
    self.loaded = loaded
  }

  /// The open database.
  func open() throws -> SQLiteNodeStore {
    let store = try opened ?? NodeDatabase.open(loaded)
    opened = store
    return store
  }

  /// Closes it.
  func close() {
    try? opened?.close()
    opened = nil
  }
}
