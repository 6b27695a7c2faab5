import CentralCore
import CentralPostgreSQL
import CentralSQLite
import Dispatch
import PostgreSQL
import RestAPI
import Synchronization
import TestSupport
import Testing
import Time

/// What one caller asks for, however much, keeps nobody else waiting and outgrows nothing.
@Suite(.timeLimit(.minutes(10))) struct WireBoundTests {
  // MARK: - Answers

  /// Devices of Sita, each with a long name.
  private func fill(_ world: inout WireWorld) {
    for part in 0..<3 {
      let rows = (0..<230).map { number in
        let name = "\(part)-\(number)-" + String(repeating: "x", count: 4_000)
        return "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"\(name)\"}"
      }
      world.ask("POST", "sync_metadata", "[\(rows.joined(separator: ","))]")
      #expect(world.status == 201)
    }
  }

  @Test(arguments: StoreKind.shipped) func anAnswerIsBoundedInBytes(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    fill(&world)
    let twice = "sync_metadata?select=device_id,again:device_id"
    let whole = world.ask("GET", twice)
    #expect(world.status == 413 && whole.object?["code"] == "54000")
    #expect(whole.object?["hint"]?.text?.contains("limit") == true)
    #expect(world.rows("\(twice)&limit=200").count == 200)
    #expect(world.rows("sync_metadata?select=id").count == 690)
    // The rows of one row count as well.
    let nested =
      "user_profiles?id=eq.\(WireWorld.sita)&select=id,sync_metadata(device_id,a:device_id)"
    let told = world.ask("GET", nested, as: .service)
    #expect(world.status == 413 && told.object?["code"] == "54000")
    let some = world.rows("\(nested)&sync_metadata.limit=100", as: .service)
    guard case .list(let devices)? = some.first?["sync_metadata"] else {
      Issue.record("no devices: \(some)")
      return
    }
    #expect(devices.count == 100)
  }

  @Test(arguments: StoreKind.shipped) func whatIsTooLongToTellIsWrittenAllTheSame(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    fill(&world)
    let filter = "sync_metadata?select=device_id,again:device_id&pending_count=eq.0"
    let told = world.ask("PATCH", filter, "{\"pending_count\":7}", prefer: "return=representation")
    #expect(world.status == 413 && told.object?["code"] == "54000")
    #expect(told.object?["details"]?.text == "The rows were written; only telling them failed.")
    #expect(world.rows("sync_metadata?select=id&pending_count=eq.7").count == 690)
  }

  // MARK: - Writing

  @Test(arguments: StoreKind.shipped) func manyPassagesAreChangedSomeAtATime(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    let rows = (1...120).map { WireWorld.passage($0, "BA1PA\(1_000 + $0)", at: $0) }
    world.ask("POST", "vehicle_passages", "[\(rows.joined(separator: ","))]")
    #expect(world.status == 201)
    let changed = world.ask(
      "PATCH", "vehicle_passages?vehicle_type=eq.jeep&select=vehicle_type,checkposts(code)",
      "{\"vehicle_type\":\"bus\",\"recorded_at\":\"2026-01-01T00:00:05Z\"}",
      prefer: "return=representation,count=exact")
    #expect(world.status == 200)
    #expect(world.field("Content-Range") == "0-119/120")
    guard case .list(let list) = changed else {
      Issue.record("no rows: \(changed)")
      return
    }
    #expect(list.count == 120)
    #expect(list.allSatisfy { $0.object?["vehicle_type"] == "bus" })
    #expect(world.rows("vehicle_passages?vehicle_type=eq.bus").count == 120)
  }

  /// Four who write as much as they may beside somebody who texts: a text waits for the one that writes just then, and
  /// not for all of them. How long that takes is the machine's affair, so what is counted is who was before it.
  @Test func aTextWaitsForOneOfThoseWhoWrite() async throws {
    let world = try WireWorld(.sqlite)
    let store = try #require(world.store as? SQLiteCentralStore)
    let rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
    let crowd = Crowd()
    let least = await withTaskGroup(of: Int?.self) { group in
      for writer in 0..<4 {
        group.addTask {
          await onThread {
            var number = 1_000_000 * (writer + 1)
            while !crowd.isOver.load(ordering: .relaxed) {
              let rows = (0..<40).map {
                WireWorld.passage(number + $0, "BA\(writer)PA\($0)", at: $0)
              }
              number += 40
              _ = RestHandler.answer(
                RestRequest(
                  "POST", "vehicle_passages", query: "select=id,checkposts(*)",
                  headers: ["prefer": "return=representation"],
                  body: Array("[\(rows.joined(separator: ","))]".utf8)),
                as: .service, from: rest, at: WireWorld.start + .seconds(60))
              crowd.written.add(1, ordering: .relaxed)
            }
          }
          return nil
        }
      }
      group.addTask {
        await onThread {
          while crowd.written.load(ordering: .relaxed) < 4 {}
          var least = Int.max
          for number in 0..<20 {
            let before = crowd.written.load(ordering: .relaxed)
            _ = try? store.keep([
              InboundMessage(
                provider: "twilio", providerID: "SM\(number)", from: "+9779801234567",
                text: "nonsense", receivedAt: WireWorld.start)
            ])
            least = min(least, crowd.written.load(ordering: .relaxed) - before)
          }
          crowd.isOver.store(true, ordering: .relaxed)
          return least
        }
      }
      var least: Int?
      for await told in group { least = told ?? least }
      return least
    }
    #expect(try #require(least) <= 2)
    #expect(try store.overview().received == 20)
  }

  /// A call that writes for longer than it may is taken back, whole; a text that comes meanwhile is kept.
  @Test(arguments: StoreKind.shipped) func whatWritesForTooLongIsTakenBack(
    kind: StoreKind
  ) async throws {
    var world = try WireWorld(kind)
    func kept(_ number: Int) throws {
      _ = try world.store.keep([
        InboundMessage(
          provider: "twilio", providerID: "SM\(number)", from: "+9779801234567", text: "nonsense",
          receivedAt: WireWorld.start)
      ])
    }
    world.ask("POST", "vehicle_passages", WireWorld.passage(1_000, "BA1PA1"))
    let rows = (1...300).map { WireWorld.passage($0, "BA1PA\(1_000 + $0)", at: $0) }
    let body = "[\(rows.joined(separator: ","))]"
    for (method, query, text) in [
      ("POST", "", body), ("PATCH", "plate_number=eq.BA1PA1", "{\"vehicle_type\":\"bus\"}"),
    ] {
      let request = RestRequest(
        method, "vehicle_passages", query: query, body: Array(text.utf8))
      let answer: RestAnswer
      switch world.store {
      case let store as SQLiteCentralStore:
        let impatient = SQLiteRestStore(
          of: store, rules: { JudgingRules() }, writeTimeout: .zero, onChanges: { _ in })
        answer = RestHandler.answer(
          request, as: .service, from: impatient, at: WireWorld.start + .seconds(60))
      case let store as PostgreSQLCentralStore:
        let impatient = PostgreSQLRestStore(
          of: store, writeTimeout: .zero, onChanges: { _ in })
        answer = RestHandler.answer(
          request, as: .service, from: impatient, at: WireWorld.start + .seconds(60))
      default: throw WireFault()
      }
      // One short statement is no time in SQLite; in PostgreSQL a correction is several.
      if method == "PATCH", world.store is SQLiteCentralStore { continue }
      #expect(answer.status == 500, "\(method)")
      #expect(
        RestJSON(Array(answer.body.utf8))?.object?["code"]?.text == "57014", "\(method)")
    }
    try kept(1)
    let there = world.rows("vehicle_passages?select=plate_number,vehicle_type", as: .service)
    #expect(there.count == 1)
    if world.store is PostgreSQLCentralStore { #expect(there.first?["vehicle_type"] == "jeep") }
    #expect(try world.store.overview().received == 1)
    try world.store.close()
  }

  /// Calls of the API that all wait for something in the database: a text is kept beside them.
  @Test(.needsPostgreSQL) func aTextIsKeptWhileCallsOfTheAPIWait() throws {
    let world = try WireWorld(try PostgreSQLPlace())
    let place = try #require(world.place as? PostgreSQLPlace)
    let store = try #require(world.store as? PostgreSQLCentralStore)
    let rest = PostgreSQLRestStore(of: store, onChanges: { _ in })
    let calls = DispatchGroup()
    try place.with { other in
      func waiting() throws -> Int64 {
        try other.query("SELECT count(*) FROM pg_locks WHERE NOT granted").firstRow()
          .value(0, .integer)
      }
      try other.run(script: "BEGIN; LOCK TABLE public.parks")
      for _ in 0..<6 {
        DispatchQueue.global().async(group: calls) {
          _ = RestHandler.answer(
            RestRequest("GET", "parks"), as: .service, from: rest, at: WireWorld.start)
        }
      }
      while try waiting() < 2 {}
      for number in 0..<5 {
        _ = try world.store.keep([
          InboundMessage(
            provider: "twilio", providerID: "SM\(number)", from: "+9779801234567", text: "nonsense",
            receivedAt: WireWorld.start)
        ])
      }
      #expect(try waiting() == 2, "no call had to end before")
      try other.run(script: "ROLLBACK")
    }
    calls.wait()
    #expect(try world.store.overview().received == 5)
    try world.store.close()
  }

  /// A regular expression takes its time at each row, of which SQLite counts nothing: it ends by the clock all the
  /// same, whether somebody reads or has the file to write.
  @Test func whatLooksForAPatternEndsInTime() throws {
    var world = try WireWorld(.sqlite)
    let store = try #require(world.store as? SQLiteCentralStore)
    let name = String(repeating: "a", count: 4_000)
    world.ask(
      "POST", "sync_metadata", "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"\(name)\"}")
    #expect(world.status == 201)
    // So few rows that SQLite itself does not look at the clock between them.
    let condition = "device_id=not.match.((a%3F){14}){14}.*(a%7Caa)*e"
    for (method, count, reading, writing) in [
      ("GET", 60, Duration.seconds(1), Duration.seconds(600)),
      ("PATCH", 2, .seconds(600), .milliseconds(20)),
      ("DELETE", 2, .seconds(600), .milliseconds(20)),
    ] {
      let impatient = SQLiteRestStore(
        of: store, rules: { JudgingRules() }, statementTimeout: reading, writeTimeout: writing,
        onChanges: { _ in })
      let answer = RestHandler.answer(
        RestRequest(
          method, "sync_metadata",
          query: Array(repeating: condition, count: count).joined(separator: "&"),
          body: Array((method == "PATCH" ? "{\"pending_count\":1}" : "").utf8)),
        as: WireWorld.eastern, from: impatient, at: world.now)
      #expect(
        RestJSON(Array(answer.body.utf8))?.object?["code"]?.text == "57014",
        "\(method): \(answer.status) \(answer.body.prefix(200))")
    }
    #expect(world.rows("sync_metadata?pending_count=eq.0").count == 1)
    try world.store.close()
  }

  /// Whoever invents devices fills no table with them: those that told something longest ago are forgotten.
  @Test(arguments: StoreKind.shipped) func anAccountHasSoManyDevices(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    func count(_ user: String) -> String? {
      world.ask(
        "GET", "sync_metadata?user_id=eq.\(user)&select=id&limit=1", prefer: "count=exact",
        as: .service)
      return world.field("Content-Range")
    }
    world.ask(
      "POST", "sync_metadata", "{\"user_id\":\"\(WireWorld.ram)\",\"device_id\":\"BNP-B\"}",
      as: WireWorld.western)
    for part in 0..<3 {
      let rows = (0..<RestLimits.devices / 2).map {
        "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"\(part)-\($0)\"}"
      }
      world.now = world.now + .seconds(1)
      world.ask(
        "POST", "sync_metadata", "[\(rows.joined(separator: ","))]",
        prefer: "return=representation")
      #expect(world.status == 201)
    }
    #expect(count(WireWorld.sita) == "0-0/\(RestLimits.devices)")
    #expect(count(WireWorld.ram) == "0-0/1")
    #expect(world.rows("sync_metadata?device_id=like.0-*").isEmpty)
    #expect(world.rows("sync_metadata?device_id=eq.1-0").count == 1)
    // What was there and tells something again is a new one.
    world.now = world.now + .seconds(1)
    world.ask(
      "POST", "sync_metadata?on_conflict=user_id,device_id",
      "[{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"1-0\"},"
        + "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"another\"}]",
      prefer: "resolution=merge-duplicates")
    #expect(count(WireWorld.sita) == "0-0/\(RestLimits.devices)")
    #expect(world.rows("sync_metadata?device_id=in.(1-0,another)").count == 2)
    try world.store.close()
  }

  /// A caller in the middle of a write holds a vehicle, and what they ask for waits for somebody else; texts of the same
  /// vehicle and of others are kept meanwhile.
  @Test(.needsPostgreSQL) func aTextIsKeptWhileSomebodyWrites() throws {
    let world = try WireWorld(try PostgreSQLPlace())
    let place = try #require(world.place as? PostgreSQLPlace)
    try place.with { other in
      try other.run(
        script: "BEGIN; SELECT checkpost.lock_rows(ARRAY['BA1PA1234'], ARRAY[]::uuid[]);")
      for number in 0..<5 {
        _ = try world.store.keep([
          InboundMessage(
            provider: "twilio", providerID: "SM\(number)", from: "+9779801234567",
            text: "V1|BNP-A|BA1PA1234|CAR|\(WireWorld.start.epochSeconds)|4567",
            receivedAt: WireWorld.start)
        ])
      }
      #expect(try world.store.overview().received == 5)
      try other.run(script: "ROLLBACK")
    }
    try world.store.close()
  }
}

/// Those who write at the same time.
private final class Crowd: Sendable {
  /// How much all of them wrote.
  let written = Atomic(0)
  let isOver = Atomic(false)
}
