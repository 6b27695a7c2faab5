/// The bounds of this module.
public enum Limits {
  /// Messages that wait for the central's thread.
  public static let mailbox = 4_096

  /// Vehicles that are judged at most to tell what an import would change, while nobody else writes.
  static let triedVehicles = 5_000

  /// Violations that are looked up at once, of those that an import would change.
  static let violationsAtOnce = 500

  /// Messages that share one commit.
  static let batch = 500

  /// Messages that are processed in one transaction before it is looked whether more wait to be kept; then twice as
  /// many each time, while none do.
  static let processedFirst = 32

  /// While messages come in a crowd, they are kept and not processed until none comes for so long.
  static let crowdPause: Duration = .milliseconds(2)

  /// Some are processed at least so often, however many come in.
  static let processedEvery: Duration = .milliseconds(50)

  /// Messages that are processed at the end; the next start goes on with the others.
  static let processedAtEnd = 2_000

  /// Messages of which it is remembered when they were handed over, until they are processed.
  static let timedMessages = 65_536

  /// PDUs that are remembered from their arrival until they are processed; beyond that they are read
  /// again from the store.
  static let readPDUs = 4_096

  /// How long it is relied on that too many messages wait for an operator, before it is looked again.
  static let recountAfter: Duration = .seconds(60)

  /// Time to the next attempt at processing what is kept, after the store failed.
  static let retryProcessingAfter: Duration = .seconds(10)

  /// Longest wait for the clock's next duty while one is known: the wall clock may be set meanwhile.
  static let clockLookEvery: Duration = .seconds(60)

  /// Longest wait for the next look for what is too old: the wall clock may be set meanwhile.
  static let expiryLookEvery: Duration = .seconds(3_600)

  /// Photographs that are removed at once.
  static let removedPhotographs = 500

  /// Photographs that are looked at once for whether a passage names them.
  static let sweptPhotographs = 2_000

  /// How often it is looked at what another service on the same store kept and did not process: it may have
  /// ended in between. With the clock's duties likewise, somebody does what is due within ten seconds.
  static let othersLookEvery: Duration = .seconds(5)

  /// How often what was refused to providers is kept at most: whoever tries a door does not fill the disk.
  static let refusalsKeptEvery: Duration = .seconds(10)

  /// Time to the next attempt at writing after something could not be kept, so that it shows when that
  /// is over though nothing more comes in.
  static let writeAgainAfter: Duration = .seconds(10)

  /// Time to the next look whether a store that was lost is back, which costs nothing.
  static let askAgainAfter: Duration = .seconds(1)

  /// A failure that lasts is told once within this time, with how often it happened meanwhile.
  static let failureToldEvery: Duration = .seconds(60)

  /// Events of one name that one request of the API writes singly: as many as a post hands in passages at once.
  static let toldOfRequest = 50

  /// Problems of an imported file that are listed; the rest is counted.
  public static let listedProblems = 100
}
