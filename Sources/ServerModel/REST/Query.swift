/// The path and the query of a request.
struct Query: Hashable {
  var path: String
  var items: [(name: String, value: String)]

  init(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = Self.decoded(halves[0], plusIsSpace: false)
    items = (halves.count > 1 ? halves[1] : "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        Self.decoded(parts[0], plusIsSpace: true),
        parts.count > 1 ? Self.decoded(parts[1], plusIsSpace: true) : ""
      )
    }
  }

  subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

  static func == (left: Query, right: Query) -> Bool {
    left.path == right.path && left.items.elementsEqual(right.items) { $0 == $1 }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(path) }

  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The parts of a list between commas that stand in no brackets and in no quotes.
  static func parts(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (start, depth, isQuoted, isEscaped) = (text.startIndex, 0, false, false)
    for place in text.indices {
      let character = text[place]
      if isEscaped {
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if character == ",", depth == 0 {
          parts.append(text[start..<place])
          start = text.index(after: place)
        }
      }
    }
    if start < text.endIndex || !parts.isEmpty { parts.append(text[start...]) }
    return parts
  }

  /// A value without its quotes.
  static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    var value = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        value.append(character)
        isEscaped = false
      }
    }
    return value
  }

  /// That a parameter cannot be read.
  static func unreadable(_ name: String, _ value: some StringProtocol) -> SQLError {
    SQLError(
      "PGRST100", "\"failed to parse \(name) (\(value))\" (line 1, column 1)",
      details: "unexpected input", status: 400)
  }
}

/// Reads the filters of a query.
struct FilterReader {
  var table: Table

  /// Names of the query that are no columns.
  private static let reserved: Set<String> = [
    "select", "order", "limit", "offset", "on_conflict", "columns", "apikey",
  ]

  func condition(_ query: Query) throws(SQLError) -> Condition {
    var parts: [Condition] = []
    for (name, value) in query.items where !Self.reserved.contains(name) {
      switch name {
      case "or", "and", "not.or", "not.and": parts.append(try logic(name + value))
      default: parts.append(try filter(Substring(name), Substring(value), isNested: false))
      }
    }
    return .all(parts)
  }

  private func logic(_ text: String) throws(SQLError) -> Condition {
    try logic(Substring(text))
  }

  /// `or(…)`, `not.and(…)` or a filter with its column: `recorded_at.lt.2026`.
  private func logic(_ text: Substring) throws(SQLError) -> Condition {
    if text.hasPrefix("not.or("), text.hasSuffix(")") {
      return .not(.any(try list(text.dropFirst(7).dropLast())))
    }
    if text.hasPrefix("not.and("), text.hasSuffix(")") {
      return .not(.all(try list(text.dropFirst(8).dropLast())))
    }
    if text.hasPrefix("or("), text.hasSuffix(")") {
      return .any(try list(text.dropFirst(3).dropLast()))
    }
    if text.hasPrefix("and("), text.hasSuffix(")") {
      return .all(try list(text.dropFirst(4).dropLast()))
    }
    guard let dot = text.firstIndex(of: ".") else {
      throw Query.unreadable("logic tree", text)
    }
    return try filter(text[..<dot], text[text.index(after: dot)...], isNested: true)
  }

  private func list(_ text: Substring) throws(SQLError) -> [Condition] {
    var conditions: [Condition] = []
    for part in Query.parts(text) { conditions.append(try logic(part)) }
    guard !conditions.isEmpty else { throw Query.unreadable("logic tree", text) }
    return conditions
  }

  private func filter(
    _ name: Substring, _ value: Substring, isNested: Bool
  ) throws(SQLError) -> Condition {
    if value.hasPrefix("not.") {
      return .not(try filter(name, value.dropFirst(4), isNested: isNested))
    }
    guard let dot = value.firstIndex(of: ".") else { throw Query.unreadable("filter", value) }
    let word = String(value[..<dot])
    let rest = value[value.index(after: dot)...]
    guard let place = table.position(String(name)) else {
      throw SQLError("42703", "column \(table.name).\(name) does not exist")
    }
    let column = table.columns[place]
    let told = isNested ? Query.unquoted(rest) : String(rest)
    if let comparison = Condition.Comparison(rawValue: word) {
      return .compare(place, comparison, try column.cell(reading: told))
    }
    switch word {
    case "is":
      switch told.lowercased() {
      case "null": return .isNull(place)
      case "not_null": return .not(.isNull(place))
      case "true": return .isFlag(place, true)
      case "false": return .isFlag(place, false)
      default: throw Query.unreadable("filter", value)
      }
    case "in":
      guard rest.hasPrefix("("), rest.hasSuffix(")") else {
        throw Query.unreadable("filter", value)
      }
      var cells: Set<Cell> = []
      for part in Query.parts(rest.dropFirst().dropLast()) {
        cells.insert(try column.cell(reading: Query.unquoted(part)))
      }
      return .oneOf(place, cells)
    case "like", "ilike":
      // An asterisk stands for a per cent sign, which addresses write otherwise.
      return .like(
        place, String(told.map { $0 == "*" ? "%" : $0 }), ignoresCase: word == "ilike")
    default: throw Query.unreadable("filter", value)
    }
  }

  /// `recorded_at.desc.nullslast,id.asc`.
  func order(_ text: String?) throws(SQLError) -> [Order] {
    var order: [Order] = []
    for part in (text ?? "").split(separator: ",") {
      let words = part.split(separator: ".")
      guard let name = words.first else { throw Query.unreadable("order", part) }
      guard let place = table.position(String(name)) else {
        throw SQLError("42703", "column \(table.name).\(name) does not exist")
      }
      let rest = words.dropFirst()
      guard rest.allSatisfy({ ["asc", "desc", "nullsfirst", "nullslast"].contains($0) }) else {
        throw Query.unreadable("order", part)
      }
      let isDescending = rest.contains("desc")
      let nullsFirst =
        rest.contains("nullsfirst") || (isDescending && !rest.contains("nullslast"))
      order.append(Order(column: place, isDescending: isDescending, nullsFirst: nullsFirst))
    }
    return order
  }
}

/// What rows are sorted by.
struct Order: Hashable {
  var column: Int
  var isDescending: Bool
  var nullsFirst: Bool

  /// Whether one row stands before another by these columns.
  static func isBefore(_ left: Row, _ right: Row, by order: [Order]) -> Bool {
    for item in order {
      let (one, other) = (left[item.column], right[item.column])
      if one == other { continue }
      if one.isNull { return item.nullsFirst }
      if other.isNull { return !item.nullsFirst }
      let isBefore = one.isBefore(other) ?? false
      return item.isDescending ? !isBefore : isBefore
    }
    return false
  }
}
