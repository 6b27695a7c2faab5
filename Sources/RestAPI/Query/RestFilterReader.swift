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
    let told = String(rest[..<dot])
    rest = rest[rest.index(after: dot)...]
    let (word, quantifier) = RestFilterReader.quantified(told)
    if let absence = RestFilterReader.absences[word.prefix { $0 != "(" }.description] {
      throw absence
    }
    guard RestFilterReader.operations.contains(word) else { throw .unreadable("filter", value) }
    guard name.firstRange(of: "->") == nil else { throw .absent(RestError.jsonPaths) }
    guard let column = table.column(name) else { throw .unknownColumn(name, of: table) }
    let filter =
      if let quantifier {
        try several(word, column, rest, isAny: quantifier == "any")
      } else {
        try operation(word, column, rest, isNested: isNested)
      }
    return isNegated ? .not(filter) : filter
  }

  /// The words of what there is.
  static let operations: Set<String> = Set(
    ["is", "in", "like", "ilike", "match", "imatch", "isdistinct"]
      + RestFilter.Comparison.allCases.map(\.rawValue)
      + RestFilter.ListComparison.allCases.map(\.rawValue))

  /// What there is in PostgREST and not here, and what is used in its place.
  private static let absences: [String: RestError] = {
    var absences: [String: RestError] = [:]
    for word in ["fts", "plfts", "phfts", "wfts"] {
      absences[word] = .absent(
        "texts are not searched by their words (\(word)); use ilike or imatch")
    }
    for word in ["sl", "sr", "nxl", "nxr", "adj"] {
      absences[word] = .absent("no column has a range (\(word)); use gte and lt")
    }
    return absences
  }()

  /// An operator, and whether one or all of several values are meant: `eq(any)`.
  private static func quantified(_ word: String) -> (word: String, quantifier: String?) {
    for quantifier in ["any", "all"] where word.hasSuffix("(\(quantifier))") {
      return (String(word.dropLast(quantifier.utf8.count + 2)), quantifier)
    }
    return (word, nil)
  }

  /// One operator against the values of a list: `{a,b}`.
  private mutating func several(
    _ word: String, _ column: RestColumn, _ rest: Substring, isAny: Bool
  ) throws(RestError) -> RestFilter {
    let isTaken =
      RestFilter.Comparison(rawValue: word).map { $0 != .different }
      ?? ["like", "ilike", "match", "imatch"].contains(word)
    guard isTaken else { throw .unreadable("filter", "\(word)(\(isAny ? "any" : "all"))") }
    var parts: [RestFilter] = []
    for value in try RestFilterReader.words(rest) {
      conditions += 1
      guard conditions <= RestLimits.conditions else { throw .tooMuch("too many conditions") }
      parts.append(try operation(word, column, Substring(value), isNested: false))
    }
    return isAny ? .any(parts) : .all(parts)
  }

  /// The words of a list as PostgreSQL writes it: `{a,"b c"}`.
  private static func words(_ text: Substring) throws(RestError) -> [String] {
    guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}"),
      text.utf8.count >= 2
    else {
      throw RestError("22P02", "malformed array literal: \"\(RestError.shown(text))\"")
    }
    let parts = RestQuery.parts(text.dropFirst().dropLast())
    guard parts.count <= RestLimits.listed else { throw .tooMuch("a list is too long") }
    return parts.map { RestQuery.unquoted($0) }
  }

  private func list(
    _ comparison: RestFilter.ListComparison, _ column: RestColumn, _ text: Substring
  ) throws(RestError) -> RestFilter {
    guard column.kind == .words else {
      let sign = [.contains: "@>", .isContained: "<@", .overlaps: "&&"][comparison] ?? "@>"
      throw RestError(
        "42883", "operator does not exist: \(column.kind.name) \(sign) unknown",
        hint: "Lists alone are asked for what is in them.")
    }
    let words = try RestFilterReader.words(text)
    for word in words { _ = try RestColumn.bounded(word, column.name) }
    return .list(column, comparison, words)
  }

  private func operation(
    _ word: String, _ column: RestColumn, _ rest: Substring, isNested: Bool
  ) throws(RestError) -> RestFilter {
    let isList = word == "in" || RestFilter.ListComparison(rawValue: word) != nil
    let told = isNested ? try nested(rest, isList: isList) : String(rest)
    if let comparison = RestFilter.Comparison(rawValue: word) {
      return .compare(column, comparison, try column.value(reading: told))
    }
    if let comparison = RestFilter.ListComparison(rawValue: word) {
      // A list in braces has its own commas; in quotes it stands between conditions.
      return try list(
        comparison, column, Substring(isNested ? RestQuery.unquoted(rest) : String(rest)))
    }
    switch word {
    case "isdistinct":
      let isNull = told.lowercased() == "null"
      return .isDistinct(column, isNull ? .null : try column.value(reading: told))
    case "match", "imatch":
      guard column.kind == .text else {
        throw RestFilterReader.noPattern(column, word == "match" ? "~" : "~*")
      }
      return .matches(
        column,
        try RestPattern(RestColumn.bounded(told, column.name), ignoresCase: word == "imatch"))
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

  private static func noPattern(_ column: RestColumn, _ sign: String) -> RestError {
    RestError(
      "42883", "operator does not exist: \(column.kind.name) \(sign) unknown",
      hint: "No operator matches the given name and argument types. You might need to add"
        + " explicit type casts.")
  }

  private func pattern(
    _ text: String, _ column: RestColumn, ignoresCase: Bool
  ) throws(RestError) -> RestFilter {
    guard column.kind == .text else {
      throw RestFilterReader.noPattern(column, ignoresCase ? "~~*" : "~~")
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
