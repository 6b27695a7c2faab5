import Foundation
import Glibc
import TestSupport
import Testing

/// Another user is put on by `setpriv`, which only root can.
private let canBeAnother = geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0

/// A member of the service's group, who may use its socket and not its secrets.
@Suite(.ownThreads, .enabled(if: canBeAnother)) struct MemberTests {
  /// A user of this machine with no rights of its own.
  private static let nobody = "65534"

  private let files: ProgramFiles
  private let modem: SimulatorProcess
  private let path: String
  private let pin: String

  init() throws {
    files = try ProgramFiles()
    modem = try SimulatorProcess("+9779801000001", files)
    // What the service's group may enter.
    chmod(files.directory.path, 0o750)
    try FileManager.default.createDirectory(
      atPath: files.path("data"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    pin = try files.write("pin", "1234", permissions: 0o600)
    path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(files.path("data/node.db"))
        gateway: "+9779801000002"
        fallback_after: 0s
      modem: {port: \(modem.link), pin_file: \(pin)}
      log: {file: \(files.path("log.jsonl")), mask_key_file: \(files.path("data/mask.key"))}
      control: {socket: \(files.path("control.sock"))}
      """, permissions: 0o640)
  }

  /// Runs a command as a user of root's group, or of none that matters here.
  private func run(_ arguments: [String], group: String = "0") throws -> Program.Outcome {
    let files = try ProgramFiles()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments =
      ["--reuid", Self.nobody, "--regid", group, "--clear-groups", Program.path] + arguments
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

  @Test(.timeLimit(.minutes(15))) func theServiceServesItsGroup() throws {
    let service = try ServiceProcess(path)
    defer { service.end() }
    try service.read(until: "modem 1 can send")
    let recorded = try run(["record", "--plate", "BA 1 PA 1234", "--type", "car"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let client = try #require(recorded.lines.first)
    try service.read(until: "accepted")
    // The key of the masks is the service's alone, and what it hides is found all the same.
    let log = try run(["log", "--plate", "BA 1 PA 1234"])
    #expect(log.status == 0, "\(log.errors)")
    #expect(log.output.contains("BA1PA1234"), "\(log.output)")
    let passage = try run(["log", "--client-id", client])
    #expect(passage.status == 0 && !passage.output.isEmpty, "\(passage.errors)")
    let check = try run(["config", "check"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "\(path): valid\n")
    // What the service finds wrong of it, it says in the place of who may not look.
    try Data("12\n34\n".utf8).write(to: URL(fileURLWithPath: pin))
    let wrong = try run(["config", "check"])
    #expect(wrong.status == 78, "\(wrong.output)\(wrong.errors)")
    #expect(wrong.output.contains("\(pin) holds more than one line"))
  }

  @Test(.timeLimit(.minutes(15))) func theGroupSeesAndMendsWhatItRecorded() throws {
    let held = path + ".hold"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // Nothing leaves by itself, so that all of it is still in the hand of the ranger who recorded it.
    try Data(text.replacingOccurrences(of: "fallback_after: 0s", with: "fallback_after: 1h").utf8)
      .write(to: URL(fileURLWithPath: held))
    chmod(held, 0o640)
    let service = try ServiceProcess(held)
    defer { service.end() }
    try service.read(until: "modem 1 can send")
    func ask(_ arguments: String...) throws -> Program.Outcome {
      try run(arguments + ["--config", held])
    }
    for number in 1...4 {
      let outcome = try ask("record", "--plate", "BA 1 PA \(number)", "--type", "car")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let list = try ask("queue", "list")
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains("BA 1 PA 4"), "\(list.output)")
    let client = try #require(
      try ask("queue", "show", "3", "--json").objects().first?["client_id"] as? String)
    let corrected = try ask("queue", "correct", "1", "--plate", "BA 1 PA 9")
    #expect(
      corrected.output
        == "1 BA 1 PA 9: it is BA 1 PA 9 now, and was BA 1 PA 1; nothing of it had left\n")
    let parked = try ask("queue", "park", "2", "--reason", "to be asked about")
    #expect(parked.status == 0, "\(parked.errors)")
    #expect(try ask("queue", "show", "2").output.contains("on hold       to be asked about"))
    let withdrawn = try ask("queue", "withdraw", String(client.prefix(8)), "--reason", "wrong key")
    #expect(withdrawn.output.contains("nothing of it had left"), "\(withdrawn.errors)")
    let stuck = try ask("queue", "list", "--status", "stuck", "--json").objects()
    #expect(stuck.map { $0["queue_id"] as? Int } == [2])
    #expect(stuck.first?["remedy"] as? String == "checkpost queue retry 2")
    let done = try ask("queue", "list", "--status", "done", "--json").objects()
    #expect(done.map { $0["withdrawn_reason"] as? String } == ["wrong key"])
    let retried = try ask("queue", "retry", "2")
    #expect(retried.output.contains("no longer on hold"), "\(retried.errors)")
    #expect(try ask("queue", "retry", "3").status == 65, "what was withdrawn stays so")
    let dated = try ask("queue", "date", "4", "--at", "2026-01-01T00:00:00Z")
    #expect(dated.status == 65)
    #expect(dated.errors.contains("it has its time already"), "\(dated.errors)")
    #expect(try ask("queue", "show", "99").status == 65)
    // The database itself stays closed to it.
    service.end()
    #expect(try ask("queue", "list").status == 77)
    #expect(try ask("queue", "park", "1").status == 77)
  }

  @Test(.timeLimit(.minutes(15))) func withoutAServiceTheRightThatIsMissingIsNamed() throws {
    let check = try run(["config", "check"])
    #expect(check.status == 77, "\(check.output)\(check.errors)")
    #expect(check.errors.contains("modem.pin_file: \(pin) is not for this user to read"))
    #expect(check.errors.contains("belongs to root"))
    let record = try run(["record", "--plate", "BA 1 PA 1", "--type", "car"])
    #expect(record.status == 77, "\(record.errors)")
    #expect(
      record.errors.contains("\(files.path("data")), which belongs to root"), "\(record.errors)")
    let stranger = try run(["status"], group: Self.nobody)
    #expect(stranger.status == 77, "\(stranger.errors)")
    #expect(stranger.errors.contains("cannot be read"))
  }
}
