import Foundation
import TestSupport
import Testing

/// `checkpost simulate` with one modem or several, as a process, for as long as a test holds it.
final class SimulatorProcess {
  private let files: ProgramFiles
  private let process: ChildProcess
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
    process = try ChildProcess(
      Program.path,
      ["simulate"] + zip(numbers, links).flatMap { ["--number", $0, "--link", $1] } + options)
    for _ in numbers {
      try expect("\"event\":\"ready\"") { self.before.append($0) }
    }
  }

  var number: String { numbers[0] }
  var link: String { links[0] }

  /// Waits for a line of output that has these words, and returns it; lines before it are dropped.
  @discardableResult
  func expect(_ words: String..., dropped: (String) -> Void = { _ in }) throws -> String {
    var read = try process.lines.read(untilEach: [words])
    let found = read.removeLast()
    read.forEach(dropped)
    return found
  }

  /// All lines up to the one that has these words.
  func read(until words: String...) throws -> [String] {
    try process.lines.read(untilEach: [words])
  }

  /// The lines that it has said and nobody has waited for.
  func unread() -> [String] {
    var said: [String] = []
    while let line = process.lines.next(within: .zero) { said.append(line) }
    return said
  }

  /// Hands all that it says from now on to `each`, and nothing to `expect`.
  func hand(to each: @escaping @Sendable (Data) -> Void) {
    process.lines.hand(to: each)
  }

  /// Asks it for something.
  func request(_ line: String) {
    process.say(line + "\n")
  }

  func kill() {
    process.kill()
  }

  func end() {
    process.end()
  }
}

/// The port of a simulated modem, used byte by byte.
final class PortByHand {
  private let handle: FileHandle

  init(_ path: String) throws {
    handle = try openTerminal(path)
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
