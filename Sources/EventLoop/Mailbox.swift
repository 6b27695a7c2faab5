public import Synchronization

/// Events for one loop from any thread: bounded, in order, and waking the loop.
///
/// The owner drains all that is there at once, so that what came while it was busy is handled
/// together: that is what lets a store commit many messages with one fsync. Inlinable, because a text
/// passes several, and each would look up the type of its events at run time.
public final class Mailbox<Event: Sendable>: Sendable {
  @usableFromInline struct State {
    @usableFromInline var events: [Event] = []
    @usableFromInline var isClosed = false

    @inlinable init() {}
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let capacity: Int
  @usableFromInline let wakeup: Wakeup

  /// A mailbox that holds at most `capacity` events and signals `wakeup` for each.
  @inlinable public init(capacity: Int, wakeup: Wakeup) {
    state = Mutex(State())
    self.capacity = capacity
    self.wakeup = wakeup
  }

  /// Puts an event in and wakes the owner; false when the box is full or closed, and then the
  /// event was not taken.
  @inlinable @discardableResult
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
  @inlinable public func drain() -> [Event] {
    state.withLock { state in
      let events = state.events
      state.events = []
      return events
    }
  }

  /// Takes no more events; what is inside can still be drained.
  @inlinable public func close() {
    state.withLock { $0.isClosed = true }
  }

  /// How many events wait.
  @inlinable public var count: Int {
    state.withLock { $0.events.count }
  }
}
