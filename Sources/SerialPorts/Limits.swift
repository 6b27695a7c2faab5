/// The bounds of this module.
enum Limits {
  /// Ports, and links to them, that are looked at.
  static let ports = 256
}
