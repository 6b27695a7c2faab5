/// How a simulated mobile network treats messages.
public struct NetworkBehaviour: Hashable, Sendable {
  /// Time that a message spends on its way.
  public var delay: ClosedRange<Duration> = .milliseconds(0)...(.milliseconds(0))
  /// The probability that a message is lost after the service centre took it.
  public var loss = 0.0
  /// The probability that a message arrives twice.
  public var duplication = 0.0
  /// The probability that a message is held back, so that later ones overtake it.
  public var reordering = 0.0
  /// How long such a message is held back.
  public var holdBack: ClosedRange<Duration> = .seconds(5)...(.seconds(60))
  /// The probability that the service centre refuses a message, with `refusalCode`.
  public var refusal = 0.0
  /// The `+CMS ERROR` of a refusal; 38 is "network out of order" (3GPP TS 24.011 E-2).
  public var refusalCode = 38
  /// Whether it reports what became of a message when it is asked to: some networks never do.
  public var reports = true
  /// The probability that a status report is lost.
  public var reportLoss = 0.0
  /// Time between two tries to reach a modem that is off, unregistered or full.
  public var retryInterval: Duration = .seconds(30)
  /// How long a message without a validity period is kept.
  public var keeps: Duration = .seconds(72 * 3_600)
  /// The zone of the service centre's clock, in quarters of an hour: Nepal's.
  public var quarterHours = 23

  /// A network that delivers everything at once and once.
  public init() {}
}
