import Foundation
import Testing

@testable import checkpost

@Suite struct SupportTests {
  @Test func progressBarFitsItsTerminal() {
    let line = ProgressBar.line(
      "recording", done: 230, total: 500, elapsed: .seconds(23), columns: 80)
    #expect(line.hasPrefix("recording  ["))
    #expect(line.hasSuffix("]   46 %  230 of 500  0:27 left"))
    for columns in 1..<120 {
      let line = ProgressBar.line(
        "recording", done: 230, total: 500, elapsed: .seconds(23), columns: columns)
      #expect(line.count < max(columns, 1))
    }
    let done = ProgressBar.line("x", done: 5, total: 5, elapsed: .zero, columns: 80)
    #expect(done.contains("100 %") && !done.contains("left") && !done.contains("."))
    #expect(ProgressBar.line("x", done: 0, total: 0, elapsed: .zero, columns: 80).contains("100 %"))
  }

  @Test func tableColumnsAreAsWideAsTheirCells() {
    var table = TextTable([("plate", .left), ("count", .right)])
    table.add(["BA 1 PA 1234", "7"])
    table.add(["बा १ पा १२३४", "1234567"])
    table.add(["x"])
    #expect(
      table.lines() == [
        "plate           count", "BA 1 PA 1234        7", "बा १ पा १२३४  1234567",
        "x                    ",
      ])
    #expect(table.lines(isColoured: true)[0].hasPrefix("\u{1B}[1mplate"))
    table.add(["two\nlines", "1"])
    #expect(table.lines().last?.hasPrefix("two lines") == true)
  }

  @Test func linesAreReadWithinTheirBound() throws {
    let long = String(repeating: "x", count: 50)
    let files = try ProgramFiles(
      input: Data("one\r\n\n\(long)\ntwo\u{0}\n".utf8) + [0xFF, 0x0A, 0x33])
    var reader = LineReader(descriptor: files.input.fileDescriptor, limit: 20)
    var lines: [LineReader.Line] = []
    while let line = try reader.next() {
      lines.append(line)
    }
    #expect(
      lines == [
        .text("one"), .text(""), .unreadable(.overlong(limit: 20), shown: long),
        .text("two\u{0}"),
        .unreadable(.notText, shown: "\u{FFFD}"), .text("3"),
      ])
  }

  @Test func coloursAreOffWhereTheyAreNotWanted() {
    #expect(Terminal.allowsColours(["TERM": "xterm"]))
    #expect(!Terminal.allowsColours(["NO_COLOR": "1"]))
    #expect(!Terminal.allowsColours(["TERM": "dumb"]))
    #expect(Colour.bad.paint("x", if: false) == "x")
    #expect(Colour.bad.paint("x", if: true) == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func aFullDiskUnderStandardOutputIs74() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let out = StandardOutput(descriptor: full.fileDescriptor, isImmediate: true)
    #expect {
      try out.line("x")
    } throws: { error in
      CommandFailure(error)?.status == .inputOutput
    }
  }
}
