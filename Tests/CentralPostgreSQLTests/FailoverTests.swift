import CentralCore
import CentralPostgreSQL
import EventLoop
import PostgreSQL
import Storage
import Synchronization
import TestSupport
import Testing
import Time

/// A server is lost and its follower takes over: what was confirmed is with that one, once, and a service whose
/// settings name both goes on with it by itself.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(15))) struct FailoverTests {
  private static let wall = WallTime(epochSeconds: 1_709_123_500)

  /// Messages that are handed over at once.
  private static let batch = 4

  /// How many have to be confirmed before the server is lost, and again afterwards.
  private static let some = 80

  /// The text of a message: of a vehicle and with a time that no other has.
  private static func text(_ number: Int) -> String {
    "V1|BNP-A|BA1PA\(1_000 + number % 9_000)|CAR|\(wall.epochSeconds - 200_000 + Int64(number))|4567"
  }

  /// What those who hand over and process at the same time have done.
  private final class Progress: Sendable {
    struct State: Sendable {
      /// The message that is handed over next.
      var next = 0
      /// What was confirmed of each message.
      var confirmed: [Int: InboxReceipt] = [:]
      /// The numbers in the inbox of what was processed.
      var processed: [Int64] = []
      /// What no service lives through.
      var faults: [String] = []
      var isOver = false
    }

    let state = Mutex(State())
    private let told: AsyncStream<Void>
    private let telling: AsyncStream<Void>.Continuation

    init() {
      (told, telling) = AsyncStream.makeStream(of: Void.self)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Messages that nobody handed over yet.
    func take() -> Range<Int> {
      state.withLock { state in
        defer { state.next += FailoverTests.batch }
        return state.next..<state.next + FailoverTests.batch
      }
    }

    func confirmed(_ numbers: Range<Int>, _ receipts: [InboxReceipt]) {
      state.withLock { state in
        for (number, receipt) in zip(numbers, receipts) { state.confirmed[number] = receipt }
      }
      telling.yield()
    }

    func processed(_ messages: [ProcessedMessage]) {
      state.withLock { $0.processed += messages.map(\.id) }
    }

    /// The service goes on after what passes by itself, and ends with anything else.
    func failed(_ error: StorageError) {
      guard !error.isTransient else { return }
      state.withLock { $0.faults.append(error.message) }
      end()
    }

    func end() {
      state.withLock { $0.isOver = true }
      telling.finish()
    }

    /// Returns when so many more are confirmed than now, or when it is over.
    func goesOn(by count: Int) async {
      let wanted = state.withLock { $0.confirmed.count } + count
      var batches = told.makeAsyncIterator()
      while state.withLock({ $0.confirmed.count }) < wanted {
        guard await batches.next() != nil else { return }
      }
    }
  }

  /// Hands messages over, each until it is confirmed as providers do, and processes what there is, until it is over.
  private static func work(_ store: PostgreSQLCentralStore, _ progress: Progress) {
    var rules = CentralRules()
    rules.ingress = .open
    var numbers = progress.take()
    while !progress.isOver {
      do throws(StorageError) {
        let messages = numbers.map { number in
          InboundMessage(
            provider: "twilio", providerID: "SM\(number)", from: "+9779841114567",
            text: text(number), receivedAt: wall)
        }
        progress.confirmed(numbers, try store.keep(messages))
        numbers = progress.take()
        progress.processed(try store.process(rules: rules, at: wall).messages)
      } catch {
        progress.failed(error)
      }
    }
  }

  /// A server with the schema, and one that follows it: nothing is confirmed that this one does not have on its disk.
  private static func servers() async throws -> (TestDatabase, follower: PostgreSQLServer) {
    let leader = try await PostgreSQLServer.start(
      settings: ["synchronous_standby_names = 'follower'", "synchronous_commit = local"])
    let leading = try await TestDatabase.make(in: leader)
    let name = leading.settings.database
    try await leading.with { connection throws in
      try Migration.up(connection)
      try connection.run(script: "ALTER DATABASE \(name) SET synchronous_commit = on")
    }
    let follower = try await PostgreSQLServer.start(
      settings: ["cluster_name = 'follower'", "synchronous_standby_names = ''"], following: leader)
    try await onThread {
      try leading.comes("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
    }
    return (leading, follower)
  }

  @Test func whatWasConfirmedIsThereOnceAfterTheFollowerTookOver() async throws {
    let (leading, follower) = try await Self.servers()
    var settings = leading.settings
    settings.servers.append(.init(host: follower.directory, port: follower.port))
    settings.session = .readWrite
    let store = try await onThread { [settings] in
      try PostgreSQLCentralStore(settings, clocks: SystemClocks())
    }
    let progress = Progress()
    async let one: Void = onThread { Self.work(store, progress) }
    async let other: Void = onThread { Self.work(store, progress) }
    // They end before anybody waits for them.
    defer { progress.end() }

    await progress.goesOn(by: Self.some)
    try await leading.server.kill()
    let before = progress.state.withLock { $0.confirmed.count }
    try await follower.promote()
    await progress.goesOn(by: Self.some)
    progress.end()
    _ = await (one, other)

    let state = progress.state.withLock { $0 }
    #expect(state.faults == [])
    #expect(before >= Self.some)
    #expect(state.confirmed.count >= before + Self.some)
    settings.servers.removeFirst()
    try await Self.check(state, store, TestDatabase(server: follower, settings: settings))
    try await onThread { try store.close() }
  }

  /// What has to be true once nobody is at work.
  private static func check(
    _ state: Progress.State, _ store: PostgreSQLCentralStore, _ leading: TestDatabase
  ) async throws {
    let (inbox, overview, processed) = try await onThread {
      () throws -> ([InboxItem], CentralOverview, [Int64]) in
      var rules = CentralRules()
      rules.ingress = .open
      var processed = state.processed
      while true {
        let more = try store.process(rules: rules, at: wall).messages
        if more.isEmpty { break }
        processed += more.map(\.id)
      }
      return (try store.inbox(limit: 1_000_000), try store.overview(), processed)
    }
    let places = Dictionary(grouping: inbox, by: \.body).mapValues { $0.map(\.id) }
    for (number, receipt) in state.confirmed {
      switch receipt {
      case .kept(let id), .known(let id): #expect(places[text(number)] == [id], "message \(number)")
      case .crowded: Issue.record("message \(number) is a passage")
      }
    }
    // Some were kept of which nobody was told; they are there once as well.
    #expect(places.values.allSatisfy { $0.count == 1 })
    #expect(inbox.allSatisfy { $0.state == .decoded })
    #expect(overview.received == inbox.count)
    #expect(overview.passages == inbox.count)
    #expect(overview.duplicates == 0)
    // A commit may have been done of which nobody was told; nothing is told of twice.
    #expect(Set(processed).count == processed.count)
    try await leading.with { connection throws in
      #expect(try connection.number("SELECT pg_is_in_recovery()::int") == 0)
      #expect(try connection.number("SELECT count(*) FROM checkpost.inbox") == Int64(inbox.count))
    }
  }
}
