public import AT

/// What a modem's driver is doing.
public enum ModemState: Hashable, Sendable {
  /// The port is closed: not started, stopped, or not there.
  case closed
  /// The port is being opened.
  case opening
  /// The port is open and the modem is being spoken to, without a full answer yet.
  case probing
  /// The SIM wants a code that is not known, or not to be tried; the words say which.
  case simLocked(String)
  /// All is set, and the network has not let the modem in yet.
  case registering
  /// It is starting anew, or being reset from outside.
  case resetting
  /// Texts can be sent, or one is being sent.
  case ready
  /// It does not work, for the reason given; it is tried again with growing pauses.
  case failed(String)

  /// The state as operators read it.
  public var words: String {
    switch self {
    case .closed: "port closed"
    case .opening: "opening the port"
    case .probing: "waiting for the modem to answer"
    case .simLocked(let reason): "SIM locked: \(reason)"
    case .registering: "not registered in the network"
    case .resetting: "being reset"
    case .ready: "ready"
    case .failed(let reason): reason
    }
  }

  /// Whether the port is closed: the device is gone, or does not work.
  public var isAway: Bool {
    switch self {
    case .closed, .failed: true
    case .opening, .probing, .simLocked, .registering, .resetting, .ready: false
    }
  }

  /// A short stable name for scripts.
  public var name: String {
    switch self {
    case .closed: "closed"
    case .opening: "opening"
    case .probing: "probing"
    case .simLocked: "sim_locked"
    case .registering: "registering"
    case .resetting: "resetting"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}

/// Everything a driver knows of its modem.
public struct ModemStatus: Hashable, Sendable {
  /// What the driver is doing with its modem.
  public var state: ModemState
  /// The port: as it was opened, or as the configuration names it.
  public var port: String
  /// The maker (`AT+CGMI`); nil until it was asked or when it gave none.
  public var manufacturer: String?
  /// The model (`AT+CGMM`); nil until it was asked or when it gave none.
  public var model: String?
  /// The version of its software (`AT+CGMR`); nil until it was asked or when it gave none.
  public var revision: String?
  /// The name of the profile of its maker's modems: `huawei`, `generic`.
  public var profile: String?
  /// The modem's own number (`AT+CGSN`).
  public var imei: String?
  /// The SIM's number (`AT+CIMI`).
  public var imsi: String?
  /// The number of the service centre that texts go through.
  public var smsc: String?
  /// The network it is registered with (`AT+COPS?`); nil when there is none or it has no name.
  public var operatorName: String?
  /// How the modem reaches that network (`AT+COPS?`); nil when it does not tell.
  public var access: AccessTechnology?
  /// What its restarts say of its supply; nil while they say nothing.
  public var supply: String?
  /// The strength of the signal in dBm, -113 to -51; nil when the modem does not know.
  public var signalDBm: Int?
  /// The registration in words: `home`, `roaming`, `searching`, `not searching`, `denied`, `emergency
  /// calls only`, `unknown`.
  public var registration: String
  /// How full each storage is that was told of: that which messages are put into first.
  public var storages: [StorageLevel] = []
  /// Messages in the SIM's or modem's storage; nil until it was asked.
  public var storageUsed: Int?
  /// Messages that fit into that storage; nil until it was asked.
  public var storageSize: Int?
  /// How many of those in it are sent messages and drafts, which another program or a telephone left
  /// there; nil until it was looked through.
  public var storageLeftovers: Int?
  /// Messages that it did not delete although they are stored here.
  public var undeletable = 0
  /// Whether it tells nothing by itself at this port, so that messages are found by looking alone. With
  /// a state that is away another of its ports is to be opened next.
  public var isDeaf = false
  /// How often a modem was seen to start anew while its port was open, by itself or because it was told
  /// to, since the session began.
  public var starts = 0
  /// Whether a text that is handed in now would be sent.
  public var canSend: Bool
  /// What went wrong last, until it is well again.
  public var lastError: String?

  /// The status of a modem of which nothing is known yet.
  public init(
    state: ModemState = .closed, port: String, canSend: Bool = false, lastError: String? = nil
  ) {
    self.state = state
    self.port = port
    self.canSend = canSend
    self.lastError = lastError
    registration = "unknown"
  }
}
