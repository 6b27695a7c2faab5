/// PostgreSQL's text form of an array of one dimension: `{a,"b c",NULL}`.
enum ArrayText {
  /// The text of an array whose elements have these texts; nil is NULL.
  static func write(_ elements: [[UInt8]?]) -> [UInt8] {
    var text = [UInt8(ascii: "{")]
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(comma) }
      guard let element else {
        text += Array("NULL".utf8)
        continue
      }
      // All are quoted, so that none can be taken for NULL or for the end.
      text.append(quote)
      for byte in element {
        if byte == quote || byte == backslash { text.append(backslash) }
        text.append(byte)
      }
      text.append(quote)
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// The texts of the elements; nil when it is no array of one dimension.
  static func read(_ text: some Collection<UInt8>) -> [[UInt8]?]? {
    var rest = Array(text)[...]
    guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else {
      return nil
    }
    if rest.isEmpty { return [] }
    var elements: [[UInt8]?] = []
    while true {
      guard let element = element(&rest) else { return nil }
      elements.append(element)
      guard let next = rest.popFirst() else { return elements }
      guard next == comma else { return nil }
    }
  }

  /// The next element, which may be NULL; nil when there is none.
  private static func element(_ rest: inout ArraySlice<UInt8>) -> [UInt8]?? {
    var bytes: [UInt8] = []
    if rest.first == quote {
      rest.removeFirst()
      while let byte = rest.popFirst() {
        if byte == quote { return .some(bytes) }
        if byte == backslash {
          guard let next = rest.popFirst() else { return nil }
          bytes.append(next)
        } else {
          bytes.append(byte)
        }
      }
      return nil
    }
    while let byte = rest.first, byte != comma {
      guard byte != quote, byte != UInt8(ascii: "{"), byte != UInt8(ascii: "}") else { return nil }
      rest.removeFirst()
      if byte == backslash {
        guard let next = rest.popFirst() else { return nil }
        bytes.append(next)
      } else {
        bytes.append(byte)
      }
    }
    if bytes.isEmpty { return nil }
    return .some(bytes == Array("NULL".utf8) ? nil : bytes)
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
}
