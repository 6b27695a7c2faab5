import Glibc
import NodeCore
import Passages
import ServerHTTP
import Supabase
import TestSupport
import Testing
import Time

/// Calls over a real line: what is asked, and what is made of the answer.
struct CallTests {
  private let api = SupabaseAPI(
    login: SupabaseAPI.Login(user: "ram", domain: "bnp.local", password: Token("s3cret")))

  private func reply(
    to call: ServerCall, at url: String, token: Token? = nil,
    within timeout: Duration = ServerClientConformance.patience
  ) async -> ServerReply {
    let client = CurlServerClient(
      ServerEndpoint(url: url, apiKey: "key", token: "token", timeout: timeout))
    let reply = await withCheckedContinuation { continuation in
      client.call(call, by: api, token: token) { continuation.resume(returning: $0) }
    }
    client.end()
    return reply
  }

  /// What is made of an answer, and what was asked.
  private func reply(
    to call: ServerCall, answeredWith answer: String, token: Token? = nil
  ) async throws -> (reply: ServerReply, asked: String) {
    let server = try ScriptedServer(answering: answer)
    let reply = await reply(to: call, at: server.url, token: token)
    server.end()
    return (reply, server.asked.first ?? "")
  }

  private func response(
    _ status: String, _ body: String, type: String = "application/json; charset=utf-8"
  ) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nDate: Wed, 28 Feb 2024 12:30:56 GMT\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func rowsAreConnectivity() async throws {
    let (reply, asked) = try await reply(to: .probe, answeredWith: response("200 OK", "[]"))
    #expect(
      reply
        == ServerReply(.success(.done), serverTime: WallTime(epochSeconds: 1_709_123_456)))
    #expect(
      asked.hasPrefix("GET /rest/v1/vehicle_passages?select=client_id&limit=1 HTTP/1.1\r\n"))
    let lines = asked.lowercased()
    #expect(lines.contains("\r\napikey: key\r\n"))
    #expect(lines.contains("\r\nauthorization: bearer token\r\n"))
  }

  @Test func aPassageIsPushed() async throws {
    let passage = try Passage(
      recording: Plate("BA 1 PA 1234"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_709_123_456), suffix: try #require(PhoneSuffix("4567")))
    let place = ServerPlace(checkpostID: "c", segmentID: "s", rangerID: "r")
    let (reply, asked) = try await reply(
      to: .push([PassagePush(passage, at: place)]), answeredWith: response("201 Created", "[]"),
      token: Token("mine"))
    #expect(reply.result == .success(.stored([])))
    #expect(asked.hasPrefix("POST /rest/v1/vehicle_passages?on_conflict=client_id&select=id,"))
    #expect(asked.contains("\r\nPrefer: resolution=ignore-duplicates,return=representation\r\n"))
    #expect(asked.contains("\r\nAuthorization: Bearer mine\r\n"))
    #expect(asked.hasSuffix("\"vehicle_type\":\"car\"}]"))
  }

  @Test func aTokenIsAskedForWithThePassword() async throws {
    let (reply, asked) = try await reply(
      to: .signIn(.password),
      answeredWith: response(
        "400 Bad Request", #"{"code":400,"error_code":"invalid_credentials","msg":"m"}"#))
    #expect(asked.hasSuffix(#"{"email":"ram@bnp.local","password":"s3cret"}"#))
    guard case .failure(let failure) = reply.result else {
      Issue.record("\(reply)")
      return
    }
    #expect(failure.kind == .credential)
    #expect(failure.code == "invalid_credentials")
  }

  @Test func aRedirectIsNotFollowed() async throws {
    let elsewhere = try ScriptedServer(answering: response("200 OK", "[]"))
    let answer = "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n"
    let (reply, _) = try await reply(to: .probe, answeredWith: answer)
    elsewhere.end()
    #expect(elsewhere.connected == 0)
    #expect(kind(reply) == .outage(.captivePortal))
  }

  @Test func anEndlessAnswerIsNotReadWhole() async throws {
    let body = "[" + String(repeating: " ", count: 10 << 20) + "]"
    let (reply, _) = try await reply(to: .probe, answeredWith: response("200 OK", body))
    #expect(kind(reply) == .outage(.captivePortal))
  }

  @Test func noAnswerIsAnOutage() async throws {
    // The system takes the connection, and nobody reads from it.
    let silent = try ScriptedServer([.wait])
    let reply = await reply(to: .probe, at: silent.url, within: .milliseconds(200))
    silent.end()
    #expect(kind(reply) == .outage(.noAnswer))
    let (half, _) = try await self.reply(
      to: .probe,
      answeredWith:
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[")
    #expect(kind(half) == .outage(.noAnswer))
    let (taken, port) = try Sockets.bound()
    let nobody = await self.reply(to: .probe, at: "http://127.0.0.1:\(port)/")
    close(taken)
    #expect(
      nobody.result
        == .failure(
          ServerFailure(.outage(.refused), words: "no connection (connection refused)")))
  }

  @Test(arguments: ["", "nonsense", "ftp://example.org", "http://"])
  func whatIsNoAddressCannotBeAsked(_ url: String) async {
    let reply = await reply(to: .probe, at: url, within: .seconds(5))
    #expect(kind(reply) == .outage(.cannotAsk))
  }

  /// Nothing is sent when there is nothing to ask with.
  @Test func withoutAPasswordNothingIsSent() async throws {
    let server = try ScriptedServer(answering: response("200 OK", "[]"))
    let client = CurlServerClient(ServerEndpoint(url: server.url, timeout: .seconds(5)))
    let reply = await withCheckedContinuation { continuation in
      client.call(.signIn(.password), by: SupabaseAPI()) { continuation.resume(returning: $0) }
    }
    client.end()
    server.end()
    #expect(kind(reply) == .credential)
    #expect(server.connected == 0)
  }

  private func kind(_ reply: ServerReply) -> ServerFailure.Kind? {
    if case .failure(let failure) = reply.result { failure.kind } else { nil }
  }
}
