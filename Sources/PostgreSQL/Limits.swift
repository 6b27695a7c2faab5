/// The bounds of this module.
enum Limits {
  /// Statements that a connection keeps prepared; beyond them the one that was not used for longest goes.
  static let preparedStatements = 256
  /// Parameters of one statement: the protocol counts them in 16 bits.
  static let parameters = 65_535
  /// Statements of one pipeline: all their answers are in memory at once.
  static let pipelinedStatements = 10_000
  /// Addresses of one name that are tried.
  static let addresses = 8
  /// Servers that the settings may name.
  static let servers = 16
  /// Bytes of a file with a password.
  static let passwordBytes = 4_096
  /// Characters of what the server or the library says.
  static let messageCharacters = 500
  /// Connections of a pool, each with a thread and a process of the server.
  static let poolConnections = 1...64
  /// How long undoing a transaction may take before its connection is given up instead, which undoes it too.
  static let undoPatience: Duration = .seconds(5)
  /// How often the server looks whether the client of a long statement is still there.
  static let serverLookMilliseconds = 5_000
}
