/// The bounds of this module.
enum Limits {
  /// When somebody asks again whose turn it is to do the clock's duties, while another one is at them.
  static let busyClock: Duration = .seconds(5)
}
