import RestAPI
import TestSupport
import Testing

@testable import HTTPServer

/// What is described is what is answered: no other status, no other type, and 405 with the methods that there are to
/// every other method.
@Suite struct DescribedAnswerTests {
  private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"]

  private static func allowed(_ answer: Answer) -> Set<String> {
    Set(
      (answer.headers["allow"] ?? "").split(separator: ",")
        .map { String($0.filter { $0 != " " }) })
  }

  @Test func tablesAnswerAsDescribed() async throws {
    let api = try APIBench()
    let document = try #require(RestDescription.document(version: "1").object)
    let paths = try #require(document["paths"]?.object)
    #expect(document["produces"] == nil)
    try await api.bench.route { client in
      for (path, operations) in paths.sorted(by: { $0.key < $1.key }) where path != "/" {
        let described = try #require(operations.object)
        for method in Self.methods {
          guard let operation = described[method.lowercased()]?.object else {
            let answer = try await client.ask(method, "/rest/v1\(path)", as: "service")
            #expect(answer.status == 405, "\(method) \(path): \(answer.status)")
            let methods = ["OPTIONS", "HEAD"] + described.keys.map { $0.uppercased() }
            #expect(Self.allowed(answer) == Set(methods), "\(method) \(path)")
            continue
          }
          let responses = try #require(operation["responses"]?.object)
          for (prefer, type, body) in [
            ("", "application/json", "{}"), ("return=representation", "application/json", "{}"),
            ("return=minimal", "application/json", "[]"), ("count=exact", "text/csv", "id\n"),
          ] {
            let answer = try await client.ask(
              method, "/rest/v1\(path)?id=eq.00000000-0000-4000-8000-000000000000",
              Array((method == "GET" || method == "DELETE" ? "" : body).utf8), as: "service",
              [("Prefer", prefer), ("Content-Type", type)])
            let what = "\(method) \(path) \(prefer) \(body): \(answer.status) \(answer.body)"
            guard answer.status < 400 else {
              #expect(RestJSON(Array(answer.body.utf8))?.object?["message"] != nil, "\(what)")
              continue
            }
            let response = try #require(responses["\(answer.status)"]?.object, "\(what)")
            let told = answer.headers["content-type"]
            if case .list(let types)? = operation["produces"] {
              #expect(types.contains { $0.text.map { told?.hasPrefix($0) == true } ?? false })
            }
            if response["schema"] != nil {
              #expect(RestJSON(Array(answer.body.utf8)) != nil, "\(what)")
            }
            #expect((told == nil) == answer.body.isEmpty, "\(what)")
          }
        }
      }
    }
  }

  /// A passage that is put in is answered with nothing, or with the row to a caller who prefers it.
  @Test func whatIsPutInIsToldToThoseWhoPreferIt() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      for (number, prefer) in [(1, ""), (2, "return=representation")] {
        let answer = try await client.ask(
          "POST", "/rest/v1/vehicle_passages", Array(APIBench.passage(number).utf8), as: "east",
          [("Prefer", prefer), ("Content-Type", "application/json")])
        #expect(answer.status == 201)
        #expect(answer.body.isEmpty == prefer.isEmpty)
        #expect((answer.headers["content-type"] == nil) == prefer.isEmpty)
      }
    }
  }

  /// What the description rules out is refused, and what it lets be null may be.
  @Test(arguments: [
    ("list", "{\"sortBy\":[null]}", 400), ("list", "{\"sortBy\":{\"column\":5}}", 400),
    ("list", "{\"sortBy\":{\"order\":[]}}", 400), ("list-v2", "{\"with_delimiter\":{}}", 400),
    ("list-v2", "{\"limit\":\"x\"}", 400),
    ("list", "{\"sortBy\":null,\"search\":null,\"limit\":null}", 200),
    ("list-v2", "{\"with_delimiter\":null,\"cursor\":null,\"prefix\":null}", 200),
  ])
  func whatTheDescriptionRulesOut(list: String, body: String, status: Int) async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let answer = try await client.ask(
        "POST", "/storage/v1/object/\(list)/passage-photos", Array(body.utf8), as: "service")
      #expect(answer.status == status, "\(body): \(answer.body)")
    }
  }

  @Test func everythingElseIsAskedForAsDescribed() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let document = try await client.ask("GET", "/openapi.json", as: nil)
      let paths = try #require(RestJSON(Array(document.body.utf8))?.object?["paths"]?.object)
      for (path, operations) in paths.sorted(by: { $0.key < $1.key }) {
        let described = try #require(operations.object)
        let asked = path.replacing("{bucket}", with: "passage-photos")
          .replacing("{name}", with: "00000000-0000-4000-8000-000000000009.jpg")
        for method in Self.methods where described[method.lowercased()] == nil {
          let answer = try await client.ask(method, asked, as: "service")
          #expect(answer.status == 405, "\(method) \(path): \(answer.status) \(answer.body)")
          #expect(
            Self.allowed(answer) == Set(described.keys.map { $0.uppercased() }),
            "\(method) \(path): \(answer.headers["allow"] ?? "-")")
        }
      }
    }
  }
}
