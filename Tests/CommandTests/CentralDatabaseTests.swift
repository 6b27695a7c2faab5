import CentralCore
import Foundation
import TestSupport
import Testing

/// Which commands may make central's database, and which say that there is none.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralDatabaseTests {
  /// Whoever mistypes a path is not told that nothing is known.
  @Test(arguments: [
    ["erase", "--plate", "BA1PA1234", "--yes"], ["match"], ["inbox", "run"],
    ["violations", "confirm", "1", "--by", "Sita"], ["users", "disable", "sita"],
    ["keys", "revoke", "abcdefgh"], ["forwards", "--retry"], ["passages"],
  ])
  func aDatabaseThatIsMistypedIsNotMade(_ command: [String]) throws {
    let files = try ProgramFiles()
    let config = try files.write("checkpost.yaml", "")
    let path = files.path("mistyped.db")
    let outcome = try Program.run(["central"] + command + ["--database", path, "--config", config])
    #expect(outcome.status == 78, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("There is no database \(path)"))
    #expect(outcome.errors.contains("checkpost central init"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aReplayIntoItIsNone() throws {
    let files = try ProgramFiles()
    let config = try files.write("checkpost.yaml", "")
    let inbox = try files.write("inbox.jsonl", "")
    let path = files.path("mistyped.db")
    for more in [[], ["--dry-run"]] {
      let outcome = try Program.run(
        ["central", "replay", "--from", inbox, "--database", path, "--config", config] + more)
      #expect(outcome.status == 78)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func initAndImportMakeIt() throws {
    let files = try ProgramFiles()
    let config = try files.write("checkpost.yaml", "")
    let posts = try files.write("posts.csv", "code,name\nBNP-A,North\n")
    for command in [["init"], ["import", "--posts", posts]] {
      let path = files.path("\(command[0]).db")
      let outcome = try Program.run(
        ["central"] + command + ["--database", path, "--config", config])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}

/// Central's commands on PostgreSQL.
@Suite(
  .ownThreads,
  .timeLimit(.minutes(15)),
  .enabled(if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing)))
struct CentralOnServerTests {
  private let files: ProgramFiles
  private let config: String

  init() async throws {
    files = try ProgramFiles()
    let server = try await PostgreSQLServer.shared()
    let name = try await server.makeDatabase()
    let place = "host=\(server.directory) port=\(server.port) dbname=\(name) user=\(server.owner)"
    config = try files.write(
      "checkpost.yaml",
      """
      control: {socket: \(files.path("socket"))}
      central:
        store: postgresql
        postgresql: {connection: "\(place)"}
        ingress: {mode: open}
      """)
    #expect(try Program.run(["central", "migrate", "--config", config]).status == 0)
    let posts = try files.write("posts.csv", "code,name\nBNP-A,North\n")
    #expect(try run(["import", "--posts", posts]).status == 0)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["central"] + arguments + ["--config", config])
  }

  @Test func textsOfAFileAreProcessedInIt() throws {
    let line =
      #"{"provider":"twilio","provider_id":"SM1","from":"+9779841114567","#
      + #""body":"V1|BNP-A|BA1PA1234|CAR|1709120000|4567","received_at":"2024-02-28T12:00:00Z"}"#
    let file = try files.write("inbox.jsonl", line + "\n")
    // A trial leaves nothing, neither in the database nor on the disk.
    let trial = try Program.run(
      ["central", "replay", "--from", file, "--dry-run", "--json", "--config", config],
      environment: ["TMPDIR": files.directory.path])
    #expect(trial.status == 0, "\(trial.errors)")
    #expect(try trial.objects().first?["passages"] as? Int == 1)
    #expect(trial.errors.contains("what is there already counts as new"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files.directory.path)
        .contains { $0.hasPrefix("checkpost-") } == false)
    #expect(try run(["passages", "--json"]).lines.isEmpty)
    let kept = try run(["replay", "--from", file, "--json"])
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try kept.objects().first?["passages"] as? Int == 1)
    #expect(try run(["passages", "--json"]).lines.count == 1)
    #expect(try run(["replay", "--from", file, "--json"]).objects().first?["known"] as? Int == 1)
  }
}
