import AT
import GSM
import Time

/// Whether the network still has the modem. Most modems tell when it loses or takes them; some take
/// `AT+CREG=1` and stay silent, and must be asked.
extension ModemSession {
  var isRegistered: Bool { registrations.values.contains { $0.canSend } }

  var registrationWords: String {
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
  ) {
    let was = isRegistered
    let before = registrations[domain]
    registrations[domain] = registration
    network.known[domain] = now
    if isTold {
      network.telling.insert(domain)
    } else if let before, before.canSend != registration.canSend {
      // It changed, and nobody said so.
      network.telling.remove(domain)
    }
    if registration.canSend { network.last = domain }
    guard was != isRegistered, phase == .idle else { return }
    if isRegistered {
      if !isLeftOut(.network) { checks.append(.network) }
      log("modem_registered", .notice, "the network let the modem in (\(registration.words))")
    } else {
      log(
        "modem_unregistered", .warning,
        "the modem lost the network (\(registration.words)); texts wait")
    }
  }

  /// Opens a query where the registration that a text would rely on is not certain: not told by the
  /// modem, and older than a moment. False when it is certain enough, or there is none.
  mutating func asksForNetwork(at now: BootInstant) -> Bool {
    let claimed = RegistrationDomain.allCases.filter { registrations[$0]?.canSend ?? false }
    let isCertain = claimed.contains { domain in
      network.known[domain].map {
        now - $0 < Limits.registrationHolds || network.telling.contains(domain)
      } ?? false
    }
    guard !isCertain, let domain = claimed.first(where: { !isKnown($0, at: now) }) else {
      return false
    }
    // Once, whatever it answers: a modem that refuses to tell must not keep its texts.
    network.known[domain] = now
    ask(domain, at: now)
    return true
  }

  private func isKnown(_ domain: RegistrationDomain, at now: BootInstant) -> Bool {
    network.known[domain].map { now - $0 < Limits.registrationHolds } ?? false
  }

  private mutating func ask(_ domain: RegistrationDomain, at now: BootInstant) {
    let step = domain.step
    open(step.forms(configuration, profile)[0], for: .check(step), at: now)
  }

  /// The network took a text, so it has the modem.
  mutating func networkTookText(at now: BootInstant) {
    for domain in RegistrationDomain.allCases where registrations[domain]?.canSend ?? false {
      network.known[domain] = now
    }
  }

  /// A text failed in a way that the network's loss explains: whatever was told before, it is asked.
  mutating func doubtNetwork(_ error: ModemError) {
    switch error.errorClass {
    case .soon, .later: network.known = [:]
    case .alert, .permanent, .destination, .storage, .done: return
    }
    network.isDoubted = true
  }

  /// Opens a query that a doubt asks for; false when there is none, or no more of it.
  mutating func resolvesDoubt(at now: BootInstant) -> Bool {
    guard network.isDoubted else { return false }
    if asksForNetwork(at: now) { return true }
    network.isDoubted = false
    return false
  }

  /// Looks for the return of the network while the modem would not tell of it: more than once a second
  /// at first, as texts wait.
  mutating func lookForNetwork(at now: BootInstant) {
    guard !isRegistered else {
      network.lostAt = nil
      return
    }
    if network.lostAt == nil {
      network.lostAt = now
      network.nextLook = now + Limits.networkLookEvery
    }
    guard let next = nextNetworkLook, next <= now else { return }
    network.nextLook = now + Limits.networkLookEvery
    if checks.isEmpty { checks = [network.last.step] }
  }

  /// When that is done next; nil while it is not.
  var nextNetworkLook: BootInstant? {
    guard let lostAt = network.lostAt, !network.telling.contains(network.last),
      network.nextLook < lostAt + Limits.networkLooksFor
    else { return nil }
    return network.nextLook
  }
}

/// What is known of the modem's registration, beside the registration itself.
struct NetworkKnowledge: Hashable, Sendable {
  /// When each domain was last told, answered, or asked for in vain.
  var known: [RegistrationDomain: BootInstant] = [:]
  /// Domains of which the modem has told by itself.
  var telling: Set<RegistrationDomain> = []
  /// The domain in which it was registered last.
  var last = RegistrationDomain.circuitSwitched
  /// Whether a text failed as without a network.
  var isDoubted = false
  /// Since when there has been none.
  var lostAt: BootInstant?
  /// When it is looked for next.
  var nextLook = BootInstant.zero
}

extension RegistrationDomain {
  /// The step of the setup that asks for it.
  fileprivate var step: SetupStep {
    switch self {
    case .circuitSwitched: .circuitSwitched
    case .packetSwitched: .packetSwitched
    case .evolved: .evolved
    }
  }
}
