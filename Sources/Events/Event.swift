public import Time

/// One thing that happened: a stable name for scripts, words for people, and facts for machines.
///
/// It is made where it is decided, and goes unchanged to the console, the file, the counts and whoever
/// subscribes. Plates, phone numbers and identities stand in fields of their own and never in the words,
/// so that they can be masked wherever the event is written.
public struct Event: Hashable, Sendable {
  /// When it happened, by the wall clock; nil where whoever decided it knows none, and the log takes the
  /// time at which it is told.
  public var time: WallTime?
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
  /// Whether words and texts come from a modem or a library, which know nothing of what a log must not
  /// hold: messages and long numbers in them are masked too.
  public var isForeign: Bool

  /// An event.
  public init(
    _ name: String, _ level: LogLevel = .info, at time: WallTime? = nil, subject: String? = nil,
    words: String, next: NextStep? = nil, waiting: Int? = nil, fields: [EventField] = [],
    isForeign: Bool = false
  ) {
    self.time = time
    self.level = level
    self.name = name
    self.subject = subject
    self.words = words
    self.next = next
    self.waiting = waiting
    self.fields = fields
    self.isForeign = isForeign
  }

  /// The fact under a key; nil when there is none.
  public subscript(key: String) -> EventField.Value? {
    get { fields.first { $0.key == key }?.value }
    set {
      fields.removeAll { $0.key == key }
      if let newValue { fields.append(EventField(key, newValue)) }
    }
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
