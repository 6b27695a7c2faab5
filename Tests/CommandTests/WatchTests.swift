import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing
import Text
import Time

@testable import checkpost

/// `status --watch` on a terminal.
@Suite struct WatchTests {
  @Test func aFrameIsWrittenOverTheOneBeforeAndEndsAboveTheLastRow() {
    let lines: [ShownText] = ["one", "two", "three"]
    #expect(
      WatchedScreen.frame(of: lines, rows: 24)
        == "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\r\nthree\u{1B}[K\r\n\u{1B}[J")
    #expect(
      WatchedScreen.frame(of: lines, rows: 3) == "\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\r\n\u{1B}[J")
  }

  @Test(.timeLimit(.minutes(15)), arguments: [40, 80])
  func itFitsTheTerminalAndGivesItBackWhenInterrupted(columns: Int) throws {
    let files = try ProgramFiles()
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let terminal = try PseudoTerminal()
    let slave = try openTerminal(terminal.slavePath)
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), 60)
    try #require(ioctl(slave.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["status", "--watch", "--config", path]
    process.environment = ["TZ": "UTC", "NO_COLOR": "1"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = slave
    try process.start()
    var said = ""
    // Two frames: the second one is written over the first.
    while said.components(separatedBy: "\u{1B}[J").count < 3 {
      said += try #require(text(from: terminal, within: .seconds(300)))
    }
    process.interrupt()
    process.waitUntilExit()
    while let more = text(from: terminal, within: .zero) { said += more }
    #expect(process.terminationStatus == 0)
    #expect(process.terminationReason == .exit)
    #expect(said.hasPrefix("\u{1B}[?25l\u{1B}[H\u{1B}[2J"), "the cursor is hidden")
    #expect(said.hasSuffix("\u{1B}[?25h"), "and shown again")
    let frame = try #require(said.components(separatedBy: "\u{1B}[J").dropFirst().first)
    let lines = frame.components(separatedBy: "\u{1B}[K\r\n").map {
      $0.replacingOccurrences(of: "\u{1B}[H", with: "")
    }
    #expect(lines.contains("checkpost: NOT RUNNING"))
    #expect(lines.allSatisfy { ForeignText.width($0) <= columns }, "\(lines)")
  }

  /// What the terminal was told; nil when nothing comes in time.
  private func text(from terminal: PseudoTerminal, within patience: Duration) -> String? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + patience
    var bytes: [UInt8] = []
    repeat {
      _ = PollLoop.wait(
        [Interest(descriptor: terminal.master.descriptor)], until: deadline, clocks: clocks)
      _ = terminal.master.read(into: &bytes, limit: 65_536)
      if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    } while clocks.boot() < deadline
    return nil
  }
}
