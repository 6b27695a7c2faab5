/// What the way to the server is doing.
public struct SyncReport: Codable, Hashable, Sendable {
  /// `off`, `idle`, `syncing`, `retrying` or `error`.
  public var state: String
  /// Why, for people; nil where the state says all.
  public var reason: String?
  /// When it goes on by itself, as RFC 3339 has it; nil when that takes more than time.
  public var until: String?
  /// Passages that went since it began.
  public var done: Int?
  /// Passages that waited when it began.
  public var total: Int?
  /// Passages, photographs and corrections that the server does not have and that go by themselves.
  public var waiting: Int?
  /// Those that it refused for good.
  public var refused: Int?
  /// Why it did not take something that it still does not have, as it was met last.
  public var lastError: String?
  /// When, as RFC 3339 has it.
  public var lastErrorAt: String?
  /// `full_online`, `core_offline` or `sms_last_resort`.
  public var level: String?
  /// When the server last had everything that was due, as RFC 3339 has it.
  public var lastSyncedAt: String?
  /// When passages of the opposite post were last pulled, as RFC 3339 has it.
  public var lastPulledAt: String?
  /// The post as the server knows it.
  public var checkpost: String?
  /// The post at the other end of the segment; of several segments all of them, with commas between.
  public var opposite: String?

  private enum CodingKeys: String, CodingKey {
    case lastSyncedAt = "last_synced_at"
    case lastError = "last_error"
    case lastErrorAt = "last_error_at"
    case lastPulledAt = "last_pulled_at"
    case state, reason, until, done, total, waiting, refused, level, checkpost, opposite
  }

  /// A way of which nothing but its state is known.
  public init(state: String) {
    self.state = state
  }
}
