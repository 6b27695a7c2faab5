import JSON
import NodeCore
import Passages
import ServerModel
import Testing
import Time

/// What a node asks, put into the server's words, against the model of the server.
@Suite struct NodeCallTests {
  @Test func aNodeLearnsItsPlace() throws {
    var line = try ModelLine.signedIn()
    #expect(line.call(.probe).result == .success(.done))
    let told = line.call(.profile(user: ServerModel.Pilot.eastRanger))
    guard case .success(.profile(let profile)) = told.result else {
      Issue.record("\(told)")
      return
    }
    #expect(profile.post?.code == "BNP-A")
    #expect(profile.segment?.distanceKilometres == 45)
    #expect(profile.segment?.maximumKilometresPerHour == 40)
    #expect(told.serverTime == WallTime(epochSeconds: 1_767_225_600))
    let posts = line.call(.posts(segment: ServerModel.Pilot.segment))
    guard case .success(.posts(let both)) = posts.result else {
      Issue.record("\(posts)")
      return
    }
    #expect(both.map(\.code) == ["BNP-A", "BNP-B"])
    #expect(both.map(\.position) == [0, 1])
  }

  @Test func aPassageGoesThereOnceAndIsReadBack() throws {
    var line = try ModelLine.signedIn()
    let passage = try ModelLine.passage()
    let rows = try line.stored(try ModelLine.push("BA 1 PA 1234"))
    #expect(rows.map(\.clientID) == [passage.clientID.description])
    #expect(rows.first?.plate == "BA1PA1234")
    #expect(rows.first?.vehicleType == "jeep")
    #expect(rows.first?.recordedAt == passage.recordedAt)
    #expect(try line.stored(try ModelLine.push("BA 1 PA 1234")) == [])
    #expect(try line.stored(.readBack([passage.clientID])) == rows)
    #expect(try line.stored(try ModelLine.push("BA 1 PA 1234", "BA 2 PA 7")).count == 1)
    #expect(line.model.count(of: "vehicle_passages") == 2)
  }

  @Test func aCorrectionAPhotoAndItsNameFollow() throws {
    var line = try ModelLine.signedIn()
    let id = try ModelLine.passage().clientID
    let correction = PlateCorrection(plate: try Plate("BA 1 PA 1235"), vehicleType: .bus)
    #expect(try line.stored(.correct(id, correction)) == [])
    _ = try line.stored(try ModelLine.push("BA 1 PA 1234"))
    let corrected = try line.stored(.correct(id, correction))
    #expect(corrected.map(\.plate) == ["BA1PA1235"])
    #expect(corrected.map(\.vehicleType) == ["bus"])

    let server = try #require(corrected.first?.serverID)
    let photo = PhotoPush(
      name: "\(server).jpg", path: "/nowhere.jpg", count: 12, contentType: "image/jpeg")
    #expect(line.call(.upload(photo)).result == .success(.done))
    #expect(line.call(.upload(photo)).result == .success(.done))
    #expect(line.model.files == ["passage-photos/\(server).jpg"])
    let named = try line.stored(.namePhoto(id, path: "passage-photos/\(server).jpg"))
    #expect(named.map(\.photoPath) == ["passage-photos/\(server).jpg"])
  }

  @Test func theOtherPostsPassagesArePulledPageByPageAndPaired() throws {
    var line = try ModelLine.signedIn()
    line.model.settings.pairsOnInsert = false
    for number in 0..<5 {
      // Finer than a node's clock, and two at one moment.
      let second = min(number, 3)
      line.model.put(
        [
          "client_id": .text("00000000-0000-4000-8000-00000000000\(number)"),
          "plate_number": .text("BA1PA000\(number)"), "vehicle_type": "car",
          "checkpost_id": .text(ServerModel.Pilot.west),
          "segment_id": .text(ServerModel.Pilot.segment),
          "ranger_id": .text(ServerModel.Pilot.westRanger),
          "recorded_at": .text("2025-12-31T23:00:0\(second).123456Z"),
        ], into: "vehicle_passages")
    }
    var query = PullQuery(
      segmentID: ServerModel.Pilot.segment, checkpostID: ServerModel.Pilot.east,
      since: WallTime(epochSeconds: 1_767_222_001), limit: 2)
    var plates: [String] = []
    for _ in 0..<5 {
      guard case .remote(let page) = try line.call(.pull(query)).result.get() else { break }
      plates += page.passages.map(\.plate)
      guard let last = page.last else { break }
      query.before = last
    }
    #expect(plates.count == 4)
    #expect(Set(plates.prefix(2)) == ["BA1PA0003", "BA1PA0004"])
    #expect(plates.dropFirst(2) == ["BA1PA0002", "BA1PA0001"])

    let exit = try #require(line.stored(try ModelLine.push("BA 1 PA 0003")).first?.serverID)
    let entry = try #require(
      line.model.passage(clientID: "00000000-0000-4000-8000-000000000003")?["id"]?.text)
    #expect(line.call(.match(entry: entry, exit: exit)).result == .success(.done))
    #expect(line.call(.match(entry: entry, exit: exit)).failure?.kind == .duplicate)
  }

  @Test func howFarAPostIsIsNotedOnce() throws {
    var line = try ModelLine.signedIn()
    for pending in [3, 0] {
      let mark = SyncMark(
        userID: ServerModel.Pilot.eastRanger, device: "BNP-A", through: line.now, pending: pending)
      #expect(line.call(.synced(mark)).result == .success(.done))
    }
    #expect(line.model.rows(of: "sync_metadata").map { $0["pending_count"] } == [0])
  }

  @Test func tokensAreRenewedAndRefused() throws {
    var line = try ModelLine.signedIn()
    let first = try #require(line.refreshToken)
    try line.signIn(.refresh(first))
    #expect(line.refreshToken != first)
    line.now = line.now + .seconds(3_700)
    #expect(line.call(.probe).failure?.kind == .credential)
    try line.signIn(.refresh(try #require(line.refreshToken)))
    #expect(line.call(.probe).result == .success(.done))
    line.model.forgetSessions()
    let refused = line.call(.signIn(.refresh(try #require(line.refreshToken))))
    #expect(refused.failure?.kind == .credential)
    #expect(refused.failure?.code == "refresh_token_not_found")
  }

  @Test func whatIsReferredToMayComeLater() throws {
    var line = try ModelLine.signedIn()
    let stranger = ServerPlace(
      checkpostID: ServerModel.Pilot.east, segmentID: ServerModel.Pilot.segment,
      rangerID: "0d000000-0000-4000-8000-0000000000ee")
    let push = ServerCall.push([PassagePush(try ModelLine.passage(), at: stranger)])
    #expect(line.call(push).failure?.kind == .reference)
    let elsewhere = ServerPlace(
      checkpostID: ServerModel.Pilot.west, segmentID: ServerModel.Pilot.segment,
      rangerID: ServerModel.Pilot.eastRanger)
    let denied = ServerCall.push([PassagePush(try ModelLine.passage(), at: elsewhere)])
    #expect(line.call(denied).failure?.kind == .denied)
  }

  @Test(arguments: ModelFault.allCases)
  func everyFaultIsJudged(_ fault: ModelFault) throws {
    var line = try ModelLine.signedIn()
    line.model.inject(InjectedFault(fault))
    let reply = line.call(try ModelLine.push("BA 1 PA 1234"))
    #expect(reply.failure?.kind == Self.kind(of: fault))
    if let failure = reply.failure {
      #expect(!failure.words.contains("BA1PA1234"))
      if fault == .busy { #expect(failure.retryAfter == .seconds(7)) }
      if fault == .busyForever { #expect(failure.retryAfter == .seconds(3_600)) }
    }
    // Whatever it was, asking again leads to one row.
    let rows = try line.stored(try ModelLine.push("BA 1 PA 1234"))
    #expect(rows.count == (fault.isDone ? 0 : 1))
    #expect(try line.stored(.readBack([ModelLine.passage().clientID])).count == 1)
    #expect(line.model.count(of: "vehicle_passages") == 1)
  }

  private static func kind(of fault: ModelFault) -> ServerFailure.Kind? {
    switch fault {
    case .internalError, .noDatabase, .poolTimeout, .deadlock, .statementTimeout, .diskFull,
      .paused,
      .databaseTimeout:
      .trouble(.failing)
    case .busy, .busyUntil, .busyWithoutEnd, .busyForever: .trouble(.busy)
    case .unpaid: .trouble(.restricted)
    case .readOnly: .trouble(.readOnly)
    case .staleSchema: .trouble(.staleSchema)
    case .keyRevoked, .issuedInFuture, .expired: .credential
    case .tooLarge: .rejected
    case .missingReference: .reference
    case .denied: .denied
    case .badGateway, .originDown, .requestTimeout, .resetAfter, .resetBefore, .silentAfter,
      .silent, .truncated, .slow, .brokenJSON:
      .outage(.noAnswer)
    case .firewall, .portal, .portalRedirect, .portalStatus, .redirect, .wrongJSON, .huge:
      .outage(.captivePortal)
    // Told as good; what was not told has to be read back.
    case .dropped, .untold, .twice, .clockAhead: nil
    }
  }
}

extension ServerReply {
  fileprivate var failure: ServerFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }
}
