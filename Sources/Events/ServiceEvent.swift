public import Time

/// One thing that happened, for people to read and for scripts to find: a stable name, words, and
/// the next step with its time.
///
/// Plates and phone numbers stand in fields of their own and never in the words, so that they can be
/// masked wherever the event is written.
public struct ServiceEvent: Hashable, Sendable {
  /// When it happened, by the wall clock.
  public var time: WallTime
  /// How much it matters to an operator.
  public var level: LogLevel
  /// The name in snake_case, which never changes: `text_refused`.
  public var name: String
  /// What it is about, short: `BNP-A #17`.
  public var subject: String?
  /// What happened, in words before codes: `CMS 38 network out of order`.
  public var words: String
  /// What comes next.
  public var next: NextStep?
  /// Passages that wait for a text.
  public var waiting: Int?
  /// Further facts, for machines.
  public var fields: [EventField]

  /// An event.
  public init(
    _ name: String, _ level: LogLevel = .info, at time: WallTime, subject: String? = nil,
    words: String, next: NextStep? = nil, waiting: Int? = nil, fields: [EventField] = []
  ) {
    self.time = time
    self.level = level
    self.name = name
    self.subject = subject
    self.words = words
    self.next = next
    self.waiting = waiting
    self.fields = fields
  }
}

/// What comes after an event, and when.
public struct NextStep: Hashable, Sendable {
  /// The step in words: `next try`.
  public var words: String
  /// When it comes, by the wall clock as it is now.
  public var at: WallTime

  /// A step at a moment.
  public init(_ words: String, at: WallTime) {
    self.words = words
    self.at = at
  }
}

/// A fact of an event under a name in snake_case.
public struct EventField: Hashable, Sendable {
  /// The value of a fact.
  public enum Value: Hashable, Sendable {
    /// Words, or a name of something.
    case text(String)
    /// A count, a code or a measure, whose unit the key names.
    case integer(Int64)
    /// Whether something is so.
    case flag(Bool)
    /// A plate in its compact form, which is masked.
    case plate(String)
    /// A phone number, which is masked.
    case phone(String)
    /// The identity of a passage, which is masked as its plate is: it is a hash of the plate and of what
    /// the log tells beside it, so that trying all plates would find the one.
    case identity(String)
  }

  /// The name in snake_case, which never changes.
  public var key: String
  /// The value under that name.
  public var value: Value

  /// A fact.
  public init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }
}
