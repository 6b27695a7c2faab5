import ArgumentParser
import CentralCore
import CentralService
import Control
import EventLoop
import Glibc
import Host
import JSON
import PassageFiles
import Settings
import Text
import Time

/// `central replay`: processes messages once more.
struct CentralReplay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract:
      "Process the texts of the inbox again, into another database or from an exported file.",
    discussion: """
      Of the same texts by the same directory comes the same: passages, pairs and violations. --into \
      names an SQLite file, which is made where there is none, with the directory of the central's own \
      store; without it they go into the central's own store, where what is there already is only \
      counted. --dry-run does it in a copy of the file, and of a central on PostgreSQL in an empty file with its \
      directory. --from reads what `central export inbox` wrote. Passages that were uploaded are no \
      texts, and are not in the inbox; a text that an operator let through with a rule set aside is \
      held to the rules again.
      """)

  @Option(
    help: ArgumentHelp("A file of the inbox; by default the inbox itself.", valueName: "file"),
    completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp("The database to process them into.", valueName: "file"),
    completion: .file())
  var into: String?

  @Option(help: TimeOption.help("Only those that came then or later"))
  var since: String?

  @Option(help: TimeOption.help("Only those that came before"))
  var until: String?

  @Flag(help: "Do it in a copy that is thrown away, and say what would come of it.")
  var dryRun = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if from == nil, into == nil {
      throw ValidationError("name a file of messages by --from, or a database by --into")
    }
  }

  func run() throws {
    let settings = try database.settings.load().settings.central
    let range = try TimeOption.range(since: since, until: until)
    let own = try database.open(for: into == nil && !dryRun ? .changing : .reading)
    defer { try? own.close() }
    let target = try target(own, settings)
    defer { target.end() }
    let source = try from.map { try MessageFile($0) }
    let keeping = try source == nil ? own.keeping() : nil
    let total = try source == nil ? own.overview().received : 0
    var bar = ProgressBar("replaying", total: max(1, total), isQuiet: output.isJSON || total == 0)
    var replayer = CentralReplayer(store: target.store, rules: try CentralRules(settings))
    var after: Int64 = 0
    var looked = 0
    while true {
      let page =
        try source?.next(500) ?? keeping?.messages(after: after, limit: 500) ?? []
      guard let last = page.last else { break }
      after = last.item.id
      looked += page.count
      try replayer.take(
        page.filter { message in
          let at = message.item.receivedAt
          return range.since.map { $0 <= at } ?? true && range.until.map { at < $0 } ?? true
        })
      bar.show(looked)
    }
    try replayer.finish(at: SystemClocks().wall())
    bar.finish()
    try show(replayer.replayed)
    if into == nil, !dryRun { try database.wakeService() }
  }

  /// The store that messages go into.
  private func target(
    _ own: any OpenedCentralStore, _ settings: Settings.Central
  ) throws -> ReplayTarget {
    guard dryRun else {
      guard let into else { return ReplayTarget(own) }
      return try ReplayTarget(CentralStores.open(file: into, for: .service), own)
    }
    guard let copied = into ?? ownFile(settings) else {
      Diagnostics.say(
        "tried in an empty database with the central's directory: what is there already counts as new"
      )
      let trial = try TrialDirectory()
      return try ReplayTarget(
        CentralStores.open(file: trial.path + "/central.db", for: .filling), own, in: trial)
    }
    let trial = try TrialDirectory(beside: copied)
    let draft = trial.path + "/central.db"
    if access(copied, F_OK) == 0 { try CentralStores.copy(file: copied, to: draft) }
    return try ReplayTarget(CentralStores.open(file: draft, for: .filling), own, in: trial)
  }

  /// The file that the central has all in; nil where a server has it.
  private func ownFile(_ settings: Settings.Central) -> String? {
    database.database ?? (settings.store == .sqlite ? settings.database : nil)
  }

  private func show(_ replayed: Replayed) throws {
    let out = StandardOutput()
    let refused = replayed.refused.values.reduce(0, +)
    if output.isJSON {
      try out.json(
        JSONValue.object([
          "messages": .integer(Int64(replayed.messages)), "known": .integer(Int64(replayed.known)),
          "passages": .integer(Int64(replayed.passages)),
          "duplicates": .integer(Int64(replayed.duplicates)),
          "undecodable": .object(replayed.refused.mapValues { .integer(Int64($0)) }),
          "pairs": .integer(Int64(replayed.pairs)),
          "violations": .integer(Int64(replayed.violations)), "kept": .flag(!dryRun),
        ]))
    } else {
      try out.line(
        "\(dryRun ? "would process" : "processed"): messages \(replayed.messages), of them"
          + " \(replayed.known) that were there; passages \(replayed.passages), duplicates"
          + " \(replayed.duplicates), no passage \(refused); pairs \(replayed.pairs), violations"
          + " \(replayed.violations)")
      for (reason, count) in replayed.refused.sorted(by: { $0.key < $1.key }) {
        try out.line("  \(reason): \(count)")
      }
    }
    try out.flush()
  }
}

/// A store that messages are processed into.
private struct ReplayTarget {
  let store: any CentralStore
  private let trial: TrialDirectory?

  /// The central's own.
  init(_ own: any CentralStore) {
    store = own
    trial = nil
  }

  /// Another one, which gets the directory where it has none.
  init(
    _ store: any CentralStore, _ own: any CentralStore, in trial: TrialDirectory? = nil
  ) throws {
    self.store = store
    self.trial = trial
    guard try store.posts().isEmpty, try store.segments().isEmpty else { return }
    var entries: [DirectoryEntry] = try own.segments().map { .segment($0) }
    entries += try own.posts().map { .post($0, knowing: [.place, .phone]) }
    entries += try ReplayTarget.services(own)
    entries += try own.numbers().map { .number($0) }
    _ = try store.put(entries)
  }

  /// Every ranger at one post after the other, as they served there.
  private static func services(_ store: any CentralStore) throws -> [DirectoryEntry] {
    var names: [PhoneNumber: String] = [:]
    for ranger in try store.rangers() { names[ranger.phone] = ranger.name }
    return try store.assignments().compactMap { assignment in
      names[assignment.phone].map { name in
        .ranger(
          Ranger(name: name, phone: assignment.phone, checkpost: assignment.post),
          since: assignment.since)
      }
    }
  }

  func end() {
    guard let trial else { return }
    try? store.close()
    trial.remove()
  }
}

/// A directory of its own for a database that is thrown away.
private final class TrialDirectory {
  let path: String

  /// Beside a file, where there is room for one like it; where there is none, in the directory for such.
  init(beside file: String? = nil) throws {
    let parent = ProcessEnvironment.all["TMPDIR"] ?? "/tmp"
    var template = Array(
      (file.map { "\($0).trial-XXXXXX" } ?? "\(parent)/checkpost-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure(
        .inputOutput,
        "\(file ?? parent): \(systemMessage(errno)); a trial needs a directory that can be written")
    }
    path = String(cString: made)
  }

  deinit { remove() }

  func remove() {
    for suffix in ["", "-wal", "-shm"] { unlink("\(path)/central.db\(suffix)") }
    rmdir(path)
  }
}

/// Messages that `central export inbox` wrote, a few at a time.
private final class MessageFile {
  private let path: String
  private let file: InputFile
  private var rest: [UInt8] = []
  private var line = 0
  private var isAtEnd = false

  init(_ path: String) throws {
    self.path = path
    file = try InputFile(path)
  }

  /// The next ones; none at the end.
  func next(_ count: Int) throws -> [ArchivedMessage] {
    var messages: [ArchivedMessage] = []
    while messages.count < count, let text = try nextLine() {
      guard !text.allSatisfy({ $0 == 0x20 }) else { continue }
      guard let message = JSONText.decode(text).flatMap({ CentralFields.message($0) }) else {
        throw CommandFailure(
          .badData, "\(path), line \(line): is no message as `central export inbox` writes it")
      }
      messages.append(message)
    }
    return messages
  }

  private func nextLine() throws -> [UInt8]? {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        defer { rest.removeSubrange(...end) }
        line += 1
        return Array(rest[..<end])
      }
      guard !isAtEnd, let block = try file.next() else {
        isAtEnd = true
        guard !rest.isEmpty else { return nil }
        line += 1
        defer { rest = [] }
        return rest
      }
      guard rest.count < 1 << 20 else {
        throw CommandFailure(.badData, "\(path), line \(line + 1): is too long for a message")
      }
      rest += block
    }
  }
}
