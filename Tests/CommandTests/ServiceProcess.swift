import TestSupport

/// `checkpost run` as a process, for as long as a test holds it.
final class ServiceProcess {
  private let process: ChildProcess

  /// Starts it.
  init(_ configuration: String, environment: [String: String] = [:]) throws {
    process = try ChildProcess(
      Program.path, ["run", "--config", configuration], environment: environment)
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
