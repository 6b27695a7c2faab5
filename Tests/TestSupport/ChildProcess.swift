public import Foundation

/// A program that runs beside a test, for as long as the test holds it.
public final class ChildProcess {
  /// Which of its streams a test listens to; the other one is the test's own.
  public enum Heard {
    /// Standard output.
    case output
    /// Standard error; nobody reads standard output then.
    case errors
    /// Neither; nobody reads standard output.
    case nothing
  }

  private let process = Process()
  private let input = Spawn.pipe()
  /// What it says.
  public var lines: SpokenLines

  /// Starts it.
  ///
  /// - Parameters:
  ///   - errors: Where its standard error goes, when the test does not listen to it.
  ///   - environment: What stands in its environment beside the time zone, which is UTC.
  public init(
    _ program: String, _ arguments: [String], hearing heard: Heard = .output,
    errors: FileHandle? = nil, environment: [String: String] = [:]
  ) throws {
    let pipe = Spawn.pipe()
    lines = SpokenLines(pipe.fileHandleForReading)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment.merging(["TZ": "UTC"]) { given, _ in given }
    process.standardInput = input
    process.standardOutput = heard == .output ? pipe : FileHandle.nullDevice
    if heard == .errors {
      process.standardError = pipe
    } else if let errors {
      process.standardError = errors
    }
    try process.start()
  }

  deinit {
    end()
  }

  /// Whether it has not ended.
  public var isRunning: Bool { process.isRunning }

  /// Its number.
  public var id: Int32 { process.processIdentifier }

  /// Writes to its standard input.
  public func say(_ text: String) {
    input.fileHandleForWriting.write(Data(text.utf8))
  }

  /// Ends its standard input.
  public func endInput() throws {
    try input.fileHandleForWriting.close()
  }

  /// Asks it to end as Ctrl-C does.
  public func interrupt() {
    process.interrupt()
  }

  /// Waits until it has ended; its exit code.
  public func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends it by SIGKILL, and waits until it has ended.
  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends it, and waits until it has ended.
  public func end() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
