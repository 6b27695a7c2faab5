extension PostgreSQLError {
  /// What can be done about a failure.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Nothing was done, and the same transaction may succeed at once.
    case retryAtOnce
    /// The server is not there for now: wait, then connect anew.
    case reconnect
    /// Somebody else held a lock for too long.
    case lockTimeout
    /// A statement took too long.
    case statementTimeout
    /// There is no space left at the server.
    case diskFull
    /// The server takes no more connections, or has no memory for more.
    case tooManyConnections
    /// The server takes no changes.
    case readOnly
    /// A rule of a table refused the row.
    case constraint
    /// A value was refused.
    case data
    /// This user may not do it, or was not let in.
    case denied
    /// The server could not be agreed with on TLS: its certificate is not one that is trusted, for one.
    case untrusted
    /// What was asked for is not there, or was asked wrongly.
    case programming
    /// The settings, the library or the database that they name.
    case settings
    /// The server's data or the server itself is damaged.
    case damaged
    /// It may be done or not.
    case outcomeUnknown
    /// More was asked than can be done.
    case overloaded
    /// It was ended.
    case ended
    /// Something that has no kind of its own.
    case other

    /// Whether the same call may succeed later, as things are.
    public var isTransient: Bool {
      switch self {
      case .retryAtOnce, .reconnect, .lockTimeout, .statementTimeout, .diskFull,
        .tooManyConnections, .readOnly, .overloaded:
        true
      case .constraint, .data, .denied, .untrusted, .programming, .settings, .damaged,
        .outcomeUnknown, .ended,
        .other:
        false
      }
    }

    /// What a person should do.
    public var remedy: String {
      switch self {
      case .retryAtOnce: "try again; a service does by itself"
      case .reconnect:
        "see whether PostgreSQL runs and can be reached; a service tries again by itself"
      case .lockTimeout:
        "try again; `SELECT * FROM pg_stat_activity` shows who holds locks for long"
      case .statementTimeout:
        "try again; see how busy the server is, or give statements more time"
      case .diskFull: "free space on the server's disk"
      case .tooManyConnections:
        "raise max_connections of the server, or use fewer connections here"
      case .readOnly:
        "name the primary server in the settings, or let this one take changes again"
      case .constraint: "the row breaks a rule of the table and is not stored"
      case .data: "the value does not fit its column and is not stored"
      case .denied:
        "look at user, password and pg_hba.conf, and grant the user what `central migrate` grants"
      case .untrusted:
        "look at sslmode, sslrootcert, the server's certificate and this machine's clock"
      case .programming:
        "run `central migrate`; if that does not help, it is a fault of this program: report it"
      case .settings:
        "correct central.postgresql.connection, or what it names"
      case .damaged:
        "stop the service, look at the server's log and disk, and restore a backup where needed"
      case .outcomeUnknown: "look whether it is there before asking again"
      case .overloaded: "ask again later; if it lasts, the server is too slow for what comes"
      case .ended: "ask again"
      case .other: "look at the server's log"
      }
    }
  }

  /// What can be done about it.
  public var kind: Kind {
    switch self {
    case .noLibrary, .unusableSettings: .settings
    case .notConnected(let phase, let reason, let state):
      // libpq's words for a server that takes no changes where one was asked for that does.
      reason.contains("session is read-only")
        ? .readOnly : state.map(Kind.init) ?? (phase == .tls ? .untrusted : .reconnect)
    case .refused(let report): report.isStaleStatement ? .retryAtOnce : Kind(report.state)
    case .lost: .reconnect
    case .timedOut(.queue): .overloaded
    case .timedOut(.answer): .statementTimeout
    case .timedOut: .reconnect
    case .outcomeUnknown: .outcomeUnknown
    case .misused: .programming
    case .overloaded: .overloaded
    case .ended: .ended
    }
  }

  /// Whether the same call may succeed later, as things are.
  public var isTransient: Bool { kind.isTransient }
}

extension PostgreSQLError.Kind {
  /// What can be done about a condition of the server's.
  public init(_ state: SQLState) {
    self =
      switch state.code {
      case "40001", "40P01": .retryAtOnce
      case "55P03": .lockTimeout
      case "57014": .statementTimeout
      case "53100": .diskFull
      case "53200", "53300": .tooManyConnections
      case "25006": .readOnly
      // The database was removed, or is not there.
      case "57P04", "3D000": .settings
      // The server ends, starts, or has ended a session that idled.
      case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04": .reconnect
      case "42501": .denied
      case "58P01", "58P02", "XX001", "XX002": .damaged
      default: PostgreSQLError.Kind(category: state.category)
      }
  }

  private init(category: Substring) {
    self =
      switch category {
      case "08": .reconnect
      case "22", "54": .data
      // A trigger of the table's own that raises an exception refuses the row as a constraint does.
      case "23", "44", "P0": .constraint
      case "28": .denied
      case "53": .overloaded
      case "0A", "25", "26", "2B", "2D", "34", "3B", "3F", "42": .programming
      default: .other
      }
  }
}
