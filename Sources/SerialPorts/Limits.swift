/// The bounds of this module.
enum Limits {
  /// Ports, and links to them, that are looked at.
  static let ports = 256
  /// Bytes of the kernel's list of file locks that are looked at.
  static let lockTableBytes = 1 << 20
}
