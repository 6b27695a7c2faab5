/// The bounds of this module.
enum Limits {
  /// Bytes of an identity as an operator writes it.
  static let identityBytes = 200
  /// Characters of what a device says of itself that are repeated to people.
  static let words = 60
}
