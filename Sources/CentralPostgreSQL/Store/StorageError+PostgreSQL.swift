public import PostgreSQL
public import Storage

extension StorageError {
  /// What can be done about what the database did not do.
  ///
  /// - Parameter place: Who asks which database where, without any password.
  public init(_ error: PostgreSQLError, of place: String) {
    let kind: Kind =
      switch error.kind {
      case .retryAtOnce, .lockTimeout, .statementTimeout, .tooManyConnections, .overloaded: .busy
      // What may be done or not is told as not done: whoever asks again does no harm.
      case .reconnect, .outcomeUnknown, .ended: .lost
      case .diskFull: .full
      case .readOnly: .readOnly
      case .constraint, .data: .refused
      case .denied, .untrusted: .denied
      case .settings: error.state == nil ? .failed : .missing
      case .programming: error.isMissingObject ? .missing : .failed
      case .damaged: .damaged
      case .other: .failed
      }
    self.init(
      kind, of: place, problem: "the database \(place): \(error.problem)",
      remedy: error.isMissingObject ? StorageError.migrate : StorageError.sentence(error.remedy),
      // What this side ended is the same to everybody who asked.
      detail: error.state?.code ?? (error.kind == .statementTimeout ? "57014" : nil))
  }

  /// Why a database cannot be used as it is; nil when it can.
  init?(_ status: Migration.Status, of place: String) {
    switch status.version {
    case nil:
      self.init(
        .missing, of: place, problem: "the database \(place) has no schema of checkpost",
        remedy: StorageError.migrate)
    case let version? where version < status.needed:
      self.init(
        .otherVersion, of: place,
        problem: "the database \(place) has version \(version) of the schema, and version "
          + "\(status.needed) is needed",
        remedy: StorageError.migrate)
    case let version? where version > status.needed:
      self.init(
        .otherVersion, of: place,
        problem: "the database \(place) has version \(version) of the schema, which a newer "
          + "checkpost wrote; this one knows version \(status.needed)",
        remedy: "Install that version of checkpost")
    case _?:
      guard !status.isAdopted else { return nil }
      self.init(
        .missing, of: place,
        problem: "the schema of the database \(place) is not complete: passages that were there "
          + "before are not taken in yet",
        remedy: StorageError.migrate)
    }
  }

  init(noThreads detail: String, of place: String) {
    self.init(
      .failed, of: place,
      problem: "the system gives no thread or descriptor for the database \(place)",
      remedy: "Raise the limits of the process", detail: detail)
  }

  /// A server that confirms before what it confirms is on its disk.
  init(notDurable place: String) {
    self.init(
      .notDurable, of: place,
      problem: "the database \(place) confirms what is not on its disk yet: its setting "
        + "synchronous_commit is off",
      remedy: "Switch it on: ALTER ROLE … SET synchronous_commit = on")
  }

  /// What stands in the database is not what this program writes there.
  init(unreadable what: String, of place: String) {
    self.init(
      .damaged, of: place, problem: "\(what) in the database \(place) cannot be read",
      remedy: "Find out who changed it, and restore it from a backup")
  }

  private static let migrate = "Run `checkpost central migrate`"

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension PostgreSQLError {
  /// Whether a table, a function or a schema is not there.
  fileprivate var isMissingObject: Bool {
    ["42P01", "42883", "3F000", "42703"].contains(state?.code)
  }
}
