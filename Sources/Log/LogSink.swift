public import EventLoop
import Glibc
import Synchronization
public import Time

/// Where records go. Called from any thread, one record at a time for each sink.
public protocol LogSink: Sendable {
  /// Writes one record. A sink that cannot write drops the record and counts it: the service it
  /// reports on must not stop for want of a log.
  func write(_ record: LogRecord)

  /// Opens its file anew, after somebody moved it away.
  func reopen()

  /// Records that could not be written since the start.
  var dropped: Int { get }
}

/// Writes records to an open descriptor, standard output as a rule: for people or as JSON Lines.
public final class ConsoleSink: LogSink {
  private let descriptor: Int32
  private let line: LogLine?
  private let state: Mutex<State>

  private struct State {
    var days: DayHeadings
    var fold = RepeatFold()
    var lost = 0
  }

  /// Lines for people on `descriptor`, which stays the caller's, under a heading where a day begins.
  public init(
    descriptor: Int32, look: ConsoleLook = ConsoleLook(), clock: LocalClock = .ofThisMachine
  ) {
    self.descriptor = descriptor
    line = LogLine(look, clock: clock)
    state = Mutex(State(days: DayHeadings(clock)))
  }

  /// JSON Lines on `descriptor`, which stays the caller's.
  public init(jsonTo descriptor: Int32) {
    self.descriptor = descriptor
    line = nil
    state = Mutex(State(days: DayHeadings(.utc)))
  }

  /// Writes the record, or counts it as dropped when the descriptor takes it no more.
  public func write(_ record: LogRecord) {
    state.withLock { state in
      var text = ""
      if let line {
        for shown in state.fold.take(record) {
          text += state.days.heading(before: shown.time).map { line.heading($0) + "\n" } ?? ""
          text += line.text(shown) + "\n"
        }
      } else {
        text = record.json + "\n"
      }
      if !text.isEmpty, !writeWhole(Array(text.utf8), to: descriptor) {
        state.lost += 1
      }
    }
  }

  /// Does nothing: nobody moves a descriptor away.
  public func reopen() {}

  /// Records that the descriptor did not take.
  public var dropped: Int { state.withLock { $0.lost } }
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

/// Writes all of `bytes`; false when the descriptor takes no more.
func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  writeSome(bytes, to: descriptor) == bytes.count
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
