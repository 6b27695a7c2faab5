/// A modem of the service's, or one that a command opened: what it is and how it stands. Before it has
/// said anything only whose it is is known.
public struct ModemReport: Codable, Hashable, Sendable {
  /// Whose it is: `node`, `central`, or `by hand`.
  public var role: String?
  /// What it is called where the node has several.
  public var name: String?
  /// The state's name for scripts.
  public var state: String?
  /// The state as operators read it.
  public var stateWords: String?
  /// The port, as it was opened or as the configuration names it.
  public var port: String?
  /// Where the port was found.
  public var portPath: String?
  /// The registration in words.
  public var registration: String?
  /// Whether a text that is handed in now would be sent.
  public var canSend: Bool?
  /// The maker.
  public var manufacturer: String?
  /// The model.
  public var model: String?
  /// The version of its software.
  public var revision: String?
  /// The name of the profile of its maker's modems.
  public var profile: String?
  /// The modem's own number.
  public var imei: String?
  /// The SIM's number.
  public var imsi: String?
  /// The number of the service centre.
  public var smsc: String?
  /// The network it is registered with.
  public var operatorName: String?
  /// How it reaches that network.
  public var access: String?
  /// The same in words, with what is to be said against it.
  public var accessWords: String?
  /// What its restarts say of its supply.
  public var supply: String?
  /// The strength of the signal in dBm.
  public var signalDBm: Int?
  /// Messages in its storage.
  public var storageUsed: Int?
  /// Messages that fit into it.
  public var storageSize: Int?
  /// How many of those in it are sent messages and drafts.
  public var storageLeftovers: Int?
  /// How full each of its storages is that was told of.
  public var storages: [StorageReport]?
  /// True when it tells nothing by itself at this port.
  public var isDeaf: Bool?
  /// What went wrong last, until it is well again.
  public var lastError: String?
  /// What it says of this machine's clock.
  public var clock: ClockReport?

  private enum CodingKeys: String, CodingKey {
    case stateWords = "state_words"
    case portPath = "port_path"
    case canSend = "can_send"
    case operatorName = "operator"
    case accessWords = "access_words"
    case signalDBm = "signal_dbm"
    case storageUsed = "storage_used"
    case storageSize = "storage_size"
    case storageLeftovers = "storage_leftovers"
    case isDeaf = "deaf"
    case lastError = "last_error"
    case storages, role, name, state, port, registration, manufacturer, model, revision, profile,
      imei, imsi
    case smsc, access, supply, clock
  }

  /// A modem that has said nothing yet.
  public init(role: String? = nil) {
    self.role = role
  }
}

/// How full a storage of a modem's is.
public struct StorageReport: Codable, Hashable, Sendable {
  /// Its name: `SM` is that of the SIM.
  public var storage: String
  /// Messages in it.
  public var used: Int?
  /// Messages that fit into it.
  public var size: Int?
  /// How many of those in it are sent messages and drafts that others left.
  public var leftovers: Int?
  /// How many of those in it could not be deleted.
  public var undeletable: Int?

  /// A storage.
  public init(storage: String) {
    self.storage = storage
  }
}

/// The modems that the service was asked for.
public struct ModemsReport: Codable, Hashable, Sendable {
  /// The modems in the order of the configuration, central's last.
  public var modems: [ModemReport]

  /// A report of modems.
  public init(modems: [ModemReport]) {
    self.modems = modems
  }
}

/// What the network's time says of this machine's clock.
public struct ClockReport: Codable, Hashable, Sendable {
  /// The network's time, as RFC 3339 has it.
  public var networkTime: String?
  /// Where that comes from.
  public var source: String?
  /// How far it may be off, in seconds.
  public var uncertaintySeconds: Int64?
  /// How far this machine's clock was ahead of it, in seconds.
  public var aheadSeconds: Int64?
  /// `agrees`, `ahead`, `behind` or `unknown`.
  public var verdict: String?
  /// What is wrong, in words; nil when nothing is known to be.
  public var words: String?

  private enum CodingKeys: String, CodingKey {
    case networkTime = "network_time"
    case uncertaintySeconds = "uncertainty_s"
    case aheadSeconds = "ahead_s"
    case source, verdict, words
  }

  /// A comparison of which nothing is known.
  public init() {}
}
