import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// A passage that became part of another row, found and corrected by the identity that it came under on every way.
@Suite struct WireIdentityTests {
  private static let push = "vehicle_passages?on_conflict=client_id"
  private static let merged = WireWorld.client(2)

  /// Two passages of one vehicle within a minute, which are one row, and its exit.
  private static func world(_ kind: StoreKind) throws -> WireWorld {
    var world = try WireWorld(kind)
    world.now = world.now + .seconds(3_600)
    for (number, second) in [(1, 0), (2, 40)] {
      world.ask(
        "POST", push, WireWorld.passage(number, at: second), prefer: "resolution=ignore-duplicates")
      #expect(world.status == 201)
    }
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(3, at: 1_800, west: true),
      as: WireWorld.western)
    #expect(world.status == 201)
    #expect(world.rows("vehicle_passages").count == 2)
    return world
  }

  @Test(arguments: StoreKind.shipped) func itIsFoundByEachCondition(kind: StoreKind) throws {
    var world = try Self.world(kind)
    let (one, two) = (WireWorld.client(1), Self.merged)
    for condition in [
      "client_id=eq.\(two)", "client_id=in.(\(two))", "and=(client_id.eq.\(two))",
      "or=(client_id.eq.\(two),client_id.eq.\(WireWorld.client(9)))",
      "client_id=eq.\(two)&checkpost_id=eq.\(WireWorld.east)&order=client_id",
      "client_id=eq.\(two)&select=client_id,id,checkposts!inner(code)&checkposts.code=eq.BNP-A",
    ] {
      let rows = world.rows("vehicle_passages?\(condition)")
      #expect(rows.map { $0["client_id"]?.text } == [two], "\(condition)")
      #expect(rows.first?["id"]?.text == one, "\(condition)")
    }
    let both = world.rows("vehicle_passages?client_id=in.(\(one),\(two))&order=client_id")
    #expect(both.map { $0["client_id"]?.text } == [one, two])
    world.ask("GET", "vehicle_passages?client_id=eq.\(two)", prefer: "count=exact")
    #expect(world.field("Content-Range") == "0-0/1")
    world.ask(
      "GET", "vehicle_passages?client_id=eq.\(two)",
      headers: ["accept": "application/vnd.pgrst.object+json"])
    #expect(world.status == 200)
    // A neighbour of the segment finds it, too.
    #expect(
      world.rows("vehicle_passages?client_id=eq.\(two)", as: WireWorld.western).count == 1)
  }

  @Test(arguments: StoreKind.shipped) func theFunctionFindsIt(kind: StoreKind) throws {
    let world = try Self.world(kind)
    var answers: [RestJSON] = []
    for number in [1, 2] {
      let answer = MatchFunction.answer(
        Array(
          "{\"entry_passage_id\":\"\(WireWorld.client(number))\",\"exit_passage_id\":\"\(WireWorld.client(3))\"}"
            .utf8), as: WireWorld.eastern, from: world.rest)
      #expect(answer.status == 409, "\(number): \(answer.body)")
      answers.append(try #require(RestJSON(Array(answer.body.utf8))))
    }
    #expect(answers[0].object?["entry_passage_id"]?.text == WireWorld.client(1))
    #expect(answers[0].object?["travel_time_minutes"] == .number("30.00"))
    #expect(answers[1] == answers[0], "another identity of the same row")
    let found = try world.rest.post(ofPassage: Self.merged, seenBy: WireWorld.eastern)
    #expect(found.isThere && found.post == WireWorld.east)
  }

  /// What comes along with a violation or a post is asked for by the identity that it came under, as at the top.
  @Test(arguments: StoreKind.shipped) func itIsFoundAlongWithOtherRows(kind: StoreKind) throws {
    var world = try Self.world(kind)
    // The exit came twice as well.
    world.ask(
      "POST", Self.push, WireWorld.passage(4, at: 1_830, west: true),
      prefer: "resolution=ignore-duplicates", as: WireWorld.western)
    #expect(world.status == 201 && world.rows("vehicle_passages").count == 2)
    func told(_ end: String, _ condition: String) -> [String?] {
      world.rows(
        "violations?select=id,\(end):vehicle_passages!violations_\(end)_passage_id_fkey!inner(client_id)"
          + "&\(end).\(condition)"
      ).map { $0[end]?.object?["client_id"]?.text }
    }
    for (end, numbers) in [("entry", [1, 2]), ("exit", [3, 4])] {
      for number in numbers {
        let client = WireWorld.client(number)
        for condition in [
          "client_id=eq.\(client)", "client_id=in.(\(client),\(WireWorld.client(9)))",
          "or=(client_id.eq.\(client),client_id.eq.\(WireWorld.client(9)))",
        ] {
          #expect(told(end, condition) == [client], "\(end) \(condition)")
        }
      }
      #expect(told(end, "client_id=eq.\(WireWorld.client(9))") == [])
    }
    let posts = world.rows(
      "checkposts?code=eq.BNP-A&select=vehicle_passages(client_id)"
        + "&vehicle_passages.client_id=eq.\(Self.merged)")
    #expect(
      posts.first?["vehicle_passages"]
        == .list([.object(["client_id": .text(Self.merged)])]))
    let partners = world.rows(
      "vehicle_passages?client_id=eq.\(WireWorld.client(4))&select=client_id,partner:matched_passage_id!inner(client_id)"
        + "&partner.client_id=eq.\(Self.merged)")
    #expect(partners.map { $0["client_id"]?.text } == [WireWorld.client(4)])
    #expect(partners.first?["partner"]?.object?["client_id"]?.text == Self.merged)
    world.ask(
      "GET",
      "violations?select=id,entry:vehicle_passages!violations_entry_passage_id_fkey!inner(client_id)"
        + "&entry.client_id=eq.\(Self.merged)", prefer: "count=exact")
    #expect(world.field("Content-Range") == "0-0/1")
  }

  @Test(arguments: StoreKind.shipped) func itIsCorrectedAndNothingElse(kind: StoreKind) throws {
    for way in ["PATCH", "POST"] {
      var world = try Self.world(kind)
      world.now = world.now + .seconds(60)
      if way == "PATCH" {
        let told = world.ask(
          "PATCH", "vehicle_passages?client_id=eq.\(Self.merged)",
          "{\"plate_number\":\"BA1PA7777\",\"plate_number_raw\":\"BA 1 PA 7777\"}",
          prefer: "return=representation")
        #expect(world.status == 200, "\(told)")
      } else {
        let told = world.ask(
          "POST", Self.push, WireWorld.passage(2, "BA1PA7777", at: 40),
          prefer: "resolution=merge-duplicates")
        #expect(world.status < 300, "\(told)")
      }
      let plates = [1, 2].map { number in
        world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(number))").first?[
          "plate_number"]?.text
      }
      #expect(plates == ["BA1PA1234", "BA1PA7777"], "\(way)")
      #expect(world.rows("vehicle_passages").count == 3)
      #expect(world.rows("violations").map { $0["plate_number"]?.text } == ["BA1PA1234"])
    }
  }

  @Test(arguments: StoreKind.shipped) func itIsWithdrawnAndNothingElse(kind: StoreKind) throws {
    for (method, body, who) in [
      ("PATCH", "{\"withdrawn_reason\":\"seen twice\"}", WireWorld.eastern),
      ("DELETE", "", RestPrincipal.service),
    ] {
      var world = try Self.world(kind)
      world.now = world.now + .seconds(60)
      let told = world.ask(
        method, "vehicle_passages?client_id=eq.\(Self.merged)", body, as: who)
      #expect(world.status == 204, "\(method): \(told)")
      #expect(
        world.rows("vehicle_passages?client_id=eq.\(WireWorld.client(1))").count == 1,
        "\(method)")
      #expect(world.rows("violations").count == 1, "\(method)")
    }
  }

  /// One that the central gave a name of its own stays found when it is handed in again.
  @Test(arguments: StoreKind.shipped) func handedInAgainItIsThere(kind: StoreKind) throws {
    var world = try Self.world(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(2, at: 40))
    #expect(world.status == 409)
    world.ask(
      "POST", Self.push, WireWorld.passage(2, at: 40), prefer: "resolution=ignore-duplicates")
    #expect(world.status == 201)
    #expect(world.rows("vehicle_passages").count == 2)
  }
}
