import EventLoop
import Events
import Foundation
import SeededRandom
import TestSupport
import Testing
import Time

@testable import Log

@Suite struct LogFileTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("log.jsonl")
  }

  private func record(_ number: Int, _ name: String = "event") -> LogRecord {
    LogRecord(
      Event(
        name, at: WallTime(epochSeconds: 1_795_271_531 + Int64(number)), words: "number \(number)"),
      mask: .short)
  }

  private func read(_ reader: LogReader) throws -> [String] {
    var words: [String] = []
    try reader.read { words.append($0.words) }
    return words
  }

  private func numbers(_ range: Range<Int>) -> [String] { range.map { "number \($0)" } }

  @Test func beginsAnewAtItsSizeAndKeepsSoMany() throws {
    let size = record(100).json.utf8.count + 1
    let file = try RotatingFile(path: path, size: 10 * size, count: 3)
    for number in 100..<145 {
      file.write(record(number))
    }
    #expect(try contents(of: path).split(separator: "\n").count == 5)
    #expect(try contents(of: path + ".1").split(separator: "\n").count == 10)
    #expect(try contents(of: path + ".2").split(separator: "\n").count == 10)
    #expect(!exists(path + ".3"))
    #expect(try read(LogReader(path: path)) == numbers(120..<145))
    #expect(file.dropped == 0)
  }

  @Test func goesOnWithTheFileThatIsThere() throws {
    let size = record(100).json.utf8.count + 1
    try RotatingFile(path: path, size: 2 * size, count: 2).write(record(100))
    let file = try RotatingFile(path: path, size: 2 * size, count: 2)
    file.write(record(101))
    file.write(record(102))
    #expect(try contents(of: path + ".1").split(separator: "\n").count == 2)
    #expect(try read(LogReader(path: path)) == numbers(100..<103))
  }

  @Test func oneFileIsKeptWhenOneIsAskedFor() throws {
    let size = record(100).json.utf8.count + 1
    let file = try RotatingFile(path: path, size: 2 * size, count: 1)
    for number in 100..<105 {
      file.write(record(number))
    }
    #expect(try read(LogReader(path: path)) == ["number 104"])
    #expect(!exists(path + ".1"))
  }

  @Test func aFileThatCannotBeMovedAwayIsBoundedAllTheSame() throws {
    // Nothing takes the place of a directory, as nothing is moved in one that cannot be written.
    let size = record(100).json.utf8.count + 1
    try FileManager.default.createDirectory(
      atPath: path + ".1/x", withIntermediateDirectories: true)
    let file = try RotatingFile(path: path, size: 10 * size, count: 2)
    var most = 0
    for number in 100..<180 {
      file.write(record(number))
      most = max(most, try contents(of: path).utf8.count)
    }
    #expect(most <= 20 * size, "as much as both files would have")
    let lines = try contents(of: path).split(separator: "\n")
    #expect(lines.first?.contains("log_cut") == true)
    #expect(lines.last?.contains("number 179") == true)
    #expect(file.dropped == 0)
  }

  @Test func readerFollowsThroughRotation() throws {
    let size = record(100).json.utf8.count + 1
    let file = try RotatingFile(path: path, size: 4 * size, count: 50)
    let reader = LogReader(path: path)
    var seen: [String] = []
    var generator = SplitMix64(seed: 99)
    var number = 100
    while number < 250 {
      // Between two looks the log may grow by a line or be rotated several times.
      let next = min(250, number + Int.random(in: 0..<20, using: &generator))
      for written in number..<next {
        file.write(record(written))
      }
      number = next
      if number > 100 {
        seen += try read(reader)
      }
    }
    #expect(seen == numbers(100..<250))
  }

  @Test func readerSurvivesAFileEmptiedInPlace() throws {
    let file = try RotatingFile(path: path, size: 1 << 20, count: 2)
    file.write(record(100))
    file.write(record(101))
    let reader = LogReader(path: path)
    #expect(try read(reader) == numbers(100..<102))
    try directory.write("log.jsonl", "")
    #expect(try read(reader) == [])
    file.write(record(102))
    #expect(try read(reader) == ["number 102"])
  }

  @Test func readerWaitsForWholeLinesAndPassesOverOthers() throws {
    let line = record(100).json
    try directory.write("log.jsonl", "not json\n\n" + line.prefix(20))
    let reader = LogReader(path: path)
    #expect(try read(reader) == [])
    let long = String(repeating: "x", count: Limits.logLineBytes + 5)
    try directory.append("log.jsonl", line.dropFirst(20) + "\n" + long + "\n" + line + "\n")
    #expect(try read(reader) == ["number 100", "number 100"])
  }

  @Test func readerWakesWhenTheLogGrows() async throws {
    let file = try RotatingFile(path: path, size: 1 << 20, count: 2)
    file.write(record(100))
    let reader = LogReader(path: path)
    #expect(try read(reader) == ["number 100"])
    let writer = WorkerThread()
    try writer.start(name: "writer") { file.write(record(101)) }
    let clocks = SystemClocks()
    let deadline = clocks.boot() + .seconds(30)
    var seen: [String] = []
    while seen.isEmpty, clocks.boot() < deadline {
      reader.wait(until: deadline, clocks: clocks)
      seen = try read(reader)
    }
    #expect(seen == ["number 101"])
    await writer.finished()
  }

  @Test func aMissingLogIsAnErrorOfItsOwn() throws {
    #expect(throws: LogFileError.missing(path: path)) { try read(LogReader(path: path)) }
    let lost = directory.file("none/log.jsonl")
    #expect(throws: LogFileError.missingDirectory(path: lost)) {
      try RotatingFile(path: lost, size: 1_000, count: 2)
    }
    #expect(throws: LogFileError.isDirectory(path: directory.path)) {
      try RotatingFile(path: directory.path, size: 1_000, count: 2)
    }
    #expect(throws: LogFileError.isDirectory(path: directory.path)) {
      try read(LogReader(path: directory.path))
    }
  }

  @Test(.timeLimit(.minutes(10))) func aPipeIsNoLogFile() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: LogFileError.isPipe(path: path)) {
      try RotatingFile(path: path, size: 1_000, count: 2)
    }
    #expect(throws: LogFileError.isPipe(path: path)) { try read(LogReader(path: path)) }
    // With somebody at the other end it is none either: who reads slowly holds up who writes.
    let reader = Descriptor(owning: open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC))
    #expect(reader.value >= 0)
    #expect(throws: LogFileError.isPipe(path: path)) {
      try RotatingFile(path: path, size: 1_000, count: 2)
    }
  }

  @Test func aFullDiskDropsRecordsAndCountsThem() throws {
    let file = try RotatingFile(path: "/dev/full", size: 1 << 20, count: 1)
    file.write(record(100))
    file.write(record(101))
    #expect(file.dropped == 2)
  }

  @Test func twoServicesNeverShareAFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.jsonl")
    var first: RotatingFile? = try RotatingFile(path: path, size: 200, count: 2)
    #expect(throws: LogFileError.inUse(path: path)) {
      try RotatingFile(path: path, size: 200, count: 2)
    }
    // Also after it began anew, and after it opened the same file again.
    for number in 0..<10 { first?.write(record(number)) }
    first?.reopen()
    #expect(throws: LogFileError.inUse(path: path)) {
      try RotatingFile(path: path, size: 200, count: 2)
    }
    first = nil
    #expect(throws: Never.self) { try RotatingFile(path: path, size: 200, count: 2) }
  }
}
