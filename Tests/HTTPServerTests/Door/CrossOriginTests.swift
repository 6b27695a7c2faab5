import Testing

@testable import HTTPServer

/// Which pages of other origins may read answers.
@Suite struct CrossOriginTests {
  static let desk = "https://desk.example.org"

  func rules(_ origins: String...) -> DoorRules {
    var rules = DoorRules()
    rules.origins = origins
    return rules
  }

  func preflight(
    _ client: RouterClient, from origin: String, _ method: String = "PATCH",
    asking headers: String? = "authorization, apikey, content-type, prefer"
  ) async throws -> Answer {
    try await client.send(
      DoorTests.rows, method: "OPTIONS",
      headers: [("Origin", origin), ("Access-Control-Request-Method", method)]
        + (headers.map { [("Access-Control-Request-Headers", $0)] } ?? []), [])
  }

  func read(
    _ client: RouterClient, from origin: String?, _ headers: (String, String)...
  ) async throws -> Answer {
    try await client.send(
      "/healthz", method: "GET",
      headers: (origin.map { [("Origin", $0)] } ?? []) + headers.map { (name: $0.0, value: $0.1) },
      [])
  }

  @Test func byDefaultNoPageMay() async throws {
    try await Bench().route { client in
      let asked = try await preflight(client, from: CrossOriginTests.desk)
      #expect(asked.headers["access-control-allow-origin"] == nil)
      let answer = try await read(client, from: CrossOriginTests.desk)
      #expect(answer.status == 200)
      #expect(answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func thePagesThatAreNamedMay() async throws {
    try await Bench().route(rules: rules(CrossOriginTests.desk)) { client in
      let asked = try await preflight(client, from: CrossOriginTests.desk)
      #expect(asked.status == 204)
      #expect(asked.headers["access-control-allow-origin"] == CrossOriginTests.desk)
      #expect(asked.headers["access-control-allow-methods"]?.contains("PATCH") == true)
      let allowed = asked.headers["access-control-allow-headers"]?.lowercased()
        .split(separator: ",").map { $0.filter { $0 != " " } }
      for name in [
        "authorization", "apikey", "x-client-info", "content-type", "prefer", "x-upsert",
        "x-supabase-api-version", "cache-control", "x-region",
      ] {
        #expect(allowed?.contains(name) == true, "\(name)")
      }
      #expect(asked.headers["access-control-allow-credentials"] == nil)
      let answer = try await read(
        client, from: CrossOriginTests.desk, ("Authorization", "Bearer a"))
      #expect(answer.headers["access-control-allow-origin"] == CrossOriginTests.desk)
      #expect(answer.headers["access-control-expose-headers"]?.contains("Content-Range") == true)
      #expect(answer.headers["vary"] == "Origin")
      // Whoever keeps answers must not give one page what was for the other.
      #expect(try await read(client, from: nil).headers["vary"] == "Origin")
    }
  }

  @Test(arguments: [
    "https://desk.example.org.evil.example", "http://desk.example.org",
    "https://desk.example.org:8443",
    "https://DESK.example.org", "null", "", "*", "https://desk.example.org, https://evil.example",
  ])
  func noOtherPageMay(_ origin: String) async throws {
    try await Bench().route(rules: rules(CrossOriginTests.desk, "null")) { client in
      let asked = try await preflight(client, from: origin)
      #expect(asked.headers["access-control-allow-origin"] == nil)
      let answer = try await read(client, from: origin)
      #expect(answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func anyPageMayReadWhatNeedsNoKey() async throws {
    try await Bench().route(rules: rules("*")) { client in
      let open = try await preflight(client, from: "https://any.example", "GET", asking: "prefer")
      #expect(open.headers["access-control-allow-origin"] == "*")
      #expect(open.headers["access-control-allow-methods"] == "GET, HEAD")
      #expect(open.headers["access-control-allow-headers"]?.contains("Authorization") == false)
      for (method, headers) in [("POST", nil), ("GET", "apikey"), ("GET", "Prefer,Authorization")] {
        let asked = try await preflight(
          client, from: "https://any.example", method, asking: headers)
        #expect(asked.headers["access-control-allow-origin"] == nil)
      }
      #expect(
        try await read(client, from: "https://any.example").headers["access-control-allow-origin"]
          == "*")
      #expect(
        try await read(client, from: "https://any.example", ("apikey", "k"))
          .headers["access-control-allow-origin"] == nil)
    }
  }

  /// A page learns also that it asks too often, and does not take it for a fault of the network.
  @Test func aRefusalCanBeReadToo() async throws {
    var rules = rules(CrossOriginTests.desk)
    rules.limits.reads = 1
    try await Bench().route(rules: rules) { client in
      for status in [404, 429] {
        let answer = try await client.send(
          DoorTests.rows, method: "GET", headers: [("Origin", CrossOriginTests.desk)], [],
          from: "203.0.113.9")
        #expect(answer.status == status)
        #expect(answer.headers["access-control-allow-origin"] == CrossOriginTests.desk)
      }
    }
  }
}
