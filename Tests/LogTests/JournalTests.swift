import Events
import Glibc
import Settings
import TestSupport
import Testing
import Time

@testable import Log

/// The journal's own form, as a socket of the test's receives it.
@Suite struct JournalTests {
  private let directory: TemporaryDirectory
  private let socket: DatagramSocket
  private let place: JournalPlace

  init() throws {
    directory = try TemporaryDirectory()
    socket = try DatagramSocket(directory.file("journal"))
    place = JournalPlace(path: directory.file("journal"), stream: nil)
  }

  private let event = Event(
    "text_refused", .warning, at: WallTime(epochSeconds: 1_795_271_531), subject: "huawei",
    words: "CMS 38 network out of order",
    next: NextStep("next try", at: WallTime(epochSeconds: 1_795_271_600)), waiting: 3,
    fields: [
      EventField("plate", .plate("BA1PA1234")), EventField("to", .phone("+9779801234567")),
      EventField("attempt", .integer(2)), EventField("references", .integers([7, 8])),
    ])

  @Test func takesLevelWordsAndFacts() throws {
    let sink = try #require(JournalSink(place))
    sink.write(LogRecord(event, mask: .short))
    let lines = try socket.receive().split(separator: 0x0A).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(lines.prefix(1) == ["PRIORITY=4"])
    let message = try #require(lines.first { $0.hasPrefix("MESSAGE=") })
    #expect(
      message.hasPrefix(
        "MESSAGE=huawei BA••  CMS 38 network out of order, to ••67, attempt 2, next try "))
    #expect(message.hasSuffix(", 3 waiting"))
    for line in [
      "SYSLOG_IDENTIFIER=checkpost", "CHECKPOST_EVENT=text_refused", "CHECKPOST_ATTEMPT=2",
      "CHECKPOST_PLATE=BA••", "CHECKPOST_TO=••67", "CHECKPOST_REFERENCES=[7,8]",
      "CHECKPOST_NEXT_AT=2026-11-21T14:33:20Z", "CHECKPOST_TIME=2026-11-21T14:32:11Z",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(sink.dropped == 0)
  }

  @Test func aValueOfSeveralLinesHasItsLength() throws {
    let sink = try #require(JournalSink(place))
    var told = event
    told.fields = [EventField("line", .text("one\ntwo"))]
    sink.write(LogRecord(told, mask: .short))
    let bytes = try socket.receive()
    let field =
      Array("CHECKPOST_LINE\n".utf8) + [7, 0, 0, 0, 0, 0, 0, 0] + Array("one\ntwo\n".utf8)
    #expect(bytes.firstRange(of: field) != nil)
  }

  @Test(arguments: [
    (LogLevel.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3),
  ])
  func levelsAreThoseOfSyslog(level: LogLevel, priority: Int) {
    #expect(level.syslogPriority == priority)
  }

  @Test func whatTheJournalDoesNotTakeIsCounted() throws {
    let sink = try #require(JournalSink(place))
    unlink(place.path)
    sink.write(LogRecord(event, mask: .short))
    #expect(sink.dropped == 1)
    // It is found again once it is back.
    let again = try DatagramSocket(place.path)
    sink.write(LogRecord(event, mask: .short))
    #expect(sink.dropped == 1)
    #expect(!(try again.receive().isEmpty))
    #expect(JournalSink(JournalPlace(path: directory.file("none"), stream: nil)) == nil)
  }

  @Test func itIsUsedWhereStandardOutputIsTheJournal() throws {
    var loaded = LoadedSettings()
    loaded.settings.log.file = nil
    loaded.settings.log.maskKeyFile = nil
    var status = stat()
    #expect(fstat(STDOUT_FILENO, &status) == 0)
    var behind = place
    behind.stream = "\(status.st_dev):\(status.st_ino)"
    #expect(behind.isBehind(STDOUT_FILENO))
    behind.stream = "\(status.st_dev):\(status.st_ino + 1)"
    #expect(!behind.isBehind(STDOUT_FILENO) && !place.isBehind(STDOUT_FILENO))
    behind.stream = "\(status.st_dev):\(status.st_ino)"
    try ServiceLog.open(loaded, journal: behind).record(event)
    #expect(try socket.receive().starts(with: Array("PRIORITY=4\n".utf8)))
  }
}

/// A socket that receives datagrams at a path.
private final class DatagramSocket {
  private struct Failure: Error {}
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard isBound else { throw Failure() }
  }

  deinit { close(descriptor) }

  /// The next one, which is there already.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count >= 0 else { throw Failure() }
    return Array(buffer[..<count])
  }
}
