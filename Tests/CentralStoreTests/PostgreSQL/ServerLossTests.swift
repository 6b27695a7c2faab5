import CentralCore
import CentralPostgreSQL
import Dispatch
import PostgreSQL
import Storage
import Synchronization
import TestSupport
import Testing
import Time

/// What becomes of work whose connection or server is lost, or that the server refuses.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(15))) struct ServerLossTests {
  private let wall = WallTime(epochSeconds: 1_709_123_500)

  private func message(_ id: Int) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(id)", from: "+9779841114567", text: text(id),
      receivedAt: wall)
  }

  private func failure<Value>(_ body: () throws -> Value) -> StorageError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? StorageError
    }
  }

  @Test func aTransactionWhoseConnectionIsLostRunsAgain() throws {
    let place = try PostgreSQLPlace()
    let store = try place.openStore()
    defer { try? store.close() }
    _ = try store.keep([message(1)])
    var runs = 0
    try store.transaction { inbox throws(StorageError) in
      runs += 1
      let open = try inbox.unprocessed(limit: 10)
      if runs == 1 { ended(place) }
      try inbox.apply(
        open.map {
          InboxFact(
            id: $0.id, sender: "run \(runs)",
            change: .refused(Reason(code: "made_up", message: "words")))
        }, repeated: [], at: wall)
    }
    // Another connection may have been ended as well before it was noticed.
    #expect(runs >= 2)
    #expect(try store.inboxItem(1)?.from == "run \(runs)")
    #expect(try store.overview().undecodable == 1)
  }

  private func ended(_ place: PostgreSQLPlace, waitingFor event: String? = nil) {
    do {
      #expect(try place.endConnections(waitingFor: event) > 0)
    } catch {
      Issue.record(error)
    }
  }

  @Test func aCommitThatNobodyKnowsOfIsNoSuccessAndIsNotTriedAgain() throws {
    let place = try PostgreSQLPlace()
    let store = try place.openStore()
    defer { try? store.close() }
    _ = try store.keep([message(1)])
    // The commit waits, until its process is ended.
    try place.with {
      try $0.run(
        script: """
          CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER wait AFTER INSERT OR UPDATE ON checkpost.inbox
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait();
          """)
    }
    let runs = Mutex(0)
    let work: [@Sendable () throws -> Void] = [
      { _ = try store.keep([message(2)]) },
      {
        try store.transaction { inbox throws(StorageError) in
          runs.withLock { $0 += 1 }
          let fact = InboxFact(id: 1, sender: "x", change: .report)
          try inbox.apply([fact], repeated: [], at: wall)
        }
      },
    ]
    for work in work {
      let found = Mutex<StorageError?>(nil)
      let isOver = DispatchSemaphore(value: 0)
      startThread {
        let error = failure(work)
        found.withLock { $0 = error }
        isOver.signal()
      }
      try waits(place, for: "PgSleep")
      ended(place, waitingFor: "PgSleep")
      isOver.wait()
      let error = found.withLock { $0 }
      #expect(error?.kind == .lost, "\(String(describing: error))")
      #expect(error?.message.contains("unknown") == true)
    }
    #expect(runs.withLock { $0 } == 1)
    try place.with { try $0.run(script: "DROP TRIGGER wait ON checkpost.inbox") }
    #expect(try store.keep([message(2), message(3)]).count == 2)
  }

  /// Returns when a process of the database waits so; each answer is a wait.
  private func waits(_ place: PostgreSQLPlace, for event: String) throws {
    try place.with { connection in
      while try connection.query(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = $1 AND pid <> pg_backend_pid()
        """, [.text(event)]
      ).firstRow().value(0, .integer) == 0 {}
    }
  }

  @Test func messagesAreKeptBesideATransaction() throws {
    let place = try PostgreSQLPlace()
    let (store, other) = (try place.openStore(), try place.openStore())
    defer {
      try? store.close()
      try? other.close()
    }
    try store.transaction { inbox throws(StorageError) in
      #expect(try store.keep([message(1)]) == [.kept(1)])
      #expect(try other.keep([message(2)]) == [.kept(2)])
      try inbox.apply(
        [InboxFact(id: 1, sender: "x", change: .report)], repeated: [], at: wall)
      // What another one keeps does not wait for what is written here, but for that message itself.
      #expect(try other.keep([message(3), message(2)]) == [.kept(3), .known(2)])
    }
    #expect(try store.overview().received == 3)
  }

  @Test func oneTransactionAtATime() throws {
    let place = try PostgreSQLPlace()
    let stores = [try place.openStore(), try place.openStore()]
    defer { for store in stores { try? store.close() } }
    let inside = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for _ in 0..<20 {
        do {
          try stores[index % 2].transaction { inbox throws(StorageError) in
            _ = try inbox.unprocessed(limit: 1)
            let others = inside.withLock { inside in
              defer { inside += 1 }
              return inside
            }
            #expect(others == 0)
            _ = try inbox.message(1)
            inside.withLock { $0 -= 1 }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test func aServerThatTakesNoChangesSaysSo() throws {
    let place = try PostgreSQLPlace()
    let store = try place.openStore()
    defer { try? store.close() }
    try place.with {
      try $0.run(
        script: "ALTER DATABASE \(place.database) SET default_transaction_read_only = on")
    }
    ended(place)
    let error = failure { try store.keep([message(1)]) }
    #expect(error?.kind == .readOnly)
    #expect(error?.isTransient == true)
    #expect(failure { try store.proveWritable() }?.kind == .readOnly)
    #expect(try store.inbox().isEmpty)
    try PostgreSQLPlace.perform(
      "ALTER DATABASE \(place.database) RESET default_transaction_read_only", on: place.server)
    ended(place)
    #expect(try store.keep([message(1)]) == [.kept(1)])
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "a file system cannot be mounted here"))
  func aFullDiskIsToldAndTheStoreGoesOnAfterwards() async throws {
    // What it cannot write back keeps a server from serving others.
    let server = try await PostgreSQLServer.start()
    try await onThread {
      let disk = try #require(MountedDisk(kilobytes: 64 << 10))
      try fillAndEmpty(disk, of: server)
    }
  }

  private func fillAndEmpty(_ disk: MountedDisk, of server: PostgreSQLServer) throws {
    let name = try server.makeTablespace(on: disk)
    let place = try PostgreSQLPlace(on: server, like: "TABLESPACE \(name)")
    let store = try place.openStore()
    defer { try? store.close() }
    #expect(try store.keep([message(0)]) == [.kept(1)])
    disk.fill()
    #expect(failure { try store.proveWritable() }?.kind == .full)
    // There may be room in pages that are there.
    var error: StorageError?
    var kept = 1
    while error == nil, kept < 100_000 {
      let some = (kept..<kept + 500).map { message($0) }
      error = failure { kept += try store.keep(some).count }
    }
    #expect(error?.kind == .full)
    #expect(try store.overview().received == kept)
    disk.empty()
    #expect(throws: Never.self) { try store.proveWritable() }
    #expect(try store.keep((kept..<kept + 500).map { message($0) }).count == 500)
  }
}
