/// What rangers were warned of lately. Plates stand only in ``vehicles``: those who may ask are the post's own.
public struct WarningsReport: Codable, Hashable, Sendable {
  /// Vehicles that ought to have left by now and were not seen.
  public var overdue = 0
  /// When the one of them came in that has been on the segment the longest, as RFC 3339 has it.
  public var overdueSince: String?
  /// The first three of them, those that came in first before the others; `overdue` lists all.
  public var vehicles: [AlertReport]?
  /// What was warned of last: `speeding`, `overstay` or `overdue`.
  public var lastKind: String?
  /// When, as RFC 3339 has it.
  public var lastAt: String?

  private enum CodingKeys: String, CodingKey {
    case overdue, vehicles
    case overdueSince = "overdue_since"
    case lastKind = "last_kind"
    case lastAt = "last_at"
  }

  /// Nothing was warned of.
  public init() {}
}
