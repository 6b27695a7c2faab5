import AT
import ArgumentParser
import Control
import EventLoop
import GSM
import Glibc
import Host
import JSON
import Settings
import Time

/// `modem inbox`: the messages in the modem's storage.
struct ModemInbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox",
    abstract: "Show the messages that lie in the modem's storage, without deleting any.",
    discussion: """
      A message that the running service received is in its database already, and leaves the modem \
      by itself; what is shown here has not been taken yet, or was sent to a modem without a \
      service.
      """)

  @Flag(help: "Delete the messages from the modem once they are shown.")
  var delete = false

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      let (lines, final) = await bench.command("AT+CMGL=4", timeout: .seconds(60))
      do {
        for index in try show(lines, final) where delete {
          _ = await bench.command("AT+CMGD=\(index)", timeout: .seconds(10))
        }
      } catch {
        await bench.close()
        throw error
      }
      await bench.close()
    } else {
      guard !delete else {
        throw CommandFailure(
          .usage, "--delete needs --port: the running service deletes what it has stored by itself")
      }
      let answer = try target.ask(
        settings, Operations.ModemCommand("AT+CMGL=4", timeout: 60), timeout: .seconds(70))
      _ = try show(answer.lines, answer.final)
    }
  }

  /// Shows the messages; their places in the storage.
  private func show(_ lines: [String], _ final: String) throws -> [Int] {
    guard final == "OK" else {
      throw CommandFailure(.unavailable, "the modem does not list its messages: \(final)")
    }
    let answer = ATAnswer(
      command: ATCommand("AT+CMGL=4", timeout: .zero), lines: lines, ending: .ok,
      payloadLeft: false, isCut: false)
    let messages = StoredMessage.messages(in: answer)
    let out = StandardOutput()
    var days = DayHeadings(.ofThisMachine)
    for message in messages {
      let object = ModemInbox.object(message)
      if output.isJSON {
        try out.json(JSONValue.object(object))
      } else {
        let time = object["timestamp"]?.text.flatMap { WallTime(rfc3339: $0) }
        if let heading = time.flatMap({ days.heading(before: $0) }) {
          try out.line("-- \(heading)")
        }
        let head = [
          message.index.map { "\($0)" } ?? "-", object["number"]?.text ?? "-",
          time.map { LocalClock.ofThisMachine.time($0) } ?? "-",
        ].joined(separator: "  ")
        try out.line(
          head + "  "
            + (object["text"]?.text ?? object["message"]?.text ?? object["type"]?.text ?? ""))
      }
    }
    if messages.isEmpty, !output.isJSON { Diagnostics.say("there is no message in the modem") }
    try out.flush()
    return messages.compactMap(\.index)
  }

  private static func object(_ message: StoredMessage) -> [String: JSONValue] {
    var object: [String: JSONValue] = ["pdu": .text(message.pdu)]
    object["index"] = message.index.map { .integer(Int64($0)) }
    object["state"] = message.state.map { .text($0.name) }
    do {
      switch try PDU.decode(hex: message.pdu, direction: .mobileTerminated).tpdu {
      case .deliver(let deliver):
        object["type"] = "deliver"
        object["number"] = .text(deliver.originator.number)
        object["timestamp"] = deliver.timestamp.map { .text($0.rfc3339) }
        object["text"] = deliver.userData.text.map { .text($0) }
      case .statusReport(let report):
        object["type"] = "status_report"
        object["number"] = .text(report.recipient.number)
        object["message_reference"] = .integer(Int64(report.messageReference))
        object["text"] = .text("status report: \(report.delivery)")
      case .submit: object["type"] = "submit"
      }
    } catch {
      object["error"] = .text(error.code)
      object["message"] = .text(error.message)
    }
    return object
  }
}

extension StoredMessage.State {
  /// The state as scripts know it.
  fileprivate var name: String {
    switch self {
    case .receivedUnread: "received_unread"
    case .receivedRead: "received_read"
    case .storedUnsent: "stored_unsent"
    case .storedSent: "stored_sent"
    }
  }
}
