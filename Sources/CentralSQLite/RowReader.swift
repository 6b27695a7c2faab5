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

  /// A number with which something is computed: half of what there may be at most, so that sums and differences are
  /// there, whatever another program wrote.
  mutating func number() -> Int64 { bounded(next()) }

  private func bounded(_ number: Int64) -> Int64 {
    min(max(number, Int64.min / 2), Int64.max / 2)
  }

  mutating func time() -> WallTime { WallTime(milliseconds: next()) }

  mutating func optionalTime() -> WallTime? {
    (optional() as Int64?).map { WallTime(milliseconds: $0) }
  }

  /// A post by its code, also where another program wrote one that nothing here would give.
  mutating func post() -> CheckpostCode { CheckpostCode(asItStands: next()) }

  /// An identity; in place of what is none, one that follows from it.
  mutating func identity() -> ClientID {
    let text: String = next()
    return ClientID(text) ?? ClientID.derived(kind: "unreadable", name: text)
  }

  /// A word of a type of this program; in place of another one what is said.
  mutating func value<Value: RawRepresentable<String>>(or other: Value) -> Value {
    Value(rawValue: next()) ?? other
  }

  /// The last four digits of a number; none of what is none.
  mutating func suffix() -> PhoneSuffix { PhoneSuffix(next() as String) ?? .unknown }
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
