import CentralCore
import PostgreSQL
import RestAPI
import Testing
import Time

/// What changes is told in one order, behind a place that somebody read up to, and of each row what they may see.
@Suite struct WireNotesTests {
  private func notes(_ world: WireWorld, after mark: RestMark?, limit: Int = 100) throws
    -> RestNotes
  {
    try world.rest.notes(after: mark, limit: limit)
  }

  /// The same once a change of a table is among them: what is committed is told when no transaction of any database of
  /// the server is older, and other tests use it, too.
  private func notes(
    _ world: WireWorld, after mark: RestMark?, until table: String
  ) throws -> RestNotes {
    for _ in 0..<100_000 {
      let found = try notes(world, after: mark)
      if found.notes.contains(where: { $0.table == table }) { return found }
    }
    return try notes(world, after: mark)
  }

  /// Where a reader begins, once every transaction has ended that was under way when they came: nothing is told before.
  private func begin(_ world: WireWorld) throws -> RestMark {
    for _ in 0..<100_000 {
      let found = try notes(world, after: nil)
      #expect(found.notes.isEmpty && !found.isBroken)
      if found.end != .start { return found.end }
    }
    throw WireFault()
  }

  /// What is told behind a place, once it is anything.
  private func news(_ world: WireWorld, after mark: RestMark) throws -> RestNotes {
    for _ in 0..<100_000 {
      let found = try notes(world, after: mark)
      if found.isBroken || !found.notes.isEmpty { return found }
    }
    return try notes(world, after: mark)
  }

  @Test(arguments: StoreKind.shipped) func whatChangesIsTold(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, "BA9PA9"))
    let begin = try begin(world)
    #expect(try notes(world, after: begin).notes.isEmpty)
    world.now = world.now + .seconds(5_000)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, at: 0))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(3, at: 1_800, west: true), as: WireWorld.western
    )
    let all = try notes(world, after: begin, until: "violations")
    #expect(Set(all.notes.map(\.table)).isSuperset(of: ["vehicle_passages", "violations"]))
    #expect(all.notes.map(\.mark) == all.notes.map(\.mark).sorted())
    #expect(all.end == all.notes.last?.mark)
    // A part at a time is the same.
    var (parts, mark) = ([RestNote](), begin)
    while true {
      let part = try notes(world, after: mark, limit: 2)
      guard !part.notes.isEmpty else { break }
      parts += part.notes
      mark = part.end
    }
    #expect(parts == all.notes && mark == all.end)
    #expect(RestMark("\(mark)") == mark)

    // Whose they are to see.
    let tables = Set(RestChanges.tables)
    func events(_ principal: RestPrincipal) throws -> [RestTeller.Event] {
      var teller = RestTeller(to: principal, of: tables, rowsRemembered: 100)
      func opened(_ store: some RestStore) throws -> [RestTeller.Event] {
        try teller.events(of: all, from: store)
      }
      return try opened(world.rest)
    }
    let told = try events(WireWorld.eastern)
    #expect(told.filter { $0.name == "violations" }.count == 1)
    #expect(told.filter { $0.name == "vehicle_passages" }.count == 2)
    #expect(told.allSatisfy { RestJSON(Array($0.data.utf8))?.object?["id"] != nil })
    let other = RestPrincipal(
      .ranger, user: WireWorld.sita, post: WireWorld.client(90), segment: WireWorld.client(91))
    #expect(try events(other).isEmpty)
    #expect(try events(.anonymous).isEmpty)
    #expect(try events(.service).contains { $0.name == "violations" })
  }

  @Test(arguments: StoreKind.shipped) func aPlaceThatIsNotKnownBreaks(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    // Nothing was written down before anybody asked.
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    let begin = try news(world, after: RestMark(transaction: 0, number: 7))
    #expect(begin.isBroken && begin.notes.isEmpty)
    #expect(try !notes(world, after: begin.end).isBroken)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, "BA2PA2"))
    #expect(try notes(world, after: begin.end, until: "vehicle_passages").notes.count >= 1)
    #expect(try notes(world, after: RestMark(transaction: 1 << 40, number: 1 << 40)).isBroken)
  }

  /// Who was told a row is told that it is gone; who never saw it is told nothing.
  @Test(arguments: StoreKind.shipped) func whatGoesIsToldToWhoSawIt(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let tables = Set(RestChanges.tables)
    var teller = RestTeller(to: WireWorld.eastern, of: tables, rowsRemembered: 100)
    var late = RestTeller(to: WireWorld.eastern, of: tables, rowsRemembered: 100)
    var mark = try begin(world)
    world.now = world.now + .seconds(5_000)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 0))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true), as: WireWorld.western
    )
    func tell(_ teller: inout RestTeller, _ notes: RestNotes) throws -> [RestTeller.Event] {
      func opened(_ store: some RestStore) throws -> [RestTeller.Event] {
        try teller.events(of: notes, from: store)
      }
      return try opened(world.rest)
    }
    let first = try notes(world, after: mark, until: "violations")
    mark = first.end
    let violation = try #require(try tell(&teller, first).last { $0.name == "violations" })
    let id = try #require(RestJSON(Array(violation.data.utf8))?.object?["id"]?.text)
    // Another plate, so that the two were no travel.
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"plate_number\":\"BA1PA77\"}")
    #expect(world.status == 204)
    let second = try notes(world, after: mark, until: "violations")
    let gone = try tell(&teller, second).filter { $0.name == "gone" }
    #expect(gone.map(\.data).contains { $0.contains(id) })
    #expect(try !tell(&late, second).contains { $0.name == "gone" })
  }

  /// Who was told changes once, and comes back when nobody had them written down for a while, is told that some are
  /// missing: also where somebody else came before.
  @Test(arguments: StoreKind.shipped) func whatNobodyWroteDownIsNotPassedOver(
    _ kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    let known = try begin(world)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, "BA1PA1"))
    let mark = try notes(world, after: known, until: "vehicle_passages").end
    try lapse(world)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, "BA2PA2"))
    _ = try begin(world)
    #expect(try news(world, after: mark).isBroken)
  }

  /// The day is over for which changes are written down.
  private func lapse(_ world: WireWorld) throws {
    switch world.place {
    case let place as PostgreSQLPlace:
      try place.with {
        try $0.run(
          script: """
            UPDATE checkpost.feed_wanted SET until = now() - interval '1 second';
            SELECT setval('checkpost.feed_until', 1);
            """)
      }
    case let place as SQLitePlace:
      try place.execute("UPDATE feed_wanted SET until_ms = 0")
    default: throw WireFault()
    }
  }

  /// A transaction that began before the first reader came looked whether anybody wants to know, found nobody, and is
  /// committed afterwards.
  @Test(.needsPostgreSQL, arguments: [false, true])
  func whatWasUnderWayWhenTheFirstReaderCameIsNotPassedOver(sees old: Bool) throws {
    var world = try WireWorld(try PostgreSQLPlace())
    let place = try #require(world.place as? PostgreSQLPlace)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 0))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true), as: WireWorld.western
    )
    let change = "UPDATE public.violations SET alert_delivered_at = now();"
    try place.with { other in
      try other.run(
        script: old
          ? "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM public.violations;"
          : "BEGIN; \(change)")
      let first = try notes(world, after: nil)
      #expect(first.notes.isEmpty && !first.isBroken)
      // One that sees all as it was before the reader came tells them all the same.
      try other.run(script: old ? "\(change) COMMIT;" : "COMMIT;")
      let told = try news(world, after: first.end)
      #expect(told.isBroken || told.notes.contains { $0.table == "violations" })
      #expect(told.end != .start)
      // From there on it is as ever.
      try other.run(script: change)
      #expect(try !notes(world, after: told.end, until: "violations").notes.isEmpty)
    }
  }
}
