/// The bounds of this module, in one place.
enum Limits {
  /// Bytes of the header of a request.
  static let headerBytes = 64 << 10
  /// Bytes of the body of a request.
  static let bodyBytes = 64 << 20
  /// Bytes that are read at a time.
  static let readBytes = 64 << 10
  /// Connections that wait to be taken.
  static let backlog: Int32 = 64
}
