import Foundation
import Glibc
import Testing

/// The running service: what it is made of, and what it does when it is told to read its
/// configuration again.
@Suite(.ownThreads) struct RunTests {
  /// A thread pool of Swift's or of the system's has a monitor that wakes every second; a node on a
  /// battery has none, and what it has of threads is its own.
  @Test(.timeLimit(.minutes(15))) func aNodeHasOnlyThreadsOfItsOwn() throws {
    let files = try ProgramFiles()
    let directory = files.directory.path
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "+9779801234567"}
      modem: {port: \(directory)/modem}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """)
    let service = try ServiceProcess(path)
    // A thread has its name when it does something: the modem's finds no port, the node's no
    // connectivity, and the control socket's, the last to start, answers.
    try service.read(untilEach: "\"modem_port_closed\"", "\"offline\"")
    let status = try Program.run(["status", "--json", "--config", path]).objects().first
    #expect((status?["service"] as? [String: Any])?["running"] as? Bool == true)
    let threads = "/proc/\(service.id)/task"
    let names = try FileManager.default.contentsOfDirectory(atPath: threads).map {
      try String(contentsOfFile: "\(threads)/\($0)/comm", encoding: .utf8)
    }
    #expect(names.sorted() == ["checkpost\n", "control\n", "modem\n", "node\n"])
  }

  @Test(.timeLimit(.minutes(15))) func whatItsModemReceivedCanBeRead() throws {
    let files = try ProgramFiles()
    let modem = try SimulatorProcess("+9779801000001", files)
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      modem: {port: \(modem.link)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "\"modem_ready\"")
    let text = String(repeating: "Your balance is Rs 12. ", count: 9)
    modem.request("{\"sms\":{\"from\":\"NTC\",\"text\":\"\(text)\"}}")
    let log = try service.read(until: "\"text_received\"")
    #expect(!log.contains("balance"))
    let inbox = try Program.run(["sms", "inbox", "--json", "--config", path]).objects()
    #expect(inbox.map { $0["text"] as? String } == [text])
    #expect(inbox.first?["from"] as? String == "NTC")
    #expect(inbox.first?["modem"] as? String == "modem")
    let all = try Program.run(["sms", "inbox", "--all", "--json", "--config", path]).objects()
    #expect(all.count == 2, "both parts")
    let table = try Program.run(["sms", "inbox", "--config", path])
    #expect(table.lines.count == 3, "the head, the day, the text")
    #expect(table.lines.dropFirst().first?.hasSuffix(", times in UTC") == true)
  }

  @Test(.timeLimit(.minutes(15))) func whatNeedsAPersonStandsInTheStatus() throws {
    let files = try ProgramFiles()
    let modem = try SimulatorProcess("+9779801000001", files, ["--faults", "refuse:28:9"])
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(files.path("node.db"))
        gateway: "+9779801000009"
        fallback_after: 0s
      modem: {port: \(modem.link)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "\"modem_ready\"")
    _ = try Program.run(["record", "--plate", "BA 1 PA 1234", "--type", "CAR", "--config", path])
    try service.read(until: "\"sending_held\"")
    let status = try Program.run(["status", "--config", path])
    let alarm = try #require(
      status.lines.firstIndex { $0.hasPrefix("! ") && $0.contains("CMS 28") }, "\(status.lines)")
    let rest = status.lines[(alarm + 1)...].prefix(2)
    #expect(rest.contains { $0.hasPrefix("  → look at the modem") }, "\(status.lines)")
  }

  @Test(.timeLimit(.minutes(15))) func aModemThatWasResetGetsItsPINAgain() throws {
    let files = try ProgramFiles()
    let modem = try SimulatorProcess("+9779801000001", files, ["--pin", "1234"])
    let pin = try files.write("pin", "1234\n")
    chmod(pin, 0o600)
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      modem: {port: \(modem.link), pin_file: \(pin)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "modem 1 can send")
    _ = try Program.run(["modem", "reset", "--config", path])
    let log = try service.read(until: "modem 1 can send")
    #expect(!log.contains("sim_locked"))
  }

  @Test(.timeLimit(.minutes(15))) func aServerThatIsNamedLaterIsAsked() throws {
    let files = try ProgramFiles()
    func configuration(_ server: String) -> String {
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      server: {url: \(server)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """
    }
    let path = try files.write("checkpost.yaml", configuration("null"))
    let service = try ServiceProcess(path)
    try service.read(until: "no server is configured")
    // A port that no server has; one on this machine needs no link.
    _ = try files.write("checkpost.yaml", configuration("http://127.0.0.1:1"))
    kill(service.id, SIGHUP)
    let log = try service.read(until: "no connection (connection refused)")
    #expect(log.contains("\"settings_reloaded\""))
    #expect(!log.contains("at the next start"))
    _ = try files.write("checkpost.yaml", configuration("null"))
    kill(service.id, SIGHUP)
    try service.read(until: "no server is configured")
  }

  @Test(.timeLimit(.minutes(15))) func aChangedNumberIsMaskedInTheLog() throws {
    let files = try ProgramFiles()
    let directory = files.directory.path
    func configuration(_ gateway: String) -> String {
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "\(gateway)"}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """
    }
    let path = try files.write("checkpost.yaml", configuration("+9779801234567"))
    let service = try ServiceProcess(path)
    var log = try service.read(until: "\"offline\"")
    _ = try files.write("checkpost.yaml", configuration("+9779807654321"))
    kill(service.id, SIGHUP)
    log += try service.read(until: "\"settings_reloaded\"")
    #expect(log.contains("node.gateway"))
    #expect(!log.contains("9801234567"))
    #expect(!log.contains("9807654321"))
  }
}
