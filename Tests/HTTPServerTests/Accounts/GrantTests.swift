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

  @Test("lets an account change its own password, and an admin another's")
  func newPasswords() async throws {
    let bench = try AuthBench()
    let (first, second) = (try await bench.signIn("sita"), try await bench.signIn("sita"))
    let admin = try await bench.signIn("hari", "west-gate-2")
    func put(_ path: String, _ body: JSONValue?, as token: String?) async throws -> AuthAnswer {
      try await bench.ask(
        "/auth/v1/\(path)", method: "PUT",
        headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [], body)
    }
    for (body, words) in [
      (["password": "short"], "422 weak_password"),
      (["password": "east-gate-1"], "422 same_password"),
      (["email": "a@b.c"], "400 validation_failed"), (nil, "400 bad_json"),
    ] as [(JSONValue?, String)] {
      #expect(try await put("user", body, as: first.accessToken).words == words)
    }
    #expect(try await put("user", ["password": "east-gate-9"], as: nil).status == 401)
    let changed = try await put("user", ["password": "east-gate-9"], as: first.accessToken)
    #expect(changed.status == 200 && changed.json["email"] == "sita@bnp.local")
    #expect(try await bench.signIn("sita").words == "400 invalid_credentials")
    #expect(try await bench.signIn("sita", "east-gate-9").status == 200)
    // The session in which it was changed goes on, and no other one.
    #expect(await bench.principal(bearer: first.accessToken) == "ranger BNP-A Banke")
    #expect(await bench.principal(bearer: second.accessToken) != "ranger BNP-A Banke")

    let path = "admin/users/\(AuthBench.sita.text)"
    let body: JSONValue = ["password": "east-gate-10"]
    #expect(try await put(path, body, as: first.accessToken).words == "403 not_admin")
    #expect(try await put(path, body, as: nil).status == 401)
    #expect(
      try await put("admin/users/\(AccountID(random: 9, 9).text)", body, as: admin.accessToken)
        .words
        == "404 user_not_found")
    #expect(try await put(path, body, as: admin.accessToken).status == 200)
    #expect(await bench.principal(bearer: first.accessToken) != "ranger BNP-A Banke")
    #expect(try await bench.signIn("sita", "east-gate-10").status == 200)
    let set = try bench.audit().filter { $0.kind == .passwordSet }
    #expect(set.map(\.actor) == [AuthBench.hari.text, AuthBench.sita.text])
    #expect(set.allSatisfy { $0.account == AuthBench.sita })
  }

  @Test("gives nothing for a password that is changed, or an account that is disabled, meanwhile")
  func meanwhile() async throws {
    for isPassword in [true, false] {
      let bench = try AuthBench()
      let other = try #require(PasswordHash(of: "other-gate-9", cost: .least)).description
      let store = MeddlingStore(bench.store) { rows throws(StorageError) in
        if isPassword {
          try rows.setPassword(other, of: AuthBench.sita, at: AuthBench.wall)
        } else if var account = try rows.account(AuthBench.sita) {
          account.isActive = false
          _ = try rows.update(account)
        }
      }
      let desk = AccountDesk(
        store: store, settings: bench.desk.settings, hasher: PasswordHasher(cost: .least),
        clocks: bench.clocks, log: bench.log)
      await #expect(throws: GrantRefusal.invalidCredentials) {
        try await desk.signIn("sita", password: "east-gate-1", address: nil)
      }
      let sessions = try bench.change { rows throws(StorageError) in
        try rows.openSessions(of: AuthBench.sita)
      }
      #expect(sessions == [])
    }
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

  @Test("renews for no account that was disabled, nor for it once it is enabled again")
  func disabled() async throws {
    let bench = try AuthBench()
    let first = try await bench.signIn()
    try bench.setActive(false)
    #expect(await bench.principal(bearer: first.accessToken) == "401 PGRST303")
    #expect(try await bench.refresh(first.refreshToken).words == "400 refresh_token_not_found")
    try bench.setActive(true)
    #expect(await bench.principal(bearer: first.accessToken) == "401 PGRST303")
    #expect(try await bench.refresh(first.refreshToken).words == "400 refresh_token_not_found")
    #expect(try await bench.signIn().status == 200)
  }

  @Test("notices who uses refresh tokens in lock-step with their owner")
  func lockStep() async throws {
    let bench = try AuthBench()
    let stolen = try await bench.signIn()
    // The owner renews, and uses what came; then the thief shows the token that both had.
    let own = try await bench.refresh(stolen.refreshToken)
    #expect(await bench.principal(bearer: own.accessToken) == "ranger BNP-A Banke")
    #expect(try await bench.refresh(stolen.refreshToken).words == "400 refresh_token_already_used")
    #expect(await bench.principal(bearer: own.accessToken) == "401 PGRST303")
    #expect(try bench.audit().map(\.kind) == [.tokenReplayed, .signedIn])
    // The thief was faster, and the owner finds out likewise.
    let second = try await bench.signIn()
    let theirs = try await bench.refresh(second.refreshToken)
    #expect(await bench.principal(bearer: theirs.accessToken) == "ranger BNP-A Banke")
    #expect(try await bench.refresh(second.refreshToken).words == "400 refresh_token_already_used")
    // What came with an older one is used for as long as it lasts, and says nothing of the answer that was lost.
    let third = try await bench.signIn()
    let lost = try await bench.refresh(third.refreshToken)
    #expect(await bench.principal(bearer: third.accessToken) == "ranger BNP-A Banke")
    let again = try await bench.refresh(third.refreshToken)
    #expect(again.status == 200 && again.refreshToken == lost.refreshToken)
  }

  @Test("lets somebody sign in where they did lately, while others guess their name")
  func guessed() async throws {
    let bench = try AuthBench()
    let client = bench.client()
    func signIn(_ password: String, from peer: String) async throws -> Int {
      try await client.send(
        "/auth/v1/token?grant_type=password", method: "POST",
        headers: [("X-Forwarded-For", peer), ("X-Forwarded-Proto", "https")],
        Array("{\"email\":\"sita\",\"password\":\"\(password)\"}".utf8), from: "127.0.0.1"
      ).status
    }
    #expect(try await signIn("east-gate-1", from: "198.51.100.7") == 200)
    for number in 0..<20 { _ = try await signIn("wrong-gate-9", from: "203.0.113.\(number)") }
    #expect(try await signIn("wrong-gate-9", from: "203.0.113.3") == 429)
    #expect(try await signIn("east-gate-1", from: "198.51.100.7") == 200)
    // Also after a new start, which forgets failures.
    let again = AccountDesk(
      store: bench.store, settings: bench.desk.settings, hasher: PasswordHasher(cost: .least),
      clocks: bench.clocks, log: bench.log)
    for number in 0..<20 {
      _ = try? await again.signIn(
        "sita", password: "wrong-gate-9", address: "203.0.113.\(number)")
    }
    let own = try await again.signIn("sita", password: "east-gate-1", address: "198.51.100.7")
    #expect(own.account.id == AuthBench.sita)
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
