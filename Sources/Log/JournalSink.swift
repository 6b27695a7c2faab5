import EventLoop
public import Events
import Glibc
import JSON
import Synchronization

/// Where the journal of systemd takes records, and whether what a program writes ends there anyway.
public struct JournalPlace: Sendable {
  /// The socket that takes datagrams.
  public var path: String
  /// What systemd says of the stream that it connected a program's output to: the numbers of its device
  /// and its file; nil where it did not.
  public var stream: String?

  /// A journal.
  public init(path: String, stream: String?) {
    self.path = path
    self.stream = stream
  }

  /// The journal of this machine, by `JOURNAL_STREAM`.
  public static var ofThisMachine: JournalPlace {
    JournalPlace(
      path: "/run/systemd/journal/socket",
      stream: getenv("JOURNAL_STREAM").map { String(cString: $0) })
  }

  /// Whether what is written to a descriptor goes to it.
  public func isBehind(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}

/// Writes records to the journal of systemd as fields, so that it can be asked for them: the level as
/// `PRIORITY`, the words as `MESSAGE`, the name as `CHECKPOST_EVENT`, and each fact under its key in
/// capitals, `CHECKPOST_TEXT_ID`.
///
/// The journal takes one datagram a record (systemd.io/JOURNAL_NATIVE_PROTOCOL).
public final class JournalSink: LogSink {
  private struct State {
    var lost = 0
    /// Whether it had no room when it was last waited for.
    var isFull = false
  }

  private let socket: Descriptor
  private let path: String
  private let line = LogLine()
  private let state = Mutex(State())

  /// A way to the journal; nil where none takes datagrams.
  public init?(_ place: JournalPlace) {
    guard access(place.path, W_OK) == 0, let socket = try? UnixSocket.datagrams() else {
      return nil
    }
    // A journal that hangs holds the service up for no longer than this, and once.
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(
      socket.value, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    self.socket = socket
    path = place.path
  }

  /// Hands the record over, or counts it as dropped when the journal does not take it.
  public func write(_ record: LogRecord) {
    let datagram = Array(fields(record).flatMap(JournalSink.encoded))
    state.withLock { state in
      do throws(UnixSocket.Failure) {
        // By its name each time: the journal may have been started anew.
        try UnixSocket.send(datagram, to: path, from: socket, waits: !state.isFull)
        state.isFull = false
      } catch {
        state.isFull = error == .system(operation: "send", errno: EAGAIN)
        state.lost += 1
      }
    }
  }

  /// Does nothing: the journal keeps its own files.
  public func reopen() {}

  /// Records that the journal did not take.
  public var dropped: Int { state.withLock { $0.lost } }

  private func fields(_ record: LogRecord) -> [(key: String, value: String)] {
    var fields = [
      ("PRIORITY", "\(record.level.syslogPriority)"), ("MESSAGE", line.sentence(record)),
      ("SYSLOG_IDENTIFIER", "checkpost"), ("CHECKPOST_EVENT", record.name),
    ]
    let told: Set = ["event", "level", "words"]
    for (key, value) in record.object.sorted(by: { $0.key < $1.key }) where !told.contains(key) {
      fields.append(("CHECKPOST_\(key.uppercased())", value.text ?? JSONText.line(value)))
    }
    return fields
  }

  /// One field in the journal's own form.
  private static func encoded(_ field: (key: String, value: String)) -> [UInt8] {
    let value = Array(field.value.utf8)
    guard value.contains(0x0A) else { return Array("\(field.key)=".utf8) + value + [0x0A] }
    let length = (0..<8).map { UInt8(truncatingIfNeeded: value.count >> (8 * $0)) }
    return Array("\(field.key)\n".utf8) + length + value + [0x0A]
  }
}

extension LogLevel {
  /// The level as syslog counts it (RFC 5424, section 6.2.1).
  public var syslogPriority: Int {
    switch self {
    case .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    }
  }
}
