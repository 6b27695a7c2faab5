import Time

/// What is looked at from time to time while all is well: one command a check, and the registration at
/// every fifth, as the modem tells its changes by itself.
struct CheckPlan: Hashable, Sendable {
  /// What is asked next, in order.
  private var due: [SetupStep] = []
  private var nextRegistration = BootInstant.zero
  /// When the network and its technology are asked for again: seldom, as a return of the network asks for
  /// them too.
  private var nextNetwork = BootInstant.zero
  /// When the modem's clock is asked again: soon while it is not set, seldom once it is.
  private var nextClock = BootInstant.zero
  /// When checks fall due again.
  private(set) var next = BootInstant.zero

  /// All is set up, and with that asked.
  mutating func restart(
    isRegistered: Bool, _ configuration: ModemConfiguration, at now: BootInstant
  ) {
    due = []
    next = now + (isRegistered ? configuration.checkInterval : configuration.searchInterval)
    nextRegistration = now + configuration.checkInterval * 5
  }

  /// Nothing of what was due matters any more.
  mutating func clear() { due = [] }

  /// Asks for something after all that is due.
  mutating func add(_ step: SetupStep) { due.append(step) }

  /// Asks for something, unless there is more to ask anyway.
  mutating func addAlone(_ step: SetupStep) {
    if due.isEmpty { due = [step] }
  }

  /// What is asked now; nil when nothing is due.
  mutating func take() -> SetupStep? { due.isEmpty ? nil : due.removeFirst() }

  /// The modem's clock is set.
  mutating func clockIsSet(at now: BootInstant) { nextClock = now + Limits.clockEvery }

  /// Checks fell due: what is asked depends on the registration, and on what the modem does without.
  mutating func fallDue(
    _ registration: RegistrationState, _ setup: SetupState, _ configuration: ModemConfiguration,
    at now: BootInstant
  ) {
    let isRegistered = registration.isRegistered
    due = [.signal]
    // Not even a search: the SIM may be gone or locked, of which many modems say nothing.
    if !isRegistered, !registration.isActive { due.append(.simState) }
    if nextRegistration <= now || !isRegistered {
      due += SetupStep.registration
      if isRegistered, nextNetwork <= now, !setup.leavesOut(.network) {
        due.append(.network)
        nextNetwork = now + Limits.accessEvery
      }
      if nextClock <= now, !setup.leavesOut(.clock) { due.append(.clock) }
      nextRegistration = now + configuration.checkInterval * 5
    }
    next = now + (isRegistered ? configuration.checkInterval : configuration.searchInterval)
  }
}
