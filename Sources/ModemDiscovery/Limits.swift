/// The bounds of this module.
enum Limits {
  /// Bytes of an identity as an operator writes it.
  static let identityBytes = 200
  /// Characters of what a device says of itself that are repeated to people.
  static let words = 60

  /// How long the first port is asked alone; a modem that is awake answers in some milliseconds.
  static let probeAlone = Duration.milliseconds(500)
  /// Time from one question to the next.
  static let probeAgain = Duration.milliseconds(1_000)
  /// How long a better port may still answer after another one did.
  static let probeSettles = Duration.milliseconds(700)
  /// How long it takes at most: a service that is to stop waits for it.
  static let probe = Duration.milliseconds(3_000)
  /// Bytes of a line that are looked at.
  static let probeLine = 64
  /// Ports that are asked side by side.
  static let probed = 8
}
