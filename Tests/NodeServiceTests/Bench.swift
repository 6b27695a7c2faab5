import Foundation
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Synchronization
import TestSupport
import Testing
import Time

/// A machine over a store in a directory of its own, and clocks that are moved by hand.
final class Bench {
  let path: String
  private(set) var store: SQLiteNodeStore
  var machine: NodeMachine
  private(set) var boot: BootInstant = .seconds(1_000)
  private(set) var wall = WallTime(epochSeconds: 1_800_000_000)
  private var ahead = Duration.zero
  private let keeping = TimeService()

  private let settings: NodeMachine.Settings
  private let directory: TemporaryDirectory
  private let ballastBytes: Int64
  private var bootID = "boot-1"

  convenience init(_ rules: NodeRules = .alone) throws {
    try self.init(NodeMachine.Settings(rules: rules))
  }

  /// A machine with its store on a disk of its own, where one is given.
  init(_ settings: NodeMachine.Settings, on disk: MountedDisk? = nil, ballast: Int64 = 0) throws {
    directory = try TemporaryDirectory()
    path = disk?.file("node.db") ?? directory.file("node.db")
    self.settings = settings
    ballastBytes = ballast
    store = try SQLiteNodeStore(
      path: path, bootID: bootID, reserveBytes: disk == nil ? Self.reserve : 0,
      ballastBytes: ballast)
    machine = NodeMachine(
      store: store, settings: settings, seed: 1, isClockKept: { [keeping] in keeping.isThere })
  }

  private static let reserve = NodeSQLite.Limits.reserveBytes

  deinit {
    try? store.close()
  }

  /// Starts the machine with a modem that can send.
  @discardableResult
  func start() throws -> [NodeOutput] {
    let outputs = try machine.start(at: boot, wall: wall)
    return outputs + (try handle(.modemReady))
  }

  @discardableResult
  func handle(_ inputs: NodeInput...) throws -> [NodeOutput] {
    try machine.handle(inputs, at: boot, wall: wall)
  }

  /// Lets time pass on every clock, and the machine notice it.
  @discardableResult
  func pass(_ duration: Duration) throws -> [NodeOutput] {
    wait(duration)
    return try handle()
  }

  /// Lets time pass, and the machine notice it whenever it asked for that; ends with the first
  /// round that sends a text.
  func passUntilText(within most: Duration) throws -> [NodeOutput] {
    let end = boot + most
    while let next = machine.nextDeadline, next <= end {
      let outputs = try pass(max(next - boot, .nanoseconds(1)))
      if !outputs.texts.isEmpty {
        return outputs
      }
    }
    return try pass(max(end - boot, .zero))
  }

  /// Lets time pass without the machine noticing.
  func wait(_ duration: Duration) {
    boot = boot + duration
    wall = wall + duration
  }

  /// Sets the wall clock so far ahead of the right time.
  ///
  /// - Parameter isKept: Whether the system says from then on that a time service keeps it.
  func setClock(ahead: Duration, isKept: Bool = false) {
    wall = wall + (ahead - self.ahead)
    self.ahead = ahead
    keeping.isThere = isKept
  }

  /// Ends the process without a word, and starts it again.
  func crash() throws -> [NodeOutput] {
    try store.close()
    store = try SQLiteNodeStore(path: path, bootID: bootID, ballastBytes: ballastBytes)
    machine = NodeMachine(
      store: store, settings: settings, seed: 1, isClockKept: { [keeping] in keeping.isThere })
    return try start()
  }

  /// Cuts the power for an hour; the machine is up for `uptime` when the service starts.
  func powerCut(uptime: Duration) throws -> [NodeOutput] {
    bootID += "'"
    boot = .zero + uptime
    wall = wall + .seconds(3_600)
    return try crash()
  }

  /// Another process with the same file.
  func another() throws -> SQLiteNodeStore {
    try SQLiteNodeStore(path: path, bootID: bootID, checks: false)
  }

  /// Records a passage through the machine, and returns its place in the queue.
  @discardableResult
  func record(_ number: Int64) throws -> Int64 {
    let outputs = try handle(.record(requestID: number, [try sample(number)]))
    for case .recorded(number, .success(let outcomes)) in outputs {
      if case .recorded(_, let queueID) = outcomes.first {
        return queueID
      }
    }
    throw BenchError.notRecorded
  }

  /// Records a passage and lets it become due.
  func recordDue(_ number: Int64) throws -> (queueID: Int64, text: OutgoingText) {
    let queueID = try record(number)
    let outputs = try pass(.seconds(301))
    return (queueID, try #require(outputs.texts.first))
  }

  /// What became of the texts for a passage, as another process reads it from the disk.
  func outcomes(_ queueID: Int64) throws -> [String] {
    let reader = try SQLiteNodeStore(readingFrom: path)
    let outcomes = try reader.texts(of: queueID).map(\.outcome)
    try reader.close()
    return outcomes
  }
}

/// Whether the system says that a time service keeps the clock.
private final class TimeService: Sendable {
  private let state = Mutex(false)

  var isThere: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

enum BenchError: Error {
  case notRecorded
}
