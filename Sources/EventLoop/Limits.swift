/// The bounds of this module.
enum Limits {
  /// Stack of a worker thread. SQLite and the regular work of a loop need far less than this.
  static let threadStackBytes = 1 << 20
}
