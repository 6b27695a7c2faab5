import JSON
import ServerModel
import Testing
import Time

@Suite struct SignInTests {
  private func refreshed(_ asking: inout Asking, _ token: String) -> ModelResponse {
    asking.grant("refresh_token", ["refresh_token": .text(token)])
  }

  private func code(_ answer: ModelResponse) -> String? { answer.json?["error_code"]?.text }

  @Test func aPasswordGivesATokenForAnHour() throws {
    var asking = Asking()
    let answer = asking.grant("password", ["email": "sita@bnp.local", "password": "east-gate-1"])
    #expect(answer.status == 200)
    #expect(answer.json?["expires_in"] == 3_600)
    #expect(answer.json?["token_type"] == "bearer")
    #expect(answer.json?["user"]?["id"] == .text(ServerModel.Pilot.eastRanger))

    let wrong = asking.grant("password", ["email": "sita@bnp.local", "password": "guess"])
    #expect(wrong.status == 400)
    #expect(code(wrong) == "invalid_credentials")
    #expect(wrong.header("X-SB-Error-Code") == "invalid_credentials")
  }

  @Test func anExpiredTokenIsToldSo() throws {
    var asking = try Asking.east()
    asking.now = asking.now + .seconds(3_629)
    #expect(asking.ask("GET", Asking.passages).status == 200)
    asking.now = asking.now + .seconds(2)
    let refused = asking.ask("GET", Asking.passages)
    #expect(refused.status == 401)
    #expect(refused.json?["code"] == "PGRST303")
    #expect(refused.header("WWW-Authenticate")?.contains("JWT expired") == true)
    let photo = asking.ask("POST", "/storage/v1/object/passage-photos/a.jpg", ["a": 1])
    #expect(photo.status == 400)
    #expect(photo.json?["statusCode"] == "403")
  }

  @Test func aClockBehindTheIssuersTakesNoToken() throws {
    var asking = try Asking.east()
    asking.now = asking.now - .seconds(60)
    #expect(asking.ask("GET", Asking.passages).json?["message"] == "JWT issued at future")
  }

  @Test func refreshTokensRotateWithOneGenerationOfGrace() throws {
    var asking = Asking()
    let first = try asking.signIn("sita@bnp.local", "east-gate-1")
    let second = try #require(refreshed(&asking, first).json?["refresh_token"]?.text)
    #expect(second != first)
    asking.now = asking.now + .seconds(600)
    // The answer was lost: the one before gets the last again.
    #expect(refreshed(&asking, first).json?["refresh_token"] == .text(second))
    let third = try #require(refreshed(&asking, second).json?["refresh_token"]?.text)
    #expect(third != second)
    asking.now = asking.now + .seconds(600)
    let replayed = refreshed(&asking, first)
    #expect(replayed.status == 400)
    #expect(code(replayed) == "refresh_token_already_used")
    // Which ends the whole session, while its access token lasts.
    #expect(code(refreshed(&asking, third)) == "refresh_token_already_used")
    #expect(asking.ask("GET", Asking.passages).status == 200)
  }

  @Test func withinTheIntervalAnyUsedTokenIsTaken() throws {
    var asking = Asking()
    let first = try asking.signIn("sita@bnp.local", "east-gate-1")
    let second = try #require(refreshed(&asking, first).json?["refresh_token"]?.text)
    let third = try #require(refreshed(&asking, second).json?["refresh_token"]?.text)
    asking.now = asking.now + .seconds(9)
    #expect(refreshed(&asking, first).json?["refresh_token"] == .text(third))
  }

  @Test func sessionsEndByRequest() throws {
    var asking = Asking()
    let first = try asking.signIn("sita@bnp.local", "east-gate-1")
    asking.model.revokeSessions(of: ServerModel.Pilot.eastRanger)
    #expect(code(refreshed(&asking, first)) == "refresh_token_already_used")
    let second = try asking.signIn("sita@bnp.local", "east-gate-1")
    asking.model.forgetSessions()
    #expect(code(refreshed(&asking, second)) == "refresh_token_not_found")
    #expect(code(asking.grant("refresh_token", [:])) == "validation_failed")
    asking.model.setBanned(true, "sita@bnp.local")
    let banned = asking.grant("password", ["email": "sita@bnp.local", "password": "east-gate-1"])
    #expect(code(banned) == "user_banned")
    asking.model.setBanned(false, "sita@bnp.local")
    asking.model.setPassword("another-1", of: "sita@bnp.local")
    #expect(try asking.signIn("sita@bnp.local", "another-1") != second)
  }

  @Test func grantsAreLimitedInTime() throws {
    var asking = Asking()
    asking.model.settings.grantsPerFiveMinutes = 2
    try asking.signIn("sita@bnp.local", "east-gate-1")
    try asking.signIn("ram@bnp.local", "west-gate-1")
    let body: JSONValue = ["email": "sita@bnp.local", "password": "east-gate-1"]
    let refused = asking.grant("password", body)
    #expect(refused.status == 429)
    #expect(code(refused) == "over_request_rate_limit")
    asking.now = asking.now + .seconds(301)
    #expect(asking.grant("password", body).status == 200)
  }

  @Test func theKeyOfTheProjectIsAskedForFirst() throws {
    var asking = try Asking.east()
    let none = asking.model.handle(ModelRequest("GET", Asking.passages), at: asking.now)
    #expect(none.status == 401)
    #expect(none.json?["message"] == "No API key found in request")
    let wrong = asking.model.handle(
      ModelRequest("GET", Asking.passages, headers: ["apikey": "old"]), at: asking.now)
    #expect(wrong.status == 401)
    #expect(wrong.json?["message"] == "Invalid API key")
    asking.token = "made-up"
    #expect(asking.ask("GET", Asking.passages).json?["code"] == "PGRST301")
    asking.token = nil
    let anonymous = asking.ask("GET", Asking.passages)
    #expect(anonymous.status == 200)
    #expect(anonymous.json == [])
  }
}

@Suite struct FileTests {
  private let photo = "/storage/v1/object/passage-photos/one.jpg"

  private func put(
    _ asking: inout Asking, _ body: [UInt8], type: String = "image/jpeg", upsert: Bool = false
  ) -> ModelResponse {
    var headers = ["apikey": "model-anon-key", "Content-Type": type]
    if let token = asking.token { headers["Authorization"] = "Bearer \(token)" }
    if upsert { headers["x-upsert"] = "true" }
    return asking.model.handle(
      ModelRequest("POST", photo, headers: headers, body: body), at: asking.now)
  }

  @Test func aPhotoIsKeptOnceAndReplacedOnRequest() throws {
    var asking = try Asking.east()
    let first = put(&asking, [1, 2, 3])
    #expect(first.status == 200)
    #expect(first.json?["Key"] == "passage-photos/one.jpg")
    let again = put(&asking, [1, 2, 3])
    #expect(again.status == 400)
    #expect(again.json?["statusCode"] == "409")
    #expect(again.json?["error"] == "Duplicate")
    let other = put(&asking, [9], upsert: true)
    #expect(other.status == 200)
    #expect(other.json?["Id"] == first.json?["Id"])
    #expect(asking.model.file("passage-photos/one.jpg") == [9])
  }

  @Test func whatIsKeptCanBeLookedAt() throws {
    var asking = try Asking.east()
    _ = put(&asking, [1, 2, 3])
    let head = asking.ask("HEAD", photo)
    #expect(head.status == 200)
    #expect(head.body == [])
    #expect(head.header("Content-Length") == "3")
    #expect(asking.ask("GET", photo).body == [1, 2, 3])
    #expect(asking.ask("GET", photo + "x").json?["statusCode"] == "404")
  }

  @Test func refusalsStandInsideABadRequest() throws {
    var asking = try Asking.east()
    #expect(put(&asking, [1], type: "application/zip").json?["statusCode"] == "415")
    asking.model.settings.fileBytes = 2
    #expect(put(&asking, [1, 2, 3]).json?["statusCode"] == "413")
    asking.model.setBucket("passage-photos", exists: false)
    #expect(put(&asking, [1]).json?["statusCode"] == "404")
    asking.model.setBucket("passage-photos", exists: true)
    asking.token = nil
    let refused = put(&asking, [1])
    #expect(refused.status == 400)
    #expect(refused.json?["statusCode"] == "403")
    #expect(asking.model.files == [])
  }
}
