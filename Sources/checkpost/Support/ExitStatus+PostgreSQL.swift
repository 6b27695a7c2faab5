import Control
import PostgreSQL

extension ExitStatus {
  /// The exit code of a command that cannot use a PostgreSQL database.
  init(_ error: PostgreSQLError) {
    self =
      switch error.kind {
      case .retryAtOnce, .reconnect, .lockTimeout, .statementTimeout, .tooManyConnections,
        .overloaded, .outcomeUnknown, .ended:
        .tryAgain
      case .denied, .readOnly: .noPermission
      case .settings, .untrusted: .configuration
      case .constraint, .data, .damaged: .badData
      case .diskFull, .other: .inputOutput
      case .programming: .system
      }
  }
}
