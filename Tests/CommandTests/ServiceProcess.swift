import Foundation
import Testing

/// `checkpost run` as a process, for as long as a test holds it.
final class ServiceProcess {
  private let process = Process()
  private var lines: SpokenLines

  /// Starts it.
  init(_ configuration: String) throws {
    let output = Pipe()
    lines = SpokenLines(output.fileHandleForReading)
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["run", "--config", configuration]
    process.environment = ["TZ": "UTC"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
  }

  deinit {
    end()
  }

  var id: Int32 { process.processIdentifier }

  /// What comes, up to the line that has all these words.
  @discardableResult
  func read(until words: String...) throws -> String {
    try lines.read(untilEach: [words]).map { $0 + "\n" }.joined()
  }

  /// What comes, until each of these words has been in a line, in any order.
  @discardableResult
  func read(untilEach words: String...) throws -> String {
    try lines.read(untilEach: words.map { [$0] }).map { $0 + "\n" }.joined()
  }

  /// Ends it, and waits until it has ended.
  func end() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
