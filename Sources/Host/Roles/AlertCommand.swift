import EventLoop
import Events
import NodeCore
import NodeService
import Synchronization
import Time

/// The operator's command that warns those on the spot: run for each warning, one after the other, on a
/// thread that lives while there is something to run. The node never waits for it.
final class AlertCommand: Sendable {
  /// Warnings that wait for the one before; the oldest are dropped, as news is worth more.
  static let waitingMost = 16
  /// How long one run may take.
  static let takes = Duration.seconds(20)

  private struct State {
    var arguments: [String]
    var waiting: [TravelAlert] = []
    var thread: WorkerThread?
  }

  private let state: Mutex<State>
  private let clocks: any Clocks
  private let log: @Sendable (Event) -> Void

  /// A command that has not been run.
  ///
  /// - Parameter arguments: the program and its arguments; empty for none.
  init(
    _ arguments: [String], clocks: any Clocks, log: @escaping @Sendable (Event) -> Void
  ) {
    state = Mutex(State(arguments: arguments))
    self.clocks = clocks
    self.log = log
  }

  /// Takes over another command; a run of the old one ends as it would.
  func change(to arguments: [String]) {
    state.withLock { $0.arguments = arguments }
  }

  /// Runs the command for a warning, as soon as the one before is over.
  func run(_ alert: TravelAlert) {
    let isNew = state.withLock { state in
      guard !state.arguments.isEmpty else { return false }
      state.waiting.append(alert)
      if state.waiting.count > AlertCommand.waitingMost { state.waiting.removeFirst() }
      guard state.thread == nil else { return false }
      state.thread = WorkerThread()
      return true
    }
    guard isNew, let thread = state.withLock({ $0.thread }) else { return }
    do {
      try thread.start(name: "alert") { [self] in work() }
    } catch {
      state.withLock { state in
        state.thread = nil
        state.waiting = []
      }
      tell("the command was not run: \(error.description)")
    }
  }

  /// Drops what waits; what runs ends by itself.
  func end() {
    state.withLock { $0.waiting = [] }
  }

  /// Blocks until nothing runs or waits.
  func finish() {
    while let thread = state.withLock({ $0.thread }) { thread.join() }
  }

  private func work() {
    while let next = next() {
      let command = ChildCommand(next, timeout: AlertCommand.takes)
      switch command.run(clocks: clocks) {
      case .ended(0): break
      case .ended(let code): tell("the command ended with code \(code)")
      case .killed(let signal): tell("the command was ended by signal \(signal)")
      case .timedOut:
        tell("the command did not end within \(AlertCommand.takes.wholeSeconds) s and was ended")
      case .notStarted(let reason): tell(reason)
      }
    }
  }

  /// The program with what it is told: the kind, the plate, and for how many seconds.
  private func next() -> [String]? {
    state.withLock { state in
      guard !state.waiting.isEmpty, !state.arguments.isEmpty else {
        state.waiting = []
        state.thread = nil
        return nil
      }
      let alert = state.waiting.removeFirst()
      return state.arguments + [alert.kind.rawValue, alert.plate, "\(alert.seconds)"]
    }
  }

  private func tell(_ reason: String) {
    log(
      Event(
        "alert_command_failed", .warning, at: clocks.wall(),
        words: "nobody was warned by node.alert_command: \(reason)",
        fields: [EventField("reason", .text(reason))]))
  }
}
