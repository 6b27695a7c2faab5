import ArgumentParser
import Control
import Events
import Glibc
import Host
import ModemDiscovery
import SerialPorts
import Settings

extension StarterInterview.Role: ExpressibleByArgument {}

/// `checkpost config init`: the first configuration of a post or an office.
struct ConfigInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write the first configuration: asks who this is, finds the modem.",
    discussion: """
      At a terminal it asks for what the options leave out; without one --role is needed, for a node \
      also --post. A PIN is written into a file of its own beside the configuration. Nothing that \
      somebody wrote is written over: a file that sets nothing is kept as FILE.orig.

      Several services may run on one machine, each with a configuration of its own: with --instance north it \
      is /etc/checkpost/north.yaml, with a database, a log and a socket of its own, and the service is \
      checkpost@north. Commands take --instance north too.
      """)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "What this machine is: a post (node), the office (central), or both.", valueName: "role"))
  var role: StarterInterview.Role?

  @Option(help: ArgumentHelp("The code of this post, such as BNP-A.", valueName: "code"))
  var post: String?

  @Option(
    help: ArgumentHelp(
      "The number of the office's modem; several are tried in turn.", valueName: "number"))
  var gateway: [String] = []

  @Option(
    help: ArgumentHelp(
      "The post's modem: auto, a path, or an identity such as 12d1:1506.", valueName: "modem"))
  var modem: String?

  @Option(help: ArgumentHelp("The office's modem, likewise.", valueName: "modem"))
  var centralModem: String?

  @Option(
    help: ArgumentHelp("The file with the PIN of the post's SIM.", valueName: "file"),
    completion: .file())
  var pinFile: String?

  @Option(
    help: ArgumentHelp("The file with the PIN of the office's SIM.", valueName: "file"),
    completion: .file())
  var centralPinFile: String?

  @Option(
    help: ArgumentHelp(
      "A number and the post it speaks for, such as +9779801234567=BNP-A; may be given several times.",
      valueName: "number=code"))
  var number: [String] = []

  func validate() throws {
    let answers =
      [(post?.uppercased(), "--post", "node.checkpost")]
      + gateway.map { ($0, "--gateway", "node.gateway") }
      + [
        (pinFile, "--pin-file", "modem.pin_file"),
        (centralPinFile, "--central-pin-file", "central.modem.pin_file"),
      ] + number.map { ($0, "--number", "central.ingress.numbers") }
    for (value, option, key) in answers {
      if let value, let words = StarterFile.fault(of: value, for: key) {
        throw ValidationError("\(option) \(words)")
      }
    }
    for (value, option) in [(modem, "--modem"), (centralModem, "--central-modem")] {
      if let value, let words = StarterFile.fault(ofModem: value) {
        throw ValidationError("\(option) \(words)")
      }
    }
  }

  func run() throws {
    let path =
      settings.path ?? ProcessEnvironment.all["CHECKPOST_CONFIG"] ?? LoadedSettings.standardPath
    let writer = try StarterWriter(path: path)
    let plugged = PluggedModems(PortScanner().scan())
    var outcome = try StarterInterview(
      given: StarterInterview.Given(
        role: role, post: post?.uppercased(), gateways: gateway, modem: modem,
        centralModem: centralModem,
        pinFile: pinFile, centralPINFile: centralPinFile, numbers: number),
      plugged: plugged, writer: writer, questions: Questions.ofTerminal()
    ).outcome()
    outcome.file.instance = LoadedSettings.instance(of: path)
    if outcome.file.isCentral { outcome.file.httpPort = ListeningPorts.free(beside: path) }
    let kept = try writer.write(outcome.file, pins: outcome.pins)
    let loaded = try LoadedSettings.load(path: path, environment: [:])
    for warning in ServiceChecks(loaded).warnings { Diagnostics.say(warning.sentence) }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(
        StarterResult(
          file: path, kept: kept, pinFiles: outcome.pins.map(\.path),
          modems: outcome.modems.map(\.path)))
    } else {
      try out.lines(lines(path, kept, outcome, plugged))
    }
    try out.flush()
  }

  private func lines(
    _ path: String, _ kept: String?, _ outcome: StarterInterview.Outcome, _ plugged: PluggedModems
  ) -> [ShownText] {
    var lines: [ShownText] = ["\(path): written; checkpost config print shows every setting"]
    if let kept { lines.append("\(kept): what stood there, which set nothing") }
    for (path, _) in outcome.pins { lines.append("\(path): the PIN") }
    for modem in outcome.modems { lines.append("modem: \(modem.name) at \(modem.path)") }
    let file = outcome.file
    let ports =
      (file.isNode ? [file.modem.port] : []) + (file.isCentral ? [file.centralModem.port] : [])
    let found = Set(outcome.modems.map(\.path))
    let named = ports.filter { $0.hasPrefix("/") && !found.contains($0) }
    for path in named {
      let isThere = access(path, F_OK) == 0
      lines.append("modem: at \(path), as named\(isThere ? "" : "; nothing is there yet")")
    }
    if outcome.modems.isEmpty, named.count < ports.count {
      lines += plugged.findings.map { "modem: \($0.words)" }
      lines.append("modem: it is found when it is plugged in; checkpost modem list shows it")
    }
    if let user = GroupEntry.outsider {
      lines.append(
        "you: sudo usermod -aG \(StarterWriter.serviceGroup) \(user) lets \(user) use the service, at once"
      )
    }
    let isInstalled = ConfigInit.unitPaths.contains { access($0, F_OK) == 0 }
    let isStandard = path == LoadedSettings.standardPath
    let instance = LoadedSettings.instance(of: path)
    let option = instance.map { " --instance \($0)" } ?? ""
    if let port = file.httpPort {
      lines.append("http: port \(port), since another service of this machine has 8080")
    }
    lines.append(
      isInstalled && (isStandard || instance != nil)
        ? "next: sudo systemctl enable --now \(LoadedSettings.unit(of: path)), then checkpost status\(option)"
        : isStandard || instance != nil
          ? "next: checkpost run\(option), and in another terminal checkpost status\(option)"
          : "next: checkpost run --config \(path)")
    return lines
  }

  /// Where packages and `make install` put the service's unit.
  private static let unitPaths = [
    "/usr/lib/systemd/system/checkpost.service", "/lib/systemd/system/checkpost.service",
    "/etc/systemd/system/checkpost.service", "/usr/local/lib/systemd/system/checkpost.service",
  ]
}

/// `config init --json`.
struct StarterResult: Codable {
  var file: String
  var kept: String?
  var pinFiles: [String]
  var modems: [String]

  enum CodingKeys: String, CodingKey {
    case file, kept, modems
    case pinFiles = "pin_files"
  }
}
