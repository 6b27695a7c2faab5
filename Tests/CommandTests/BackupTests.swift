import Control
import Foundation
import JSON
import NodeCore
import Passages
import SQLiteFile
import TestSupport
import Testing
import Time

@testable import Host

/// `backup` and `restore`: one file, and nothing lost that nobody was asked about.
@Suite(.ownThreads) struct BackupTests {
  private let files: ProgramFiles
  private let configuration: String

  init() throws {
    files = try ProgramFiles()
    configuration = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments + ["--config", configuration])
  }

  private func record(_ number: Int) throws {
    let outcome = try run(
      "record", "--plate", "BA 1 PA \(number)", "--type", "car", "--at", "2026-03-14T01:00:00Z")
    #expect(outcome.status == 0)
  }

  private func plates() throws -> [String] {
    try run("queue", "list", "--json").objects().compactMap { $0["plate_number"] as? String }
  }

  @Test(.timeLimit(.minutes(15))) func aRunningServiceIsSavedAndPutBack() throws {
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    try record(1)
    try record(2)
    let saved = files.path("saved.db")
    let backup = try run("backup", saved, "--json")
    #expect(backup.status == 0, "\(backup.errors)")
    let counts = try #require(try backup.objects().first)
    #expect((counts["passages"] as? Int, counts["unsynced"] as? Int) == (2, 2))
    #expect(!exists(saved + "-wal"))
    #expect(try run("backup", saved).status == 64)
    #expect(try run("backup", saved, "--force").status == 0)

    service.end()

    try record(3)
    let asked = try run("restore", saved)
    #expect(asked.status == 65)
    #expect(asked.errors.contains("1 passage in"))
    #expect(try plates() == ["BA1PA1", "BA1PA2", "BA1PA3"])

    let restored = try run("restore", saved, "--force", "--json")
    #expect(restored.status == 0, "\(restored.errors)")
    let told = try #require(try restored.objects().first)
    #expect(told["lost"] as? Int == 1)
    #expect(try plates() == ["BA1PA1", "BA1PA2"])
    // What was replaced is still there, whole.
    let kept = try #require(told["kept"] as? String)
    let before = try Program.run(
      ["queue", "list", "--json", "--config", configuration],
      environment: ["CHECKPOST_NODE_DATABASE": kept])
    #expect(try before.objects().count == 3)
  }

  @Test(.timeLimit(.minutes(15))) func theServiceGoesOnWithWhatWasPutBack() throws {
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    try record(1)
    let saved = files.path("saved.db")
    #expect(try run("backup", saved).status == 0)
    try record(2)
    // Nothing is lost that nobody agreed to, and the service was not disturbed.
    let asked = try run("restore", saved)
    #expect(asked.status == 65)
    #expect(asked.errors.contains("1 passage in"))
    try record(3)
    #expect(try plates() == ["BA1PA1", "BA1PA2", "BA1PA3"])

    let restored = try run("restore", saved, "--force", "--json")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try #require(try restored.objects().first)["lost"] as? Int == 2)
    try service.read(until: "\"store_released\"")
    try service.read(until: "\"node_started\"")
    try record(4)
    #expect(try plates() == ["BA1PA1", "BA1PA4"])
    let status = try run("status", "--json").objects().first
    #expect((status?["queue"] as? [String: Any])?["pending"] as? Int == 2)
    // Once more, and the service still ends when it is asked to.
    #expect(try run("restore", saved, "--force").status == 0)
    try service.read(until: "\"node_started\"")
    #expect(try plates() == ["BA1PA1"])
    service.end()
    #expect(try run("restore", saved).status == 0)
  }

  /// Whoever has the database leaves without a word: the service goes on, and what was recorded
  /// meanwhile waited for it.
  @Test(.timeLimit(.minutes(15))) func passagesWaitWhileTheDatabaseIsReplaced() throws {
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    try record(1)
    let database = RecordMessage.name(ofFileAt: files.path("node.db"))
    let passage = try Passage(
      recording: Plate("BA 1 PA 2"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(milliseconds: 1_773_450_000_000), suffix: .unknown)
    let waiting = try ControlClient(path: files.path("control.sock"))
    do {
      let client = try ControlClient(path: files.path("control.sock"))
      _ = try client.ask(Operations.ReleaseStore(database: database))
      #expect(try client.next(timeout: .seconds(300)) == .told(["closed": true]))
      try ServiceLock(forStoreAt: files.path("node.db")).release()
      // A second one is told to come again.
      let second = try ControlClient(path: files.path("control.sock"))
      #expect(throws: ControlRefusal.self) {
        try second.ask(Operations.ReleaseStore(database: database))
      }
      try waiting.send(RecordMessage.request([RecordRequest(passage)], database: database))
      #expect(try run("status").output.contains("another database"))
      withExtendedLifetime(client) {}
    }
    guard case .done? = try? waiting.answer(timeout: .seconds(300)) else {
      Issue.record("what was recorded meanwhile was not taken")
      return
    }
    #expect(try plates() == ["BA1PA1", "BA1PA2"])
    service.end()
  }

  @Test func whatLosesNothingIsNotAskedAbout() throws {
    try record(1)
    let saved = files.path("saved.db")
    #expect(try run("backup", saved).status == 0)
    #expect(try run("restore", saved).status == 0)
    #expect(try plates() == ["BA1PA1"])
    try FileManager.default.removeItem(atPath: files.path("node.db"))
    for end in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: files.path("node.db\(end)"))
    }
    #expect(try run("restore", saved).status == 0)
    #expect(try plates() == ["BA1PA1"])
  }

  @Test func whatIsNoBackupReplacesNothing() throws {
    try record(1)
    let text = try files.write("text", "no database")
    #expect(try run("restore", text).status == 65)
    #expect(try run("restore", files.path("missing")).status == 78)
    #expect(try run("restore", files.path("node.db")).status == 64)
    #expect(try run("backup", files.path("node.db"), "--force").status == 64)
    #expect(try plates() == ["BA1PA1"])
  }

  /// A database that is damaged is a reason to restore one; what was in it nobody knows.
  @Test func aDamagedDatabaseIsReplacedWhenAsked() throws {
    try record(1)
    let saved = files.path("saved.db")
    #expect(try run("backup", saved).status == 0)
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: files.path("node.db")))
    let asked = try run("restore", saved)
    #expect(asked.status == 65)
    #expect(asked.errors.contains("cannot be read"))
    #expect(try run("restore", saved, "--force").status == 0)
    #expect(try plates() == ["BA1PA1"])
  }
}
