import CentralCore
import Log
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// What every request passes before its route, as whoever calls sees it.
@Suite struct DoorTests {
  static let webhook = "/functions/v1/sms-webhook"
  static let rows = "/rest/v1/vehicle_passages"
  static let signIn = "/auth/v1/token?grant_type=password"

  /// What the proxy on this machine adds for a client.
  func told(_ address: String, over scheme: String = "https") -> [(name: String, value: String)] {
    [("X-Forwarded-For", address), ("X-Forwarded-Proto", scheme)]
  }

  @Test func whatThereIsNotIsNotFoundAndNothingIsTold() async throws {
    try await Bench().route { client in
      for (method, path) in [
        ("GET", "/"), ("GET", "/nothing"), ("GET", "/../../etc/passwd"), ("GET", "/healthz/x"),
      ] {
        let answer = try await client.send(path, method: method, headers: [], [])
        #expect(answer.status == 404, "\(method) \(path)")
        #expect(answer.body == "{\"message\":\"There is no such route\"}")
      }
      for method in ["POST", "OPTIONS"] {
        let answer = try await client.send("/healthz", method: method, headers: [], [])
        #expect(answer.status == 405 && answer.headers["allow"] != nil, "\(method)")
        #expect(answer.body == "{\"message\":\"Method not allowed\"}")
      }
    }
  }

  /// Each answer, whatever it is, is nothing but what it says it is.
  @Test func everyAnswerHasTheHeadersThatKeepABrowserOff() async throws {
    try await Bench().route { client in
      let text = ProviderText()
      let answers = [
        try await client.send("/healthz"), try await client.send("/nothing"),
        try await client.send(DoorTests.webhook, text.form, signature: text.signature()),
        try await client.send(DoorTests.webhook, text.form, signature: "wrong"),
        try await client.send(
          DoorTests.rows, method: "GET", headers: [("Apikey", "k")], [], from: "203.0.113.9"),
      ]
      #expect(answers.map(\.status) == [200, 404, 200, 403, 403])
      for answer in answers {
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(answer.headers["cache-control"] == "no-store")
      }
    }
  }

  @Test(arguments: [
    ("GET", rows, "Authorization", "Bearer abc"), ("GET", rows, "apikey", "abc"),
    ("GET", rows, "X-Api-Key", "abc"), ("GET", rows, "Cookie", "a=b"),
    ("GET", "/nothing", "APIKEY", ""),
    ("GET", rows + "?select=id&apikey=abc", "Accept", "*/*"), ("POST", signIn, "Accept", "*/*"),
    ("POST", "//auth/v1/token", "Accept", "*/*"),
    ("GET", "/healthz", "Authorization", "Basic YTpi"),
  ])
  func aSecretThatCameInPlainIsRefused(
    _ method: String, _ path: String, _ name: String, _ value: String
  ) async throws {
    let bench = try Bench()
    try await bench.route { client in
      for (peer, headers) in [
        ("203.0.113.9", []), ("203.0.113.9", told("127.0.0.1")),
        ("127.0.0.1", told("203.0.113.9", over: "http")),
        ("127.0.0.1", [("X-Forwarded-For", "203.0.113.9")]),
      ] as [(String, [(name: String, value: String)])] {
        let answer = try await client.send(
          path, method: method, headers: headers + [(name, value)], [], from: peer)
        #expect(answer.status == 403)
        #expect(answer.body.contains("\"tls_required\""))
        #expect(!answer.body.contains("abc"))
      }
      #expect(bench.log.counts["http_plain_secret"] == 1, "once a minute")
      bench.clocks.pass(.seconds(61))
      _ = try await client.send(
        path, method: method, headers: [(name, value)], [], from: "203.0.113.9")
      #expect(bench.log.counts["http_plain_secret"] == 2)
      let words = try #require(bench.log.recent.last).words
      #expect(words.contains("203.0.113.9"))
      #expect(!words.contains("abc"))
    }
  }

  @Test func aSecretThatCameOverTLSOrFromThisMachineIsTaken() async throws {
    let bench = try Bench()
    try await bench.route(proxies: ["127.0.0.1", "10.0.0.0/8"]) { client in
      for (peer, headers) in [
        (nil, []), ("127.0.0.1", []), ("::1", []), (nil, told("203.0.113.9")),
        ("127.0.0.1", told("203.0.113.9")), ("10.9.9.9", told("203.0.113.9")),
      ] as [(String?, [(name: String, value: String)])] {
        let answer = try await client.send(
          DoorTests.rows, method: "GET", headers: headers + [("Authorization", "Bearer abc")], [],
          from: peer)
        #expect(answer.status != 403)
      }
    }
    #expect(bench.log.counts["http_plain_secret"] == nil)
  }

  /// What needs no secret is answered also without TLS: the provider's texts are signed.
  @Test func whatShowsNoSecretIsAnswered() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      let answer = try await client.send(
        DoorTests.webhook, method: "POST",
        headers: [
          ("Content-Type", "application/x-www-form-urlencoded"),
          ("X-Twilio-Signature", text.signature()),
        ], text.form, from: "203.0.113.9")
      #expect(answer.status == 200)
      let health = try await client.send(
        "/healthz", method: "GET", headers: [], [], from: "203.0.113.9")
      #expect(health.status == 200)
    }
  }

  @Test func whoAsksTooOftenWaits() async throws {
    let bench = try Bench()
    var rules = DoorRules()
    rules.limits.reads = 3
    rules.limits.writes = 2
    rules.limits.signIns = 1
    try await bench.route(rules: rules) { client in
      func status(_ method: String, _ path: String, of address: String) async throws -> Int {
        try await client.send(
          path, method: method, headers: told(address), [], from: "127.0.0.1"
        ).status
      }
      for (method, path, most) in [
        ("GET", DoorTests.rows, 3), ("POST", DoorTests.rows, 2), ("POST", DoorTests.signIn, 1),
      ] {
        for address in ["203.0.113.9", "2001:db8::1"] {
          for _ in 0..<most {
            let code = try await status(method, path, of: address)
            #expect(code == 404)
          }
          let code2 = try await status(method, path, of: address)
          #expect(code2 == 429)
        }
        let code3 = try await status(method, path, of: "2001:db8::2")
        #expect(code3 == 429, "it is of the same /64")
        let code4 = try await status(method, path, of: "203.0.113.10")
        #expect(code4 == 404)
      }
      let code5 = try await status("GET", "/healthz", of: "203.0.113.9")
      #expect(code5 == 200)
      let refused = try await client.send(
        DoorTests.signIn, method: "POST", headers: told("203.0.113.9"), [], from: "127.0.0.1")
      #expect(refused.headers["retry-after"] == "60")
      #expect(refused.body.contains("over_request_rate_limit"))
      bench.clocks.pass(.seconds(60))
      let code6 = try await status("POST", DoorTests.signIn, of: "203.0.113.9")
      #expect(code6 == 404)
    }
    #expect((bench.log.counts["http_too_many"] ?? 0) > 0)
    #expect(bench.log.recent.contains { $0.words.contains("203.0.113.9") })
  }

  /// A budget of this machine's address would be that of everybody behind a proxy that names nobody.
  @Test func whoHasNoAddressOfItsOwnIsBoundedByPasswordsAlone() async throws {
    let bench = try Bench()
    var rules = DoorRules()
    rules.limits.reads = 1
    rules.limits.signIns = 1
    rules.limits.badSignatures = 1
    try await bench.route(rules: rules) { client in
      for _ in 0..<5 {
        let read = try await client.send(DoorTests.rows)
        #expect(read.status == 404)
        let text = ProviderText()
        let unsigned = try await client.send(DoorTests.webhook, text.form, signature: "x")
        #expect(unsigned.status == 403)
      }
      for status in [404, 429] {
        let answer = try await client.send(DoorTests.signIn, method: "POST", headers: [], [])
        #expect(answer.status == status)
      }
    }
  }

  @Test func whoSignsWronglyTooOftenIsRefusedUnread() async throws {
    let bench = try Bench()
    try await bench.route { client in
      func status(_ text: ProviderText, _ signature: String, of address: String) async throws -> Int
      {
        try await client.send(
          DoorTests.webhook, method: "POST",
          headers: told(address) + [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("X-Twilio-Signature", signature),
          ], text.form, from: "127.0.0.1"
        ).status
      }
      let text = ProviderText()
      for _ in 0..<10 {
        let code = try await status(text, "wrong", of: "203.0.113.9")
        #expect(code == 403)
      }
      let code8 = try await status(text, "wrong", of: "203.0.113.9")
      #expect(code8 == 429)
      let code9 = try await status(text, text.signature(), of: "203.0.113.9")
      #expect(code9 == 429)
      #expect(try bench.store.overview().received == 0)
      // Others are not kept out by it, and one who signed well is not by anybody.
      let code10 = try await status(text, text.signature(), of: "203.0.113.10")
      #expect(code10 == 200)
      for _ in 0..<30 {
        let code = try await status(text, "wrong", of: "203.0.113.10")
        #expect(code == 403)
      }
      let other = ProviderText(sid: 1)
      let stillGood = try await status(other, other.signature(), of: "203.0.113.10")
      #expect(stillGood == 200)
      bench.clocks.pass(.seconds(6))
      let code12 = try await status(text, text.signature(), of: "203.0.113.9")
      #expect(code12 == 200)
    }
    let words = bench.log.recent.filter { $0.name == "webhook_signature" }.map(\.words)
    #expect(words.first?.contains("203.0.113.9") == true)
  }

  @Test func aKeyHasABudgetOfItsOwn() async throws {
    let bench = try Bench()
    var rules = DoorRules()
    rules.limits.keyReads = 2
    try await bench.route(rules: rules) { client in
      var context = client.context()
      context.kind = .read
      #expect(client.server.door.refusal(ofKey: "one", for: context) == nil)
      #expect(client.server.door.refusal(ofKey: "one", for: context) == nil)
      #expect(client.server.door.refusal(ofKey: "one", for: context) != nil)
      #expect(client.server.door.refusal(ofKey: "two", for: context) == nil)
    }
  }

  @Test func otherRulesCountFromNowOn() async throws {
    var rules = DoorRules()
    rules.limits.reads = 1
    try await Bench().route(rules: rules) { client in
      func status() async throws -> Int {
        try await client.send(
          DoorTests.rows, method: "GET", headers: [], [], from: "203.0.113.9"
        ).status
      }
      let code13 = try await status()
      #expect(code13 == 404)
      let code14 = try await status()
      #expect(code14 == 429)
      client.server.change(rules)
      let code15 = try await status()
      #expect(code15 == 429, "the same rules give nobody anything")
      rules.limits.reads = 2
      client.server.change(rules)
      let code16 = try await status()
      #expect(code16 == 404)
    }
  }
}
