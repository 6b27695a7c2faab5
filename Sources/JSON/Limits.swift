/// The bounds of this module, in one place.
enum Limits {
  /// Levels of lists and objects in a JSON text that comes in; what this program writes has five.
  static let nesting = 32
}
