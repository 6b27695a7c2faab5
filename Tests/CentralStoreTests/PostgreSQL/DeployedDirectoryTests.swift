import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// The directory stands in the tables that others use too.
@Suite(.needsPostgreSQL) struct DeployedDirectoryTests {
  private func texts(_ place: PostgreSQLPlace, _ statement: String) throws -> [String?] {
    try place.with { connection in
      try connection.query(statement).rows.map { try $0.optional(0, .text) }
    }
  }

  @Test func whatIsPutInShowsThereUnderDerivedIdentifiers() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    #expect(
      try texts(
        place,
        """
        SELECT h.name || ' ' || h.distance_km || ' ' || h.min_speed_kmh || ' ' || h.max_speed_kmh || ' '
          || c.code || ' ' || c.position_index || ' ' || c.name || ' ' || p.name
        FROM public.highway_segments h JOIN public.checkposts c ON c.segment_id = h.id
          JOIN public.parks p ON p.id = h.park_id ORDER BY c.code
        """) == [
          "Banepa 30.00 20.00 60.00 BNP-A 0 Post BNP-A Park",
          "Banepa 30.00 20.00 60.00 BNP-B 1 Post BNP-B Park",
        ])
    let ids = try texts(
      place,
      """
      SELECT id::text FROM public.highway_segments
      UNION ALL SELECT id::text FROM public.checkposts WHERE code = 'BNP-A'
      UNION ALL SELECT id::text FROM public.user_profiles WHERE full_name = 'Sita'
      UNION ALL SELECT id::text FROM auth.users WHERE id IN
        (SELECT id FROM public.user_profiles WHERE full_name = 'Sita')
      """)
    let person = ClientID.derived(kind: "profile", name: "9779841114567").description
    #expect(
      ids == [
        ClientID.derived(kind: "segment", name: "Banepa").description,
        ClientID.derived(kind: "post", name: "BNP-A").description, person, person,
      ])
    _ = bench
  }

  @Test func whatIsThereKeepsItsIdentifiers() throws {
    let place = try PostgreSQLPlace()
    let ids = """
      SELECT id::text FROM (SELECT id FROM public.parks UNION ALL SELECT id FROM public.highway_segments
        UNION ALL SELECT id FROM public.checkposts UNION ALL SELECT id FROM public.user_profiles) AS a
      ORDER BY id
      """
    try place.with { connection in
      try connection.run(
        script: """
          WITH k AS (INSERT INTO public.parks (name, code) VALUES ('Banke', 'BNP') RETURNING id),
          h AS (INSERT INTO public.highway_segments (park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            SELECT id, 'Banepa', 45, 40, 10 FROM k RETURNING id),
          a AS (INSERT INTO public.checkposts (segment_id, name, code, position_index)
            SELECT id, 'East', 'BNP-A', 0 FROM h RETURNING id),
          b AS (INSERT INTO public.checkposts (segment_id, name, code, position_index)
            SELECT id, 'West', 'BNP-B', 1 FROM h RETURNING id),
          u AS (INSERT INTO auth.users DEFAULT VALUES RETURNING id)
          INSERT INTO public.user_profiles (id, full_name, role, phone_number)
            SELECT id, 'Sita Devi', 'ranger', '984-111-4567' FROM u;
          """)
    }
    let known = try texts(place, ids)
    let bench = try Bench(place)
    #expect(try texts(place, ids) == known)
    #expect(try bench.store.rangers() == [try ranger("Sita", "+9779841114567", "BNP-A")])
    let phones = "SELECT phone_number FROM public.user_profiles WHERE phone_number IS NOT NULL"
    #expect(try texts(place, phones) == ["984-111-4567"])
    #expect(try bench.store.segments() == [try banepa()])
    #expect(try texts(place, "SELECT name FROM public.parks") == ["Banke"])
  }

  @Test func aPostThatStandsNowhereHasARowAllTheSame() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    try bench.put(.post(try post("LOOSE", phone: "9801234567")))
    try bench.put(.ranger(try ranger("Hari", "+9779800000002", "LOOSE")))
    #expect(try bench.store.segments().map(\.name) == ["Banepa"])
    let loose = try bench.store.posts().first { $0.code.code == "LOOSE" }
    #expect(loose == (try post("LOOSE", phone: "9801234567")))
    #expect(try bench.store.overview().segments == 1)
    bench.rules.ingress = .open
    try bench.receive(text(0, post: "LOOSE"), id: "SM1")
    #expect(
      try texts(
        place,
        """
        SELECT c.code || ' ' || h.is_active FROM public.vehicle_passages v
        JOIN public.checkposts c ON c.id = v.checkpost_id JOIN public.highway_segments h ON h.id = v.segment_id
        """) == ["LOOSE false"])
    // Two that stand nowhere are no route, and who leaves makes room.
    try bench.put(.post(try post("BNP-B")))
    try bench.put(
      .post(try post("LOOSE", place: Post.Place(segment: "Banepa", index: 1)), knowing: .place))
    #expect(try bench.store.routes().map { $0.posts.map(\.code) } == [["BNP-A", "LOOSE"]])
    #expect(try bench.store.posts().map { $0.place?.index } == [0, nil, 1])
  }

  @Test func numbersThatTheTableRoundsAreExactHere() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    let fine = try Segment(
      name: "Banepa", distanceKilometres: 12.345, minimumKilometresPerHour: 10.004,
      maximumKilometresPerHour: 60)
    try bench.put(.segment(fine))
    #expect(try bench.store.segments() == [fine])
    #expect(try texts(place, "SELECT distance::text FROM checkpost.segments") == ["12345"])
    #expect(
      try texts(place, "SELECT distance_km::text FROM public.highway_segments") == ["12.35"])
    // What somebody else writes counts.
    try place.with { try $0.run(script: "UPDATE public.highway_segments SET distance_km = 13") }
    #expect(try bench.store.segments().map(\.distanceMetres) == [13_000])
    let huge = try Segment(
      name: "Huge", distanceKilometres: 10_000, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 60)
    let refusals = try bench.store.put([.segment(huge), .segment(fine)])
    guard case .rule? = refusals[0] else {
      Issue.record("\(refusals)")
      return
    }
    #expect(refusals[1] == nil)
    #expect(try bench.store.segments() == [fine])
  }

  /// Servers of Supabase's kind often make a profile with each user.
  @Test func aProfileThatATriggerMakesIsTheRangers() throws {
    let place = try PostgreSQLPlace()
    try place.with {
      try $0.run(
        script: """
          CREATE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO public.user_profiles (id, full_name, role) VALUES (NEW.id, 'new user', 'ranger');
            RETURN NULL;
          END $$;
          CREATE TRIGGER make AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION make_profile();
          """)
    }
    let bench = try Bench(place)
    #expect(try bench.store.rangers() == [try ranger("Sita", "+9779841114567", "BNP-A")])
    #expect(
      try texts(place, "SELECT full_name FROM public.user_profiles ORDER BY 1")
        == ["Sita", "unknown ranger"])
  }

  @Test func aNameThatNoColumnTakesIsRefusedAlone() throws {
    let bench = try Bench(PostgreSQLPlace())
    let named = Ranger(
      name: "Si\0ta", phone: try number("9800000001"), checkpost: try CheckpostCode("BNP-A"))
    let refusals = try bench.store.put([
      .ranger(named), .ranger(try ranger("Hari", "9800000002", "BNP-A")),
    ])
    #expect(refusals == [.rule("a name has a zero character"), nil])
    #expect(try bench.store.rangers().map(\.name) == ["Hari", "Sita"])
  }

  @Test func whoIsNotActiveIsNoRanger() throws {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    try place.with {
      try $0.run(script: "UPDATE public.user_profiles SET is_active = false")
    }
    #expect(try bench.store.rangers() == [])
    guard
      case .rule(let words)? = try bench.store.put([
        .ranger(try ranger("Sita", "9841114567", "BNP-A"))
      ])[0]
    else {
      Issue.record("it was put in")
      return
    }
    #expect(words.contains("not active"))
  }

  @Test func anIdentifierMayBeLongerThanWhatAnIndexTakes() throws {
    let bench = try Bench(PostgreSQLPlace())
    let messages = ["x", "y"].map {
      bench.message(text(0), id: String(repeating: "0123456789abcdef", count: 1_000) + $0)
    }
    #expect(
      try bench.store.keep(messages + messages) == [.kept(1), .kept(2), .known(1), .known(2)])
    #expect(try bench.store.inboxItem(1)?.timesReceived == 2)
    #expect(try bench.keep(text(1), id: "SM1") == [.kept(3)])
  }
}
