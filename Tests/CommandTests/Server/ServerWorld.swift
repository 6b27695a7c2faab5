import Foundation
import JSON
import Passages
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// A node with a modem and a server, all of them real: the program as a process, a modem on a pty, and a
/// server on loopback that keeps what it took on disk before it says so.
final class ServerWorld {
  let files: ProgramFiles
  let modem: SimulatorProcess
  let server: ServerSimulator
  let configuration: String

  /// - Parameters:
  ///   - node: More lines of the node's settings.
  ///   - login: How it shows who it is; nil for a name and a password.
  ///   - database: Where the node's database lies, with its photographs beside it; nil for among the files.
  ///   - way: Makes what stands between the node and the server's port; the URL where that is asked.
  init(
    _ node: String = "", sync: String = "spread: 0s", latency: Int = 0, offlineFor: String = "1s",
    timeout: String = "5s", probeEvery: String = "5s", files: ProgramFiles? = nil,
    login: [String]? = nil, database: String? = nil,
    through way: ((_ port: UInt16) throws -> String)? = nil
  ) throws {
    let files = try files ?? ProgramFiles()
    self.files = files
    modem = try SimulatorProcess(
      "+9779801000001", files, latency > 0 ? ["--latency", "\(latency)"] : [])
    server = try ServerSimulator(.pilot(), journal: files.path("server.journal"))
    try server.start()
    let password = try files.write("password", "east-gate-1\n")
    let key = try files.write("key", "model-anon-key\n")
    let shown =
      login
      ?? ["user: sita", "password_file: \(password)", "email_domain: bnp.local"]
    configuration = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(database ?? files.path("node.db"))
        gateway: "+9779801000099"
        fallback_after: 0s
        offline_for: \(offlineFor)
        probe: {every: \(probeEvery), retry_first: 1s, retry_most: 1s}
        sms: {per_minute: 60, per_day: 10000}
        \(node)
      server:
        url: \(try way?(server.port) ?? server.url)
        api_key_file: \(key)
        timeout: \(timeout)
        \(shown.joined(separator: "\n  "))
      sync: {\(sync)}
      modem: {port: \(modem.link), reopen_first: 100ms}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  func end() {
    modem.end()
    server.stop()
    server.join()
  }

  /// Records a passage; returns its identity.
  func record(_ number: Int, _ more: String...) throws -> String {
    let run = try Program.run(
      [
        "record", "--config", configuration, "--plate", "BA 1 PA \(number)", "--type", "car",
        "--phone", "4567",
      ] + more)
    #expect(run.status == 0, "\(run.errors)")
    return try #require(run.lines.first)
  }

  /// The rows of the server's passages.
  var rows: [[String: JSONValue]] {
    server.withModel { $0.rows(of: "vehicle_passages") }
  }

  /// Puts a passage into the server as the office's webhook does when its text arrives.
  func arrive(text: String) throws {
    let message = try V1Message.decode(text, window: nil)
    let row: [String: JSONValue] = [
      "client_id": .text(message.clientID.description),
      "plate_number": .text(message.plate.compact), "vehicle_type": "car",
      "checkpost_id": .text(ServerModel.Pilot.east),
      "segment_id": .text(ServerModel.Pilot.segment),
      "ranger_id": .text(ServerModel.Pilot.eastRanger), "source": "sms",
      "recorded_at": .text(WallTime(epochSeconds: message.recordedEpoch).rfc3339),
    ]
    let isTaken = server.withModel { $0.put(row, into: "vehicle_passages") }
    #expect(isTaken)
  }

  /// Asks the service how it stands until it has pulled what passed at the other post; false when it never
  /// does.
  func hasPulled() throws -> Bool {
    for _ in 0..<1_000 {
      let status = try Program.run(["status", "--json", "--config", configuration]).objects().first
      let sync = status?["sync"] as? [String: Any]
      if sync?["last_pulled_at"] is String { return true }
    }
    return false
  }

  /// How the service stands.
  func status() throws -> [String: Any] {
    try #require(
      try Program.run(["status", "--json", "--config", configuration]).objects().first)
  }

  /// Why the server is not there, by its name and in words; nil while it is.
  func outage() throws -> (name: String, words: String)? {
    let connectivity = try status()["connectivity"] as? [String: Any]
    guard let name = connectivity?["reason"] as? String else { return nil }
    return (name, connectivity?["words"] as? String ?? "")
  }

  /// One passage of the queue, as `queue show` has it.
  func show(_ client: String) throws -> [String: Any] {
    try #require(
      try Program.run(["queue", "show", client, "--json", "--config", configuration]).objects()
        .first)
  }

  /// Whether everything that was recorded is on the server, each once, and the queue knows that.
  func isComplete(_ recorded: [String]) throws -> Bool {
    let there = rows.compactMap { $0["client_id"]?.text }
    let known = try queue().filter { $0["status"] as? String == "synced" }
      .compactMap { $0["client_id"] as? String }
    return there.sorted() == recorded.sorted() && known.sorted() == recorded.sorted()
  }

  func queue() throws -> [[String: Any]] {
    try Program.run(["queue", "list", "--json", "--limit", "10000", "--config", configuration])
      .objects()
  }
}
