import GSM
import Time

/// What refusals of texts in a row tell of the modem itself, whatever becomes of the texts.
struct SendTroubles: Sendable {
  /// What helps.
  enum Remedy: Hashable, Sendable {
    /// Every setting is made again: the modem may have forgotten PDU mode.
    case setUpAgain
    /// Texts go by the other domain, packet or circuit switched (`AT+CGSMS`).
    case otherDomain
    /// Texts go by another access technology; where there is no other, the modem starts anew or
    /// nothing is done.
    case otherAccess(orRestart: Bool)
    /// The modem restarts.
    case restart
  }

  /// What is done about one code for every text, also to numbers that took texts before.
  enum Cure: Hashable, Sendable {
    /// All settings are made again.
    case setUpAgain
    /// The modem restarts.
    case restart
  }

  private var last: Code?
  private var count = 0
  /// Numbers that took a text.
  private var reached: Set<String> = []
  /// Texts to such numbers that were refused in a row, with one code.
  private var refusedByAll: (code: Code, count: Int)?
  /// When something was last done about that, and what.
  private var cured: (cure: Cure, at: BootInstant)?

  private struct Code: Hashable, Sendable {
    var kind: ModemError.Kind
    var code: Int?
  }

  /// A text was taken: all is well.
  mutating func accepted(by number: String?) {
    last = nil
    count = 0
    refusedByAll = nil
    guard let number else { return }
    if reached.count >= Limits.reachedNumbers { reached.removeAll() }
    reached.insert(number)
  }

  /// A text was refused; what is to be done when that happens to every text, with one code, by a network that
  /// has the modem and for numbers that it took texts for: whatever the code says, the modem may have lost
  /// its mind. It is set up again first, then restarted, each at most once an hour.
  ///
  /// - Parameters:
  ///   - text: The text that was refused.
  ///   - isHandled: Whether something is done about the code itself.
  mutating func cure(
    after error: ModemError, for text: OutgoingText?, isRegistered: Bool, isHandled: Bool,
    at now: BootInstant
  ) -> Cure? {
    let code = Code(kind: error.kind, code: error.code)
    let isReached = text.map { $0.isToKnownNumber || reached.contains($0.to) } ?? false
    if let row = refusedByAll, row.code != code { refusedByAll = nil }
    guard isReached, isRegistered else { return nil }
    let count = (refusedByAll?.count ?? 0) + 1
    refusedByAll = (code, count)
    guard count >= Limits.refusalsOfAll, !isHandled else { return nil }
    let next: Cure
    switch cured {
    case (let cure, let at)? where now - at < Limits.cures:
      guard cure == .setUpAgain else { return nil }
      next = .restart
    default: next = .setUpAgain
    }
    refusedByAll = nil
    cured = (next, now)
    return next
  }

  /// Whether the error that is about to be counted completes a row of those that say nothing, and that
  /// operators answer to an empty account too.
  func isInDoubt(after error: ModemError) -> Bool {
    Code(kind: error.kind, code: error.code) == last && count + 1 == 3
      && error.leavesDoubt(after: Limits.ownRefusalWithin)
  }

  /// A text was refused; what is to be done when that has a pattern.
  mutating func refused(_ error: ModemError) -> Remedy? {
    let code = Code(kind: error.kind, code: error.code)
    count = code == last ? count + 1 : 1
    last = code
    switch (error.kind, error.code) {
    // The modem's own failure.
    case (.cms, 300), (.cms, 320): return count == 2 ? .restart : nil
    // Not ready, or a mode that was forgotten; a SIM that was restarted without a word.
    case (.cms, 302), (.cms, 303), (.cms, 304), (.cms, 305), (.cms, 310), (.cms, 311),
      (.cme, 10), (.cme, 11):
      return count % 3 == 1 ? .setUpAgain : nil
    // A SIM that does not answer is helped by its power.
    case (.cms, 313), (.cme, 13): return count == 1 ? .restart : nil
    // Early after a start the SIM is not read yet; later its service centre is set as configured.
    case (.cms, 330): return count == 3 ? .setUpAgain : nil
    // The catch-all: no texts in this domain, or a modem that lost its mind.
    case (.cms, 69), (.cms, 500):
      return count % 6 == 0
        ? .otherAccess(orRestart: true) : count % 3 == 0 ? .otherDomain : nil
    // The network has no way for texts here (3GPP TS 24.011 E.2): out of order, no resources, a
    // facility that is not subscribed or not there.
    case (.cms, 29), (.cms, 38), (.cms, 41), (.cms, 42), (.cms, 47), (.cms, 50), (.cms, 332):
      return count % 6 == 0 ? .otherAccess(orRestart: false) : nil
    case (.plain, _), (.cme, nil), (.cms, nil):
      return count == 1 ? .setUpAgain : count % 3 == 0 ? .restart : nil
    default: return nil
    }
  }
}
