import AT
import Events
import GSM
import Time

/// By which part of the network texts go: `AT+CGSMS` (3GPP TS 27.007 10.1.21).
struct ServiceDomain: Hashable, Sendable {
  /// What is done next about it.
  enum Act: Hashable, Sendable {
    /// The modem is asked what it has.
    case ask
    /// The other domain is preferred.
    case change
    /// What the modem had is set again.
    case putBack
  }

  /// The modem of which the rest is known.
  var imei: String?
  /// What the modem had before anything was changed.
  var own: Int?
  /// Whether something else is set now.
  var isChanged = false
  /// What is to be done when the line is free.
  var next: Act?

  /// The command of an act; nil when what it needs is not known.
  func command(for act: Act, _ timeouts: ModemTimeouts) -> ATCommand? {
    switch act {
    case .ask: return ATCommand("AT+CGSMS?", timeout: timeouts.query)
    // 0 is packet switched alone, 1 circuit switched alone, 2 and 3 only prefer one of them: a way that
    // is merely preferred leaves the other one open.
    case .change:
      return own.map {
        ATCommand("AT+CGSMS=\($0 == 0 || $0 == 2 ? 3 : 2)", timeout: timeouts.command)
      }
    case .putBack: return own.map { ATCommand("AT+CGSMS=\($0)", timeout: timeouts.command) }
    }
  }
}

extension ModemSession {
  /// Texts are refused again and again: they try the other domain, and where that was in vain they go
  /// as before.
  mutating func changeDomain(_ error: ModemError) {
    if domain.imei != status.imei { domain = ServiceDomain(imei: status.imei) }
    domain.next = domain.own == nil ? .ask : domain.isChanged ? .putBack : .change
    log(
      "modem_other_domain", .notice,
      "texts are refused again and again (\(error)); "
        + (domain.isChanged
          ? "the domain of texts is set as it was (AT+CGSMS)"
          : "trying the other domain, packet or circuit switched (AT+CGSMS)"))
  }

  /// Opens what is to be done about the domain; false when there is nothing.
  mutating func openDomain(at now: BootInstant) -> Bool {
    guard let act = domain.next else { return false }
    domain.next = nil
    guard let command = domain.command(for: act, configuration.timeouts) else { return false }
    open(command, for: .domain(act), at: now)
    return true
  }

  mutating func domainAnswered(_ act: ServiceDomain.Act, _ answer: ATAnswer) {
    switch act {
    case .ask:
      guard answer.ending == .ok,
        let own = answer.value.flatMap({ Parameters($0).integer(0) }), (0...3).contains(own)
      else { return }
      domain.own = own
      domain.next = .change
    case .change: domain.isChanged = answer.ending == .ok
    case .putBack: domain.isChanged = false
    }
  }

  /// Sets the domain as it was before the service ends; false when there is nothing to wait for.
  mutating func putsDomainBack(at now: BootInstant) -> Bool {
    guard domain.isChanged, domain.imei == status.imei, phase == .idle,
      let end = stopBy, end > now
    else { return false }
    if dialogue.openCommand != nil { return true }
    domain.next = .putBack
    return openDomain(at: now)
  }
}
