public import Timing

/// What the configuration says about when a passage leaves as a text.
public struct NodeRules: Hashable, Sendable {
  /// How long a passage must have been pending before it may leave as a text. The rule is "longer
  /// than", so at exactly this age it does not.
  public var fallbackAfter: Duration = .seconds(300)

  /// The number that passages are texted to; without one no passage is.
  public var recipient: String?

  /// Whether a server is configured; without one there is no connectivity, ever.
  public var hasServer = false

  /// How long an authenticated answer of the server counts as connectivity.
  public var onlineFor: Duration = .seconds(60)

  /// Time between probes while the server answers.
  public var probeEvery: Duration = .seconds(30)

  /// Time to the next probe after the first failure; it doubles with each further one.
  public var probeRetryFirst: Duration = .seconds(5)

  /// Time to the next probe at most.
  public var probeRetryMost: Duration = .seconds(60)

  /// How long a probe may take before it counts as failed.
  public var probeAnswerWithin: Duration = .seconds(20)

  /// Texts within any 60 seconds.
  public var textsPerMinute = 15

  /// Texts within any 24 hours.
  public var textsPerDay = 300

  /// Texts for one passage that may have gone on air: 1 to 3. At 1, a text with an unknown outcome
  /// is never sent again; above, it is, after ``unknownSpacing``.
  public var textsPerPassage = 1

  /// Time between a text with an unknown outcome and the next text for the same passage.
  public var unknownSpacing: Duration = .seconds(600)

  /// Modems that this node drives.
  public var modems = 1

  /// The rules with every setting at its default.
  public init() {}

  /// ``textsPerPassage`` within its bounds.
  public var textsAllowed: Int {
    min(max(textsPerPassage, 1), Limits.textsPerPassage)
  }

  /// When a passage that has been waiting since `since` first satisfies "longer than".
  public func due(since: BootInstant) -> BootInstant {
    since + fallbackAfter + .nanoseconds(1)
  }
}
