import NodeCore

/// The bounds of this module, beside those of the core.
extension NodeCore.Limits {
  /// Bytes of a file that is made smaller, at most.
  static let scalableBytes = 64 << 20
  /// How long all programs together may take that make a photograph smaller.
  static let scalingWithin: Duration = .seconds(30)
  /// Bytes of memory, and of a file, that such a program may take.
  static let scalingBytes = 1 << 30
}
