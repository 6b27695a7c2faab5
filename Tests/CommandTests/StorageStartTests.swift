import Foundation
import Glibc
import NodeCore
import NodeSQLite
import Storage
import TestSupport
import Testing
import Time

/// The service while its disk or its database is of no use for a while: it waits, and says so.
@Suite(.ownThreads) struct StorageStartTests {
  private func configuration(_ files: ProgramFiles, disk: String, log: Bool = false) throws
    -> String
  {
    try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(disk)/node.db, gateway: "+9779801000009"}
      log: {file: \(log ? "\(disk)/log.jsonl" : "null"), format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func alarms(_ configuration: String) throws -> [String] {
    let status = try Program.run(["status", "--json", "--config", configuration]).objects().first
    #expect((status?["service"] as? [String: Any])?["running"] as? Bool == true)
    return status?["alarms"] as? [String] ?? []
  }

  @Test(.timeLimit(.minutes(15))) func aDatabaseThatAnotherProcessLocksIsWaitedFor() throws {
    let files = try ProgramFiles()
    let path = try configuration(files, disk: files.directory.path)
    let store = try SQLiteNodeStore(path: files.path("node.db"), bootID: "another")
    defer { try? store.close() }
    let service = try store.transaction { transaction throws(StorageError) in
      try transaction.keepTime(.seconds(1))
      return Result {
        let service = try ServiceProcess(path)
        try service.read(until: "\"storage_awaited\"")
        #expect(try alarms(path).contains { $0.contains("locked") })
        return service
      }
    }
    try service.get().read(until: "\"node_started\"")
    #expect(try alarms(path).contains { $0.contains("locked") } == false)
  }

  @Test(.timeLimit(.minutes(15)), .enabled(if: MountedDisk.isAllowed))
  func aDiskThatIsReadOnlyIsWaitedForAtTheStart() throws {
    let files = try ProgramFiles()
    let disk = try #require(MountedDisk(kilobytes: 16_384))
    let path = try configuration(files, disk: disk.path, log: true)
    _ = try Program.run(["record", "--plate", "BA 1 PA 1", "--type", "car", "--config", path])
    try #require(disk.remount(readOnly: true))
    let service = try ServiceProcess(path)
    try service.read(until: "\"storage_awaited\"")
    #expect(try alarms(path).contains { $0.contains("read-only") })
    let doctor = try Program.run(["doctor", "--json", "--config", path])
    #expect(doctor.output.contains("read-only"))
    #expect(!doctor.output.contains("may not write"))
    try #require(disk.remount(readOnly: false))
    try service.read(until: "\"node_started\"")
    #expect(try alarms(path).contains { $0.contains("read-only") } == false)
  }

  @Test(.timeLimit(.minutes(15)), .enabled(if: MountedDisk.isAllowed))
  func aDiskThatIsFullIsWaitedForAtTheStart() throws {
    let files = try ProgramFiles()
    let disk = try #require(MountedDisk(kilobytes: 16_384))
    let path = try configuration(files, disk: disk.path, log: true)
    disk.fill()
    let service = try ServiceProcess(path)
    try service.read(until: "\"storage_awaited\"")
    #expect(try alarms(path).contains { $0.contains("no space left") })
    let doctor = try Program.run(["doctor", "--json", "--config", path])
    #expect(doctor.output.contains("0 KiB are free"))
    disk.empty()
    try service.read(until: "\"node_started\"")
    #expect(try alarms(path).contains { $0.contains("no space left") } == false)
    // What the log's file could not take then stands in it now.
    let log = try Program.run(["log", "--json", "--config", path])
    #expect(log.output.contains("storage_awaited"))
  }

  @Test(.timeLimit(.minutes(15))) func aServiceThatWaitsEndsWhenItIsAskedTo() throws {
    let files = try ProgramFiles()
    let path = try configuration(files, disk: files.directory.path)
    let store = try SQLiteNodeStore(path: files.path("node.db"), bootID: "another")
    defer { try? store.close() }
    try store.transaction { transaction throws(StorageError) in
      try transaction.keepTime(.seconds(1))
      return Result {
        let service = try ServiceProcess(path)
        try service.read(until: "\"storage_awaited\"")
        service.end()
      }
    }.get()
  }

  @Test(.timeLimit(.minutes(15))) func aStateDirectoryThatAnybodyMayWriteIsNamed() throws {
    let files = try ProgramFiles()
    let open = files.path("open")
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
    chmod(open, 0o777)
    let path = try configuration(files, disk: open)
    for command in [["config", "check"], ["doctor"]] {
      let outcome = try Program.run(command + ["--config", path])
      #expect(
        (outcome.output + outcome.errors).contains("\(open): anybody may write"), "\(command)")
    }
    let service = try ServiceProcess(path)
    try service.read(until: "anybody may write")
    chmod(open, 0o750)
    let check = try Program.run(["config", "check", "--config", path])
    #expect(!(check.output + check.errors).contains("anybody may write"))
  }
}
