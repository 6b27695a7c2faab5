import NIOCore
import NIOPosix
import Synchronization

/// Ends what waits for too long, by one timer for all: nearly everything has ended long before, and a timer of its own
/// would wake a thread when it is made and when it is cancelled.
final class Deadlines: Sendable {
  /// Names something that waits.
  struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Entry: Sendable {
    let deadline: NIODeadline
    let end: @Sendable () -> Void
  }

  private struct State {
    var entries: [ID: Entry] = [:]
    var last: UInt64 = 0
    /// When the timer is looked at; a timer of another time is none any more.
    var timerAt: NIODeadline?
  }

  private let state = Mutex(State())

  /// Calls `end` after `amount` from a thread that it must not block, unless it is removed before.
  func add(after amount: TimeAmount, _ end: @escaping @Sendable () -> Void) -> ID {
    let deadline = NIODeadline.now() + amount
    let (id, isSoonest) = state.withLock { state in
      state.last += 1
      let id = ID(number: state.last)
      state.entries[id] = Entry(deadline: deadline, end: end)
      let isSoonest = state.timerAt.map { deadline < $0 } ?? true
      if isSoonest { state.timerAt = deadline }
      return (id, isSoonest)
    }
    if isSoonest { start(deadline) }
    return id
  }

  /// Removes what has ended; the timer stays, for the others.
  func remove(_ id: ID) {
    state.withLock { state in _ = state.entries.removeValue(forKey: id) }
  }

  private func start(_ deadline: NIODeadline) {
    // A thread of its own loop, which waits for no task.
    MultiThreadedEventLoopGroup.singleton.any()
      .scheduleTask(deadline: deadline) { [weak self] in self?.look(deadline) }
  }

  /// Ends what is due, the first to be due first.
  private func look(_ deadline: NIODeadline) {
    let now = NIODeadline.now()
    let (due, next) = state.withLock { state -> ([Entry], NIODeadline?) in
      guard state.timerAt == deadline else { return ([], nil) }
      let due = state.entries.filter { $0.value.deadline <= now }
      for id in due.keys { state.entries[id] = nil }
      state.timerAt = state.entries.values.map(\.deadline).min()
      return (due.values.sorted { $0.deadline < $1.deadline }, state.timerAt)
    }
    if let next { start(next) }
    for entry in due { entry.end() }
  }
}
