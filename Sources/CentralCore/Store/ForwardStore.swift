public import Storage
public import Time

/// Where it is kept which passages were handed on to another server.
///
/// A passage that is recognised is due by itself, in the order of its row; what could not be handed on waits or is
/// set aside here, so that one of them holds up no other.
public protocol ForwardStore: Sendable {
  /// Passages that are due, those that waited before those that are new.
  func forwards(due now: WallTime, limit: Int) throws(StorageError) -> DueForwards

  /// Writes down what became of passages that ``forwards(due:limit:)`` gave, all of them.
  func settle(_ outcomes: [ForwardOutcome], at now: WallTime) throws(StorageError)

  /// How many were handed on, wait and are set aside.
  func forwardStanding() throws(StorageError) -> ForwardStanding

  /// Passages that wait or are set aside, the oldest first.
  func forwards(limit: Int) throws(StorageError) -> [HeldForward]

  /// Lets all that wait and are set aside be due.
  ///
  /// - Returns: How many.
  func retryForwards(at now: WallTime) throws(StorageError) -> Int
}

/// What is to be handed on.
public struct DueForwards: Hashable, Sendable {
  /// The passages.
  public var passages: [StoredPassage]
  /// When the next one is due that waits; nil where none does.
  public var next: WallTime?

  /// What is due.
  public init(passages: [StoredPassage], next: WallTime? = nil) {
    self.passages = passages
    self.next = next
  }
}

/// What became of a passage that was to be handed on.
public struct ForwardOutcome: Hashable, Sendable {
  /// What became of it.
  public enum Result: Hashable, Sendable {
    /// The server has it.
    case forwarded
    /// It was withdrawn: the server was told, or never had it.
    case withdrawn
    /// It cannot go yet; it is due again at that moment.
    case waits(ForwardHindrance, until: WallTime)
    /// The server will never take it as it is: a person has to see to it.
    case setAside(ForwardHindrance)
  }

  /// The row of the passage.
  public var row: Int64
  /// What became of it.
  public var result: Result

  /// What became of a passage.
  public init(row: Int64, _ result: Result) {
    self.row = row
    self.result = result
  }
}

/// Why a passage cannot be handed on.
public enum ForwardHindrance: String, CaseIterable, Hashable, Sendable {
  /// The server does not know the post.
  case unknownPost = "unknown_post"
  /// The server knows nobody whom it can stand under.
  case unknownRanger = "unknown_ranger"
  /// The post's clock had not been set: nobody knows when it was.
  case undated
  /// The server took it, and does not have it.
  case notStored = "not_stored"
  /// The server fails when it is handed this one, and takes others.
  case serverFails = "server_fails"
  /// The server does not take it.
  case refused
}

/// How far handing on is.
public struct ForwardStanding: Hashable, Sendable {
  /// Passages that the server has.
  public var forwarded: Int
  /// Passages that are new, or wait.
  public var waiting: Int
  /// Of those that wait or are set aside, how many for which reason.
  public var hindered: [ForwardHindrance: Int]
  /// Passages that a person has to see to.
  public var setAside: Int

  /// How far it is.
  public init(
    forwarded: Int, waiting: Int, hindered: [ForwardHindrance: Int], setAside: Int
  ) {
    self.forwarded = forwarded
    self.waiting = waiting
    self.hindered = hindered
    self.setAside = setAside
  }
}

/// A passage that was not handed on when it was due.
public struct HeldForward: Hashable, Sendable {
  /// The passage.
  public var passage: StoredPassage
  /// Why not.
  public var hindrance: ForwardHindrance
  /// When it is due again; nil for one that is set aside.
  public var dueAt: WallTime?
  /// How often it was tried.
  public var attempts: Int

  /// One that was not handed on.
  public init(
    passage: StoredPassage, hindrance: ForwardHindrance, dueAt: WallTime?, attempts: Int
  ) {
    self.passage = passage
    self.hindrance = hindrance
    self.dueAt = dueAt
    self.attempts = attempts
  }
}
