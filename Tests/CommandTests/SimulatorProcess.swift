import EventLoop
import Foundation
import Testing
import Timing

/// `checkpost simulate` with one modem, as a process, for as long as a test holds it.
final class SimulatorProcess {
  /// It said nothing more that a test waits for.
  struct Silent: Error {
    var words: [String]
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var text = ""
  /// What it said before its port was told.
  private(set) var before: [String] = []
  let number: String
  let link: String

  /// Starts it, and waits for its port.
  init(_ number: String, _ files: ProgramFiles, _ options: [String] = []) throws {
    self.number = number
    link = files.path(number)
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["simulate", "--number", number, "--link", link] + options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try expect("\"event\":\"ready\"") { self.before.append($0) }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Waits for a line of output that has these words, and returns it; lines before it are dropped.
  @discardableResult
  func expect(_ words: String..., dropped: (String) -> Void = { _ in }) throws -> String {
    while true {
      while let end = text.firstIndex(of: "\n") {
        let line = String(text[..<end])
        text.removeSubrange(...end)
        if words.allSatisfy({ line.contains($0) }) { return line }
        dropped(line)
      }
      let handle = output.fileHandleForReading
      let clocks = SystemClocks()
      let ready = PollLoop.wait(
        [Interest(descriptor: handle.fileDescriptor)], until: clocks.boot() + .seconds(30),
        clocks: clocks)
      guard ready[0] != [] else { throw Silent(words: words) }
      let data = handle.availableData
      guard !data.isEmpty else { throw Silent(words: words) }
      text += String(decoding: data, as: UTF8.self)
    }
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
    let clocks = SystemClocks()
    while !text.contains(words) {
      let ready = PollLoop.wait(
        [Interest(descriptor: handle.fileDescriptor)], until: clocks.boot() + .seconds(30),
        clocks: clocks)
      guard ready[0] != [] else { throw SimulatorProcess.Silent(words: [words]) }
      text += String(decoding: handle.availableData, as: UTF8.self)
    }
    return text
  }
}
