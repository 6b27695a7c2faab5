import ArgumentParser
import Control
import Glibc
import Log
import Text

/// What a command says on standard error: one line, `checkpost: what is wrong; what to do`.
enum Diagnostics {
  /// Begins a line that nobody must overlook: a passage is nowhere.
  static let notRecorded = "NOT RECORDED: "

  /// Writes one line to standard error; what it quotes may be anybody's.
  static func say(_ message: String) {
    let line = message.split(separator: "\n").joined(separator: " ")
    let name = line.hasPrefix(notRecorded) ? "" : "checkpost: "
    writeWhole(Array("\(name)\(ForeignText.shown(line))\n".utf8))
  }

  /// Asks on standard error, and leaves the answer on the same line.
  static func ask(_ question: String) {
    writeWhole(Array("\(ForeignText.shown(question)) ".utf8))
  }

  /// Shows what stands before a line that somebody types.
  static func prompt(_ text: String) {
    writeWhole(Array(ForeignText.shown(text).utf8))
  }

  /// Says what an error means and returns the exit code for it; asked-for help and versions go to
  /// standard output.
  static func report(_ error: any Error) -> Int32 {
    if let code = error as? ExitCode {
      return code.rawValue
    }
    if let failure = CommandFailure(error) {
      say(failure.message)
      return failure.status.code
    }
    if Checkpost.exitCode(for: error) == .success {
      print(Checkpost.fullMessage(for: error))
      return ExitStatus.done.code
    }
    if Checkpost.exitCode(for: error) == .validationFailure {
      say("\(usageMessage(error)); see `\(commandName(error)) --help`")
      return ExitStatus.usage.code
    }
    say("\(error); this is a fault of checkpost, please report it with the line above")
    return ExitStatus.system.code
  }

  /// The parser's words on one line, without the full stop; a list of names with commas.
  private static func usageMessage(_ error: any Error) -> String {
    let words = Checkpost.message(for: error).split(separator: "\n").map(trimmed)
    var message = words.filter { !$0.isEmpty }.joined(separator: " ")
      .replacing(": - ", with: ": ").replacing(" - ", with: ", ")
    while message.hasSuffix(".") {
      message.removeLast()
    }
    return message
  }

  /// The subcommand that the parser was at, from the usage it shows: `checkpost sms decode`.
  private static func commandName(_ error: any Error) -> String {
    let usage = Checkpost.fullMessage(for: error).split(separator: "\n").first {
      $0.hasPrefix("Usage: ")
    }
    let words = usage?.dropFirst("Usage: ".count).split(separator: " ") ?? ["checkpost"]
    let name = words.prefix { $0.allSatisfy { $0.isLetter || $0 == "-" } && !$0.hasPrefix("-") }
    return name.joined(separator: " ")
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  private static func writeWhole(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
