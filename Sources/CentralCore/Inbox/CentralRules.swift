public import Time

/// What the configuration says about messages that come in.
public struct CentralRules: Hashable, Sendable {
  /// Whose texts become passages.
  public enum Ingress: Hashable, Sendable {
    /// Anybody's.
    case open
    /// Those of a number that is bound to the post which the text names.
    case allowlist
  }

  /// What the number that a text comes from proves.
  public enum Trust: Hashable, Sendable {
    /// Nothing, as it can be forged: a violation that rests on texts alone waits for an upload or a person.
    case nothing
    /// That it comes from the post to which the number is bound.
    case number
  }

  /// How far before its receipt a passage may lie.
  public var past: Duration = .seconds(72 * 3_600)
  /// How far after its receipt a passage may lie, because the clock of its post is ahead.
  public var future: Duration = .seconds(120)
  /// Whose texts become passages. The number of a sender can be forged either way.
  public var ingress = Ingress.allowlist
  /// What the number that a text comes from proves.
  public var trust = Trust.nothing
  /// Numbers that may speak for posts, besides those of the directory.
  public var bindings: [SenderBinding] = []
  /// How much may come in before it waits for a person, and how much may wait so.
  public var ingressLimits = IngressLimits()
  /// How long a passage is kept after it was recorded, and a message after it came.
  public var keep: Duration = .seconds(365 * 86_400)
  /// The numbers by which passages are judged.
  public var judging = JudgingRules()

  /// The rules with everything at its default.
  public init() {}

  /// The seconds since 1970 that are accepted in a text which came in at `time`.
  public func window(at time: WallTime) -> ClosedRange<Int64> {
    let lowest = (time - past).epochSeconds
    return lowest...max(lowest, (time + future).epochSeconds)
  }
}

/// Rules that an operator sets aside for one message that was kept back.
public struct Waiver: OptionSet, Hashable, Sendable {
  /// The rules that are set aside, a bit each.
  public let rawValue: Int

  /// The rules whose bits are set; a bit without a rule sets nothing aside.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Take it whoever sent it.
  public static let anySender = Waiver(rawValue: 1)
  /// Take it whatever time it names.
  public static let anyTime = Waiver(rawValue: 2)
  /// Take it however many its sender has texted.
  public static let anyRate = Waiver(rawValue: 4)
}
