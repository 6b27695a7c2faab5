import Foundation
import TestSupport
import Testing

/// `modem send` by a service whose modem cannot send.
@Suite(.ownThreads) struct ModemSendTests {
  /// A service with a modem whose card wants a PIN that nobody gave.
  private final class Locked {
    let files: ProgramFiles
    let modem: SimulatorProcess
    var service: ServiceProcess
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

  @Test(arguments: [
    ("hello", "hello"), ("+", "hello"), ("12", "hello"), ("*100#", "hello"),
    ("+0779801234567", "hello"),
    ("+97798012345678901234", "hello"), ("98o1234567", "hello"), ("+9779801000002", ""),
    ("+9779801000002", "  \n "), ("+9779801000002", "\u{200B}"),
  ])
  func whatIsNoNumberOrNoTextIsRefused(_ number: String, _ text: String) throws {
    let outcome = try Program.run(["modem", "send", number, text, "--config", "/nonexistent.yaml"])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains(text == "hello" ? number : "empty"))
  }

  // The id that is told is the one that the events of its delivery carry.
  @Test(.timeLimit(.minutes(15))) func aTextIsReadFromStandardInputAndFollowedByItsNumber() throws {
    let running = try Locked([])
    try running.service.read(until: "\"modem_ready\"")
    let sent = try Program.run(
      ["modem", "send", "+9779801000001", "-", "--json", "--config", running.path],
      input: "first line\nsecond\n")
    #expect(sent.status == 0, "\(sent.errors)")
    let object = try #require(try sent.objects().first)
    let id = try #require(object["text_id"] as? Int)
    #expect(object["outcome"] as? String == "accepted")
    try running.service.read(until: "\"text_delivered\"", "\"text_id\":\(id)")
    let list = try Program.run(["modem", "texts", "--json", "--config", running.path])
    let text = try #require(try list.objects().first)
    #expect(text["text_id"] as? Int == id)
    #expect(text["text"] as? String == "first line\nsecond")
    #expect(text["state"] as? String == "accepted")
    #expect((text["message_references"] as? [Int])?.count == 1)
  }

  // It waits for a card that is unlocked later: over the end of the service and its start.
  @Test(.timeLimit(.minutes(15))) func aTextOutlivesTheService() throws {
    let locked = try Locked()
    try locked.service.read(until: "\"sim_locked\"")
    func send(_ text: String) throws -> ChildProcess {
      let process = try ChildProcess(
        Program.path, ["modem", "send", "+9779801000002", text, "--json", "--config", locked.path])
      try locked.service.read(until: "\"manual_text_waits\"")
      return process
    }
    let (first, second) = (try send("goes later"), try send("is taken back"))
    locked.service.end()
    for process in [first, second] {
      #expect(process.lines.next()?.contains("\"outcome\":\"waiting\"") == true)
      #expect(process.wait() == 0)
    }
    let waiting = try Program.run([
      "modem", "texts", "--waiting", "--json", "--config", locked.path,
    ])
    .objects()
    #expect(waiting.map { $0["state"] as? String } == ["waiting", "waiting"])
    let ids = waiting.compactMap { $0["text_id"] as? Int }
    // Without a service the store is told itself.
    let back = try Program.run([
      "modem", "texts", "--withdraw", "\(ids[0])", "--config", locked.path,
    ])
    #expect(back.status == 0, "\(back.errors)")
    let again = try Program.run([
      "modem", "texts", "--withdraw", "\(ids[0])", "--config", locked.path,
    ])
    #expect(again.status == 69)
    // A crash is no other end than that.
    locked.service = try ServiceProcess(locked.path)
    try locked.service.read(until: "\"manual_text_waits\"")
    locked.service.kill()
    locked.service = try ServiceProcess(locked.path)
    try locked.service.read(until: "\"manual_text_waits\"")
    let states = try Program.run(["modem", "texts", "--json", "--config", locked.path]).objects()
      .map { $0["state"] as? String }
    #expect(states == ["withdrawn", "waiting"])
  }
}
