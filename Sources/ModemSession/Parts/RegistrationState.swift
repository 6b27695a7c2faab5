import AT
import GSM
import Time

/// Whether the network has the modem. Most modems tell when it loses or takes them; some take
/// `AT+CREG=1` and stay silent, and must be asked.
struct RegistrationState: Hashable, Sendable {
  /// What a new registration means.
  enum Change: Hashable, Sendable {
    /// The network let the modem in.
    case registered
    /// The modem lost the network.
    case lost
  }

  private var registrations: [RegistrationDomain: Registration] = [:]
  /// When each domain was last told, answered, or asked for in vain.
  private var known: [RegistrationDomain: BootInstant] = [:]
  /// Domains of which the modem has told by itself.
  private var telling: Set<RegistrationDomain> = []
  /// The domain in which it was registered last.
  private var last = RegistrationDomain.circuitSwitched
  /// Whether a text failed as without a network.
  private var isDoubted = false
  /// Since when there has been none.
  private var lostAt: BootInstant?
  /// When it is looked for next.
  private var plannedLook = BootInstant.zero

  /// Whether texts can be sent in one of the domains.
  var isRegistered: Bool { registrations.values.contains { $0.canSend } }

  /// Whether a network denies the modem.
  var isDenied: Bool { registrations.values.contains(.denied) }

  /// Whether the modem does anything about a network at all.
  var isActive: Bool { registrations.values.contains { $0 != .notSearching } }

  /// The best of the domains' registrations.
  var words: String {
    let order: [Registration] = [
      .home, .textsOnlyHome, .roaming, .textsOnlyRoaming, .denied, .searching, .emergencyOnly,
      .notSearching,
    ]
    let found = order.first { wanted in registrations.values.contains { $0 == wanted } }
    return (found ?? .unknown).words
  }

  /// Takes what is known of a domain now.
  ///
  /// - Parameter isTold: Whether the modem said it by itself.
  mutating func take(
    _ registration: Registration, in domain: RegistrationDomain, isTold: Bool,
    at now: BootInstant
  ) -> Change? {
    let was = isRegistered
    let before = registrations[domain]
    registrations[domain] = registration
    known[domain] = now
    if isTold {
      telling.insert(domain)
    } else if let before, before.canSend != registration.canSend {
      // It changed, and nobody said so.
      telling.remove(domain)
    }
    if registration.canSend { last = domain }
    return was == isRegistered ? nil : isRegistered ? .registered : .lost
  }

  /// The domain to ask for where the registration that a text would rely on is not certain: not told by
  /// the modem, and older than a moment. Nil when it is certain enough, or there is none.
  mutating func question(at now: BootInstant) -> RegistrationDomain? {
    let claimed = RegistrationDomain.allCases.filter { registrations[$0]?.canSend ?? false }
    let isCertain = claimed.contains { domain in
      known[domain].map { now - $0 < Limits.registrationHolds || telling.contains(domain) }
        ?? false
    }
    guard !isCertain, let domain = claimed.first(where: { !isFresh($0, at: now) }) else {
      return nil
    }
    // Once, whatever it answers: a modem that refuses to tell must not keep its texts.
    known[domain] = now
    return domain
  }

  private func isFresh(_ domain: RegistrationDomain, at now: BootInstant) -> Bool {
    known[domain].map { now - $0 < Limits.registrationHolds } ?? false
  }

  /// The network took a text, so it has the modem.
  mutating func tookText(at now: BootInstant) {
    for domain in RegistrationDomain.allCases where registrations[domain]?.canSend ?? false {
      known[domain] = now
    }
  }

  /// A text failed in a way that the network's loss explains: whatever was told before, it is asked.
  mutating func doubt(_ error: ModemError) {
    switch error.errorClass {
    case .soon, .later: known = [:]
    case .alert, .permanent, .destination, .storage, .done: return
    }
    isDoubted = true
  }

  /// The domain to ask for because of a doubt; nil when there is none, or no more of it.
  mutating func doubtfulQuestion(at now: BootInstant) -> RegistrationDomain? {
    guard isDoubted else { return nil }
    let domain = question(at: now)
    if domain == nil { isDoubted = false }
    return domain
  }

  /// Looks for the return of the network while the modem would not tell of it: more than once a second
  /// at first, as texts wait. The domain to ask for now.
  mutating func look(at now: BootInstant) -> RegistrationDomain? {
    guard !isRegistered else {
      lostAt = nil
      return nil
    }
    if lostAt == nil {
      lostAt = now
      plannedLook = now + Limits.networkLookEvery
    }
    guard let next = nextLook, next <= now else { return nil }
    plannedLook = now + Limits.networkLookEvery
    return last
  }

  /// When that is done next; nil while it is not.
  var nextLook: BootInstant? {
    guard let lostAt, !telling.contains(last), plannedLook < lostAt + Limits.networkLooksFor
    else { return nil }
    return plannedLook
  }
}
