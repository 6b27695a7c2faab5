/// How far the way to an answer had come.
public enum PostgreSQLPhase: String, CaseIterable, Hashable, Sendable {
  /// Waiting for a connection of the pool that is free.
  case queue
  /// Finding the address of a name.
  case name
  /// Reaching the server.
  case connection
  /// Agreeing on TLS.
  case tls
  /// Signing in, and the settings of the session.
  case signIn
  /// Waiting for the answer to a statement.
  case answer

  /// In words: `finding the server's address`.
  public var words: String {
    switch self {
    case .queue: "waiting for a free connection"
    case .name: "finding the server's address"
    case .connection: "reaching the server"
    case .tls: "agreeing on TLS"
    case .signIn: "signing in"
    case .answer: "waiting for the answer"
    }
  }
}
