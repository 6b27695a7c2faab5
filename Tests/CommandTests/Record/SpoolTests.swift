import Foundation
import Glibc
import TestSupport
import Testing

/// Another user is put on by `setpriv`, which only root can.
private let canBeAnother = geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0

/// A member of the service's group records whatever becomes of the service.
@Suite(.ownThreads, .enabled(if: canBeAnother)) struct SpoolTests {
  /// A user of this machine with no rights of its own.
  private static let nobody = "65534"

  private let files: ProgramFiles
  private let path: String
  private let text: String

  init() throws {
    files = try ProgramFiles()
    // What the service's group may enter, and nothing in it that it may write.
    chmod(files.directory.path, 0o750)
    try FileManager.default.createDirectory(
      atPath: files.path("data"), withIntermediateDirectories: false)
    chmod(files.path("data"), 0o750)
    text = """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(files.path("data/node.db"))
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}

      """
    path = try files.write("checkpost.yaml", text, permissions: 0o640)
  }

  private var spool: String { files.path("data/node.db.spool") }

  private func spooled() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: spool).sorted()
  }

  /// Records as a user of root's group.
  private func record(_ plate: String, _ more: String...) throws -> Program.Outcome {
    let files = try ProgramFiles()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments =
      ["--reuid", Self.nobody, "--regid", "0", "--clear-groups", Program.path]
      + ["record", "--plate", plate, "--type", "car"] + more
    process.environment = ["TZ": "UTC", "CHECKPOST_CONFIG": path]
    process.standardInput = files.input
    process.standardOutput = files.output
    process.standardError = files.errors
    try process.start()
    process.waitUntilExit()
    return Program.Outcome(
      status: process.terminationStatus, output: try files.text("output"),
      errors: try files.text("errors"))
  }

  private func service() throws -> ServiceProcess {
    let service = try ServiceProcess(path)
    try service.read(until: "\"node_started\"")
    return service
  }

  private func queue() throws -> [[String: Any]] {
    try Program.run(["queue", "list", "--json", "--config", path]).objects()
  }

  /// Killed, started again, stopped with a configuration that it would not start with: each passage is in
  /// the queue once, with the moment at which it was recorded.
  @Test(.timeLimit(.minutes(15))) func whatIsRecordedWithoutAServiceIsTakenInOnce() throws {
    let first = try service()
    #expect(try record("BA 1 PA 1").status == 0)
    first.kill()

    let kept = try record("BA 1 PA 2", "--json")
    #expect(kept.status == 0, "\(kept.errors)")
    let object = try #require(try kept.objects().first)
    #expect(object["outcome"] as? String == "kept")
    #expect(object["kept_in"] as? String == spool)
    let client = try #require(object["client_id"] as? String)
    let photo = files.path("photo.jpg")
    let jpeg: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x10, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00,
      0xFF,
      0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x55, 0x55, 0xFF, 0xD9,
    ]
    try Data(jpeg).write(to: URL(fileURLWithPath: photo))
    chmod(photo, 0o640)
    let plain = try record("BA 1 PA 3", "--photo", photo)
    #expect(plain.status == 0)
    #expect(plain.errors.contains("the photograph is left out: the service does not run"))
    #expect(!plain.errors.contains("permission"), "\(plain.errors)")
    #expect(plain.errors.contains("The passage is kept in \(spool)"), "\(plain.errors)")
    let waiting = try spooled()
    #expect(waiting.count == 2)
    let copy = try Data(contentsOf: URL(fileURLWithPath: "\(spool)/\(waiting[0])"))

    let second = try service()
    for _ in waiting { try second.read(until: "\"spool_taken\"") }
    #expect(try spooled().isEmpty)
    let queue = try queue()
    #expect(queue.compactMap { $0["plate_number"] as? String } == ["BA1PA1", "BA1PA2", "BA1PA3"])
    #expect(queue[1]["client_id"] as? String == client)
    #expect(queue[1]["recorded_at"] as? String == object["recorded_at"] as? String)
    second.kill()

    // As if it had ended between the commit and the removal. Beside it lies what nobody can read.
    try copy.write(to: URL(fileURLWithPath: "\(spool)/\(waiting[0])"))
    try Data("not a passage\n".utf8).write(to: URL(fileURLWithPath: "\(spool)/0-x.passages"))
    // And a configuration that names no post and has a mistake in it.
    try Data(
      (text.replacingOccurrences(
        of: "checkpost: BNP-A", with: "segment: 7\n  sms: {per_minute: many}")).utf8
    )
    .write(to: URL(fileURLWithPath: path))
    let wrong = try record("BA 1 PA 4")
    #expect(wrong.status == 0, "\(wrong.errors)")
    #expect(wrong.errors.contains("per_minute"), "\(wrong.errors)")
    #expect(wrong.errors.contains("The passage is kept in \(spool)"), "\(wrong.errors)")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    // What nobody can read is looked at first, maybe before it says that it has started.
    let third = try ServiceProcess(path)
    try third.read(untilEach: "\"node_started\"", "\"spool_unreadable\"", "\"spool_taken\"")
    third.end()
    let all = try self.queue()
    #expect(
      all.compactMap { $0["plate_number"] as? String } == ["BA1PA1", "BA1PA2", "BA1PA3", "BA1PA4"])
    #expect(all.allSatisfy { $0["checkpost"] as? String == "BNP-A" })
    #expect(try spooled() == ["0-x.passages.unreadable"])
  }

  /// Members of the group may put down anything. Whatever a file says, the service runs on, and takes in the next.
  @Test(.timeLimit(.minutes(15))) func whatAFileSaysHarmsNobody() throws {
    let first = try service()
    first.kill()
    #expect(try record("BA 1 PA 1").status == 0)
    let name = try #require(try spooled().first)
    let good = try String(contentsOfFile: "\(spool)/\(name)", encoding: .utf8)
    try FileManager.default.removeItem(atPath: "\(spool)/\(name)")
    let lines = good.split(separator: "\n").map(String.init)
    let (head, passage) = (try #require(lines.first), try #require(lines.last))
    func object(_ text: String, _ change: [String: Any]) throws -> String {
      var fields = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      for (key, value) in change { fields[key] = value }
      return String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
    }
    let photo = "\(String(repeating: "a", count: 32)).jpg"
    let hostile: [([String: Any], [String: Any])] = [
      ([:], ["photo_path": photo, "photo": [photo, Int64.max, "image/jpeg"]]),
      ([:], ["photo_path": photo, "photo": [photo, -1, "image/jpeg"]]),
      ([:], ["photo_path": "/etc/shadow", "photo": ["/etc/shadow", 9, "image/jpeg"]]),
      ([:], ["photo_path": photo, "photo": [photo, 9, "text/html"]]),
      (["wall_ms": Int64.max], ["undated": true, "recorded_at_ms": Int64.max]),
      (
        ["wall_ms": Int64.min, "boot_ns": Int64.max],
        ["recorded_at_ms": Int64.min, "undated": true]
      ),
      (["boot_ns": Int64.min], ["priority": Int64.max]),
    ]
    for (number, change) in hostile.enumerated() {
      let client = "00000000-0000-4000-8000-00000000000\(number)"
      // Twice, since sums of them may be what fails.
      let bodies = try ["a", "b"].map { copy in
        try object(
          passage,
          change.1.merging([
            "client_id": client.replacingOccurrences(of: "-4000-", with: "-4\(copy)00-"),
            "plate": "BA 1 PA 9\(number)", "given": true,
          ]) { old, _ in old })
      }
      let text = ([try object(head, change.0)] + bodies).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(spool)/00\(number).passages"))
    }
    try Data(good.utf8).write(to: URL(fileURLWithPath: "\(spool)/\(name)"))
    for _ in 1...2 {
      let service = try ServiceProcess(path)
      try service.read(until: "\"node_started\"")
      let status = try Program.run(["status", "--json", "--config", path])
      #expect(try status.objects().count == 1, "\(status.errors)")
      while try spooled().contains(where: { $0.hasSuffix(".passages") }) {
        try service.read(untilEach: "spool_")
      }
      let shown = try Program.run(["queue", "list", "--json", "--config", path])
      #expect(try shown.objects().contains { $0["plate_number"] as? String == "BA1PA1" })
      for more in [["queue", "list"], ["status"], ["doctor"]] {
        let outcome = try Program.run(more + ["--config", path])
        #expect(outcome.status < 128, "\(more): \(outcome.errors)")
      }
      service.end()
    }
    let aside = try spooled()
    #expect(aside.count == 4 && aside.allSatisfy { $0.hasSuffix(".unreadable") }, "\(aside)")
  }

  /// Where it can wait nowhere, that is what is said first.
  @Test(.timeLimit(.minutes(15))) func whatIsRecordedNowhereIsToldSo() throws {
    let outcome = try record("BA 1 PA 1")
    #expect(outcome.status == 77, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("NOT RECORDED: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("systemctl start checkpost"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    let plate = try record("BA 日 1")
    #expect(plate.errors.hasPrefix("NOT RECORDED: "), "\(plate.errors)")
    // So is a spool that nobody empties.
    try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: false)
    chmod(spool, 0o3770)
    let pad = Data(repeating: 0x20, count: 17 << 20)
    try pad.write(to: URL(fileURLWithPath: "\(spool)/padding"))
    let full = try record("BA 1 PA 1")
    #expect(full.errors.hasPrefix("NOT RECORDED: "), "\(full.errors)")
    #expect(full.errors.contains("full"), "\(full.errors)")
    #expect(try spooled() == ["padding"], "nothing half written stays")
  }
}
