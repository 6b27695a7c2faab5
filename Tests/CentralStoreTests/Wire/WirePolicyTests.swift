import CentralCore
import EventLoop
import Passages
import PostgreSQL
import RestAPI
import SeededRandom
import Testing
import Time

/// A caller of the API may write what they may write by SQL, where the row policies decide, and nothing else:
/// over random accounts, rows and writes the two answer alike.
@Suite(.needsPostgreSQL) struct WirePolicyTests {
  private struct Person {
    var uuid: String
    var principal: RestPrincipal
  }

  /// A write in both languages.
  private struct Write {
    var sql: String
    var method: String
    var target: String
    var body: String
  }

  private static func uuid(_ kind: String, _ name: String) -> String {
    ClientID.derived(kind: kind, name: name).description
  }

  @Test func theAPIAsksWhatThePoliciesAsk() throws {
    var world = try WireWorld(try PostgreSQLPlace())
    let place = try #require(world.place as? PostgreSQLPlace)
    world.now = SystemClocks().wall()
    let second = Int(world.now.epochSeconds - WireWorld.start.epochSeconds) - 40_000
    let people = try furnish(&world, place, at: second)
    var generator = SplitMix64(seed: 30)
    var refused = 0
    var done = 0
    for round in 0..<600 {
      let person = people[Int.random(in: people.indices, using: &generator)]
      let write = try write(round, people, &world, at: second, &generator)
      let bySQL = try place.with { try Self.outcome(of: write.sql, as: person.uuid, $0) }
      let answer = world.ask(
        write.method, write.target, write.body, prefer: "count=exact", as: person.principal)
      let count = world.field("Content-Range")?.split(separator: "/").last.map(String.init)
      let byAPI = answer.object?["code"]?.text ?? count ?? "\(world.status)"
      #expect(byAPI == bySQL, "\(round) as \(person.principal.role): \(write.sql)")
      if byAPI == "42501" { refused += 1 }
      if byAPI == "1" { done += 1 }
    }
    #expect(refused > 40 && done > 30, "\(refused) refused, \(done) done")
    try world.store.close()
  }

  /// What a statement comes to: how many rows, or the code of why not; nothing of it stays.
  private static func outcome(
    of sql: String, as user: String, _ connection: PostgreSQLConnection
  ) throws -> String {
    try connection.run(
      script: "BEGIN; SELECT set_config('request.jwt.claim.sub', '\(user)', true);"
        + " SET LOCAL ROLE authenticated")
    defer { try? connection.run(script: "ROLLBACK") }
    do throws(PostgreSQLError) {
      return "\(try connection.query(sql).affected)"
    } catch {
      guard let state = error.state else { throw error }
      return state.code
    }
  }

  /// A second segment with its people, an administrator, and a violation on each segment.
  private func furnish(
    _ world: inout WireWorld, _ place: PostgreSQLPlace, at second: Int
  ) throws -> [Person] {
    var entries: [DirectoryEntry] = [
      .segment(
        try Segment(
          name: "North", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40))
    ]
    for (code, index, name, number) in [
      ("NTH-A", 0, "Maya", "+9779802220000"), ("NTH-B", 1, "Asha", "+9779802220001"),
    ] {
      let post = try CheckpostCode(code)
      entries += [
        .post(Post(code: post, name: code, place: Post.Place(segment: "North", index: index))),
        .ranger(
          Ranger(name: name, phone: try #require(PhoneNumber(number)), checkpost: post)),
      ]
    }
    _ = try world.store.put(entries)
    let north = Self.uuid("segment", "North")
    let admin = Self.uuid("profile", "admin")
    try place.execute(
      """
      INSERT INTO auth.users (id) VALUES ('\(admin)');
      INSERT INTO public.user_profiles (id, full_name, role) VALUES ('\(admin)', 'Gita', 'admin')
      """)
    func ranger(_ number: String, _ post: String) -> Person {
      let user = Self.uuid("profile", number)
      return Person(
        uuid: user,
        principal: RestPrincipal(
          .ranger, user: user, post: Self.uuid("post", post), segment: north))
    }
    let people = [
      Person(uuid: WireWorld.sita, principal: WireWorld.eastern),
      Person(uuid: WireWorld.ram, principal: WireWorld.western),
      ranger("9779802220000", "NTH-A"), ranger("9779802220001", "NTH-B"),
      Person(uuid: admin, principal: RestPrincipal(.admin, user: admin)),
    ]
    for (number, person) in people.prefix(4).enumerated() {
      world.ask(
        "POST", "vehicle_passages",
        passage(
          number + 1, "BA1PA\(1_000 + number / 2)", at: second + number % 2 * 900, person,
          by: person.uuid), as: person.principal)
      #expect(world.status == 201)
    }
    #expect(world.rows("violations", as: .service).count == 2)
    return people
  }

  private func passage(
    _ number: Int, _ plate: String, at second: Int, _ person: Person, by ranger: String
  ) -> String {
    WireWorld.passage(
      number, plate, at: second, west: false,
      [
        "checkpost_id": "\"\(person.principal.post ?? "")\"",
        "segment_id": "\"\(person.principal.segment ?? "")\"", "ranger_id": "\"\(ranger)\"",
      ])
  }

  /// One of the directory, which is central's people's alone.
  private func directoryWrite(
    _ round: Int, _ rangers: [Person], _ generator: inout SplitMix64
  ) -> Write {
    func insert(_ table: String, _ values: [(String, String)]) -> Write {
      Write(
        sql: "INSERT INTO public.\(table) (\(values.map(\.0).joined(separator: ", "))) VALUES"
          + " (\(values.map { "'\($0.1)'" }.joined(separator: ", ")))",
        method: "POST", target: table,
        body: "{\(values.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ","))}")
    }
    func update(_ table: String, _ column: String, _ value: String, _ id: String) -> Write {
      Write(
        sql: "UPDATE public.\(table) SET \(column) = '\(value)' WHERE id = '\(id)'",
        method: "PATCH", target: "\(table)?id=eq.\(id)", body: "{\"\(column)\":\"\(value)\"}")
    }
    func delete(_ table: String, _ id: String) -> Write {
      Write(
        sql: "DELETE FROM public.\(table) WHERE id = '\(id)'", method: "DELETE",
        target: "\(table)?id=eq.\(id)", body: "")
    }
    let person = rangers[Int.random(in: rangers.indices, using: &generator)]
    let (post, segment) = (person.principal.post ?? "", person.principal.segment ?? "")
    let park = Self.uuid("park", "Park")
    let nothing = WireWorld.client(99)
    let writes = [
      insert("parks", [("name", "Park \(round % 20)"), ("code", "P\(round % 20)")]),
      insert("parks", [("name", "Long"), ("code", "ABCDEFGHIJKL")]),
      insert(
        "highway_segments",
        [
          ("park_id", round.isMultiple(of: 2) ? park : nothing), ("name", "S\(round)"),
          ("distance_km", round.isMultiple(of: 3) ? "0" : "12.5"), ("max_speed_kmh", "40"),
          ("min_speed_kmh", "10"),
        ]),
      insert(
        "checkposts",
        [
          ("segment_id", segment), ("name", "N"), ("code", "N-\(round)"),
          ("position_index", round.isMultiple(of: 2) ? "0" : "3"),
        ]),
      update("parks", "is_active", "false", park), update("parks", "name", "Again", nothing),
      update("highway_segments", "is_active", "false", segment),
      update("highway_segments", "distance_km", "-1", segment),
      update("highway_segments", "max_speed_kmh", "\(60 + round % 9)", segment),
      update("checkposts", "latitude", "28.5", post),
      update("checkposts", "position_index", "7", post),
      update("checkposts", "segment_id", nothing, post),
      delete("parks", park), delete("highway_segments", segment), delete("checkposts", post),
      delete("checkposts", nothing),
    ]
    return writes[Int.random(in: writes.indices, using: &generator)]
  }

  /// One write by chance, of what is there and of what is not.
  private func write(
    _ round: Int, _ people: [Person], _ world: inout WireWorld, at second: Int,
    _ generator: inout SplitMix64
  ) throws -> Write {
    func one<Value>(of values: [Value], _ generator: inout SplitMix64) -> Value {
      values[Int.random(in: values.indices, using: &generator)]
    }
    let rangers = Array(people.prefix(4))
    let (at, other) = (one(of: rangers, &generator), one(of: rangers, &generator))
    let who = one(of: people, &generator).uuid
    let time = (WireWorld.start + .seconds(Int64(second + round * 60))).rfc3339
    switch Int.random(in: 0..<9, using: &generator) {
    case 7, 8: return directoryWrite(round, rangers, &generator)
    case 0, 1:
      let ranger = Bool.random(using: &generator) ? at.uuid : who
      // At times of a segment on which the post does not stand.
      let segment =
        Int.random(in: 0..<5, using: &generator) == 0
        ? other.principal.segment : at.principal.segment
      let (post, client) = (at.principal.post ?? "", WireWorld.client(1_000 + round))
      return Write(
        sql: """
          INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
            recorded_at, ranger_id) VALUES ('\(client)', 'BA2PA\(round)', 'car', '\(post)', '\(segment ?? "")',
            '\(time)', '\(ranger)')
          """,
        method: "POST", target: "vehicle_passages",
        body: """
          {"client_id":"\(client)","plate_number":"BA2PA\(round)","vehicle_type":"car","checkpost_id":"\(post)",
          "segment_id":"\(segment ?? "")","recorded_at":"\(time)","ranger_id":"\(ranger)"}
          """)
    case 2, 3:
      let client = WireWorld.client(1 + Int.random(in: 0..<4, using: &generator))
      let (column, value) = one(
        of: [
          ("vehicle_type", "bus"), ("vehicle_type", "van"),
          ("checkpost_id", other.principal.post ?? ""), ("plate_number", "BA3PA\(round)"),
          ("plate_number", "?"), ("recorded_at", time), ("recorded_at", "2290-01-01T00:00:00Z"),
        ], &generator)
      return Write(
        sql:
          "UPDATE public.vehicle_passages SET \(column) = '\(value)' WHERE client_id = '\(client)'",
        method: "PATCH", target: "vehicle_passages?client_id=eq.\(client)",
        body: "{\"\(column)\":\"\(value)\"}")
    case 4:
      let violations = world.rows("violations?select=id", as: .service).compactMap {
        $0["id"]?.text
      }
      let violation = violations.isEmpty ? WireWorld.client(99) : one(of: violations, &generator)
      return Write(
        sql: """
          INSERT INTO public.violation_outcomes (violation_id, outcome_type, recorded_by)
            VALUES ('\(violation)', 'warned', '\(who)')
          """,
        method: "POST", target: "violation_outcomes",
        body:
          "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"warned\",\"recorded_by\":\"\(who)\"}"
      )
    case 5:
      let user = one(of: people, &generator).uuid
      return Write(
        sql: """
          INSERT INTO public.sync_metadata (user_id, device_id, pending_count) VALUES ('\(user)', 'd\(round % 3)', 1)
          """,
        method: "POST", target: "sync_metadata",
        body: "{\"user_id\":\"\(user)\",\"device_id\":\"d\(round % 3)\",\"pending_count\":1}")
    default:
      let user = one(of: people, &generator).uuid
      let (sql, target) = one(
        of: [
          ("public.violation_outcomes SET notes = 'n'", "violation_outcomes?recorded_by"),
          ("public.sync_metadata SET pending_count = 2", "sync_metadata?user_id"),
        ], &generator)
      let column = target.split(separator: "?").last ?? ""
      return Write(
        sql: "UPDATE \(sql) WHERE \(column) = '\(user)'", method: "PATCH",
        target: "\(target)=eq.\(user)",
        body: column == "user_id" ? "{\"pending_count\":2}" : "{\"notes\":\"n\"}")
    }
  }
}
