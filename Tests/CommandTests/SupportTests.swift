import Control
import Foundation
import Testing
import Text
import Time

@testable import checkpost

@Suite(.ownThreads) struct SupportTests {
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

  @Test func theDayStandsAboveItsRowsAndWidensNoColumn() {
    var table = TextTable(["time", "post"])
    table.add(heading: "2026-11-21, times in UTC+05:45")
    table.add(["20:17:11", "BNP-A"])
    table.add(heading: nil)
    table.add(["20:18:00", "BNP-B"])
    #expect(
      table.lines() == [
        "time      post", "-- 2026-11-21, times in UTC+05:45", "20:17:11  BNP-A",
        "20:18:00  BNP-B",
      ])
  }

  @Test func whatHasNoRoomInARowStandsBelowIt() {
    var table = TextTable(["number", "plate", "why"])
    table.add(["1", "BA 1 PA 1234", "it was too fast for this road"])
    table.add(["2", "KO 2 KHA 77", ""])
    table.add(heading: "2026-11-21")
    #expect(table.lines(fitting: 60) == table.lines())
    #expect(
      table.lines(fitting: 24) == [
        "number  plate", "    why", "1       BA 1 PA 1234", "    it was too fast for",
        "    this road", "2       KO 2 KHA 77", "-- 2026-11-21",
      ])
    for room in 24..<60 {
      #expect(table.lines(fitting: room).allSatisfy { ForeignText.width($0.text) <= room })
    }
  }

  @Test func timesAreTakenInSeveralForms() throws {
    let now = try #require(WallTime(rfc3339: "2026-11-21T14:00:00Z"))
    for text in ["2026-11-21T00:00:00Z", "1795219200"] {
      #expect(
        try TimeOption.read(text, "--since", now: now)?.rfc3339 == "2026-11-21T00:00:00Z")
    }
    #expect(try TimeOption.read("90m", "--since", now: now) == now - .seconds(5_400))
    #expect(try TimeOption.read(nil, "--since", now: now) == nil)
    #expect(throws: CommandFailure.self) { try TimeOption.read("soon", "--since", now: now) }
    #expect(throws: CommandFailure.self) { try TimeOption.range(since: "2", until: "1") }
  }

  @Test func aTimeOfARowIsWrittenAsRowsHaveIt() throws {
    let now = try #require(WallTime(rfc3339: "2026-11-21T14:00:00Z"))
    #expect(TimeOption.ofRow("90m", now: now) == "2026-11-21T12:30:00Z")
    // What a row takes, and what it says is wrong, stays as it was written.
    for text in ["2026-11-21T14:00:00+05:45", "1795219200", "1795219200000", "-5", "noon"] {
      #expect(TimeOption.ofRow(text, now: now) == text)
    }
  }

  @Test func ideographsTakeTwoColumns() {
    var table = TextTable(["from", "text"])
    table.add(["車輛 1", "a"])
    table.add(["e\u{301}a🚗", "b"])
    table.add(["NTC", "c"])
    #expect(table.lines() == ["from    text", "車輛 1  a", "e\u{301}a🚗    b", "NTC     c"])
  }

  // A stranger's long text moves the rest of its own row and no other.
  @Test func oneLongCellLeavesTheOtherRowsAlone() {
    var table = TextTable(["text", "why"])
    let long = String(repeating: "x", count: 1_530)
    table.add([long, "a"])
    table.add(["short", "b"])
    #expect(table.lines() == ["text   why", ShownText("\(long)  a"), "short  b"])
  }

  @Test func coloursAroundForeignTextAreOurs() {
    var table = TextTable(["text"])
    table.add(["\u{1B}[0mred"])
    #expect(table.lines(isColoured: true) == ["\u{1B}[1mtext\u{1B}[0m", "␛[0mred"])
    #expect(Colour.bad.paint("\u{1B}[0m", if: true) == "\u{1B}[31m␛[0m\u{1B}[0m")
    let name = "\u{9B}2J"
    let line: ShownText = "\u{1B}[1m\(name)\u{1B}[0m \(Colour.good.paint(name, if: true))"
    #expect(line.text == "\u{1B}[1m�2J\u{1B}[0m \u{1B}[32m�2J\u{1B}[0m")
    #expect(ShownText.lines("a\n\u{1B}b\r\nc").map(\.text) == ["a", "␛b", "c"])
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
