import Accounts
import CentralSQLite
import Hummingbird
import JSON
import Passages
import Storage
import TestSupport
import Testing
import Time
import Tokens

@testable import HTTPServer

@Suite("Who makes a request, over HTTP")
struct AccessOverHTTPTests {
  @Test("is known by a key, by a token, and by both")
  func both() async throws {
    let bench = try AuthBench()
    let anonymous = try bench.addKey(.anonymous).text
    let service = try bench.addKey(.service).text
    let code = try CheckpostCode("BNP-A")
    let post = try bench.addKey(.post) { $0.post = code }.text
    let token = try await bench.signIn().accessToken
    #expect(await bench.principal(key: anonymous) == "anonymous")
    #expect(await bench.principal(key: anonymous, bearer: anonymous) == "anonymous")
    #expect(await bench.principal(key: service) == "service")
    #expect(await bench.principal(key: anonymous, bearer: service) == "service")
    #expect(await bench.principal(bearer: post) == "post BNP-A Banke")
    #expect(await bench.principal(key: anonymous, bearer: token) == "ranger BNP-A Banke")
    #expect(
      await bench.principal(key: anonymous, bearer: token, scheme: "bearer") == "ranger BNP-A Banke"
    )
    #expect(await bench.principal(key: anonymous, bearer: token, scheme: "Basic") == "anonymous")
    #expect(await bench.principal(key: "wrong", bearer: token) == "401 Invalid API key")
    #expect(await bench.principal(key: token, bearer: token) == "401 Invalid API key")
    #expect(await bench.principal(key: service + "A", bearer: token) == "401 Invalid API key")
    #expect(await bench.principal(key: anonymous, bearer: token + "A") == "401 PGRST301")
    #expect(await bench.principal(bearer: "") == "401 No API key found in request")
    #expect(await bench.principal() == "401 No API key found in request")
  }

  @Test(
    "is refused when the time is over, or has not come: half an hour, with 30 seconds on each side")
  func time() async throws {
    let bench = try AuthBench()
    let token = try await bench.signIn().accessToken
    func principal(after seconds: Int64) async -> String {
      bench.clocks.set(AuthBench.wall + .seconds(seconds))
      return await bench.principal(bearer: token)
    }
    #expect(await principal(after: 1_830) == "ranger BNP-A Banke")
    #expect(await principal(after: 1_831) == "401 PGRST303")
    #expect(await principal(after: -31) == "401 PGRST303")
    #expect(await principal(after: -30) == "ranger BNP-A Banke")
  }

  @Test(
    "is refused at once with a key that was revoked or is out of date; its use is noted by the hour"
  )
  func keys() async throws {
    let bench = try AuthBench()
    let (key, text) = try bench.addKey(.service) {
      $0.validUntil = AuthBench.wall + .seconds(86_400)
    }
    func used() throws -> WallTime? {
      try bench.change { rows throws(StorageError) in try rows.key(key.prefix)?.usedAt }
    }
    #expect(await bench.principal(key: text) == "service")
    #expect(try used() == AuthBench.wall)
    bench.clocks.pass(.seconds(60))
    #expect(await bench.principal(key: text) == "service")
    #expect(try used() == AuthBench.wall)
    bench.clocks.pass(.seconds(3_600))
    #expect(await bench.principal(key: text) == "service")
    #expect(try used() == AuthBench.wall + .seconds(3_660))
    bench.clocks.set(AuthBench.wall + .seconds(86_400))
    #expect(await bench.principal(key: text) == "401 Invalid API key")
    bench.clocks.set(AuthBench.wall)
    let now = AuthBench.wall
    _ = try bench.change { rows throws(StorageError) in try rows.revokeKey(key.prefix, at: now) }
    #expect(await bench.principal(key: text) == "401 Invalid API key")
  }

  @Test("needs a key where the settings ask for one, also for tokens")
  func required() async throws {
    let bench = try AuthBench { $0.requiresKey = true }
    let anonymous = try bench.addKey(.anonymous).text
    #expect(try await bench.signIn().words == "401 no_authorization")
    let body: JSONValue = ["email": "sita@bnp.local", "password": "east-gate-1"]
    let path = "/auth/v1/token?grant_type=password"
    #expect(try await bench.ask(path, headers: [("apikey", "x")], body).status == 401)
    let answer = try await bench.ask(path, headers: [("apikey", anonymous)], body)
    #expect(answer.status == 200)
    #expect(await bench.principal(bearer: answer.accessToken) == "401 No API key found in request")
    #expect(
      await bench.principal(key: anonymous, bearer: answer.accessToken) == "ranger BNP-A Banke")
  }

  @Test("a token tells its owner who that is, and nobody else")
  func user() async throws {
    let bench = try AuthBench()
    let token = try await bench.signIn().accessToken
    func user(_ headers: [(String, String)]) async throws -> AuthAnswer {
      try await bench.ask("/auth/v1/user", method: "GET", headers: headers)
    }
    let answer = try await user([("Authorization", "Bearer \(token)")])
    #expect(answer.status == 200)
    #expect(answer.json["email"] == "sita@bnp.local")
    #expect(answer.json["user_metadata"]?["full_name"] == "Sita")
    #expect(try await user([]).words == "401 no_authorization")
    #expect(try await user([("Authorization", "Bearer x")]).words == "403 bad_jwt")
    let service = try bench.addKey(.service).text
    #expect(try await user([("Authorization", "Bearer \(service)")]).words == "403 bad_jwt")
    try bench.setActive(false)
    #expect(
      try await user([("Authorization", "Bearer \(token)")]).words == "403 session_not_found")
  }

  @Test("signing out ends one session, the others, or all")
  func signOut() async throws {
    let bench = try AuthBench()
    func signIns() async throws -> [AuthAnswer] {
      [try await bench.signIn(), try await bench.signIn(), try await bench.signIn()]
    }
    func signOut(_ scope: String, _ answer: AuthAnswer) async throws -> String {
      try await bench.ask(
        "/auth/v1/logout\(scope)", headers: [("Authorization", "Bearer \(answer.accessToken)")]
      ).words
    }
    func open(_ answers: [AuthAnswer]) async -> [Bool] {
      var open: [Bool] = []
      for answer in answers {
        open.append(await bench.principal(bearer: answer.accessToken).hasPrefix("ranger"))
      }
      return open
    }
    let answers = try await signIns()
    #expect(try await signOut("?scope=nobody", answers[0]) == "400 validation_failed")
    #expect(try await signOut("?scope=local", answers[0]) == "204 ")
    #expect(await open(answers) == [false, true, true])
    #expect(
      try await bench.refresh(answers[0].refreshToken).words == "400 refresh_token_not_found")
    #expect(try await signOut("?scope=others", answers[1]) == "204 ")
    #expect(await open(answers) == [false, true, false])
    let more = try await signIns()
    #expect(try await signOut("", more[0]) == "204 ")
    #expect(await open(answers + more) == [Bool](repeating: false, count: 6))
    #expect(try await signOut("", more[0]) == "403 session_not_found")
    #expect(
      await bench.principal(bearer: try await bench.signIn().accessToken) == "ranger BNP-A Banke")
  }

  @Test("refusals are in PostgREST's form")
  func form() async throws {
    var response = AccessRefusal(.expired).response
    #expect(response.status.code == 401)
    #expect(
      response.headers[.wwwAuthenticate]
        == "Bearer error=\"invalid_token\", error_description=\"JWT expired\"")
    response = AccessRefusal.unavailable.response
    #expect(response.headers[.retryAfter] == "5")
    let bench = try AuthBench()
    #expect(try await bench.ask("/auth/v1/health", method: "GET").status == 200)
    let keys = try await bench.ask("/auth/v1/.well-known/jwks.json", method: "GET")
    #expect(keys.json["keys"] == [])
  }

  @Test("a store that is gone is no reason to let anybody in, nor to hold anything against them")
  func gone() async throws {
    let bench = try AuthBench()
    let token = try await bench.signIn()
    try bench.store.close()
    for _ in 0..<10 {
      #expect(try await bench.signIn().words == "503 unexpected_failure")
    }
    #expect(try await bench.refresh(token.refreshToken).headers["retry-after"] == "5")
    #expect(await bench.principal(bearer: token.accessToken) == "503 PGRST000")
  }
}
