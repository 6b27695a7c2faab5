import ArgumentParser
import Control
import GSM
import Text

/// `checkpost pdu encode`: a text as SMS-SUBMIT, in as many parts as it takes.
struct PDUEncode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode",
    abstract: "Make the PDUs of a text, each ready for AT+CMGS with its length.",
    discussion: """
      Text that does not fit the 7-bit alphabet goes UCS-2 by itself. Text longer than one message \
      goes in parts, never cut inside a character.
      """)

  @Option(help: ArgumentHelp("The number it goes to.", valueName: "number"))
  var to: String

  @Argument(help: "The text; - reads it from standard input.")
  var text: String

  @Flag(name: .customLong("no-status-report"), help: "Ask for no status report.")
  var withoutStatusReport = false

  @Option(
    help: ArgumentHelp(
      "How long the network keeps what it cannot deliver, such as 72h.", valueName: "duration"))
  var validity: String?

  @Option(
    name: .customLong("class"), help: ArgumentHelp("The message class, 0 to 3.", valueName: "n"))
  var messageClass: UInt8?

  @Option(help: ArgumentHelp("The alphabet to use.", valueName: "name"))
  var alphabet: Alphabet?

  @Option(
    help: ArgumentHelp(
      "The reference of the parts; above 255 it takes 16 bits.", valueName: "n"))
  var reference: UInt16 = 0

  @Flag(name: .customLong("wide-reference"), help: "Write the reference in 16 bits.")
  var usesWideReference = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let out = StandardOutput()
    let recipient: Address
    do {
      recipient = try Address(to)
    } catch {
      throw CommandFailure(.usage, "--to \(to): \(error.message)")
    }
    let parts = try MessageComposer.submit(
      text: text == "-" ? try standardInput() : text, to: recipient, options: try options())
    if output.isJSON {
      try out.json(EncodedParts(parts: parts.map { .init(pdu: $0.hex, length: $0.length) }))
    } else {
      for part in parts {
        try out.line("\(part.length) \(part.hex)")
      }
    }
    try out.flush()
  }

  private func options() throws -> SubmitOptions {
    var options = SubmitOptions()
    options.requestsStatusReport = !withoutStatusReport
    options.concatenationReference = reference
    options.uses16BitReference = usesWideReference || reference > 255
    if let messageClass {
      guard messageClass <= 3 else {
        throw CommandFailure(.usage, "--class \(messageClass): there are the classes 0 to 3")
      }
      options.messageClass = messageClass
    }
    if let validity {
      guard let duration = DurationText.parse(validity) else {
        throw CommandFailure(
          .usage, "--validity \(validity): is no duration; write it as 30m, 72h or 7d")
      }
      options.validity = ValidityPeriod(lasting: duration)
    }
    if let alphabet { options.alphabet = alphabet }
    return options
  }

  /// All of standard input as one text, without the end of its last line.
  private func standardInput() throws -> String {
    var reader = LineReader()
    var lines: [String] = []
    while let line = try reader.next() {
      switch line {
      case .text(let text): lines.append(text)
      case .unreadable(let fault, _):
        throw CommandFailure(.badData, "standard input, line \(lines.count + 1): \(fault)")
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// `pdu encode --json`.
private struct EncodedParts: Encodable {
  struct Part: Encodable {
    var pdu: String
    var length: Int
  }

  var parts: [Part]
}
