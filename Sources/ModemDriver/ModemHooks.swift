public import AT
public import ModemSession

/// What a driver needs of the machine beside the port: called on the driver's thread, except the
/// reset, which has a thread of its own.
public struct ModemHooks: Sendable {
  /// Notes on disk that the PIN is about to be tried on the card with this number, if it has one;
  /// false when it was tried on it before and is not known to be right. The second value is how many
  /// tries the card says are left. May block for as long as a write takes.
  public var claimPIN: @Sendable (String?, Int?) -> Bool
  /// Notes whether the PIN that was claimed is right.
  public var pinTried: @Sendable (String?, Bool) -> Void
  /// Resets the modem that was at this path, and says in words how it went. May block; given up after
  /// `ModemSession.Limits.resetTakes`.
  public var reset: @Sendable (RecoveryStep, String) -> String

  /// What was noted of the modem's access technologies by an earlier run, to be put back.
  public var notedAccess: @Sendable () -> AccessNote?
  /// Notes on disk what puts the modem's access technologies back, or that there is nothing to put
  /// back. May block for as long as a write takes.
  public var noteAccess: @Sendable (AccessNote?) -> Void

  /// Keeps what was last said on the line, masked, since something failed, for the reason given in
  /// words. Must not block for long.
  public var keepTrace: @Sendable (String, ModemTrace) -> Void

  /// What a driver does without: every PIN may be tried, and nothing can be reset from outside.
  public init(
    claimPIN: @escaping @Sendable (String?, Int?) -> Bool = { _, _ in true },
    pinTried: @escaping @Sendable (String?, Bool) -> Void = { _, _ in },
    reset: @escaping @Sendable (RecoveryStep, String) -> String = { _, _ in "nothing to reset by" },
    notedAccess: @escaping @Sendable () -> AccessNote? = { nil },
    noteAccess: @escaping @Sendable (AccessNote?) -> Void = { _ in },
    keepTrace: @escaping @Sendable (String, ModemTrace) -> Void = { _, _ in }
  ) {
    self.claimPIN = claimPIN
    self.pinTried = pinTried
    self.reset = reset
    self.notedAccess = notedAccess
    self.noteAccess = noteAccess
    self.keepTrace = keepTrace
  }
}
