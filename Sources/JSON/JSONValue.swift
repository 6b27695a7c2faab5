import FoundationEssentials
import Text

/// A JSON value whose form is not known beforehand: the fields of an event, of a request or of an
/// answer. Written with sorted keys, so that the same value is always the same text.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A number without fraction that fits into 64 bits.
  case integer(Int64)
  /// Any other number; one that is not finite cannot be written.
  case number(Double)
  /// A string.
  case text(String)
  /// An array.
  case list([JSONValue])
  /// An object; its members have no order, and are written sorted by name.
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  /// Reads any JSON value; whole numbers become ``integer(_:)`` where they fit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      // First, since most values are texts, and each attempt that fails costs microseconds.
      self = .text(text)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value as the JSON it stands for.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByFloatLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text, from a string literal.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A whole number, from an integer literal.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A flag, from `true` or `false`.
  public init(booleanLiteral flag: Bool) { self = .flag(flag) }
  /// The null, from `nil`.
  public init(nilLiteral: ()) { self = .null }
  /// A number, from a literal with a fraction.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// A list, from an array literal.
  public init(arrayLiteral values: JSONValue...) { self = .list(values) }
  /// An object, from a dictionary literal; of two members with one name the last counts.
  public init(dictionaryLiteral pairs: (String, JSONValue)...) {
    self = .object(Dictionary(pairs, uniquingKeysWith: { _, last in last }))
  }
}

extension JSONValue {
  /// The text, if it is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one.
  public var integer: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The number, whole or not, if it is one.
  public var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The truth value, if it is one.
  public var flag: Bool? {
    if case .flag(let flag) = self { flag } else { nil }
  }

  /// The members, if it is an object.
  public var object: [String: JSONValue]? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The entries, if it is a list.
  public var list: [JSONValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The member of that name, if it is an object that has one.
  public subscript(key: String) -> JSONValue? {
    object?[key]
  }
}

/// Reading and writing JSON in the one form that this program uses: UTF-8, one line, keys in
/// snake_case and sorted, slashes as they are, and nothing raw in it that a terminal obeys.
public enum JSONText {
  /// Writes a value on one line, without the end of the line.
  ///
  /// - Throws: what the value's own encoding throws, and for a number that JSON cannot write.
  public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      pretty
      ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      : [.sortedKeys, .withoutEscapingSlashes]
    return ForeignText.escaped(json: String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Writes a value whose numbers are all finite.
  public static func line(_ value: JSONValue) -> String {
    var writer = JSONLineWriter()
    writer.write(value)
    return ForeignText.escaped(json: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Reads a value; nil when the bytes are not JSON in UTF-8, or nest deeper than ``Limits/nesting``.
  public static func decode(_ bytes: some Sequence<UInt8>) -> JSONValue? {
    let bytes = Array(bytes)
    guard !JSONNesting.isTooDeep(json: bytes) else { return nil }
    return try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }

  /// A value as the members of the JSON object that it is written as; none when it is written as
  /// something else.
  public static func object(of value: some Encodable) -> [String: JSONValue] {
    guard let bytes = try? JSONEncoder().encode(value) else { return [:] }
    return (try? JSONDecoder().decode(JSONValue.self, from: bytes))?.object ?? [:]
  }

  /// Reads a value from the members of the JSON object that it is written as; nil when they are those
  /// of something else.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from object: [String: JSONValue]
  ) -> Value? {
    guard let bytes = try? JSONEncoder().encode(object) else { return nil }
    return try? JSONDecoder().decode(type, from: bytes)
  }
}
