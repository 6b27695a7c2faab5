import Foundation
import Glibc
import JSON
import ServerModel
import ServerSimulator
import Synchronization
import TestSupport
import Testing

/// `doctor` about the server: against one that answers as the deployed one does.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct DoctorServerTests {
  /// What `doctor` finds of the server.
  private func finding(
    _ url: String, _ server: String = "", post: String = "BNP-A", password: String = "east-gate-1",
    environment: [String: String] = [:]
  ) throws -> (state: String?, words: String, remedy: String?) {
    let files = try ProgramFiles()
    let directory = files.directory.path
    _ = try files.write("key", "model-anon-key\n")
    _ = try files.write("password", "\(password)\n")
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: \(post), database: \(directory)/node.db, gateway: "+9779801000002"}
      server:
        url: "\(url)"
        api_key_file: \(directory)/key
      \(server.replacingOccurrences(of: "DIRECTORY", with: directory))
      control: {socket: \(directory)/control.sock}
      log: {file: null, mask_key_file: null}
      """)
    let found = try Program.run(
      ["doctor", "--config", path, "--json"], environment: environment
    ).objects()
      .first { $0["check"] as? String == "server" }
    return (
      found?["state"] as? String, found?["words"] as? String ?? "", found?["remedy"] as? String
    )
  }

  private static let login = "  user: sita\n  password_file: DIRECTORY/password"

  private func serve(_ body: (ServerSimulator) throws -> Void) throws {
    let server = try ServerSimulator(.pilot())
    try server.start()
    defer { server.stop() }
    try body(server)
  }

  @Test func aNodeThatIsLetInStandsAtItsPost() throws {
    try serve { server in
      let found = try finding(server.url, Self.login)
      #expect(found.state == "good")
      #expect(found.words == "answers, and lets this node in at BNP-A")
      let elsewhere = try finding(server.url, Self.login, post: "BNP-B")
      #expect(elsewhere.state == "bad")
      #expect(elsewhere.words.contains("stands at BNP-A, and this post is BNP-B"))
    }
  }

  @Test func aWrongPasswordIsNamedAndNotShown() throws {
    try serve { server in
      let found = try finding(server.url, Self.login, password: "geheim-1")
      #expect(found.state == "bad")
      #expect(found.words.contains("does not accept the name, the password"))
      #expect(!found.words.contains("geheim"))
      #expect(found.remedy?.contains("server.password_file") == true)
    }
  }

  @Test func aUserWithoutAPostIsNamed() throws {
    try serve { server in
      _ = server.withModel {
        $0.change(
          ServerModel.Pilot.eastRanger, of: "user_profiles", to: ["assigned_checkpost_id": nil])
      }
      let found = try finding(server.url, Self.login)
      #expect(found.state == "bad")
      #expect(found.words.contains("has no post"))
    }
  }

  @Test func aServerThatIsAwayIsNoFault() throws {
    let found = try finding("http://127.0.0.1:1")
    #expect(found.state == "warning")
    #expect(found.words == "no connection (connection refused)")
    let plain = try finding("http://server.example")
    #expect(plain.state == "warning")
    #expect(plain.words.contains("goes without TLS"))
  }

  /// As other programs do it: by what the environment says, unless it says otherwise of this server.
  @Test func theProxyOfTheEnvironmentIsAsked() throws {
    let (listener, port) = try Sockets.bound()
    try #require(listen(listener, 8) == 0)
    let asked = Asked()
    startThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let bytes = Sockets.read(connection) { $0.suffix(4).elementsEqual([13, 10, 13, 10]) }
        asked.note(String(decoding: bytes, as: UTF8.self))
        let answer =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
        Sockets.write(connection, Array(answer.utf8))
        close(connection)
      }
      close(listener)
    }
    defer { shutdown(listener, Int32(SHUT_RDWR)) }
    let proxy = ["http_proxy": "http://127.0.0.1:\(port)"]
    let settings = "  allow_plain_http: true"
    let found = try finding("http://10.255.255.1", settings, environment: proxy)
    #expect(found.words == "answers, and knows us")
    let request = try #require(asked.all.first)
    #expect(request.hasPrefix("GET http://10.255.255.1/rest/v1/vehicle_passages?"))
    for (more, environment) in [
      ("", proxy.merging(["no_proxy": "10.255.255.1"]) { $1 }), ("\n  proxy: none", proxy),
    ] {
      // Nobody answers there, so that it is not worth a long wait.
      let direct = try finding(
        "http://10.255.255.1", settings + "\n  connect_timeout: 1s" + more,
        environment: environment)
      // Where a network answers for everybody, it does so for this address too.
      #expect(direct.state != "good")
    }
    #expect(asked.all.count == 1)
  }

  /// What somebody was asked.
  private final class Asked: Sendable {
    private let requests = Mutex<[String]>([])

    var all: [String] { requests.withLock { $0 } }

    func note(_ request: String) {
      requests.withLock { $0.append(request) }
    }
  }
}
