import EventLoop
import Events
public import Log
import Synchronization
import Time

/// What happened so far in the demo, counted from the log of its roles.
public final class DemoTally: LogSink {
  /// How often what happened.
  public struct Counts: Sendable, Equatable {
    /// The node's modem can send.
    public var nodeReady = false
    /// The office's modem can send.
    public var officeReady = false
    /// Texts that the network took.
    public var accepted = 0
    /// Texts that came to the office and were processed.
    public var judged = 0
    /// Times that a minute's budget was used up.
    public var budgetsUsed = 0
    /// What went wrong; nil when nothing did.
    public var problem: String?
  }

  /// The events by which central tells what became of a message.
  private static let judged: Set = [
    "passage_arrived", "passage_repeated", "text_undecodable", "text_part", "status_report",
  ]

  private let counts = Mutex(Counts())
  private let wakeup: Wakeup

  init() throws {
    wakeup = try Wakeup()
  }

  /// What happened so far.
  public var current: Counts { counts.withLock { $0 } }

  func change(_ body: (inout Counts) -> Void) {
    counts.withLock { body(&$0) }
    wakeup.signal()
  }

  /// Blocks as long as it is still so, or until something went wrong.
  public func wait(while isStill: (Counts) -> Bool) {
    let clocks = SystemClocks()
    while current.problem == nil, isStill(current) {
      _ = PollLoop.wait([Interest(descriptor: wakeup.descriptor)], until: nil, clocks: clocks)
      wakeup.clear()
    }
  }

  /// Counts an event.
  public func write(_ record: LogRecord) {
    change { counts in
      switch record.name {
      case "modem_ready": counts.nodeReady = true
      case "text_accepted": counts.accepted += 1
      case "budget_exhausted": counts.budgetsUsed += 1
      case let name where DemoTally.judged.contains(name): counts.judged += 1
      default: break
      }
      if record.level == .error { counts.problem = record.words }
    }
  }

  /// Does nothing: no file is written.
  public func reopen() {}

  /// None: nothing is written.
  public var dropped: Int { 0 }
}
