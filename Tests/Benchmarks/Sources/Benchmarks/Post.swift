import EventLoop
import Events
import ModemDriver
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import SerialPorts
import Synchronization
import Time

/// A node with its store and its modem, joined as the program joins them; not by `Host`, which would
/// bring an HTTP server and its packages into every build of the benchmarks.
final class Post {
  /// What the node logs when a text was accepted.
  static let accepted = "text_accepted"
  private static let ready = "modem_ready"
  static let recipient = "+9779800000009"

  let service: NodeService
  private let parts: ServiceParts
  /// Names of the node's log that somebody waits for, each when it is on disk.
  let log = EventStream<String>()
  private let store: SQLiteNodeStore
  private let clocks: any Clocks

  /// Starts everything, and returns when the modem can send.
  ///
  /// - Parameters:
  ///   - database: the path of the store.
  ///   - port: the modem's.
  ///   - rules: when a passage leaves as a text.
  ///   - clocks: what the node goes by; the driver goes by the machine's own.
  init(
    database: String, port: String, rules: NodeRules, clocks: any Clocks
  ) async throws {
    let (log, late) = (log, Late())
    self.clocks = clocks
    var rules = rules
    rules.gateways = [Post.recipient]
    var settings = NodeMachine.Settings(rules: rules)
    settings.requestStatusReports = false
    store = try SQLiteNodeStore(path: database, bootID: "bench")
    let service = try NodeService(
      store: store, settings: settings, seed: 1, clocks: clocks,
      ports: NodePorts(
        modem: { _, request in late.driver.withLock { _ = $0?.post(request) } },
        probe: { _ in }, isLinkUp: { false },
        log: { event in
          if event.name == Post.accepted || event.name == Post.ready { log.put(event.name) }
        }))
    var configuration = ModemConfiguration(port: port)
    configuration.statusReports = false
    let driver = try ModemDriver(
      configuration: configuration, clocks: SystemClocks(),
      openLink: { path throws(LinkError) in try SerialPorts.open(path, baud: 115_200) },
      onEvent: { service.post(.modem(ModemID(0), $0)) })
    late.driver.withLock { $0 = driver }
    self.service = service
    parts = try ServiceParts([driver, service])
    try parts.start()
    _ = try await log.next { $0 == Post.ready }
  }

  /// Records a passage that came just now: one of an earlier day is no longer texted.
  ///
  /// - Returns: its place in the queue.
  func record(_ number: Int) async throws -> Int64 {
    let outcomes = try await service.record([
      RecordRequest(try PassageSamples.passage(number, at: clocks.wall()))
    ])
    guard case .recorded(_, let queueID) = outcomes.first else {
      throw Failure("passage \(number) was not recorded: \(outcomes)")
    }
    return queueID
  }

  /// When a passage becomes due, by the machine's boot clock.
  func due(_ queueID: Int64) throws -> Int64 {
    guard let due = try store.item(queueID)?.textDue else {
      throw Failure("passage \(queueID) is not to be texted")
    }
    return store.clock.boot(at: due).nanoseconds
  }

  /// Ends everything.
  func end() throws {
    try parts.end()
    try store.close()
  }

  /// Breaks the circle between node and driver.
  private final class Late: Sendable {
    let driver = Mutex<ModemDriver?>(nil)
  }
}

/// The machine's clocks, set forward by hand: what becomes due in five minutes can be had now.
final class ForwardClocks: Clocks {
  private let ahead = Mutex(Duration.zero)
  private let system = SystemClocks()

  func boot() -> BootInstant {
    system.boot() + ahead.withLock { $0 }
  }

  func wall() -> WallTime {
    system.wall()
  }

  func forward(_ duration: Duration) {
    ahead.withLock { $0 += duration }
  }
}
