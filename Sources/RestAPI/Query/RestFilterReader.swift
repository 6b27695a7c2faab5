/// Reads the conditions of a query.
struct RestFilterReader {
  let table: RestTable
  private var conditions = 0

  /// Names of parameters that are no columns.
  private static let reserved: Set<String> = [
    "select", "order", "limit", "offset", "on_conflict", "columns", "apikey",
  ]

  init(_ table: RestTable) {
    self.table = table
  }

  mutating func filter(_ query: RestQuery) throws(RestError) -> RestFilter {
    var parts: [RestFilter] = []
    for item in query.items
    where !RestFilterReader.reserved.contains(item.name)
      && !RestFilterReader.isOfRelation(item.name, in: table)
    {
      parts.append(try filter(item.name, item.value))
    }
    return .all(parts)
  }

  /// What one parameter asks for.
  mutating func filter(_ name: String, _ value: String) throws(RestError) -> RestFilter {
    guard RestFilterReader.groups.contains(name) else {
      return try condition(Substring(name), Substring(value), isNested: false)
    }
    guard value.utf8.first == UInt8(ascii: "(") else { throw .unreadable("logic tree", value) }
    return try logic(Substring(name + value), level: 0)
  }

  private static let groups: Set<String> = ["or", "and", "not.or", "not.and"]

  /// Whether a parameter is about rows of a relation, which it names before a point.
  static func isOfRelation(_ name: String, in table: RestTable) -> Bool {
    name.utf8.contains(UInt8(ascii: ".")) && !groups.contains(name) && table.column(name) == nil
  }

  /// `or(…)`, `not.and(…)` or a condition with its column: `recorded_at.lt.2026`.
  private mutating func logic(_ text: Substring, level: Int) throws(RestError) -> RestFilter {
    guard level < RestLimits.groups else { throw .tooMuch("conditions nest too deep") }
    if let inside = RestQuery.inside(text, of: "not.or") {
      return .not(.any(try list(inside, level: level)))
    }
    if let inside = RestQuery.inside(text, of: "not.and") {
      return .not(.all(try list(inside, level: level)))
    }
    if let inside = RestQuery.inside(text, of: "or") { return .any(try list(inside, level: level)) }
    if let inside = RestQuery.inside(text, of: "and") {
      return .all(try list(inside, level: level))
    }
    guard let dot = text.firstIndex(of: "."), !text[..<dot].utf8.contains(UInt8(ascii: "(")) else {
      throw .unreadable("logic tree", text)
    }
    return try condition(text[..<dot], text[text.index(after: dot)...], isNested: true)
  }

  private mutating func list(_ text: Substring, level: Int) throws(RestError) -> [RestFilter] {
    var filters: [RestFilter] = []
    for part in RestQuery.parts(text) { filters.append(try logic(part, level: level + 1)) }
    guard !filters.isEmpty else { throw .unreadable("logic tree", text) }
    return filters
  }

  private mutating func condition(
    _ name: Substring, _ value: Substring, isNested: Bool
  ) throws(RestError) -> RestFilter {
    conditions += 1
    guard conditions <= RestLimits.conditions else { throw .tooMuch("too many conditions") }
    var rest = value
    let isNegated = rest.hasPrefix("not.")
    if isNegated { rest = rest.dropFirst(4) }
    guard let dot = rest.firstIndex(of: ".") else { throw .unreadable("filter", value) }
    let word = String(rest[..<dot])
    rest = rest[rest.index(after: dot)...]
    let operations: Set<String> = ["is", "in", "like", "ilike"]
    guard operations.contains(word) || RestFilter.Comparison(rawValue: word) != nil else {
      throw .unreadable("filter", value)
    }
    guard let column = table.column(name) else { throw .unknownColumn(name, of: table) }
    let filter = try operation(word, column, rest, isNested: isNested)
    return isNegated ? .not(filter) : filter
  }

  private func operation(
    _ word: String, _ column: RestColumn, _ rest: Substring, isNested: Bool
  ) throws(RestError) -> RestFilter {
    let told = isNested ? try nested(rest, isList: word == "in") : String(rest)
    if let comparison = RestFilter.Comparison(rawValue: word) {
      return .compare(column, comparison, try column.value(reading: told))
    }
    switch word {
    case "is": return try truth(told, column)
    case "in":
      guard rest.utf8.first == UInt8(ascii: "("), rest.utf8.last == UInt8(ascii: ")"),
        rest.utf8.count >= 2
      else { throw .unreadable("filter", "in.\(rest)") }
      var values: [RestValue] = []
      var known: Set<RestValue> = []
      for part in RestQuery.parts(rest.dropFirst().dropLast()) {
        let value = try column.value(reading: RestQuery.unquoted(part))
        if known.insert(value).inserted { values.append(value) }
        guard values.count <= RestLimits.listed else { throw .tooMuch("a list is too long") }
      }
      return .oneOf(column, values)
    default: return try pattern(told, column, ignoresCase: word == "ilike")
    }
  }

  /// What means something between conditions stands in quotes within one.
  private func nested(_ text: Substring, isList: Bool) throws(RestError) -> String {
    let told = RestQuery.unquoted(text)
    let isBare = told == text && !isList
    guard !isBare || !text.utf8.contains(where: { "(),".utf8.contains($0) }) else {
      throw .unreadable("logic tree", text)
    }
    return told
  }

  private func truth(_ word: String, _ column: RestColumn) throws(RestError) -> RestFilter {
    let word = word.lowercased()
    switch word {
    case "null": return .isNull(column)
    case "not_null": return .not(.isNull(column))
    case "true", "false", "unknown":
      guard column.kind == .flag else {
        throw RestError(
          "42804",
          "argument of IS \(word.uppercased()) must be type boolean, not type \(column.kind.name)")
      }
      return word == "unknown" ? .isNull(column) : .isFlag(column, word == "true")
    default: throw .unreadable("filter", "is.\(word)")
    }
  }

  private func pattern(
    _ text: String, _ column: RestColumn, ignoresCase: Bool
  ) throws(RestError) -> RestFilter {
    guard column.kind == .text else {
      throw RestError(
        "42883",
        "operator does not exist: \(column.kind.name) \(ignoresCase ? "~~*" : "~~") unknown",
        hint: "No operator matches the given name and argument types. You might need to add"
          + " explicit type casts.")
    }
    // An asterisk stands for a per cent sign, which addresses write otherwise.
    let pattern = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0 == "*" ? "%" : $0 }))
    guard pattern.utf8.count <= RestLimits.patternBytes,
      pattern.utf8.count(where: { $0 == UInt8(ascii: "%") }) <= RestLimits.wildcards
    else { throw .tooMuch("a pattern is too long") }
    guard case .text(let read) = try column.value(reading: pattern) else { return .nothing }
    let escapes = read.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    guard escapes.isMultiple(of: 2) else {
      throw RestError("22025", "LIKE pattern must not end with escape character")
    }
    return .like(column, read, ignoresCase: ignoresCase)
  }
}
