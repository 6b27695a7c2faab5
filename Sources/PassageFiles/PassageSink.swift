public import NodeCore
public import Time

/// Where passages are recorded: the node's database, or the service that has it open.
public protocol PassageSink {
  /// Hands passages over to be recorded. ``finish()`` comes before the next ones.
  ///
  /// - Throws: What stands in the way; then it is safe to hand the same ones in again.
  mutating func begin(_ requests: [RecordRequest]) throws

  /// What came of the passages that were handed over; when this returns they are on disk.
  ///
  /// - Throws: As ``begin(_:)``.
  mutating func finish() throws -> RecordedPassages
}

extension PassageSink {
  /// Records passages; when this returns they are on disk.
  ///
  /// - Throws: What stands in the way; then it is safe to hand the same ones in again.
  public mutating func record(_ requests: [RecordRequest]) throws -> RecordedPassages {
    try begin(requests)
    return try finish()
  }
}

/// What came of recording passages.
public struct RecordedPassages: Sendable {
  /// One for each of them, in order.
  public var outcomes: [RecordOutcome]
  /// What the service knows against this machine's clock, in words; nil when nothing.
  public var clockAlarm: String?
  /// The directory in which they wait for the service to take them into the queue; nil when they are in it.
  public var keptIn: String?
  /// What rangers have to be warned of, of these passages.
  public var alerts: [TravelAlert]

  /// What came of it.
  public init(
    outcomes: [RecordOutcome], clockAlarm: String? = nil, keptIn: String? = nil,
    alerts: [TravelAlert] = []
  ) {
    self.outcomes = outcomes
    self.clockAlarm = clockAlarm
    self.keptIn = keptIn
    self.alerts = alerts
  }
}

/// The node's database as a sink.
public struct StoreSink: PassageSink {
  private let store: any NodeStore
  private let clocks: any Clocks
  private let wake: () -> String?
  private var recorded = RecordedPassages(outcomes: [])

  /// A sink into an open store.
  ///
  /// - Parameter wake: Tells a service beside it that there is something new, after each commit; what
  ///   that knows against this machine's clock.
  public init(
    _ store: any NodeStore, clocks: any Clocks, wake: @escaping () -> String? = { nil }
  ) {
    self.store = store
    self.clocks = clocks
    self.wake = wake
  }

  /// Records passages in one transaction.
  public mutating func begin(_ requests: [RecordRequest]) throws {
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    let outcomes = try store.record(requests, at: moment)
    recorded = RecordedPassages(outcomes: outcomes, clockAlarm: wake())
  }

  /// What came of them.
  public func finish() -> RecordedPassages { recorded }
}
