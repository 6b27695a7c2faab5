import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// Passages that are put in where there are some already: who may merge into which, and by what they are the
/// same.
@Suite struct WireMergingTests {
  private static let merging = "resolution=merge-duplicates"
  private static let byIdentity = "vehicle_passages?on_conflict=client_id"

  /// A post of another segment, and somebody there.
  private struct Elsewhere {
    let segment = ClientID.derived(kind: "segment", name: "Other").description
    let post = ClientID.derived(kind: "post", name: "OTH-A").description
    let gopal = ClientID.derived(kind: "profile", name: "9779801112222").description

    init(in world: WireWorld) throws {
      var entries: [DirectoryEntry] = [
        .segment(
          try Segment(
            name: "Other", distanceKilometres: 10, minimumKilometresPerHour: 10,
            maximumKilometresPerHour: 40)),
        .post(
          Post(
            code: try CheckpostCode("OTH-A"), name: "Other",
            place: Post.Place(segment: "Other", index: 0))),
      ]
      let phone = try #require(PhoneNumber("+9779801112222"))
      entries.append(
        .ranger(Ranger(name: "Gopal", phone: phone, checkpost: try CheckpostCode("OTH-A"))))
      _ = try world.store.put(entries)
    }

    var principal: RestPrincipal {
      RestPrincipal(.ranger, user: gopal, post: post, segment: segment)
    }
  }

  @Test(arguments: StoreKind.shipped) func nobodyMergesIntoWhatIsAnothers(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let elsewhere = try Elsewhere(in: world)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    #expect(world.status == 201)
    let before = world.rows("vehicle_passages", as: .service)
    world.now = world.now + .seconds(60)
    let foreign = WireWorld.passage(
      1, "BA9PA9999", at: 30, west: false,
      [
        "checkpost_id": "\"\(elsewhere.post)\"", "segment_id": "\"\(elsewhere.segment)\"",
        "ranger_id": "\"\(elsewhere.gopal)\"",
      ])
    let neighbour = WireWorld.passage(1, "BA9PA9999", at: 30, west: true)
    for (body, principal) in [
      (foreign, elsewhere.principal), (neighbour, WireWorld.western),
      ("[\(WireWorld.passage(2, "BA2PA2", west: true)),\(neighbour)]", WireWorld.western),
    ] {
      for target in [Self.byIdentity, Self.byIdentity + "&select=id"] {
        let error = world.ask("POST", target, body, prefer: Self.merging, as: principal)
        #expect(world.status == 403 && error.object?["code"] == "42501", "\(error)")
      }
    }
    #expect(world.rows("vehicle_passages", as: .service) == before)
    let passage = try #require(try world.store.passages(PassageQuery()).first)
    #expect(passage.contradictions.isEmpty && !passage.isCorrected)
  }

  /// The name under which it came is one's own, and stays.
  @Test(arguments: StoreKind.shipped) func onesOwnIsMergedAndNamesNobodyElse(kind: StoreKind)
    throws
  {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.now = world.now + .seconds(60)
    let told = world.ask(
      "POST", Self.byIdentity + "&select=plate_number,vehicle_type,recorded_at",
      WireWorld.passage(1, "BA1PA77", at: 30, west: false, ["vehicle_type": "\"bus\""]),
      prefer: "\(Self.merging),return=representation")
    #expect(world.status == 200)
    #expect(
      told.written
        == "[{\"plate_number\":\"BA1PA77\",\"recorded_at\":\"2026-01-01T00:00:30+00:00\",\"vehicle_type\":\"bus\"}]"
    )
    let passage = try #require(try world.store.passages(PassageQuery()).first)
    #expect(passage.contradictions.isEmpty)
    let other = world.ask(
      "POST", Self.byIdentity,
      WireWorld.passage(1, "BA1PA77", at: 30, west: false, ["ranger_id": "\"\(WireWorld.ram)\""]),
      prefer: Self.merging)
    #expect(world.status == 403, "\(other)")
    let service = world.ask(
      "POST", Self.byIdentity,
      WireWorld.passage(1, "BA1PA77", at: 30, west: false, ["ranger_id": "\"\(WireWorld.ram)\""]),
      prefer: Self.merging, as: .service)
    #expect(world.status == 400 && service.object?["code"] == "0A000")
    #expect(world.rows("vehicle_passages").first?["ranger_id"]?.text == WireWorld.sita)
  }

  /// What is said once more by whoever said it is no correction.
  @Test(arguments: StoreKind.shipped) func whatIsTheSameIsNoCorrection(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.now = world.now + .seconds(60)
    let photo = "\(WireWorld.client(1)).jpg"
    world.ask(
      "POST", Self.byIdentity,
      WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["photo_path": "\"\(photo)\""]),
      prefer: Self.merging)
    #expect(world.status == 200)
    let passage = try #require(try world.store.passages(PassageQuery()).first)
    #expect(!passage.isCorrected && passage.passage.photoPath == photo)
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"plate_number\":\"BA1PA1234\",\"vehicle_type\":\"jeep\",\"photo_path\":\"\(photo)\"}")
    #expect(world.status == 204)
    #expect(try world.store.passages(PassageQuery()).first?.isCorrected == false)
  }

  @Test(arguments: StoreKind.shipped) func withoutAColumnItIsTheSameByItsKey(kind: StoreKind) throws
  {
    var world = try WireWorld(kind)
    func named(_ number: Int, _ plate: String = "BA1PA1234", _ id: Int? = 50) -> String {
      WireWorld.passage(
        number, plate, at: 0, west: false, id.map { ["id": "\"\(WireWorld.client($0))\""] } ?? [:])
    }
    func code(_ body: String, _ prefer: String) -> String {
      let error = world.ask("POST", "vehicle_passages", body, prefer: prefer)
      let words = error.object?["message"]?.text ?? ""
      return "\(world.status) \(words.contains("_pkey") ? "key" : words.isEmpty ? "" : "other")"
    }
    #expect(code(named(1), Self.merging) == "201 ")
    world.now = world.now + .seconds(60)
    #expect(code(named(1, "BA1PA77"), Self.merging) == "200 ")
    #expect(world.rows("vehicle_passages").map { $0["plate_number"]?.text } == ["BA1PA77"])
    // It is the row's name, and no other identity gets it; without a name the identity is in the way.
    #expect(code(named(2), Self.merging) == "409 key")
    #expect(code(named(1, "BA1PA77", nil), Self.merging) == "409 other")
    #expect(code(named(2), "resolution=ignore-duplicates") == "201 ")
    #expect(code(named(1), "resolution=ignore-duplicates") == "201 ")
    #expect(world.rows("vehicle_passages").count == 1)
    let renamed = world.ask(
      "POST", Self.byIdentity, named(1, "BA1PA77", 51), prefer: Self.merging)
    #expect(world.status == 400 && renamed.object?["code"] == "0A000")
    #expect(code("[\(named(3)),\(named(4, "BA4PA4"))]", "return=minimal") == "409 key")
    #expect(world.rows("vehicle_passages").count == 1)
  }

  @Test(arguments: StoreKind.shipped) func theSegmentIsThatOfThePost(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let elsewhere = try Elsewhere(in: world)
    let error = world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(
        1, "BA1PA1234", at: 0, west: false, ["segment_id": "\"\(elsewhere.segment)\""]))
    #expect(world.status == 409 && error.object?["code"] == "23503")
    #expect(error.object?["message"]?.text?.contains("segment_id_fkey") == true)
    #expect(world.rows("vehicle_passages", as: .service).isEmpty)
  }

  /// What somebody else took as a text is one here, too: nobody proved who sent it.
  @Test(arguments: StoreKind.shipped) func aTextThatIsHandedInIsOne(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(1, "BA1PA1234", at: 0, west: false, ["source": "\"sms\""]), as: .service)
    #expect(world.status == 201)
    #expect(world.rows("vehicle_passages").first?["source"] == "sms")
    let passage = try #require(try world.store.passages(PassageQuery()).first)
    #expect(passage.channels == [.text] && !passage.isProven)
    world.ask("POST", Self.byIdentity, WireWorld.passage(1), prefer: "resolution=ignore-duplicates")
    #expect(world.rows("vehicle_passages").first?["source"] == "app")
  }
}
