import Time

/// The bounds of this module.
enum Limits {
  /// Requests that wait for the simulator's thread.
  static let mailbox = 1_024

  /// Bytes that wait for a reader of one port; what is more is lost, as in a real buffer.
  static let outputBytes = 8 << 20

  /// Bytes taken from a port at once.
  static let readBytes = 4_096

  /// Reads from one port in a row before the others have their turn.
  static let readsInARow = 16

  /// Processes on a network beside the one that is the network.
  static let connections: Int32 = 256

  /// Time between two looks for a network that is gone.
  static let networkSearch: Duration = .milliseconds(200)

  /// How long a network has to answer whoever wants to be on it.
  static let networkAnswer: Duration = .seconds(10)
}
