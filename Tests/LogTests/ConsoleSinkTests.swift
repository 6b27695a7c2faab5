import EventLoop
import Events
import Foundation
import Glibc
import TestSupport
import Testing
import Time

@testable import Log

/// Standard output that nobody reads for a while, of each kind that it may be.
@Suite struct ConsoleSinkTests {
  /// What stands between the service and its reader.
  enum Kind: CaseIterable {
    case pipe
    case socket
    case terminal
    /// One that cannot be opened once more.
    case master
  }

  /// Both ends of it.
  private final class Way {
    let written: Int32
    let read: FileHandle
    private let terminal: PseudoTerminal?

    init(_ kind: Kind) throws {
      switch kind {
      case .pipe:
        let pipe = Spawn.pipe()
        written = dup(pipe.fileHandleForWriting.fileDescriptor)
        read = pipe.fileHandleForReading
        terminal = nil
        // F_SETPIPE_SZ: as little as a pipe can hold.
        try #require(fcntl(written, 1_031, 4_096) > 0)
      case .socket:
        let ends = try ConsoleSinkTests.sockets()
        written = ends.written
        read = FileHandle(fileDescriptor: ends.read, closeOnDealloc: true)
        terminal = nil
      case .terminal, .master:
        let opened = try PseudoTerminal()
        terminal = opened
        let ends = [
          dup(opened.master.descriptor), open(opened.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC),
        ]
        written = ends[kind == .master ? 0 : 1]
        read = FileHandle(fileDescriptor: ends[kind == .master ? 1 : 0], closeOnDealloc: true)
      }
    }

    deinit { close(written) }
  }

  private static func sockets() throws -> (read: Int32, written: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestFailure("no sockets") }
    return (ends[0], ends[1])
  }

  private func record(_ number: Int) -> LogRecord {
    LogRecord(
      Event(
        "event", at: WallTime(epochSeconds: 1_795_271_531), words: "number \(number)",
        fields: [EventField("number", .integer(Int64(number)))]), mask: .short)
  }

  private func number(_ line: String) -> Int? {
    line.firstMatch(of: /"number":([0-9]+)/).flatMap { Int($0.1) }
  }

  @Test(.timeLimit(.minutes(5)), arguments: Kind.allCases)
  func whatComesLateComesWholeAndInOrder(_ kind: Kind) throws {
    let way = try Way(kind)
    let sink = ConsoleSink(jsonTo: way.written)
    var lines = SpokenLines(way.read)
    for round in 0..<3 {
      let numbers = Array((round * 400)..<((round + 1) * 400))
      // Nobody reads meanwhile: far more than the kernel keeps.
      for number in numbers { sink.write(record(number)) }
      #expect(numbers.map { _ in lines.next().flatMap(number) } == numbers)
    }
    #expect(sink.dropped == 0 && sink.problem == nil)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Kind.allCases)
  func whatDoesNotFitIsCountedAndToldOnce(_ kind: Kind) throws {
    let way = try Way(kind)
    let sink = ConsoleSink(jsonTo: way.written)
    let count = Limits.logLinesWaiting + 3_000
    for number in 0..<count { sink.write(record(number)) }
    let missing = sink.dropped
    #expect(missing > 0)
    #expect(sink.problem?.name == "log_incomplete" && sink.problem?.count == missing)
    #expect(sink.problem?.what.contains("nothing reads it") == true)
    var lines = SpokenLines(way.read)
    let shown = (0..<(count - missing)).map { _ in lines.next().flatMap(number) }
    #expect(shown == Array(0..<(count - missing)))
    let next = lines.next()
    let gap = try #require(next)
    #expect(gap.contains("\"log_gap\"") && gap.contains("\"count\":\(missing)"), "\(gap)")
    sink.write(record(count))
    #expect(lines.next().flatMap(number) == count)
    #expect(sink.problem == nil && sink.dropped == missing)
  }

  @Test(.timeLimit(.minutes(5))) func theEndWaitsForAReaderThatReads() async throws {
    let way = try Way(.pipe)
    let sink = ConsoleSink(jsonTo: way.written)
    for number in 0..<500 { sink.write(record(number)) }
    async let ended: Void = onThread { sink.finish() }
    var lines = SpokenLines(way.read)
    #expect((0..<500).map { _ in lines.next().flatMap(number) } == Array(0..<500))
    await ended
    #expect(sink.dropped == 0)
  }

  @Test(.timeLimit(.minutes(5))) func theEndDoesNotWaitForOneThatDoesNot() throws {
    let way = try Way(.pipe)
    // Each look at this clock finds a second passed.
    let sink = ConsoleSink(jsonTo: way.written, clocks: TestClocks(step: .seconds(1)))
    for number in 0..<500 { sink.write(record(number)) }
    sink.finish()
    #expect(sink.dropped > 0 && sink.dropped < 500)
  }

  @Test func aReaderThatIsGoneIsToldOfAndOneThatComesBackHearsOfIt() throws {
    let ends = try ConsoleSinkTests.sockets()
    let sink = ConsoleSink(jsonTo: ends.written)
    close(ends.read)
    for number in 0..<3 { sink.write(record(number)) }
    #expect(sink.dropped == 3)
    #expect(sink.problem?.what == "3 events did not get to standard output: it cannot be written")
    // Another reader in its place.
    let others = try ConsoleSinkTests.sockets()
    dup2(others.written, ends.written)
    sink.write(record(3))
    var lines = SpokenLines(FileHandle(fileDescriptor: others.read, closeOnDealloc: true))
    #expect(lines.next()?.contains("\"count\":3") == true)
    #expect(lines.next().flatMap(number) == 3)
    #expect(sink.problem == nil)
    for end in [ends.written, others.written] { close(end) }
  }

  @Test func equalWarningsAreSummedUpAtTheEnd() throws {
    let way = try Way(.pipe)
    let sink = ConsoleSink(descriptor: way.written, clock: .utc)
    let warning = LogRecord(
      Event("event", .warning, at: WallTime(epochSeconds: 1_795_271_531), words: "again"),
      mask: .short)
    for _ in 0..<4 { sink.write(warning) }
    sink.finish()
    var lines = SpokenLines(way.read)
    let said = (0..<3).compactMap { _ in lines.next() }
    #expect(said.last?.contains("3 times more") == true, "\(said)")
  }

  @Test func aFileHasAllAtOnce() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("output")
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    let sink = ConsoleSink(jsonTo: file)
    for number in 0..<100 { sink.write(record(number)) }
    let lines = try contents(of: path).split(separator: "\n").map(String.init)
    #expect(lines.compactMap(number) == Array(0..<100))
  }
}
