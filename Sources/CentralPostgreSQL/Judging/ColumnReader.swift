import Passages
import PostgreSQL
import Time

/// A row, read column by column.
struct ColumnReader {
  private let row: PostgreSQLRow
  private var column = 0

  init(_ row: PostgreSQLRow) {
    self.row = row
  }

  mutating func next<Value>(_ type: PostgreSQLType<Value>) throws(PostgreSQLError) -> Value {
    defer { column += 1 }
    return try row.value(column, type)
  }

  mutating func optional<Value>(
    _ type: PostgreSQLType<Value>
  ) throws(PostgreSQLError) -> Value? {
    defer { column += 1 }
    return try row.optional(column, type)
  }

  /// Passes over columns.
  mutating func skip(_ count: Int) { column += count }

  /// A word of a type of this program; in place of another one what is said.
  mutating func word<Value: RawRepresentable>(or other: Value) throws(PostgreSQLError) -> Value
  where Value.RawValue == String {
    Value(rawValue: try next(.text)) ?? other
  }

  /// The last four digits of a number; none of what is none.
  mutating func suffix() throws(PostgreSQLError) -> PhoneSuffix {
    PhoneSuffix(try next(.text)) ?? .unknown
  }

  /// Words of a type of this program; one that it does not know is left out, and all of them where they are no list.
  mutating func words<Value: RawRepresentable>() throws(PostgreSQLError) -> [Value]
  where Value.RawValue == String {
    ((try? next(.array(of: .text))) ?? []).compactMap { $0.flatMap { Value(rawValue: $0) } }
  }

  mutating func identity() throws(PostgreSQLError) -> ClientID {
    try known(ClientID(try next(.text)))
  }

  /// A post by its code, which another program may have given it.
  mutating func post() throws(PostgreSQLError) -> CheckpostCode {
    CheckpostCode(asItStands: try next(.text))
  }

  /// What was read, where it is what it has to be.
  func known<Value>(_ value: Value?) throws(PostgreSQLError) -> Value {
    guard let value else {
      throw .misused(reason: "column number \(column - 1) has something that nobody here knows")
    }
    return value
  }
}
