import Control
import Glibc
import Text

/// Asks a person at a terminal: questions on standard error, answers from standard input.
struct Questions {
  /// What asks: the question, and whether the answer is a secret. Nil at the end of the input.
  typealias Ask = (_ question: String, _ isSecret: Bool) throws -> String?

  private let ask: Ask

  /// Questions to whom `ask` reaches.
  init(_ ask: @escaping Ask) {
    self.ask = ask
  }

  /// Questions to the person at the terminal; nil when standard input is none.
  static func ofTerminal() -> Questions? {
    guard Terminal.isTerminal(STDIN_FILENO) else { return nil }
    var reader = LineReader(limit: 1_024)
    return Questions { question, isSecret in
      let line =
        if isSecret {
          try withoutEcho({ try answer(to: question, &reader) })
        } else {
          try answer(to: question, &reader)
        }
      switch line {
      case nil: return nil
      case .text(let text): return text
      // No answer that could be right.
      case .unreadable(_, let shown): return shown
      }
    }
  }

  private static func answer(
    to question: String, _ reader: inout LineReader
  ) throws -> LineReader.Line? {
    Diagnostics.ask(question)
    return try reader.next()
  }

  /// Asks until the answer is right. White space around it does not count.
  ///
  /// - Parameter read: The value of an answer, or what is wrong with it.
  /// - Throws: ``CommandFailure`` when nobody answers any more.
  func value<Value>(
    _ question: String, isSecret: Bool = false,
    read: (String) -> Result<Value, Fault>
  ) throws -> Value {
    while true {
      guard let answer = try ask(question, isSecret) else {
        throw CommandFailure(.usage, "the questions were not answered; nothing was written")
      }
      switch read(Questions.trimmed(answer)) {
      case .success(let value): return value
      case .failure(let fault): Diagnostics.say(fault.words)
      }
    }
  }

  /// What is wrong with an answer.
  struct Fault: Error {
    var words: String
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Reads what should not be seen on the screen.
  private static func withoutEcho<Value>(_ read: () throws -> Value) rethrows -> Value {
    var attributes = termios()
    guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return try read() }
    var quiet = attributes
    quiet.c_lflag &= ~tcflag_t(ECHO)
    quiet.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &attributes) }
    return try read()
  }
}
