import JSON

/// Putting in, changing and removing rows, in the order in which PostgreSQL looks at its rules.
extension Database {
  /// What becomes of a row that is there already.
  enum Resolution: Hashable {
    case refuse
    /// It stays, where it is the same by these columns.
    case ignore(by: [Int])
    /// It is changed to the new one.
    case merge(by: [Int])
  }

  /// What an insertion did.
  struct Inserted {
    /// The rows put in or changed, as they were told before any trigger ran after them.
    var rows: [Row] = []
    var isAllMerged = false
  }

  /// Puts rows in.
  ///
  /// - Parameters:
  ///   - columns: Those that are given values; all others take their defaults.
  ///   - usesDefaults: Whether one that a row does not name takes its default, and not null.
  ///   - returns: Whether the rows are told back, which takes the right to see them.
  mutating func insert(
    _ values: [[String: JSONValue]], into name: String, columns: [Int], usesDefaults: Bool,
    resolution: Resolution, returns: Bool, as principal: ModelCaller
  ) throws(SQLError) -> Inserted {
    let table = try shelf(name).table
    var outcome = Inserted()
    var fresh: [Int] = []
    var added: [Int] = []
    // All are read before the first is looked at.
    var rows: [Row] = []
    for value in values {
      rows.append(try made(value, for: table, columns: columns, usesDefaults: usesDefaults))
    }
    for row in rows {
      if !principal.isService {
        guard principal.inserts(row, into: table) else { throw .denied(name) }
        if returns || resolution != .refuse {
          guard principal.sees(row, of: table) else { throw .denied(name) }
        }
      }
      try check(row, of: table, tells: principal.isService)
      if let (unique, place) = conflict(row, in: table, by: resolution) {
        switch resolution {
        case .ignore(let arbiters) where unique.columns == arbiters: continue
        case .merge(let arbiters) where unique.columns == arbiters:
          if fresh.contains(place) {
            throw SQLError(
              "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time",
              hint: "Ensure that no rows proposed for insertion within the same command have"
                + " duplicate constrained values.")
          }
          outcome.rows.append(try merge(row, columns, into: place, of: table, as: principal))
          fresh.append(place)
          continue
        default:
          throw Self.duplicate(row, unique, of: table, tells: principal.isService)
        }
      }
      let place = shelves[name]?.rows.count ?? 0
      write(row, in: name, at: place)
      outcome.rows.append(row)
      fresh.append(place)
      added.append(place)
    }
    outcome.isAllMerged = added.isEmpty && !fresh.isEmpty
    for place in added { try afterInsert(in: name, at: place, as: principal) }
    return outcome
  }

  private func conflict(
    _ row: Row, in table: Table, by resolution: Resolution
  ) -> (Table.Unique, Int)? {
    // What the clause names is looked at before all others.
    let arbiters: [Int]? =
      switch resolution {
      case .refuse: nil
      case .ignore(let columns), .merge(let columns): columns
      }
    if let arbiters, let number = table.uniques.firstIndex(where: { $0.columns == arbiters }),
      let place = shelves[table.name]?.keys[number][arbiters.map { row[$0] }]
    {
      return (table.uniques[number], place)
    }
    return conflict(row, in: table)
  }

  private mutating func merge(
    _ row: Row, _ columns: [Int], into place: Int, of table: Table, as principal: ModelCaller
  ) throws(SQLError) -> Row {
    guard let before = shelves[table.name]?.rows[place] else { return row }
    var merged = before
    for column in columns { merged[column] = row[column] }
    try authorize(from: before, to: merged, of: table, as: principal)
    try replace(merged, at: place, of: table, as: principal)
    return merged
  }

  private mutating func made(
    _ value: [String: JSONValue], for table: Table, columns: [Int], usesDefaults: Bool
  ) throws(SQLError) -> Row {
    var row = Row(repeating: .null, count: table.columns.count)
    let given = Set(columns)
    for place in columns.sorted(by: { table.columns[$0].name < table.columns[$1].name }) {
      let column = table.columns[place]
      if let told = value[column.name] { row[place] = try column.cell(from: told) }
    }
    for (place, column) in table.columns.enumerated() where !column.isGenerated {
      let isLeftOut = usesDefaults && value[column.name] == nil
      if !given.contains(place) || isLeftOut { row[place] = fallback(column) }
    }
    for place in columns where table.columns[place].isGenerated {
      throw SQLError(
        "428C9", "cannot insert a non-DEFAULT value into column \"\(table.columns[place].name)\"",
        details: "Column \"\(table.columns[place].name)\" is a generated column.")
    }
    try DeployedSchema.compute(&row, of: table)
    return row
  }

  private mutating func afterInsert(
    in name: String, at place: Int, as principal: ModelCaller
  ) throws(SQLError) {
    guard let table = table(name), let row = row(name, place) else { return }
    try checkReferences(row, of: table, tells: principal.isService)
    if name == Self.passages, pairsOnInsert { try pair(place) }
  }

  /// Changes the rows that a condition holds for; those are told that were changed.
  mutating func update(
    _ name: String, where condition: Condition, to value: [String: JSONValue], columns: [Int],
    as principal: ModelCaller
  ) throws(SQLError) -> [Row] {
    let shelf = try shelf(name)
    let table = shelf.table
    var cells: [(Int, Cell)] = []
    for place in columns {
      let column = table.columns[place]
      guard !column.isGenerated else {
        throw SQLError(
          "428C9", "column \"\(column.name)\" can only be updated to DEFAULT",
          details: "Column \"\(column.name)\" is a generated column.")
      }
      cells.append((place, try column.cell(from: value[column.name] ?? .null)))
    }
    var told: [Row] = []
    for place in shelf.places(where: condition, seenBy: principal) {
      guard let before = shelf.rows[place] else { continue }
      var changed = before
      for (column, cell) in cells { changed[column] = cell }
      guard principal.isService || principal.updates(before, of: table) else { continue }
      try authorize(from: before, to: changed, of: table, as: principal)
      try DeployedSchema.compute(&changed, of: table)
      try replace(changed, at: place, of: table, as: principal)
      told.append(changed)
    }
    return told
  }

  private func authorize(
    from before: Row, to changed: Row, of table: Table, as principal: ModelCaller
  ) throws(SQLError) {
    if principal.isService { return }
    let isAllowed =
      principal.updates(before, of: table) && principal.updates(changed, of: table)
      && principal.sees(changed, of: table)
    if !isAllowed { throw .denied(table.name) }
  }

  private mutating func replace(
    _ row: Row, at place: Int, of table: Table, as principal: ModelCaller
  ) throws(SQLError) {
    try check(row, of: table, tells: principal.isService)
    if let (unique, _) = conflict(row, in: table, besides: place) {
      throw Self.duplicate(row, unique, of: table, tells: principal.isService)
    }
    write(row, in: table.name, at: place)
    try checkReferences(row, of: table, tells: principal.isService)
  }

  /// Removes the rows that a condition holds for; those are told that were removed.
  mutating func delete(
    _ name: String, where condition: Condition, as principal: ModelCaller
  ) throws(SQLError) -> [Row] {
    let shelf = try shelf(name)
    var told: [Row] = []
    for place in shelf.places(where: condition, seenBy: principal) {
      guard let row = shelf.rows[place],
        principal.isService || principal.deletes(row, from: shelf.table)
      else { continue }
      try remove(place, from: name, tells: principal.isService)
      told.append(row)
    }
    return told
  }
}
