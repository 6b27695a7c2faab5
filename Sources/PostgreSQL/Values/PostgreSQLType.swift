public import Time

/// As what a column is read: `row.value("plate", .text)`.
///
/// What is in the column has to be of such a type; a reader that guessed would let a changed table through.
public struct PostgreSQLType<Value> {
  /// In words, for an error: `a text`.
  let words: String
  let accepts: (UInt32) -> Bool
  let read: (ReceivedValue) -> Value?

  init(
    _ words: String, accepts: @escaping (UInt32) -> Bool,
    read: @escaping (ReceivedValue) -> Value?
  ) {
    self.words = words
    self.accepts = accepts
    self.read = read
  }
}

extension PostgreSQLType where Value == String {
  /// A text, or any type that has no reader of its own here, as PostgreSQL writes it: a UUID, a time in UTC, a
  /// `numeric`, JSON.
  public static var text: Self {
    Self("a text", accepts: { !TypeNumber.notTexts.contains($0) }, read: \.text)
  }
}

extension PostgreSQLType where Value == Int64 {
  /// A whole number: `smallint`, `integer`, `bigint`, or a `numeric` without a fraction.
  public static var integer: Self {
    Self(
      "a whole number",
      accepts: { TypeNumber.integers.contains($0) || $0 == TypeNumber.numeric }, read: \.integer)
  }
}

extension PostgreSQLType where Value == Double {
  /// A number of any type; of a `numeric` and a `bigint`, the nearest.
  public static var double: Self {
    Self(
      "a number",
      accepts: {
        TypeNumber.floats.contains($0) || TypeNumber.integers.contains($0)
          || $0 == TypeNumber.numeric
      }, read: \.double)
  }
}

extension PostgreSQLType where Value == Bool {
  /// True or false.
  public static var bool: Self {
    Self("true or false", accepts: { $0 == TypeNumber.bool }, read: \.bool)
  }
}

extension PostgreSQLType where Value == [UInt8] {
  /// Bytes.
  public static var bytes: Self {
    Self("bytes", accepts: { $0 == TypeNumber.bytes }, read: \.octets)
  }
}

extension PostgreSQLType where Value == WallTime {
  /// A moment, `timestamptz`, floored to the millisecond; of one without an end the last or first that there is.
  public static var time: Self {
    Self("a moment", accepts: { $0 == TypeNumber.time }, read: \.time)
  }
}

extension PostgreSQLType {
  /// An array of one dimension; nil is NULL.
  public static func array<Element>(
    of element: PostgreSQLType<Element>
  ) -> PostgreSQLType<[Element?]> where Value == [Element?] {
    PostgreSQLType<[Element?]>("an array with each \(element.words)") { type in
      // Whether another type is one of an array shows when it is read.
      TypeNumber.elements[type].map(element.accepts)
        ?? (!TypeNumber.plain.contains(type) && element.accepts(0))
    } read: { received in
      var values: [Element?] = []
      let isWhole = received.forEachElement { received in
        guard let received else {
          values.append(nil)
          return true
        }
        guard element.accepts(received.type), let value = element.read(received) else {
          return false
        }
        values.append(value)
        return true
      }
      return isWhole ? values : nil
    }
  }
}

extension TypeNumber {
  /// Types that have a reader of their own, and are not read as texts.
  static let notTexts: Set<UInt32> = integers.union(floats).union([bool, bytes])
    .union(elements.keys)
}
