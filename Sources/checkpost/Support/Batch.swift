import ArgumentParser
import Control

/// What could not be decoded, as `--json` shows it.
struct FailedDecoding: Encodable {
  /// A stable name in snake_case.
  var error: String
  /// What is wrong, in words.
  var message: String
  /// What was handed in; nil leaves the key out.
  var input: String?
}

/// The arguments of a command that takes one thing or many: as they are, or from standard input.
enum InputLines {
  /// Calls `body` for each argument; for `-`, for each line of standard input that is not empty.
  static func forEach(_ arguments: [String], _ body: (LineReader.Line) throws -> Void) throws {
    for argument in arguments {
      guard argument == "-" else {
        try body(.text(argument))
        continue
      }
      var reader = LineReader()
      while let line = try reader.next() {
        if case .text(let text) = line, text.allSatisfy(\.isWhitespace) { continue }
        try body(line)
      }
    }
  }
}

/// Work on one thing or many, of which the bad ones are reported while the others are done: one error
/// each, and exit code 65 at the end.
struct Batch {
  private let noun: String
  private let isJSON: Bool
  private let out: StandardOutput
  private var seen = 0
  private var failed = 0

  /// A batch of things that are called `noun`.
  init(noun: String, isJSON: Bool, out: StandardOutput) {
    self.noun = noun
    self.isJSON = isJSON
    self.out = out
  }

  /// Counts one that was good.
  mutating func accept() {
    seen += 1
  }

  /// Reports one that was bad: as an error object among the results, or as a line on standard error.
  mutating func reject(_ failure: FailedDecoding) throws {
    seen += 1
    failed += 1
    if isJSON {
      try out.json(failure)
    } else {
      // What came before it is shown before it.
      try out.flush()
      Diagnostics.say("\(noun) \(seen): \(failure.message)")
    }
  }

  /// Ends the batch.
  ///
  /// - Throws: with 65 when any was bad.
  func finish() throws {
    try out.flush()
    guard failed > 0 else { return }
    guard isJSON else { throw ExitCode(ExitStatus.badData.code) }
    throw CommandFailure(
      .badData, "\(failed) of \(seen) cannot be read; correct those with an error")
  }
}
