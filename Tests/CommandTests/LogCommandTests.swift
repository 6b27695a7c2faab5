import CentralCore
import CentralSQLite
import Foundation
import Log
import Settings
import TestSupport
import Testing
import Time

@Suite(.ownThreads) struct LogCommandTests {
  private let files: ProgramFiles
  private let config: String

  init() throws {
    files = try ProgramFiles()
    config = try files.write(
      "checkpost.yaml", "log: {file: \(files.path("log.jsonl")), mask_key_file: null}")
  }

  private func event(
    _ name: String, _ level: String, _ time: String, _ plate: String? = nil
  ) -> String {
    let plate = plate.map { #","plate":"\#($0)""# } ?? ""
    return #"{"event":"\#(name)","level":"\#(level)","subject":"BNP-A #17","#
      + #""time":"\#(time)","words":"words of \#(name)"\#(plate)}"# + "\n"
  }

  private func log(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["log", "--config", config] + arguments)
  }

  private func writeLog() throws {
    _ = try files.write(
      "log.jsonl.1", event("text_refused", "warning", "2026-11-20T23:59:59Z", "BA••"))
    _ = try files.write(
      "log.jsonl",
      event("text_accepted", "info", "2026-11-21T00:00:01Z", "NA••") + "garbage\n"
        + event("modem_ready", "notice", "2026-11-21T00:00:02Z"))
  }

  @Test func printsOneLineAnEventOldestFirst() throws {
    try writeLog()
    let outcome = try log()
    #expect(outcome.status == 0)
    #expect(
      outcome.lines == [
        "-- 2026-11-20, times in UTC",
        "23:59:59 W text_refused          BNP-A #17 BA••        words of text_refused",
        "-- 2026-11-21",
        "00:00:01 I text_accepted         BNP-A #17 NA••        words of text_accepted",
        "00:00:02 N modem_ready           BNP-A #17             words of modem_ready",
      ])
  }

  @Test func peopleReadTheirClockAndScriptsUTC() throws {
    try writeLog()
    let arguments = ["log", "--config", config, "--lines", "2"]
    let nepal = ["TZ": "<+0545>-05:45"]
    let shown = try Program.run(arguments, environment: nepal)
    #expect(shown.lines.first == "-- 2026-11-21, times in UTC+05:45")
    #expect(shown.lines.dropFirst().allSatisfy { $0.hasPrefix("05:45:0") }, "\(shown.output)")
    let objects = try Program.run(arguments + ["--json"], environment: nepal).objects()
    #expect(
      objects.compactMap { $0["time"] as? String } == [
        "2026-11-21T00:00:01Z", "2026-11-21T00:00:02Z",
      ])
  }

  @Test func filters() throws {
    try writeLog()
    func names(_ arguments: String...) throws -> [String] {
      let outcome = try Program.run(["log", "--config", config, "--json"] + arguments)
      #expect(outcome.status == 0)
      return try outcome.objects().compactMap { $0["event"] as? String }
    }
    #expect(try names() == ["text_refused", "text_accepted", "modem_ready"])
    #expect(try names("--level", "notice") == ["text_refused", "modem_ready"])
    #expect(try names("--event", "modem_ready", "--event", "none") == ["modem_ready"])
    #expect(try names("--since", "2026-11-21") == ["text_accepted", "modem_ready"])
    #expect(try names("--lines", "1") == ["modem_ready"])
    #expect(try names("-n", "0") == [])
    #expect(try names("--plate", "ba 1 pa 1234") == ["text_refused"])
  }

  @Test func aNameThatNoEventHasIsSaid() throws {
    try writeLog()
    let outcome = try log("--event", "text_acepted", "--event", "modem_ready")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.errorLines == [
        "checkpost: --event text_acepted: the log has no event of that name; it has modem_ready, "
          + "text_accepted, text_refused"
      ])
  }

  @Test func aLogThatIsNotThereIsSaid() throws {
    let outcome = try log()
    #expect(outcome.status == 69)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("no log file yet"))
  }

  // The office has no database of a node.
  @Test(arguments: ["--reveal", "--unmask"])
  func theOfficeRevealsPlatesFromItsOwnDatabase(option: String) throws {
    try writeLog()
    let office = try files.write(
      "office.yaml",
      """
      roles: {central: true}
      central: {database: \(files.path("central.db"))}
      log: {file: \(files.path("log.jsonl")), mask_key_file: \(files.path("mask.key"))}
      """)
    _ = try files.write("mask.key", String(repeating: "0f", count: 32) + "\n")
    #expect(try Program.run(["central", "init", "--config", office]).status == 0)
    let store = try SQLiteCentralStore(path: files.path("central.db"))
    var rules = CentralRules()
    rules.ingress = .open
    let wall = WallTime(epochSeconds: 1_709_123_500)
    _ = try store.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM1", from: "+9779841114567",
        text: "V1|BNP-A|BA1PA1234|CAR|1709120000|4567", receivedAt: wall)
    ])
    _ = try store.process(rules: rules, at: wall)
    try store.close()
    // Two machines that share the key mask a plate alike, so the one reveals what the other wrote.
    let other = try files.write("other.yaml", "log: {mask_key_file: \(files.path("mask.key"))}\n")
    let masks = try [office, other].map { path in
      Mask.keyed(
        try #require(
          try MaskKey.load(
            try LoadedSettings.load(path: path, environment: [:]), makesMissing: false))
      ).plate("BA1PA1234")
    }
    #expect(masks[0] == masks[1] && masks[0].hasPrefix("plate#"))
    let line = """
      {"time":"2026-11-21T00:00:03Z","level":"info","event":"passage_arrived","words":"x","plate":"\(masks[0])"}

      """
    let log = files.path("log.jsonl")
    _ = try files.write("log.jsonl", try String(contentsOfFile: log, encoding: .utf8) + line)
    #expect(!(try Program.run(["log", "--config", office]).output.contains("BA1PA1234")))
    let outcome = try Program.run(["log", option, "--config", office])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("text_refused"))
    #expect(outcome.output.contains("BA1PA1234"), "\(outcome.output)")
    // Nothing of it is written.
    #expect(!(try String(contentsOfFile: log, encoding: .utf8).contains("BA1PA1234")))
  }

  /// A person who follows sees the plates also of what was recorded after the command started, and after a correction.
  @Test(.timeLimit(.minutes(15))) func followingRevealsWhatIsRecordedLater() throws {
    let post = try files.write(
      "post.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      control: {socket: \(files.path("control.sock"))}
      log: {file: \(files.path("log.jsonl")), mask_key_file: \(files.path("mask.key"))}
      """)
    _ = try files.write("mask.key", String(repeating: "0f", count: 32) + "\n")
    let key = try #require(
      try MaskKey.load(
        try LoadedSettings.load(path: post, environment: [:]), makesMissing: false))
    func note(_ plate: String) throws {
      try append(
        event("passage_recorded", "info", "2026-11-21T00:00:03Z", Mask.keyed(key).plate(plate)))
    }
    func record(_ plate: String) throws -> String {
      let run = try Program.run([
        "record", "--plate", plate, "--type", "car", "--at", "2026-03-14T01:00:00Z", "--config",
        post,
      ])
      #expect(run.status == 0, "\(run.errors)")
      return try #require(run.lines.first)
    }
    _ = try files.write("log.jsonl", "")
    _ = try record("BA 1 PA 1111")
    try note("BA1PA1111")
    let process = try ChildProcess(
      Program.path, ["log", "--config", post, "--follow", "--reveal"])
    #expect(process.lines.next() == "-- 2026-11-21, times in UTC")
    #expect(process.lines.next()?.contains("BA1PA1111") == true)
    let client = try record("BA 1 PA 2222")
    try note("BA1PA2222")
    #expect(process.lines.next()?.contains("BA1PA2222") == true)
    // A plate that no passage has stays masked, and does not keep others from being shown.
    try note("BA1PA3333")
    #expect(process.lines.next()?.contains("plate#") == true)
    let corrected = try Program.run([
      "queue", "correct", client, "--plate", "BA 1 PA 4444", "--config", post,
    ])
    #expect(corrected.status == 0, "\(corrected.errors)")
    try note("BA1PA4444")
    #expect(process.lines.next()?.contains("BA1PA4444") == true)
  }

  @Test func unmaskingNeedsAKey() throws {
    try writeLog()
    let outcome = try log("--unmask")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("log.mask_key_file is null"))
  }

  @Test func followsThroughRotation() throws {
    try writeLog()
    let process = try ChildProcess(Program.path, ["log", "--config", config, "--follow"])
    #expect(process.lines.next() == "-- 2026-11-20, times in UTC")
    #expect(process.lines.next()?.contains("text_refused") == true)
    #expect(process.lines.next() == "-- 2026-11-21")
    #expect(process.lines.next()?.contains("text_accepted") == true)
    #expect(process.lines.next()?.contains("modem_ready") == true)
    try append(event("first", "info", "2026-11-21T00:00:03Z"))
    #expect(process.lines.next()?.contains("words of first") == true)
    try append(event("second", "info", "2026-11-21T00:00:04Z"))
    rename(files.path("log.jsonl.1"), files.path("log.jsonl.2"))
    rename(files.path("log.jsonl"), files.path("log.jsonl.1"))
    _ = try files.write("log.jsonl", event("third", "info", "2026-11-21T00:00:05Z"))
    #expect(process.lines.next()?.contains("words of second") == true)
    #expect(process.lines.next()?.contains("words of third") == true)
  }

  private func append(_ text: String) throws {
    let handle = try FileHandle(
      forUpdating: URL(fileURLWithPath: files.path("log.jsonl")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}
