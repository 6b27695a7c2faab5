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
      At a terminal it says what was recorded, under which number, what happens next, and what a person \
      should look at: a vehicle that was too fast or too slow, the same plate within a minute. Whatever else \
      reads its output gets one client_id a line, in the order of the input. While the service does not run, \
      a member of its group records all the same: the passage is kept, and the service takes it in when it \
      starts. What is recorded nowhere is told by NOT RECORDED. A row that cannot be recorded is \
      reported with its line number, the others are recorded all the same, and the exit code is \
      then 65. A CSV file has the columns recorded_at, plate and vehicle_type, and may have \
      checkpost, ranger_phone or ranger_phone_suffix (its last four digits), ranger, segment, \
      photo_path, client_id, priority and v1 (the text that it has to become); JSON Lines have the \
      same keys. A photo_path that names a file here is copied as --photo is; another one is only \
      noted. What `queue export` writes is read as it is. A passage that is there already is not \
      recorded twice. From a pipe or a terminal each passage is recorded as it comes; there a row without a time \
      is of now, 18:10 is today, and lines without columns are read as well: BA 1 PA 1234 car 18:10.
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
      "Its photograph, JPEG or PNG, which is copied; of more than 2 MB a smaller one is made.",
      valueName: "path"),
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
    let clocks = SystemClocks()
    var store: SQLiteNodeStore?
    defer { try? store?.close() }
    let (loaded, wrong) = try usableSettings()
    let checker = PassageChecker(
      settings: loaded.settings.node, now: clocks.wall(),
      state: SystemClockState(
        isSynchronised: SystemClocks.isSynchronised, hasBattery: SystemClocks.hasBattery()),
      future: anyTime ? nil : loaded.settings.central.clockWindow.future,
      boot: SystemClocks.bootIdentity())
    let open = {
      let opened = try store ?? NodeDatabase.open(loaded)
      store = opened
      return opened
    }
    let sinks = RecordingSinks(loaded, clocks: clocks, open: open)
    let socket = loaded.settings.control.socket
    let place = PhotoDirectory(loaded.settings)
    let photos = DirectoryPhotos(
      place, known: { try open().knownPhotos(among: $0) },
      demandRoom: { photograph in
        do {
          try RoomMaker(try open(), place, clocks: clocks).demandRoom(for: photograph)
        } catch let error as StorageError where error.kind == .denied {
          throw PhotoNotKept(
            "the service does not run, and without it this user may not keep photographs; the file stays where"
              + " it is")
        }
      })
    do {
      let sink: any PassageSink
      if let wrong {
        guard let other = sinks.sinkWithoutSettings() else { throw wrong }
        Diagnostics.say(
          "the configuration is wrong, the passage is recorded all the same: \(wrong)")
        sink = other
      } else {
        sink = try sinks.sink()
      }
      var session = RecordSession(
        PassageRecording(
          into: sink,
          photos: sink is ServiceSink ? ServicePhotos(socket: socket, fallback: photos) : photos,
          scaler: PhotoScaler(
            path: getenv("PATH").map { String(cString: $0) } ?? "", clocks: clocks),
          checker: checker, clocks: clocks, checkpost: checkpost,
          readTime: file == "-" ? { TimeOption.ofRow($0, now: $1) } : nil),
        isJSON: output.isJSON,
        look: file == nil
          ? { RecordLook(at: $0, socket: socket, store: store, now: clocks.wall()) } : nil)
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
    } catch let error where !(error is ExitCode) {
      throw RecordSession.notRecorded(error)
    }
  }

  /// The settings, or what can be read of them where they are wrong: nobody's passage is refused for that.
  private func usableSettings() throws -> (LoadedSettings, wrong: SettingsError?) {
    do {
      return (try settings.load(), nil)
    } catch let error as SettingsError {
      if case .missing = error { throw RecordSession.notRecorded(error) }
      var loaded = settings.readable()
      // The service knows which post it is.
      if loaded.settings.node.checkpost == nil {
        loaded.settings.node.checkpost = RecordingSinks.unknownPost
      }
      return (loaded, error)
    }
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
