import CentralCore
import GRDB
import Passages
import SQLiteFile
import Testing
import Time

@testable import CentralSQLite

/// What the database does itself: it keeps what was received as it came, counts, and finds by index.
struct SchemaTests {
  @Test func whatIsKeptIsOnDiskBeforeItIsProcessed() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    let outcomes = try bench.store.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM1", from: "+9779841114567", to: "+15005550006",
        text: text(0), receivedAt: bench.wall)
    ])
    #expect(outcomes == [.kept(1)])
    // A crash at this moment, and a new start.
    let image = try place.crashImage()
    let item = try #require(try image.inboxItem(1))
    #expect(item.state == .received)
    #expect(item.body == text(0))
    #expect(item.receivedAt == bench.wall)
    let processed = try image.process(rules: CentralRules(), at: bench.wall)
    #expect(processed.messages.count == 1)
    #expect(try image.passages(PassageQuery()).count == 1)
  }

  @Test func whatCameInIsNotChangedByAnybody() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    try bench.receive(text(0), id: "SM1")
    for change in [
      "UPDATE inbox SET body = 'x'", "UPDATE inbox SET provider_id = 'x'",
      "UPDATE inbox SET received_at_ms = 0", "UPDATE observations SET plate_raw = 'X'",
      "UPDATE observations SET recorded_at_ms = 0", "UPDATE observations SET client_id = 'x'",
      "UPDATE observations SET received_at_ms = received_at_ms + 1",
      "UPDATE records SET received_plate = 'X'", "UPDATE identities SET record = 2",
      "UPDATE passages SET client_id = 'x'",
    ] {
      #expect(throws: (any Error).self, "\(change)") { try place.execute(change) }
    }
    #expect(try bench.store.inboxItem(1)?.body == text(0))
  }

  /// What runs with every message looks at parts that wait, and at nothing else of the inbox.
  @Test func givingUpPartsLooksAtPartsAlone() throws {
    let place = try SQLitePlace()
    let store = try SQLiteCentralStore(path: place.path)
    let plan = try store.file.read { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + InboxRows.waitingParts, arguments: [0, 4_096]
      ).map { $0["detail"] as String }
    }
    let looks = plan.filter { $0.contains("inbox") }
    #expect(!looks.isEmpty)
    #expect(looks.allSatisfy { $0.contains("USING") && $0.contains("inbox_parts") }, "\(plan)")
  }

  @Test func theCountsFollowEveryChange() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    for index in 0..<4 { try bench.receive(text(index % 3), id: "SM\(index)") }
    try bench.receive("nonsense", id: "SM9")
    try bench.keep(text(5), id: "SM10")
    let store = try SQLiteCentralStore(path: place.path)
    for (name, query) in [
      ("inbox", "SELECT count(*) FROM inbox"), ("passages", "SELECT count(*) FROM passages"),
      ("undecodable", "SELECT count(*) FROM inbox WHERE state = 'undecodable'"),
      ("duplicate", "SELECT count(*) FROM inbox WHERE state = 'duplicate'"),
    ] {
      let (counted, tallied) = try store.file.read { database in
        (
          try Int.fetchOne(database, sql: query),
          try Int.fetchOne(database, sql: "SELECT n FROM tally WHERE name = ?", arguments: [name])
        )
      }
      #expect(counted == tallied, "\(name)")
    }
    #expect(try bench.store.overview().duplicates == 1)
    #expect(try bench.store.overview().received == 6)
  }
}
