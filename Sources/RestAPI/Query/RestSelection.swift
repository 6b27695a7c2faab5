/// The columns, and the rows of other tables along with them, that an answer is to have.
public struct RestSelection: Hashable, Sendable {
  /// A part of a row of the answer.
  public struct Item: Hashable, Sendable {
    /// What it is.
    public enum Content: Hashable, Sendable {
      /// A value.
      case column(RestColumn)
      /// Rows of another table.
      case related(RestRelated)
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

  /// All columns.
  init(all table: RestTable) {
    self.table = table
    addEverything()
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
        let (alias, name) = try RestSelection.named(part)
        guard let column = table.column(name) else {
          guard name.utf8.allSatisfy(RestSelection.isNameByte) else {
            throw .unreadable("select parameter", part)
          }
          throw .unknownColumn(name, of: table)
        }
        try add(Item(name: alias ?? column.name, content: .column(column)))
      }
    }
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
}

/// Rows of another table, nested in a row.
public struct RestRelated: Hashable, Sendable {
  /// How the two belong together.
  public let relation: RestRelation
  /// What of them.
  public let selection: RestSelection
  /// Which of them may be seen.
  public let visible: RestFilter
  /// Whether rows without any are left out.
  public let isRequired: Bool
}

/// How rows of two tables belong together.
public struct RestRelation: Hashable, Sendable {
  /// The other table.
  public let target: RestTable
  /// The column here.
  public let here: RestColumn
  /// The column there that has the same value.
  public let there: RestColumn
  /// Whether there is one at most.
  public let isSingle: Bool
  private let name: String
  private let column: String

  /// The only relation between two tables that fits.
  ///
  /// - Parameter hint: The name of the rule or of its column, where there are several.
  init(from table: RestTable, to name: String, hint: String?) throws(RestError) {
    guard let target = Catalogue.table(name) else {
      throw RestRelation.none(from: table, to: name)
    }
    var found = RestRelation.found(from: table, to: target)
    if let hint { found.removeAll { $0.name != hint && $0.column != hint } }
    guard let first = found.first else { throw RestRelation.none(from: table, to: name) }
    guard found.count == 1 else {
      let choices = found.map { "'\(name)!\($0.name)'" }.joined(separator: ", ")
      throw RestError(
        "PGRST201",
        "Could not embed because more than one relationship was found for '\(table.name)' and"
          + " '\(name)'",
        hint: "Try changing '\(name)' to one of the following: \(choices). Find the desired"
          + " relationship in the 'details' key.", status: 300)
    }
    self = first
  }

  private init(
    _ target: RestTable, _ here: RestColumn, _ there: RestColumn, isSingle: Bool,
    _ reference: RestTable.Reference
  ) {
    self.target = target
    self.here = here
    self.there = there
    self.isSingle = isSingle
    name = reference.name
    column = reference.column
  }

  private static func found(from table: RestTable, to target: RestTable) -> [RestRelation] {
    var found: [RestRelation] = []
    for reference in table.references where reference.target == target.name {
      guard let here = table.column(reference.column), let there = target.columns.first else {
        continue
      }
      found.append(RestRelation(target, here, there, isSingle: true, reference))
    }
    for reference in target.references where reference.target == table.name {
      guard let here = table.columns.first, let there = target.column(reference.column) else {
        continue
      }
      let isSingle = target.uniques.contains { $0.columns == [reference.column] }
      found.append(RestRelation(target, here, there, isSingle: isSingle, reference))
    }
    return found
  }

  private static func none(from table: RestTable, to name: String) -> RestError {
    RestError(
      "PGRST200",
      "Could not find a relationship between '\(table.name)' and '\(RestError.shown(name))' in the"
        + " schema cache",
      details:
        "Searched for a foreign key relationship between '\(table.name)' and"
        + " '\(RestError.shown(name))' in the schema 'public', but no matches were found.")
  }
}
