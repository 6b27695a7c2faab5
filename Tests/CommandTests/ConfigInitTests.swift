import EventLoop
import Foundation
import Host
import Settings
import TestSupport
import Testing

@testable import checkpost

@Suite(.ownThreads) struct ConfigInitTests {
  @Test func whatOptionsSayIsAFileThatIsValid() throws {
    let files = try ProgramFiles()
    let path = files.path("checkpost.yaml")
    let outcome = try Program.run([
      "config", "init", "--config", path, "--role", "both", "--post", "bnp-a", "--gateway",
      "+9779801234567", "--modem", "12d1:1506", "--central-modem", "/dev/ttyUSB7", "--number",
      "+9779801234567=BNP-A",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.first?.hasPrefix("\(path): written") == true)
    #expect(outcome.lines.contains("modem: at /dev/ttyUSB7, as named; nothing is there yet"))
    let text = try files.text("checkpost.yaml")
    for line in [
      "  node: true", "  central: true", "  checkpost: BNP-A", "  gateway: \"+9779801234567\"",
      "  identity: \"12d1:1506\"", "    port: /dev/ttyUSB7",
      "    numbers: [\"+9779801234567=BNP-A\"]",
    ] {
      #expect(text.split(separator: "\n").contains { $0 == line }, "no \(line)")
    }
    #expect(text.contains("\n  # The code of this post. The node needs it.\n"))
    #expect(try Program.run(["config", "check", "--config", path]).status == 0)
  }

  @Test func aModemThatWasNamedIsNotSaidToBeMissing() throws {
    let files = try ProgramFiles()
    let modem = try files.write("modem", "")
    let outcome = try Program.run([
      "config", "init", "--config", files.path("checkpost.yaml"), "--role", "node", "--post",
      "BNP-A",
      "--gateway", "+9779801234567", "--modem", modem,
    ])
    #expect(outcome.lines.contains("modem: at \(modem), as named"), "\(outcome.lines)")
    #expect(!outcome.lines.contains { $0.contains("plugged in") }, "\(outcome.lines)")
  }

  @Test func nothingIsWrittenOver() throws {
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", "roles: {node: false}\n")
    let arguments = ["config", "init", "--config", path, "--role", "node", "--post", "BNP-A"]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("is there already and is not written over"))
    #expect(try files.text("checkpost.yaml") == "roles: {node: false}\n")
  }

  @Test func aFileThatSetsNothingIsKeptBeside() throws {
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", Settings.referenceYAML())
    let arguments = ["config", "init", "--config", path, "--role", "node", "--post", "BNP-A"]
    let outcome = try Program.run(arguments + ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.objects().first?["kept"] as? String == path + ".orig")
    #expect(try files.text("checkpost.yaml.orig") == Settings.referenceYAML())
    #expect(try Program.run(arguments).status == 64)
  }

  @Test(arguments: [
    (["--post", "BNP-A"], "--role is missing"), (["--role", "node"], "--post is missing"),
    (
      ["--role", "node", "--post", "bandipur north"], "--post BANDIPUR NORTH: write 1 to 10 of A-Z"
    ),
    (["--role", "node", "--post", "A", "--gateway", "98"], "--gateway 98: write a phone number"),
    (["--role", "node", "--post", "A", "--modem", "stick"], "--modem stick: write auto or a path"),
    (["--role", "node", "--post", "A", "--pin-file", "pin"], "--pin-file pin: write a path"),
  ])
  func whatIsMissingOrWrongWritesNothing(arguments: [String], words: String) throws {
    let files = try ProgramFiles()
    let path = files.path("checkpost.yaml")
    let outcome = try Program.run(["config", "init", "--config", path] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aPINFileThatAnybodyMayReadIsRefusedBeforeTheServiceDoes() throws {
    let files = try ProgramFiles()
    let path = files.path("checkpost.yaml")
    let pin = try files.write("sim.pin", "1234", permissions: 0o644)
    let outcome = try Program.run([
      "config", "init", "--config", path, "--role", "node", "--post", "A", "--pin-file", pin,
    ])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("is open to every user"))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.directory.path).count == 4)
  }

  /// An interview whose answers are known.
  private func interview(
    _ answers: [String], modems: [PluggedModems.Modem] = [], in files: ProgramFiles
  ) throws -> (outcome: StarterInterview.Outcome, asked: [String]) {
    var waiting = answers
    var asked: [String] = []
    let questions = Questions { question, _ in
      asked.append(question)
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
    let outcome = try StarterInterview(
      given: StarterInterview.Given(), plugged: PluggedModems(modems: modems),
      writer: StarterWriter(path: files.path("checkpost.yaml")), questions: questions
    ).outcome()
    return (outcome, asked)
  }

  @Test func wrongAnswersAreAskedForAgain() throws {
    let files = try ProgramFiles()
    let (outcome, asked) = try interview(
      [
        "post", "", "bandipur north", "bnp-a", "98", "+9779801234567, +9779801234568", "12", "0042",
      ],
      in: files)
    #expect(asked.count == 8)
    #expect(outcome.file.isNode && !outcome.file.isCentral)
    #expect(outcome.file.post == "BNP-A")
    #expect(outcome.file.gateways == ["+9779801234567", "+9779801234568"])
    #expect(outcome.file.modem.port == "auto")
    #expect(outcome.file.modem.pinFile == files.path("modem.pin"))
    #expect(outcome.pins.map(\.pin.value) == ["0042"])
  }

  @Test func ofTwoModemsEachRoleHasItsOwn() throws {
    let files = try ProgramFiles()
    let first = PluggedModems.Modem(name: "E3531", path: "/dev/ttyUSB0", choice: "12d1:1506")
    let second = PluggedModems.Modem(name: "ME909s", path: "/dev/ttyUSB4", choice: "12d1:1573")
    let (outcome, asked) = try interview(
      ["both", "A", "", "3", "2", "", "", ""], modems: [first, second], in: files)
    #expect(outcome.file.modem.port == "12d1:1573")
    #expect(outcome.file.centralModem.port == "12d1:1506")
    #expect(outcome.modems == [second, first])
    #expect(asked.contains { $0.contains("1 E3531, 2 ME909s? [1]") })
  }

  @Test func theEndOfAnswersWritesNothing() throws {
    let files = try ProgramFiles()
    #expect(throws: CommandFailure.self) { try interview(["node", "A"], in: files) }
  }

  @Test func atATerminalItAsksAndShowsNoPIN() throws {
    let files = try ProgramFiles()
    let path = files.path("checkpost.yaml")
    let terminal = try PseudoTerminal()
    let slave = try openTerminal(terminal.slavePath)
    var attributes = termios()
    tcgetattr(slave.fileDescriptor, &attributes)
    attributes.c_lflag |= tcflag_t(ECHO | ICANON)
    tcsetattr(slave.fileDescriptor, TCSANOW, &attributes)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = [
      "config", "init", "--config", path, "--role", "node", "--modem", "auto", "--gateway",
      "+9779801234567",
    ]
    process.standardInput = slave
    process.standardOutput = files.output
    let errors = Spawn.pipe()
    process.standardError = errors
    try process.start()
    var lines = Array("bnp-a\n".utf8)[...]
    while !lines.isEmpty { lines = lines.dropFirst(try terminal.master.write(lines)) }
    // The PIN is typed when it is asked for, as a person would.
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains("The PIN of the modem's SIM") {
      said += try #require(SpokenLines.bytes(from: errors.fileHandleForReading))
    }
    lines = Array("8642\n".utf8)[...]
    while !lines.isEmpty { lines = lines.dropFirst(try terminal.master.write(lines)) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try files.text("modem.pin") == "8642\n")
    #expect(try files.text("checkpost.yaml").contains("pin_file: \(files.path("modem.pin"))"))
    var bytes: [UInt8] = []
    _ = terminal.master.read(into: &bytes, limit: 4_096)
    let echoed = String(decoding: bytes, as: UTF8.self)
    #expect(echoed.contains("bnp-a") && !echoed.contains("8642"), "\(echoed)")
  }
}
