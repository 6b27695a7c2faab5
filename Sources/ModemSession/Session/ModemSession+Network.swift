import AT
import Events
import GSM
import ModemMakers
import Time

/// The registration, and what is done while there is none.
extension ModemSession {
  var isRegistered: Bool { registration.isRegistered }

  /// Takes what is known of a domain now.
  mutating func take(
    _ new: Registration, in domain: RegistrationDomain, isTold: Bool, at now: BootInstant
  ) {
    let change = registration.take(new, in: domain, isTold: isTold, at: now)
    guard phase == .idle else { return }
    switch change {
    case .registered:
      if !isLeftOut(.network) { checks.add(.network) }
      log("modem_registered", .notice, "the network let the modem in (\(new.words))")
    case .lost:
      log(
        "modem_unregistered", .warning, "the modem lost the network (\(new.words)); texts wait",
        [EventField("registration", .text(new.words))])
    case nil: break
    }
  }

  /// Opens a query of a domain; false when there is none to ask for.
  mutating func ask(_ domain: RegistrationDomain?, at now: BootInstant) -> Bool {
    guard let step = domain?.step else { return false }
    open(step.forms(configuration, maker.profile)[0], for: .check(step), at: now)
    return true
  }

  /// Looks for the return of the network.
  mutating func lookForNetwork(at now: BootInstant) {
    guard let domain = registration.look(at: now) else { return }
    checks.addAlone(domain.step)
  }

  /// What is done about a modem that finds no network, or is not let in.
  mutating func seekNetwork(at now: BootInstant) {
    guard !isRegistered else {
      search.end()
      return
    }
    let isDenied = registration.isDenied
    switch search.step(isDenied: isDenied, hasSignal: status.signalDBm != nil, at: now) {
    case nil: break
    case .tellDenial:
      log(
        "modem_denied", .error,
        "the network has denied the modem for \(Limits.deniedBeforeAlarm.components.seconds / 60)"
          + " minutes; is the SIM paid for, activated and allowed to roam here?")
    case .choose:
      log("modem_choosing_network", .notice, "no network for minutes; the modem chooses one anew")
      settings.append(ATCommand("AT+COPS=0", timeout: configuration.timeouts.network))
    case .startAnew(let prefersPower):
      guard let step = stepToStartAnew(prefersPower: prefersPower, at: now) else { return }
      search.started(at: now)
      let reason =
        isDenied
        ? "the network denies the modem, which may be the modem's own memory"
        : status.signalDBm == nil
          ? "the modem hears no network" : "no network is found although there is a signal"
      take(step, reason, at: now)
    }
  }
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
