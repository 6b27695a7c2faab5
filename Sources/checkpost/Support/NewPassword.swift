import Accounts
import Control
import Glibc

/// A password that somebody hands over: typed twice at a terminal, without being seen, or one line of standard
/// input. Never an argument, which every process of the machine can read.
enum NewPassword {
  /// Reads it.
  ///
  /// - Throws: ``CommandFailure`` for one that may not be one, and when nobody answers.
  static func read() throws -> String {
    let password = try Terminal.isTerminal(STDIN_FILENO) ? typed() : piped()
    if let fault = PasswordRule.fault(of: password) {
      throw CommandFailure(.badData, "a password \(fault); nothing was changed")
    }
    return password
  }

  private static func typed() throws -> String {
    guard let questions = Questions.ofTerminal() else { return try piped() }
    let first = try questions.value("password: ", isSecret: true) { answer in
      PasswordRule.fault(of: answer).map { .failure(Questions.Fault(words: "a password \($0)")) }
        ?? .success(answer)
    }
    let second = try questions.value("once more: ", isSecret: true) { .success($0) }
    guard first == second else {
      throw CommandFailure(.badData, "the two differ; nothing was changed")
    }
    return first
  }

  private static func piped() throws -> String {
    var reader = LineReader(limit: 1_024)
    switch try reader.next() {
    case .text(let text): return text
    case .unreadable(let fault, _):
      throw CommandFailure(.badData, "standard input: a password is not \(fault)")
    case nil:
      throw CommandFailure(
        .usage, "no password came; type it at a terminal, or hand it over on standard input")
    }
  }
}
