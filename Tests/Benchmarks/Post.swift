import EventLoop
import Events
import Host
import Log
import NodeCore
import NodeSQLite
import NodeService
import Settings
import Synchronization
import Time

/// A node with its store, its modem and its log, put together as the program puts them together.
final class Post {
  /// What the node logs when a text was accepted.
  static let accepted = "text_accepted"
  /// What it logs when the server has a passage.
  static let uploaded = "uploaded"
  private static let ready = "modem_ready"
  static let recipient = "+9779800000009"

  /// Names of the node's log that somebody waits for.
  private let log: LoggedNames
  private let node: NodeRole
  private let parts: ServiceParts
  private let clocks: any Clocks

  /// Starts everything, and returns when the modem can send, if there is one.
  ///
  /// - Parameters:
  ///   - database: the path of the store.
  ///   - port: the modem's; nil for a post without one.
  ///   - clocks: what the node goes by; the driver goes by the machine's own.
  ///   - whenUploaded: called each time the server has a passage, on the service's thread.
  ///   - change: changes the settings.
  init(
    database: String, port: String?, clocks: any Clocks,
    whenUploaded: (@Sendable () -> Void)? = nil,
    change: (inout Settings) -> Void = { _ in }
  ) async throws {
    self.clocks = clocks
    log = LoggedNames([Post.accepted, Post.ready], whenUploaded ?? {})
    var loaded = LoadedSettings()
    loaded.settings.node.database = database
    loaded.settings.node.gateways = [Post.recipient]
    loaded.settings.modem.port = port
    loaded.settings.modem.statusReports = false
    change(&loaded.settings)
    node = try NodeRole(
      loaded,
      RoleContext(
        clocks: clocks, modemClocks: SystemClocks(),
        log: ServiceLog(level: .info, mask: .short, sinks: [log])))
    parts = try ServiceParts(node.parts)
    try parts.start()
    if port != nil { _ = try await log.names.next { $0 == Post.ready } }
  }

  /// Records a passage that came just now: one of an earlier day is no longer texted.
  ///
  /// - Returns: its place in the queue.
  func record(_ number: Int) async throws -> Int64 {
    let outcomes = try await node.service.record([
      RecordRequest(try PassageSamples.passage(number, at: clocks.wall()))
    ])
    guard case .recorded(_, let queueID) = outcomes.first else {
      throw Failure("passage \(number) was not recorded: \(outcomes)")
    }
    return queueID
  }

  /// When a passage becomes due, by the machine's boot clock.
  func due(_ queueID: Int64) throws -> Int64 {
    guard let due = try node.store.item(queueID)?.textDue else {
      throw Failure("passage \(queueID) is not to be texted")
    }
    return node.store.clock.boot(at: due).nanoseconds
  }

  /// The queue in numbers.
  func overview() throws -> StoreOverview {
    try node.store.overview(at: node.store.clock.time(at: clocks.boot()))
  }

  /// Has the node look at its clock.
  func wake() {
    node.service.wake()
  }

  /// Tells the node that the link that leads to the server came or went, as the kernel's news do.
  func link(_ link: LinkState) {
    node.service.post(.linkChanged(link))
  }

  /// Waits until a text was accepted, with its outcome on disk.
  ///
  /// - Returns: when that was.
  func textAccepted() async throws -> Int64 {
    try await log.names.next { $0 == Post.accepted }
  }

  /// Ends everything.
  func end() throws {
    try parts.end()
    node.close()
  }

  /// Hands on the names that somebody waits for, each when it is logged.
  final class LoggedNames: LogSink {
    let names = EventStream<String>()
    private let wanted: Set<String>
    private let whenUploaded: @Sendable () -> Void

    init(_ wanted: Set<String>, _ whenUploaded: @escaping @Sendable () -> Void) {
      self.wanted = wanted
      self.whenUploaded = whenUploaded
    }

    func write(_ record: LogRecord) {
      if record.name == Post.uploaded { whenUploaded() }
      if wanted.contains(record.name) { names.put(record.name) }
    }

    /// Does nothing: no file is written.
    func reopen() {}

    /// None: nothing is written.
    var dropped: Int { 0 }
  }
}

/// The machine's clocks, set forward by hand: what becomes due in five minutes can be had now.
final class ForwardClocks: Clocks {
  private let ahead = Mutex(Duration.zero)
  private let system = SystemClocks()
  private let behind: Duration?

  /// The machine's clocks.
  ///
  /// - Parameter behind: how far the wall clock is behind at first; it is set forward with the other one
  ///   then. Nil for one that stays what it is.
  init(wallBehind behind: Duration? = nil) {
    self.behind = behind
  }

  func boot() -> BootInstant {
    system.boot() + ahead.withLock { $0 }
  }

  func wall() -> WallTime {
    guard let behind else { return system.wall() }
    return system.wall() + (ahead.withLock { $0 } - behind)
  }

  func forward(_ duration: Duration) {
    ahead.withLock { $0 += duration }
  }
}
