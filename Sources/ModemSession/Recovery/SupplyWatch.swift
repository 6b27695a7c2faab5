import Time

/// Tells a modem whose supply is too weak from one that fails otherwise.
///
/// A transmitter draws two amperes for the moment in which it sends. A cable that is too long, a hub
/// without a supply of its own or a tired battery gives way then, and the modem starts anew or falls off
/// the bus: again and again, and soon after a text was handed to it.
struct SupplyWatch: Sendable {
  /// What a weak supply does.
  enum Sign: Hashable, Sendable {
    /// The modem restarted by itself.
    case restart
    /// The device went away and came back by itself.
    case reenumeration
    /// The modem said that its voltage is too low.
    case underVoltage
  }

  /// What the signs say together.
  enum Verdict: Hashable, Sendable {
    /// The modem itself says so.
    case tooLow
    /// It goes down when it sends.
    case dipsWhenSending
    /// It goes down again and again, whatever it does.
    case unsteady

    /// What is wrong, and what helps.
    var words: String {
      switch self {
      case .tooLow:
        "the modem says that its supply is too low; give it a supply of its own or a shorter cable"
      case .dipsWhenSending:
        "the supply dips when it sends: give the modem a supply of its own (a hub with a power"
          + " supply) or a shorter cable"
      case .unsteady:
        "the modem starts anew again and again by itself; is its supply strong enough, and its plug"
          + " firm?"
      }
    }
  }

  private struct Event: Hashable, Sendable {
    var at: BootInstant
    var sign: Sign
    var whileSending: Bool
  }

  private var events: [Event] = []
  private var sentAt: BootInstant?
  private var lostAt: BootInstant?
  private var told: Verdict?

  /// A message was handed to the modem, which now sends it.
  mutating func sent(at now: BootInstant) {
    sentAt = now
  }

  /// The port went away by itself.
  mutating func lost(at now: BootInstant) {
    lostAt = now
  }

  /// The port is open again; what it says when the device was away for so short a time that nobody can
  /// have pulled it out and put it in.
  mutating func returned(at now: BootInstant) -> Verdict? {
    defer { lostAt = nil }
    guard let lostAt, now - lostAt <= Limits.reenumerates else { return nil }
    return note(.reenumeration, since: lostAt, at: now)
  }

  /// Takes a sign; a verdict when it has become another one.
  mutating func note(_ sign: Sign, at now: BootInstant) -> Verdict? {
    note(sign, since: now, at: now)
  }

  private mutating func note(
    _ sign: Sign, since began: BootInstant, at now: BootInstant
  ) -> Verdict? {
    forget(at: now)
    let whileSending = sentAt.map { began - $0 <= Limits.supplyAfterSending } ?? false
    events.append(Event(at: now, sign: sign, whileSending: whileSending))
    if events.count > Limits.supplySigns { events.removeFirst() }
    let verdict = verdict
    defer { told = verdict }
    return verdict == told ? nil : verdict
  }

  /// Forgets what is too old to count.
  mutating func forget(at now: BootInstant) {
    events.removeAll { now - $0.at > Limits.supplyWindow }
    if events.isEmpty { told = nil }
  }

  /// What the signs of the last day say; nil when there are too few.
  var verdict: Verdict? {
    if events.contains(where: { $0.sign == .underVoltage }) { return .tooLow }
    let sending = events.count { $0.whileSending }
    if sending >= Limits.supplyDips, sending * 3 >= events.count * 2 { return .dipsWhenSending }
    return events.count >= Limits.supplyUnsteady ? .unsteady : nil
  }

  /// How often each sign was seen in the last day.
  func count(_ sign: Sign) -> Int { events.count { $0.sign == sign } }

  /// How many of them came soon after a text was handed to the modem.
  var whileSending: Int { events.count { $0.whileSending } }
}
