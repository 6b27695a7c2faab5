import JSON
import NodeCore
import Passages
import Supabase
import Testing
import Time

@Suite struct RequestTests {
  private func request(_ call: ServerCall, token: Token? = nil) throws -> ServerRequest {
    try Samples.api.request(for: call, token: token)
  }

  private func json(_ request: ServerRequest) throws -> JSONValue {
    guard case .bytes(let bytes, "application/json") = request.body else {
      Issue.record("\(request.body)")
      return nil
    }
    return try #require(JSONText.decode(bytes))
  }

  @Test func aProbeAsksForOneRow() throws {
    let request = try request(.probe)
    #expect(request.method == .get)
    #expect(request.path == "/rest/v1/vehicle_passages?select=client_id&limit=1")
    #expect(request.body == .none)
  }

  @Test func aPassageIsHandedOverAsTheTableHasIt() throws {
    let passage = try Samples.passage("बा १ प १२३४", .jeepSUV)
    let request = try request(.push([PassagePush(passage, at: Samples.place)]))
    #expect(request.method == .post)
    #expect(
      request.path == "/rest/v1/vehicle_passages?on_conflict=client_id&select=id,client_id,"
        + "checkpost_id,plate_number,vehicle_type,recorded_at,matched_passage_id,photo_path"
        + "&columns=client_id,plate_number,plate_number_raw,vehicle_type,checkpost_id,segment_id,"
        + "ranger_id,recorded_at,source")
    #expect(
      request.headers == [
        ServerRequest.Header("Prefer", "resolution=ignore-duplicates,return=representation")
      ])
    #expect(
      try json(request) == [
        [
          "client_id": .text(passage.clientID.description), "plate_number": "BA1PA1234",
          "plate_number_raw": "बा १ प १२३४", "vehicle_type": "jeep",
          "checkpost_id": .text(Samples.place.checkpostID),
          "segment_id": .text(Samples.place.segmentID),
          "ranger_id": .text(Samples.place.rangerID), "recorded_at": "2024-02-28T12:30:56.412Z",
          "source": "app", "ranger_phone_suffix": .text(passage.suffix.digits),
        ]
      ])
  }

  /// A server that does not know that passages are withdrawn is told in the columns that it has.
  @Test func aPassageThatNeverWasIsPairedWithItself() throws {
    let passage = try Samples.passage("BA1PA1234", .car)
    let withdrawal = PassageWithdrawal(serverID: "row-7", reason: "wrong key")
    let request = try request(.withdraw(passage.clientID, withdrawal))
    #expect(request.method == .patch)
    #expect(request.path.hasPrefix("/rest/v1/vehicle_passages?client_id=eq.\(passage.clientID)&"))
    #expect(request.path.hasSuffix("&columns=matched_passage_id"))
    #expect(
      try json(request) == ["matched_passage_id": "row-7", "withdrawn_reason": "wrong key"])
  }

  /// The ten words that the table's check allows.
  @Test func everyKindOfVehicleHasAWordOfTheDatabase() throws {
    let allowed: Set = [
      "car", "jeep", "pickup", "van", "minibus", "bus", "truck", "tanker", "motorcycle", "other",
    ]
    var words: [VehicleType: String] = [:]
    for type in VehicleType.allCases {
      let push = PassagePush(try Samples.passage("BA1PA1234", type), at: Samples.place)
      let row = try #require(try json(request(.push([push]))).list?.first)
      words[type] = row["vehicle_type"]?.text
    }
    #expect(Set(words.values) == allowed)
    #expect(words[.autoRickshaw] == "other")
    #expect(words[.tractor] == "other")
    #expect(words[.jeepSUV] == "jeep")
  }

  /// Two batches that lock vehicles in different orders block each other; and a row that lacks a member
  /// would be filled with a null.
  @Test func aBatchIsSortedAndOfOneForm() throws {
    var far = Samples.place
    far.segmentID = "11111111-9999-0000-0000-000000000002"
    let batch = try [("C1PA1", Samples.place), ("B1PA1", Samples.place), ("Z1PA1", far)].map {
      PassagePush(try Samples.passage("BA\($0.0)"), at: $0.1)
    }
    let rows = try #require(try json(request(.push(batch))).list)
    #expect(rows.map { $0["plate_number"]?.text } == ["BAZ1PA1", "BAB1PA1", "BAC1PA1"])
    let members = Set(rows.map { Set($0.object?.keys.map { $0 } ?? []) })
    #expect(members.count == 1)
    #expect(try request(.push(batch)) == request(.push(batch.reversed())))
    #expect(try request(.push(batch)).answerBytes > request(.push([batch[0]])).answerBytes)
  }

  @Test func readingBackNamesEveryIdentity() throws {
    let identities = try (0..<2).map { try Samples.passage("BA1PA\(1_000 + $0)").clientID }
    let request = try request(.readBack(identities))
    #expect(request.method == .get)
    #expect(
      request.path.hasPrefix(
        "/rest/v1/vehicle_passages?client_id=in.(\(identities[0]),\(identities[1]))&select=id,"))
  }

  @Test func aCorrectionChangesWhatWasWrong() throws {
    let identity = try Samples.passage().clientID
    let plate = try Plate("BA 2 PA 77")
    let both = try request(.correct(identity, PlateCorrection(plate: plate, vehicleType: .tractor)))
    #expect(both.method == .patch)
    #expect(both.path.hasPrefix("/rest/v1/vehicle_passages?client_id=eq.\(identity)&select=id,"))
    #expect(both.headers == [ServerRequest.Header("Prefer", "return=representation")])
    #expect(
      try json(both) == [
        "plate_number": "BA2PA77", "plate_number_raw": "BA 2 PA 77", "vehicle_type": "other",
      ])
    let one = try request(.correct(identity, PlateCorrection(plate: plate)))
    #expect(try json(one)["vehicle_type"] == nil)
    let photo = try request(.namePhoto(identity, path: "passage-photos/x.jpg"))
    #expect(photo.method == .patch)
    #expect(try json(photo) == ["photo_path": "passage-photos/x.jpg"])
  }

  @Test func pagesFollowTheLastRow() throws {
    var query = Samples.pull
    let first = try request(.pull(query))
    #expect(
      first.path == "/rest/v1/vehicle_passages?segment_id=eq.s&checkpost_id=neq.c"
        + "&matched_passage_id=is.null&recorded_at=gte.2024-02-27T02:13:20Z"
        + "&order=recorded_at.desc,id.desc&limit=500"
        + "&select=id,client_id,plate_number,vehicle_type,recorded_at,checkposts(code)")
    query.before = PullPlace(recordedAt: "2024-02-28T12:30:56.123456+00:00", id: "i")
    // A plus in a URL is a blank to the other side.
    #expect(
      try request(.pull(query)).path.contains(
        "&or=(recorded_at.lt.2024-02-28T12:30:56.123456%2B00:00,"
          + "and(recorded_at.eq.2024-02-28T12:30:56.123456%2B00:00,id.lt.i))&"))
  }

  /// Of posts that end several segments passages stand under one of these.
  @Test func passagesAreAskedForByTheirPostsToo() throws {
    var query = Samples.pull
    query.postIDs = ["p", "q"]
    #expect(
      try request(.pull(query)).path
        == "/rest/v1/vehicle_passages?checkpost_id=in.(p,q)"
        + "&matched_passage_id=is.null&recorded_at=gte.2024-02-27T02:13:20Z"
        + "&order=recorded_at.desc,id.desc&limit=500"
        + "&select=id,client_id,plate_number,vehicle_type,recorded_at,checkposts(code)")
    query.includesArrivals = true
    #expect(
      try request(.pull(query)).path
        == "/rest/v1/vehicle_passages?checkpost_id=in.(p,q)"
        + "&or=(matched_passage_id.is.null,is_entry.is.false)&recorded_at=gte.2024-02-27T02:13:20Z"
        + "&order=recorded_at.desc,id.desc&limit=500"
        + "&select=id,client_id,plate_number,vehicle_type,recorded_at,checkposts(code)"
        + ",partner:matched_passage_id(checkpost_id)")
    #expect(
      try request(.segments(["s", "t"])).path
        == "/rest/v1/highway_segments?id=in.(s,t)&select=*&order=name")
    #expect(
      try request(.postsNamed(["p", "q"])).path
        == "/rest/v1/checkposts?id=in.(p,q)&select=*&order=code")
  }

  @Test func aPageFollowsTheLastRowThatCanBeRead() throws {
    let rows: JSONValue = [
      ["id": .text(Samples.serverID), "recorded_at": "2024-02-28T12:30:56+00:00"],
      ["id": "),id.gt.(", "recorded_at": "2024-02-28T12:30:56+00:00"],
    ]
    guard
      case .success(.remote(let page)) = Samples.reply(
        to: .pull(Samples.pull), 200, JSONText.line(rows)
      ).result
    else {
      Issue.record("no page")
      return
    }
    #expect(page.passages.isEmpty)
    #expect(page.rows == 2)
    #expect(
      page.last == PullPlace(recordedAt: "2024-02-28T12:30:56+00:00", id: Samples.serverID))
  }

  @Test func tokensAreAskedForWithoutOne() throws {
    let password = try request(.signIn(.password), token: Token("stale"))
    #expect(password.method == .post)
    #expect(password.path == "/auth/v1/token?grant_type=password")
    #expect(try json(password) == ["email": "ram@bnp.local", "password": "s3cret"])
    #expect(password.token == nil)
    let refresh = try request(.signIn(.refresh(Token("r-1"))))
    #expect(refresh.path == "/auth/v1/token?grant_type=refresh_token")
    #expect(try json(refresh) == ["refresh_token": "r-1"])
    let whole = SupabaseAPI.Login(user: "a@b.c", domain: "bnp.local", password: Token(""))
    #expect(whole.email == "a@b.c")
  }

  @Test func withoutAPasswordNoneIsAskedFor() {
    let failure = #expect(throws: ServerFailure.self) {
      try SupabaseAPI().request(for: .signIn(.password))
    }
    #expect(failure?.kind == .credential)
    #expect(failure?.words.contains("server.password_file") == true)
  }

  @Test func everyOtherCallShowsTheToken() throws {
    for call in try Samples.allCalls() {
      let token = try request(call, token: Token("t")).token
      if case .signIn = call { continue }
      #expect(token == Token("t"), "\(call)")
    }
  }

  @Test func theDirectoryIsAskedForInOne() throws {
    #expect(
      try request(.profile(user: "u-1")).path
        == "/rest/v1/user_profiles?id=eq.u-1&select=*,checkposts(*,highway_segments(*))")
    #expect(
      try request(.posts(segment: "a&b=c d")).path
        == "/rest/v1/checkposts?segment_id=eq.a%26b%3Dc%20d&select=id,code,name,position_index"
        + "&order=position_index")
  }

  @Test func aPhotographIsWrittenOverWhatIsThere() throws {
    let request = try request(.upload(Samples.photo))
    #expect(request.method == .post)
    #expect(request.path == "/storage/v1/object/passage-photos/\(Samples.serverID).jpg")
    #expect(request.headers == [ServerRequest.Header("x-upsert", "true")])
    #expect(
      request.body == .file(path: "/tmp/a.jpg", count: 8_192, contentType: "image/jpeg"))
    let find = try self.request(.findPhoto(Samples.photo))
    #expect((find.method, find.path, find.body) == (.head, request.path, .none))
    // A large one has the time that it takes on a slow line.
    var large = Samples.photo
    large.count = 2 << 20
    #expect(try #require(try self.request(.upload(large)).timeout) == .seconds(60 + 2_048))
  }

  @Test func marksAndPairsAreTold() throws {
    var mark = SyncMark(
      userID: "u", device: "BNP-A", through: WallTime(milliseconds: 1_709_123_456_000), pending: 3)
    let request = try request(.synced(mark))
    #expect(!request.headers.contains { $0.name == "Checkpost-Clock" })
    mark.clockDoubt = 90
    #expect(
      try self.request(.synced(mark)).headers.contains(
        ServerRequest.Header("Checkpost-Clock", "BNP-A=90")))
    #expect(
      request.path
        == "/rest/v1/sync_metadata?on_conflict=user_id,device_id&select=device_id")
    #expect(
      try json(request) == [
        "user_id": "u", "device_id": "BNP-A", "last_sync_at": "2024-02-28T12:30:56Z",
        "pending_count": 3,
      ])
    let pair = try self.request(.match(entry: "a", exit: "b"))
    #expect(pair.path == "/functions/v1/match-passage")
    #expect(try json(pair) == ["entry_passage_id": "a", "exit_passage_id": "b"])
  }
}
