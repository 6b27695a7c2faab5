/// One thing that happened to a modem, for the service's log.
///
/// Phone numbers stand in fields of their own and never in the words, so that whoever writes the
/// entry can mask them.
public struct ModemLogEntry: Hashable, Sendable {
  /// How much an entry matters.
  public enum Level: String, CaseIterable, Hashable, Sendable {
    /// Of use when something is looked for; the ordinary course; a change of state; a failure that
    /// will be tried again; a failure that waiting will hardly mend.
    case debug, info, notice, warning, error
  }

  /// A fact of an entry.
  public enum Value: Hashable, Sendable {
    /// Words, or a name of something.
    case text(String)
    /// A count, a code or a measure, whose unit the key names.
    case integer(Int64)
    /// A phone number, to be masked.
    case phone(String)
  }

  /// A fact under its name in snake_case.
  public struct Field: Hashable, Sendable {
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

  /// A name in snake_case that never changes: `modem_ready`.
  public var name: String
  /// How much the entry matters.
  public var level: Level
  /// What happened, in words.
  public var words: String
  /// Further facts, for machines.
  public var fields: [Field]

  /// An entry.
  public init(name: String, level: Level, words: String, fields: [Field] = []) {
    self.name = name
    self.level = level
    self.words = words
    self.fields = fields
  }
}
