/// What central did with texts and found by them and by uploads, since the service started: numbers that only grow.
public struct JudgedReport: Codable, Hashable, Sendable {
  /// Violations of one kind.
  public struct Violations: Codable, Hashable, Sendable {
    /// `speeding` or `overstay`.
    public var kind: String
    /// That were found.
    public var found: Int64
    /// That are others by now.
    public var changed: Int64
    /// That later data disproved.
    public var retracted: Int64
    /// That became final.
    public var final: Int64

    /// Violations of a kind.
    public init(kind: String, found: Int64, changed: Int64, retracted: Int64, final: Int64) {
      (self.kind, self.found, self.changed) = (kind, found, changed)
      (self.retracted, self.final) = (retracted, final)
    }
  }

  /// Messages that were judged within some time.
  public struct Latency: Codable, Hashable, Sendable {
    /// At most so long after they came; nil for all that took longer than the class before.
    public var mostMilliseconds: Int64?
    /// How many.
    public var count: Int64

    /// Messages of a class.
    public init(mostMilliseconds: Int64?, count: Int64) {
      (self.mostMilliseconds, self.count) = (mostMilliseconds, count)
    }

    private enum CodingKeys: String, CodingKey {
      case mostMilliseconds = "most_ms"
      case count
    }
  }

  /// Passages of which a text told first.
  public var texts: Int64 = 0
  /// Texts of passages that were there.
  public var repeated: Int64 = 0
  /// Texts that are no passage.
  public var refused: Int64 = 0
  /// Those among them that were more than their sender may send.
  public var overRate: Int64 = 0
  /// Messages that were not kept.
  public var notKept: Int64 = 0
  /// Pairs that were found.
  public var paired: Int64 = 0
  /// Pairs that are none any more.
  public var parted: Int64 = 0
  /// Vehicles that were told to be overdue.
  public var overdue: Int64 = 0
  /// Of these, those that are waited for no longer.
  public var overdueEnded: Int64 = 0
  /// By kind.
  public var violations: [Violations] = []
  /// How long messages took until they were judged.
  public var latency: [Latency] = []

  private enum CodingKeys: String, CodingKey {
    case overRate = "over_rate"
    case notKept = "not_kept"
    case overdueEnded = "overdue_ended"
    case texts, repeated, refused, paired, parted, overdue, violations, latency
  }

  /// Nothing was done.
  public init() {}
}
