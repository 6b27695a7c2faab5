/// The columns, and the rows of other tables along with them, that an answer is to have.
public struct RestSelection: Hashable, Sendable {
  /// A part of a row of the answer.
  public struct Item: Hashable, Sendable {
    /// What it is.
    public enum Content: Hashable, Sendable {
      /// A value.
      case column(RestColumn)
      /// A value, told as something else.
      case cast(RestColumn, RestCast)
      /// Rows of another table.
      case related(RestRelated)

      /// The column whose value it is; nil of rows of another table.
      var column: RestColumn? {
        switch self {
        case .column(let column), .cast(let column, _): column
        case .related: nil
        }
      }
    }

    /// Its name there.
    public var name: String
    /// What it is.
    public var content: Content
  }

  /// The table.
  public let table: RestTable
  /// What of each row, each name once.
  public private(set) var items: [Item] = []

  /// The names of its parts, in their order.
  var names: [String] {
    items.compactMap { item in
      if case .related(let related) = item.content, related.selection.items.isEmpty { return nil }
      return item.name
    }
  }

  /// All columns.
  init(all table: RestTable) {
    self.table = table
    addEverything()
  }

  /// One column alone.
  init(_ column: RestColumn, of table: RestTable) {
    self.table = table
    items = [Item(name: column.name, content: .column(column))]
  }

  /// Reads `*,checkposts(*,highway_segments(*))`.
  init(_ text: String?, of table: RestTable, for principal: RestPrincipal) throws(RestError) {
    var relations = 0
    try self.init(
      Substring(text ?? ""), of: table, for: principal, level: 0, relations: &relations)
  }

  private init(
    _ text: Substring, of table: RestTable, for principal: RestPrincipal, level: Int,
    relations: inout Int
  ) throws(RestError) {
    self.table = table
    let blanks: Set<Unicode.Scalar> = [" ", "\n", "\t", "\r"]
    let bare = Substring(
      String(String.UnicodeScalarView(text.unicodeScalars.filter { !blanks.contains($0) })))
    guard !bare.isEmpty else {
      // A relation of which nothing is wanted is there for its condition alone.
      if level == 0 { addEverything() }
      return
    }
    for part in RestQuery.parts(bare) {
      if part == "*" {
        addEverything()
      } else if part.hasPrefix("...") {
        throw .absent(
          "rows of relations are not spread among the columns (...); nest them, name(*)")
      } else if part.hasSuffix("()") && RestSelection.isAggregate(part)
        || part.firstRange(of: "()::") != nil
      {
        throw .noAggregates
      } else if let bracket = part.firstIndex(of: "(") {
        guard part.utf8.last == UInt8(ascii: ")") else {
          throw .unreadable("select parameter", part)
        }
        relations += 1
        guard relations <= RestLimits.relations, level < RestLimits.relationLevels else {
          throw .tooMuch("too many relations")
        }
        let inside = part[part.index(after: bracket)...].dropLast()
        try addRelated(
          part[..<bracket], inside, for: principal, level: level, relations: &relations)
      } else {
        guard part.firstRange(of: "->") == nil else { throw .absent(RestError.jsonPaths) }
        let (bare, type) = RestSelection.cast(part)
        let (alias, name) = try RestSelection.named(bare)
        guard let column = table.column(name) else {
          guard name.utf8.allSatisfy(RestSelection.isNameByte) else {
            throw .unreadable("select parameter", part)
          }
          throw .unknownColumn(name, of: table)
        }
        let cast = try type.map { type throws(RestError) in try RestCast(type, of: column) }
        try add(
          Item(
            name: alias ?? column.name,
            content: cast.map { .cast(column, $0) } ?? .column(column)))
      }
    }
  }

  /// Whether an item with empty brackets is reckoned out over rows, and no relation: `count()`, `fine_amount.sum()`.
  private static func isAggregate(_ part: Substring) -> Bool {
    let name = part.dropLast(2)
    guard let dot = name.lastIndex(of: ".") else {
      return (name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name) == "count"
    }
    return ["avg", "count", "max", "min", "sum"].contains(name[name.index(after: dot)...])
  }

  /// An item without the type that it is told as, and that type.
  private static func cast(_ part: Substring) -> (Substring, Substring?) {
    guard let range = part.firstRange(of: "::") else { return (part, nil) }
    return (part[..<range.lowerBound], part[range.upperBound...])
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  private static func named(
    _ text: Substring
  ) throws(RestError) -> (alias: String?, name: Substring) {
    guard let colon = text.firstIndex(of: ":") else { return (nil, text) }
    let alias = String(text[..<colon])
    let name = text[text.index(after: colon)...]
    guard !alias.isEmpty, alias.unicodeScalars.count <= RestLimits.aliasCharacters,
      !alias.utf8.contains(0), name.utf8.first != UInt8(ascii: ":")
    else { throw .unreadable("select parameter", text) }
    return (alias, name)
  }

  private mutating func addEverything() {
    for column in table.columns where !items.contains(where: { $0.name == column.name }) {
      items.append(Item(name: column.name, content: .column(column)))
    }
  }

  private mutating func add(_ item: Item) throws(RestError) {
    // One object cannot have two members of one name; the first stays.
    guard !items.contains(where: { $0.name == item.name }) else { return }
    // Under many names one long text would be told as often, and so would the rows of a relation.
    switch item.content {
    case .column(let column), .cast(let column, _):
      let same = items.count { $0.content.column == column }
      guard same < RestLimits.sameColumns else {
        throw .tooMuch("the column \(column.name) more than \(RestLimits.sameColumns) times")
      }
    case .related(let related):
      let same = items.count { known in
        if case .related(let other) = known.content {
          other.relation == related.relation
        } else {
          false
        }
      }
      guard same < RestLimits.sameColumns else {
        throw .tooMuch(
          "the relation to \(related.relation.target.name) more than \(RestLimits.sameColumns) times"
        )
      }
    }
    items.append(item)
    guard items.count <= RestLimits.items else { throw .tooMuch("too many columns") }
  }

  private mutating func addRelated(
    _ head: Substring, _ inside: Substring, for principal: RestPrincipal, level: Int,
    relations: inout Int
  ) throws(RestError) {
    let (alias, rest) = try RestSelection.named(head)
    let words = rest.split(separator: "!", omittingEmptySubsequences: false).map(String.init)
    let hints = words.dropFirst().filter { $0 != "inner" && $0 != "left" }
    guard let target = words.first, !target.isEmpty, hints.count <= 1 else {
      throw .unreadable("select parameter", head)
    }
    let relation = try RestRelation(from: table, to: target, hint: hints.first)
    let selection = try RestSelection(
      inside, of: relation.target, for: principal, level: level + 1, relations: &relations)
    try add(
      Item(
        name: alias ?? target,
        content: .related(
          RestRelated(
            relation: relation, selection: selection,
            visible: RestPolicy.visible(relation.target, to: principal),
            isRequired: words.contains("inner")))))
  }

  // MARK: - What is asked of relations

  /// Takes up the parameters that name a relation: `checkposts.code=eq.BNP-A`, `checkposts.order=name`.
  mutating func narrow(by query: RestQuery) throws(RestError) {
    for item in query.items where RestFilterReader.isOfRelation(item.name, in: table) {
      try narrow(Substring(item.name), item.value)
    }
  }

  private mutating func narrow(_ path: Substring, _ value: String) throws(RestError) {
    let name = path.prefix { $0 != "." }
    let rest = path.dropFirst(name.count + 1)
    guard let index = place(of: name), case .related(var related) = items[index].content else {
      let shown = RestError.shown(name)
      throw RestError(
        "PGRST108", "'\(shown)' is not an embedded resource in this request",
        hint: "Verify that '\(shown)' is included in the 'select' query parameter.")
    }
    if RestFilterReader.isOfRelation(String(rest), in: related.selection.table) {
      try related.selection.narrow(rest, value)
    } else {
      try related.take(String(rest), value)
    }
    items[index].content = .related(related)
  }

  /// The relation of that name here, or else the only one to a table of that name.
  private func place(of name: Substring) -> Int? {
    func isRelation(_ item: Item, _ named: (RestRelated) -> Bool) -> Bool {
      if case .related(let related) = item.content { named(related) } else { false }
    }
    if let own = items.firstIndex(where: { item in isRelation(item) { _ in item.name == name } }) {
      return own
    }
    let found = items.indices.filter { isRelation(items[$0]) { $0.relation.target.name == name } }
    return found.count == 1 ? found.first : nil
  }
}
