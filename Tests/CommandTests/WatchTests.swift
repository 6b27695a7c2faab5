import Foundation
import TestSupport
import Testing
import Text

@testable import checkpost

/// `status --watch` on a terminal.
@Suite(.ownThreads) struct WatchTests {
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
    let terminal = try SizedTerminal(columns: columns)
    let process = try terminal.start(
      Program.path, ["status", "--watch", "--config", path], environment: ["NO_COLOR": "1"])
    var said = ""
    // Two frames: the second one is written over the first.
    while said.components(separatedBy: "\u{1B}[J").count < 3 {
      said += try #require(terminal.text())
    }
    process.interrupt()
    said += terminal.rest(of: process)
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
}
