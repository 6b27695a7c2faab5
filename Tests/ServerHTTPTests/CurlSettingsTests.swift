import NodeCore
import ServerHTTP
import TestSupport
import Testing

/// What the settings say of the way to the server: proxies, and what goes without TLS.
@Suite(.timeLimit(.minutes(15))) struct CurlSettingsTests {
  private func ask(
    _ url: String, _ change: (inout ServerEndpoint) -> Void = { _ in }
  ) async -> Result<ServerAnswer, ServerClientError> {
    var endpoint = ServerEndpoint(
      url: url, apiKey: "key", timeout: ServerClientConformance.patience)
    change(&endpoint)
    let client = CurlServerClient(endpoint)
    let outcome = await ServerClientConformance.ask(client)
    client.end()
    return outcome
  }

  @Test(arguments: [
    "http://server.example", "http://192.0.2.1", "http://127.0.0.1.example.org", "HTTP://8.8.8.8",
    "http://[2001:db8::1]", "http://10.0.0.1.example.org", "http://127.0.0.1@server.example",
  ])
  func withoutTLSNothingIsAskedOfStrangers(_ url: String) async {
    for isAllowed in [false, true] {
      let outcome = await ask(url) { $0.allowsPlainHTTP = isAllowed }
      guard case .failure(.unaskable(let reason)) = outcome else {
        Issue.record("\(url) was asked: \(outcome)")
        continue
      }
      #expect(reason.contains("without TLS"))
    }
  }

  @Test(arguments: ["http://10.1.2.3", "http://192.168.1.5:3000/", "http://[fd00::1]"])
  func aPrivateNetworkIsAskedWithoutTLSWhereThatIsAllowed(_ url: String) async throws {
    let refused = await ask(url)
    guard case .failure(.unaskable(let reason)) = refused else {
      Issue.record("\(url) was asked: \(refused)")
      return
    }
    #expect(reason.contains("server.allow_plain_http"))
    var endpoint = ServerEndpoint(url: url, timeout: .seconds(1))
    #expect(endpoint.plainFault != nil)
    #expect(!endpoint.isPlainOnNetwork)
    endpoint.allowsPlainHTTP = true
    #expect(endpoint.plainFault == nil)
    #expect(endpoint.isPlainOnNetwork)
    endpoint.url = "https://10.1.2.3"
    #expect(!endpoint.isPlainOnNetwork)
    endpoint.url = "http://127.0.0.1"
    #expect(!endpoint.isPlainOnNetwork)
  }

  @Test func aProxyIsAskedForTheServer() async throws {
    let proxy = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
    let outcome = await ask("http://10.255.255.1") {
      $0.allowsPlainHTTP = true
      $0.proxy = .url(proxy.url)
    }
    proxy.end()
    #expect((try? outcome.get().status) == 200)
    #expect(
      proxy.asked.first?.hasPrefix("GET http://10.255.255.1/rows?limit=1 HTTP/1.1\r\n") == true)
  }

  @Test func aProxyThatRefusesSaysSo() async throws {
    let proxy = try ScriptedServer(
      answering: "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    let outcome = await ask("https://server.example") { $0.proxy = .url(proxy.url) }
    proxy.end()
    #expect(proxy.asked.first?.hasPrefix("CONNECT server.example:443 HTTP/1.1\r\n") == true)
    // The key is for the server alone.
    #expect(proxy.asked.first?.lowercased().contains("apikey") == false)
    #expect(outcome == .failure(.noConnection(reason: "the proxy answers HTTP 407")))
    let nameless = await ask("https://server.example") {
      $0.proxy = .url("http://no-such-proxy.invalid:3128")
      $0.timeout = .seconds(5)
    }
    #expect(
      [
        .failure(.noConnection(reason: "the proxy's name is not known")),
        .failure(.timedOut(.name)),
      ].contains(nameless), "\(nameless)")
  }

  /// Without a proxy there is none, whatever is named; and this machine needs none.
  @Test func thisMachineIsAskedItself() async throws {
    for proxy in [ServerEndpoint.Proxy.none, .environment] {
      let server = try ScriptedServer(
        answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
      let outcome = await ask(server.url) { $0.proxy = proxy }
      server.end()
      #expect((try? outcome.get().status) == 200)
      #expect(server.asked.first?.hasPrefix("GET /rows?limit=1 HTTP/1.1\r\n") == true)
    }
  }

  /// A server that takes nothing of a large body, as behind a network that loses large packets.
  @Test func whatStandsStillIsGivenUp() async throws {
    let server = try ScriptedServer([.read, .wait])
    let outcome = await ask(server.url) { $0.stallTimeout = .seconds(1) }
    server.end()
    #expect(outcome == .failure(.timedOut(.answer)))
  }
}
