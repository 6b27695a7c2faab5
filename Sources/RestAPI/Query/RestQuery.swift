/// The parameters of an address, decoded.
struct RestQuery: Hashable {
  struct Item: Hashable {
    var name: String
    var value: String
  }

  var items: [Item]

  /// Reads what stands behind the `?`.
  init(_ text: String) throws(RestError) {
    guard text.utf8.count <= RestLimits.queryBytes else {
      throw .tooMuch("the address is too long")
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "&"))
    guard parts.count <= RestLimits.queryItems else { throw .tooMuch("too many parameters") }
    items = parts.map { part in
      let halves = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Item(
        name: RestQuery.decoded(halves[0]),
        value: halves.count > 1 ? RestQuery.decoded(halves[1]) : "")
    }
  }

  /// The first value of that name.
  subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

  /// What is no code stays as it is, and what is no UTF-8 is told as such.
  private static func decoded(_ text: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = nibble(rest[rest.startIndex]),
        let low = nibble(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// The parts of a list between commas that stand in no brackets and in no quotes. Of a list without
  /// anything in it there are none.
  static func parts(_ text: Substring) -> [Substring] {
    guard !text.isEmpty else { return [] }
    let bytes = text.utf8
    var parts: [Substring] = []
    var (start, depth, isQuoted, isEscaped) = (bytes.startIndex, 0, false, false)
    // A list in braces has commas of its own; it begins a value, and what is never closed is none.
    var (last, isInBraces) = (UInt8(0), false)
    let brace = bytes.lastIndex(of: UInt8(ascii: "}"))
    for place in bytes.indices {
      let byte = bytes[place]
      defer { last = byte }
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
        if byte == UInt8(ascii: "\"") { isQuoted = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: "{") where last == UInt8(ascii: ".") && (brace ?? place) > place:
          isInBraces = true
        case UInt8(ascii: "}"): isInBraces = false
        case UInt8(ascii: ",") where depth == 0 && !isInBraces:
          parts.append(text[start..<place])
          start = bytes.index(after: place)
        default: break
        }
      }
    }
    parts.append(text[start...])
    return parts
  }

  /// A value without its quotes.
  static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""),
      text.utf8.last == UInt8(ascii: "\"")
    else { return String(text) }
    var value = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars.dropFirst().dropLast() {
      if scalar == "\\", !isEscaped {
        isEscaped = true
      } else {
        value.append(scalar)
        isEscaped = false
      }
    }
    return String(value)
  }

  /// What stands between a word with its bracket and the bracket's end: `or(…)`.
  static func inside(_ text: Substring, of word: String) -> Substring? {
    guard text.hasPrefix(word + "("), text.utf8.last == UInt8(ascii: ")") else { return nil }
    return text.dropFirst(word.count + 1).dropLast()
  }
}
