/// A fact of an event under a name in snake_case.
public struct EventField: Hashable, Sendable {
  /// The value of a fact.
  public enum Value: Hashable, Sendable {
    /// Words, or a name of something.
    case text(String)
    /// A count, a code or a measure, whose unit the key names.
    case integer(Int64)
    /// Several of these, in order: the references of the parts of a text.
    case integers([Int64])
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
