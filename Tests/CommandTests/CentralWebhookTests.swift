import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

/// A provider whose every text is refused, at a central that is a process: what it is told of before a restart, it is
/// told of after one.
@Suite(.timeLimit(.minutes(15))) struct CentralWebhookTests {
  private let path = "/functions/v1/sms-webhook"

  /// One request over a socket, and the whole answer.
  private func ask(_ socket: String, _ request: String) throws -> String {
    let connection = try UnixSocket.connect(socket)
    defer { connection.close() }
    _ = fcntl(connection.value, F_SETFL, 0)
    Sockets.write(connection.value, Array(request.utf8))
    return String(decoding: Sockets.read(connection.value), as: UTF8.self)
  }

  private func handIn(_ socket: String) throws -> String {
    let form = "MessageSid=SM1&AccountSid=AC1&From=%2B9779841114567&To=%2B15005550006&Body=hello"
    return try ask(
      socket,
      "POST \(path) HTTP/1.1\r\nHost: hooks.example.org\r\nConnection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nX-Twilio-Signature: wrong\r\n"
        + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)")
  }

  private func health(_ socket: String) throws -> String {
    try ask(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
  }

  @Test(arguments: CentralWorld.Store.here)
  func aProviderThatIsRefusedIsToldOfAfterARestartToo(_ store: CentralWorld.Store) async throws {
    let files = try ProgramFiles()
    let socket = files.path("http.sock")
    let token = try files.write("token", "12345\n")
    let configuration = try files.write(
      "office.yaml",
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        \(try await store.lines() ?? "store: sqlite")
        http: {socket: \(socket)}
        twilio:
          auth_token_files: [\(token)]
          public_urls: ["https://hooks.example.org\(path)"]
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("office.sock"))}
      """)
    if store == .postgresql {
      let made = try Program.run(["central", "migrate", "--config", configuration])
      #expect(made.status == 0, "\(made.errors)")
    }
    func told() throws -> [String: Any]? {
      let status = try Program.run(["status", "--json", "--config", configuration]).objects().first
      let problems = status?["problems"] as? [[String: Any]] ?? []
      return problems.first { $0["name"] as? String == "webhook_refused" }
    }
    /// Starts it; it listens when this returns.
    func start() throws -> ServiceProcess {
      let service = try ServiceProcess(configuration)
      try service.read(until: "\"service_started\"")
      for _ in 0..<100 where (try? health(socket)) == nil { _ = try told() }
      return service
    }
    var service = try start()
    #expect(try health(socket).contains("\"ok\""))
    for _ in 0..<3 { #expect(try handIn(socket).hasPrefix("HTTP/1.1 403 ")) }
    let before = try #require(try told())
    #expect(before["count"] as? Int == 3)
    service.end()

    service = try start()
    // It is read on central's own thread.
    var known = try told()
    for _ in 0..<100 {
      guard known == nil else { break }
      known = try told()
    }
    let after = try #require(known)
    #expect(after["count"] as? Int == 3)
    #expect(after["since"] as? String == before["since"] as? String)
    #expect(after["what"] as? String == before["what"] as? String)
    #expect(try health(socket).contains("\"degraded\""))
    #expect(try handIn(socket).hasPrefix("HTTP/1.1 403 "))
    #expect(try told()?["count"] as? Int == 4)
    service.end()
  }
}
