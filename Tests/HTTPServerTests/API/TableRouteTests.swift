import Testing

@testable import HTTPServer

@Suite struct TableRouteTests {
  private static let push =
    "/rest/v1/vehicle_passages?on_conflict=client_id&select=id,client_id"
  private static let preference = [
    ("Prefer", "resolution=ignore-duplicates,return=representation"),
    ("Content-Type", "application/json"),
  ]

  @Test func aPassageIsPutInAndRead() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let body = Array("[\(APIBench.passage(1))]".utf8)
      let put = try await client.ask("POST", Self.push, body, Self.preference)
      #expect(put.status == 201)
      #expect(
        put.headers["preference-applied"] == "return=representation, resolution=ignore-duplicates")
      let again = try await client.ask("POST", Self.push, body, Self.preference)
      #expect(again.status == 201 && again.body == "[]")
      let conflict = try await client.ask("POST", "/rest/v1/vehicle_passages", body)
      #expect(conflict.status == 409 && conflict.body.contains("\"23505\""))
      let read = try await client.ask(
        "GET", "/rest/v1/vehicle_passages?select=plate_number&plate_number=eq.BA1PA1234")
      #expect(read.body == "[{\"plate_number\":\"BA1PA1234\"}]")
      #expect(read.headers["content-range"] == "0-0/*")
      let head = try await client.ask(
        "HEAD", "/rest/v1/vehicle_passages", [], [("Prefer", "count=exact")])
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers["content-range"] == "0-0/1")
      let changed = try await client.ask(
        "PATCH", "/rest/v1/vehicle_passages?plate_number=eq.BA1PA1234",
        Array("{\"vehicle_type\":\"bus\"}".utf8))
      #expect(changed.status == 204 && changed.body.isEmpty)
      let other = try await client.ask("PUT", "/rest/v1/vehicle_passages")
      #expect(other.status == 405 && other.body.contains("PGRST117"))
      let unknown = try await client.ask("GET", "/rest/v1/secrets")
      #expect(unknown.status == 404 && unknown.body.contains("PGRST205"))
    }
  }

  @Test func whoIsNotLetIn() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let path = "/rest/v1/vehicle_passages"
      let none = try await client.ask("GET", path, as: nil)
      #expect(none.status == 401 && none.body == "{\"message\":\"No API key found in request\"}")
      let old = try await client.ask("GET", path, as: "expired")
      #expect(old.status == 401 && old.body.contains("\"code\":\"PGRST303\""))
      #expect(old.headers["www-authenticate"]?.contains("JWT expired") == true)
      let anonymous = try await client.ask("GET", path, as: "anon")
      #expect(anonymous.status == 200 && anonymous.body == "[]")
      let put = try await client.ask("POST", path, Array(APIBench.passage(1).utf8), as: "anon")
      #expect(put.status == 401 && put.body.contains("42501"))
      let west = try await client.ask("POST", path, Array(APIBench.passage(1).utf8), as: "west")
      #expect(west.status == 403)
    }
  }

  @Test func functionsAnswer() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      func call(
        _ name: String, _ body: String = "", as who: String? = "east", _ method: String = "POST"
      )
        async throws -> Answer
      {
        try await client.ask(method, "/functions/v1/\(name)", Array(body.utf8), as: who)
      }
      #expect(try await call("match-passage", "{}").status == 400)
      #expect(try await call("match-passage", "nonsense").status == 400)
      #expect(try await call("match-passage", as: "anon").status == 401)
      #expect(try await call("match-passage", as: "expired").body.contains("Invalid JWT"))
      #expect(try await call("match-passage", as: "east", "GET").status == 405)
      let one = "00000000-0000-4001-8000-000000000001"
      let two = "00000000-0000-4002-8000-000000000002"
      let pair = "{\"entry_passage_id\":\"\(one)\",\"exit_passage_id\":\"\(two)\"}"
      #expect(try await call("match-passage", pair).body == "{\"error\":\"Passage not found\"}")
      #expect(try await call("check-overstay").status == 403)
      #expect(try await call("check-overstay", as: "anon").status == 401)
      let checked = try await call("check-overstay", as: "service")
      #expect(checked.status == 200 && checked.body.contains("\"alerts_created\":3"))
    }
  }
}
