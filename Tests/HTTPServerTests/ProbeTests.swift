import Glibc
import NodeCore
import ServerHTTP
import Testing

struct ProbeTests {
  /// How long an answer that does come may take: other tests may hold all threads for long.
  static let patience = Duration.seconds(600)

  func probe(_ uplink: Uplink) async -> ProbeResult {
    await withCheckedContinuation { continuation in
      uplink.probe { continuation.resume(returning: $0) }
    }
  }

  /// What a probe makes of an answer, and what it asked.
  func probe(answeredWith answer: String) async throws -> (result: ProbeResult, asked: String) {
    let server = try CannedServer()
    let uplink = Uplink(
      url: server.url, apiKey: "key", token: "token", timeout: ProbeTests.patience)
    async let asked = server.answer(answer)
    let result = await probe(uplink)
    await uplink.end()
    server.end()
    return (result, await asked)
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
    let elsewhere = try CannedServer()
    let answer = "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n"
    let (result, _) = try await probe(answeredWith: answer)
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
    let silent = try CannedServer()
    let uplink = Uplink(url: silent.url, apiKey: nil, token: nil, timeout: .milliseconds(200))
    #expect(await probe(uplink) == .unreachable(reason: "no answer in time"))
    await uplink.end()
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
    let uplink = Uplink(
      url: "http://127.0.0.1:\(port)/", apiKey: nil, token: nil, timeout: ProbeTests.patience)
    guard case .unreachable(let reason) = await probe(uplink) else {
      Issue.record("somebody is there")
      return
    }
    #expect(!reason.isEmpty)
    await uplink.end()
  }

  @Test(arguments: ["", "nonsense", "ftp://example.org", "http://"])
  func whatIsNoAddressSaysSo(_ url: String) async {
    let uplink = Uplink(url: url, apiKey: nil, token: nil, timeout: .seconds(5))
    guard case .unreachable = await probe(uplink) else {
      Issue.record("\(url) is no address")
      return
    }
    await uplink.end()
  }

  @Test func afterTheEndItIsUnreachable() async {
    let uplink = Uplink(
      url: "http://127.0.0.1:9", apiKey: nil, token: nil, timeout: .seconds(5))
    await uplink.end()
    await uplink.end()
    guard case .unreachable = await probe(uplink) else {
      Issue.record("a probe after the end")
      return
    }
  }

  /// Our own centre takes no passages over HTTP, so it is no server to be online with.
  @Test func theCentreItselfIsNoServerForPassages() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let uplink = Uplink(url: address, apiKey: nil, token: nil, timeout: ProbeTests.patience)
      let result = await withCheckedContinuation { continuation in
        uplink.probe { continuation.resume(returning: $0) }
      }
      guard case .refused(let reason) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(reason.contains("404"))
      await uplink.end()
    }
  }
}
