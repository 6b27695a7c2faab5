public import Control
public import Storage

extension ExitStatus {
  /// The exit code of a command that cannot use a database.
  public init(_ error: StorageError) {
    self =
      switch error.kind {
      case .busy, .inUse, .lost: .tryAgain
      case .denied, .readOnly: .noPermission
      case .missing: .configuration
      case .damaged, .notOurs, .otherVersion: .badData
      case .full, .failed: .inputOutput
      case .notDurable, .refused: .system
      }
  }
}
