/// Everything that can be configured, each setting at its default until something says otherwise.
///
/// What a setting means, its unit and its range stand in ``SettingsCatalogue``; `config/checkpost.yaml`
/// and `checkpost config print` are made from that and from the defaults here. A file that holds a
/// secret is named here, and its content never is.
public struct Settings: Hashable, Sendable {
  public var roles = Roles()
  public var node = Node()
  public var server = Server()
  /// The modem of the node.
  public var modem = Modem()
  public var central = Central()
  public var log = Log()
  public var control = Control()

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

  /// The checkpost: where passages are recorded, and when they leave as texts.
  public struct Node: Hashable, Sendable {
    /// The code of the post, 1 to 10 of `A-Z`, `0-9` and `-`.
    public var checkpost: String?
    /// The stretch of road that the post belongs to.
    public var segment: String?
    public var database = "/var/lib/checkpost/node.db"
    public var identity = Identity.content
    /// A passage must have been pending longer than this before it may leave as a text.
    public var fallbackAfter: Duration = .seconds(300)
    /// The number of the central's modem, to which passages are texted.
    public var gateway: String?
    public var sms = SMS()
    public var probe = Probe()
  }

  /// Limits on texts.
  public struct SMS: Hashable, Sendable {
    public var perMinute = 15
    public var perDay = 300
    public var perPassage = 1
    public var unknownSpacing: Duration = .seconds(600)
    /// How long the network keeps a text that it cannot deliver.
    public var validity: Duration = .seconds(72 * 3_600)
  }

  /// How often the server is asked whether it is there.
  public struct Probe: Hashable, Sendable {
    public var every: Duration = .seconds(30)
    public var retryFirst: Duration = .seconds(5)
    public var retryMost: Duration = .seconds(60)
    /// How long an authenticated answer counts as connectivity.
    public var onlineFor: Duration = .seconds(60)
  }

  /// The server that passages are uploaded to while there is connectivity.
  public struct Server: Hashable, Sendable {
    public var url: String?
    public var apiKeyFile: String?
    public var tokenFile: String?
    public var timeout: Duration = .seconds(20)
  }

  /// A modem on a serial line.
  public struct Modem: Hashable, Sendable {
    public var port: String?
    public var baud = 115_200
    public var pinFile: String?
    /// The number of the service centre, where the SIM's own is wrong or missing.
    public var smsc: String?
    public var statusReports = true
    public var checkInterval: Duration = .seconds(60)
    public var sweepInterval: Duration = .seconds(600)
    public var reopenFirst: Duration = .seconds(1)
    public var reopenMost: Duration = .seconds(30)
  }

  /// The office that receives.
  public struct Central: Hashable, Sendable {
    public var database = "/var/lib/checkpost/central.db"
    public var clockWindow = ClockWindow()
    public var modem = Modem()
    public var http = HTTP()
    public var twilio = Twilio()
    public var ingress = Ingress()
  }

  /// How far the moment in a text may lie from the moment of its receipt.
  public struct ClockWindow: Hashable, Sendable {
    public var past: Duration = .seconds(72 * 3_600)
    public var future: Duration = .seconds(120)
  }

  /// Where the central listens for HTTP.
  public struct HTTP: Hashable, Sendable {
    public var enabled = true
    public var address = "127.0.0.1"
    public var port = 8_080
  }

  /// Texts that a provider hands in by HTTP in Twilio's form.
  public struct Twilio: Hashable, Sendable {
    /// The URLs under which the provider calls, exactly as they are configured there.
    public var publicURLs: [String] = []
    /// The token in use, and during a change of tokens the other one.
    public var authTokenFiles: [String] = []
    public var accountSID: String?
    /// Our number, to which every text must be addressed.
    public var to: String?
  }

  /// Whose texts count.
  public enum IngressMode: String, CaseIterable, Hashable, Sendable {
    /// Anybody's.
    case open
    /// Those of a number that is bound to the post which the text names.
    case allowlist
  }

  /// Whose texts count as passages.
  public struct Ingress: Hashable, Sendable {
    public var mode = IngressMode.allowlist
    /// `+9779801234567=BNP-A`: this number may speak for this post.
    public var numbers: [String] = []
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
    public var level = LogLevel.info
    public var format = LogFormat.console
    /// JSON Lines, which `checkpost log` reads; nil writes none.
    public var file: String? = "/var/log/checkpost/checkpost.jsonl"
    /// The size in bytes at which a new file is begun.
    public var fileSize = 10 * 1_024 * 1_024
    /// Files that are kept, the current one among them.
    public var fileCount = 5
    /// Whether plates and phone numbers are masked.
    public var mask = true
    /// The key of the masks, made at the first start.
    public var maskKeyFile: String? = "/var/lib/checkpost/mask.key"
  }

  /// The socket over which commands talk to the running service.
  public struct Control: Hashable, Sendable {
    public var socket = "/run/checkpost/control.sock"
  }
}
