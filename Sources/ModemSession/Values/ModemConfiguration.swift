/// What the operator settles about a modem.
public struct ModemConfiguration: Hashable, Sendable {
  /// The path of its serial port; a link that keeps its name is best (`/dev/serial/by-id/…`).
  public var port: String
  /// Bits a second on a real serial line; USB and pseudo-terminals do not care.
  public var baud = 115_200
  /// The modem's own number, when only that modem is wanted: another one's port is closed again before
  /// anything is done with it.
  public var imei: String?
  /// The SIM's PIN, tried once.
  public var pin: String?
  /// The number of the service centre, where the SIM's own is wrong or missing.
  public var smsc: String?
  /// Whether status reports of the network are wanted from the modem.
  public var statusReports = true
  /// Messages that one text may become.
  public var messageParts = 10
  /// Time between two looks at an idle modem; each is one command.
  public var checkInterval: Duration = .seconds(60)
  /// Time between two looks at the registration while the network has not let the modem in.
  public var searchInterval: Duration = .seconds(5)
  /// Time between two looks for stored messages of which the modem said nothing.
  public var sweepInterval: Duration = .seconds(600)
  /// Time to the first try to open a port again; it doubles with each, where waiting helps.
  public var reopenFirst: Duration = .seconds(1)
  /// Time to the next try to open it, at most.
  public var reopenMost: Duration = .seconds(30)
  /// The resets from outside that the shell can do: ``RecoveryStep/resetUSB``,
  /// ``RecoveryStep/powerCycle``.
  public var resets: Set<RecoveryStep> = []
  /// Whether sent messages and drafts are deleted that another program or a telephone left in a storage.
  public var deletesLeftovers = false
  /// Whether the shell knows of other ports of the modem, to be tried where it tells nothing by itself.
  public var hasOtherPorts = false
  /// Whether texts may go by another access technology for a time, when the network refuses them on the
  /// one that the modem uses.
  public var accessFallback = true
  /// What an earlier run of the program changed of the access technologies, which is put back.
  public var accessNote: AccessNote?
  /// How long the modem may take over its answers.
  public var timeouts = ModemTimeouts()

  /// The configuration of the modem at `port`, with everything else at its default.
  public init(port: String) {
    self.port = port
  }
}

/// How long a modem may take, counted from the moment a command was written.
///
/// The values lie above what makers state for their slowest modems: a deadline that is too short
/// turns a slow answer into an unknown outcome.
public struct ModemTimeouts: Hashable, Sendable {
  /// Settings and queries that the modem answers by itself.
  public var command: Duration = .seconds(5)
  /// Queries that ask the SIM or the radio: signal, registration, storage, a stored message.
  public var query: Duration = .seconds(10)
  /// The prompt of `AT+CMGS`.
  public var prompt: Duration = .seconds(10)
  /// The network's answer to a text.
  public var submit: Duration = .seconds(180)
  /// Entering the PIN.
  public var pin: Duration = .seconds(185)
  /// Reading or setting the service centre's number.
  public var serviceCentre: Duration = .seconds(20)
  /// Handing a USSD request to the network.
  public var ussd: Duration = .seconds(30)
  /// The network's answer to it.
  public var ussdAnswer: Duration = .seconds(120)
  /// Starting anew (`AT+CFUN=1,1`).
  public var restart: Duration = .seconds(30)
  /// Choosing a network (`AT+COPS=0`).
  public var network: Duration = .seconds(200)
  /// The list of a full storage.
  public var list: Duration = .seconds(60)

  /// The usual.
  public init() {}
}
