import Log
import RestAPI
import TestSupport
import Testing

@testable import HTTPServer

/// What is asked for and there is not, or is not given: what is answered, and what is known of it afterwards.
@Suite struct RefusedRequestTests {
  private static let table = "/rest/v1/vehicle_passages"
  private static let photograph =
    "/storage/v1/object/passage-photos/00000000-0000-4001-8000-000000000001.jpg"

  private func count(_ client: RouterClient, _ name: String, _ code: String?) -> Int? {
    client.server.refusalCounts.first { $0.name == name && $0.code == code }?.count
  }

  @Test func whatIsRefusedIsCountedByItsCode() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      for _ in 0..<12 {
        _ = try await client.ask(
          "POST", Self.table, Array(APIBench.passage(1).utf8), as: "west")
      }
      _ = try await client.ask("POST", Self.table, Array("nonsense".utf8))
      _ = try await client.ask("POST", Self.photograph, Array("<html>".utf8))
      _ = try await client.ask("POST", Self.photograph, APIBench.jpeg, as: "anon")
      _ = try await client.ask("POST", "/functions/v1/match-passage", Array("{}".utf8))
      #expect(count(client, "api_refused", "42501") == 12)
      #expect(count(client, "api_refused", "PGRST102") == 1)
      #expect(count(client, "api_refused", "400") == 1)
      #expect(count(client, "storage_refused", "InvalidMimeType") == 1)
      #expect(count(client, "storage_refused", "AccessDenied") == 1)
      // A flood of them fills no log.
      let written = api.bench.log.recent.filter { $0.words.contains("(42501)") }
      #expect(written.count == Limits.loggedOfCode)
      _ = try await client.ask("GET", Self.table)
      #expect(client.server.refusalCounts.map(\.count).reduce(0, +) == 16)
    }
  }

  @Test func whoSaysThatItIsTooLargeIsToldSoAtOnce() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      for length in ["1048577", "99999999999999999999"] {
        let rows = try await client.ask("POST", Self.table, [], [("Content-Length", length)])
        #expect(rows.status == 413 && rows.body.contains("\"54001\""), "\(length)")
      }
      let photo = try await client.ask(
        "POST", Self.photograph, [],
        [("Content-Length", "9000000"), ("Content-Type", "image/jpeg")]
      )
      #expect(photo.status == 400 && photo.body.contains("\"statusCode\":\"413\""))
      let fits = try await client.ask("POST", Self.table, [], [("Content-Length", "01048576")])
      #expect(fits.status == 400)
    }
  }

  /// Over a connection, and nothing of the body is waited for.
  @Test func beforeAnyOfTheBodyIsSent() async throws {
    let api = try APIBench()
    try await api.bench.serve { address in
      let port = try address.port
      for (path, expected) in [
        (Self.table, "HTTP/1.1 413 "), (Self.photograph, "HTTP/1.1 400 "),
      ] {
        let answer = await onThread { () -> String in
          guard let connection = try? RawConnection(port) else { return "" }
          connection.send(
            "POST \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer east\r\n"
              + "Content-Length: 9000000\r\n\r\n")
          return connection.receive(answers: 1)
        }
        #expect(answer.hasPrefix(expected), "\(answer)")
      }
    }
  }

  @Test func photographsAreSlowedInTheirOwnWords() async throws {
    let api = try APIBench()
    var rules = DoorRules()
    rules.limits.writes = 1
    try await api.bench.route(rules: rules) { client in
      for path in [Self.photograph, Self.table] {
        var answers: [Answer] = []
        for _ in 0..<3 {
          answers.append(
            try await client.send(
              path, method: "POST", headers: [], [],
              from: path == Self.table ? "203.0.113.9" : "203.0.113.8"))
        }
        let last = try #require(answers.last)
        #expect(last.status == 429 && last.headers["retry-after"] != nil)
        #expect(
          last.body.contains(
            path == Self.table ? "\"over_request_rate_limit\"" : "\"code\":\"SlowDown\""))
      }
    }
  }

  @Test(arguments: [
    ("GET", "/rest/v1/rpc/x", 404, "\"PGRST202\""), ("POST", "/rest/v1/rpc/x", 404, "\"PGRST202\""),
    ("GET", "/rest/v1/a/b/c", 404, "\"message\""), ("GET", "/rest/v2/parks", 404, "\"message\""),
    ("TRACE", table, 405, "\"PGRST117\""), ("PROPFIND", table, 405, "\"PGRST117\""),
    ("OPTIONS", "/rest/v1/secrets", 404, "\"PGRST205\""), ("GET", "/nothing", 404, "\"message\""),
    ("GET", "/storage/v1/nonsense", 404, "\"statusCode\":\"404\""),
    ("POST", "/functions/v1/nothing", 404, "\"NOT_FOUND\""),
  ])
  func whatThereIsNot(method: String, path: String, status: Int, words: String) async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let answer = try await client.ask(method, path)
      #expect(answer.status == status && answer.body.contains(words), "\(answer.body)")
      #expect(RestJSON(Array(answer.body.utf8))?.object != nil)
      #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
    }
  }

  @Test func whatMayBeDoneWithATable() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let passages = try await client.ask("OPTIONS", Self.table)
      #expect(passages.status == 200)
      #expect(passages.headers["allow"]?.contains("GET,HEAD,POST,PATCH") == true)
      let parks = try await client.ask("OPTIONS", "/rest/v1/parks")
      #expect(parks.headers["allow"] == "OPTIONS,GET,HEAD,POST,PATCH,DELETE")
    }
  }
}
