import TestSupport

/// `checkpost run` as a process, for as long as a test holds it.
final class ServiceProcess {
  private let process: ChildProcess

  /// Starts it.
  ///
  /// - Parameter starter: What starts it instead, with its arguments: a program that enters a network, say.
  init(
    _ configuration: String, by starter: [String] = [], environment: [String: String] = [:]
  ) throws {
    let command = starter + [Program.path, "run", "--config", configuration]
    process = try ChildProcess(
      command[0], Array(command.dropFirst()), environment: environment)
  }

  var id: Int32 { process.id }

  /// What comes, up to the line that has all these words.
  @discardableResult
  func read(until words: String...) throws -> String {
    try process.lines.read(untilEach: [words]).map { $0 + "\n" }.joined()
  }

  /// What comes, until each of these words has been in a line, in any order.
  @discardableResult
  func read(untilEach words: String...) throws -> String {
    try process.lines.read(untilEach: words.map { [$0] }).map { $0 + "\n" }.joined()
  }

  /// Ends it by SIGKILL, and waits until it has ended.
  func kill() {
    process.kill()
  }

  /// Ends it, and waits until it has ended.
  func end() {
    process.end()
  }
}
