/// What a row has to be, in the three values of SQL: where a value is missing, nobody knows.
public indirect enum RestFilter: Hashable, Sendable {
  /// How two values are compared.
  public enum Comparison: String, CaseIterable, Hashable, Sendable {
    /// The same.
    case equal = "eq"
    /// Not the same.
    case different = "neq"
    /// More.
    case greater = "gt"
    /// As much, or more.
    case atLeast = "gte"
    /// Less.
    case less = "lt"
    /// As much, or less.
    case atMost = "lte"
  }

  /// How a list of words is compared.
  public enum ListComparison: String, CaseIterable, Hashable, Sendable {
    /// It has all of them.
    case contains = "cs"
    /// It has no others.
    case isContained = "cd"
    /// It has one of them.
    case overlaps = "ov"
  }

  /// All of them; none is true of every row.
  case all([RestFilter])
  /// One of them; none is true of no row.
  case any([RestFilter])
  /// The contrary.
  case not(RestFilter)
  /// A value against one that was given.
  case compare(RestColumn, Comparison, RestValue)
  /// One of several values.
  case oneOf(RestColumn, [RestValue])
  /// No value.
  case isNull(RestColumn)
  /// Exactly that truth value, and not unknown.
  case isFlag(RestColumn, Bool)
  /// A pattern: `%` for any characters, `_` for one, and `\` before what stands for itself.
  case like(RestColumn, String, ignoresCase: Bool)
  /// Another value than that, where none is a value too.
  case isDistinct(RestColumn, RestValue)
  /// A text in which a regular expression is found.
  case matches(RestColumn, RestPattern)
  /// A list of words against some.
  case list(RestColumn, ListComparison, [String])
  /// What the column names in another table has to be that.
  case through(RestColumn, RestTable, RestFilter)

  /// True of every row.
  static let everything = RestFilter.all([])
  /// True of no row.
  static let nothing = RestFilter.any([])

  /// Whether it asks for rows by that column, so that only rows of the values count that it names.
  public func names(_ column: String) -> Bool {
    switch self {
    case .all(let parts): parts.contains { $0.names(column) }
    case .any(let parts): !parts.isEmpty && parts.allSatisfy { $0.names(column) }
    case .compare(let own, .equal, _), .oneOf(let own, _): own.name == column
    default: false
    }
  }

  /// Whether a row that is to be written fulfils it; nil where that is not known from the row.
  func holds(for row: [String: RestValue]) -> Bool? {
    func value(_ column: RestColumn) -> RestValue { row[column.name] ?? .null }
    switch self {
    case .all(let parts):
      let told = parts.map { $0.holds(for: row) }
      return told.contains(false) ? false : told.contains(nil) ? nil : true
    case .any(let parts):
      let told = parts.map { $0.holds(for: row) }
      return told.contains(true) ? true : told.contains(nil) ? nil : false
    case .not(let part): return part.holds(for: row).map { !$0 }
    case .compare(let column, .equal, let other):
      let own = value(column)
      return own.isNull || other.isNull ? nil : own == other
    case .compare(let column, .greater, .time(let time)):
      return value(column).time.map { $0 > time }
    case .compare(let column, .atMost, .time(let time)):
      return value(column).time.map { $0 <= time }
    case .compare, .oneOf, .like, .matches, .list, .through: return nil
    case .isDistinct(let column, let other): return value(column) != other
    case .isNull(let column): return value(column).isNull
    case .isFlag(let column, let flag): return value(column) == .flag(flag)
    }
  }
}
