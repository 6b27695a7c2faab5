import JSON

/// The columns, and the rows of other tables along with them, that an answer is to have.
struct Selection: Sendable {
  enum Item: Sendable {
    case column(place: Int, name: String)
    case everything
    /// Rows of another table, nested.
    case embedded(Embedding)
  }

  struct Embedding: Sendable {
    var name: String
    var relation: Relation
    var selection: Selection
    /// Whether rows without any are left out.
    var isInner: Bool
  }

  /// How two tables belong together.
  struct Relation: Hashable, Sendable {
    var target: String
    /// The column here and the column there.
    var here: Int
    var there: Int
    /// Whether there is at most one.
    var isSingle: Bool
    var name: String
    var column: String
  }

  var table: Table
  var items: [Item]

  /// Reads `*,checkposts(*,highway_segments(*))`.
  init(_ text: String?, of table: Table, in database: Database) throws(SQLError) {
    self.table = table
    items = []
    guard let text, !text.isEmpty else {
      items = [.everything]
      return
    }
    for part in Query.parts(Substring(text.filter { $0 != " " && $0 != "\n" })) {
      items.append(try Self.item(part, of: table, in: database))
    }
  }

  private static func item(
    _ part: Substring, of table: Table, in database: Database
  ) throws(SQLError) -> Item {
    if part == "*" { return .everything }
    guard let bracket = part.firstIndex(of: "(") else {
      let (alias, name) = named(part)
      guard let place = table.position(name) else {
        throw SQLError("42703", "column \(table.name).\(name) does not exist")
      }
      return .column(place: place, name: alias ?? name)
    }
    guard part.hasSuffix(")") else { throw Query.unreadable("select parameter", part) }
    let (alias, rest) = named(part[..<bracket])
    let words = rest.split(separator: "!").map(String.init)
    guard let target = words.first else { throw Query.unreadable("select parameter", part) }
    let hints = words.dropFirst().filter { $0 != "inner" && $0 != "left" }
    let relation = try relation(from: table, to: target, hint: hints.first, in: database)
    guard let other = database.table(target) else { throw Query.unreadable("select", part) }
    let inside = String(part[part.index(after: bracket)...].dropLast())
    return .embedded(
      Embedding(
        name: alias ?? target, relation: relation,
        selection: try Selection(inside, of: other, in: database),
        isInner: words.contains("inner")))
  }

  private static func named(_ text: Substring) -> (alias: String?, name: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    return parts.count > 1 ? (String(parts[0]), String(parts[1])) : (nil, String(text))
  }

  private static func relation(
    from table: Table, to target: String, hint: String?, in database: Database
  ) throws(SQLError) -> Relation {
    var relations: [Relation] = table.foreignKeys.filter { $0.target == target }.map {
      Relation(
        target: target, here: $0.column, there: Table.key, isSingle: true, name: $0.name,
        column: table.columns[$0.column].name)
    }
    if let other = database.table(target) {
      relations += other.foreignKeys.filter { $0.target == table.name }.map { key in
        Relation(
          target: target, here: Table.key, there: key.column,
          isSingle: other.uniques.contains { $0.columns == [key.column] }, name: key.name,
          column: other.columns[key.column].name)
      }
    }
    if let hint { relations.removeAll { $0.name != hint && $0.column != hint } }
    guard let relation = relations.first else {
      throw SQLError(
        "PGRST200",
        "Could not find a relationship between '\(table.name)' and '\(target)' in the schema cache",
        details:
          "Searched for a foreign key relationship between '\(table.name)' and '\(target)' in"
          + " the schema 'public', but no matches were found.", status: 400)
    }
    guard relations.count == 1 else {
      throw SQLError(
        "PGRST201",
        "Could not embed because more than one relationship was found for '\(table.name)' and"
          + " '\(target)'",
        hint: "Try changing '\(target)' to one of the following:"
          + " \(relations.map { "'\(target)!\($0.name)'" }.joined(separator: ", ")). Find the desired"
          + " relationship in the 'details' key.", status: 300)
    }
    return relation
  }

  /// A row as the answer has it; nil when it lacks what it has to have along.
  func json(_ row: Row, in database: Database, for principal: ModelCaller) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    for item in items {
      switch item {
      case .everything:
        for (place, column) in table.columns.enumerated() { members[column.name] = row[place].json }
      case .column(let place, let name): members[name] = row[place].json
      case .embedded(let embedding):
        let nested = embedding.rows(of: row, in: database, for: principal)
        if embedding.isInner, nested.isEmpty { return nil }
        members[embedding.name] =
          embedding.relation.isSingle ? nested.first ?? .null : .list(nested)
      }
    }
    return .object(members)
  }
}

extension Selection.Embedding {
  fileprivate func rows(
    of row: Row, in database: Database, for principal: ModelCaller
  ) -> [JSONValue] {
    guard let shelf = database.shelves[relation.target], !row[relation.here].isNull else {
      return []
    }
    let places = shelf.places(
      where: .compare(relation.there, .equal, row[relation.here]), seenBy: principal)
    return places.compactMap { place in
      shelf.rows[place].flatMap { selection.json($0, in: database, for: principal) }
    }
  }
}
