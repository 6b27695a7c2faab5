import AT
import ModemMakers
import Time

/// The steps that make a modem ready, in their order.
enum SetupStep: Int, CaseIterable, Sendable {
  case echoOff, verboseResults, resultsOn, numericErrors
  case manufacturer, model, revision, serialNumber
  case makerSettings
  case function, functionOn
  case simState, iccid, pinAttempts, enterPIN
  case subscriber
  case pduMode, messageMode, messageService, characterSet
  case storage, storages, indications, indicators
  case serviceCentre, setServiceCentre
  case reportCircuitSwitched, reportPacketSwitched, reportEvolved
  case circuitSwitched, packetSwitched, evolved
  case timeUpdateModes, timeUpdate, timeReports
  case signal, network, clock

  /// What a failure of the step means, when none of its forms was taken.
  enum Importance {
    /// The modem does without it.
    case optional
    /// The modem cannot be used; it is tried again from the start.
    case required(String)
  }

  var importance: Importance {
    switch self {
    case .pduMode: .required("the modem refuses PDU mode (AT+CMGF=0)")
    case .storage: .required("the modem has no storage for messages (AT+CPMS)")
    case .simState: .required("the modem does not tell the state of its SIM (AT+CPIN?)")
    default: .optional
    }
  }

  /// The forms of the command, the best first; the next is tried when one is refused.
  func forms(_ configuration: ModemConfiguration, _ profile: MakerProfile) -> [ATCommand] {
    let timeouts = configuration.timeouts
    func command(_ text: String) -> ATCommand { ATCommand(text, timeout: timeouts.command) }
    func query(_ text: String) -> ATCommand { ATCommand(text, timeout: timeouts.query) }
    func bare(_ text: String) -> ATCommand {
      ATCommand(text, information: .bare, timeout: timeouts.command)
    }
    switch self {
    case .echoOff: return [command("ATE0")]
    case .verboseResults: return [command("ATV1")]
    case .resultsOn: return [command("ATQ0")]
    case .numericErrors: return [command("AT+CMEE=1")]
    case .manufacturer: return [bare("AT+CGMI")]
    case .model: return [bare("AT+CGMM")]
    case .revision: return [bare("AT+CGMR")]
    // Some have it under one of the others alone.
    case .serialNumber: return [bare("AT+CGSN"), bare("AT+GSN"), bare("AT+CGSN=1")]
    case .makerSettings: return profile.settings.map { command($0) }
    // It may stand behind another name: `+ICCID:` for `AT+CICCID`.
    case .iccid:
      return profile.iccid.map {
        var command = ATCommand($0, information: .any, timeout: timeouts.command)
        command.isDoneByLines = true
        return command
      }
    case .pinAttempts:
      let standard = ["AT+CPINR=\"SIM PIN\"", "AT+CPINR"]
      return ([profile.pinAttempts] + standard.filter { $0 != profile.pinAttempts }).map {
        query($0)
      }
    case .function: return [command("AT+CFUN?")]
    case .functionOn: return [ATCommand("AT+CFUN=1", timeout: timeouts.list)]
    case .simState: return [query("AT+CPIN?")]
    case .enterPIN:
      guard let pin = configuration.pin else { return [] }
      return [ATCommand("AT+CPIN=\"\(pin)\"", timeout: timeouts.pin)]
    case .subscriber: return [bare("AT+CIMI")]
    case .pduMode: return [command("AT+CMGF=0")]
    case .messageMode: return [command("AT+CMGF?")]
    case .messageService: return [command("AT+CSMS=0")]
    case .characterSet: return [command("AT+CSCS=\"GSM\""), command("AT+CSCS=\"IRA\"")]
    case .storage:
      return profile.storages.map { name in
        var command = query("AT+CPMS=\"\(name)\",\"\(name)\",\"\(name)\"")
        command.mayLackResult = true
        return command
      }
    case .storages: return [query("AT+CPMS=?")]
    case .indications:
      let reports = configuration.statusReports ? profile.reportIndications : []
      return (reports + profile.indications).map { command("AT+CNMI=\($0)") }
    case .indicators: return profile.numbersIndicators ? [query("AT+CIND=?")] : []
    case .serviceCentre: return [ATCommand("AT+CSCA?", timeout: timeouts.serviceCentre)]
    case .setServiceCentre:
      guard let smsc = configuration.smsc else { return [] }
      let type = smsc.hasPrefix("+") ? 145 : 129
      return [ATCommand("AT+CSCA=\"\(smsc)\",\(type)", timeout: timeouts.serviceCentre)]
    case .reportCircuitSwitched: return [command("AT+CREG=1")]
    case .reportPacketSwitched: return [command("AT+CGREG=1")]
    case .reportEvolved: return [command("AT+CEREG=1")]
    case .circuitSwitched: return [query("AT+CREG?")]
    case .packetSwitched: return [query("AT+CGREG?")]
    case .evolved: return [query("AT+CEREG?")]
    // The network sets the modem's clock, and the modem tells of it (3GPP TS 27.007 8.40, 8.41).
    case .timeUpdateModes: return profile.localTimeMode == nil ? [] : [command("AT+CTZU=?")]
    case .timeUpdate: return profile.timeUpdates.map { command($0) }
    case .timeReports: return [command("AT+CTZR=2"), command("AT+CTZR=1")]
    case .signal: return [query("AT+CSQ")]
    case .network: return [query("AT+COPS?")]
    case .clock: return [query("AT+CCLK?")]
    }
  }

  /// The step after this one; nil after the last.
  var next: SetupStep? { SetupStep(rawValue: rawValue + 1) }

  /// The steps that are done again while the modem waits for the network to let it in.
  static let registration: [SetupStep] = [.circuitSwitched, .packetSwitched, .evolved]

  /// What a modem works without, and not as well: the numbers of its errors, what it is, and the settings of
  /// its messages.
  static let missed: [SetupStep] = [
    .numericErrors, .manufacturer, .model, .serialNumber, .messageService, .characterSet,
    .indications,
  ]
}
