import Time

/// The port while it is not open: when it is opened again, and when something is done from outside.
struct PortState: Hashable, Sendable {
  /// Whether it was not there when it was last looked for.
  private var wasAbsent = true
  /// Since when it has not been there, and since when it has been there and could not be opened.
  private var absentSince: BootInstant?
  private var unopenedSince: BootInstant?
  /// Pauses between tries to open it grow with this.
  private var failures = 0
  /// Since when nothing has been well.
  private var failingSince: BootInstant?

  /// It is open; whether the modem has only just arrived.
  mutating func opened() -> Bool {
    defer { wasAbsent = false }
    absentSince = nil
    unopenedSince = nil
    return wasAbsent
  }

  /// It could not be opened; the steps from outside that may help, the best first. A modem that fell off
  /// the bus comes back by its power alone, and one whose firmware hangs keeps its name.
  mutating func failed(_ failure: OpenFailure, at now: BootInstant) -> [RecoveryStep] {
    wasAbsent = wasAbsent || failure == .absent
    absentSince = failure == .absent ? absentSince ?? now : nil
    unopenedSince = failure == .failed ? unopenedSince ?? now : nil
    if let since = unopenedSince, now - since >= Limits.unopenedBeforeReset {
      return [.resetUSB, .powerCycle]
    }
    if let since = absentSince, now - since >= Limits.absentBeforePower { return [.powerCycle] }
    return []
  }

  /// It went away by itself.
  mutating func lost() {
    wasAbsent = true
    failures = 0
  }

  /// Time to the next try to open it, longer each time once it has failed for long.
  mutating func pause(_ configuration: ModemConfiguration, at now: BootInstant) -> Duration {
    let since = failingSince ?? now
    failingSince = since
    var pause = configuration.reopenFirst
    if now - since >= Limits.eager {
      for _ in 0..<min(failures, 16) where pause < configuration.reopenMost { pause = pause * 2 }
      failures += 1
    }
    return min(pause, configuration.reopenMost)
  }

  /// All is well, or nothing has failed as there is nothing to fail.
  mutating func calm() {
    failures = 0
    failingSince = nil
  }
}
