import Foundation
import Testing

/// `doctor`: what is wrong, in words, each with its remedy.
@Suite(.ownThreads) struct DoctorTests {
  private func configuration(_ files: ProgramFiles, _ more: String = "") throws -> String {
    let directory = files.directory.path
    return try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "+9779801000002"}
      control: {socket: \(directory)/control.sock}
      log: {file: null, mask_key_file: null}
      \(more)
      """)
  }

  @Test func aSettingThatIsWrongEndsItAtOnce() throws {
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", "node: {checkpots: BNP-A}\n")
    let outcome = try Program.run(["doctor", "--config", path])
    #expect(outcome.status == 78)
    #expect(outcome.output.contains("BAD"))
    #expect(outcome.output.contains("checkpots"))
    #expect(outcome.errorLines.count == 1)
  }

  @Test func whatIsMissingIsNamedWithItsRemedy() throws {
    let files = try ProgramFiles()
    let path = try configuration(
      files, "modem: {port: \(files.directory.path)/modem}")
    let outcome = try Program.run(["doctor", "--config", path, "--json"])
    #expect(outcome.status == 69)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("modem port"))
    let found = try outcome.objects()
    let states = Dictionary(
      uniqueKeysWithValues: found.map {
        ($0["check"] as? String ?? "", $0["state"] as? String ?? "")
      })
    #expect(states["settings"] == "good")
    #expect(states["node_database"] == "good")
    #expect(states["service"] == "warning")
    #expect(states["server"] == "skipped")
    #expect(states["modem_port"] == "bad")
    let port = found.first { $0["check"] as? String == "modem_port" }
    #expect((port?["remedy"] as? String)?.isEmpty == false)
  }

  @Test func whatIsDoneDoesNotWaitInTheDatabase() throws {
    let files = try ProgramFiles()
    let path = try configuration(files)
    func words() throws -> String? {
      try Program.run(["doctor", "--config", path, "--json"]).objects()
        .first { $0["check"] as? String == "node_database" }?["words"] as? String
    }
    let recorded = try Program.run(
      ["record", "--config", path, "--plate", "BA 1 PA 1234", "--type", "car"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(try words()?.hasSuffix("1 waiting, 0 stuck") == true)
    let exported = try Program.run(["queue", "export", "--mark", "--config", path])
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(try words()?.hasSuffix("0 waiting, 0 stuck") == true)
  }

  @Test(.timeLimit(.minutes(15))) func aModemIsFollowedFromItsPortToATextAndBack() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess("+9779801000001", files)
    let path = try configuration(files, "modem: {port: \(simulator.link)}")
    let outcome = try Program.run(
      ["doctor", "--config", path, "--number", "+9779801000001", "--json"])
    let bad = try outcome.objects().filter { $0["state"] as? String == "bad" }
    #expect(outcome.status == 0, "\(bad)")
    let names = try outcome.objects().compactMap { finding in
      finding["state"] as? String == "good" ? finding["check"] as? String : nil
    }
    for name in [
      "modem_port", "modem_answers", "modem_sim", "modem_smsc", "modem_network", "modem_signal",
      "modem_loop",
    ] {
      #expect(names.contains(name))
    }
    // What was sent does not stay in the SIM, nor does a report on it.
    let inbox = try Program.run([
      "modem", "inbox", "--port", simulator.link, "--config", path, "--json",
    ])
    #expect(inbox.status == 0)
    #expect(inbox.output.isEmpty)
  }

  @Test(.timeLimit(.minutes(15))) func aTextGoesRoundThroughTheRunningServiceToo() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess("+9779801000001", files)
    let path = try configuration(files, "modem: {port: \(simulator.link)}")
    let service = try ServiceProcess(path)
    try service.read(until: "modem 1 can send")
    let outcome = try Program.run(
      ["doctor", "--config", path, "--number", "+9779801000001", "--json"])
    let loop = try outcome.objects().first { $0["check"] as? String == "modem_loop" }
    #expect(loop?["state"] as? String == "good", "\(outcome.output)")
    let inbox = try Program.run(["sms", "inbox", "--json", "--config", path])
    #expect(inbox.output.contains("checkpost doctor"))
    service.end()
  }

  @Test func aNumberThatIsNoneIsRefusedBeforeAnythingIsLookedAt() throws {
    let files = try ProgramFiles()
    let outcome = try Program.run(
      ["doctor", "--config", try configuration(files), "--number", "98x"])
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("checkpost: --number 98x: "), "\(outcome.errors)")
  }
}
