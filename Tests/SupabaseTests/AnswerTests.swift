import JSON
import NodeCore
import Passages
import Supabase
import Testing
import Time

/// What is made of good answers.
@Suite struct AnswerTests {
  @Test func rowsThatAreNewAreTold() throws {
    let passage = try Samples.passage()
    let call = ServerCall.push([PassagePush(passage, at: Samples.place)])
    let stored = StoredOnServer(
      serverID: Samples.serverID, clientID: passage.clientID.description,
      checkpostID: Samples.place.checkpostID, plate: "BA1PA1234", vehicleType: "car",
      recordedAt: WallTime(milliseconds: 1_709_123_456_412))
    let body = JSONText.line([Samples.row(passage)])
    #expect(Samples.reply(to: call, 201, body).result == .success(.stored([stored])))
    // Nothing was new, or it was dropped in silence: whoever asked reads it back.
    #expect(Samples.reply(to: call, 201, "[]").result == .success(.stored([])))
    for call in [ServerCall.readBack([passage.clientID]), .namePhoto(passage.clientID, path: "a")] {
      #expect(Samples.reply(to: call, 200, body).result == .success(.stored([stored])))
      #expect(Samples.reply(to: call, 206, "[]").result == .success(.stored([])))
    }
  }

  /// A proxy drops what was asked for, or the server prefers to say nothing.
  @Test(arguments: [201, 204]) func whatIsDoneAndNotShownIsNoOutage(_ status: Int) throws {
    for call in try Samples.allCalls() {
      let reply = Samples.reply(to: call, status, "", type: nil)
      switch call {
      case .push, .correct, .namePhoto, .synced, .match: #expect(reply.result == .success(.done))
      case .upload: #expect(reply.result == .success(.unshown))
      // What asks for something gets something.
      default: #expect(Samples.failure(of: call, status, "", type: nil)?.isOfServer == false)
      }
    }
    let push = ServerCall.push(try Samples.pushes())
    #expect(Samples.failure(of: push, status, "<html>", type: "text/html") != nil)
  }

  /// A proxy in front of the storage drops the body: that is no outage, and no proof that the photograph is kept.
  @Test(arguments: [200, 201, 204]) func aPhotographOfWhichNothingIsSaidIsAskedFor(
    _ status: Int
  ) {
    let upload = ServerCall.upload(Samples.photo)
    for type in [nil, "application/json", "application/json; charset=utf-8", "text/plain"] {
      #expect(
        Samples.reply(to: upload, status, "", type: type).result == .success(.unshown),
        "\(type ?? "-")")
    }
    // A page of a portal may be empty as well, and what is cut off is no answer.
    for (body, type) in [("", "text/html"), ("<html>", nil), ("{\"Id\":", "application/json")] {
      #expect(
        Samples.failure(of: upload, status, body, type: type)?.isOfServer == false, "\(body)")
    }
  }

  @Test func aPhotographIsFoundByItsKindAndLength() {
    let find = ServerCall.findPhoto(Samples.photo)
    func ask(_ status: Int, type: String? = "image/jpeg", length: String?) -> ServerFailure.Kind? {
      let headers = length.map { ["content-length": $0] } ?? [:]
      switch Samples.reply(to: find, status, "", type: type, headers: headers).result {
      case .success(let result):
        #expect(result == .done)
        return nil
      case .failure(let failure): return failure.kind
      }
    }
    #expect(ask(200, length: "8192") == nil)
    #expect(ask(200, length: nil) == nil)
    #expect(ask(200, type: "Image/JPEG; x=y", length: "8192") == nil)
    // It is there in part, or not at all: it is sent once more.
    for (status, type, length) in [
      (200, "image/jpeg", "100"), (400, "application/json", nil), (404, nil, "0"),
    ] as [(Int, String?, String?)] {
      #expect(ask(status, type: type, length: length) == .absent)
    }
    // Who answers everything has no photograph.
    for (status, type) in [(200, "text/html"), (200, nil), (204, nil), (302, nil), (511, nil)]
      as [(Int, String?)]
    {
      let kind = ask(status, type: type, length: nil)
      #expect(kind == .outage(.captivePortal), "\(status) \(type ?? "-")")
    }
    #expect(ask(503, type: nil, length: nil) == .outage(.noAnswer))
  }

  @Test func aMatchAndAPhotographAreTold() throws {
    let passage = try Samples.passage()
    var row = try #require(Samples.row(passage).object)
    row["matched_passage_id"] = "m"
    row["photo_path"] = "p"
    let reply = Samples.reply(
      to: .readBack([passage.clientID]), 200, JSONText.line([.object(row)]))
    guard case .success(.stored(let stored)) = reply.result else {
      Issue.record("\(reply)")
      return
    }
    #expect(stored.first?.matchedID == "m")
    #expect(stored.first?.photoPath == "p")
  }

  @Test func theProfileHasPostAndSegment() {
    let body = """
      [{"id":"u","full_name":"Ram","role":"ranger","is_active":true,"assigned_checkpost_id":"c",
      "checkposts":{"id":"c","segment_id":"s","name":"East","code":"BNP-A","position_index":0,
      "highway_segments":{"id":"s","name":"Banke","distance_km":45.00,"max_speed_kmh":40.00,
      "min_speed_kmh":"10.00","max_travel_time_minutes":270.00}}}]
      """
    #expect(
      Samples.reply(to: .profile(user: "u"), 200, body).result
        == .success(
          .profile(
            ServerProfile(
              userID: "u", fullName: "Ram", role: "ranger", isActive: true,
              post: ServerPost(id: "c", code: "BNP-A", name: "East", position: 0),
              segment: ServerSegment(
                id: "s", name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
                maximumKilometresPerHour: 40)))))
  }

  /// What a database calls a number and is none cannot be counted with, nor kept.
  @Test(arguments: ["\"NaN\"", "\"Infinity\"", "\"1e999\"", "\"far\"", "null"])
  func aSegmentHasNumbers(_ distance: String) throws {
    let body = """
      [{"id":"u","role":"ranger","checkposts":{"id":"c","code":"BNP-A","highway_segments":{"id":"s",
      "name":"Banke","distance_km":\(distance),"max_speed_kmh":40,"min_speed_kmh":10}}}]
      """
    guard
      case .success(.profile(let profile)) = Samples.reply(to: .profile(user: "u"), 200, body)
        .result
    else {
      Issue.record("no profile")
      return
    }
    #expect(profile.segment == nil)
    #expect(profile.post?.code == "BNP-A")
  }

  @Test func aProfileMayHaveNoPost() {
    let body =
      #"[{"id":"u","full_name":"Ram","role":"admin","is_active":false,"checkposts":null}]"#
    #expect(
      Samples.reply(to: .profile(user: "u"), 200, body).result
        == .success(
          .profile(
            ServerProfile(
              userID: "u", fullName: "Ram", role: "admin", isActive: false, post: nil,
              segment: nil))))
    #expect(Samples.failure(of: .profile(user: "u"), 200, "[]")?.kind == .absent)
    // Somebody else's.
    #expect(Samples.failure(of: .profile(user: "v"), 200, body)?.kind == .outage(.captivePortal))
  }

  @Test func postsAreTold() {
    let body = """
      [{"id":"a","code":"BNP-A","name":"East","position_index":0},
      {"id":"b","code":"BNP-B","name":"West","position_index":1}]
      """
    #expect(
      Samples.reply(to: .posts(segment: "s"), 200, body).result
        == .success(
          .posts([
            ServerPost(id: "a", code: "BNP-A", name: "East", position: 0),
            ServerPost(id: "b", code: "BNP-B", name: "West", position: 1),
          ])))
  }

  /// What a server tells of further segments; only names that can be asked for again count.
  @Test func theEndsOfSegmentsAreTold() throws {
    let post = "11111111-0000-4000-8000-000000000001"
    let segment = "22222222-0000-4000-8000-000000000002"
    let segments = Samples.reply(
      to: .segments([segment]), 200,
      """
      [{"id":"\(segment)","name":"Upper","distance_km":12.00,"max_speed_kmh":50,"min_speed_kmh":20,
      "checkpost_ids":["\(post)","),id.gt.(",7,"\(segment)"]}]
      """)
    #expect(
      segments.result
        == .success(
          .segments([
            ServerSegment(
              id: segment, name: "Upper", distanceKilometres: 12, minimumKilometresPerHour: 20,
              maximumKilometresPerHour: 50, checkpostIDs: [post, segment])
          ])))
    let many = (0..<40).map { _ in "\"\(segment)\"" }.joined(separator: ",")
    let posts = Samples.reply(
      to: .postsNamed([post]), 200,
      "[{\"id\":\"\(post)\",\"code\":\"BNP-B\",\"segment_ids\":[\(many)]}]")
    guard case .success(.posts(let told)) = posts.result else {
      Issue.record("\(posts)")
      return
    }
    #expect(told.first?.segmentIDs?.count == 16)
    #expect(
      Samples.failure(of: .segments([segment]), 200, "[{\"id\":\"\(segment)\"}]")?.kind
        == .outage(.captivePortal))
  }

  /// A passage that ended a travel from our own post is done; one that came from a third post may be on its way.
  @Test func arrivalsFromThirdPostsAreTold() throws {
    func row(_ number: Int, _ partner: String) -> String {
      """
      {"id":"\(Samples.serverID)","client_id":"dc136851-5076-5884-95f0-9a051d552b5\(number)",
      "plate_number":"BA1PA123\(number)","vehicle_type":"jeep",
      "recorded_at":"2024-02-28T12:30:5\(number)+00:00","checkposts":{"code":"BNP-B"}\(partner)}
      """
    }
    var query = Samples.pull
    query.includesArrivals = true
    let rows = [
      row(1, ""), row(2, ",\"partner\":null"), row(3, ",\"partner\":{\"checkpost_id\":\"c\"}"),
      row(4, ",\"partner\":{\"checkpost_id\":\"d\"}"),
    ]
    let reply = Samples.reply(to: .pull(query), 200, "[\(rows.joined(separator: ","))]")
    guard case .success(.remote(let page)) = reply.result else {
      Issue.record("\(reply)")
      return
    }
    #expect(page.passages.map(\.plate) == ["BA1PA1231", "BA1PA1232", "BA1PA1234"])
    #expect(page.rows == 4, "where a page ends is told by all of its rows")
  }

  @Test func remotePassagesAreReadAsFarAsTheyCanBe() throws {
    let body = """
      [{"id":"\(Samples.serverID)","client_id":"dc136851-5076-5884-95f0-9a051d552b52",
      "plate_number":"ba 1 pa 1234","vehicle_type":"jeep",
      "recorded_at":"2024-02-28T12:30:56.412345+00:00","checkposts":{"code":"BNP-B"}},
      {"id":"\(Samples.serverID)","client_id":"dc136851-5076-5884-95f0-9a051d552b53",
      "plate_number":"BA1PA1","vehicle_type":"hovercraft",
      "recorded_at":"2024-02-28T12:30:55+00:00","checkposts":null},
      {"id":"\(Samples.serverID)","client_id":"dc136851-5076-5884-95f0-9a051d552b54",
      "plate_number":"☃☃☃☃☃☃","vehicle_type":"car","recorded_at":"2024-02-28T12:30:54+00:00"}]
      """
    let reply = Samples.reply(to: .pull(Samples.pull), 200, body)
    guard case .success(.remote(let page)) = reply.result else {
      Issue.record("\(reply)")
      return
    }
    #expect(page.rows == 3)
    #expect(
      page.last == PullPlace(recordedAt: "2024-02-28T12:30:54+00:00", id: Samples.serverID))
    let first = RemotePassage(
      clientID: try #require(ClientID("dc136851-5076-5884-95f0-9a051d552b52")),
      serverID: Samples.serverID, plate: "BA1PA1234", vehicleType: .jeepSUV,
      checkpost: try CheckpostCode("BNP-B"), recordedAt: WallTime(milliseconds: 1_709_123_456_412),
      origin: .server)
    #expect(page.passages.first == first)
    #expect(page.passages.count == 2)
    #expect(page.passages.last?.vehicleType == nil)
    #expect(page.passages.last?.checkpost == nil)
    #expect(
      Samples.reply(to: .pull(Samples.pull), 200, "[]").result
        == .success(.remote(RemotePage(passages: [], last: nil, rows: 0))))
  }

  @Test func aTokenIsReadWhole() {
    let body = """
      {"access_token":"a","token_type":"bearer","expires_in":3600,"expires_at":1709127056,
      "refresh_token":"r","user":{"id":"u","email":"ram@bnp.local"}}
      """
    #expect(
      Samples.reply(to: .signIn(.password), 200, body).result
        == .success(
          .session(
            GrantedSession(
              accessToken: Token("a"), refreshToken: Token("r"), lasts: .seconds(3_600),
              userID: "u"))))
    for (number, lasts) in [("1e300", 30 * 86_400), ("1", 1)] {
      let reply = Samples.reply(
        to: .signIn(.password), 200,
        #"{"access_token":"a","expires_in":\#(number),"refresh_token":"r","user":{"id":"u"}}"#)
      guard case .success(.session(let session)) = reply.result else {
        Issue.record("\(reply)")
        continue
      }
      #expect(session.lasts == .seconds(lasts))
    }
  }

  @Test(arguments: [
    "{}", "[]", #"{"access_token":"a","expires_in":3600,"user":{"id":"u"}}"#,
    #"{"access_token":"a","expires_in":0,"refresh_token":"r","user":{"id":"u"}}"#,
    #"{"access_token":"","expires_in":9,"refresh_token":"r","user":{"id":"u"}}"#,
    #"{"access_token":"a","expires_in":9,"refresh_token":"r"}"#,
  ])
  func halfATokenIsNone(_ body: String) {
    #expect(
      Samples.failure(of: .signIn(.password), 200, body)?.kind == .outage(.captivePortal))
  }

  @Test func whatHasNothingToTellIsDone() throws {
    let mark = SyncMark(
      userID: "u", device: "d", through: WallTime(milliseconds: 0), pending: 0)
    for (call, status, body) in [
      (ServerCall.upload(Samples.photo), 200, #"{"Id":"i","Key":"passage-photos/x.jpg"}"#),
      (.match(entry: "a", exit: "b"), 200, #"{"entry_passage_id":"a","violation":null}"#),
      (.synced(mark), 201, #"[{"device_id":"d"}]"#), (.probe, 200, "[]"),
      (.probe, 206, #"[{"client_id":"x"}]"#),
    ] {
      #expect(Samples.reply(to: call, status, body).result == .success(.done), "\(call)")
    }
    #expect(Samples.failure(of: .synced(mark), 201, "[]")?.kind == .denied)
  }

  @Test func theServersClockIsTold() {
    let date = "Wed, 28 Feb 2024 12:30:56 GMT"
    let time = WallTime(epochSeconds: 1_709_123_456)
    #expect(Samples.reply(to: .probe, 200, "[]", headers: ["date": date]).serverTime == time)
    // A refusal of its own has its clock too; a page of the network has none that counts.
    #expect(
      Samples.reply(to: .probe, 401, Samples.error("PGRST303"), headers: ["date": date])
        .serverTime == time)
    #expect(
      Samples.reply(to: .probe, 200, "<html>", type: "text/html", headers: ["date": date])
        .serverTime == nil)
    #expect(Samples.reply(to: .probe, 200, "[]", headers: ["date": "now"]).serverTime == nil)
    #expect(Samples.reply(to: .probe, 200, "[]").serverTime == nil)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
  ])
  func everyFormOfADateIsRead(_ date: String, _ seconds: Int64) {
    #expect(
      Samples.reply(to: .probe, 200, "[]", headers: ["date": date]).serverTime
        == WallTime(epochSeconds: seconds))
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "a b c d e GMT", "a b c d e",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
  ])
  func whatIsNoDateIsNone(_ date: String) {
    #expect(Samples.reply(to: .probe, 200, "[]", headers: ["date": date]).serverTime == nil)
  }
}
