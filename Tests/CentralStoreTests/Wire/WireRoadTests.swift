import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// Three posts on a road: the middle one ends both segments, and its rows stand under one of them.
struct WireRoadTests {
  private static let far = ClientID.derived(kind: "post", name: "BNP-C").description
  private static let gopal = ClientID.derived(kind: "profile", name: "9779811111111").description

  /// A central with BNP-C behind BNP-B.
  ///
  /// - Parameter name: What the segment between these is called: before the other one by name, rows of BNP-B stand
  ///   under it.
  private func world(_ kind: StoreKind, _ name: String) throws -> WireWorld {
    let world = try WireWorld(kind)
    let entries: [DirectoryEntry] = [
      .segment(
        try Segment(
          name: name, distanceKilometres: 12, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      .post(
        Post(
          code: try CheckpostCode("BNP-B"), name: "West",
          places: [Post.Place(segment: "Banke", index: 1), Post.Place(segment: name, index: 0)]),
        knowing: .place),
      .post(
        Post(
          code: try CheckpostCode("BNP-C"), name: "Far", place: Post.Place(segment: name, index: 1))
      ),
      .post(Post(code: try CheckpostCode("LONE"), name: "Alone")),
      .ranger(
        Ranger(
          name: "Gopal", phone: try #require(PhoneNumber("+9779811111111")),
          checkpost: try CheckpostCode("BNP-C"))),
    ]
    #expect(try world.store.put(entries).allSatisfy { $0 == nil })
    return world
  }

  private func segment(_ name: String) -> String {
    ClientID.derived(kind: "segment", name: name).description
  }

  /// Somebody of a post, as they are let in over HTTP.
  private func ranger(_ world: WireWorld, _ user: String, _ post: String) throws -> RestPrincipal {
    RestPrincipal(.ranger, user: user).serving(at: try world.rest.place(ofPost: post))
  }

  /// A vehicle from BNP-A by BNP-B to BNP-C, too fast on both ways, and one that comes back from BNP-C.
  private func drive(_ world: inout WireWorld, _ name: String) throws {
    world.now = WallTime(epochSeconds: WireWorld.start.epochSeconds + 9_000)
    for (number, plate, post, user, seconds) in [
      (1, "BA1PA1234", "BNP-A", WireWorld.sita, 0), (2, "BA1PA1234", "BNP-B", WireWorld.ram, 600),
      (3, "BA1PA1234", "BNP-C", Self.gopal, 900), (4, "BA1PA7", "BNP-C", Self.gopal, 1_000),
      (5, "BA1PA7", "BNP-B", WireWorld.ram, 3_000), (6, "BA1PA8", "BNP-B", WireWorld.ram, 3_100),
    ] as [(Int, String, String, String, Int)] {
      let id = ClientID.derived(kind: "post", name: post).description
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, plate, at: seconds,
          [
            "checkpost_id": "\"\(id)\"", "ranger_id": "\"\(user)\"",
            "segment_id": "\"\(segment(post == "BNP-C" ? name : "Banke"))\"",
          ]), as: try ranger(world, user, post))
      #expect(world.status == 201, "\(post)")
    }
  }

  private static let names = ["Alpha", "Zulu"]

  /// Whoever asks is told which segments a post ends, and which posts stand at the ends of a segment.
  @Test(arguments: StoreKind.shipped, names)
  func theDirectoryTellsAllEnds(_ kind: StoreKind, _ name: String) throws {
    var world = try world(kind, name)
    defer { try? world.store.close() }
    let both = ["Banke", name].sorted().map(segment)
    var told: [String: RestJSON] = [:]
    for row in world.rows("checkposts?select=code,segment_id,segment_ids") {
      told[row["code"]?.text ?? ""] = row["segment_ids"]
      if row["code"]?.text == "BNP-B" { #expect(row["segment_id"]?.text == both[0]) }
    }
    #expect(told["BNP-A"] == .list([.text(segment("Banke"))]))
    #expect(told["BNP-B"] == .list(both.map { .text($0) }))
    #expect(told["BNP-C"] == .list([.text(segment(name))]))
    #expect(told["LONE"] == .list([]))
    let ends = world.rows("highway_segments?select=checkpost_ids&id=eq.\(segment(name))")
    #expect(ends.first?["checkpost_ids"] == .list([.text(WireWorld.west), .text(Self.far)]))
    // With everything that is asked for by a star, where a row is nested too.
    let profile = world.rows(
      "user_profiles?id=eq.\(WireWorld.ram)&select=*,checkposts(*,highway_segments(*))",
      as: .service
    ).first
    let post = profile?["checkposts"]?.object
    #expect(post?["segment_ids"] == .list(both.map { .text($0) }))
    #expect(post?["highway_segments"]?.object?["checkpost_ids"] != nil)
  }

  /// The people of a post see what is of its segments: in the middle everything, at an end the segment that leads
  /// there with both its posts, and nothing of what lies behind.
  @Test(arguments: StoreKind.shipped, names)
  func rangersSeeTheSegmentsOfTheirPost(_ kind: StoreKind, _ name: String) throws {
    var world = try world(kind, name)
    defer { try? world.store.close() }
    try drive(&world, name)
    let people = try [
      ranger(world, WireWorld.sita, "BNP-A"), ranger(world, WireWorld.ram, "BNP-B"),
      ranger(world, Self.gopal, "BNP-C"),
    ]
    let posts = people.map { who in
      Set(
        world.rows("vehicle_passages?select=checkposts(code)", as: who).compactMap {
          $0["checkposts"]?.object?["code"]?.text
        })
    }
    #expect(posts == [["BNP-A", "BNP-B"], ["BNP-A", "BNP-B", "BNP-C"], ["BNP-B", "BNP-C"]])
    let violations = people.map { who in
      Set(world.rows("violations?select=segment_id", as: who).compactMap { $0["segment_id"]?.text })
    }
    let (near, far) = (segment("Banke"), segment(name))
    #expect(violations == [[near], [near, far], [far]])
    for violation in world.rows("violations?select=id,segment_id", as: .service) {
      let (id, of) = (violation["id"]?.text ?? "", violation["segment_id"]?.text)
      world.ask(
        "POST", "violation_outcomes",
        "{\"violation_id\":\"\(id)\",\"outcome_type\":\"warned\",\"recorded_by\":\"\(WireWorld.ram)\"}",
        as: people[1])
      #expect(world.status == 201, "\(of ?? "")")
    }
    let outcomes = people.map { world.rows("violation_outcomes", as: $0).count }
    #expect(outcomes == [1, 2, 1])
    // Where one is overdue: BA1PA7 and BA1PA8 are awaited at BNP-A by the way from BNP-B.
    try world.store.tick(at: WallTime(epochSeconds: WireWorld.start.epochSeconds + 40_000))
    let alerts = people.map { who in
      Set(
        world.rows("proactive_overstay_alerts?select=plate_number", as: who).compactMap {
          $0["plate_number"]?.text
        })
    }
    #expect(alerts[0] == ["BA1PA7", "BA1PA8"] && alerts[1].isSuperset(of: alerts[0]))
    #expect(!alerts[2].contains("BA1PA8"))
  }

  /// What a node asks for: at an end, passages of the middle post that came from the far end too, and none that went
  /// on or came from here; in the middle, passages of both ends.
  @Test(arguments: StoreKind.shipped, names)
  func nodesPullWhatMayComeToThem(_ kind: StoreKind, _ name: String) throws {
    var world = try world(kind, name)
    defer { try? world.store.close() }
    try drive(&world, name)
    let columns =
      "order=recorded_at.desc,id.desc&limit=500&select=plate_number,checkposts(code)"
      + ",partner:matched_passage_id(checkpost_id)"
    let since = "recorded_at=gte.2026-01-01T00:00:00Z"
    func pull(_ posts: [String], _ who: RestPrincipal) -> [(String, String?)] {
      world.rows(
        "vehicle_passages?checkpost_id=in.(\(posts.joined(separator: ",")))"
          + "&or=(matched_passage_id.is.null,is_entry.is.false)&\(since)"
          + "&or=(recorded_at.lt.2027-01-01T00:00:00Z,and(recorded_at.eq.2027-01-01T00:00:00Z,id.lt.\(Self.far)))"
          + "&\(columns)", as: who
      ).map {
        ($0["plate_number"]?.text ?? "", $0["partner"]?.object?["checkpost_id"]?.text)
      }
    }
    let sita = try ranger(world, WireWorld.sita, "BNP-A")
    let atEnd = pull([WireWorld.west], sita)
    // BA1PA1234 went on to BNP-C. Of BA1PA7 nobody here may know where it came from.
    #expect(atEnd.map(\.0) == ["BA1PA8", "BA1PA7"])
    #expect(atEnd.allSatisfy { $0.1 == nil })
    let ram = try ranger(world, WireWorld.ram, "BNP-B")
    let middle = pull([WireWorld.east, Self.far], ram)
    #expect(middle.map(\.0) == ["BA1PA1234"], "the exit at BNP-C, which ended a travel from here")
    #expect(middle.first?.1 == WireWorld.west)
    // Which the function that confirms pairs knows too, whichever segment the rows stand under.
    let passages = world.rows("vehicle_passages?select=id,client_id&order=client_id", as: .service)
    let ids = Dictionary(
      uniqueKeysWithValues: passages.map { ($0["client_id"]?.text ?? "", $0["id"]?.text ?? "") })
    for (first, last, of) in [(1, 2, "Banke"), (2, 3, name)] {
      let pair = [first, last].map { ids[WireWorld.client($0)] ?? "" }
      let answer = MatchFunction.answer(
        Array("{\"entry_passage_id\":\"\(pair[0])\",\"exit_passage_id\":\"\(pair[1])\"}".utf8),
        as: ram, from: world.rest)
      #expect(answer.status == 409, "\(of): \(answer.body)")
    }
    let apart = [1, 3].map { ids[WireWorld.client($0)] ?? "" }
    let none = MatchFunction.answer(
      Array("{\"entry_passage_id\":\"\(apart[0])\",\"exit_passage_id\":\"\(apart[1])\"}".utf8),
      as: ram, from: world.rest)
    #expect(
      none.status == 409 && none.body.contains(apart[0]), "it went on elsewhere: \(none.body)")
    // Of two that have no partner it is said why they are none.
    for (number, post, user) in [(7, "BNP-A", WireWorld.sita), (8, "BNP-C", Self.gopal)] {
      let id = ClientID.derived(kind: "post", name: post).description
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, "BA1PA9", at: 100 * number,
          [
            "checkpost_id": "\"\(id)\"", "ranger_id": "\"\(user)\"",
            "segment_id": "\"\(segment(post == "BNP-C" ? name : "Banke"))\"",
          ]), as: try ranger(world, user, post))
      #expect(world.status == 201)
    }
    let ends = world.rows(
      "vehicle_passages?select=id&plate_number=eq.BA1PA9&order=recorded_at", as: .service
    ).map { $0["id"]?.text ?? "" }
    let open = MatchFunction.answer(
      Array("{\"entry_passage_id\":\"\(ends[0])\",\"exit_passage_id\":\"\(ends[1])\"}".utf8),
      as: ram, from: world.rest)
    #expect(open.status == 400 && open.body.contains("segments are not the same"))
  }
}
