import Foundation
import TestSupport
import Testing

/// `checkpost queue` as a person at the post calls it.
@Suite(.ownThreads) struct QueueCommandTests {
  let files: ProgramFiles
  let configuration: String

  init() throws {
    files = try ProgramFiles()
    let directory = files.directory.path
    configuration = try files.write(
      "checkpost.yaml",
      """
      node: {checkpost: BNP-A, gateway: "+9779800000000", database: \(directory)/node.db}
      log: {file: \(directory)/log.jsonl, format: off, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """)
  }

  private func queue(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      ["queue"] + arguments + ["--config", configuration], environment: ["TZ": "Asia/Kathmandu"])
  }

  private func record(_ count: Int) throws {
    for number in 1...count {
      let outcome = try Program.run([
        "record", "--plate", "BA 1 PA \(number)", "--type", "car", "--at",
        "\(1_767_225_600 + number * 60)", "--config", configuration,
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func theListIsInLocalTimeWithTheNewestLast() throws {
    try record(3)
    let shown = try queue("list")
    #expect(shown.lines.count == 5)
    #expect(shown.lines.first?.contains("id") == true)
    #expect(shown.lines.dropFirst().first == "-- 2026-01-01, times in UTC+05:45")
    #expect(shown.lines.last?.contains("05:48:00") == true)
    #expect(shown.lines.allSatisfy { $0.count <= 80 }, "\(shown.output)")
    let two = try queue("list", "--limit", "2")
    #expect(two.lines.count == 4)
    #expect(two.lines.last == shown.lines.last, "the newest are kept")
    #expect(two.errors.contains("the newest 2 are shown"))
    #expect(
      try queue("list", "--limit", "2", "--json").objects().map { $0["queue_id"] as? Int } == [
        2, 3,
      ])
  }

  @Test func theBeginningOfAnIdentityIsEnough() throws {
    try record(2)
    let whole = try #require(
      try queue("show", "2", "--json").objects().first?["client_id"] as? String)
    let short = String(whole.prefix(8))
    #expect(try queue("list").output.contains(short))
    #expect(try !queue("list").output.contains(whole))
    #expect(try queue("list", "--full-ids").output.contains(whole))
    #expect(try queue("show", short, "--json").objects().first?["client_id"] as? String == whole)
    #expect(try queue("show", short.uppercased(), "--json").objects().count == 1)
    #expect(try queue("show", "ab").status == 64, "too little to go by")
    #expect(try queue("show", "ffffffff-ff").status == 65)
  }

  @Test func passagesAreFoundByHowTheyStand() throws {
    try record(3)
    #expect(try queue("park", "2").status == 0)
    func numbers(_ state: String) throws -> [Int?] {
      try queue("list", "--status", state, "--json").objects().map { $0["queue_id"] as? Int }
    }
    #expect(try numbers("waiting") == [1, 3])
    #expect(try numbers("stuck") == [2])
    for state in ["sending", "sent", "done"] { #expect(try numbers(state).isEmpty) }
    let stuck = try queue("list", "--status", "stuck", "--json").objects().first
    #expect(stuck?["state"] as? String == "stuck")
    #expect(stuck?["state_reason"] as? String == "parked")
    #expect(stuck?["status"] as? String == "pending", "what scripts know stays")
  }

  @Test func whatWasExportedCanBeMarkedAndIsDone() throws {
    try record(3)
    let export = try queue("export", "--plate", "BA 1 PA 2", "--mark")
    #expect(export.status == 0)
    #expect(export.lines.count == 1)
    #expect(export.errors.contains("1 marked as handed on"))
    let done = try queue("list", "--status", "done", "--json").objects()
    #expect(done.map { $0["queue_id"] as? Int } == [2])
    #expect(done.first?["handed_on_at"] is String)
    #expect(
      try queue("export", "--status", "done", "--mark").errors.contains("1 were done already"))
    #expect(try queue("show", "2").output.contains("done: marked as handed on"))
    #expect(try queue("retry", "2").output.contains("no longer marked as handed on"))
    #expect(try queue("list", "--status", "done").lines.count == 1, "the heading alone")
  }

  @Test func anExportThatCannotBeWrittenMarksNothing() throws {
    try record(1)
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    defer { try? full.close() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["queue", "export", "--mark", "--config", configuration]
    process.standardOutput = full
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(try queue("list", "--status", "done", "--json").objects().isEmpty)
  }

  @Test func allNamesAreCheckedBeforeAnythingIsDone() throws {
    try record(2)
    #expect(try queue("park", "1", "99").status == 65)
    #expect(try queue("park", "1", "no such").status == 64)
    #expect(try queue("list", "--status", "parked", "--json").objects().isEmpty)
  }

  @Test func whatWasDoneIsSaid() throws {
    try record(1)
    let parked = try queue("park", "1", "1", "--reason", "bad plate")
    #expect(parked.lines.count == 1, "named twice, done once")
    #expect(parked.output.hasPrefix("1 BA 1 PA 1: on hold"))
    let retried = try queue("retry", "1")
    #expect(retried.status == 0)
    #expect(retried.output.contains("texted from"))
    #expect(retried.output.contains("no longer on hold"))
    let object = try #require(try queue("retry", "1", "--json").objects().first)
    #expect(object["outcome"] as? String == "retried")
    #expect(object["done"] as? Bool == true)
    #expect(object["state"] as? String == "waiting")
    let again = try #require(try queue("park", "1", "--json").objects().first)
    #expect(again["outcome"] as? String == "parked")
    #expect(again["parked_reason"] as? String == "parked by an operator")
  }

  @Test func aPlateIsCorrectedBeforeItLeaves() throws {
    try record(2)
    let corrected = try queue("correct", "1", "--plate", "BA 1 PA 7", "--type", "bus")
    #expect(corrected.status == 0, "\(corrected.errors)")
    #expect(corrected.output.contains("it is BA 1 PA 7, bus now"))
    let shown = try #require(try queue("show", "1", "--json").objects().first)
    #expect(shown["plate_number"] as? String == "BA1PA7")
    #expect(shown["vehicle_type"] as? String == "bus")
    #expect(try queue("correct", "1").status != 0)
    #expect(try queue("correct", "2", "--plate", "BA 1 PA 8", "--type", "ship").status != 0)
    #expect(try queue("conflicts").lines == ["no conflicts"])
    #expect(try queue("conflicts", "1", "--resolve", "server_wins").status != 0)
    #expect(try queue("conflicts", "1", "--resolve", "manual").status != 0)
  }

  @Test func aPassageSaysWhatItWaitsFor() throws {
    try record(1)
    let shown = try queue("show", "1")
    #expect(shown.output.contains("recorded      2026-01-01 05:46:00 (UTC+05:45)"))
    #expect(
      shown.output.contains("status        waiting: no text goes: the service does not run"))
    #expect(shown.output.contains("uploads       none: no server is set"))
    #expect(shown.output.contains("texts         central: waits"), "\(shown.output)")
    let object = try #require(try queue("show", "1", "--json").objects().first)
    #expect(object["next_text_waits_for"] as? String == "service_stopped")
    #expect(object["upload_attempts"] as? Int == 0)
    #expect(object["text_attempts"] as? Int == 0)
  }
}
