public import Time

/// What a statement is handed for one of its parameters, `$1` and so on.
///
/// A value is never a part of the statement's text, so that nothing in it can change what is asked. Which type
/// a parameter has is for the statement to say, by where it stands or by a cast (`$1::bigint`,
/// `unnest($2::uuid[])`); a text is taken for every type, as PostgreSQL writes it.
public enum PostgreSQLValue: Hashable, Sendable {
  /// NULL, of whatever type.
  case null
  /// A text, or a value of any type as PostgreSQL writes it. It has no zero character, which PostgreSQL's
  /// texts cannot have.
  case text(String)
  /// A whole number, within what its column takes.
  case integer(Int64)
  /// A number.
  case double(Double)
  /// True or false.
  case bool(Bool)
  /// Bytes.
  case bytes([UInt8])
  /// A moment, to the millisecond.
  case time(WallTime)
  /// An array of texts, or of values of any type as PostgreSQL writes them; nil is NULL.
  case texts([String?])
  /// An array of whole numbers.
  case integers([Int64?])
  /// An array of numbers.
  case doubles([Double?])
  /// An array of true and false.
  case bools([Bool?])
  /// An array of bytes.
  case byteArrays([[UInt8]?])
  /// An array of moments.
  case times([WallTime?])

  /// The value, or NULL.
  public static func text(_ text: String?) -> PostgreSQLValue { text.map { .text($0) } ?? .null }
  /// The value, or NULL.
  public static func integer(_ number: Int64?) -> PostgreSQLValue {
    number.map { .integer($0) } ?? .null
  }
  /// The value, or NULL.
  public static func double(_ number: Double?) -> PostgreSQLValue {
    number.map { .double($0) } ?? .null
  }
  /// The value, or NULL.
  public static func bool(_ value: Bool?) -> PostgreSQLValue { value.map { .bool($0) } ?? .null }
  /// The value, or NULL.
  public static func bytes(_ bytes: [UInt8]?) -> PostgreSQLValue {
    bytes.map { .bytes($0) } ?? .null
  }
  /// The value, or NULL.
  public static func time(_ time: WallTime?) -> PostgreSQLValue {
    time.map { .time($0) } ?? .null
  }
}
