import Foundation
import TestSupport
import Testing

/// The program as a user runs it: the binary that was built with these tests.
enum Program {
  /// What came of a run.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Standard output as one JSON object a line.
    func objects() throws -> [[String: Any]] {
      try lines.map { line in
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any], "no JSON object: \(line)")
      }
    }
  }

  /// The binary, which SwiftPM puts beside the tests.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(
      "checkpost"
    ).path
  }()

  /// Runs a command to its end. The environment holds nothing of the machine's but what is given, so
  /// that a configuration that is installed here changes nothing.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: Data(input.utf8), environment: environment)
  }

  /// Runs a command to its end, with any bytes as its standard input.
  static func run(_ arguments: [String], input: Data, environment: [String: String] = [:]) throws
    -> Outcome
  {
    let files = try ProgramFiles(input: input)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment.merging(["TZ": "UTC"]) { given, _ in given }
    process.standardInput = files.input
    process.standardOutput = files.output
    process.standardError = files.errors
    try process.start()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try files.text("output"),
      errors: try files.text("errors"))
  }
}

/// A directory for one run or one test, removed when it is let go of. Files and not pipes hold what
/// goes in and out, so that no amount of it can block the program.
final class ProgramFiles {
  private let place: TemporaryDirectory
  let input: FileHandle
  let output: FileHandle
  let errors: FileHandle

  init(input: Data = Data()) throws {
    place = try TemporaryDirectory()
    self.input = try #require(
      FileHandle(forReadingAtPath: place.write("input", bytes: Array(input))))
    output = try #require(FileHandle(forWritingAtPath: place.write("output")))
    errors = try #require(FileHandle(forWritingAtPath: place.write("errors")))
  }

  var directory: URL { URL(fileURLWithPath: place.path) }

  /// Writes a file and returns its path.
  func write(_ name: String, _ text: String, permissions: Int = 0o600) throws -> String {
    try place.write(name, text, permissions: permissions)
  }

  /// The path of a file in the directory.
  func path(_ name: String) -> String { place.file(name) }

  func text(_ name: String) throws -> String { try place.text(name) }
}
