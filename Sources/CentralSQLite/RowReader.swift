import CentralCore
import GRDB
import Passages
import Time

/// The columns of a row, one after the other.
struct RowReader {
  private let row: Row
  private var column: Int

  init(_ row: Row, from column: Int = 0) {
    self.row = row
    self.column = column
  }

  mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
    defer { column += 1 }
    return row[column]
  }

  mutating func optional<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value? {
    defer { column += 1 }
    return row[column]
  }

  mutating func time() -> WallTime { WallTime(milliseconds: next()) }

  mutating func optionalTime() -> WallTime? {
    (optional() as Int64?).map { WallTime(milliseconds: $0) }
  }

  mutating func post() throws -> CheckpostCode { try CheckpostCode(next() as String) }

  mutating func identity() throws -> ClientID { try known(ClientID(next() as String)) }

  mutating func value<Value: RawRepresentable<String>>() throws -> Value {
    try known(Value(rawValue: next()))
  }

  /// What cannot be read was not written by this program.
  func known<Value>(_ value: Value?) throws -> Value {
    guard let value else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "column \(row.columnNames.dropFirst(column - 1).first ?? "") is not one of ours")
    }
    return value
  }
}

extension String {
  /// The words of a column, each a value.
  func values<Value: RawRepresentable<String>>() -> [Value] {
    split(separator: " ").compactMap { Value(rawValue: String($0)) }
  }
}

extension Collection where Element: RawRepresentable<String> {
  /// The values as the words of a column.
  var column: String { map(\.rawValue).joined(separator: " ") }
}

extension Collection<Int64> {
  /// The numbers as one argument, for `json_each`.
  var list: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
