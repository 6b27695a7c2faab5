public import Time

/// Where a passage stands, as far as it takes to decide what may come next.
public struct QueueStanding: Hashable, Sendable {
  /// Where it stands on its way over HTTP.
  public var status: QueueStatus
  /// Attempts over HTTP since it was recorded or last requeued.
  public var attempts: Int
  /// Since when it has been waiting, by the node's clock.
  public var since: BootInstant
  /// Whether a text for it was accepted of which no report says that it was not delivered.
  public var isTexted: Bool
  /// Texts for it that are or may be on air.
  public var textAttempts: Int
  /// Whether a text for it is with a modem.
  public var hasOpenText: Bool
  /// Whether it is set aside.
  public var isParked: Bool
  /// Whether nobody knows when it was.
  public var isUndated: Bool
  /// Whether somebody marked it as handed on.
  public var isHandedOn: Bool
  /// Whether somebody put all of it on hold.
  public var isOnHold = false
  /// Whether it was withdrawn.
  public var isWithdrawn = false
  /// Whether others get it as a text besides central, and one of them waits for somebody: it was given
  /// up, or nobody knows whether it left.
  public var hasOthers = false
  /// What hangs on it and was given up.
  public var failedBehind: Set<UploadKind> = []

  /// Where a passage stands.
  public init(
    status: QueueStatus, attempts: Int, since: BootInstant, isTexted: Bool, textAttempts: Int,
    hasOpenText: Bool, isParked: Bool, isUndated: Bool, isHandedOn: Bool = false
  ) {
    self.status = status
    self.attempts = attempts
    self.since = since
    self.isTexted = isTexted
    self.textAttempts = textAttempts
    self.hasOpenText = hasOpenText
    self.isParked = isParked
    self.isUndated = isUndated
    self.isHandedOn = isHandedOn
  }
}

/// A change that a person makes of where a passage stands; what comes of its way to the server is an
/// ``UploadChange``.
public enum StandingChange: Hashable, Sendable {
  /// Somebody asked for it again: what of it failed on its way to the server is pending,
  /// without attempts, of these kinds.
  case requeued(Set<UploadKind>)
  /// Somebody asked for another text: due then, and worth one since the moment that it was asked for.
  case textAgain(due: BootInstant, askedAt: BootInstant)
  /// Somebody asked for the others' texts again: those that were given up are due then.
  case othersAgain(due: BootInstant, askedAt: BootInstant)
  /// Somebody handed it on by another way: it is done, and neither texted nor uploaded.
  case handedOn(at: WallTime)
  /// It is on hold: neither uploaded nor texted until somebody asks for it to be tried again.
  case parked(reason: String)
  /// It is no longer on hold, nor handed on.
  case unparked
}
