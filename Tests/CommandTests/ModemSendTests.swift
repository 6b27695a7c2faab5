import Foundation
import TestSupport
import Testing

/// `modem send` by a service whose modem cannot send.
@Suite struct ModemSendTests {
  /// A service with a modem whose card wants a PIN that nobody gave.
  private final class Locked {
    let files: ProgramFiles
    let modem: SimulatorProcess
    let service: ServiceProcess
    let path: String

    init(_ options: [String] = ["--pin", "1234"]) throws {
      files = try ProgramFiles()
      modem = try SimulatorProcess("+9779801000001", files, options)
      path = try files.write(
        "checkpost.yaml",
        """
        roles: {node: true}
        node: {checkpost: BNP-A, database: \(files.path("node.db"))}
        modem: {port: \(modem.link)}
        log: {file: null, format: json, mask_key_file: null}
        control: {socket: \(files.path("control.sock"))}
        """)
      service = try ServiceProcess(path)
    }
  }

  @Test(.timeLimit(.minutes(15))) func itSaysAtOnceWhyItWaitsAndIsWithdrawnByCtrlC() throws {
    let locked = try Locked()
    try locked.service.read(until: "\"sim_locked\"")
    let process = try ChildProcess(
      Program.path, ["modem", "send", "+9779801000002", "hello", "--config", locked.path],
      hearing: .errors)
    let first = process.lines.next() ?? ""
    #expect(first.contains("PIN"))
    #expect(first.contains("Ctrl-C withdraws"))
    try locked.service.read(until: "\"manual_text_waits\"")
    process.interrupt()
    try locked.service.read(until: "\"manual_text_withdrawn\"")
    #expect(process.wait() == 75)
    #expect(process.lines.next()?.contains("withdrawn") == true)
  }

  @Test(.timeLimit(.minutes(15))) func whatIsRefusedIsNotSaidToBeTriedAgain() throws {
    let refusing = try Locked(["--faults", "refuse:38"])
    try refusing.service.read(until: "\"modem_ready\"")
    let outcome = try Program.run([
      "modem", "send", "+9779801000002", "hello", "--config", refusing.path,
    ])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("CMS 38"))
    #expect(!outcome.errors.contains("tried again"))
    #expect(outcome.errorLines.count == 1)
  }
}
