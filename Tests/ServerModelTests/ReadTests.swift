import JSON
import ServerModel
import Testing

@Suite struct ReadTests {
  @Test func profilePostAndSegmentComeInOneAnswer() throws {
    var asking = try Asking.east()
    let answer = asking.ask(
      "GET",
      "/rest/v1/user_profiles?id=eq.\(ServerModel.Pilot.eastRanger)"
        + "&select=*,checkposts(*,highway_segments(*))")
    #expect(answer.status == 200)
    let profile = try #require(answer.json?.list?.first)
    #expect(profile["full_name"] == "Sita")
    #expect(profile["checkposts"]?["code"] == "BNP-A")
    #expect(profile["checkposts"]?["position_index"] == 0)
    let segment = profile["checkposts"]?["highway_segments"]
    #expect(segment?["distance_km"]?.number == 45)
    #expect(segment?["min_travel_time_minutes"]?.number == 67.5)
    #expect(segment?["max_travel_time_minutes"]?.number == 270)
  }

  @Test func aProfileWithoutAPostHasNone() throws {
    var asking = Asking()
    asking.model.addUser(
      id: "0d000000-0000-4000-8000-0000000000cc", email: "hari@bnp.local", password: "no-post-1",
      name: "Hari", post: nil)
    try asking.signIn("hari@bnp.local", "no-post-1")
    let answer = asking.ask(
      "GET", "/rest/v1/user_profiles?select=*,checkposts(*,highway_segments(*))")
    #expect(answer.json?.list?.map { $0["checkposts"] } == [.null])
  }

  @Test func postsOfTheSegmentAreTold() throws {
    var asking = try Asking.east()
    let target =
      "/rest/v1/checkposts?segment_id=eq.\(ServerModel.Pilot.segment)&select=code&order=code.desc"
    #expect(asking.ask("GET", target).json == [["code": "BNP-B"], ["code": "BNP-A"]])
  }

  @Test func aPullSeesUnmatchedPassagesOfTheOtherPostPageByPage() throws {
    var asking = try Asking.east()
    asking.model.settings.pairsOnInsert = false
    for minute in 0..<5 {
      asking.putWestern(
        "2026-01-01T00:0\(minute)/00Z".replacing("/", with: ":"), plate: "BA1PA000\(minute)",
        clientID: "00000000-0000-4000-8000-00000000000\(minute)")
    }
    // Of the same moment: the name decides.
    asking.putWestern(
      "2026-01-01T00:04:00Z", plate: "BA1PA0009", clientID: "00000000-0000-4000-8000-000000000009")
    _ = asking.ask("POST", Asking.passages, Asking.passage())
    let base =
      "/rest/v1/vehicle_passages?segment_id=eq.\(ServerModel.Pilot.segment)"
      + "&checkpost_id=neq.\(ServerModel.Pilot.east)&matched_passage_id=is.null"
      + "&recorded_at=gte.2026-01-01T00:01:00Z&order=recorded_at.desc,id.desc&limit=2"
      + "&select=id,plate_number,recorded_at"
    var plates: [String] = []
    var target = base
    for _ in 0..<4 {
      let rows = try #require(asking.ask("GET", target).json?.list)
      guard let last = rows.last, let time = last["recorded_at"]?.text, let id = last["id"]?.text
      else { break }
      plates += rows.compactMap { $0["plate_number"]?.text }
      let place = time.replacing("+", with: "%2B")
      target =
        base + "&or=(recorded_at.lt.\"\(place)\",and(recorded_at.eq.\"\(place)\",id.lt.\(id)))"
    }
    #expect(plates.count == 5)
    #expect(Set(plates.prefix(2)) == ["BA1PA0004", "BA1PA0009"])
    #expect(plates.dropFirst(2) == ["BA1PA0003", "BA1PA0002", "BA1PA0001"])
  }

  @Test func aPlusInAnAddressIsASpaceAndNoMoment() throws {
    var asking = try Asking.east()
    let answer = asking.ask("GET", Asking.passages + "?recorded_at=gte.2026-01-01T00:00:00+00:00")
    #expect(answer.status == 400)
    #expect(answer.json?["code"] == "22007")
  }

  @Test func rowsAreReadBackByTheirIdentities() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.passages, Asking.passage())
    let target =
      Asking.passages + "?client_id=in.(\(Asking.clientID),\(Asking.other))&select=client_id"
    #expect(asking.ask("GET", target).json == [["client_id": .text(Asking.clientID)]])
  }

  @Test func rangesAndCountsAreTold() throws {
    var asking = try Asking.east()
    for number in 0..<3 {
      asking.putWestern(
        "2026-01-01T00:00:0\(number)Z", plate: "BA1PA000\(number)",
        clientID: "00000000-0000-4000-8000-00000000000\(number)")
    }
    let part = asking.ask(
      "GET", Asking.passages + "?select=id&limit=2", prefer: "count=exact")
    #expect(part.status == 206)
    #expect(part.header("Content-Range") == "0-1/3")
    #expect(asking.ask("GET", Asking.passages).header("Content-Range") == "0-2/*")
    let past = asking.ask("GET", Asking.passages + "?offset=3", prefer: "count=exact")
    #expect(past.status == 416)
    #expect(past.json?["code"] == "PGRST103")
    let ranged = asking.ask("GET", Asking.passages, headers: ["Range": "1-1"])
    #expect(ranged.json?.list?.count == 1)
    asking.model.settings.maxRows = 2
    #expect(asking.ask("GET", Asking.passages + "?limit=500").json?.list?.count == 2)
  }

  @Test func oneObjectIsOneRow() throws {
    var asking = try Asking.east()
    let accept = ["Accept": "application/vnd.pgrst.object+json"]
    let none = asking.ask("GET", Asking.passages, headers: accept)
    #expect(none.status == 406)
    #expect(none.json?["code"] == "PGRST116")
    let one = asking.ask("GET", "/rest/v1/user_profiles?select=full_name", headers: accept)
    #expect(one.json == ["full_name": "Sita"])
  }

  @Test func aBatchThatChangedNothingCanBeTakenBack() throws {
    var asking = try Asking.east()
    let two: JSONValue = [Asking.passage(), Asking.passage(["client_id": .text(Asking.other)])]
    let refused = asking.ask(
      "POST", Asking.once, two, prefer: Asking.ignoring,
      headers: ["Accept": "application/vnd.pgrst.object+json"])
    #expect(refused.status == 406)
    #expect(asking.model.count(of: "vehicle_passages") == 0)
  }

  @Test(arguments: [
    ("plate_number=like.BA1*", 2), ("plate_number=ilike.ba1pa0001", 1),
    ("plate_number=not.eq.BA1PA0001", 1), ("photo_path=not.is.null", 0),
    ("or=(plate_number.eq.BA1PA0001,plate_number.eq.\"BA1PA0002\")", 2),
    ("and=(plate_number.eq.BA1PA0001,photo_path.is.null)", 1),
    ("photo_path=neq.x", 0), ("not.or=(plate_number.eq.BA1PA0001)", 1),
    ("recorded_at=lt.2026-01-01T00:00:02Z&recorded_at=gt.2026-01-01T00:00:00.5Z", 1),
  ])
  func filtersHold(_ filter: String, _ count: Int) throws {
    var asking = try Asking.east()
    for number in 1...2 {
      asking.putWestern(
        "2026-01-01T00:00:0\(number)Z", plate: "BA1PA000\(number)",
        clientID: "00000000-0000-4000-8000-00000000000\(number)")
    }
    let answer = asking.ask("GET", Asking.passages + "?" + filter)
    #expect(answer.json?.list?.count == count, "\(String(decoding: answer.body, as: UTF8.self))")
  }

  @Test(arguments: [
    ("colour=eq.red", "42703"), ("plate_number=is.7", "PGRST100"), ("plate_number=red", "PGRST100"),
    ("select=colour", "42703"), ("select=parks(*)", "PGRST200"),
    ("select=violations(*)", "PGRST201"), ("order=colour", "42703"), ("client_id=eq.7", "22P02"),
  ])
  func whatCannotBeReadIsRefused(_ query: String, _ code: String) throws {
    var asking = try Asking.east()
    let answer = asking.ask("GET", Asking.passages + "?" + query)
    #expect(answer.json?["code"] == .text(code))
    #expect(answer.status >= 300)
  }
}
