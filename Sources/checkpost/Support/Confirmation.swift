import Control

/// Asks a person before something is done that cannot be taken back.
enum Confirmation {
  /// Returns when it may be done.
  ///
  /// - Parameters:
  ///   - what: What would be done, in words.
  ///   - question: The question: `Erase it`.
  ///   - refused: What is said where the answer is no: `nothing was erased`.
  ///   - isGiven: Whether it was confirmed by an option.
  ///   - nobody: What is thrown where nobody can be asked; nil says that `--yes` confirms it.
  /// - Throws: That it may not, or that nobody can be asked.
  static func ask(
    _ what: String, _ question: String, refused: String, isGiven: Bool,
    nobody: CommandFailure? = nil
  ) throws {
    guard !isGiven else { return }
    guard let questions = Questions.ofTerminal() else {
      throw nobody
        ?? CommandFailure(.usage, "\(what); \(refused); add --yes to do it without being asked")
    }
    let answer = try questions.value("\(what). \(question) (yes or no)? ") {
      text -> Result<Bool, Questions.Fault> in
      switch text.lowercased() {
      case "yes": .success(true)
      case "no": .success(false)
      default: .failure(Questions.Fault(words: "answer yes or no"))
      }
    }
    guard answer else { throw CommandFailure(.badData, refused) }
  }
}
