/// A column of a table.
public struct RestColumn: Hashable, Sendable {
  /// What values it takes.
  public enum Kind: Hashable, Sendable {
    /// A UUID.
    case uuid
    /// A text.
    case text
    /// A moment.
    case timestamp
    /// A truth value.
    case flag
    /// A whole number of 32 bits.
    case integer
    /// A whole number of 16 bits.
    case short
    /// Words of this program, in a list. In the store it is a text, as JSON writes that list.
    case words
    /// A number of so many digits, and of those so many behind the point.
    case numeric(precision: Int, scale: Int)
  }

  /// What a row gets that gives it no value.
  public enum Fallback: Hashable, Sendable {
    /// A new UUID.
    case uuid
    /// The moment of the request.
    case now
    /// A value.
    case value(RestValue)
  }

  /// What a value has to be.
  enum Rule: Hashable, Sendable {
    case oneOf([String])
    case atLeast(Double)
    case above(Double)
    /// A text of so many characters.
    case characters(ClosedRange<Int>)
    /// What people call something or somebody, in one line.
    case name
    /// The code of a post.
    case code
    case within(ClosedRange<Double>)
    /// The name of a photograph in the bucket.
    case photograph
    /// A list of UUIDs.
    case uuids
  }

  /// Its name.
  public let name: String
  /// What values it takes.
  public let kind: Kind
  /// Whether it may have none.
  public let isNullable: Bool
  /// What a row gets that gives it no value; nil for none.
  public let fallback: Fallback?
  let rule: Rule?
  /// Whether a caller who may write the row may give it a value.
  let mayBeGiven: Bool
  /// Whether a caller who may write the row may change that.
  public let mayBeChanged: Bool
  /// Why nobody gives it a value, or changes that; nil where there is nothing more to say.
  let fixed: String?

  /// Whether anybody may give it a value, or change that.
  public var mayBeWritten: Bool { mayBeGiven || mayBeChanged }
}

/// A table as it is told over HTTP. It need not be one in the store.
public struct RestTable: Hashable, Sendable {
  /// Columns whose values together stand in one row at most.
  public struct Unique: Hashable, Sendable {
    /// The name of the rule, by which clients know it.
    public let name: String
    /// The names of the columns.
    public let columns: [String]
  }

  /// A column that names a row of another table.
  public struct Reference: Hashable, Sendable {
    /// The name of the column.
    public let column: String
    /// The other table.
    public let target: String
    /// The name of the rule.
    public let name: String
  }

  /// Its name.
  public let name: String
  /// Its columns in their order; the first is `id`, the key.
  public private(set) var columns: [RestColumn] = []
  /// What stands in one row at most.
  public private(set) var uniques: [Unique] = []
  /// Which rows of other tables its rows name.
  public private(set) var references: [Reference] = []

  init(_ name: String, _ fill: (inout RestTable) -> Void) {
    self.name = name
    add("id", .uuid, default: .uuid, given: true)
    uniques.append(Unique(name: "\(name)_pkey", columns: ["id"]))
    fill(&self)
  }

  /// The column of that name.
  public func column(_ name: some StringProtocol) -> RestColumn? {
    columns.first { $0.name == name }
  }

  /// Whether a filter asks for rows by a key, so that they are found without looking through the others.
  public func isKeyed(by filter: RestFilter) -> Bool {
    uniques.contains { $0.columns.count == 1 && $0.columns.allSatisfy(filter.names) }
  }

  mutating func add(
    _ column: String, _ kind: RestColumn.Kind, null isNullable: Bool = false,
    default fallback: RestColumn.Fallback? = nil, rule: RestColumn.Rule? = nil,
    given: Bool = false, changed: Bool = false, fixed: String? = nil
  ) {
    columns.append(
      RestColumn(
        name: column, kind: kind, isNullable: isNullable, fallback: fallback, rule: rule,
        mayBeGiven: given, mayBeChanged: changed, fixed: fixed))
  }

  mutating func addTimes() {
    add("created_at", .timestamp, default: .now)
    add("updated_at", .timestamp, default: .now)
  }

  mutating func unique(_ name: String, _ columns: String...) {
    uniques.append(Unique(name: name, columns: columns))
  }

  mutating func refer(_ column: String, to target: String) {
    references.append(
      Reference(column: column, target: target, name: "\(self.name)_\(column)_fkey"))
  }
}
