import Foundation
import Testing

/// `checkpost simulate` with one modem or several, as a process, for as long as a test holds it.
final class SimulatorProcess {
  private let files: ProgramFiles
  private let process = Process()
  private let input = Pipe()
  private var lines: SpokenLines
  /// What it said before its port was told.
  private(set) var before: [String] = []
  let numbers: [String]
  /// The paths of the modems' ports, in the order of their numbers.
  let links: [String]

  /// Starts it, and waits for the port of its one modem.
  convenience init(_ number: String, _ files: ProgramFiles, _ options: [String] = []) throws {
    try self.init([number], files, options)
  }

  /// Starts it, and waits for its ports.
  init(_ numbers: [String], _ files: ProgramFiles, _ options: [String] = []) throws {
    self.files = files
    self.numbers = numbers
    links = numbers.map { files.path($0) }
    let output = Pipe()
    lines = SpokenLines(output.fileHandleForReading)
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments =
      ["simulate"] + zip(numbers, links).flatMap { ["--number", $0, "--link", $1] } + options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    for _ in numbers {
      try expect("\"event\":\"ready\"") { self.before.append($0) }
    }
  }

  deinit {
    end()
  }

  var number: String { numbers[0] }
  var link: String { links[0] }

  /// Waits for a line of output that has these words, and returns it; lines before it are dropped.
  @discardableResult
  func expect(_ words: String..., dropped: (String) -> Void = { _ in }) throws -> String {
    var read = try lines.read(untilEach: [words])
    let found = read.removeLast()
    read.forEach(dropped)
    return found
  }

  /// All lines up to the one that has these words.
  func read(until words: String...) throws -> [String] {
    try lines.read(untilEach: [words])
  }

  /// The lines that it has said and nobody has waited for.
  func unread() -> [String] {
    var said: [String] = []
    while let line = lines.next(within: .zero) { said.append(line) }
    return said
  }

  /// Hands all that it says from now on to `each`, and nothing to `expect`.
  func hand(to each: @escaping @Sendable (Data) -> Void) {
    lines.hand(to: each)
  }

  /// Asks it for something.
  func request(_ line: String) {
    input.fileHandleForWriting.write(Data((line + "\n").utf8))
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// The port of a simulated modem, used byte by byte.
final class PortByHand {
  private let handle: FileHandle

  init(_ path: String) throws {
    handle = try #require(FileHandle(forUpdatingAtPath: path))
  }

  func write(_ text: String) throws {
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// What comes until these words have come.
  func read(until words: String) throws -> String {
    var text = ""
    while !text.contains(words) {
      guard let bytes = SpokenLines.bytes(from: handle) else {
        throw SpokenLines.Silent(wanted: [[words]], said: [text])
      }
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }
}
