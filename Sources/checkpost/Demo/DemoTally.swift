import EventLoop
import Events
import Log
import Synchronization
import Time

/// What happened so far in the demo, counted from the log of its roles.
final class DemoTally: LogSink {
  struct Counts: Sendable, Equatable {
    var nodeReady = false
    var officeReady = false
    var accepted = 0
    var judged = 0
    var budgetsUsed = 0
    var problem: String?
  }

  /// The events by which the centre tells what became of a message.
  private static let judged: Set = [
    "passage_arrived", "passage_repeated", "text_undecodable", "text_part", "status_report",
  ]

  private let counts = Mutex(Counts())
  private let wakeup: Wakeup

  init() throws {
    wakeup = try Wakeup()
  }

  var current: Counts { counts.withLock { $0 } }

  func change(_ body: (inout Counts) -> Void) {
    counts.withLock { body(&$0) }
    wakeup.signal()
  }

  /// Blocks as long as it is still so, or until something went wrong.
  func wait(while isStill: (Counts) -> Bool) {
    let clocks = SystemClocks()
    while current.problem == nil, isStill(current) {
      _ = PollLoop.wait([Interest(descriptor: wakeup.descriptor)], until: nil, clocks: clocks)
      wakeup.clear()
    }
  }

  func write(_ record: LogRecord) {
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

  func reopen() {}

  var dropped: Int { 0 }
}
