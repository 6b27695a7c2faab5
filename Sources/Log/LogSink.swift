public import Events
import Glibc
import Synchronization

/// Where records go. Called from any thread, one record at a time for each sink.
public protocol LogSink: Sendable {
  /// Writes one record. A sink that cannot write drops the record and counts it: the service it
  /// reports on must not stop for want of a log.
  func write(_ record: LogRecord)

  /// Opens its file anew, after somebody moved it away.
  func reopen()

  /// Returns when all that was written is where it goes, or nothing takes it: before the service ends.
  func finish()

  /// Records that could not be written since the start.
  var dropped: Int { get }

  /// That records did not get there, or not yet; nil when they did.
  var problem: Problem? { get }
}

extension LogSink {
  /// Nothing waits.
  public func finish() {}

  /// That its disk takes no more.
  public var problem: Problem? {
    let missing = dropped
    guard missing > 0 else { return nil }
    return Problem(
      "log_incomplete", .warning,
      "\(missing) event\(missing == 1 ? "" : "s") did not get into the log, or not yet: its disk takes no more",
      remedy: "make room on the disk of log.file, or look at the kernel's log for its errors")
  }
}

/// Keeps the newest records in memory, for the status and for tests.
public final class RecentRecords: LogSink {
  private struct State {
    var records: [LogRecord] = []
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// Keeps the newest `capacity` records, or as many as a status shows.
  public init(capacity: Int? = nil) {
    self.capacity = max(1, capacity ?? Limits.recentEvents)
  }

  /// Keeps the record, and lets the oldest go where there is no room.
  public func write(_ record: LogRecord) {
    state.withLock { state in
      // Half is let go at once, so that the array is not shifted for every record.
      if state.records.count >= 2 * capacity {
        state.records.removeFirst(capacity)
      }
      state.records.append(record)
    }
  }

  /// Does nothing: there is no file.
  public func reopen() {}

  /// Always 0: what is in memory is let go, and never lost for want of writing.
  public var dropped: Int { 0 }

  /// The newest records, oldest first.
  public var records: [LogRecord] {
    state.withLock { Array($0.records.suffix(capacity)) }
  }
}

/// Writes `bytes` as far as the descriptor takes them; returns how many it took.
func writeSome(_ bytes: [UInt8], to descriptor: Int32) -> Int {
  var position = 0
  while position < bytes.count {
    let count = bytes[position...].withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { break }
    position += count
  }
  return position
}
