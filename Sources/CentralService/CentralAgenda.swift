import CentralCore
import Time

/// A message that waits to be kept.
struct HandedMessage {
  var message: InboundMessage
  var completion: CentralService.Completion
  var at: BootInstant
}

/// When something is done without a message.
struct CentralAgenda {
  /// What is kept is processed, though nothing came in; nil when all of it was.
  var processAgainAt: BootInstant?
  /// The clock's duties are looked at; nil where nothing waits.
  var clockAt: BootInstant?
  /// Whether something may have to be judged again, and when that is gone on with.
  var rejudgeAt: BootInstant?
  /// It is looked at what other services on the same store left undone; nil where there is no other.
  var othersAt: BootInstant?
  /// What was refused to providers is read from the store and kept there; nil where nothing is to be done.
  var refusalsAt: BootInstant?
  /// When it was kept last.
  var refusalsKeptAt = BootInstant.zero
  /// When messages were handed over that are kept and not processed yet, by their numbers.
  var waiting: [Int64: BootInstant] = [:]
  /// What was judged again so far.
  var rejudged = (vehicles: 0, changes: 0)
  /// What is too old is looked for; nil where the store forgets nothing.
  var expireAt: BootInstant?
  /// What was dropped so far.
  var dropped = Dropped()
  /// From when on it is looked again, with what is too old, for photographs that no passage names.
  var sweepAt = BootInstant.zero
  /// Up to which one that was looked at.
  var sweptThrough: PhotoName?

  /// Whether messages come in so close to each other that it is waited with processing them.
  private(set) var isCrowded = false
  /// When something was processed last.
  var processedAt: BootInstant

  /// What is to be looked at after a start.
  init(at now: BootInstant) {
    clockAt = now
    rejudgeAt = now
    expireAt = now
    processedAt = now
  }

  /// Messages were kept: several together, or some before those that came last were processed, are a crowd.
  mutating func kept(_ count: Int, at now: BootInstant) {
    isCrowded =
      (count > 1 || processAgainAt != nil) && now - processedAt < Limits.processedEvery
    if isCrowded { processAgainAt = now + Limits.processedEvery }
  }

  /// Nobody else came.
  mutating func endCrowd(at now: BootInstant) {
    isCrowded = false
    processAgainAt = now
  }

  /// The next of these.
  var next: BootInstant? {
    [processAgainAt, clockAt, rejudgeAt, othersAt, expireAt, refusalsAt].compactMap { $0 }.min()
  }
}
