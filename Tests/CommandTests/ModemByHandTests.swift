import Foundation
import TestSupport
import Testing

/// Modems by hand, on simulated ones.
@Suite(.ownThreads) struct ModemByHandTests {
  /// A simulator with two modems, for as long as a test holds it.
  private struct Simulator {
    private let process: SimulatorProcess

    init(_ options: [String] = []) throws {
      process = try SimulatorProcess(
        ["+9779801000001", "+9779801000002"], ProgramFiles(), options)
      process.hand { _ in }
    }

    func run(_ arguments: String..., modem: Int = 0) throws -> Program.Outcome {
      try Program.run(["modem"] + arguments + ["--port", process.links[modem]])
    }
  }

  @Test func aTextIsSentAndRead() throws {
    let simulator = try Simulator()
    let sent = try simulator.run("send", "+9779801000002", "नमस्ते from A", "--json")
    #expect(sent.status == 0)
    #expect(try sent.objects().first?["message_references"] as? [Int] == [0])
    let inbox = try simulator.run("inbox", "--json", modem: 1)
    let message = try #require(try inbox.objects().first)
    #expect(message["text"] as? String == "नमस्ते from A")
    #expect(message["number"] as? String == "+9779801000001")
    #expect(try simulator.run("inbox", "--delete", modem: 1).lines.count == 2)
    #expect(try simulator.run("inbox", "--json", modem: 1).output.isEmpty)
  }

  // Before the modem is touched: its port need not even be there.
  @Test func aTextThatBecomesTooManyMessagesIsRefusedAtOnce() throws {
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", "modem: {message_parts: 1}\n")
    let outcome = try Program.run([
      "modem", "send", "+9779801000002", String(repeating: "A", count: 161), "--port",
      files.path("nowhere"), "--config", path,
    ])
    #expect(outcome.status == 65)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("161 septets"))
    #expect(outcome.errors.contains("1 is allowed"))
  }

  @Test(.timeLimit(.minutes(15))) func theServiceRefusesItToo() throws {
    let files = try ProgramFiles()
    let modem = try SimulatorProcess("+9779801000001", files)
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      modem: {port: \(modem.link), message_parts: 1}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "\"modem_ready\"")
    let long = try Program.run([
      "modem", "send", "+9779801000002", String(repeating: "ब", count: 71), "--config", path,
    ])
    #expect(long.status == 65)
    #expect(long.errors.contains("71 UTF-16 units"))
    let short = try Program.run(["modem", "send", "+9779801000002", "short", "--config", path])
    #expect(short.status == 0, "\(short.errors)")
  }

  @Test func theNetworkIsAskedByUSSD() throws {
    let simulator = try Simulator()
    let refused = try simulator.run("ussd", "AT+CFUN=0")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("digits, * and #"))
    let unknown = try simulator.run("ussd", "*5#")
    #expect(unknown.status == 69)
    #expect(unknown.errors.contains("does not know this code"))
    let answer = try simulator.run("ussd", "*901#", "--json")
    #expect(answer.status == 0)
    #expect((try answer.objects().first?["text"] as? String)?.isEmpty == false)
  }

  @Test func aModemIsRestartedByHand() throws {
    let simulator = try Simulator()
    let reset = try simulator.run("reset")
    #expect(reset.status == 0, "\(reset.errors)")
    #expect(reset.output.contains("done: restart"))
    let none = try simulator.run("reset", "--step", "power_cycle")
    #expect(none.status == 75)
    #expect(none.errors.contains("modem.power_command"))
    #expect(try simulator.run("reset", "--step", "hammer").status == 64)
  }

  @Test func aTraceShowsWhatWasSaidAndNoNumbers() throws {
    let simulator = try Simulator()
    let trace = try simulator.run("trace")
    #expect(trace.lines.first == "# checkpost modem trace 1")
    #expect(trace.output.contains("> \"AT+CGSN\\r\""))
    let whole = try simulator.run("trace", "--whole")
    let number = try #require(
      try simulator.run("info", "--json").objects().first?["imei"] as? String)
    #expect(whole.output.contains(number))
    #expect(!trace.output.contains(number))
  }

  @Test func noTwoModemsHaveTheSameNumbers() throws {
    let simulator = try Simulator()
    let modems = try [0, 1].map {
      try #require(try simulator.run("info", "--json", modem: $0).objects().first)
    }
    #expect(modems.map { $0["imei"] as? String } == ["356938030000013", "356938030000021"])
    #expect(modems.map { $0["imsi"] as? String } == ["429029801000001", "429029801000002"])
  }

  @Test func aModemTellsWhatItIs() throws {
    let simulator = try Simulator(["--profile", "huawei"])
    let information = try #require(try simulator.run("info", "--json").objects().first)
    #expect(information["manufacturer"] as? String == "huawei")
    #expect(information["registration"] as? String == "home")
    #expect(information["can_send"] as? Bool == true)
    let answer = try simulator.run("at", "AT+CSQ")
    #expect(answer.status == 0)
    #expect(answer.lines.last == "OK")
    let refused = try simulator.run("at", "AT+NOPE")
    #expect(refused.status == 69)
    #expect(refused.lines == ["ERROR"])
    #expect(refused.errorLines.count == 1)
    #expect(refused.errors.contains("AT+NOPE: the modem answers ERROR"))
    let object = try simulator.run("at", "AT+NOPE", "--json")
    #expect(object.errorLines.count == 1)
    #expect(try object.objects().first?["final"] as? String == "ERROR")
  }

  // A modem that waits for a message would take the next command for it.
  @Test(arguments: ["AT+CMGS=10", "AT+CSQ;+CMGS=10", "at+csq; +cmgw = 10", "FOO", "AT\u{1A}"])
  func aLineThatMustNotBeWrittenIsRefused(line: String) throws {
    let outcome = try Program.run(["modem", "at", line, "--port", "/dev/nothing-here"])
    #expect(outcome.status == 64)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.output.isEmpty)
  }

  @Test func aRefusalSaysWhatHelps() throws {
    let simulator = try Simulator(["--faults", "refuse:38"])
    let outcome = try simulator.run("send", "+9779801000002", "hello")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("CMS 38 network out of order"))
    let wrong = try simulator.run("send", "12x", "hello")
    #expect(wrong.status == 64)
  }

  @Test func aLockedSIMIsExplained() throws {
    let simulator = try Simulator(["--pin", "1234"])
    let outcome = try simulator.run("send", "+9779801000002", "hello")
    #expect(outcome.status == 75)
    #expect(outcome.errors.contains("PIN"))
  }

  @Test(.timeLimit(.minutes(15))) func thePlugIsPulledInTheMiddleOfACommand() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess(
      "+9779801000001", files, ["--faults", "unplug_renamed:1"])
    let outcome = try Program.run(["modem", "at", "--port", simulator.link, "AT+CSQ"])
    #expect(outcome.status != 0)
    try simulator.expect("\"event\":\"closed\"")
    let line = try simulator.expect("\"event\":\"ready\"")
    #expect(line.contains("-renamed"))
    let again = try Program.run(["modem", "at", "--port", simulator.link + "-renamed", "AT+CSQ"])
    #expect(again.lines.last == "OK")
  }

  @Test func theBalanceIsAskedFor() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess(
      "+9779801000001", files, ["--faults", "credit:3", "--balance-code", "*123#"])
    let outcome = try Program.run([
      "modem", "at", "--port", simulator.link, "AT+CUSD=1,\"*123#\",15",
    ])
    #expect(outcome.lines.last == "OK")
  }

  @Test(.timeLimit(.minutes(15))) func aRecordingIsReplayed() throws {
    let files = try ProgramFiles()
    let script = try files.write(
      "recorded.trace",
      """
      # checkpost modem trace 1
      0 < "\\r\\nRDY\\r\\n"
      500 > "AT+CSQ\\r"
      510 < "\\r\\n+CSQ: 7,99\\r\\n"
      530 < "\\r\\nOK\\r\\n"

      """)
    let simulator = try SimulatorProcess("+9779801000001", files, ["--script", script])
    let port = try PortByHand(simulator.link)
    try port.write("AT\r")
    let line = try simulator.expect("\"event\":\"script_differs\"")
    #expect(line.contains("\"expected\":\"AT+CSQ\\\\r\""))
    #expect(line.contains("\"written\":\"AT\\\\r\""))
    try port.write("AT+CSQ\r")
    try simulator.expect("\"event\":\"script_done\"")
    #expect(try port.read(until: "OK\r\n").hasSuffix("\r\n+CSQ: 7,99\r\n\r\nOK\r\n"))
    let broken = try files.write("broken.trace", "# checkpost modem trace 1\n1 > AT\n")
    let outcome = try Program.run(["simulate", "--script", broken])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("broken.trace, line 2 "))
    #expect(try Program.run(["simulate", "--script", "/nonexistent"]).status == 74)
  }

  @Test(.timeLimit(.minutes(15))) func aDeafModemHearsWhenItsPortIsOpenedAnew() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess("+9779801000001", files, ["--trace"])
    let first = try PortByHand(simulator.link)
    try first.write("ATE0\r")
    _ = try first.read(until: "OK\r\n")
    simulator.request("{\"fault\":\"deaf_after:0\"}")
    try simulator.expect("\"event\":\"fault\"")
    try first.write("AT+CSQ\r")
    try simulator.expect("AT+CSQ")
    let second = try PortByHand(simulator.link)
    try second.write("AT+CGMM\r")
    #expect(try second.read(until: "OK\r\n") == "\r\nSimulated modem\r\n\r\nOK\r\n")
    withExtendedLifetime(first) {}
  }

  @Test(
    .timeLimit(.minutes(15)),
    arguments: [
      "sim_removed:3", "mute", "refuse:38:2", "unplug_renamed:1", "nul", "storage_full:4",
      "refuse_number:+9779801000009:38",
    ])
  func aFaultIsToldAsItIsAskedFor(fault: String) throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess("+9779801000001", files)
    simulator.request("{\"fault\":\"\(fault)\"}")
    try simulator.expect("\"fault\":\"\(fault)\"")
  }

  @Test func aRequestForNoFaultIsExplained() throws {
    let process = try ChildProcess(Program.path, ["simulate"], hearing: .errors)
    process.say("{\"fault\":\"nope\"}\n")
    let words = process.lines.next() ?? ""
    #expect(words.contains("nope: there is no such fault"))
    #expect(words.contains("--faults"))
  }

  @Test func simulatorOptionsAreChecked() throws {
    for arguments in [
      ["--profile", "nokia"], ["--faults", "fire"], ["--loss", "2"],
      ["--link", "a", "--link", "b"], ["--pin", "abc"], ["--pin", "123"],
    ] {
      let outcome = try Program.run(["simulate"] + arguments)
      #expect(outcome.status == 64, "\(arguments)")
    }
  }
}
