public import Passages
public import Time

/// What the configuration says of one modem.
public struct NodeModem: Hashable, Sendable {
  /// What the log, the budget and commands call it; it stays when the order of the modems changes.
  public var name: String
  /// How the numbers begin that it is to be preferred for: those of its own network.
  public var prefixes: [String]

  /// A modem.
  public init(name: String = "modem", prefixes: [String] = []) {
    self.name = name
    self.prefixes = prefixes
  }

  /// Characters of `number` that its longest fitting prefix covers.
  func fit(_ number: String) -> Int {
    prefixes.filter { number.hasPrefix($0) }.map(\.utf8.count).max() ?? 0
  }
}

/// What the configuration says about when a passage leaves as a text.
public struct NodeRules: Hashable, Sendable {
  /// How long a passage must have been pending before it may leave as a text. The rule is "longer
  /// than", so at exactly this age it does not.
  public var fallbackAfter: Duration = .seconds(300)

  /// The numbers that passages may be texted to, each text to one of them: the first that is not
  /// left alone after a refusal. Without any no passage is texted.
  public var gateways: [String] = []

  /// The number of the opposite post, to which passages are texted as well; nil for none.
  public var oppositeNumber: String?

  /// Further numbers that each passage is texted to, ``NodeCore/Limits/recipients`` at most; what is
  /// beyond is left out.
  public var recipients: [String] = []

  /// The code of this post; nil where none is configured.
  public var checkpost: CheckpostCode?

  /// Whether a server is configured; without one there is no connectivity, ever.
  public var hasServer = false

  /// How long connectivity must have been absent before a passage may leave as a text. Without a server
  /// it always is.
  public var offlineFor: Duration = .seconds(300)

  /// Whether passages are texted while the server is there and takes nothing.
  public var textsWhenServerDown = false

  /// How long a server that is there may take nothing before passages are texted all the same.
  public var serverDownAfter: Duration = .seconds(1_800)

  /// How passages go to the server.
  public var sync = SyncRules()

  /// How vehicles are warned of on the spot.
  public var matching = MatchingRules()

  /// How long an authenticated answer of the server counts as connectivity.
  public var onlineFor: Duration = .seconds(60)

  /// Time between probes while the server answers.
  public var probeEvery: Duration = .seconds(30)

  /// Time to the next probe after the first failure; it doubles with each further one.
  public var probeRetryFirst: Duration = .seconds(5)

  /// Time to the next probe at most; less where it would take longer than half a minute, with the time that
  /// a probe may take, until a line that is back is seen.
  public var probeRetryMost: Duration = .seconds(8)

  /// How long a probe may take before it counts as failed.
  public var probeAnswerWithin: Duration = .seconds(20)

  /// Texts of each modem within any 60 seconds.
  public var textsPerMinute = 15

  /// Texts of each modem within any 60 minutes.
  public var textsPerHour = 120

  /// Texts of each modem within any 24 hours.
  public var textsPerDay = 300

  /// Texts of each modem within any 30 days.
  public var textsPerMonth = 3_000

  /// Texts for one passage that may have gone on air: 1 to 3. At 1, a text with an unknown outcome
  /// is never sent again; above, it is, after ``unknownSpacing``.
  public var textsPerPassage = 1

  /// Time between a text with an unknown outcome and the next text for the same passage.
  public var unknownSpacing: Duration = .seconds(600)

  /// How old a passage may be, by its own time, for a text to be worth its price; an older one is left
  /// to the server.
  public var worthFor: Duration = .seconds(72 * 3_600)

  /// After how long in which nothing left by any channel a heartbeat is texted; zero for never.
  public var heartbeatAfter: Duration = .zero

  /// When on each day no passage is texted unless it is urgent; nil for never.
  public var quietHours: DayPart?

  /// Modems that this node drives.
  public var modems = [NodeModem()]

  /// The rules with every setting at its default.
  public init() {}

  /// ``textsPerPassage`` within its bounds.
  public var textsAllowed: Int {
    min(max(textsPerPassage, 1), Limits.textsPerPassage)
  }

  /// Texts that each modem may send within `window`.
  public func limit(of window: BudgetWindow) -> Int {
    switch window {
    case .minute: min(max(textsPerMinute, 0), Limits.textsPerMinute)
    case .hour: min(max(textsPerHour, 0), Limits.textsPerHour)
    case .day: min(max(textsPerDay, 0), Limits.textsPerDay)
    case .month: min(max(textsPerMonth, 0), Limits.textsPerMonth)
    }
  }

  /// The most texts that can leave this node within any 24 hours, whatever goes wrong.
  public var worstDay: Int {
    let each = [
      limit(of: .minute) * 1_440, limit(of: .hour) * 24, limit(of: .day), limit(of: .month),
    ]
    return (each.min() ?? 0) * max(1, modems.count)
  }

  /// How long a text for a passage of this age is worth its delivery.
  func worth(atAge age: Duration) -> Duration {
    max(worthFor - age, Limits.shortestValidity)
  }

  /// When a passage that has been waiting since `since` first satisfies "longer than".
  public func due(since: BootInstant) -> BootInstant {
    since + fallbackAfter + .nanoseconds(1)
  }
}
