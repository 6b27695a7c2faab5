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

/// `queue retry`.
struct QueueRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Let passages be tried again that failed, were parked, or whose text is lost.",
    discussion: """
      A text of which nobody knows whether it left, or which the network reported as not delivered, \
      never goes again by itself; this sends another one. What was accepted and may still arrive is \
      not sent twice, whoever asks. What will not be sent is left as it was.
      """)

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String]

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try QueueChange.run(settings, output, passages) { store, item, moment in
      let outcome = try store.retry(item.queueID, at: moment)
      guard outcome == .retried else {
        return .init(outcome.rawValue, isDone: false, QueueRetry.words(outcome))
      }
      let after = try store.item(item.queueID)
      var words: [String] = []
      if item.status == .failed { words.append("it is uploaded again") }
      if let due = after?.textDue {
        let at = LocalClock.ofThisMachine.text(moment.wall(at: due), seenFrom: moment.wall)
        words.append(due > moment.boot ? "texted from \(at)" : "its text goes as soon as one may")
      }
      if item.parkedReason != nil { words.append("no longer set aside") }
      if item.handedOnAt != nil { words.append("no longer marked as handed on") }
      if words.isEmpty { words.append("what of it was given up is uploaded again") }
      return .init(outcome.rawValue, isDone: true, words.joined(separator: "; "))
    }
  }

  /// Why a passage is not tried again.
  private static func words(_ outcome: RetryOutcome) -> String {
    switch outcome {
    case .retried: "it is tried again"
    case .alreadySynced: "the server has it already"
    case .alreadyTexted:
      "its text was accepted, and no report says that it was not delivered; it is not sent again"
    case .tooManyTexts:
      "three texts for it went out or may have; there will be no fourth, hand it on by"
        + " `checkpost queue export --mark`"
    case .undated:
      "it was recorded while the clock had not been set, and a text says the time; say when it was by"
        + " `checkpost queue date`, or hand it on by `checkpost queue export --mark`"
    case .busy: "it is being sent at this moment; try again"
    case .notFound: "there is no such passage"
    }
  }
}

/// `queue park`.
struct QueuePark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "park", abstract: "Set passages aside, so that nothing more is sent for them.")

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String]

  @Option(help: ArgumentHelp("Why; it is kept with the passage.", valueName: "words"))
  var reason = "parked by an operator"

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try QueueChange.run(settings, output, passages) { store, item, _ in
      guard try store.park(item.queueID, reason: reason) else {
        return .init("already_synced", isDone: false, "it is not set aside: the server has it")
      }
      let words = "set aside; no text is begun for it until `checkpost queue retry`"
      return .init("parked", isDone: true, words)
    }
  }
}

/// A change of several passages, each reported.
enum QueueChange {
  /// What came of one passage.
  struct Result {
    /// A name for scripts.
    var outcome: String
    var isDone: Bool
    var words: String

    init(_ outcome: String, isDone: Bool, _ words: String) {
      self.outcome = outcome
      self.isDone = isDone
      self.words = words
    }
  }

  /// Changes the passages that are named, once each, after all names were found to be right.
  static func run(
    _ settings: SettingsOptions, _ output: OutputOptions, _ passages: [String],
    _ change: (SQLiteNodeStore, QueueItem, Moment) throws -> Result
  ) throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    let store = try NodeDatabase.open(loaded)
    defer { try? store.close() }
    var items: [QueueItem] = []
    for passage in passages {
      let item = try QueueFields.find(passage, in: store)
      if !items.contains(where: { $0.queueID == item.queueID }) { items.append(item) }
    }
    // What was changed is told of, even when nobody reads it any more.
    let out = StandardOutput(outlivesReader: true)
    var (done, refused) = (0, 0)
    defer {
      if done > 0 {
        RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
      }
    }
    for item in items {
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      let result = try change(store, item, moment)
      if result.isDone { done += 1 } else { refused += 1 }
      let name = "\(item.queueID) \(item.passage.plate.display)"
      if output.isJSON {
        let after = try store.item(item.queueID) ?? item
        var object = QueueFields.object(after, PassageStates(loaded.settings))
        object["outcome"] = .text(result.outcome)
        object["done"] = .flag(result.isDone)
        object["message"] = .text(result.words)
        try out.json(JSONValue.object(object))
      } else if result.isDone {
        try out.line("\(name): \(result.words)")
      } else {
        Diagnostics.say("\(name): \(result.words)")
      }
    }
    try out.flush()
    if refused > 0 { throw ExitCode(ExitStatus.badData.code) }
  }

  /// Marks what was exported as handed on, and says what came of it.
  static func mark(
    _ written: [Int64], in store: SQLiteNodeStore, _ loaded: LoadedSettings
  ) throws {
    let clocks = SystemClocks()
    var all = HandingOn()
    for start in stride(from: 0, to: written.count, by: markedAtOnce) {
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      let some = try store.handOn(
        written[start..<min(start + markedAtOnce, written.count)], at: moment)
      all.marked += some.marked
      all.done += some.done
      all.busy += some.busy
    }
    if all.marked > 0 {
      RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
    }
    var words = "\(all.marked) marked as handed on"
    if all.done > 0 { words += ", \(all.done) were done already" }
    if all.busy > 0 { words += ", \(all.busy) are being sent and were not; export them again" }
    Diagnostics.say(words)
    if all.busy > 0 { throw ExitCode(ExitStatus.tryAgain.code) }
  }

  /// Passages of one transaction, so that the running service does not wait long for its own.
  private static let markedAtOnce = 1_000
}

extension QueueFields {
  /// Characters that the beginning of an identity has at least, to name a passage.
  private static let shortestBeginning = 4

  /// The passage that somebody names by its number in the queue, its identity, or the beginning of that.
  static func find(_ text: String, in store: SQLiteNodeStore) throws -> QueueItem {
    var found: [QueueItem] = []
    let number = Int64(text)
    if let client = ClientID(text) {
      found = try store.item(client).map { [$0] } ?? []
    } else if let number, let item = try store.item(number) {
      found = [item]
    } else if text.utf8.count >= shortestBeginning, text.utf8.count < 36,
      text.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit })
    {
      found = try store.items(beginning: text.lowercased())
    } else if number == nil {
      throw CommandFailure(
        .usage,
        "\(text): is neither a number of the queue nor a client_id, nor \(shortestBeginning)"
          + " characters or more of one")
    }
    guard let item = found.first else {
      throw CommandFailure(
        .badData, "\(text): there is no such passage; see `checkpost queue list`")
    }
    guard found.count == 1 else {
      throw CommandFailure(
        .badData, "\(text): several passages begin so; name more of the client_id")
    }
    return item
  }
}
