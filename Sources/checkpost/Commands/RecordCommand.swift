import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import NodeCore
import NodeSQLite
import PassageFiles
import Passages
import PhotoFiles
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
      same keys. A photo_path that names a file here is copied as --photo is; another one is only \
      noted. What `queue export` writes is read as it is. A passage that is there already is not \
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
    help: TimeOption.help("When it passed, by default now"))
  var time: String?

  @Option(help: ArgumentHelp("The ranger's phone number.", valueName: "number"))
  var phone: String?

  @Option(
    help: ArgumentHelp("An identity that the passage has already: a UUID.", valueName: "uuid"))
  var clientID: String?

  @Option(
    help: ArgumentHelp(
      "Its photograph, JPEG or PNG of at most 2 MB, which is copied.", valueName: "path"),
    completion: .file())
  var photo: String?

  @Option(
    help: ArgumentHelp(
      "How urgent its text is: 0, 1 or 2; 2 goes first. Default: 1.", valueName: "level"))
  var priority: Int?

  @Option(
    help: ArgumentHelp(
      "A file of passages, CSV or JSON Lines; - for standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Flag(
    help:
      "Take times in the future of this machine's clock as they are: for what comes from elsewhere."
  )
  var anyTime = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if file != nil {
      guard plate == nil, type == nil, time == nil, clientID == nil, photo == nil else {
        throw ValidationError(
          "--file names the passages; leave out --plate, --type, --at, --client-id, --photo")
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
    let clocks = SystemClocks()
    var store: SQLiteNodeStore?
    defer { try? store?.close() }
    let checker = PassageChecker(
      settings: loaded.settings.node, now: clocks.wall(),
      state: SystemClockState(
        isSynchronised: SystemClocks.isSynchronised, hasBattery: SystemClocks.hasBattery()),
      future: anyTime ? nil : loaded.settings.central.clockWindow.future,
      boot: SystemClocks.bootIdentity())
    let socket = loaded.settings.control.socket
    let open = {
      let opened = try store ?? NodeDatabase.open(loaded)
      store = opened
      return opened
    }
    let byFile = {
      StoreSink(
        try open(), clocks: clocks,
        wake: { RunningService.tell(Operations.Wake(), socket: socket)?.clock })
    }
    let directory = DirectoryPhotos(PhotoDirectory(loaded.settings)) {
      try open().knownPhotos(among: $0)
    }
    let sink: any PassageSink
    let photos: any PhotoKeeper
    if let service = ServiceSink(loaded, fallback: byFile) {
      sink = service
      photos = ServicePhotos(socket: socket, fallback: directory)
    } else {
      sink = try byFile()
      photos = directory
    }
    var session = RecordSession(
      PassageRecording(
        into: sink, photos: photos, checker: checker, clocks: clocks, checkpost: checkpost),
      isJSON: output.isJSON)
    do {
      if let file {
        try session.record(file: file)
      } else {
        try session.record(row(at: clocks.wall()))
      }
    } catch {
      throw session.end(with: error)
    }
    try session.finish()
  }

  /// The passage that the options name.
  private func row(at now: WallTime) -> PassageRow {
    var row = PassageRow(line: 0)
    row.plate = plate
    row.vehicleType = type
    row.recordedAt = time.map { TimeOption.ofRow($0, now: now) } ?? now.rfc3339
    row.isNow = time == nil
    row.rangerPhone = phone
    row.photoPath = photo
    row.hasPhotoAtHand = photo != nil
    row.clientID = clientID
    row.priority = priority.map { String($0) }
    return row
  }
}

/// A recording as the command shows it.
struct RecordSession {
  private(set) var recording: PassageRecording
  private let isJSON: Bool
  private let out: StandardOutput
  private var name = ""

  init(
    _ recording: PassageRecording, isJSON: Bool,
    out: StandardOutput = StandardOutput(outlivesReader: true)
  ) {
    self.recording = recording
    self.isJSON = isJSON
    self.out = out
  }

  /// Records the passage of one row.
  mutating func record(_ row: PassageRow) throws {
    try recording.record(row, tell: RecordLines(name: name, isJSON: isJSON, out: out).show)
  }

  /// Records the passages of a file.
  mutating func record(file path: String) throws {
    let input = try InputFile(path)
    try record(path == "-" ? "standard input" : path, size: input.size, next: input.next)
  }

  /// Records the passages of what `next` gives block by block, until it gives nil. Without a size
  /// nobody knows when the next block will come.
  mutating func record<Failure: Error>(
    _ name: String, size: Int?, next: () throws(Failure) -> [UInt8]?
  ) throws {
    self.name = name
    var bar = ProgressBar("recording", total: size ?? 0)
    defer { bar.finish() }
    try recording.record(
      name, isSlow: size == nil, next: next,
      tell: RecordLines(name: name, isJSON: isJSON, out: out).show,
      progress: { [out] done in
        if size != nil { bar.show(done) } else { try out.flush() }
      })
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
    let kept = recording.counts.recorded + recording.counts.known
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
  /// - Throws: with 65 when a row was refused, with 64 when the options said it.
  func finish() throws {
    try out.flush()
    let (counts, checker) = (recording.counts, recording.checker)
    if let alarm = recording.clockAlarm { Diagnostics.say(alarm) }
    if counts.undated > 0 {
      let clock = LocalClock.ofThisMachine.whole(checker.now)
      let why =
        checker.isClockSet
        ? "a time lies in the future of this machine's clock, which shows \(clock), or so long ago that"
          + " no text can say it; set the clock if it is late (timedatectl)"
        : "this machine's clock shows \(clock); set it (timedatectl)"
      Diagnostics.say(
        "\(counts.undated) passage\(counts.undated == 1 ? " is" : "s are") recorded, and leave"
          + "\(counts.undated == 1 ? "s" : "") this post once the time is known: \(why)")
    }
    if counts.refused > 0 {
      // Of one passage all has been said, and it came by options.
      if name.isEmpty { throw ExitCode(ExitStatus.usage.code) }
      throw CommandFailure(
        .badData,
        "\(counts.refused) of \(counts.recorded + counts.known + counts.refused) passages"
          + (counts.refused == 1
            ? " was not recorded; correct it and hand it in again"
            : " were not recorded; correct those and hand them in again"))
    }
  }
}

/// What became of each row, as the command writes it.
private struct RecordLines {
  let name: String
  let isJSON: Bool
  let out: StandardOutput

  func show(_ event: PassageRecording.Event) throws {
    switch event {
    case .recorded(let line, .recorded(let client, queueID: let queueID), let isUndated):
      try show(line, client, "recorded", queueID, isUndated: isUndated)
    case .recorded(let line, let outcome, let isUndated):
      guard case .alreadyRecorded(let client, queueID: let queueID) = outcome else { return }
      try show(line, client, "already_recorded", queueID, isUndated: isUndated)
    case .photoLeftOut(let line, let words): try leaveOut(line, words)
    case .refused(let line, let words): try refuse(line, words)
    }
  }

  private func show(
    _ line: Int, _ client: ClientID, _ outcome: String, _ queueID: Int64, isUndated: Bool
  ) throws {
    guard isJSON else {
      try out.line(client.description)
      return
    }
    var object: [String: JSONValue] = [
      "client_id": .text(client.description), "outcome": .text(outcome),
      "queue_id": .integer(queueID),
    ]
    if line > 0 { object["line"] = .integer(Int64(line)) }
    if isUndated { object["undated"] = .flag(true) }
    try out.json(JSONValue.object(object))
  }

  private func leaveOut(_ line: Int, _ words: String) throws {
    try out.flush()
    let place = line > 0 ? "\(name), line \(line): " : ""
    let message = "the photograph is left out: \(words)"
    if isJSON {
      var object: [String: JSONValue] = ["error": "photo_left_out", "message": .text(message)]
      if line > 0 { object["line"] = .integer(Int64(line)) }
      try out.json(JSONValue.object(object))
    }
    Diagnostics.say(place + message)
  }

  private func refuse(_ line: Int, _ words: String) throws {
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
