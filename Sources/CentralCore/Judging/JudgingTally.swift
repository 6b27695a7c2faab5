/// What a service did with texts and found by them, in numbers that only grow: since it started.
public struct JudgingTally: Hashable, Sendable {
  /// Violations of one kind.
  public struct Violations: Hashable, Sendable {
    /// That were found, also such as were retracted before.
    public var found: Int64 = 0
    /// That are others by now.
    public var changed: Int64 = 0
    /// That later data disproved.
    public var retracted: Int64 = 0
    /// That became final.
    public var final: Int64 = 0

    /// None.
    public init() {}
  }

  /// The upper ends of the classes of ``latencies``, in milliseconds; the last class has none.
  public static let latencyEnds: [Int64] = [10, 30, 100, 300, 1_000, 3_000, 10_000]

  /// Passages of which a text told first.
  public private(set) var texts: Int64 = 0
  /// Texts of passages that were there.
  public private(set) var repeated: Int64 = 0
  /// Texts that are no passage, and wait for an operator.
  public private(set) var refused: Int64 = 0
  /// Those among them that were more than their sender may send.
  public private(set) var overRate: Int64 = 0
  /// Messages that were not kept, as too many wait for an operator.
  public private(set) var notKept: Int64 = 0
  /// Pairs that were found.
  public private(set) var paired: Int64 = 0
  /// Pairs that are none any more.
  public private(set) var parted: Int64 = 0
  /// Vehicles that were told to be overdue.
  public private(set) var overdue: Int64 = 0
  /// Of these, those that are waited for no longer.
  public private(set) var overdueEnded: Int64 = 0
  /// Speeding and overstays.
  public private(set) var violations: [ViolationFinding.Kind: Violations] = [:]
  /// How many messages were judged how long after they were handed over, by the classes of ``latencyEnds``.
  public private(set) var latencies = [Int64](repeating: 0, count: latencyEnds.count + 1)

  /// Nothing was done.
  public init() {}

  /// Counts what became of messages; what was judged with them is counted for itself.
  public mutating func add(_ messages: [ProcessedMessage]) {
    for message in messages {
      switch message.result {
      case .passage: texts += 1
      case .duplicate: repeated += 1
      case .undecodable(let reason):
        refused += 1
        if reason.code == Reason.rate { overRate += 1 }
      case .part, .report, .heartbeat: break
      }
    }
  }

  /// Counts messages that were not kept.
  public mutating func add(notKept count: Int) {
    notKept += Int64(count)
  }

  /// Counts what a judgement changed.
  public mutating func add(_ changes: JudgedChanges) {
    paired += Int64(changes.paired.count)
    parted += Int64(changes.parted.count)
    overdue += Int64(changes.raised.count)
    overdueEnded += Int64(changes.ended.count)
    for change in changes.violations {
      var counts = violations[change.violation.finding.kind] ?? Violations()
      switch change.revision.change {
      case .made, .renewed: counts.found += 1
      case .changed: counts.changed += 1
      case .retracted: counts.retracted += 1
      }
      violations[change.violation.finding.kind] = counts
    }
    for violation in changes.settled where violation.finality != .provisional {
      violations[violation.finding.kind, default: Violations()].final += 1
    }
  }

  /// Counts a message that was judged so long after it was handed over.
  public mutating func add(latency: Duration) {
    let place = JudgingTally.latencyEnds.firstIndex { latency <= .milliseconds($0) }
    latencies[place ?? JudgingTally.latencyEnds.count] += 1
  }
}
