/// Rows of another table, nested in a row.
public struct RestRelated: Hashable, Sendable {
  /// How the two belong together.
  public let relation: RestRelation
  /// What of them.
  public internal(set) var selection: RestSelection
  /// Which of them may be seen.
  public let visible: RestFilter
  /// Whether rows without any are left out.
  public let isRequired: Bool
  /// What they have to be.
  public private(set) var filter = RestFilter.everything
  /// What they are sorted by.
  public private(set) var order: [RestOrder] = []
  /// Which of them, counted from 0.
  public private(set) var offset = 0
  /// How many at most.
  public private(set) var limit = RestLimits.rows

  init(
    relation: RestRelation, selection: RestSelection, visible: RestFilter, isRequired: Bool
  ) {
    self.relation = relation
    self.selection = selection
    self.visible = visible
    self.isRequired = isRequired
  }

  /// Takes up a parameter, without the names of relations before it.
  mutating func take(_ name: String, _ value: String) throws(RestError) {
    let table = relation.target
    switch name {
    case "order": order = try RestOrder.read(value, of: table)
    case "limit": limit = min(limit, try RestRange.number(value, "limit"))
    case "offset": offset = try RestRange.number(value, "offset")
    default:
      var reader = RestFilterReader(table)
      filter = .all([filter, try reader.filter(name, value)])
    }
  }
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
  /// Whether it is the row here that names the other one.
  private let isNamedHere: Bool
  private let name: String
  private let column: String

  /// The only relation between two tables that fits.
  ///
  /// - Parameters:
  ///   - name: The other table, or the rule or the column here that names one of its rows.
  ///   - hint: The name of the rule or of its column, where there are several.
  init(from table: RestTable, to name: String, hint: String?) throws(RestError) {
    var found: [RestRelation]
    if let target = Catalogue.table(name) {
      found = RestRelation.found(from: table, to: target)
      // Of a table that names its own rows the name of the table means those that name this one; the row that this
      // one names has the name of the column.
      if target == table { found.removeAll(where: \.isNamedHere) }
    } else {
      found = table.references.filter { $0.column == name || $0.name == name }
        .compactMap { reference in
          Catalogue.table(reference.target).flatMap { target in
            RestRelation.found(from: table, to: target)
              .first { $0.isNamedHere && $0.name == reference.name }
          }
        }
    }
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
    isNamedHere: Bool, _ reference: RestTable.Reference
  ) {
    self.target = target
    self.here = here
    self.there = there
    self.isSingle = isSingle
    self.isNamedHere = isNamedHere
    name = reference.name
    column = reference.column
  }

  private static func found(from table: RestTable, to target: RestTable) -> [RestRelation] {
    var found: [RestRelation] = []
    for reference in table.references where reference.target == target.name {
      guard let here = table.column(reference.column), let there = target.columns.first else {
        continue
      }
      found.append(
        RestRelation(target, here, there, isSingle: true, isNamedHere: true, reference))
    }
    for reference in target.references where reference.target == table.name {
      guard let here = table.columns.first, let there = target.column(reference.column) else {
        continue
      }
      let isSingle = target.uniques.contains { $0.columns == [reference.column] }
      found.append(
        RestRelation(target, here, there, isSingle: isSingle, isNamedHere: false, reference))
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
