import Hummingbird
import NIOCore
import RestAPI
import TestSupport
import Testing

@testable import HTTPServer

/// Changes as a stream of events, and the descriptions of what is served.
@Suite struct ChangeRouteTests {
  /// Takes parts of a stream until one says what is waited for, and then goes away.
  private struct Reader: ResponseBodyWriter {
    final class Text { var text = "" }
    struct Gone: Error {}

    let read = Text()
    let end: String

    func write(_ buffer: ByteBuffer) throws {
      read.text += String(buffer: buffer)
      if read.text.contains(end) { throw Gone() }
    }
    consuming func finish(_ trailingHeaders: HTTPFields?) {}
  }

  private func stream(
    _ client: RouterClient, until end: String, after mark: String? = nil, as who: String = "east",
    query: String = ""
  ) async throws -> String {
    var fields: HTTPFields = [.authorization: "Bearer \(who)"]
    if let mark, let name = HTTPFields.Element.Name("Last-Event-ID") { fields[name] = mark }
    let request = Request(
      head: HTTPRequest(
        method: .get, scheme: "http", authority: "test", path: "/events/v1\(query)",
        headerFields: fields), body: RequestBody(buffer: ByteBuffer()))
    let response = try await client.respond(to: request)
    #expect(response.headers[.contentType] == "text/event-stream")
    let reader = Reader(end: end)
    await #expect(throws: Reader.Gone.self) { try await response.body.write(reader) }
    return reader.read.text
  }

  @Test func changesAreToldAndReadOn() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let begin = try await stream(client, until: "\n\n")
      let id = try #require(begin.firstMatch(of: /id: (\d+-\d+)/)?.1)
      func put(_ number: Int) async throws {
        let answer = try await client.ask(
          "POST", "/rest/v1/vehicle_passages",
          Array(APIBench.passage(number, "BA1PA\(number)").utf8))
        #expect(answer.status == 201)
      }
      try await put(1)
      let first = try await stream(client, until: "BA1PA1", after: String(id))
      #expect(first.contains("event: vehicle_passages\ndata: {"))
      let next = try #require(first.matches(of: /id: (\d+-\d+)\nevent/).last?.1)
      try await put(2)
      let second = try await stream(client, until: "BA1PA2", after: String(next))
      #expect(!second.contains("\"BA1PA1\""))
      // The other post's ranger sees the segment, and only what was asked for is told.
      #expect(
        try await stream(client, until: "BA1PA2", after: String(id), as: "west").contains(
          "\"BA1PA1\""))
      let reset = try await stream(client, until: "event: reset", after: "9-9")
      #expect(reset.contains("data: {}"))
      for (who, query, mark, status) in [
        ("anon", "", nil, 401), ("east", "?tables=user_profiles", nil, 404),
        ("east", "?tables=", nil, 400), ("east", "", "x", 400), ("expired", "", nil, 401),
      ] as [(String, String, String?, Int)] {
        let headers = mark.map { [("Last-Event-ID", $0)] } ?? []
        let refused = try await client.ask("GET", "/events/v1\(query)", as: who, headers)
        #expect(refused.status == status, "\(who)\(query)")
      }
    }
  }

  @Test func readersAreBounded() {
    let seats = StreamSeats()
    var held = (0..<Limits.streamsOfOne).compactMap { _ in seats.take(for: "a") }
    #expect(held.count == Limits.streamsOfOne && seats.take(for: "a") == nil)
    let others = (0..<Limits.streams).compactMap { seats.take(for: "\($0)") }
    #expect(others.count == Limits.streams - held.count && seats.take(for: "b") == nil)
    held.removeAll()
    #expect(seats.take(for: "a") != nil)
  }

  @Test func everythingThatIsServedIsDescribed() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let tables = try await client.ask("GET", "/rest/v1/", as: "anon")
      #expect(
        tables.status == 200
          && tables.headers["content-type"]?.hasPrefix("application/openapi+json") == true)
      #expect(
        tables.body.contains("\"swagger\":\"2.0\"") && tables.body.contains("/vehicle_passages"))
      #expect(try await client.ask("GET", "/rest/v1", as: nil).status == 401)
      let rest = try await client.ask("GET", "/openapi.json", as: nil)
      #expect(rest.status == 200 && rest.body.contains("/storage/v1/object/sign/{bucket}/{name}"))
      #expect(!rest.body.contains("/auth/v1"))
      for operation in StorageOperation.allCases {
        let path = operation.path.replacing("{bucket}", with: "passage-photos")
          .replacing("{name}", with: "a.jpg")
        let parts = path.split(separator: "/").map(String.init)
        #expect(
          StorageOperation.found(operation.method, parts)?.operation == operation, "\(operation)")
      }
    }
  }
}
