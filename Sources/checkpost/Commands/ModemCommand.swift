import ArgumentParser
import Control
import EventLoop
import GSM
import Glibc
import Host
import ModemDriver
import ModemSession
import Settings
import Time

/// `checkpost modem`: look at modems, and use one by hand.
struct ModemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modem",
    abstract: "List serial ports, and ask, command or use a modem by hand.",
    discussion: """
      With --port the port is opened for this command. Without it the running service is asked, \
      which owns the modem's port.
      """,
    subcommands: [
      ModemListCommand.self, ModemInfo.self, ModemAT.self, ModemSend.self, ModemTexts.self,
      ModemInbox.self,
      ModemUSSD.self, ModemReset.self, ModemTraceCommand.self, ModemUdev.self,
    ])
}

/// Which modem: one at a port, or the running service's.
struct ModemTarget: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The modem's port: a path, auto, or an identity such as 12d1:1506; without it the running service is asked.",
      valueName: "port"), completion: .file())
  var port: String?

  @Option(help: ArgumentHelp("Bits a second on a real serial line.", valueName: "baud"))
  var baud = 115_200

  @Option(
    help: ArgumentHelp(
      "Whose modem, when the service has two: node or central.", valueName: "role"))
  var role: String?

  @Option(
    help: ArgumentHelp("Which modem, when the node has several: its name.", valueName: "name"))
  var modem: String?

  func validate() throws {
    if let role, role != "node", role != "central" {
      throw ValidationError("--role \(role): there are node and central")
    }
  }

  /// Asks the running service.
  func ask<Operation: ModemOperation>(
    _ settings: SettingsOptions, _ operation: Operation, timeout: Duration
  ) throws -> Operation.Answer {
    try ask(socket: settings.load().settings.control.socket, operation, timeout: timeout)
  }

  /// Asks the service that serves a socket.
  func ask<Operation: ModemOperation>(
    socket: String, _ operation: Operation, timeout: Duration
  ) throws -> Operation.Answer {
    var operation = operation
    operation.role = role
    operation.modem = modem
    return try ControlClient(path: socket).ask(operation, timeout: timeout)
  }
}

/// `modem info`.
struct ModemInfo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what the modem is, its SIM, its network and the strength of its signal.")

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let modems: [ModemReport]
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      modems = [bench.report]
      await bench.close()
    } else {
      modems = try target.ask(settings, Operations.ModemInfo(), timeout: .seconds(10)).modems
    }
    let out = StandardOutput()
    for (number, modem) in modems.enumerated() {
      if output.isJSON {
        try out.json(modem)
      } else {
        if number > 0 { try out.line("") }
        try show(modem, of: modems.count, out)
      }
    }
    try out.flush()
  }

  private func show(_ modem: ModemReport, of count: Int, _ out: StandardOutput) throws {
    let rows: [(label: String, value: String?)] = [
      // Which one it is matters only beside others.
      ("role", count > 1 ? modem.role : nil), ("name", count > 1 ? modem.name : nil),
      ("port", modem.port), ("port path", modem.portPath), ("state", modem.stateWords),
      ("manufacturer", modem.manufacturer), ("model", modem.model), ("revision", modem.revision),
      ("imei", modem.imei), ("imsi", modem.imsi), ("operator", modem.operatorName),
      ("registration", modem.registration), ("access", modem.accessWords),
      ("signal dbm", modem.signalDBm.map(String.init)), ("smsc", modem.smsc),
      ("storage used", modem.storageUsed.map(String.init)),
      ("storage size", modem.storageSize.map(String.init)), ("supply", modem.supply),
      ("last error", modem.lastError),
    ]
    for (label, value) in rows {
      guard let value else { continue }
      try out.line(label + String(repeating: " ", count: max(1, 16 - label.count)) + value)
    }
  }
}

/// `modem at`.
struct ModemAT: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at", abstract: "Write one command line to the modem and show its answer.")

  @Argument(help: "The command, such as AT+CSQ.")
  var command: String

  @Option(help: ArgumentHelp("Wait so many seconds at most.", valueName: "seconds"))
  var timeout = 30

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...300).contains(timeout) else {
      throw ValidationError("--timeout \(timeout): write 1 to 300 seconds")
    }
    if let reason = OperatorCommandLine.refusal(of: command) {
      throw ValidationError("\(command): \(reason)")
    }
  }

  func run() async throws {
    let wait = Duration.seconds(timeout)
    let answer: ModemLines
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      let (lines, final) = await bench.command(command, timeout: wait)
      answer = ModemLines(lines: lines, final: final)
      await bench.close()
    } else {
      answer = try target.ask(
        settings, Operations.ModemCommand(command, timeout: wait.wholeSeconds),
        timeout: wait + .seconds(10))
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(answer)
    } else {
      for line in answer.lines + [answer.final] { try out.line(line) }
    }
    try out.flush()
    guard answer.final == "OK" else {
      throw CommandFailure(
        .unavailable, OperatorCommandLine.words(for: answer.final, to: command))
    }
  }
}
