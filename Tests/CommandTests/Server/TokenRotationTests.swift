import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// The keys of access tokens are changed by hand while the central runs: another one signs, and tokens of the last
/// one count until they end.
@Suite(.ownThreads, .enabled(if: exists("/usr/bin/openssl"), "openssl makes the keys"))
struct TokenRotationTests {
  private let files: ProgramFiles
  private let line: Line

  init() throws {
    files = try ProgramFiles()
    line = try Line(to: files.path("http.sock"))
    try write(keys: ["first"])
    for (name, command) in [
      ("first", "ecparam -name prime256v1 -genkey -noout"), ("second", "genrsa 2048"),
    ] {
      let made = try ChildProcess(
        "/bin/sh", ["-c", "umask 077; openssl \(command) > '\(files.path(name))' 2>/dev/null"],
        hearing: .nothing, environment: ["PATH": "/usr/bin:/bin"])
      #expect(made.wait() == 0)
    }
    let posts = try files.write("posts.csv", "code,name\nBNP-A,East\n")
    try central(["import", "--posts", posts])
    try central(["users", "add", "sita", "--name", "Sita", "--post", "BNP-A"], "east-gate-1\n")
  }

  private func write(keys: [String]) throws {
    _ = try files.write(
      "office.yaml",
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        photos: \(files.path("photos"))
        http:
          api: true
          socket: \(files.path("http.sock"))
          auth: {key_files: [\(keys.map { files.path($0) }.joined(separator: ", "))]}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("office.sock"))}
      """)
  }

  private func central(_ arguments: [String], _ input: String = "") throws {
    let run = try Program.run(
      ["central"] + arguments, input: input,
      environment: ["CHECKPOST_CONFIG": files.path("office.yaml")])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Changes the keys, and returns when the service has taken them up.
  private func change(_ keys: [String], of service: ServiceProcess) throws {
    try write(keys: keys)
    kill(service.id, SIGHUP)
    try service.read(until: "\"settings_reloaded\"")
  }

  /// Asks the central; the status of its answer, and what that says.
  private func ask(
    _ method: String, _ path: String, _ body: String = "", token: String? = nil
  ) throws -> (status: Int, says: JSONValue?) {
    let port = try #require(line.url.split(separator: ":").last.flatMap { UInt16($0) })
    let connection = Sockets.make()
    defer { close(connection) }
    let (isConnected, _) = Sockets.withLoopback(port) { connect(connection, $0, $1) == 0 }
    #expect(isConnected)
    let shown = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let head = """
      \(method) \(path) HTTP/1.1\r\nHost: central\r\nConnection: close\r\n\
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(shown)\r\n
      """
    Sockets.write(connection, Array((head + body).utf8))
    let answer = String(decoding: Sockets.read(connection), as: UTF8.self)
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
    let status = try #require(answer.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return (status, parts.count > 1 ? JSONText.decode(Array(parts[1].utf8)) : nil)
  }

  private func signIn() throws -> String {
    let (status, says) = try ask(
      "POST", "/auth/v1/token?grant_type=password",
      "{\"email\":\"sita@bnp.local\",\"password\":\"east-gate-1\"}")
    #expect(status == 200)
    return try #require(says?["access_token"]?.text)
  }

  /// Whether rows are read with a token.
  private func counts(_ token: String) throws -> Bool {
    try ask("GET", "/rest/v1/checkposts?select=code", token: token).status == 200
  }

  /// The algorithms of the keys that are served.
  private func served() throws -> [String] {
    let keys = try ask("GET", "/auth/v1/.well-known/jwks.json").says?["keys"]?.list ?? []
    return keys.compactMap { $0["alg"]?.text }
  }

  @Test(.timeLimit(.minutes(15))) func tokensOfTheLastKeyCountUntilItIsRemoved() throws {
    let service = try ServiceProcess(files.path("office.yaml"))
    try service.read(until: "\"service_started\"")
    // The socket has its name once it is listened at.
    for _ in 0..<1_000 where !exists(files.path("http.sock")) {
      _ = try Program.run(["status", "--config", files.path("office.yaml")])
    }
    let first = try signIn()
    #expect(try counts(first))
    #expect(try served() == ["ES256"])

    try change(["second", "first"], of: service)
    let second = try signIn()
    #expect(try counts(first) && counts(second))
    #expect(try served() == ["RS256", "ES256"])
    #expect(
      first.split(separator: ".")[0] != second.split(separator: ".")[0],
      "the header names another key")

    try change(["second"], of: service)
    #expect(try !counts(first))
    #expect(try counts(second))
    #expect(try served() == ["RS256"])
    service.end()
    line.cut()
  }
}
