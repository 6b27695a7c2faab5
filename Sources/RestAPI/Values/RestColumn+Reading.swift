import CentralCore
import Passages

extension RestColumn.Kind {
  /// What PostgreSQL calls it.
  public var name: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .timestamp: "timestamp with time zone"
    case .flag: "boolean"
    case .integer: "integer"
    case .short: "smallint"
    case .words: "text[]"
    case .numeric: "numeric"
    }
  }
}

extension RestColumn {
  /// The value for this column that stands in a body.
  func value(from json: RestJSON) throws(RestError) -> RestValue {
    switch json {
    case .null: .null
    case .text(let text): try value(reading: text)
    case .flag(let flag):
      kind == .flag ? .flag(flag) : try value(reading: flag ? "true" : "false")
    case .number(let digits): try value(reading: digits)
    case .list(let list) where kind == .words: .text(try words(list))
    // PostgreSQL would keep how JSON writes it, which nobody means who sends one.
    case .list, .object:
      throw RestError(
        "22P02",
        "invalid input syntax for type \(kind.name): \"\(name)\" takes neither a list nor an object"
      )
    }
  }

  /// The words of a list, as JSON writes it.
  private func words(_ list: [RestJSON]) throws(RestError) -> String {
    guard list.count <= RestLimits.listed, list.allSatisfy({ $0.text != nil }) else {
      throw RestError(
        "22P02",
        "\"\(name)\" takes a list of \(RestLimits.listed) texts at most")
    }
    return try RestColumn.bounded(RestJSON.list(list).written, name)
  }

  /// The value for this column that a text stands for, in a body or in a condition.
  func value(reading text: String) throws(RestError) -> RestValue {
    let text = try RestColumn.bounded(text, name)
    switch kind {
    case .text: return .text(text)
    case .words: return .text(try words(text))
    case .uuid:
      guard let uuid = RestIdentifier.canonical(text) else { throw unreadable(text) }
      return .text(uuid)
    case .timestamp: return .time(try moment(text))
    case .flag:
      switch RestColumn.trimmed(text).lowercased() {
      case "true", "t", "yes", "y", "on", "1": return .flag(true)
      case "false", "f", "no", "n", "off", "0": return .flag(false)
      default: throw unreadable(text)
      }
    case .integer: return try integer(text, Int64(Int32.min)...Int64(Int32.max))
    case .short: return try integer(text, Int64(Int16.min)...Int64(Int16.max))
    case .numeric(let precision, let scale):
      guard let number = RestColumn.number(text) else { throw unreadable(text) }
      return .number(try RestColumn.rounded(number, precision: precision, scale: scale))
    }
  }

  /// A text that a store can keep.
  static func bounded(_ text: String, _ column: String) throws(RestError) -> String {
    guard !text.utf8.contains(0) else {
      throw RestError(
        "22P05", "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")
    }
    guard text.utf8.count <= RestLimits.textBytes else {
      throw RestError(
        "22001", "value too long for column \"\(column)\": \(RestLimits.textBytes) bytes at most")
    }
    return text
  }

  /// A list as PostgreSQL writes it (`{a,b}`), as JSON writes it.
  private func words(_ text: String) throws(RestError) -> String {
    let trimmed = RestColumn.trimmed(text)
    guard trimmed.hasPrefix("{"), trimmed.hasSuffix("}"), trimmed.utf8.count >= 2 else {
      throw RestError("22P02", "malformed array literal: \"\(RestError.shown(text))\"")
    }
    let words = trimmed.dropFirst().dropLast().split(separator: ",")
    return RestJSON.list(words.map { .text(String($0)) }).written
  }

  private func moment(_ text: String) throws(RestError) -> Int64 {
    do throws(RestMoment.Fault) {
      return try RestMoment.read(text)
    } catch {
      throw switch error {
      case .range:
        RestError("22008", "date/time field value out of range: \"\(RestError.shown(text))\"")
      case .shape:
        RestError(
          "22007", "invalid input syntax for type \(kind.name): \"\(RestError.shown(text))\"")
      }
    }
  }

  private func integer(_ text: String, _ range: ClosedRange<Int64>) throws(RestError) -> RestValue {
    let text = RestColumn.trimmed(text)
    guard RestColumn.isInteger(text) else { throw unreadable(text) }
    guard let number = Int64(text), range.contains(number) else {
      throw RestError(
        "22003", "value \"\(RestError.shown(text))\" is out of range for type \(kind.name)")
    }
    return .integer(number)
  }

  private func unreadable(_ text: String) -> RestError {
    RestError(
      "22P02", "invalid input syntax for type \(kind.name): \"\(RestError.shown(text))\"")
  }

  private static func trimmed(_ text: String) -> String {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last == 0x20 { bytes.removeLast() }
    bytes = bytes.drop { $0 == 0x20 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isInteger(_ text: String) -> Bool {
    var digits = Array(text.utf8)[...]
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      digits.removeFirst()
    }
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// A number in decimal digits: neither a hexadecimal one nor one that is none.
  private static func number(_ text: String) -> Double? {
    let text = trimmed(text)
    let isDecimal = text.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func rounded(
    _ number: Double, precision: Int, scale: Int
  ) throws(RestError) -> Double {
    var (factor, most) = (1.0, 1.0)
    for _ in 0..<scale { factor *= 10 }
    for _ in 0..<(precision - scale) { most *= 10 }
    let rounded = (number * factor).rounded(.toNearestOrAwayFromZero) / factor
    guard rounded.magnitude < most else {
      throw RestError(
        "22003", "numeric field overflow",
        details:
          "A field with precision \(precision), scale \(scale) must round to an absolute value"
          + " less than 10^\(precision - scale).")
    }
    return rounded
  }

  /// Whether a value keeps the column's rule; none always does.
  func keeps(_ value: RestValue) -> Bool {
    guard let rule, !value.isNull else { return true }
    return switch rule {
    case .oneOf(let words): value.text.map(words.contains) ?? false
    case .atLeast(let least): value.number.map { $0 >= least } ?? false
    case .above(let least): value.number.map { $0 > least } ?? false
    case .characters(let counts): value.text.map { counts.contains($0.count) } ?? false
    case .name:
      value.text.map { text in
        (1...RestLimits.nameCharacters).contains(text.count)
          && !text.utf8.contains { $0 < 32 || $0 == 127 }
      } ?? false
    case .code: value.text.map { (try? CheckpostCode($0))?.code == $0 } ?? false
    case .within(let range): value.number.map(range.contains) ?? false
    case .photograph: value.text.map { PhotoName(path: $0) != nil } ?? false
    case .uuids: value.uuids != nil
    }
  }
}

extension RestValue {
  /// The UUIDs of a list of them, canonical, each once; nil of anything else.
  public var uuids: [String]? {
    guard let text, case .list(let list)? = RestJSON(Array(text.utf8)) else { return nil }
    var uuids: [String] = []
    for value in list {
      guard let uuid = value.text.flatMap({ RestIdentifier.canonical($0) }) else { return nil }
      if !uuids.contains(uuid) { uuids.append(uuid) }
    }
    return uuids
  }
}
