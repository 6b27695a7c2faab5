import ArgumentParser
import Control
import ModemDiscovery
import SerialPorts

/// `modem udev`: rules for a serial adapter that is no modem by its numbers.
struct ModemUdev: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "udev",
    abstract: "Print udev rules for the USB serial adapter before a modem.",
    discussion: """
      An FTDI, CP210x, CH340 or PL2303 adapter may stand before anything, so the rules for modems leave it \
      alone. The rules printed here give the one at --port the name /dev/checkpost-modem, the group dialout, \
      and keep ModemManager and sleep away from it. They work beside 60-checkpost-modem.rules, for example:

        checkpost modem udev --port /dev/ttyUSB0 |
          sudo tee \(AdapterRules.place)
        sudo udevadm control --reload
      """)

  @Option(
    help: ArgumentHelp("The adapter's port, as `modem list` shows it.", valueName: "port"),
    completion: .file())
  var port: String

  func run() throws {
    let rules: AdapterRules
    do throws(AdapterRules.Refusal) {
      rules = try AdapterRules(port: port, in: PortScanner().scan())
    } catch {
      throw CommandFailure(.usage, error.description)
    }
    let out = StandardOutput()
    for line in rules.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try out.line(String(line))
    }
    try out.flush()
  }
}
