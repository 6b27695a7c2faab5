/// The bounds of this module. Whoever can reach the server can send it anything, so all of it is
/// bounded: 256 connections of which each may hold 8 KiB of header and 16 KiB of body.
enum Limits {
  /// Bytes of a request's body; a text in Twilio's form has some 1,500.
  static let bodyBytes = 16 * 1_024

  /// Bytes of all header fields of a request together.
  static let headerBytes = 8 * 1_024

  /// Header fields of a request.
  static let headerFields = 64

  /// Seconds that a body may take to arrive; then the connection is closed.
  static let bodySeconds: Int64 = 5

  /// Seconds after which a connection is closed on which nothing happens.
  static let idleSeconds: Int64 = 15

  /// Connections that are open at the same time.
  static let connections = 256

  /// Parameters of a form.
  static let parameters = 64

  /// Public URLs that are tried against a signature.
  static let publicURLs = 8

  /// Refused requests that are written to the log within ``refusalWindow``; the others are counted.
  static let loggedRefusals = 10

  /// See ``loggedRefusals``.
  static let refusalWindow: Duration = .seconds(60)
}
