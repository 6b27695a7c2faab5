public import Storage

extension RestError {
  /// What a failure of the store is in the words of a database behind PostgREST: worth another try, all of
  /// them.
  public init(_ error: StorageError) {
    switch error.kind {
    case .full: self.init("53100", "could not extend file: No space left on device")
    case .busy where error.detail == "57014": self = .statementTimeout
    case .busy: self.init("55P03", "canceling statement due to lock timeout")
    case .readOnly: self.init("25006", "cannot execute in a read-only transaction")
    default: self.init("PGRST002", "Could not query the database. Retrying.", status: 503)
    }
  }

  /// It took longer than it may.
  public static let statementTimeout = RestError(
    "57014", "canceling statement due to statement timeout")

  /// Too many others are under way.
  public static let noConnection = RestError(
    "PGRST003", "Timed out acquiring connection from connection pool.")

  /// What a failure to read is in those words: what takes no changes may be read, so that only another try tells more.
  public init(reading error: StorageError) {
    guard error.kind != .readOnly else {
      self.init("PGRST002", "Could not query the database. Retrying.", status: 503)
      return
    }
    self.init(error)
  }

  /// What a failure to write passages is in those words.
  public init(_ failure: PassageFailure) {
    switch failure {
    case .refused(let error): self = error
    case .failed(let error): self.init(error)
    }
  }
}
