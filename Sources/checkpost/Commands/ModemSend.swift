import ArgumentParser
import Control
import EventLoop
import GSM
import Host
import JSON
import ModemSession
import NodeCore
import NodeSQLite
import SQLiteFile
import Settings
import Storage
import Text
import Time

/// `modem send`.
struct ModemSend: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send one text by hand, outside the queue.",
    discussion: """
      A node keeps the text from the moment that it is asked for: one that waits when the service ends \
      goes after its next start, within a day, and one that was with the modem then is never sent again \
      by itself. `checkpost modem texts` lists them, and takes back one that waits. Central keeps none, \
      and neither does --port: there the answer is all there is.
      """)

  @Argument(help: "The recipient's number, with + and country code, or a short code.")
  var number: String

  @Argument(help: "The text; long ones become several messages. - reads it from standard input.")
  var text: String

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let reason = TextByHand.refusal(ofNumber: number) {
      throw CommandFailure(.usage, "\(number): \(reason)")
    }
    let text = text == "-" ? try ModemSend.standardInput() : text
    if let reason = TextByHand.refusal(ofBody: text) { throw CommandFailure(.usage, reason) }
    let answer: Operations.ModemSend.Answer
    if let port = target.port {
      let allowed = try settings.load().settings.modem.messageParts
      _ = try MessageComposer.parts(of: text, to: number, allowed: allowed)
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      let outcome = await bench.send(text, to: number)
      await bench.close()
      answer = try ModemSend.answer(outcome)
    } else {
      answer = try await SendingByService(
        target: target, socket: try settings.load().settings.control.socket
      ).send(text, to: number)
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(answer)
    } else {
      try out.line(ModemSend.words(answer))
    }
    try out.flush()
  }

  /// All of standard input as one text, without the line end after it.
  private static func standardInput() throws -> String {
    var lines: [String] = []
    var reader = LineReader(limit: Limits.textBytes)
    while let line = try reader.next() {
      switch line {
      case .text(let words): lines.append(words)
      case .unreadable(let fault, _):
        throw CommandFailure(.badData, "standard input: \(fault); a text is UTF-8, and short")
      }
      guard lines.count <= Limits.textLines else {
        throw CommandFailure(.badData, "standard input: too long for a text")
      }
    }
    return lines.joined(separator: "\n")
  }

  private enum Limits {
    /// Bytes of a line of a text, of which at most some thousand characters can be sent.
    static let textBytes = 16 * 1_024
    static let textLines = 1_000
  }

  private static func words(_ answer: Operations.ModemSend.Answer) -> String {
    let numbers = answer.messageReferences.map(String.init).joined(separator: ", ")
    guard let id = answer.textID else { return "Sent, message reference \(numbers)" }
    return answer.outcome == Operations.ModemSend.Answer.waiting
      ? "Not sent yet: the service is ending. Text \(id) is kept and goes after the next start; "
        + "`checkpost modem texts --withdraw \(id)` takes it back"
      : "Sent. Text \(id), message reference \(numbers); delivery will show in `checkpost log`"
  }

  private static func answer(_ outcome: SendOutcome) throws -> Operations.ModemSend.Answer {
    switch outcome {
    case .accepted(let references):
      return Operations.ModemSend.Answer(references: references.map { Int($0) })
    case .refused(let error):
      throw CommandFailure(.unavailable, "\(error): \(error.adviceByHand)")
    case .notSent(let reason): throw CommandFailure(.tryAgain, "not sent: \(reason)")
    case .unknown(let reason):
      throw CommandFailure(.inputOutput, "it may have been sent: \(reason)")
    }
  }
}

/// `modem texts`.
struct ModemTexts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "texts",
    abstract: "List the texts that were sent by hand, and withdraw one that still waits.",
    discussion: """
      The texts of the node, newest first, with their number, which the events of their delivery carry. \
      One that is with a modem, or was, cannot be withdrawn. Central keeps no texts of its own.
      """)

  @Flag(help: "Only those that wait for a modem.")
  var waiting = false

  @Option(help: ArgumentHelp("Withdraw the text with this number.", valueName: "number"))
  var withdraw: Int64?

  @Option(help: ArgumentHelp("List the newest so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    guard loaded.settings.roles.node else {
      throw CommandFailure(
        .usage, "this machine is no node, and central keeps no texts that were sent by hand")
    }
    if let withdraw {
      try take(withdraw, back: loaded)
    } else {
      try list(loaded)
    }
  }

  private func take(_ id: Int64, back loaded: LoadedSettings) throws {
    let socket = loaded.settings.control.socket
    let isDone: Bool
    if RunningService.isThere(socket: socket) {
      isDone =
        try ControlClient(path: socket).ask(
          Operations.ModemSendWithdraw(textID: id), timeout: .seconds(10)
        ).waits
    } else {
      // No service may take it up meanwhile.
      let lock = try ServiceLock(forStoreAt: loaded.settings.node.database)
      defer { lock.release() }
      let store = try NodeDatabase.open(loaded)
      defer { try? store.close() }
      let clocks = SystemClocks()
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      isDone = try store.transaction { transaction throws(StorageError) in
        try transaction.withdrawText(id, at: moment)
      }
    }
    guard isDone else {
      throw CommandFailure(
        .unavailable,
        "text \(id) does not wait: it was begun, withdrawn or given up, or there is none;"
          + " `checkpost modem texts` shows it")
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(["text_id": .integer(id), "state": "withdrawn"]))
    } else {
      try out.line("Text \(id) was withdrawn and will not be sent")
    }
    try out.flush()
  }

  private func list(_ loaded: LoadedSettings) throws {
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    let texts = try store.keptTexts(limit: limit.count, onlyWaiting: waiting)
    let out = StandardOutput()
    for text in texts {
      if output.isJSON {
        try out.json(JSONValue.object(ModemTexts.object(text)))
      } else {
        let time = LocalClock.ofThisMachine.text(text.queuedAt, seenFrom: SystemClocks().wall())
        let state = text.delivery.map { "\(text.state.words), \($0)" } ?? text.state.words
        try out.line(
          "\(text.id)  \(time)  \(text.recipient)  \(state)"
            + (text.reason.map { ": \($0)" } ?? ""))
        try out.line("    \(ForeignText.shown(text.body))")
      }
    }
    if texts.isEmpty, !output.isJSON {
      Diagnostics.say(waiting ? "no text waits" : "no text was sent by hand")
    }
    try out.flush()
  }

  private static func object(_ text: KeptTextRecord) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "text_id": .integer(text.id), "to": .text(text.recipient), "text": .text(text.body),
      "state": .text(text.state.rawValue), "queued_at": .text(text.queuedAt.rfc3339),
      "message_references": .list(text.references.map { .integer(Int64($0)) }),
    ]
    object["changed_at"] = text.changedAt.map { .text($0.rfc3339) }
    object["reason"] = text.reason.map { .text($0) }
    object["delivery"] = text.delivery.map { .text("\($0)") }
    return object
  }
}

extension KeptTextRecord.State {
  /// The state as people read it.
  fileprivate var words: String {
    switch self {
    case .waiting: "waiting"
    case .sending: "being sent"
    case .accepted: "sent"
    case .refused: "refused"
    case .notSent: "not sent"
    case .unknown: "may have been sent"
    case .withdrawn: "withdrawn"
    }
  }
}
