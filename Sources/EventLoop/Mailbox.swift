import Synchronization

/// Events for one loop from any thread: bounded, in order, and waking the loop.
///
/// The owner drains all that is there at once, so that what came while it was busy is handled
/// together: that is what lets a store commit many messages with one fsync.
public final class Mailbox<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let wakeup: Wakeup

  /// A mailbox that holds at most `capacity` events and signals `wakeup` for each.
  public init(capacity: Int, wakeup: Wakeup) {
    self.capacity = capacity
    self.wakeup = wakeup
  }

  /// Puts an event in and wakes the owner; false when the box is full or closed, and then the
  /// event was not taken.
  @discardableResult
  public func post(_ event: Event) -> Bool {
    let (taken, wasEmpty) = state.withLock { state in
      guard !state.isClosed, state.events.count < capacity else { return (false, false) }
      state.events.append(event)
      return (true, state.events.count == 1)
    }
    if wasEmpty {
      wakeup.signal()
    }
    return taken
  }

  /// Takes everything out, in the order it came.
  public func drain() -> [Event] {
    state.withLock { state in
      let events = state.events
      state.events = []
      return events
    }
  }

  /// Takes no more events; what is inside can still be drained.
  public func close() {
    state.withLock { $0.isClosed = true }
  }

  /// How many events wait.
  public var count: Int {
    state.withLock { $0.events.count }
  }
}
