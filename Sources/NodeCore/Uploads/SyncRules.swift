/// How attempts that failed are spaced out.
public enum RetryPreset: String, CaseIterable, Hashable, Sendable {
  /// A look every 30 seconds; after a failure pauses that double with jitter, 15 minutes at most.
  case offlineSync = "offline-sync"
  /// 1 s × 2ⁿ and up to a second of jitter, 5 minutes at most.
  case fleet
  /// At once, then after 5, 25 and 125 seconds; then a person decides.
  case core
}

/// What the configuration says about how passages go to the server.
public struct SyncRules: Hashable, Sendable {
  /// Time between two looks at what is to be done when nothing else calls for one.
  public var every: Duration = .seconds(30)
  /// How attempts that failed are spaced out.
  public var retry = RetryPreset.offlineSync
  /// Attempts after which a passage counts as failed, 1 to 20.
  public var attempts = 5
  /// A backlog of more passages than this goes in batches.
  public var batchOver = 20
  /// Passages in one batch, 1 to 50.
  public var batchSize = 50
  /// How long at most a backlog waits after the line has come back, so that not all posts begin at once.
  public var spread: Duration = .seconds(30)
  /// Whether the node signs in with a name and a password; without, it shows the key or token of the
  /// settings.
  public var signsIn = false
  /// The server's name of the user, where a token of the settings says it.
  public var userID: String?
  /// What tells one account from another: the server's URL and the name that is signed in with.
  public var account = ""
  /// Whether the time that the server tells dates passages, and flags those of a clock that is off. Over a
  /// network without TLS anybody on the way may tell it; then it is good for a warning alone.
  public var believesServerTime = true
  /// What becomes of a passage that the server has with another content.
  public var conflicts = ConflictResolution.serverWins
  /// Whether passages of the opposite post are pulled.
  public var pulls = true
  /// How much longer than the slowest expected travel a passage of the opposite post is kept for matching.
  public var pullBuffer: Duration = .seconds(3_600)
  /// Whether photographs go over a link that is paid by volume.
  public var photosWhenMetered = true
  /// The charge of the battery, in percent, below which no photograph is uploaded.
  public var photosAboveBattery = 20

  /// The rules with every setting at its default.
  public init() {}
}
