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
  /// What was told last of why it is not open.
  private var told: Told?

  private struct Told: Hashable, Sendable {
    /// Whether it is not there; the reasons for that are one.
    var isAway: Bool
    var reason: String
    var since: BootInstant
    var at: BootInstant
  }

  /// What is to be told of a port that is not open.
  enum News: Hashable, Sendable {
    /// Something else than before.
    case closed
    /// It is as it has been told, for so long by now.
    case still(Duration)
  }

  /// What is to be told; nil while nothing is. One unplug is told once, and again each hour while it lasts.
  ///
  /// - Parameters:
  ///   - isAway: Whether the port is not there.
  ///   - isKnown: Whether whatever led to this has been told with its reason.
  mutating func news(
    _ reason: String, isAway: Bool, isKnown: Bool, at now: BootInstant
  ) -> News? {
    if let known = told, known.isAway == isAway, isAway || known.reason == reason {
      guard now - known.at >= Limits.awayReminder else { return nil }
      told?.at = now
      return .still(now - known.since)
    }
    told = Told(isAway: isAway, reason: reason, since: now, at: now)
    return isKnown ? nil : .closed
  }

  /// All was well since it was told of.
  mutating func forgetTold() { told = nil }

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
