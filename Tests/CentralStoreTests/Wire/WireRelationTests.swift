import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// Rows along with others: which they are, how many, in which order.
@Suite struct WireRelationTests {
  private func pair(_ kind: StoreKind) throws -> WireWorld {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    world.ask("POST", "vehicle_passages", WireWorld.passage(3, "BA3PA3"))
    return world
  }

  @Test(arguments: StoreKind.shipped) func aRowIsNamedByItsColumn(kind: StoreKind) throws {
    var world = try pair(kind)
    let rows = world.rows(
      "vehicle_passages?plate_number=eq.BA1PA1234&order=recorded_at"
        + "&select=checkpost_id(code),partner:matched_passage_id(client_id),"
        + "partners:vehicle_passages!matched_passage_id(client_id),vehicle_passages(client_id)")
    #expect(rows.map { $0["checkpost_id"]?.object?["code"] } == ["BNP-A", "BNP-B"])
    #expect(
      rows.map { $0["partner"]?.object?["client_id"]?.text }
        == [WireWorld.client(2), WireWorld.client(1)])
    let mine = RestJSON.list([.object(["client_id": .text(WireWorld.client(2))])])
    #expect(rows.first?["partners"] == mine && rows.first?["vehicle_passages"] == mine)
    let byRule = world.rows(
      "violations?select=violations_exit_passage_id_fkey(client_id),entry_passage_id(client_id)")
    #expect(
      byRule.first?["violations_exit_passage_id_fkey"]?.object?["client_id"]?.text
        == WireWorld.client(2))
    #expect(byRule.first?["entry_passage_id"]?.object?["client_id"]?.text == WireWorld.client(1))
  }

  @Test(arguments: StoreKind.shipped) func conditionsOfARelation(kind: StoreKind) throws {
    var world = try pair(kind)
    func found(_ query: String) -> [String?] {
      world.rows("vehicle_passages?order=recorded_at,plate_number&\(query)")
        .map { $0["client_id"]?.text }
    }
    let (one, two, three) = (WireWorld.client(1), WireWorld.client(2), WireWorld.client(3))
    #expect(
      found("select=client_id,checkposts!inner(code)&checkposts.code=eq.BNP-A") == [one, three])
    #expect(found("select=client_id,p:checkposts!inner()&p.code=eq.BNP-B") == [two])
    #expect(
      found("select=client_id,checkpost_id!inner(code)&checkposts.or=(code.eq.BNP-B,code.eq.X)")
        == [two])
    #expect(
      found(
        "select=client_id,checkposts!inner(highway_segments!inner(name))"
          + "&checkposts.highway_segments.name=eq.Banke") == [one, three, two])
    #expect(
      found(
        "select=client_id,checkposts!inner(highway_segments!inner(name))"
          + "&checkposts.highway_segments.name=eq.Other") == [])
    // Without `!inner` the rows stay, and what does not fit is not told along.
    let rows = world.rows(
      "vehicle_passages?select=client_id,checkposts(code)&checkposts.code=eq.BNP-B"
        + "&order=recorded_at,plate_number")
    #expect(rows.map { $0["checkposts"] == .null } == [true, true, false])
    for query in [
      "select=client_id&checkposts.code=eq.BNP-A", "select=checkposts(code)&parks.code=eq.A",
    ] {
      let error = world.ask("GET", "vehicle_passages?\(query)")
      #expect(world.status == 400 && error.object?["code"] == "PGRST108", "\(query)")
    }
    let error = world.ask(
      "GET", "vehicle_passages?select=checkposts(code)&checkposts.nonsense=eq.1")
    #expect(error.object?["code"] == "42703")
  }

  @Test(arguments: StoreKind.shipped) func manyRowsAreToldInOneOrder(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let rows = (1...150).map { WireWorld.passage($0, "BA1PA\($0)", at: 1_000 - $0) }
    world.ask("POST", "vehicle_passages", "[\(rows.joined(separator: ","))]")
    #expect(world.status == 201)
    func told(_ query: String) -> [String] {
      let posts = world.rows(
        "checkposts?code=eq.BNP-A&select=vehicle_passages(id,plate_number)&\(query)")
      guard case .list(let list)? = posts.first?["vehicle_passages"] else { return [] }
      return list.compactMap { $0.object?["plate_number"]?.text }
    }
    #expect(told("") == (1...150).map { "BA1PA\($0)" })
    #expect(
      told(
        "vehicle_passages.order=recorded_at.desc&vehicle_passages.limit=3&vehicle_passages.offset=1"
      ) == ["BA1PA2", "BA1PA3", "BA1PA4"])
  }

  @Test(arguments: StoreKind.shipped) func momentsBefore1970(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    for (index, text) in [
      "1960-05-05T00:00:00.5", "1969-12-31T23:59:59.999", "1960-05-05T00:00:00",
      "1970-01-01T00:00:00",
    ].enumerated() {
      let told = world.ask(
        "POST", "sync_metadata?select=last_sync_at",
        "{\"user_id\":\"\(WireWorld.sita)\",\"device_id\":\"\(index)\",\"last_sync_at\":\"\(text)Z\"}",
        prefer: "return=representation")
      #expect(told.written == "[{\"last_sync_at\":\"\(text)+00:00\"}]")
    }
  }

  @Test(arguments: StoreKind.shipped) func partsThatThereAreNot(kind: StoreKind) throws {
    var world = try pair(kind)
    for (query, status, range) in [
      ("offset=3", 206, "*/3" as String?), ("offset=4", 416, nil), ("limit=-1", 416, nil),
      ("offset=-1", 416, nil), ("limit=0", 206, "*/3"), ("plate_number=eq.X", 200, "*/0"),
    ] {
      let answer = world.ask("GET", "vehicle_passages?\(query)", prefer: "count=exact")
      #expect(world.status == status && world.field("Content-Range") == range, "\(query)")
      if status == 416 { #expect(answer.object?["code"] == "PGRST103") }
    }
  }

  @Test(arguments: StoreKind.shipped) func aPairIsMatchedAlready(kind: StoreKind) throws {
    var world = try pair(kind)
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(4, at: 80_000, west: true),
      as: WireWorld.western)
    func match(_ one: Int, _ other: Int) -> (Int, [String: RestJSON]) {
      let body =
        "{\"entry_passage_id\":\"\(WireWorld.client(one))\",\"exit_passage_id\":\"\(WireWorld.client(other))\"}"
      let answer = MatchFunction.answer(
        Array(body.utf8), as: WireWorld.eastern, from: world.rest)
      return (answer.status, RestJSON(Array(answer.body.utf8))?.object ?? [:])
    }
    let (status, pair) = match(2, 1)
    #expect(status == 409 && pair["error"] == "Passage already matched")
    #expect(pair["passage_id"]?.text == WireWorld.client(1))
    let (partner, taken) = match(1, 4)
    #expect(partner == 409 && taken["passage_id"]?.text == WireWorld.client(1))
    #expect(match(4, 1).1["passage_id"]?.text == WireWorld.client(1))
    #expect(match(3, 4).0 == 400)
    // Of one vehicle, at both posts, and too far apart for a travel: so it was judged.
    world.ask("POST", "vehicle_passages", WireWorld.passage(5, "BA5PA5"))
    world.now = world.now + .seconds(80 * 3_600)
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(6, "BA5PA5", at: 80 * 3_600, west: true),
      as: WireWorld.western)
    #expect(world.status == 201)
    let (apart, why) = match(5, 6)
    #expect(apart == 400 && why["error"]?.text?.contains("too far apart") == true)
    world.ask("POST", "vehicle_passages", WireWorld.passage(7, "BA5PA5", at: 20_000))
    #expect(match(5, 6).1["error"]?.text?.contains("seen in between") == true)
  }
}
