public import Time

/// Where a passage stands on its way to one who gets it as a text.
public struct TextDeliveryRecord: Hashable, Sendable {
  /// Who gets it.
  public var recipient: TextRecipient
  /// When it is due, by the node's clock; nil when it is not to be texted, or is with a modem.
  public var due: BootInstant?
  /// Whether a text for it was accepted.
  public var isTexted: Bool
  /// Texts for it that are or may be on air.
  public var attempts: Int
  /// Texts for it that were refused.
  public var refusals: Int
  /// Whether it has grown too old for a text.
  public var isOutdated: Bool
  /// Why it is set aside, if it is.
  public var parkedReason: String?
  /// What its last text failed with, in words; nil when that was accepted or there was none.
  public var lastError: String?

  /// A delivery that stands so.
  public init(
    recipient: TextRecipient, due: BootInstant?, isTexted: Bool, attempts: Int, refusals: Int,
    isOutdated: Bool, parkedReason: String?, lastError: String?
  ) {
    self.recipient = recipient
    self.due = due
    self.isTexted = isTexted
    self.attempts = attempts
    self.refusals = refusals
    self.isOutdated = isOutdated
    self.parkedReason = parkedReason
    self.lastError = lastError
  }

  /// How a passage stands on its way to one recipient.
  public enum State: String, Hashable, Sendable {
    /// A text of it was accepted.
    case sent
    /// It will not be tried there again.
    case parked
    /// It is or will be due.
    case waiting
    /// It has grown too old for a text.
    case outdated
    /// Nobody knows whether a text of it left.
    case unknown
    /// It is not texted, or its text is with a modem.
    case notTexted = "-"
  }

  /// How it stands.
  public var state: State {
    if isTexted { return .sent }
    if parkedReason != nil { return .parked }
    if due != nil { return .waiting }
    if isOutdated { return .outdated }
    return attempts > 0 ? .unknown : .notTexted
  }
}
