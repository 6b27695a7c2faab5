import EventLoop
import Foundation
import Testing
import Timing

/// `checkpost run` as a process, for as long as a test holds it.
final class ServiceProcess {
  /// What it had said when nothing more came, or it ended.
  struct Silent: Error {
    var wanted: String
    var said: String
  }

  private let process = Process()
  private let output = Pipe()
  private var text = ""

  /// Starts it.
  init(_ configuration: String) throws {
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
    var read = ""
    while true {
      while let end = text.firstIndex(of: "\n") {
        let line = text[...end]
        read += line
        text.removeSubrange(...end)
        if words.allSatisfy({ line.contains($0) }) { return read }
      }
      let handle = output.fileHandleForReading
      let clocks = SystemClocks()
      let ready = PollLoop.wait(
        [Interest(descriptor: handle.fileDescriptor)], until: clocks.boot() + .seconds(60),
        clocks: clocks)
      let data = ready[0] == [] ? Data() : handle.availableData
      guard !data.isEmpty else {
        throw Silent(wanted: words.joined(separator: " "), said: read + text)
      }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// Ends it, and waits until it has ended.
  func end() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }
}
