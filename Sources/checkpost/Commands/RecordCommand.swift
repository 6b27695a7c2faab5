import ArgumentParser
import Control
import EventLoop
import Glibc
import JSON
import NodeCore
import NodeSQLite
import Passages
import Settings
import Storage
import Time

/// `checkpost record`: hands passages to the queue. When it says so, they are on disk.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Hand passages to the queue: one by its options, or those of a file.",
    discussion: """
      Prints one client_id a line, in the order of the input. A row that cannot be recorded is \
      reported with its line number, the others are recorded all the same, and the exit code is \
      then 65. A CSV file has the columns recorded_at, plate and vehicle_type, and may have \
      checkpost, ranger_phone or ranger_phone_suffix (its last four digits), ranger, segment, \
      photo_path, client_id, priority and v1 (the text that it has to become); JSON Lines have the \
      same keys. What `queue export` writes is read as it is. A passage that is there already is not \
      recorded twice. From a pipe or a terminal each passage is recorded as it comes.
      """)

  @Option(help: ArgumentHelp("The plate, in Latin or Devanagari letters.", valueName: "plate"))
  var plate: String?

  @Option(help: ArgumentHelp("The type: car, truck and so on, or its code.", valueName: "type"))
  var type: String?

  @Option(
    help: ArgumentHelp("The post; by default that of the configuration.", valueName: "code"))
  var checkpost: String?

  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: ArgumentHelp(
      "When it passed: RFC 3339, or whole seconds since 1970. Default: now.", valueName: "time"))
  var time: String?

  @Option(help: ArgumentHelp("The ranger's phone number.", valueName: "number"))
  var phone: String?

  @Option(
    help: ArgumentHelp("An identity that the passage has already: a UUID.", valueName: "uuid"))
  var clientID: String?

  @Option(help: ArgumentHelp("Where its photograph lies.", valueName: "path"))
  var photo: String?

  @Option(
    help: ArgumentHelp(
      "How urgent its text is: 0, 1 or 2; 2 goes first. Default: 1.", valueName: "level"))
  var priority: Int?

  @Option(
    help: ArgumentHelp(
      "A file of passages, CSV or JSON Lines; - for standard input.", valueName: "file"))
  var file: String?

  @Flag(help: "Take times in the future of this machine's clock.")
  var anyTime = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if file != nil {
      guard plate == nil, type == nil, time == nil, clientID == nil else {
        throw ValidationError(
          "--file names the passages; leave out --plate, --type, --at, --client-id")
      }
    } else if plate == nil || type == nil {
      throw ValidationError("name a passage by --plate and --type, or a file by --file")
    }
    if let phone, let words = PhoneText.problem(with: phone) {
      throw ValidationError("--phone \(phone): \(words)")
    }
  }

  func run() throws {
    let loaded = try settings.load()
    if let photo, access(photo, R_OK) != 0 {
      Diagnostics.say(
        "--photo \(photo): there is no such file that can be read; the passage is recorded with that"
          + " path, put the photograph there")
    }
    let clocks = SystemClocks()
    let store = try NodeDatabase.open(loaded)
    defer { try? store.close() }
    let judge = PassageChecker(
      settings: loaded.settings.node, now: clocks.wall(),
      future: anyTime ? nil : loaded.settings.central.clockWindow.future,
      boot: SystemClocks.bootIdentity())
    let socket = loaded.settings.control.socket
    var session = RecordSession(
      store: store, judge: judge, clocks: clocks, isJSON: output.isJSON, checkpost: checkpost,
      wake: { RunningService.tell(Operations.Wake(), socket: socket)?.clock })
    do {
      if let file {
        try session.record(file: file)
      } else {
        try session.record(
          PassageRow(
            line: 0, plate: plate, vehicleType: type, checkpost: checkpost,
            recordedAt: time ?? clocks.wall().rfc3339, isNow: time == nil, rangerPhone: phone,
            ranger: nil, segment: nil, photoPath: photo, clientID: clientID,
            priority: priority.map { String($0) }))
      }
    } catch {
      throw session.end(with: error)
    }
    try session.finish()
  }
}

/// Passages on their way into the store: many to a transaction, each reported.
struct RecordSession {
  /// Rows to one transaction: one fsync for all of them.
  private static let batch = 500

  let store: SQLiteNodeStore
  private var judge: PassageChecker
  let clocks: any Clocks
  let isJSON: Bool
  /// The post of rows that name none.
  let checkpost: String?
  /// Tells the service that there is something new; what it knows against this machine's clock.
  private let wake: () -> String?
  private var clockWords: String?
  private let out: StandardOutput
  private var pending: [(row: PassageRow, request: RecordRequest)] = []
  private(set) var recorded = 0
  private(set) var known = 0
  private(set) var refused = 0
  /// Those among the recorded ones of which nobody knows when they were.
  private(set) var undated = 0
  private var name = ""

  init(
    store: SQLiteNodeStore, judge: PassageChecker, clocks: any Clocks, isJSON: Bool,
    checkpost: String?,
    wake: @escaping () -> String? = { nil },
    out: StandardOutput = StandardOutput(outlivesReader: true)
  ) {
    self.store = store
    self.judge = judge
    self.clocks = clocks
    self.isJSON = isJSON
    self.checkpost = checkpost
    self.wake = wake
    self.out = out
  }

  /// Records the passage of one row.
  mutating func record(_ row: PassageRow) throws {
    try take(.success(row))
    try commit()
  }

  /// Records the passages of a file.
  mutating func record(file path: String) throws {
    let input = try InputFile(path)
    try record(path == "-" ? "standard input" : path, size: input.size, next: input.next)
  }

  /// Records the passages of what `next` gives block by block, until it gives nil. Without a size
  /// nobody knows when the next block will come: what came is then recorded, and told, before it is
  /// waited for.
  ///
  /// - Throws: what `next` throws, and for what is no table of passages. What was read before that
  ///   is recorded.
  mutating func record(
    _ name: String, size: Int?, next: () throws(CommandFailure) -> [UInt8]?
  ) throws {
    self.name = name
    var reader = PassageReader(name: name)
    var bar = ProgressBar("recording", total: size ?? 0)
    defer { bar.finish() }
    var done = 0
    while let block = try block(from: next) {
      judge.now = clocks.wall()
      for entry in try read({ try reader.read(block) }) { try take(entry) }
      done += block.count
      if size != nil {
        bar.show(done)
      } else {
        try commit()
        try out.flush()
      }
    }
    for entry in try read({ try reader.finish() }) { try take(entry) }
    try commit()
  }

  /// The next block. When it cannot be read, what was read before is recorded all the same.
  private mutating func block(
    from next: () throws(CommandFailure) -> [UInt8]?
  ) throws -> [UInt8]? {
    do throws(CommandFailure) {
      return try next()
    } catch {
      do {
        try commit()
      } catch let storage as StorageError {
        // Who reads of the file alone would take those passages for recorded.
        throw CommandFailure(
          storage.status,
          "\(error.message); what was read before that is not recorded: \(storage.description)")
      }
      throw error
    }
  }

  /// What a reader makes of a block, its failure under the name of the file.
  private func read(_ body: () throws -> [PassageReader.Entry]) throws -> [PassageReader.Entry] {
    do {
      return try body()
    } catch let failure as CommandFailure {
      throw CommandFailure(failure.status, "\(name): \(failure.message)")
    }
  }

  /// What a session that `error` ends early ends with: what was recorded before is told, since it is
  /// on disk and will be sent.
  func end(with error: any Error) -> any Error {
    guard var failure = CommandFailure(error) else { return error }
    do {
      try out.flush()
    } catch {
      return failure
    }
    let kept = recorded + known
    if kept > 0 {
      failure.message +=
        (failure.message.hasSuffix(".") ? "" : ".")
        + " \(kept) passage\(kept == 1 ? " was" : "s were") recorded before that; hand all of them in"
        + " again, none is recorded twice"
    }
    return failure
  }

  /// Says what came of it all.
  ///
  /// - Throws: with 65 when a row was refused.
  func finish() throws {
    try out.flush()
    if let clockWords { Diagnostics.say(clockWords) }
    if undated > 0 {
      let why =
        judge.isClockSet
        ? "a text cannot say a time so long ago"
        : "this machine's clock shows \(judge.now.rfc3339); set it (timedatectl)"
      Diagnostics.say(
        "\(undated) passage\(undated == 1 ? " was" : "s were") recorded without a time that can be"
          + " right, and will not be texted: \(why)")
    }
    if refused > 0 {
      // Of one passage all has been said.
      if name.isEmpty { throw ExitCode(ExitStatus.badData.code) }
      throw CommandFailure(
        .badData,
        "\(refused) of \(recorded + known + refused) passages were not recorded; correct those and"
          + " hand them in again")
    }
  }

  private mutating func take(_ entry: PassageReader.Entry) throws {
    switch entry {
    case .failure(let fault):
      try refuse(line: fault.line, fault.words)
    case .success(var row):
      row.checkpost = row.checkpost ?? checkpost
      do {
        pending.append((row, try judge.request(row)))
        if pending.count >= RecordSession.batch { try commit() }
      } catch let fault as PassageChecker.Fault {
        try refuse(line: row.line, fault.words)
      }
    }
  }

  private mutating func commit() throws {
    guard !pending.isEmpty else { return }
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    let rows = pending
    pending = []
    let outcomes = try store.record(rows.map(\.request), at: moment)
    // At once: more may come in an hour, or never.
    clockWords = wake()
    for ((row, request), outcome) in zip(rows, outcomes) {
      switch outcome {
      case .recorded(let client, let queueID):
        recorded += 1
        if request.passage.isUndated { undated += 1 }
        try show(row, client, "recorded", queueID, isUndated: request.passage.isUndated)
      case .alreadyRecorded(let client, let queueID):
        known += 1
        try show(
          row, client, "already_recorded", queueID, isUndated: request.passage.isUndated)
      case .identityTaken(let client):
        try refuse(line: row.line, "client_id \(client): belongs to another passage already")
      }
    }
  }

  private func show(
    _ row: PassageRow, _ client: ClientID, _ outcome: String, _ queueID: Int64, isUndated: Bool
  ) throws {
    guard isJSON else {
      try out.line(client.description)
      return
    }
    var object: [String: JSONValue] = [
      "client_id": .text(client.description), "outcome": .text(outcome),
      "queue_id": .integer(queueID),
    ]
    if row.line > 0 { object["line"] = .integer(Int64(row.line)) }
    if isUndated { object["undated"] = .flag(true) }
    try out.json(JSONValue.object(object))
  }

  private mutating func refuse(line: Int, _ words: String) throws {
    refused += 1
    try out.flush()
    let place = line > 0 ? "\(name), line \(line): " : ""
    if isJSON {
      var object: [String: JSONValue] = ["error": "bad_passage", "message": .text(words)]
      if line > 0 { object["line"] = .integer(Int64(line)) }
      try out.json(JSONValue.object(object))
    }
    Diagnostics.say(place + words)
  }
}
