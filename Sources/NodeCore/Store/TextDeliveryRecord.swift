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

  /// How it stands: `sent`, `waiting`, `parked`, `outdated`, `unknown`, or `-` for one that is not texted
  /// or is with a modem.
  public var state: String {
    if isTexted { return "sent" }
    if parkedReason != nil { return "parked" }
    if due != nil { return "waiting" }
    if isOutdated { return "outdated" }
    return attempts > 0 ? "unknown" : "-"
  }
}
