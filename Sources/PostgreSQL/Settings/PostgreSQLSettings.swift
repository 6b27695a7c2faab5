/// Which database, who asks, and what each step may take.
///
/// From a text of libpq's form (``init(text:)``) or part by part. ``faults`` says what cannot be used,
/// ``warnings`` what should not.
public struct PostgreSQLSettings: Hashable, Sendable {
  /// One server that may have the database.
  public struct Server: Hashable, Sendable {
    /// A name, an address, or the directory of a Unix socket, which begins with `/` or `@`.
    public var host: String
    /// The port, which is also a part of the socket's name.
    public var port: Int
    /// An address to take in place of looking the name up; TLS still asks for the name.
    public var address: String?

    /// A server.
    public init(host: String, port: Int = 5_432, address: String? = nil) {
      self.host = host
      self.port = port
      self.address = address
    }

    /// Whether it is reached by a Unix socket.
    public var isSocket: Bool { host.hasPrefix("/") || host.hasPrefix("@") }

    /// Whether what is said to it stays on this machine.
    var isLocal: Bool {
      let place = address ?? host
      return isSocket || place == "localhost" || place == "::1" || place.hasPrefix("127.")
    }
  }

  /// How a connection is protected; the names are libpq's. A Unix socket has no TLS and needs none.
  public enum TLS: String, CaseIterable, Hashable, Sendable {
    /// Never.
    case disable
    /// Only where the server insists.
    case allow
    /// Where the server can. Whoever stands between may take it away.
    case prefer
    /// Always, with whomever it is.
    case require
    /// Always, with a server whose certificate one of the roots has signed.
    case verifyCA = "verify-ca"
    /// The same, and the certificate is that of the host's name.
    case verifyFull = "verify-full"
  }

  /// Which of several servers is meant.
  public enum Session: String, CaseIterable, Hashable, Sendable {
    /// The first that answers.
    case any
    /// The first that takes changes.
    case readWrite = "read-write"
  }

  /// The servers, tried in this order.
  public var servers: [Server]
  /// The name of the database.
  public var database: String
  /// The user of the database.
  public var user: String
  /// The password.
  public var password: PostgreSQLPassword
  /// How connections over TCP are protected.
  public var tls: TLS = .prefer
  /// A file with the roots that sign servers' certificates; nil for those of the system.
  public var rootCertificate: String?
  /// Which of the servers is taken.
  public var session: Session = .any
  /// Under which name the server shows these connections.
  public var applicationName = "checkpost"

  /// How long finding an address may take.
  public var nameTimeout: Duration = .seconds(10)
  /// How long reaching one address may take.
  public var connectTimeout: Duration = .seconds(10)
  /// How long agreeing on TLS may take.
  public var tlsTimeout: Duration = .seconds(10)
  /// How long signing in may take.
  public var signInTimeout: Duration = .seconds(10)
  /// How long this side waits for one answer, whatever the server does; more than ``statementTimeout``.
  public var answerTimeout: Duration = .seconds(60)
  /// How long the server lets one statement take; zero for ever.
  public var statementTimeout: Duration = .seconds(30)
  /// How long a statement may wait for a lock; zero for ever.
  public var lockTimeout: Duration = .seconds(10)
  /// How long a transaction may idle before the server ends it; zero for ever.
  public var idleInTransactionTimeout: Duration = .seconds(60)

  /// Silence after which TCP asks whether the server is still there.
  public var keepaliveIdle: Duration = .seconds(30)
  /// The time between two such questions.
  public var keepaliveInterval: Duration = .seconds(10)
  /// How many of them may stay without an answer.
  public var keepaliveCount = 3
  /// How long sent bytes may stay unacknowledged.
  public var unacknowledgedTimeout: Duration = .seconds(30)

  /// Further words of libpq's, passed on as they are: those of ``passedOn``.
  public var others: [String: String] = [:]

  /// Words of libpq's that are passed on and not looked at.
  public static let passedOn: Set<String> = [
    "channel_binding", "gssencmode", "krbsrvname", "options", "passfile", "sslcert", "sslcrl",
    "sslcrldir", "sslkey", "sslsni", "ssl_max_protocol_version", "ssl_min_protocol_version",
  ]

  /// A database, part by part; the rest has its usual values.
  public init(
    servers: [Server], database: String, user: String, password: PostgreSQLPassword = .none
  ) {
    self.servers = servers
    self.database = database
    self.user = user
    self.password = password
  }
}

extension PostgreSQLSettings: CustomStringConvertible, CustomDebugStringConvertible {
  /// Who asks which database where, and how that is protected: `checkpost@db.example:5432/passages
  /// (verify-full)`. Never the password.
  public var description: String {
    let places = servers.map { server in
      server.isSocket ? server.host : "\(server.host):\(server.port)"
    }
    let protection = servers.allSatisfy(\.isSocket) ? "socket" : tls.rawValue
    return "\(user)@\(places.joined(separator: ","))/\(database) (\(protection))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
