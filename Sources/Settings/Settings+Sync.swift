extension Settings {
  /// How attempts that failed are spaced out.
  public enum Retries: String, CaseIterable, Hashable, Sendable {
    /// A look every 30 seconds; pauses that double, up to 15 minutes.
    case offlineSync = "offline-sync"
    /// 1 s × 2ⁿ, up to 5 minutes.
    case fleet
    /// At once, then after 5, 25 and 125 seconds; then a person decides.
    case core
  }

  /// What becomes of two different contents under one identity.
  public enum Conflicts: String, CaseIterable, Hashable, Sendable {
    /// What the server has counts.
    case serverWins = "server_wins"
    /// What was recorded here counts.
    case clientWins = "client_wins"
    /// The later one counts.
    case lastWriteWins = "last_write_wins"
    /// What one of them lacks is filled in from the other.
    case merge
    /// A person decides.
    case manual
  }

  /// How passages go to the server.
  public struct Sync: Hashable, Sendable {
    /// Time between two looks at what is to be done when nothing else calls for one.
    public var every: Duration = .seconds(30)
    /// How attempts that failed are spaced out.
    public var retry = Retries.offlineSync
    /// Attempts after which a passage counts as failed.
    public var attempts = 5
    /// A backlog of more passages than this goes in batches.
    public var batchOver = 20
    /// Passages in one batch.
    public var batchSize = 50
    /// How long at most a backlog waits after the line has come back.
    public var spread: Duration = .seconds(30)
    /// What becomes of a passage that the server has with another content.
    public var conflicts = Conflicts.serverWins
    /// Whether passages of the opposite post are pulled.
    public var pull = true
    /// How much longer than the slowest expected travel a passage of the opposite post is kept.
    public var pullBuffer: Duration = .seconds(3_600)
    /// Whether photographs go over a link that is paid by volume.
    public var photosWhenMetered = true
    /// The charge of the battery, in percent, below which no photograph is uploaded.
    public var photosAboveBattery = 20
  }
}
