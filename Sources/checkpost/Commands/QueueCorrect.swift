import ArgumentParser
import Control
import EventLoop
import Host
import JSON
import NodeCore
import NodeSQLite
import Passages
import Settings
import Time

/// `queue correct`.
struct QueueCorrect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correct",
    abstract: "Correct the plate of a passage, and the type of its vehicle.",
    discussion: """
      Before anything of it left, the passage itself is made right. After that it stays as it was sent, \
      and the correction goes to the server behind it. Without a server there is no way to correct what \
      was texted: the right passage is recorded again and texted in its place.
      """)

  @Argument(help: "The passage: its number in the queue, or its client_id or the beginning of it.")
  var passage: String

  @Option(help: ArgumentHelp("The right plate.", valueName: "plate"))
  var plate: String?

  @Option(help: ArgumentHelp("The right type of the vehicle.", valueName: "type"))
  var type: String?

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let asked = Operations.QueueCorrect(passage, plate: plate, type: type)
    try QueueChange.run(settings, output, asked) { try $0.correct(asked) }
  }
}

/// `queue conflicts`.
struct QueueConflicts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "List the passages that the server has otherwise, and decide which counts.",
    discussion: """
      Both are kept. Without --resolve the conflicts are listed, the newest first; with it those of the \
      passages that are named are decided.
      """)

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String] = []

  @Option(
    help: ArgumentHelp(
      "Which counts: server_wins, client_wins, last_write_wins or merge.", valueName: "which"))
  var resolve: String?

  @Flag(help: "Also those that are decided.")
  var all = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    guard let resolve else {
      guard passages.isEmpty else {
        throw CommandFailure(.usage, "say with --resolve which counts")
      }
      return try list()
    }
    guard let resolution = ConflictResolution(rawValue: resolve), resolution != .manual else {
      throw CommandFailure(
        .usage,
        "--resolve \(resolve): is none of server_wins, client_wins, last_write_wins, merge")
    }
    guard !passages.isEmpty else {
      throw CommandFailure(.usage, "--resolve: name the passages that are decided")
    }
    let loaded = try settings.load()
    let store = try NodeDatabase.open(loaded)
    defer { try? store.close() }
    let desk = QueueDesk(store, loaded.settings, clocks: SystemClocks())
    let answer = try desk.resolve(passages, as: resolution)
    if answer.changes.contains(where: \.done) {
      RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
    }
    try QueueChange.tell(answer, output)
  }

  private func list() throws {
    let loaded = try settings.load()
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    let out = StandardOutput()
    let found = try store.conflicts(limit: NodeCore.Limits.page, onlyOpen: !all)
    for conflict in found {
      let (ours, theirs) = (conflict.ours, conflict.theirs)
      if output.isJSON {
        try out.json(
          JSONValue.object([
            "queue_id": .integer(conflict.queueID),
            "client_id": .text(ours.clientID.description),
            "plate_number": .text(ours.plate.compact),
            "vehicle_type": .text(ours.vehicleType.rawValue),
            "recorded_at": .text(ours.recordedAt.rfc3339),
            "server_id": .text(theirs.serverID),
            "server_plate_number": .text(theirs.plate),
            "server_vehicle_type": theirs.vehicleType.map { .text($0) } ?? .null,
            "server_recorded_at": .text(theirs.recordedAt.rfc3339),
            "found_at": .text(conflict.foundAt.rfc3339),
            "resolution": conflict.resolution.map { .text($0.rawValue) } ?? .null,
          ]))
      } else {
        let clock = LocalClock.ofThisMachine
        let decided = conflict.resolution?.rawValue ?? "open"
        try out.line(
          "\(conflict.queueID)  here \(ours.plate.display) \(ours.vehicleType.rawValue)"
            + " \(clock.whole(ours.recordedAt))")
        try out.line(
          "   server \(theirs.plate) \(theirs.vehicleType ?? "?")"
            + " \(clock.whole(theirs.recordedAt))  (\(decided))")
      }
    }
    if found.isEmpty, !output.isJSON { try out.line("no conflicts") }
    try out.flush()
  }
}
