import Time

/// The bounds of this module, in one place.
public enum Limits {
  /// Events that wait for the node's thread.
  public static let mailbox = 8_192

  /// Events that are kept in memory while the store cannot keep their meaning.
  public static let unstoredEvents = 1_024

  /// Effects that one event may lead to, with all that follows from them in the same moment: far more than the
  /// fullest page of passages needs.
  static let effectsOfAnEvent = 100_000

  /// Messages that no storage of a modem holds, and that are kept in memory meanwhile: they are nowhere
  /// else.
  static let unstoredMessages = 16_384

  /// Passages recorded through the service that are remembered as its own.
  static let ownPassages = 1_000

  /// Pages of passages of other processes that are told of at once.
  static let pagesAtOnce = 16

  /// Time between two attempts at a store that failed for now.
  static let storageRetry: Duration = .seconds(1)

  /// Time between two looks at the network link where the kernel tells nothing of it.
  static let linkEvery: Duration = .seconds(5)

  /// Time between two looks at it where the kernel tells of its changes: the battery is looked at too.
  static let linkSeldom: Duration = .seconds(60)

  /// The shortest time between two looks at it, however much the kernel tells.
  static let linkAtMost: Duration = .milliseconds(100)

  /// Time between two looks whether somebody changed the queue without saying so.
  static let lookEvery: Duration = .seconds(10)

  /// Time between two writings of the clock, while something waits.
  static let keepTimeEvery: Duration = .seconds(60)

  /// How long an ending service waits for the outcome of a text that is with a modem: longer than the
  /// modem's driver does, and not as long as systemd waits for a service (90 s).
  static let stopWithin: Duration = .seconds(65)

  /// Passages whose times are put right together.
  static let mendedAtOnce = 500

  /// Passages without a time that are looked at together.
  static let datedAtOnce = 256

  /// How far ahead of the time a passage may lie: a clock is never quite right.
  static let clockAhead: Duration = .seconds(120)

  /// How far this machine's clock has to have been from the mobile network's time where they do not agree
  /// now: that time may be the local one, and no zone is farther from Greenwich.
  static let clockFarOff: Duration = .seconds(14 * 3_600 + 120)

  /// Time to the next look where more may have to go than one round removes.
  static let pruneAgain: Duration = .seconds(1)

  /// Passages that are removed in one round.
  static let prunedAtOnce = 256

  /// Passages recorded by one request.
  public static let recordRequest = 1_000

  /// Time between two looks for texts without a final report and for parts without the others.
  static let sweepEvery: Duration = .seconds(600)

  /// How long after a text's validity a report of its end may still be on its way.
  static let reportMargin: Duration = .seconds(3_600)

  /// How long a network keeps a text when it is not told: no network keeps one for longer.
  static let networksValidity: Duration = .seconds(7 * 86_400)
}
