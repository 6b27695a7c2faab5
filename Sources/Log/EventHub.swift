import Synchronization

/// Hands every record that is written to whoever subscribes: a page, a command, what feeds metrics.
///
/// The log never waits for a subscriber. Each has room for so many records; one that falls behind by more
/// is dropped, and told so with the last it gets.
public final class EventHub: LogSink {
  /// A subscription is its reader's: when the reader lets go of it, it ends.
  private struct Subscribed {
    weak var subscription: EventSubscription?
  }

  private struct State {
    var subscriptions: [UInt64: Subscribed] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A hub to which nobody listens yet.
  public init() {}

  /// Subscribes to what is written from now on.
  ///
  /// - Parameters:
  ///   - filter: Which records.
  ///   - bound: Records that may wait until they are taken; by default as many as a page of them.
  ///   - wake: Called from any thread when there is something to take; must not block.
  public func subscribe(
    _ filter: LogFilter = LogFilter(), bound: Int? = nil,
    wake: @escaping @Sendable () -> Void
  ) -> EventSubscription {
    state.withLock { state in
      state.nextID += 1
      let id = state.nextID
      let subscription = EventSubscription(
        filter, bound: max(1, bound ?? Limits.recordsWaiting), wake: wake
      ) {
        [weak self] in self?.end(id)
      }
      state.subscriptions[id] = Subscribed(subscription: subscription)
      return subscription
    }
  }

  /// Subscriptions that are served.
  public var count: Int { state.withLock { $0.subscriptions.count } }

  /// Hands the record to those who asked for its like.
  public func write(_ record: LogRecord) {
    // Outside the lock: whoever is woken may subscribe or end.
    let all = state.withLock { state in
      state.subscriptions.compactMap { id, subscribed in subscribed.subscription.map { (id, $0) } }
    }
    for (id, subscription) in all where !subscription.offer(record) { end(id) }
  }

  /// Does nothing: there is no file.
  public func reopen() {}

  /// Always 0: whoever falls behind is dropped as a whole, and told so.
  public var dropped: Int { 0 }

  private func end(_ id: UInt64) {
    state.withLock { _ = $0.subscriptions.removeValue(forKey: id) }
  }
}

/// One reader's records, from the hub to wherever they are taken.
public final class EventSubscription: Sendable {
  /// What there is to take.
  public struct Batch: Hashable, Sendable {
    /// The records since the last batch, oldest first.
    public var records: [LogRecord]
    /// Whether the reader fell behind: what came after these records is lost to it, and nothing more
    /// comes.
    public var isDropped: Bool
  }

  private struct State {
    var records: [LogRecord] = []
    var isDropped = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let filter: LogFilter
  private let bound: Int
  private let wake: @Sendable () -> Void
  private let whenEnded: @Sendable () -> Void

  init(
    _ filter: LogFilter, bound: Int, wake: @escaping @Sendable () -> Void,
    whenEnded: @escaping @Sendable () -> Void
  ) {
    self.filter = filter
    self.bound = bound
    self.wake = wake
    self.whenEnded = whenEnded
  }

  deinit { whenEnded() }

  /// Takes what has come; does not wait.
  ///
  /// - Parameter most: Records at most; the rest is taken next.
  public func take(_ most: Int = .max) -> Batch {
    state.withLock { state in
      let taken = Array(state.records.prefix(most))
      state.records.removeFirst(taken.count)
      return Batch(records: taken, isDropped: state.isDropped && state.records.isEmpty)
    }
  }

  /// Wants no more.
  public func end() {
    state.withLock { state in
      state.hasEnded = true
      state.records = []
    }
    whenEnded()
  }

  /// Takes a record up; false when this reader gets no more.
  func offer(_ record: LogRecord) -> Bool {
    guard filter.allows(record) else { return true }
    let (isFirst, goesOn) = state.withLock { state in
      guard !state.hasEnded, !state.isDropped else { return (false, false) }
      guard state.records.count < bound else {
        state.isDropped = true
        return (true, false)
      }
      state.records.append(record)
      return (state.records.count == 1, true)
    }
    if isFirst { wake() }
    return goesOn
  }
}
