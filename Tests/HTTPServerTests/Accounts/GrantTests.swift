import Accounts
import JSON
import Storage
import TestSupport
import Testing
import Time
import Tokens

@testable import HTTPServer

@Suite("Signing in over HTTP")
struct GrantTests {
  @Test("gives what GoTrue gives, and writes it down")
  func password() async throws {
    let bench = try AuthBench()
    for name in ["sita@bnp.local", "sita", " SITA@BNP.LOCAL "] {
      let answer = try await bench.signIn(name)
      #expect(answer.status == 200)
      #expect(answer.json["token_type"] == "bearer")
      #expect(answer.json["expires_in"] == 1_800)
      #expect(answer.json["expires_at"]?.integer == AuthBench.wall.epochSeconds + 1_800)
      #expect(answer.json["user"]?["id"]?.text == AuthBench.sita.text)
      #expect(answer.json["user"]?["email"] == "sita@bnp.local")
      #expect(answer.json["user"]?["aud"] == "authenticated")
      #expect(answer.json["user"]?["app_metadata"]?["role"] == "ranger")
      #expect(answer.refreshToken.utf8.count == 43)
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(await bench.principal(bearer: answer.accessToken) == "ranger BNP-A Banke")
    }
    #expect(try bench.audit().map(\.kind) == [.signedIn, .signedIn, .signedIn])
    let admin = try await bench.signIn("hari", "west-gate-2")
    #expect(await bench.principal(bearer: admin.accessToken) == "admin")
  }

  @Test("answers a wrong password and a name that nobody has in the same way")
  func wrong() async throws {
    let bench = try AuthBench()
    let answers = [
      try await bench.signIn("sita@bnp.local", "east-gate-2"),
      try await bench.signIn("nobody@bnp.local", "east-gate-1"),
      try await bench.signIn("' OR 1=1 --", "east-gate-1"),
      try await bench.signIn("sita@bnp.local", ""),
      try await bench.signIn("sita@bnp.local", String(repeating: "x", count: 10_000)),
    ]
    for answer in answers {
      #expect(answer.words == "400 invalid_credentials")
      #expect(answer.json["msg"] == "Invalid login credentials")
      #expect(answer.json["code"] == 400)
      #expect(answer.headers["x-sb-error-code"] == "invalid_credentials")
      #expect(answer.headers == answers[0].headers)
      #expect(answer.json == answers[0].json)
    }
    // What somebody typed who has no account is kept nowhere: it may be a password.
    #expect(
      try bench.audit().map(\.detail)
        == ["invalid_credentials", "invalid_credentials", "invalid_credentials"])
    #expect(try bench.audit().map(\.account) == [nil, nil, AuthBench.sita])
  }

  @Test("tells of a ban only whoever knows the password")
  func banned() async throws {
    let bench = try AuthBench()
    try bench.setActive(false)
    #expect(try await bench.signIn("sita", "wrong-gate-9").words == "400 invalid_credentials")
    #expect(try await bench.signIn().words == "400 user_banned")
    try bench.setActive(true)
    #expect(try await bench.signIn().status == 200)
  }

  @Test("makes whoever guesses wait, and says for how long, also with the right password")
  func lockOut() async throws {
    let bench = try AuthBench()
    for _ in 0..<5 {
      #expect(try await bench.signIn("sita", "wrong-gate-9").words == "400 invalid_credentials")
    }
    let answer = try await bench.signIn()
    #expect(answer.words == "429 over_request_rate_limit")
    #expect(answer.headers["retry-after"] == "3")
    // Others may go on, and nobody can tell who has an account.
    #expect(try await bench.signIn("hari", "west-gate-2").status == 200)
    for _ in 0..<5 { _ = try await bench.signIn("nobody", "x") }
    let nobody = try await bench.signIn("nobody", "x")
    #expect(nobody.words == answer.words)
    #expect(nobody.headers["retry-after"] == "3")
    // The wall clock plays no part.
    bench.clocks.set(AuthBench.wall + .seconds(86_400))
    #expect(try await bench.signIn().words == "429 over_request_rate_limit")
    bench.clocks.set(AuthBench.wall)
    bench.clocks.pass(.seconds(3))
    #expect(try await bench.signIn().status == 200)
    #expect(try await bench.signIn().status == 200)
  }

  @Test("renews with each token once, gives a lost answer again, and ends it all for an old one")
  func rotation() async throws {
    let bench = try AuthBench()
    let first = try await bench.signIn()
    let second = try await bench.refresh(first.refreshToken)
    #expect(second.status == 200)
    #expect(second.refreshToken != first.refreshToken)
    // The answer was lost: the same comes again, however often.
    for _ in 0..<3 {
      let again = try await bench.refresh(first.refreshToken)
      #expect(again.status == 200)
      #expect(again.refreshToken == second.refreshToken)
    }
    let third = try await bench.refresh(second.refreshToken)
    #expect(third.status == 200)
    #expect(await bench.principal(bearer: third.accessToken) == "ranger BNP-A Banke")
    // A thief, or a node that was restored from a backup.
    #expect(try await bench.refresh(first.refreshToken).words == "400 refresh_token_already_used")
    for token in [first, second, third].map(\.refreshToken) {
      #expect(try await bench.refresh(token).words == "400 refresh_token_already_used")
    }
    #expect(await bench.principal(bearer: third.accessToken) == "401 PGRST303")
    #expect(try bench.audit().map(\.kind) == [.tokenReplayed, .signedIn])
    // Another session of hers is not concerned, and she may sign in again.
    #expect(try await bench.signIn().status == 200)
  }

  @Test("refuses refresh tokens that are none")
  func unknownToken() async throws {
    let bench = try AuthBench()
    for token in ["x", String(repeating: "A", count: 43), String(repeating: "A", count: 9_000)] {
      #expect(try await bench.refresh(token).words == "400 refresh_token_not_found")
    }
    #expect(try await bench.refresh("").words == "400 validation_failed")
    let signedIn = try await bench.signIn()
    #expect(
      try await bench.refresh(signedIn.accessToken).words == "400 refresh_token_not_found")
  }

  @Test("renews for no account that was disabled, and for it again once it is enabled")
  func disabled() async throws {
    let bench = try AuthBench()
    let first = try await bench.signIn()
    try bench.setActive(false)
    #expect(await bench.principal(bearer: first.accessToken) == "401 PGRST303")
    #expect(try await bench.refresh(first.refreshToken).words == "400 user_banned")
    try bench.setActive(true)
    #expect(try await bench.refresh(first.refreshToken).status == 200)
  }

  @Test("lets a session run out that nobody uses, but not because a clock jumped")
  func runsOut() async throws {
    let bench = try AuthBench()
    let first = try await bench.signIn()
    bench.clocks.set(AuthBench.wall + .seconds(91 * 86_400))
    #expect(try await bench.refresh(first.refreshToken).words == "400 session_expired")
    bench.clocks.set(AuthBench.wall)
    #expect(try await bench.refresh(first.refreshToken).status == 200)
  }

  @Test("two who ask with one token at once get the same next one")
  func atOnce() async throws {
    let bench = try AuthBench()
    let first = try await bench.signIn()
    let tokens = try await withThrowingTaskGroup(of: AuthAnswer.self) { group in
      for _ in 0..<8 { group.addTask { try await bench.refresh(first.refreshToken) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1.refreshToken) }
    }
    #expect(tokens.count == 1)
    #expect(!tokens.contains(""))
  }

  @Test(
    "refuses what is no request for a token",
    arguments: [
      ("/auth/v1/token", "{}", "400 validation_failed"),
      ("/auth/v1/token?grant_type=implicit", "{}", "400 validation_failed"),
      ("/auth/v1/token?grant_type=password", "{}", "400 validation_failed"),
      (
        "/auth/v1/token?grant_type=password", "{\"email\":1,\"password\":2}",
        "400 validation_failed"
      ),
      ("/auth/v1/token?grant_type=password", "email=a&password=b", "400 bad_json"),
      ("/auth/v1/token?grant_type=password", "", "400 bad_json"),
      ("/auth/v1/token?grant_type=password", "[]", "400 bad_json"),
      (
        "/auth/v1/token?grant_type=refresh_token", "{\"refresh_token\":null}",
        "400 validation_failed"
      ),
    ])
  func noRequest(path: String, body: String, words: String) async throws {
    let bench = try AuthBench()
    try await bench.serve { url in
      let answer = AuthAnswer(
        try await send(url + path, Array(body.utf8), contentType: "application/json"))
      #expect(answer.words == words)
    }
  }
}
