import Glibc
import NodeCore
import ServerHTTP
import TestSupport
import Testing

struct ProbeTests {
  func probe(_ client: any ServerClient) async -> ProbeResult {
    await withCheckedContinuation { continuation in
      client.probe { continuation.resume(returning: $0) }
    }
  }

  /// What a probe makes of an answer, and what it asked.
  func probe(answeredWith answer: String) async throws -> (result: ProbeResult, asked: String) {
    let server = try ScriptedServer(answering: answer)
    let client = client(server.url)
    let result = await probe(client)
    client.end()
    server.end()
    return (result, server.asked.first ?? "")
  }

  func client(
    _ url: String, within timeout: Duration = ServerClientConformance.patience
  ) -> CurlServerClient {
    CurlServerClient(ServerEndpoint(url: url, apiKey: "key", token: "token", timeout: timeout))
  }

  func response(
    _ status: String, _ body: String, type: String? = "application/json; charset=utf-8"
  ) -> String {
    let kind = type.map { "Content-Type: \($0)\r\n" } ?? ""
    return "HTTP/1.1 \(status)\r\n\(kind)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test(arguments: ["[]", " [ ]\n", "[{\"client_id\":\"dc136851-5076-5884-95f0-9a051d552b52\"}]"])
  func rowsAreConnectivity(_ body: String) async throws {
    let (result, asked) = try await probe(answeredWith: response("200 OK", body))
    #expect(result == .authenticated)
    #expect(
      asked.hasPrefix("GET /rest/v1/vehicle_passages?select=client_id&limit=1 HTTP/1.1\r\n"))
    let lines = asked.lowercased()
    #expect(lines.contains("\r\napikey: key\r\n"))
    #expect(lines.contains("\r\nauthorization: bearer token\r\n"))
  }

  @Test func partOfTheRowsIsConnectivityToo() async throws {
    let (result, _) = try await probe(answeredWith: response("206 Partial Content", "[]"))
    #expect(result == .authenticated)
  }

  @Test(arguments: [
    ("200 OK", "<html>Sign in</html>", "text/html"), ("200 OK", "[]", "text/html"),
    ("200 OK", "{}", "application/json"), ("200 OK", "", "application/json"),
    ("200 OK", "[", "application/json"), ("204 No Content", "", "application/json"),
    ("302 Found", "[]", "application/json"), ("401 Unauthorized", "{}", "application/json"),
    ("403 Forbidden", "{}", "application/json"), ("404 Not Found", "[]", "application/json"),
    ("500 Internal Server Error", "[]", "application/json"),
    ("503 Service Unavailable", "{}", "application/json"),
    ("511 Network Authentication Required", "[]", "application/json"),
  ])
  func anythingElseIsNone(_ status: String, _ body: String, _ type: String) async throws {
    let (result, _) = try await probe(answeredWith: response(status, body, type: type))
    guard case .refused(let reason) = result else {
      Issue.record("\(status) \(body): \(result)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(!reason.contains("token\""))
  }

  @Test func aRedirectIsNotFollowed() async throws {
    let elsewhere = try ScriptedServer(answering: response("200 OK", "[]"))
    let answer = "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n"
    let (result, _) = try await probe(answeredWith: answer)
    elsewhere.end()
    #expect(elsewhere.connected == 0)
    guard case .refused(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.contains("302"))
  }

  @Test func anEndlessAnswerIsNotReadWhole() async throws {
    let body = "[" + String(repeating: " ", count: 200_000) + "]"
    let (result, _) = try await probe(answeredWith: response("200 OK", body))
    guard case .refused = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func noAnswerIsUnreachable() async throws {
    // The system takes the connection, and nobody reads from it.
    let silent = try ScriptedServer([.wait])
    let client = client(silent.url, within: .milliseconds(200))
    #expect(await probe(client) == .unreachable(reason: "no answer in time"))
    client.end()
    silent.end()
    let (cut, _) = try await probe(answeredWith: "")
    guard case .unreachable = cut else {
      Issue.record("\(cut)")
      return
    }
    let (half, _) = try await probe(
      answeredWith:
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[")
    guard case .unreachable = half else {
      Issue.record("\(half)")
      return
    }
  }

  @Test func nobodyThereIsUnreachable() async throws {
    let (taken, port) = try Sockets.bound()
    defer { close(taken) }
    let client = client("http://127.0.0.1:\(port)/")
    guard case .unreachable(let reason) = await probe(client) else {
      Issue.record("somebody is there")
      return
    }
    #expect(reason == "no connection (connection refused)")
    client.end()
  }

  @Test(arguments: ["", "nonsense", "ftp://example.org", "http://"])
  func whatIsNoAddressSaysSo(_ url: String) async {
    let client = client(url, within: .seconds(5))
    guard case .unreachable = await probe(client) else {
      Issue.record("\(url) is no address")
      return
    }
    client.end()
  }

  @Test func afterTheEndItIsUnreachable() async {
    let client = client("http://127.0.0.1:9", within: .seconds(5))
    client.end()
    client.end()
    guard case .unreachable = await probe(client) else {
      Issue.record("a probe after the end")
      return
    }
  }

  /// Whatever goes wrong has its own words, for whoever reads the status.
  @Test func everyErrorIsTold() {
    let errors: [ServerClientError] =
      ServerPhase.allCases.map { .timedOut($0) } + [
        .unaskable(reason: "a"), .unknownName, .noConnection(reason: "b"), .untrusted(reason: "c"),
        .cutOff, .tooLong, .notHTTP, .unavailable(reason: "d"), .ended,
      ]
    let results = errors.map { ServerProbe.result(of: .failure($0)) }
    #expect(Set(results).count == errors.count)
    #expect(!results.contains(.authenticated))
  }
}
