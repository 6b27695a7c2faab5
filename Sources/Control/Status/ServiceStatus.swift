public import Events

/// How the service stands: the answer to `status`, and what `checkpost status --json` writes.
///
/// Whatever is nil is not known, or not this service's.
public struct ServiceStatus: Codable, Hashable, Sendable {
  /// The service itself.
  public var service: ServiceReport?
  /// The node's queue.
  public var queue: QueueReport?
  /// Whether the server is there.
  public var connectivity: ConnectivityReport?
  /// What the way to the server is doing; missing in the answers of an older service.
  public var sync: SyncReport?
  /// What rangers were warned of; nil where vehicles are not matched.
  public var warnings: WarningsReport?
  /// What may be texted.
  public var budget: BudgetReport?
  /// The modems of both roles.
  public var modems: [ModemReport]?
  /// Central's store.
  public var central: CentralReport?
  /// What is wrong; missing in the answers of an older service.
  public var problems: [Problem]?
  /// The same, each in one line.
  public var alarms: [String]?

  /// A report of which nothing is known yet.
  public init(service: ServiceReport? = nil) {
    self.service = service
  }

  /// Says what is wrong.
  public mutating func tell(_ problems: [Problem]) {
    self.problems = problems
    alarms = problems.map(\.sentence)
  }
}

/// The service itself.
public struct ServiceReport: Codable, Hashable, Sendable {
  /// Whether it runs; nil where nobody can tell.
  public var isRunning: Bool?
  /// False when it did not answer.
  public var answers: Bool?
  /// Why it did not.
  public var reason: String?
  /// When it started, as RFC 3339 has it.
  public var startedAt: String?
  /// Its version.
  public var version: String?
  /// The configuration file that it was started with; nil for the built-in defaults. Several services may run on
  /// one machine, and this says whose answer it is.
  public var configuration: String?
  /// The number of its process; nil where it did not answer.
  public var process: Int32?
  /// The roles that its configuration enables: `node`, `central`.
  public var roles: [String]?
  /// The code of its post, where it has one.
  public var checkpost: String?

  private enum CodingKeys: String, CodingKey {
    case isRunning = "running"
    case startedAt = "started_at"
    case answers, reason, version, configuration, process, roles, checkpost
  }

  /// A service that runs.
  public init(startedAt: String, version: String) {
    isRunning = true
    self.startedAt = startedAt
    self.version = version
  }

  /// A service that did not answer: one that is busy or mute runs all the same, and of one whose socket
  /// may not be used nobody can tell.
  public init(_ error: ControlError) {
    isRunning =
      switch error {
      case .notRunning: false
      case .busy, .timedOut, .noAnswer: true
      default: nil
      }
    answers = false
    reason = error.description
  }

  /// Writes the report; that nobody can tell whether it runs is written as well.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(isRunning, forKey: .isRunning)
    try values.encodeIfPresent(answers, forKey: .answers)
    try values.encodeIfPresent(reason, forKey: .reason)
    try values.encodeIfPresent(startedAt, forKey: .startedAt)
    try values.encodeIfPresent(version, forKey: .version)
    try values.encodeIfPresent(configuration, forKey: .configuration)
    try values.encodeIfPresent(process, forKey: .process)
    try values.encodeIfPresent(roles, forKey: .roles)
    try values.encodeIfPresent(checkpost, forKey: .checkpost)
  }
}

/// Whether the server is there.
public struct ConnectivityReport: Codable, Hashable, Sendable {
  /// `online`, `impaired` (it is there and takes nothing), `offline` or `unknown`.
  public var state: String
  /// The same with its reason.
  public var words: String
  /// Why it is not online, by a name that stays: `no_link`, `captive_portal` and their like.
  public var reason: String?
  /// Since when it has been so, where it is offline or impaired (RFC 3339).
  public var since: String?
  /// From when on connectivity lets passages leave as texts (RFC 3339), where it does and that is to come.
  public var textsFrom: String?

  /// What is known of the server.
  public init(state: String, words: String) {
    self.state = state
    self.words = words
  }

  enum CodingKeys: String, CodingKey {
    case state, words, reason, since
    case textsFrom = "texts_from"
  }
}

/// Central's store in numbers.
public struct CentralReport: Codable, Hashable, Sendable {
  /// Checkposts that are known.
  public var posts = 0
  /// Segments between them.
  public var segments = 0
  /// Rangers that are known.
  public var rangers = 0
  /// Passages that arrived.
  public var passages = 0
  /// Messages that came in.
  public var inbox = 0
  /// Messages that nobody could read.
  public var undecodable = 0
  /// Messages of passages that had arrived before.
  public var duplicates = 0
  /// Violations that stand; missing in the answers of an older service.
  public var violations: Int?
  /// Alerts of vehicles that have been inside for too long, and stand; missing likewise.
  public var alerts: Int?
  /// Whether something is yet to be judged again; missing likewise.
  public var judgesAgain: Bool?
  /// Every post, and when it was last heard of; missing in the answers of an older service.
  public var heard: [PostReport]?
  /// What its HTTP server refused since the start; missing without one.
  public var refused: [RefusalReport]?
  /// How handing passages on to another server stands; missing where none are.
  public var forwards: ForwardReport?
  /// What was done and found since the start; missing without a service, and in the answers of an older one.
  public var judged: JudgedReport?
  /// The size of the database.
  public var databaseBytes: Int64?
  /// What is free on its file system.
  public var freeBytes: Int64?

  private enum CodingKeys: String, CodingKey {
    case undecodable = "inbox_undecodable"
    case duplicates = "inbox_duplicates"
    case databaseBytes = "database_bytes"
    case freeBytes = "free_bytes"
    case judgesAgain = "judges_again"
    case posts, segments, rangers, passages, inbox, violations, alerts, heard, refused, judged
    case forwards
  }

  /// A store with nothing in it.
  public init() {}
}

/// How handing passages on to another server stands.
public struct ForwardReport: Codable, Hashable, Sendable {
  /// Passages that the server has.
  public var forwarded: Int
  /// Passages that are new, or wait.
  public var waiting: Int
  /// Passages that a person has to see to.
  public var setAside: Int

  private enum CodingKeys: String, CodingKey {
    case forwarded, waiting
    case setAside = "set_aside"
  }

  /// How it stands.
  public init(forwarded: Int, waiting: Int, setAside: Int) {
    self.forwarded = forwarded
    self.waiting = waiting
    self.setAside = setAside
  }
}

/// How often requests were refused for one reason.
public struct RefusalReport: Codable, Hashable, Sendable {
  /// The name of the log's event.
  public var event: String
  /// The code that was answered, of an event that has several.
  public var code: String?
  /// How often, since the service started.
  public var count: Int

  /// So many of a kind.
  public init(event: String, code: String? = nil, count: Int) {
    self.event = event
    self.code = code
    self.count = count
  }
}

/// A post as central has heard of it.
public struct PostReport: Codable, Hashable, Sendable {
  /// Its code.
  public var code: String
  /// Its name; nil of a post that nobody imported.
  public var name: String?
  /// When the last passage of it came, as RFC 3339 has it; nil while none has.
  public var lastAt: String?
  /// When anything of it came last, whichever way: passage, heartbeat, the word of a device, sign-in; nil while
  /// nothing did, and in the answers of an older service.
  public var heardAt: String?
  /// When somebody of it last signed in, renewed that, or showed its key.
  public var signedInAt: String?
  /// When one of its devices last told over HTTP how far it is.
  public var deviceAt: String?
  /// Passages that were not here then, as that device told.
  public var deviceWaiting: Int64?
  /// When the post last told by text that it lives; nil while it never did.
  public var heartbeatAt: String?
  /// The number of the last passage that was recorded there, as it then told.
  public var lastNumber: Int64?
  /// Up to when everything of it was on the server then; nil also where its clock was not set.
  public var syncedThrough: String?
  /// Passages that were not on the server then.
  public var waiting: Int64?
  /// Passages that it texted and that did not come.
  public var missing: Int64?

  private enum CodingKeys: String, CodingKey {
    case lastAt = "last_at"
    case heardAt = "heard_at"
    case signedInAt = "signed_in_at"
    case deviceAt = "device_at"
    case deviceWaiting = "device_waiting"
    case heartbeatAt = "heartbeat_at"
    case lastNumber = "last_number"
    case syncedThrough = "synced_through"
    case code, name, waiting, missing
  }

  /// A post.
  public init(code: String, name: String?, lastAt: String?) {
    self.code = code
    self.name = name
    self.lastAt = lastAt
  }
}
