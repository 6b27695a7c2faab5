public import EventLoop
public import Events
import Synchronization
public import Time

/// The log of a service: counts every event by its name, masks it, and hands it to the sinks.
public final class ServiceLog: Sendable {
  private struct State {
    var level: LogLevel
    var counts: [String: Int] = [:]
  }

  private let state: Mutex<State>
  private let mask: Mask
  private let sinks: [any LogSink]
  private let recentRecords = RecentRecords()
  /// Where whoever wants to see records as they are written subscribes.
  public let events = EventHub()
  private let syncing = LogSync()

  /// The sinks that are files.
  var files: [RotatingFile] {
    sinks.compactMap { $0 as? RotatingFile }
  }

  /// A log that writes events of at least `level` to `sinks`.
  public init(level: LogLevel, mask: Mask, sinks: [any LogSink]) {
    state = Mutex(State(level: level))
    self.mask = mask
    self.sinks = sinks
  }

  /// Notes an event. Returns when every sink has it, and waits for nobody who reads.
  public func record(_ event: Event) {
    let isWritten = state.withLock { state in
      // Names come from the program and are few; the bound keeps a mistake from eating memory.
      let isCounted = state.counts[event.name] != nil || state.counts.count < Limits.countedNames
      state.counts[isCounted ? event.name : "other", default: 0] += 1
      return event.level >= state.level
    }
    guard isWritten else { return }
    let record = LogRecord(event, mask: mask)
    recentRecords.write(record)
    events.write(record)
    for sink in sinks {
      sink.write(record)
    }
    syncing.wrote(event.level)
  }

  /// Begins to bring the files to the disk as they grow: at once after a warning, and otherwise at most
  /// every five seconds. A log without files needs no thread for it.
  ///
  /// - Throws: `LinkError.system` when the system gives no thread.
  public func startSyncing(clocks: any Clocks) throws(LinkError) {
    guard !files.isEmpty else { return }
    try syncing.start(files, clocks: clocks)
  }

  /// Brings the last of it to where it goes, and returns when that is done, or nothing takes it.
  public func finish() {
    syncing.stop()
    for sink in sinks { sink.finish() }
  }

  /// Whether events of that level are written.
  public func writes(_ level: LogLevel) -> Bool {
    state.withLock { level >= $0.level }
  }

  /// Changes the least level that is written.
  public func change(level: LogLevel) {
    state.withLock { $0.level = level }
  }

  /// Opens the files anew, after somebody moved them away.
  public func reopen() {
    for sink in sinks {
      sink.reopen()
    }
  }

  /// How often each event happened since the start, written or not, by its name.
  public var counts: [String: Int] {
    state.withLock { $0.counts }
  }

  /// The newest records that were written, oldest first.
  public var recent: [LogRecord] {
    recentRecords.records
  }

  /// That what happens is not written, or not yet; nil when it is.
  public var problem: Problem? {
    sinks.lazy.compactMap(\.problem).first
  }

  /// A plate, given in its compact form, as the log shows it.
  public func mask(plate: String) -> String { mask.plate(plate) }

  /// The identity of a passage as the log shows it.
  public func mask(identity: String) -> String { mask.identity(identity) }

  /// A text of somebody else's with what is personal in it masked.
  public func scrub(_ text: String) -> String {
    mask.scrub(text)
  }
}
