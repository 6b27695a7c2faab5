import Time

/// Decides what is done about a modem that finds no network, or is not let in.
///
/// Nothing of it is final: what did not help is done again, the harsher the seldomer, as a network may
/// be gone for a day, and a modem that was once denied holds its SIM for invalid until it is restarted
/// (3GPP TS 24.008 4.4.4.7).
struct NetworkSearch: Sendable {
  /// What is to be done.
  enum Step: Hashable, Sendable {
    /// A person is told that the network denies the modem.
    case tellDenial
    /// The modem chooses a network anew.
    case choose
    /// The modem is started anew, by power if it can be had and starting did not help before.
    case startAnew(prefersPower: Bool)
  }

  private var began: BootInstant?
  private var hasToldDenial = false
  private var choseAt: BootInstant?
  private var startedAt: BootInstant?
  private var starts = 0

  /// There is a network: all is forgotten.
  mutating func end() {
    self = NetworkSearch()
  }

  /// What is to be done now.
  ///
  /// - Parameters:
  ///   - isDenied: Whether a network denies the modem.
  ///   - hasSignal: Whether the modem hears any.
  mutating func step(isDenied: Bool, hasSignal: Bool, at now: BootInstant) -> Step? {
    let began = began ?? now
    self.began = began
    if isDenied, !hasToldDenial, now - began >= Limits.deniedBeforeAlarm {
      hasToldDenial = true
      return .tellDenial
    }
    let isHopeless = isDenied || !hasSignal
    let patience = isHopeless ? Limits.hopelessBeforeRestart : Limits.searchesBeforeRestart
    let wait = min(patience * (1 << min(starts, 4)), Limits.restartsForNetwork)
    if now - (startedAt ?? began) >= wait {
      return .startAnew(prefersPower: starts >= Limits.restartsBeforePower)
    }
    let chooses = choseAt.map { now - $0 >= Limits.choicesSpacing } ?? true
    if !isHopeless, chooses, now - (startedAt ?? began) >= Limits.searchesBeforeChoice {
      choseAt = now
      return .choose
    }
    return nil
  }

  /// The modem was started anew for want of a network.
  mutating func started(at now: BootInstant) {
    startedAt = now
    choseAt = nil
    starts += 1
  }
}
