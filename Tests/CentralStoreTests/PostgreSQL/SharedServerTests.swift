import CentralCore
import CentralPostgreSQL
import Dispatch
import Passages
import PostgreSQL
import Storage
import Synchronization
import TestSupport
import Testing
import Time

/// Two services share a server that is disturbed while both work: what was answered as kept is there, once, and is
/// processed once.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(15))) struct SharedServerTests {
  enum Disturbance: String, CaseIterable {
    case connectionsEnd, orderlyRestart, powerCut

    func happen(to place: PostgreSQLPlace) throws {
      switch self {
      case .connectionsEnd: try place.endConnections()
      case .orderlyRestart:
        try place.server.stopNow()
        try place.server.startNow()
      case .powerCut:
        try place.server.killNow()
        try place.server.startNow()
      }
    }
  }

  /// What the workers tell each other.
  private final class Progress: Sendable {
    struct State {
      /// The receipts of each message that was answered.
      var receipts: [Int: [InboxReceipt]] = [:]
      var processed: [ProcessedMessage] = []
      var failures = 0
      var isOver = false
    }

    let state = Mutex(State())
    let someKept = DispatchSemaphore(value: 0)
  }

  private static let messages = 240
  private static let atOnce = 4

  private static func message(_ id: Int) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(id)", from: "+9779841114567", text: text(id),
      receivedAt: WallTime(epochSeconds: 1_709_123_500))
  }

  /// Hands over every message until it is answered, as providers do, and some of them twice.
  private static func keep(
    _ store: PostgreSQLCentralStore, from first: Int, _ progress: Progress
  ) {
    for start in stride(from: first, to: messages, by: 2 * atOnce) {
      let ids = Array(start..<start + atOnce)
      var left = 2
      while left > 0 {
        do {
          let receipts = try store.keep(ids.map { message($0) })
          progress.state.withLock { state in
            for (id, receipt) in zip(ids, receipts) {
              state.receipts[id, default: []].append(receipt)
            }
          }
          left -= 1
        } catch {
          failed(error, progress)
        }
      }
      progress.someKept.signal()
    }
  }

  private static func process(_ store: PostgreSQLCentralStore, _ progress: Progress) {
    var rules = CentralRules()
    rules.ingress = .open
    while true {
      let isOver = progress.state.withLock { $0.isOver }
      do {
        let batch = try store.process(rules: rules, at: WallTime(epochSeconds: 1_709_123_500))
        progress.state.withLock { $0.processed += batch.messages }
        if isOver, batch.messages.isEmpty { return }
      } catch {
        failed(error, progress)
      }
    }
  }

  /// The service goes on after what passes by itself, and ends with anything else.
  private static func failed(_ error: StorageError, _ progress: Progress) {
    if !error.isTransient { Issue.record(error) }
    progress.state.withLock { $0.failures += 1 }
  }

  @Test(arguments: Disturbance.allCases)
  func whatWasAnsweredIsThereOnce(_ disturbance: Disturbance) async throws {
    // One that others use is not to be restarted.
    let server =
      if disturbance == .connectionsEnd { try PostgreSQLServer.here.get() } else {
        try await PostgreSQLServer.start()
      }
    try await onThread { try Self.disturb(try PostgreSQLPlace(on: server), by: disturbance) }
  }

  private static func disturb(_ place: PostgreSQLPlace, by disturbance: Disturbance) throws {
    let stores = [try place.openStore(connections: 3), try place.openStore(connections: 3)]
    let progress = Progress()
    let workers = DispatchGroup()
    let processors = DispatchGroup()
    for (index, store) in stores.enumerated() {
      work(workers) { keep(store, from: index * atOnce, progress) }
      work(processors) { process(store, progress) }
    }
    for _ in 0..<3 {
      for _ in 0..<10 { progress.someKept.wait() }
      try disturbance.happen(to: place)
    }
    workers.wait()
    progress.state.withLock { $0.isOver = true }
    processors.wait()

    let state = progress.state.withLock { $0 }
    #expect(state.receipts.count == messages)
    for (id, receipts) in state.receipts {
      let numbers = receipts.compactMap { receipt in
        switch receipt {
        case .kept(let number), .known(let number): number
        case .crowded: nil
        }
      }
      #expect(numbers.count == 2, "message \(id): \(receipts)")
      #expect(Set(numbers).count == 1, "message \(id): \(receipts)")
      #expect(receipts.count { if case .kept = $0 { true } else { false } } <= 1)
    }
    let items = try stores[0].inbox(limit: messages * 2)
    #expect(items.count == messages)
    #expect(items.allSatisfy { $0.state == .decoded })
    // A commit may have been done of which nobody was told; nothing is told of twice.
    #expect(Set(state.processed.map(\.id)).count == state.processed.count)
    #expect(
      state.processed.allSatisfy { if case .passage = $0.result { true } else { false } })
    let overview = try stores[1].overview()
    #expect(overview.received == messages)
    #expect(overview.passages == messages)
    #expect(overview.duplicates == 0)
    #expect(overview.heard.map(\.recorded) == [Int64(messages)])
    for store in stores { try store.close() }
  }

  private static func work(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    startThread {
      body()
      group.leave()
    }
  }
}
