/// JSON as it came in: numbers are the digits that stood there, so that no value is changed on its way.
public enum RestJSON: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A number, as it was written.
  case number(String)
  /// A string.
  case text(String)
  /// An array.
  case list([RestJSON])
  /// An object; of two members with one name the last counts.
  case object([String: RestJSON])

  /// Reads a text in UTF-8; nil when it is no JSON, nests deeper than ``RestLimits/nesting`` or holds more
  /// values than are taken.
  public init?(_ bytes: [UInt8]) {
    var reader = RestJSONReader(bytes: bytes)
    guard let value = reader.document() else { return nil }
    self = value
  }

  /// The value as a text on one line, members sorted by name.
  public var written: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let digits): digits
    case .text(let text): RestJSON.quoted(text)
    case .list(let list): "[" + list.map(\.written).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + object.sorted { $0.key < $1.key }
        .map { RestJSON.quoted($0.key) + ":" + $0.value.written }.joined(separator: ",") + "}"
    }
  }

  /// The members, if it is an object.
  public var object: [String: RestJSON]? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// A text in its quotes. What a terminal obeys is written by its code.
  public static func quoted(_ text: String) -> String {
    var written = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": written += "\\\""
      case "\\": written += "\\\\"
      case "\n": written += "\\n"
      case "\r": written += "\\r"
      case "\t": written += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let code = String(scalar.value, radix: 16)
        written += "\\u" + String(repeating: "0", count: 4 - code.utf8.count) + code
      default: written.unicodeScalars.append(scalar)
      }
    }
    return written + "\""
  }
}

/// Reads JSON by RFC 8259, and nothing else.
private struct RestJSONReader {
  let bytes: [UInt8]
  var place = 0
  var values = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() -> RestJSON? {
    guard let value = value(at: 0) else { return nil }
    skip()
    return place == bytes.count ? value : nil
  }

  private mutating func skip() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard place + count <= bytes.count,
      word.withUTF8Buffer({ $0.elementsEqual(bytes[place..<place + count]) })
    else { return false }
    place += count
    return true
  }

  private mutating func value(at depth: Int) -> RestJSON? {
    skip()
    values += 1
    guard values <= RestLimits.bodyValues, depth <= RestLimits.nesting, place < bytes.count else {
      return nil
    }
    switch bytes[place] {
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "{"): return object(at: depth)
    case UInt8(ascii: "["): return list(at: depth)
    case UInt8(ascii: "t"): return take(word: "true") ? .flag(true) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .flag(false) : nil
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    default: return number().map { .number($0) }
    }
  }

  private mutating func object(at depth: Int) -> RestJSON? {
    place += 1
    var members: [String: RestJSON] = [:]
    skip()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skip()
      guard let name = string() else { return nil }
      skip()
      guard take(UInt8(ascii: ":")), let value = value(at: depth + 1) else { return nil }
      members[name] = value
      skip()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func list(at depth: Int) -> RestJSON? {
    place += 1
    var list: [RestJSON] = []
    skip()
    if take(UInt8(ascii: "]")) { return .list(list) }
    while true {
      guard let value = value(at: depth + 1) else { return nil }
      list.append(value)
      skip()
      if take(UInt8(ascii: "]")) { return .list(list) }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func digits() -> Int {
    let start = place
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    return place - start
  }

  private mutating func number() -> String? {
    let start = place
    _ = take(UInt8(ascii: "-"))
    let isZero = place < bytes.count && bytes[place] == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return nil }
    if take(UInt8(ascii: ".")), digits() == 0 { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      if digits() == 0 { return nil }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var output: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: output, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        output += Array(String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: output.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard place < bytes.count else { return nil }
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let high = unit() else { return nil }
      guard (0xD800...0xDBFF).contains(high) else { return Unicode.Scalar(high) }
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = unit(),
        (0xDC00...0xDFFF).contains(low)
      else { return nil }
      return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    default: return nil
    }
  }

  private mutating func unit() -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<place + 4]
    place += 4
    return digits.reduce(0 as UInt32?) { sum, byte in
      guard let sum else { return nil }
      return switch byte {
      case 0x30...0x39: sum << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: sum << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: sum << 4 | UInt32(byte - 0x57)
      default: nil
      }
    }
  }
}
