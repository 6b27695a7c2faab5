/// The bounds of this module.
enum Limits {
  /// When somebody asks again whose turn it is to do the clock's duties, while another one is at them.
  static let busyClock: Duration = .seconds(5)

  /// Messages that are looked at in one transaction for whether they name a vehicle.
  static let scannedAtOnce = 1_000

  /// Changes of counts that may lie about before somebody gathers them by the clock.
  static let countsUngathered = 1_000
}
