import Time

/// How much may come in by text before it waits for a person, and how much may wait so.
///
/// A post that was away, or whose network was, sends at once what it could not before: a modem makes 10 to 15
/// texts a minute, a post 2,880 a day by its own budgets, and a network keeps them for three days. So much has to
/// pass; more than that is not a post's.
public struct IngressLimits: Hashable, Sendable {
  /// What each number may text that is bound to a post.
  public var bound = SenderRates.Allowance(burst: 10_000, perMinute: 30)
  /// What all other numbers may text together, where they may at all: they can be made up, one for each text.
  public var others = SenderRates.Allowance(burst: 10_000, perMinute: 300)
  /// Messages of one sender that are kept though they are no passage, from 1.
  public var refusedOfSender: Int64 = 20_000
  /// Messages of all senders that are kept though they are no passage, from 1.
  public var refused: Int64 = 200_000

  /// The limits that hold where nothing else is set.
  public init() {}
}

/// How many passages each number has texted lately.
public struct IngressRates: Sendable {
  private var bound: SenderRates
  private var others: SenderRates

  /// Nobody has texted anything.
  public init(_ limits: IngressLimits) {
    bound = SenderRates(limits.bound)
    others = SenderRates(limits.others)
  }

  /// Takes other limits up, without forgetting who has texted how much.
  public mutating func change(_ limits: IngressLimits) {
    (bound.allowance, others.allowance) = (limits.bound, limits.others)
  }

  /// Somebody texts a passage, or that a post lives.
  ///
  /// - Returns: Whether it may.
  mutating func take(_ sender: String, _ directory: Directory, at time: WallTime) -> Bool {
    guard let number = PhoneNumber(sender), directory.isKnown(number) else {
      return others.take("", at: time)
    }
    return bound.take(number.digits, at: time)
  }
}
