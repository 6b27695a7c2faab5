import Foundation
import TestSupport
import Testing

@testable import checkpost

/// `central backup` and `central restore` on both stores, while a service runs.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralBackupTests {
  private let files: ProgramFiles

  init() throws {
    files = try ProgramFiles()
  }

  private func configuration(_ central: String) throws -> String {
    try files.write(
      "checkpost.yaml",
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        photos: \(files.path("photos"))
        ingress: {mode: open}
        http: {port: 0}
      \(central)
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func take(_ number: Int, _ config: String) throws {
    let line =
      #"{"provider":"twilio","provider_id":"SM\#(number)","from":"+9779841114567","#
      + #""body":"V1|BNP-A|BA1PA\#(number)|CAR|1709120000|4567","received_at":"2024-02-28T12:00:00Z"}"#
    let inbox = try files.write("inbox-\(number).jsonl", line + "\n")
    let kept = try Program.run(["central", "replay", "--from", inbox, "--config", config])
    #expect(kept.status == 0, "\(kept.errors)")
  }

  private func plates(_ config: String) throws -> [String] {
    let listed = try Program.run(["central", "passages", "--json", "--config", config])
    #expect(listed.status == 0, "\(listed.errors)")
    return try listed.objects().compactMap { $0["plate_number"] as? String }
      .map { $0.filter { $0 != " " } }.sorted()
  }

  /// The same story on each store.
  private func tellStory(_ config: String) throws {
    let posts = try files.write("posts.csv", "code,name\nBNP-A,North\n")
    let imported = try Program.run(["central", "import", "--posts", posts, "--config", config])
    #expect(imported.status == 0, "\(imported.errors)")
    try take(1234, config)
    let service = try ServiceProcess(config)
    try service.read(until: "\"service_started\"")

    let saved = files.path("saved")
    let backup = try Program.run(["central", "backup", saved, "--json", "--config", config])
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(try backup.objects().first?["passages"] as? Int == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: saved)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try Program.run(["central", "backup", saved, "--config", config]).status == 64)
    #expect(
      try Program.run(["central", "backup", saved, "--force", "--config", config]).status == 0)
    try take(1235, config)
    #expect(try plates(config) == ["BA1PA1234", "BA1PA1235"])

    // What came since would be lost: nobody is there to be asked.
    let asked = try Program.run(["central", "restore", saved, "--config", config])
    #expect(asked.status == 65)
    #expect(asked.errors.contains("add --force"), "\(asked.errors)")
    #expect(try plates(config).count == 2)

    let restored = try Program.run(
      ["central", "restore", saved, "--force", "--json", "--config", config])
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try restored.objects().first?["passages"] as? Int == 1)
    try service.read(until: "\"service_started\"")
    #expect(try plates(config) == ["BA1PA1234"])
    // The service goes on with what was put back.
    try take(1236, config)
    let status = try Program.run(["status", "--json", "--config", config]).objects().first
    let central = try #require(status?["central"] as? [String: Any])
    #expect(central["passages"] as? Int == 2)
    let told = try #require(status?["service"] as? [String: Any])
    #expect(told["configuration"] as? String == config)
    #expect(told["process"] as? Int == Int(service.id))
    #expect(told["roles"] as? [String] == ["central"])
    service.end()
  }

  @Test func aFileIsSavedAndPutBackWhileTheServiceRuns() throws {
    let config = try configuration("")
    try tellStory(config)
    let kept = files.path("central.db.before-restore-1")
    #expect(FileManager.default.fileExists(atPath: kept))
  }

  @Test(
    .enabled(if: PostgreSQLServer.binaries != nil, Comment(rawValue: PostgreSQLServer.missing)))
  func aDatabaseOfAServerIsSavedAndPutBackWhileTheServiceRuns() async throws {
    let server = try await PostgreSQLServer.shared()
    let name = try await server.makeDatabase()
    let place = "host=\(server.directory) port=\(server.port) dbname=\(name) user=\(server.owner)"
    let config = try configuration(
      """
        store: postgresql
        postgresql: {connection: "\(place)"}
      """)
    #expect(try Program.run(["central", "migrate", "--config", config]).status == 0)
    try tellStory(config)
    let other = try files.write("other", "no dump")
    let refused = try Program.run(["central", "restore", other, "--force", "--config", config])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("custom format"))
  }

  /// What lies at the default place of a role that a configuration does not have is another service's.
  @Test func noOtherRolesDatabaseIsSaved() throws {
    let node = files.path("node.db")
    let central = try files.write(
      "central.yaml",
      "roles: {central: true}\nnode: {database: \(node)}\ncentral: {database: \(files.path("c.db"))}\n"
    )
    let post = try files.write(
      "post.yaml",
      "roles: {node: true}\nnode: {checkpost: BNP-A, database: \(node)}\nlog: {mask_key_file: null}\n"
    )
    let recorded = try Program.run([
      "record", "--plate", "BA 1 PA 1", "--type", "car", "--config", post,
    ])
    #expect(recorded.status == 0, "\(recorded.errors)")
    for command in [["backup"], ["restore"]] {
      let saved = files.path("saved-\(command[0])")
      let outcome = try Program.run(command + [saved, "--config", central])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("use checkpost central \(command[0])"), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: saved))
      let other = try Program.run(["central"] + command + [saved, "--config", post])
      #expect(other.status == 64)
      #expect(other.errors.contains("use checkpost \(command[0])"), "\(other.errors)")
    }
  }
}
