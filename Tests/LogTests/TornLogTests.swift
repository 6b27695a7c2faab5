import Events
import Foundation
import Glibc
import Log
import TestSupport
import Testing
import Time

/// A log file on a disk that fills up, and after the power went.
@Suite struct TornLogTests {
  private func record(_ number: Int, _ level: LogLevel = .info) -> LogRecord {
    LogRecord(
      Event(
        "event", level, at: WallTime(epochSeconds: 1_795_271_531 + Int64(number)),
        words: "number \(number)"), mask: .short)
  }

  private func words(_ path: String) throws -> [String] {
    var words: [String] = []
    try LogReader(path: path).read { words.append($0.words) }
    return words
  }

  private func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { "number \($0)" } }

  @Test func aLineThatThePowerCutTookAwayFromEndsItself() throws {
    let directory = try TemporaryDirectory()
    let whole = record(100).json + "\n"
    for torn in [record(101).json.prefix(30) + "", "\u{0}\u{0}\u{0}", record(101).json] {
      let path = try directory.write("log.jsonl", whole + torn)
      let file = try RotatingFile(path: path, size: 1 << 20, count: 2)
      file.write(record(102))
      file.reopen()
      file.write(record(103))
      let expected = torn == record(101).json ? 100...103 : 102...103
      #expect(try words(path).suffix(expected.count) == ArraySlice(numbers(expected)))
      #expect(try words(path).first == "number 100")
      #expect(file.dropped == 0)
    }
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aFullDiskCostsNoLineThatItTookAndNoneAfterwards()
    throws
  {
    let disk = try #require(MountedDisk(kilobytes: 64))
    let path = disk.file("log.jsonl")
    let file = try RotatingFile(path: path, size: 1 << 20, count: 2)
    var number = 100
    // Three times full, each time with another place at which a line is torn.
    for size in [30_000, 20_100, 9_300] {
      let ballast = disk.file("ballast")
      try Data(count: size).write(to: URL(fileURLWithPath: ballast))
      let before = file.dropped
      while file.dropped < before + 3 {
        file.write(record(number))
        number += 1
      }
      unlink(ballast)
      for _ in 0..<5 {
        file.write(record(number))
        number += 1
      }
    }
    // What the disk did not take was kept meanwhile.
    #expect(try words(path) == numbers(100...(number - 1)))
    #expect(file.dropped == 0)
  }
}
