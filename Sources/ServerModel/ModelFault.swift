/// What can go wrong between a node and its server, or in the server, by name.
public enum ModelFault: String, CaseIterable, Hashable, Sendable {
  /// 500 of the server's own.
  case internalError = "internal_error"
  /// 502, a page of the gateway.
  case badGateway = "bad_gateway"
  /// 503: the database cannot be reached.
  case noDatabase = "no_database"
  /// 504: no connection to the database in time.
  case poolTimeout = "pool_timeout"
  /// 500: two writers stood in each other's way (40P01).
  case deadlock
  /// 500: the statement took too long (57014).
  case statementTimeout = "statement_timeout"
  /// 503: the disk of the database is full (53100).
  case diskFull = "disk_full"
  /// 521, a page of the network before the server.
  case originDown = "origin_down"
  /// 540: the project is paused.
  case paused
  /// 544: the database took too long.
  case databaseTimeout = "database_timeout"
  /// 429 with seconds.
  case busy
  /// 429 with a date.
  case busyUntil = "busy_until"
  /// 429 without a word of when.
  case busyWithoutEnd = "busy_without_end"
  /// 429 for thirty years.
  case busyForever = "busy_forever"
  /// 402: the owner has to pay.
  case unpaid
  /// 405 with 25006: it takes nothing for now.
  case readOnly = "read_only"
  /// 409 with 23503: the ranger of a passage is not there.
  case missingReference = "missing_reference"
  /// 403 with 42501: the user may not add rows, nor change any.
  case denied
  /// What it knows of its tables is old: PGRST204 for what changes them, PGRST205 for what reads.
  case staleSchema = "stale_schema"
  /// 408.
  case requestTimeout = "request_timeout"
  /// 413, a page of the gateway.
  case tooLarge = "too_large"
  /// 403, a page of a firewall.
  case firewall
  /// 401: the key of the project is not known (any more).
  case keyRevoked = "key_revoked"
  /// 401: the clock of the server is behind the one that issued the token.
  case issuedInFuture = "issued_in_future"
  /// 401: the token is over, whatever its time says.
  case expired
  /// 201 for what was not stored.
  case dropped
  /// It is done, and a proxy drops what the answer says of it: no body.
  case untold
  /// It is done, and the connection is reset before the answer.
  case resetAfter = "reset_after"
  /// The connection is reset before anything is done.
  case resetBefore = "reset_before"
  /// It is done, and no answer comes.
  case silentAfter = "silent_after"
  /// Nothing is done, and no answer comes.
  case silent
  /// It is done, and the answer ends in the middle.
  case truncated
  /// It is done, and the answer comes a byte at a time.
  case slow
  /// A proxy hands the request over twice; the second answer is told.
  case twice
  /// 200 and a page of a captive portal.
  case portal
  /// 302 to a captive portal.
  case portalRedirect = "portal_redirect"
  /// 511, which a captive portal ought to say.
  case portalStatus = "portal_status"
  /// 307 to another address.
  case redirect
  /// It is done, and the answer has ten megabytes.
  case huge
  /// 200 and JSON that says something else.
  case wrongJSON = "wrong_json"
  /// It is done, and the answer is no JSON though it says so.
  case brokenJSON = "broken_json"
  /// It is done, and the clock in the answer is a year ahead.
  case clockAhead = "clock_ahead"

  /// Whether the request reaches the server, and is done.
  public var isDone: Bool {
    switch self {
    case .resetAfter, .silentAfter, .truncated, .slow, .twice, .huge, .brokenJSON, .clockAhead,
      .untold:
      true
    default: false
    }
  }
}

/// A fault that waits for requests.
public struct InjectedFault: Hashable, Sendable {
  /// What goes wrong.
  public var fault: ModelFault
  /// How many requests it takes; nil for all until it is healed.
  public var times: Int?
  /// The services that it befalls.
  public var areas: Set<ModelArea>
  /// The methods that it befalls; nil for all.
  public var methods: Set<String>?
  /// The one path that it befalls, as `/rest/v1/user_profiles`; nil for all.
  public var path: String?
  /// What stands in the bodies that it befalls; nil for all.
  public var body: String?

  /// A fault.
  public init(
    _ fault: ModelFault, times: Int? = 1, areas: Set<ModelArea> = Set(ModelArea.allCases),
    methods: Set<String>? = nil, path: String? = nil, body: String? = nil
  ) {
    self.fault = fault
    self.times = times
    self.areas = areas
    self.methods = methods
    self.path = path
    self.body = body
  }
}

/// A service of the server.
public enum ModelArea: String, CaseIterable, Hashable, Sendable {
  /// Tables, under `/rest/v1/`.
  case tables
  /// Sign-in, under `/auth/v1/`.
  case signIn = "sign_in"
  /// Files, under `/storage/v1/`.
  case files
  /// Functions, under `/functions/v1/`.
  case functions

  /// The service that a path belongs to; a path of none counts as one of tables.
  init(path: String) {
    self =
      if path.hasPrefix("/auth/") {
        .signIn
      } else if path.hasPrefix("/storage/") {
        .files
      } else if path.hasPrefix("/functions/") {
        .functions
      } else {
        .tables
      }
  }
}
