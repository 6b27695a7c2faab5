import NodeCore
import ServerHTTP
import Testing

/// The port's conformance suite against libcurl, and what concerns libcurl alone.
@Suite(.timeLimit(.minutes(15))) struct CurlServerClientTests {
  let suite = ServerClientConformance { url, timeout in
    CurlServerClient(ServerEndpoint(url: url, apiKey: "key", token: "token", timeout: timeout))
  }

  @Test func anAnswerIsHandedOverWhole() async throws { try await suite.answers() }
  @Test func everyFormOfBodyIsRead() async throws { try await suite.bodies() }
  @Test func everyStatusIsAnAnswerAndNoneIsFollowed() async throws { try await suite.statuses() }
  @Test func whatIsTooLongIsNotRead() async throws { try await suite.sizes() }
  @Test func whatIsNotHTTPSaysSo() async throws { try await suite.garbage() }
  @Test func whatEndsEarlyIsCutOff() async throws { try await suite.ends() }
  @Test func whatTakesTooLongIsGivenUp() async throws { try await suite.slow() }
  @Test func aClosedDoorIsGivenUp() async throws { try await suite.closed() }
  @Test func withoutTLSThereIsNoAnswer() async throws { try await suite.encryption() }
  @Test func nobodyThereSaysSo() async throws { try await suite.nobody() }
  @Test func whatIsNoAddressSaysSo() async { await suite.addresses() }
  @Test func connectionsAreKept() async throws { try await suite.keeping() }
  @Test func manyAreAnswered() async throws { try await suite.many() }
  @Test func theEndIsTold() async throws { try await suite.ending() }

  @Test func everyMethodIsSent() async throws { try await suite.methods() }
  @Test func aRequestShowsItsOwnToken() async throws { try await suite.tokens() }
  @Test func whatIsReadOfTheHeaderIsTold() async throws { try await suite.fields() }
  @Test func aRequestHasATimeOfItsOwn() async throws { try await suite.ownTime() }
  @Test func filesAreSentWholeOrNotAtAll() async throws { try await suite.files() }

  /// A line break in a key would make a header of its own.
  @Test(arguments: ["a\r\nX: y", "a\n", "a\0b", "a\u{7F}"])
  func aKeyWithAControlCharacterIsNotSent(_ key: String) async throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\n")
    let client = CurlServerClient(
      ServerEndpoint(url: server.url, apiKey: key, timeout: .seconds(5)))
    guard case .failure(.unaskable) = await ServerClientConformance.ask(client) else {
      Issue.record("\(key.debugDescription) was sent")
      return
    }
    client.end()
    server.end()
    #expect(server.connected == 0)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(1)])
  func anyTimeIsTaken(_ timeout: Duration) async throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 204 No Content\r\n\r\n")
    let client = CurlServerClient(ServerEndpoint(url: server.url, timeout: timeout))
    _ = await ServerClientConformance.ask(client)
    client.end()
    server.end()
  }

  @Test func theLibraryIsThere() {
    #expect(curlVersion?.split(separator: ".").count == 3)
  }
}
