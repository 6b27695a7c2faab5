/// The bounds of this module, in one place.
enum Limits {
  /// Connections to the control socket at a time.
  static let controlConnections = 16

  /// One request over the control socket, in bytes; 500 passages to be recorded need about 150,000.
  static let controlRequestBytes = 256 * 1_024

  /// Bytes of a request that is too long before its connection is closed: it was answered long before.
  static let controlSkippedBytes = 1 << 20

  /// One answer over the control socket, in bytes.
  static let controlAnswerBytes = 4 * 1_024 * 1_024

  /// Requests of one connection that wait for their answer.
  static let controlRequestsWaiting = 16

  /// Connections that are told of events line by line; the others are for those who ask.
  static let controlStreams = 8

  /// Lines of a stream that are on their way to one connection at a time.
  static let controlStreamLines = 64

  /// How long a socket that a service left behind is tried to be replaced, while another service does that
  /// in the same directory; and the time between two tries.
  static let controlTakeover: Duration = .seconds(10)
  static let controlTakeoverAgain: Duration = .milliseconds(10)

  /// How long a connection to the control socket may stay silent.
  static let controlIdle: Duration = .seconds(300)
}
