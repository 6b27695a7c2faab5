import ArgumentParser
import Control
import Doctor
import EventLoop
import GSM
import Glibc
import Settings
import Time

/// `checkpost doctor`: everything that can be wrong, in words, each with its remedy.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that can be wrong, and say what to do about it.",
    discussion: """
      Looks at the settings, the clock, the databases, the service, the server and the modem, from \
      its port to its signal. With --number, the SIM's own, it sends one text there and waits until \
      it comes back; where the running service has the modem, through it. Nothing else is changed. Ends \
      with 69 when something does not work.
      """)

  @Option(
    help: ArgumentHelp("The SIM's own number: one text is sent to it.", valueName: "number"))
  var number: String?

  @Option(
    help: ArgumentHelp(
      "The modem's port: a path, auto, or an identity; by default the configured one.",
      valueName: "port"), completion: .file())
  var port: String?

  @Option(help: ArgumentHelp("Bits a second on a real serial line.", valueName: "baud"))
  var baud = 115_200

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let number {
      do {
        _ = try Address(number)
      } catch {
        throw CommandFailure(.usage, "--number \(number): \(error.message)")
      }
    }
    let out = StandardOutput()
    let colour = Terminal.showsColours(STDOUT_FILENO)
    // A pipe has no columns: lines are left whole, for who searches them.
    let columns = Terminal.isTerminal(STDOUT_FILENO) ? Terminal.columns(STDOUT_FILENO) : .max
    var bad: [String] = []
    func show(_ findings: [Finding]) throws {
      for finding in findings {
        if finding.state == .bad { bad.append(finding.label) }
        if output.isJSON {
          try out.json(finding.object)
        } else {
          try out.lines(finding.lines(colour: colour, columns: columns))
        }
      }
      // Each thing is shown as it is found: the modem takes its time.
      try out.flush()
    }
    let clocks = SystemClocks()
    let loaded: LoadedSettings
    do {
      loaded = try settings.load()
    } catch {
      try show([Finding("settings", error)])
      throw CommandFailure(
        .configuration, "the settings cannot be read, and nothing else was looked at; correct them")
    }
    let machine = MachineChecks(loaded, clocks: clocks)
    try show(machine.findings())
    try show([await machine.server()])
    let modem = ModemChecks(loaded, port: port, baud: baud, number: number, clocks: clocks)
    let found = await modem.findings()
    try show(found)
    try show([machine.clock(beside: found)])
    guard bad.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "\(bad.count) \(bad.count == 1 ? "check" : "checks") failed (\(bad.joined(separator: ", ")));"
          + " do what stands beside each")
    }
  }
}
