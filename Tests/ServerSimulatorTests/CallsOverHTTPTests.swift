import Glibc
import NodeCore
import Passages
import ServerHTTP
import ServerModel
import ServerSimulator
import Supabase
import TestSupport
import Testing

/// A node's way to a server over a real connection.
struct RealLine: Sendable {
  private let client: CurlServerClient
  private let api = SupabaseAPI(
    login: SupabaseAPI.Login(user: "sita", domain: "bnp.local", password: Token("east-gate-1")))

  init(_ url: String, timeout: Duration = .seconds(600)) {
    client = CurlServerClient(
      ServerEndpoint(url: url, apiKey: "model-anon-key", timeout: timeout))
  }

  func call(_ call: ServerCall, token: Token? = nil) async -> ServerReply {
    await withCheckedContinuation { continuation in
      client.call(call, by: api, token: token) { continuation.resume(returning: $0) }
    }
  }

  func signIn() async throws -> Token {
    guard case .session(let session) = try await call(.signIn(.password)).result.get() else {
      throw Unexpected()
    }
    return session.accessToken
  }

  func stored(_ call: ServerCall, token: Token) async throws -> [StoredOnServer] {
    guard case .stored(let rows) = try await self.call(call, token: token).result.get() else {
      throw Unexpected()
    }
    return rows
  }

  func end() { client.end() }

  struct Unexpected: Error {}
}

@Suite struct CallsOverHTTPTests {
  private func running(
    _ timeout: Duration = .seconds(600),
    _ body: (ServerSimulator, RealLine, Token) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let server = try ServerSimulator(.pilot(), journal: directory.file("journal"))
    try server.start()
    let line = RealLine(server.url, timeout: timeout)
    defer { server.stop() }
    try await body(server, line, try await line.signIn())
    line.end()
    server.stop()
    await onThread { server.join() }
    #expect(server.failure == nil)
  }

  @Test func aResetAfterTheCommitIsRecognisedByReadingBack() async throws {
    try await running { server, line, token in
      let push = try ModelLine.push("BA 1 PA 1234")
      // Of a connection that stood already, the client's library asks once more by itself.
      server.inject(InjectedFault(.resetAfter, times: nil, areas: [.tables], methods: ["POST"]))
      let reply = await line.call(push, token: token)
      server.withModel { $0.heal() }
      #expect(reply.kind == .outage(.noAnswer))
      #expect(try await line.stored(push, token: token) == [])
      let rows = try await line.stored(
        .readBack([ModelLine.passage().clientID]), token: token)
      #expect(rows.map(\.plate) == ["BA1PA1234"])
      #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)
    }
  }

  @Test func aPhotoIsReadFromItsFile() async throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try directory.write("a.jpg", bytes: bytes)
    try await running { server, line, token in
      let photo = PhotoPush(
        name: "one.jpg", path: path, count: bytes.count, contentType: "image/jpeg")
      #expect(await line.call(.upload(photo), token: token).result == .success(.done))
      #expect(server.withModel { $0.file("passage-photos/one.jpg") } == bytes)
    }
  }

  /// What is kept is found, whatever a proxy dropped of the answer; and only what is kept whole.
  @Test func aPhotographThatIsNotNamedIsFound() async throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try directory.write("a.jpg", bytes: bytes)
    try await running { server, line, token in
      var photo = PhotoPush(
        name: "one.jpg", path: path, count: bytes.count, contentType: "image/jpeg")
      #expect(await line.call(.findPhoto(photo), token: token).kind == .absent)
      server.inject(InjectedFault(.untold, areas: [.files], methods: ["POST"]))
      #expect(await line.call(.upload(photo), token: token).result == .success(.unshown))
      #expect(await line.call(.findPhoto(photo), token: token).result == .success(.done))
      photo.count += 1
      #expect(await line.call(.findPhoto(photo), token: token).kind == .absent, "another length")
      (photo.count, photo.contentType) = (bytes.count, "image/png")
      #expect(
        await line.call(.findPhoto(photo), token: token).kind == .outage(.captivePortal),
        "another kind of file")
    }
  }

  @Test(arguments: [
    (ModelFault.portal, ServerFailure.Kind.outage(.captivePortal)),
    (.portalRedirect, .outage(.captivePortal)), (.redirect, .outage(.captivePortal)),
    (.huge, .outage(.captivePortal)), (.truncated, .outage(.noAnswer)),
    (.resetBefore, .outage(.noAnswer)), (.readOnly, .trouble(.readOnly)),
    (.busy, .trouble(.busy)), (.expired, .credential),
  ])
  func whatGoesWrongOnARealLineIsJudged(
    _ fault: ModelFault, _ kind: ServerFailure.Kind
  ) async throws {
    try await running { server, line, token in
      server.inject(InjectedFault(fault, times: nil, areas: [.tables]))
      let push = try ModelLine.push("BA 1 PA 1234")
      #expect(await line.call(push, token: token).kind == kind)
      server.withModel { $0.heal() }
      let rows = try await line.stored(push, token: token)
      #expect(rows.count == (fault.isDone ? 0 : 1))
      #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)
    }
  }

  @Test func aServerThatIsAwayRefusesAndIsFoundAgain() async throws {
    try await running { server, line, token in
      #expect(await line.call(.probe, token: token).kind == nil)
      server.behave { $0.isAway = true }
      var kind: ServerFailure.Kind?
      while kind != .outage(.refused), server.failure == nil {
        kind = await line.call(.probe, token: token).kind
      }
      server.behave { $0.isAway = false }
      while kind != nil, server.failure == nil {
        kind = await line.call(.probe, token: token).kind
      }
    }
  }

  @Test func connectionsThatEndWithoutAWordLoseNothing() async throws {
    try await running { server, line, token in
      server.behave { $0.answersPerConnection = 1 }
      var pushed = 0
      for number in 0..<20 {
        let reply = await line.call(try ModelLine.push("BA 1 PA \(1_000 + number)"), token: token)
        // Whether a request met the end of the one before is the line's chance.
        if reply.kind == nil { pushed += 1 }
      }
      #expect(pushed > 0)
      #expect(server.withModel { $0.count(of: "vehicle_passages") } >= pushed)
    }
  }
}

/// The same calls, against a real database behind a small server like PostgREST.
@Suite(.enabled(if: RealDatabase.url != nil, "there is no PostgreSQL; see the script"))
struct PostgreSQLCallTests {
  @Test func aNodesCallsAreTakenByARealDatabase() async throws {
    let line = RealLine(try #require(RealDatabase.url))
    defer { line.end() }
    // The server there is shown who asks, in place of a token.
    let token = Token(ServerModel.Pilot.eastRanger)
    let told = await line.call(.profile(user: ServerModel.Pilot.eastRanger), token: token)
    guard case .success(.profile(let profile)) = told.result else {
      Issue.record("\(told)")
      return
    }
    #expect(profile.post?.code == "BNP-A")
    #expect(profile.segment?.distanceKilometres == 45)

    // Of a year that the comparison beside this draws nothing from.
    let passage = try ModelLine.passage("BA 9 PA 9", at: 1_735_689_600_412)
    let push = ServerCall.push([PassagePush(passage, at: ModelLine.place)])
    let first = try await line.stored(push, token: token)
    #expect(first.map(\.clientID) == [passage.clientID.description])
    #expect(first.first?.recordedAt == passage.recordedAt)
    #expect(try await line.stored(push, token: token) == [])
    #expect(try await line.stored(.readBack([passage.clientID]), token: token) == first)

    let correction = PlateCorrection(plate: try Plate("BA 9 PA 10"))
    let corrected = try await line.stored(.correct(passage.clientID, correction), token: token)
    #expect(corrected.map(\.plate) == ["BA9PA10"])
    let named = try await line.stored(
      .namePhoto(passage.clientID, path: "passage-photos/x.jpg"), token: token)
    #expect(named.map(\.photoPath) == ["passage-photos/x.jpg"])

    let query = PullQuery(
      segmentID: ServerModel.Pilot.segment, checkpostID: ServerModel.Pilot.west,
      since: passage.recordedAt, before: nil, limit: 500)
    guard case .remote(let page) = try await line.call(.pull(query), token: token).result.get()
    else {
      Issue.record("no page")
      return
    }
    #expect(page.passages.contains { $0.clientID == passage.clientID })

    for pending in [2, 0] {
      let mark = SyncMark(
        userID: ServerModel.Pilot.eastRanger, device: "BNP-A/calls", through: passage.recordedAt,
        pending: pending)
      #expect(await line.call(.synced(mark), token: token).result == .success(.done))
    }
    let elsewhere = ServerPlace(
      checkpostID: ServerModel.Pilot.west, segmentID: ServerModel.Pilot.segment,
      rangerID: ServerModel.Pilot.eastRanger)
    let denied = try ModelLine.passage("BA 9 PA 11")
    #expect(
      await line.call(.push([PassagePush(denied, at: elsewhere)]), token: token).kind == .denied)
    let stranger = ServerPlace(
      checkpostID: ServerModel.Pilot.east, segmentID: ServerModel.Pilot.segment,
      rangerID: "0d000000-0000-4000-8000-0000000000ee")
    #expect(
      await line.call(.push([PassagePush(denied, at: stranger)]), token: token).kind == .reference)
  }
}

/// The server before the real database.
private enum RealDatabase {
  static let url = getenv("CHECKPOST_TEST_POSTGREST").map {
    "http://127.0.0.1:\(String(cString: $0))"
  }
}

extension ServerReply {
  /// What kind of failure it is; nil when it is none.
  var kind: ServerFailure.Kind? {
    if case .failure(let failure) = result { failure.kind } else { nil }
  }
}
