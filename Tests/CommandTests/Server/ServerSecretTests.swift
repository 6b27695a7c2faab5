import EventLoop
import Foundation
import ServerModel
import ServerSimulator
import Testing
import Time

/// The files of what the node shows its server: written anew, gone, or never there.
@Suite(.ownThreads) struct ServerSecretTests {
  /// A world whose node shows a token that stands in a file.
  private func world(tokenFile: String, _ files: ProgramFiles, offlineFor: String = "1h") throws
    -> ServerWorld
  {
    try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: offlineFor, files: files,
      login: ["token_file: \(tokenFile)"])
  }

  /// A JSON Web Token of the ranger, which the server takes.
  private func token(_ number: Int, _ world: ServerWorld) -> String {
    let token = Self.token(number)
    let now = SystemClocks().wall()
    world.server.withModel {
      $0.takeToken(token, of: ServerModel.Pilot.eastRanger, at: now)
    }
    return token
  }

  private static func token(_ number: Int) -> String {
    let subject = Data("{\"sub\":\"\(ServerModel.Pilot.eastRanger)\"}".utf8)
      .base64EncodedString().replacingOccurrences(of: "=", with: "")
    return "eyJhbGciOiJIUzI1NiJ9.\(subject).signature-\(number)"
  }

  private func problems(_ world: ServerWorld) throws -> [[String: Any]] {
    try (world.status()["problems"] as? [[String: Any]] ?? [])
      .filter { $0["name"] as? String == "secret_unusable" }
  }

  /// The server takes the old token no more: what waits is kept, and goes with the new one.
  @Test(.timeLimit(.minutes(15))) func aTokenThatIsReplacedIsTakenWithoutARestart() throws {
    let files = try ProgramFiles()
    let path = try files.write("token", Self.token(1) + "\n")
    let world = try world(tokenFile: path, files)
    defer { world.end() }
    let old = token(1, world)
    let service = try ServiceProcess(world.configuration)
    var recorded = [try world.record(4_000)]
    try service.read(until: "\"uploaded\"")

    world.server.withModel { $0.withdrawToken(old) }
    recorded.append(try world.record(4_001))
    let refused = try service.read(untilEach: "\"credential_refused\"", "\"impaired\"")
    #expect(refused.contains("server.token_file"))
    #expect(!refused.contains(old))
    #expect(try world.outage()?.name == "credential")
    let waiting = try world.show(recorded[1])
    #expect(waiting["status"] as? String == "pending")
    #expect(waiting["upload_attempts"] as? Int == 0, "a credential costs no attempt")

    _ = try files.write("token", token(2, world) + "\n")
    let taken = try service.read(untilEach: "\"secrets_taken\"", "\"uploaded\"")
    #expect(taken.contains("server.token_file: written anew"))
    #expect(try world.isComplete(recorded))
    #expect(try world.outage() == nil)
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "no text")
  }

  /// While the service runs it needs the file no more; that the next start will is told at once.
  @Test(.timeLimit(.minutes(15))) func aTokenFileThatGoesWhileTheServiceRunsIsMissed() throws {
    let files = try ProgramFiles()
    let path = try files.write("token", Self.token(1) + "\n")
    let world = try world(tokenFile: path, files)
    defer { world.end() }
    _ = token(1, world)
    let service = try ServiceProcess(world.configuration)
    var recorded = [try world.record(4_100)]
    try service.read(until: "\"uploaded\"")
    let manager = FileManager.default
    let ways: [(words: String, spoil: () throws -> Void)] = [
      ("does not exist", { try manager.removeItem(atPath: path) }),
      ("is empty", { _ = try files.write("token", "") }),
      ("holds more than one line", { _ = try files.write("token", "one\ntwo\n") }),
      (
        "is open to every user",
        {
          try manager.removeItem(atPath: path)
          _ = try files.write("token", "x", permissions: 0o644)
        }
      ),
      (
        "is a directory",
        {
          try manager.removeItem(atPath: path)
          try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
      ),
    ]
    for (number, way) in ways.enumerated() {
      try way.spoil()
      recorded.append(try world.record(4_101 + number))
      let log = try service.read(untilEach: "\"secret_unusable\"", "\"uploaded\"")
      #expect(log.contains(way.words), "\(log)")
      let problem = try #require(try problems(world).first)
      #expect(problem["severity"] as? String == "warning")
      #expect((problem["what"] as? String)?.contains("server.token_file: \(path)") == true)
      #expect((problem["what"] as? String)?.contains("what it held is used") == true)
    }
    try manager.removeItem(atPath: path)
    _ = try files.write("token", Self.token(1) + "\n")
    recorded.append(try world.record(4_120))
    let log = try service.read(untilEach: "\"secrets_taken\"", "\"uploaded\"")
    #expect(log.contains("can be read again"))
    #expect(try problems(world).isEmpty)
    #expect(try world.isComplete(recorded))
  }

  /// Without it at the start the node records and texts, says what it lacks, and asks nothing; the file is
  /// taken up when it comes.
  @Test(.timeLimit(.minutes(15))) func withoutATokenFileTheNodeStartsAndTexts() throws {
    let files = try ProgramFiles()
    let path = files.path("token")
    let world = try world(tokenFile: path, files, offlineFor: "1s")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(4_200)
    let log = try service.read(
      untilEach: "\"secret_unusable\"", "\"offline\"", "\"text_accepted\"")
    #expect(log.contains("server.token_file: \(path) does not exist: the server is not asked"))
    let outage = try world.outage()
    #expect(outage?.name == "cannot_ask")
    #expect(outage?.words.contains("server.token_file: \(path) does not exist") == true)
    let problem = try #require(try problems(world).first)
    #expect(problem["severity"] as? String == "critical")
    #expect(world.server.withModel { $0.requests } == 0)
    let doctor = try Program.run(["doctor", "--json", "--config", world.configuration]).objects()
    #expect(
      doctor.contains {
        $0["check"] as? String == "settings" && $0["state"] as? String == "bad"
          && ($0["words"] as? String)?.contains("\(path) does not exist") == true
      })
    let submitted = try #require(
      try world.modem.read(until: "\"submitted\"").last { $0.contains("\"submitted\"") })
    let event = try #require(
      try JSONSerialization.jsonObject(with: Data(submitted.utf8)) as? [String: Any])
    try world.arrive(text: try #require(event["text"] as? String))

    _ = try files.write("token", token(1, world) + "\n")
    let healed = try service.read(untilEach: "\"secrets_taken\"", "\"uploaded\"")
    #expect(healed.contains("\"known\":true"), "the server had it from its text")
    #expect(try problems(world).isEmpty)
    #expect(try world.isComplete([client]))
  }

  /// A server that answers questions and gives no session takes nothing, and texts leave for it.
  @Test(.timeLimit(.minutes(15))) func whileThePasswordIsWrongTextsLeave() throws {
    let files = try ProgramFiles()
    let path = try files.write("secret", "west-gate-1\n")
    let world = try ServerWorld(
      "text_when_server_down: true", sync: "spread: 0s, retry: fleet, pull: false",
      offlineFor: "20s", files: files,
      login: ["user: sita", "password_file: \(path)", "email_domain: bnp.local"])
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(until: "\"service_started\"")
    let client = try world.record(4_250)
    // Longer than it takes until a probe is answered: that refutes nothing.
    let log = try service.read(
      untilEach: "\"credential_refused\"", "\"impaired\"", "\"text_accepted\"")
    #expect(log.components(separatedBy: "\"event\":\"impaired\"").count == 2, "\(log)")
    #expect(try world.outage()?.name == "credential")
    let submitted = try #require(
      try world.modem.read(until: "\"submitted\"").last { $0.contains("\"submitted\"") })
    let event = try #require(
      try JSONSerialization.jsonObject(with: Data(submitted.utf8)) as? [String: Any])
    try world.arrive(text: try #require(event["text"] as? String))
    _ = try files.write("secret", "east-gate-1\n")
    try service.read(untilEach: "\"secrets_taken\"", "\"uploaded\"")
    #expect(try world.isComplete([client]))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "one text, once")
  }

  /// A password that is wrong is told of, costs nothing that waits, and is corrected in its file alone.
  @Test(.timeLimit(.minutes(15))) func aPasswordThatIsCorrectedIsTakenWithoutARestart() throws {
    let files = try ProgramFiles()
    let path = try files.write("secret", "west-gate-1\n")
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h", files: files,
      login: ["user: sita", "password_file: \(path)"])
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(4_300)
    let log = try service.read(until: "\"credential_refused\"")
    #expect(log.contains("does not accept the name, the password"))
    #expect(!log.contains("west-gate"))
    #expect(try world.show(client)["upload_attempts"] as? Int == 0)
    _ = try files.write("secret", "east-gate-1\n")
    try service.read(untilEach: "\"secrets_taken\"", "\"signed_in\"", "\"uploaded\"")
    #expect(try world.isComplete([client]))
  }
}
