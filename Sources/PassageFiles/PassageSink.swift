public import NodeCore
import Storage
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
  private let makeRoom: () -> Bool
  private let wake: () -> String?
  private var recorded = RecordedPassages(outcomes: [])

  /// A sink into an open store.
  ///
  /// - Parameters:
  ///   - makeRoom: Gives up what can be spared when the disk is full; whether anything went.
  ///   - wake: Tells a service beside it that there is something new, after each commit; what that knows
  ///     against this machine's clock.
  public init(
    _ store: any NodeStore, clocks: any Clocks, makeRoom: @escaping () -> Bool = { false },
    wake: @escaping () -> String? = { nil }
  ) {
    self.makeRoom = makeRoom
    self.store = store
    self.clocks = clocks
    self.wake = wake
  }

  /// Records passages in one transaction.
  public mutating func begin(_ requests: [RecordRequest]) throws {
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    recorded = RecordedPassages(
      outcomes: try outcomes(of: requests, at: moment), clockAlarm: wake())
  }

  /// Records them; on a full disk as often as room can be made.
  private func outcomes(
    of requests: [RecordRequest], at moment: Moment
  ) throws(StorageError) -> [RecordOutcome] {
    while true {
      do throws(StorageError) {
        return try store.record(requests, at: moment)
      } catch {
        guard error.kind == .full, makeRoom() else { throw error }
      }
    }
  }

  /// What came of them.
  public func finish() -> RecordedPassages { recorded }
}
