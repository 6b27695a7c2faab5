public import EventLoop
public import Events
import Synchronization
public import Time

/// Writes records to an open descriptor, standard output as a rule: for people or as JSON Lines.
///
/// The service never waits for the reader of a pipe or a terminal. What the reader does not take waits in memory, and
/// a thread that runs only meanwhile writes it in order. While `Limits.logLinesWaiting` records wait, further ones
/// are dropped until all of those are written; then a `log_gap` says how many are missing.
public final class ConsoleSink: LogSink {
  private let output: UnblockedOutput
  private let line: LogLine?
  private let clocks: any Clocks
  private let state: Mutex<State>

  private struct State {
    var days: DayHeadings
    var fold = RepeatFold()
    /// The records that were not taken yet, oldest first; of the first one perhaps only the rest.
    var waiting: [[UInt8]] = []
    /// The thread that writes them, while there is one.
    var writer: Writer?
    /// Records that were dropped since the start.
    var lost = 0
    /// How many of them no `log_gap` tells of yet.
    var gap = 0
    /// When the newest of those happened.
    var newest = WallTime(epochSeconds: 0)
    /// Whether the descriptor refused the last record for another reason than a slow reader.
    var isBroken = false
    /// Whether the process is ending, so that a reader is waited for no longer than its patience.
    var isFinishing = false
  }

  private struct Writer {
    let thread = WorkerThread()
    let wakeup: Wakeup
  }

  /// Lines for people on `descriptor`, which stays the caller's, under a heading where a day begins.
  public init(
    descriptor: Int32, look: ConsoleLook = ConsoleLook(), clock: LocalClock = .ofThisMachine,
    clocks: any Clocks = SystemClocks()
  ) {
    output = UnblockedOutput(descriptor)
    line = LogLine(look, clock: clock)
    self.clocks = clocks
    state = Mutex(State(days: DayHeadings(clock)))
  }

  /// JSON Lines on `descriptor`, which stays the caller's.
  public init(jsonTo descriptor: Int32, clocks: any Clocks = SystemClocks()) {
    output = UnblockedOutput(descriptor)
    line = nil
    self.clocks = clocks
    state = Mutex(State(days: DayHeadings(.utc)))
  }

  /// Writes the record, keeps it until the reader takes it, or counts it as dropped.
  public func write(_ record: LogRecord) {
    state.withLock { state in
      let shown = line == nil ? [record] : state.fold.take(record)
      put(bytes(shown, &state), at: record.time, &state)
    }
  }

  /// Does nothing: nobody moves a descriptor away.
  public func reopen() {}

  /// Returns when the reader has all that waits, or has taken nothing for ``Limits/logReaderPatience``.
  public func finish() {
    let writer = state.withLock { state in
      let last = state.fold.end()
      if let time = last.last?.time { put(bytes(last, &state), at: time, &state) }
      state.isFinishing = true
      return state.writer
    }
    writer?.wakeup.signal()
    writer?.thread.join()
    state.withLock { $0.isFinishing = false }
  }

  /// Records that the descriptor did not take.
  public var dropped: Int { state.withLock { $0.lost } }

  /// That standard output is not read, or cannot be written; nil once it tells of what is missing.
  public var problem: Problem? {
    let (missing, isBroken) = state.withLock { ($0.gap, $0.isBroken) }
    guard missing > 0 else { return nil }
    return Problem(
      "log_incomplete", .warning,
      "\(missing) event\(missing == 1 ? "" : "s") did not get to standard output: "
        + (isBroken ? "it cannot be written" : "nothing reads it"),
      count: missing,
      remedy: isBroken
        ? "look where `checkpost run` writes to: its disk is full, or its reader has ended"
        : "let the program that reads the output of `checkpost run` go on, or end it")
  }

  private func bytes(_ records: [LogRecord], _ state: inout State) -> [UInt8] {
    var text = ""
    for record in records {
      guard let line else {
        text += record.json + "\n"
        continue
      }
      text += state.days.heading(before: record.time).map { line.heading($0) + "\n" } ?? ""
      text += line.text(record) + "\n"
    }
    return Array(text.utf8)
  }

  private func put(_ bytes: [UInt8], at time: WallTime, _ state: inout State) {
    guard !bytes.isEmpty else { return }
    guard state.waiting.count < Limits.logLinesWaiting, state.gap == 0 || state.writer == nil
    else {
      drop(1, at: time, &state)
      return
    }
    // What is missing is told before what follows it.
    let bytes = notice(&state) + bytes
    if state.waiting.isEmpty, output.isImmediate {
      switch output.write(bytes[...]) {
      case .took(bytes.count):
        (state.gap, state.isBroken) = (0, false)
        return
      case .took(let count): state.waiting = [Array(bytes[count...])]
      case .failed:
        drop(1, at: time, &state)
        state.isBroken = true
        return
      }
    } else {
      state.waiting.append(bytes)
    }
    state.gap = 0
    guard state.writer == nil, let wakeup = try? Wakeup() else { return }
    let writer = Writer(wakeup: wakeup)
    // Without a thread the next record tries again.
    guard (try? writer.thread.start(name: "console") { [self] in writeWaiting(wakeup) }) != nil
    else { return }
    state.writer = writer
  }

  /// Writes what waits, until nothing does.
  private func writeWaiting(_ wakeup: Wakeup) {
    var deadline: BootInstant?
    while let next = next() {
      // Not under the lock: whoever logs meanwhile does not wait.
      switch output.write(next[...]) {
      case .took(let count):
        took(count, of: next)
        if count > 0 { deadline = nil }
        guard count < next.count else { continue }
      case .failed:
        giveUp(isBroken: true)
        return
      }
      if state.withLock({ $0.isFinishing }) {
        let end = deadline ?? clocks.boot() + Limits.logReaderPatience
        deadline = end
        guard clocks.boot() < end else {
          giveUp(isBroken: false)
          return
        }
      }
      let ready = PollLoop.wait(
        [
          Interest(descriptor: wakeup.descriptor),
          Interest(descriptor: output.number, readable: false, writable: true),
        ], until: deadline, clocks: clocks)
      if ready.first?.isEmpty == false { wakeup.clear() }
    }
  }

  /// What is to be written next; nil, and the end of the thread, when there is nothing.
  private func next() -> [UInt8]? {
    state.withLock { state in
      if state.waiting.isEmpty, state.gap > 0 {
        state.waiting = [notice(&state)]
        state.gap = 0
      }
      if state.waiting.isEmpty { state.writer = nil }
      return state.waiting.first
    }
  }

  /// The line that says how many records are missing; nothing when none is.
  private func notice(_ state: inout State) -> [UInt8] {
    guard state.gap > 0 else { return [] }
    let event = Event(
      "log_gap", .warning, at: state.newest,
      words: "\(state.gap) events are not in this log: standard output took no more",
      fields: [EventField("count", .integer(Int64(state.gap)))])
    return bytes([LogRecord(event, mask: .short)], &state)
  }

  private func drop(_ count: Int, at time: WallTime, _ state: inout State) {
    state.lost += count
    state.gap += count
    state.newest = time
  }

  private func took(_ count: Int, of bytes: [UInt8]) {
    state.withLock { state in
      if count > 0 { state.isBroken = false }
      if count == bytes.count {
        state.waiting.removeFirst()
      } else {
        state.waiting[0] = Array(bytes[count...])
      }
    }
  }

  private func giveUp(isBroken: Bool) {
    state.withLock { state in
      drop(state.waiting.count, at: clocks.wall(), &state)
      state.waiting = []
      state.isBroken = isBroken
      state.writer = nil
    }
  }
}
