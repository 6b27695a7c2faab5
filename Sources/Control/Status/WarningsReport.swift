/// What rangers were warned of lately. Plates are for the command that warns them, and for the queue.
public struct WarningsReport: Codable, Hashable, Sendable {
  /// Vehicles that ought to have left by now and were not seen.
  public var overdue = 0
  /// When the one of them came in that has been on the segment the longest, as RFC 3339 has it.
  public var overdueSince: String?
  /// What was warned of last: `speeding`, `overstay` or `overdue`.
  public var lastKind: String?
  /// When, as RFC 3339 has it.
  public var lastAt: String?

  private enum CodingKeys: String, CodingKey {
    case overdue
    case overdueSince = "overdue_since"
    case lastKind = "last_kind"
    case lastAt = "last_at"
  }

  /// Nothing was warned of.
  public init() {}
}
