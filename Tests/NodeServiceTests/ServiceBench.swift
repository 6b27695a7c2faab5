import Events
import Foundation
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Synchronization
import TestSupport
import Time

/// A node's service on its own thread, over a store in a directory of its own, with clocks that are
/// moved by hand.
final class ServiceBench: Sendable {
  let path: String
  let store: SQLiteNodeStore
  /// A second connection to the same file.
  let other: SQLiteNodeStore
  let clocks = TestClocks()
  let service: NodeService
  let requests = Said<ModemRequest>()
  let probes = Said<UInt64>()
  let events = Said<Event>()
  let link: Switch
  private let directory: TemporaryDirectory

  /// - Parameters:
  ///   - onRequest: called with each request to the modem before it counts as said, on the node's
  ///     thread, with the second connection.
  ///   - onEvent: the same for each event of the log.
  init(
    _ rules: NodeRules = .alone, isLinkUp: Bool = false,
    onRequest: @escaping @Sendable (ModemRequest, SQLiteNodeStore) -> Void = { _, _ in },
    onEvent: @escaping @Sendable (Event, SQLiteNodeStore) -> Void = { _, _ in }
  ) throws {
    directory = try TemporaryDirectory()
    path = directory.file("node.db")
    store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    let other = try SQLiteNodeStore(path: path, bootID: "boot-1", checks: false)
    self.other = other
    let link = Switch(isLinkUp)
    self.link = link
    service = try NodeService(
      store: store, settings: NodeMachine.Settings(rules: rules), seed: 1, clocks: clocks,
      ports: NodePorts(
        modem: { [requests] _, request in
          onRequest(request, other)
          requests.add(request)
        },
        call: { [probes] id, call, _ in if call == .probe { probes.add(id) } },
        link: { link.isUp ? .up : .down },
        log: { [events] event in
          onEvent(event, other)
          events.add(event)
        }))
  }

  deinit {
    try? store.close()
    try? other.close()
  }

  /// Runs `body` while the service runs, then ends the service.
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await runToTheEnd {
      try await body()
      self.service.post(.stopping)
    }
  }

  /// Runs `body` while the service runs, and returns when the service has ended, which `body` asks
  /// for. When the test fails or takes too long, no text is waited for any more.
  func runToTheEnd(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { [service] in try await service.run() }
        do {
          try await body()
        } catch {
          giveUp()
          throw error
        }
        try await group.waitForAll()
      }
    } onCancel: {
      giveUp()
    }
  }

  private func giveUp() {
    service.post(.stopping)
    // The service takes the time at which it began to stop from its clock: it may do so twice.
    Task { [service, clocks] in
      while service.post(.woke) {
        clocks.pass(.seconds(60))
        await Task.yield()
      }
    }
  }

  /// Returns when the node has looked at its clock and at all that was handed in so far.
  func settle() async throws {
    // The first may be drained by a round that read the clock before it was moved.
    _ = try await service.record([])
    _ = try await service.record([])
  }

  /// Lets time pass and the node notice it.
  func pass(_ duration: Duration) async throws {
    clocks.pass(duration)
    service.wake()
    try await settle()
  }

  /// The text with this number, as soon as the modem is told of it.
  func text(_ id: Int64) async throws -> ModemRequest {
    try await requests.first { $0.text?.id == id }
  }
}

/// Something that is up or down, and is changed from another thread than the one that reads it.
final class Switch: Sendable {
  private let state: Mutex<Bool>

  init(_ isUp: Bool) {
    state = Mutex(isUp)
  }

  var isUp: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension ServerReply {
  /// The server is there, and did it.
  static let done = ServerReply(.success(.done))

  /// Something answers in the place of the server.
  static func portal(_ words: String) -> ServerReply {
    ServerReply(.failure(ServerFailure(.outage(.captivePortal), words: words)))
  }
}
