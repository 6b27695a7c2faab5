public import Events

/// Everything that can be configured, each setting at its default until something says otherwise.
///
/// What a setting means, its unit and its range stand in ``SettingsCatalogue``; `config/checkpost.yaml`
/// and `checkpost config print` are made from that and from the defaults here. A file that holds a
/// secret is named here, and its content never is.
public struct Settings: Hashable, Sendable {
  /// What this process is: a node, a central or both.
  public var roles = Roles()
  /// The checkpost.
  public var node = Node()
  /// The server that passages are uploaded to.
  public var server = Server()
  /// How passages go to the server.
  public var sync = Sync()
  /// The modem of the node, where it has one.
  public var modem = Modem()
  /// The modems of the node, where it has several; then ``modem`` is not used.
  public var modems: [NamedModem] = []
  /// The office that receives.
  public var central = Central()
  /// The log of events.
  public var log = Log()
  /// How commands reach the running service.
  public var control = Control()
  /// What the node may keep.
  public var storage = Storage()

  /// The settings with everything at its default.
  public init() {}

  /// What this process is.
  public struct Roles: Hashable, Sendable {
    /// It records passages at a checkpost and sends them on.
    public var node = false
    /// It receives what the checkposts send.
    public var central = false
  }

  /// How a passage gets its identity.
  public enum Identity: String, CaseIterable, Hashable, Sendable {
    /// From its content, so that a text and an upload of it carry the same one.
    case content
    /// At random, with the one from its content beside it.
    case random
  }

  /// Whether the way to the server is paid by volume.
  public enum Metered: String, CaseIterable, Hashable, Sendable {
    /// It is where it goes over a mobile network's interface.
    case auto
    /// It is.
    case yes
    /// It is not.
    case no

    /// What the settings say themselves; nil to look at the interface.
    public var isMetered: Bool? { self == .auto ? nil : self == .yes }
  }

  /// The checkpost: where passages are recorded, and when they leave as texts.
  public struct Node: Hashable, Sendable {
    /// The code of the post, 1 to 10 of `A-Z`, `0-9` and `-`.
    public var checkpost: String?
    /// The stretch of road that the post belongs to.
    public var segment: String?
    /// The number of the ranger who records where nothing else is said; nil where nobody knows.
    public var rangerPhone: String?
    /// The path of the SQLite file with passages that wait and texts that went.
    public var database = "/var/lib/checkpost/node.db"
    /// The directory for photographs that the server does not have yet; nil is `photos` beside the
    /// database.
    public var photoDirectory: String?
    /// How a passage gets its identity.
    public var identity = Identity.content
    /// A passage must have been pending longer than this before it may leave as a text.
    public var fallbackAfter: Duration = .seconds(300)
    /// Connectivity must have been absent for longer than this before a passage may leave as a text.
    public var offlineFor: Duration = .seconds(300)
    /// Whether passages are texted as soon while the server is there and takes nothing.
    public var textWhenServerDown = false
    /// How long a server that is there may take nothing before passages are texted all the same.
    public var serverDownAfter: Duration = .seconds(1_800)
    /// After how long in which nothing left by any channel a heartbeat is texted; zero for never.
    public var heartbeatAfter: Duration = .zero
    /// Whether the way to the server is paid by volume.
    public var metered = Metered.auto
    /// The numbers of the central's modems, to one of which each passage is texted.
    public var gateways: [String] = []
    /// The length of the segment in kilometres, where the server tells of none.
    public var segmentDistance: String?
    /// The slowest mean speed that is no overstay, in kilometres an hour.
    public var minimumSpeed: String?
    /// The speed limit, in kilometres an hour.
    public var maximumSpeed: String?
    /// The code of the post at the other end of the segment.
    public var oppositePost: String?
    /// The numbers that the opposite post texts from; `any` for every number.
    public var oppositeNumbers: [String] = []
    /// The number of the opposite post, to which passages are texted as well; nil for none.
    public var oppositePostNumber: String?
    /// Further numbers that each passage is texted to.
    public var recipients: [String] = []
    /// The program, and its arguments, that warns those on the spot; empty for none.
    public var alertCommand: [String] = []
    /// Limits on the texts of this post.
    public var sms = SMS()
    /// How often the server is asked whether it is there.
    public var probe = Probe()
  }

  /// What the node may keep.
  public struct Storage: Hashable, Sendable {
    /// Bytes that the node's database and its photographs may take together.
    public var capacity = 8 << 30
    /// How long what the server has stays here.
    public var keep: Duration = .seconds(30 * 86_400)
    /// Bytes that are held back on the disk for the time that it is full; 0 for none.
    public var ballast = 8 << 20
  }

  /// Where the node keeps photographs.
  public var photoDirectory: String {
    if let path = node.photoDirectory { return path }
    guard let slash = node.database.lastIndex(of: "/") else { return "photos" }
    return "\(node.database[...slash])photos"
  }

  /// Where members of the service's group put down passages while the service does not run: `node.db.spool`
  /// beside `node.db`.
  public var spoolDirectory: String { "\(node.database).spool" }

  /// Limits on texts.
  public struct SMS: Hashable, Sendable {
    /// Texts of each modem within any 60 seconds, at most: 1 to 60.
    public var perMinute = 15
    /// Texts of each modem within any 60 minutes, at most: 1 to 3,600.
    public var perHour = 120
    /// Texts of each modem within any 24 hours, at most: 1 to 10,000.
    public var perDay = 300
    /// Texts of each modem within any 30 days, at most: 1 to 100,000.
    public var perMonth = 3_000
    /// Texts for one passage that may have gone on air, at most: 1 to 3.
    public var perPassage = 1
    /// Time between a text with an unknown outcome and the next one for the same passage.
    public var unknownSpacing: Duration = .seconds(600)
    /// How long the network keeps a text that it cannot deliver.
    public var validity: Duration = .seconds(72 * 3_600)
    /// When on each day no passage is texted unless it is urgent: `22:00-05:00`; nil for never.
    public var quietHours: String?
    /// How old a passage may be for a text to be worth its price.
    public var worthFor: Duration = .seconds(72 * 3_600)
  }

  /// How often the server is asked whether it is there.
  public struct Probe: Hashable, Sendable {
    /// Time between probes while the server answers.
    public var every: Duration = .seconds(30)
    /// Time to the next probe after the first that failed; it doubles with each further one.
    public var retryFirst: Duration = .seconds(5)
    /// Time to the next probe, at most, however many failed.
    public var retryMost: Duration = .seconds(8)
    /// How long an authenticated answer counts as connectivity.
    public var onlineFor: Duration = .seconds(60)
  }

  /// The server that passages are uploaded to; that it answers is what connectivity is.
  public struct Server: Hashable, Sendable {
    /// The server's URL without the path; nil means that there is never connectivity.
    public var url: String?
    /// The file with the key for the `apikey` header; nil sends none.
    public var apiKeyFile: String?
    /// The file with the token for the `Authorization` header; nil sends none.
    public var tokenFile: String?
    /// The name that the node signs in with; nil for one that does not.
    public var user: String?
    /// The file with the password that belongs to it.
    public var passwordFile: String?
    /// What the server puts behind a name that is no address: `ram@bnp.local`.
    public var emailDomain = "bnp.local"
    /// How long the server may take over an answer.
    public var timeout: Duration = .seconds(20)
    /// How long it may take to find the address that belongs to the server's name.
    public var nameTimeout: Duration = .seconds(10)
    /// How long it may take until the machine there has taken the connection.
    public var connectTimeout: Duration = .seconds(10)
    /// How long it may take to agree on TLS.
    public var tlsTimeout: Duration = .seconds(10)
    /// How long an upload may stand still.
    public var stallTimeout: Duration = .seconds(30)
    /// The URL of a proxy, or `none`; nil for what the environment says.
    public var proxy: String?
    /// The file of the certificates that alone may vouch for the server; nil for those of the system.
    public var caFile: String?
    /// Of which public keys the server has to have one; empty for any.
    public var pins: [String] = []
    /// Whether a server of a private network may be asked without TLS.
    public var allowPlainHTTP = false
  }

  /// A modem on a serial line.
  public struct Modem: Hashable, Sendable {
    /// The path of its serial port, or `auto`; nil without an identity means that there is no modem.
    public var port: String?
    /// Which modem it is, in the short form of `ModemIdentity`; nil for whichever is there.
    public var identity: String?
    /// Bits a second on a real serial line, 300 to 4,000,000; USB does not care.
    public var baud = 115_200
    /// The file with the SIM's PIN; nil where the SIM asks for none.
    public var pinFile: String?
    /// The number of the service centre, where the SIM's own is wrong or missing.
    public var smsc: String?
    /// The number of its own SIM, where it is known.
    public var number: String?
    /// Whether the network is asked to report whether a text arrived.
    public var statusReports = true
    /// Messages that one text may become, 1 to 255; a passage's is always one.
    public var messageParts = 10
    /// Time between looks at its signal while it has nothing to do.
    public var checkInterval: Duration = .seconds(60)
    /// Time between looks for stored texts of which the modem said nothing.
    public var sweepInterval: Duration = .seconds(600)
    /// Whether sent messages and drafts are deleted that others left on the SIM.
    public var deleteLeftovers = false
    /// Time to the first try to open a port again that went away; it doubles with each.
    public var reopenFirst: Duration = .seconds(1)
    /// Time to the next try to open the port, at most.
    public var reopenMost: Duration = .seconds(30)
    /// Whether a modem that stays silent may be taken off the USB bus and put back.
    public var usbReset = true
    /// Whether texts may go by another access technology for a time, when they are refused on this one.
    public var accessFallback = true
    /// The program, and its arguments, that switches the modem's power off and on; empty for none.
    public var powerCommand: [String] = []
    /// The directory for what was said on the line when something failed; nil is `traces` beside the
    /// role's database.
    public var traceDirectory: String?
  }

  /// One of several modems of a node.
  public struct NamedModem: Hashable, Sendable {
    /// What the log, the budget and commands call it.
    public var name: String
    /// How the numbers begin that it is to be preferred for.
    public var prefixes: [String]
    /// The modem itself.
    public var modem: Modem

    /// A modem with its name.
    public init(name: String, prefixes: [String] = [], modem: Modem) {
      self.name = name
      self.prefixes = prefixes
      self.modem = modem
    }
  }

  /// The modems of the node that are named by port or identity: those of the list, or else the only one, under the name
  /// `modem`.
  public var nodeModems: [NamedModem] {
    let all = modems.isEmpty ? [NamedModem(name: "modem", modem: modem)] : modems
    return all.filter { $0.modem.port != nil || $0.modem.identity != nil }
  }

  /// How events are written to standard output.
  public enum LogFormat: String, CaseIterable, Hashable, Sendable {
    /// For people: one aligned line an event.
    case console
    /// JSON Lines.
    case json
    /// Not at all; the file is written all the same.
    case off
  }

  /// The log of events.
  public struct Log: Hashable, Sendable {
    /// The least level that is written.
    public var level = LogLevel.info
    /// How events are written to standard output.
    public var format = LogFormat.console
    /// JSON Lines, which `checkpost log` reads; nil writes none.
    public var file: String? = "/var/log/checkpost/checkpost.jsonl"
    /// The size in bytes at which a new file is begun.
    public var fileSize = 10 * 1_024 * 1_024
    /// Files that are kept, the current one among them.
    public var fileCount = 5
    /// The most that may be kept.
    public static let mostFiles = 100
    /// Whether plates and phone numbers are masked.
    public var mask = true
    /// The key of the masks, made at the first start.
    public var maskKeyFile: String? = "/var/lib/checkpost/mask.key"
  }

  /// The socket over which commands talk to the running service.
  public struct Control: Hashable, Sendable {
    /// The path of the Unix socket; its owner and its group may use it.
    public var socket = "/run/checkpost/control.sock"
  }
}
