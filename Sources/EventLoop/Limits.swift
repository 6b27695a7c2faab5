/// The bounds of this module.
enum Limits {
  /// Stack of a worker thread. SQLite and the regular work of a loop need far less than this.
  static let threadStackBytes = 1 << 20

  /// How long a pipe that is named as a file may take to hand its content over.
  static let pipePatience: Duration = .seconds(5)
}
