public import Control
public import EventLoop
import GSM
import Host
import ModemDiscovery
import ModemSession
import SerialPorts
public import Settings
import Time

/// What is looked at on a modem: from its port to a text to its own number and back.
public struct ModemChecks {
  private let loaded: LoadedSettings
  private let port: String?
  private let baud: Int
  private let number: String?
  private let clocks: SystemClocks

  /// Checks of the modems that these settings name.
  ///
  /// - Parameters:
  ///   - port: The one modem that is meant; by default all of the settings.
  ///   - baud: Bits a second on a real serial line.
  ///   - number: The number of its SIM, to which a text is sent; nil sends none.
  public init(
    _ loaded: LoadedSettings, port: String?, baud: Int, number: String?, clocks: SystemClocks
  ) {
    self.loaded = loaded
    self.port = port
    self.baud = baud
    self.number = number
    self.clocks = clocks
  }

  /// How long a text to the own number may take.
  private static let loopTakes = Duration.seconds(120)
  /// The share of its storage, in hundredths, at which a modem will soon take nothing more.
  private static let fullStorage: Int64 = 80
  /// The weakest signal with which texts go through reliably, in dBm.
  private static let weakSignal = -95

  /// What is found of each modem.
  public func findings() async -> [Finding] {
    if port == nil, let modems = serviceModems(), !modems.isEmpty {
      return modems.flatMap { modem in
        named(
          modem.name ?? modem.role, of: modems.count, owned(modem, isOne: modems.count == 1))
      }
    }
    let wanted = port.map { [(name: $0, port: $0)] } ?? configured
    guard !wanted.isEmpty else {
      return [
        Finding(
          "modem_port", .skipped, "no modem is configured",
          remedy: "set modem.port to auto; checkpost modem list shows what is plugged in")
      ]
    }
    var findings: [Finding] = []
    for modem in wanted {
      findings += named(
        modem.name, of: wanted.count, await byHand(modem.port, isOne: wanted.count == 1))
    }
    return findings
  }

  /// Says which modem findings are about, where there are several.
  private func named(_ name: String?, of count: Int, _ findings: [Finding]) -> [Finding] {
    guard count > 1 else { return findings }
    return findings.map { finding in
      var finding = finding
      finding.modem = name
      return finding
    }
  }

  /// The modems of the settings: those of the node, and that of the office.
  private var configured: [(name: String, port: String)] {
    let (roles, settings) = (loaded.settings.roles, loaded.settings)
    var modems: [Settings.NamedModem] = []
    if roles.node || !roles.central { modems = settings.nodeModems }
    if roles.central {
      modems.append(Settings.NamedModem(name: "central", modem: settings.central.modem))
    }
    return modems.compactMap { named in
      (named.modem.identity ?? named.modem.port).map { (named.name, $0) }
    }
  }

  private func serviceModems() -> [ModemReport]? {
    let client = try? ControlClient(path: loaded.settings.control.socket)
    return try? client?.ask(Operations.ModemInfo()).modems
  }

  /// What the running service tells of a modem that it has.
  private func owned(_ modem: ModemReport, isOne: Bool) -> [Finding] {
    guard modem.state != "failed", modem.state != "closed" else {
      // What the service says of its port, as the port's own error says it to a command.
      let fault = FailureWords(modem.lastError ?? known(modem.stateWords))
      return [
        Finding("modem_port", .bad, fault.problem, remedy: fault.remedy ?? FailureWords.anyRemedy)
      ]
    }
    return [Finding("modem_port", .good, "\(known(modem.port)): the service has it")]
      + state(modem) + [loopByService(modem, isOne: isOne)]
  }

  /// A text and back through the service.
  private func loopByService(_ modem: ModemReport, isOne: Bool) -> Finding {
    if let skipped = skipped(isOne: isOne, isReady: modem.canSend == true) { return skipped }
    return LoopByService(loaded: loaded, clocks: clocks)
      .finding(mark, to: number ?? "", by: modem)
  }

  /// Why no text is sent; nil when one is.
  private func skipped(isOne: Bool, isReady: Bool) -> Finding? {
    guard number != nil else {
      return Finding(
        "modem_loop", .skipped, "no text is sent",
        remedy: "--number +977… sends one text to the SIM's own number and waits for it")
    }
    guard isOne else {
      return Finding(
        "modem_loop", .skipped, "there are several modems, and a number belongs to one",
        remedy: "--port names the one that --number belongs to")
    }
    return isReady ? nil : Finding("modem_loop", .skipped, "the modem is not ready")
  }

  /// What the text says that is sent: it is known by it when it comes back.
  private var mark: String { "checkpost doctor \(clocks.wall().epochSeconds)" }

  private func byHand(_ wanted: String, isOne: Bool) async -> [Finding] {
    let bench: DirectModem
    do {
      bench = try await DirectModem.open(wanted, baud: baud, loaded.settings.modem)
    } catch {
      return [Finding("modem_port", error)]
    }
    var findings = [
      Finding("modem_port", .good, "\(bench.status.port): opened, nobody else has it")
    ]
    findings += state(bench.report)
    if let reset = usbReset(bench.status.port) { findings.append(reset) }
    findings.append(await loop(bench, isOne: isOne))
    await bench.close()
    return findings
  }

  /// Whether this user may take the modem off the bus, where that is wanted; nil where it is no matter.
  private func usbReset(_ port: String) -> Finding? {
    guard loaded.settings.modem.usbReset,
      let isPermitted = USBReset().isPermitted(portAt: port)
    else { return nil }
    return isPermitted
      ? Finding("modem_usb_reset", .good, "a modem that stays silent can be taken off the bus")
      : Finding(
        "modem_usb_reset", .warning,
        "this user may not take a modem that stays silent off the bus (modem.usb_reset)",
        remedy: "install udev/60-checkpost-modem.rules, then plug the modem in again")
  }

  // MARK: What it says of itself

  private func known(_ text: String?) -> String { text ?? "unknown" }

  private func state(_ modem: ModemReport) -> [Finding] {
    let name = [modem.manufacturer, modem.model].compactMap { $0 }
      .joined(separator: " ")
    var findings = [
      Finding(
        "modem_answers", .good,
        "\(name.isEmpty ? "of unknown make" : name), profile \(known(modem.profile))")
    ]
    if modem.state == "failed" || modem.state == "closed" {
      let fault = FailureWords(known(modem.stateWords))
      return [
        Finding(
          "modem_answers", .bad, fault.problem, remedy: fault.remedy ?? FailureWords.anyRemedy)
      ]
    }
    if modem.state == "sim_locked" {
      let fault = FailureWords(known(modem.stateWords))
      findings.append(Finding("modem_sim", .bad, fault.problem, remedy: fault.remedy))
      return findings
    }
    findings.append(Finding("modem_sim", .good, "ready"))
    findings.append(serviceCentre(modem))
    findings.append(registration(modem))
    findings.append(signal(modem))
    if let access = access(modem) { findings.append(access) }
    if let supply = modem.supply {
      findings.append(Finding("modem_supply", .bad, supply))
    }
    if let storage = storage(modem) { findings.append(storage) }
    if let clock = clock(modem) { findings.append(clock) }
    return findings
  }

  private func serviceCentre(_ modem: ModemReport) -> Finding {
    guard modem.smsc?.isEmpty == false else {
      return Finding(
        "modem_smsc", .bad, "the SIM has no service centre's number, so no text can leave",
        remedy: "ask the operator for it, and set modem.smsc")
    }
    return Finding("modem_smsc", .good, "the SIM knows its service centre")
  }

  private func registration(_ modem: ModemReport) -> Finding {
    let words = known(modem.registration)
    switch words {
    case "home": return Finding("modem_network", .good, "\(known(modem.operatorName)), at home")
    case "roaming":
      return Finding(
        "modem_network", .warning, "\(known(modem.operatorName)), roaming: texts cost more")
    case "denied":
      return Finding(
        "modem_network", .bad, "the network denies the modem",
        remedy: "is the SIM paid for, activated, and allowed here?")
    default:
      return Finding(
        "modem_network", modem.canSend == true ? .good : .bad,
        "registration: \(words)",
        remedy: modem.canSend == true
          ? nil : "look at the antenna and the place; checkpost modem info shows the signal")
    }
  }

  private func signal(_ modem: ModemReport) -> Finding {
    guard let strength = modem.signalDBm else {
      return Finding("modem_signal", .warning, "the modem does not tell how strong it is")
    }
    return strength > ModemChecks.weakSignal
      ? Finding("modem_signal", .good, "\(strength) dBm")
      : Finding(
        "modem_signal", .warning, "\(strength) dBm is weak; texts will be refused now and then",
        remedy: "a better antenna, higher up, or another operator's SIM")
  }

  private func access(_ modem: ModemReport) -> Finding? {
    guard let words = modem.accessWords else { return nil }
    return Finding("modem_access", modem.access == "gsm" ? .warning : .good, words)
  }

  private func storage(_ modem: ModemReport) -> Finding? {
    guard let used = modem.storageUsed, let size = modem.storageSize,
      size > 0
    else { return nil }
    guard Double(used) * 100 / Double(size) >= Double(ModemChecks.fullStorage) else {
      return Finding("modem_storage", .good, "\(used) messages of \(size)")
    }
    let leftovers = modem.storageLeftovers ?? 0
    let names =
      leftovers > 0 ? ", \(leftovers) of them sent messages and drafts that others left there" : ""
    return Finding(
      "modem_storage", .warning,
      "\(used) messages of \(size)\(names): nothing comes in once it is full",
      remedy: leftovers > 0
        ? "set modem.delete_leftovers to true, and restart the service"
        : "checkpost modem inbox --delete --port, with the service stopped")
  }

  private func clock(_ modem: ModemReport) -> Finding? {
    modem.clock.flatMap(ModemChecks.clock)
  }

  /// What is told of this machine's clock.
  static let clockName = "modem_clock"

  /// What a modem found out of this machine's clock; nil when that is nothing.
  public static func clock(_ clock: ClockReport) -> Finding? {
    guard let ahead = clock.aheadSeconds else { return nil }
    switch clock.verdict {
    case "agrees":
      return Finding(clockName, .good, "the network's time and this machine's agree")
    case "ahead", "behind":
      return Finding(
        clockName, ahead.magnitude < wrongClock ? .warning : .bad,
        clock.words ?? "this machine's clock is \(ahead) s ahead of the network's",
        remedy: "set the clock (timedatectl)")
    case "unknown" where clock.source == NetworkTime.Source.modemClock.rawValue:
      // Nobody may have set it: it tells of a doubt, and of no fault.
      return Finding(
        clockName, .skipped,
        "the modem's own clock shows \(clock.networkTime ?? "another time"), and nothing"
          + " tells which is right", remedy: "compare with a watch, or let --number send a text")
    default: return nil
    }
  }

  /// Seconds from which passages get times that nobody can use.
  private static let wrongClock = 600

  // MARK: A text and back

  private func loop(_ bench: DirectModem, isOne: Bool) async -> Finding {
    if let skipped = skipped(isOne: isOne, isReady: bench.status.state == .ready) { return skipped }
    let (mark, number) = (mark, number ?? "")
    switch await bench.send(mark, to: number) {
    case .accepted: break
    case .refused(let error):
      return Finding(
        "modem_loop", .bad, "the text was refused: \(error)", remedy: error.adviceByHand)
    case .notSent(let reason), .unknown(let reason):
      return Finding("modem_loop", .bad, "the text did not leave: \(reason)")
    }
    guard let inbound = await bench.received(containing: mark, within: ModemChecks.loopTakes) else {
      return Finding(
        "modem_loop", .bad, "the network took the text, and it did not come back",
        remedy: "is \(number) this SIM's own number?")
    }
    guard !inbound.isKept else {
      return Finding(
        "modem_loop", .warning, "a text went out and came back, and the modem does not delete it",
        remedy: "checkpost modem inbox --delete --port \(bench.status.port)")
    }
    return Finding(
      "modem_loop", .good, "a text went out and came back (\(inbound.octets) octets)")
  }
}
