extension NodeCore.Limits {
  /// Attempts that a configuration may ask for at most.
  public static let mostAttempts = 20

  /// Passages in one request, at most.
  public static let batch = 50

  /// Requests a second with which a backlog is begun to be drained, in hundredths.
  static let drainFirst = 100
  /// The slowest that it becomes.
  static let drainLeast = 10
  /// The fastest that it becomes.
  static let drainMost = 2_000
  /// How long it has to go well for it to become faster.
  static let drainStep: Duration = .seconds(30)
  /// An answer that takes longer says that the server has too much to do.
  static let slowAnswer: Duration = .seconds(2)

  /// How long the shell may take over one call. Its own time-outs are shorter; this one keeps a lost
  /// answer from blocking the queue for ever.
  static let callWithin: Duration = .seconds(600)

  /// Bytes of a photograph that go in a second even on a line of the oldest kind.
  static let photoBytesPerSecond = 1 << 10
  /// How long a photograph may take besides its bytes.
  static let photoBesides: Duration = .seconds(60)

  /// Time between two reports of how far a sync has come.
  static let progressEvery: Duration = .seconds(5)

  /// The part of a token's life, in percent, after which it is renewed.
  static let renewAfterPercent: Int64 = 80
  /// The least time between two attempts to sign in after one failed.
  static let signInFirst: Duration = .seconds(5)
  /// The most.
  static let signInMost: Duration = .seconds(900)

  /// How long what the server told of this place is taken as it is.
  static let directoryFor: Duration = .seconds(6 * 3_600)
  /// Time to the next question after one that failed, or that told of no post.
  static let directoryRetry: Duration = .seconds(120)
  /// Questions of that kind in a row without an answer after which a server that answers others counts as
  /// impaired.
  static let directorySilences = 2
  /// The least time between two questions that refused passages give rise to.
  static let directoryDoubt: Duration = .seconds(2)

  /// Time between two notes of up to when the server has everything.
  static let markEvery: Duration = .seconds(300)

  /// How long passages that are due may still go when the service is about to end.
  static let syncAtStop: Duration = .seconds(10)

  /// How long what the server's clock showed is gone by before it is noted again.
  static let serverTimeEvery: Duration = .seconds(3_600)
  /// How far it may be from what was expected: answers have whole seconds, and take their time.
  static let serverTimeWithin: Duration = .seconds(5)

  /// Time between two notes of when the server had everything.
  static let syncNotedEvery: Duration = .seconds(60)

  /// How long nothing goes after something failed that may be to blame itself: then another one shows
  /// whether the server takes any.
  static let secondOpinion: Duration = .seconds(2)
  /// Different passages that failed one after the other, after which it is the server that failed.
  static let failuresOfServer = 3
  /// After how long one of those that were refused by policy is tried again.
  static let refusedAgain: Duration = .seconds(86_400)
  /// How often a server that answers and takes no passage is handed one of those that were given up for good,
  /// where no other is to go.
  static let trialEvery: Duration = .seconds(900)

  /// How long a passage waits whose post, segment or ranger the server does not know.
  static let referenceRetry: Duration = .seconds(300)
  /// How long it waits once that has failed as often as anything is tried.
  static let referenceRest: Duration = .seconds(86_400)
}
