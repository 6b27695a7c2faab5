import NodeCore
import ServerHTTP
import TestSupport
import Testing

/// Whom the client takes for the server, against OpenSSL's own server.
@Suite(.enabled(if: exists("/usr/bin/openssl"), "needs openssl"), .timeLimit(.minutes(15)))
struct CurlTLSTests {
  /// A server with a certificate of its own making, for 127.0.0.1.
  private final class Server {
    let certificate: String
    let pin: String
    let url: String
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    init(_ options: String = "") throws {
      directory = try TemporaryDirectory()
      certificate = directory.file("cert.pem")
      let key = directory.file("key.pem")
      let script = """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
          -subj /CN=checkpost -addext subjectAltName=IP:127.0.0.1 \
          -keyout \(key) -out \(certificate) 2>/dev/null
        echo "PIN $(openssl x509 -in \(certificate) -noout -pubkey \
          | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64)"
        exec openssl s_server -accept 127.0.0.1:0 -cert \(certificate) -key \(key) -www \(options) 2>/dev/null
        """
      process = try ChildProcess(
        "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
      let said = try process.lines.read(untilEach: [["PIN "], ["ACCEPT 127.0.0.1:"]])
      pin = try #require(said.first { $0.hasPrefix("PIN ") }).dropFirst(4).description
      let port = try #require(said.last?.split(separator: ":").last)
      url = "https://127.0.0.1:\(port)"
    }
  }

  private func ask(
    _ server: Server, _ change: (inout ServerEndpoint) -> Void = { _ in }
  ) async -> Result<ServerAnswer, ServerClientError> {
    var endpoint = ServerEndpoint(url: server.url, timeout: ServerClientConformance.patience)
    change(&endpoint)
    let client = CurlServerClient(endpoint)
    let request = ServerRequest(path: "/", answerBytes: 1 << 20)
    let outcome = await ServerClientConformance.ask(client, request)
    client.end()
    return outcome
  }

  private func isTrusted(_ outcome: Result<ServerAnswer, ServerClientError>) -> Bool? {
    switch outcome {
    case .success: true
    case .failure(.untrusted): false
    case .failure: nil
    }
  }

  @Test func onlyWhatAnAuthorityVouchesForIsTheServer() async throws {
    let server = try Server()
    // The system knows nothing of it.
    #expect(isTrusted(await ask(server)) == false)
    #expect(isTrusted(await ask(server) { $0.caFile = server.certificate }) == true)
    // With an own authority that of another server is no use.
    let other = try Server()
    #expect(isTrusted(await ask(server) { $0.caFile = other.certificate }) == false)
    // The certificate is for a number, and not for this name.
    let renamed = await ask(server) {
      $0.caFile = server.certificate
      $0.url = $0.url.split(separator: "127.0.0.1").joined(separator: "localhost")
    }
    #expect(isTrusted(renamed) == false)
  }

  @Test func aPinnedKeyIsDemanded() async throws {
    let server = try Server()
    let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    for (pins, expected) in [
      (["sha256//\(server.pin)"], true), ([wrong], false),
      ([wrong, "sha256//\(server.pin)"], true),
    ] {
      let outcome = await ask(server) {
        $0.caFile = server.certificate
        $0.pins = pins
      }
      #expect(isTrusted(outcome) == expected, "\(pins)")
    }
    // A pin is no substitute for an authority.
    #expect(isTrusted(await ask(server) { $0.pins = ["sha256//\(server.pin)"] }) == false)
  }

  @Test func anOldTLSIsNotSpoken() async throws {
    let server = try Server("-tls1_1 -cipher ALL:@SECLEVEL=0")
    #expect(isTrusted(await ask(server) { $0.caFile = server.certificate }) == false)
    let current = try Server("-tls1_2")
    #expect(isTrusted(await ask(current) { $0.caFile = current.certificate }) == true)
  }

  @Test func anAuthorityThatCannotBeReadSaysSo() async throws {
    let server = try Server()
    let outcome = await ask(server) { $0.caFile = "/nonexistent/ca.pem" }
    guard case .failure(.unaskable(let reason)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains("server.ca_file"))
  }
}
