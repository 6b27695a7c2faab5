import SeededRandom
import Time

/// The rows of all tables, with their constraints. A statement changes all that it says, or nothing.
struct Database: Sendable {
  /// The rows of one table.
  struct Shelf: Sendable {
    var table: Table
    /// In the order in which they came; nil where one was removed.
    var rows: [Row?] = []
    /// For each unique constraint, where the rows of its keys are.
    var keys: [[Row: Int]]
    /// How many there are.
    var count = 0

    init(_ table: Table) {
      self.table = table
      keys = table.uniques.map { _ in [:] }
    }

    func place(of id: Cell) -> Int? { keys[0][[id]] }

    func row(_ id: Cell) -> Row? { place(of: id).flatMap { rows[$0] } }
  }

  private struct Change {
    var table: String
    var place: Int
    var before: Row?
  }

  private(set) var shelves: [String: Shelf] = [:]
  /// Where the passages of a plate stand, for the trigger.
  private(set) var plates: [Cell: [Int]] = [:]
  private var changes: [Change] = []
  private var random: SplitMix64
  /// The moment of the statement.
  var now: Int64 = 0
  /// Whether the trigger pairs each passage as it comes.
  var pairsOnInsert = true

  init(random: SplitMix64) {
    self.random = random
    for table in DeployedSchema.tables { shelves[table.name] = Shelf(table) }
  }

  mutating func identifier() -> String { Identifiers.random(random.next(), random.next()) }

  func table(_ name: String) -> Table? { shelves[name]?.table }

  func row(_ table: String, _ place: Int) -> Row? { shelves[table]?.rows[place] }

  func shelf(_ name: String) throws(SQLError) -> Shelf {
    guard let shelf = shelves[name] else {
      throw SQLError(
        "PGRST205", "Could not find the table 'public.\(name)' in the schema cache", status: 404)
    }
    return shelf
  }

  /// Does what changes rows: all of it, or nothing when it fails.
  mutating func statement<Value>(
    at now: Int64, _ body: (inout Database) throws(SQLError) -> Value
  ) throws(SQLError) -> Value {
    self.now = now
    changes = []
    do {
      let value = try body(&self)
      changes = []
      return value
    } catch {
      for change in changes.reversed() { put(change.before, in: change.table, at: change.place) }
      changes = []
      throw error
    }
  }

  /// Writes a row where it stands, or a new one; nil removes it.
  mutating func write(_ row: Row?, in table: String, at place: Int) {
    let before = shelves[table].flatMap { place < $0.rows.count ? $0.rows[place] : nil }
    changes.append(Change(table: table, place: place, before: before))
    put(row, in: table, at: place)
  }

  private mutating func put(_ row: Row?, in name: String, at place: Int) {
    guard var shelf = shelves.removeValue(forKey: name) else { return }
    defer { shelves[name] = shelf }
    while shelf.rows.count <= place { shelf.rows.append(nil) }
    if let old = shelf.rows[place] {
      for (number, unique) in shelf.table.uniques.enumerated() {
        shelf.keys[number].removeValue(forKey: unique.columns.map { old[$0] })
      }
      shelf.count -= 1
      if name == Self.passages { forget(old[shelf.table.at("plate_number")], place) }
    }
    shelf.rows[place] = row
    guard let row else { return }
    for (number, unique) in shelf.table.uniques.enumerated() {
      shelf.keys[number][unique.columns.map { row[$0] }] = place
    }
    shelf.count += 1
    if name == Self.passages {
      plates[row[shelf.table.at("plate_number")], default: []].append(place)
    }
  }

  private mutating func forget(_ plate: Cell, _ place: Int) {
    plates[plate]?.removeAll { $0 == place }
    if plates[plate]?.isEmpty == true { plates.removeValue(forKey: plate) }
  }

  static let passages = "vehicle_passages"

  // MARK: Constraints

  /// The unique constraint that a row breaks, with the place of the row that it meets.
  func conflict(_ row: Row, in table: Table, besides own: Int? = nil) -> (Table.Unique, Int)? {
    guard let shelf = shelves[table.name] else { return nil }
    for (number, unique) in table.uniques.enumerated() {
      let key = unique.columns.map { row[$0] }
      if key.contains(.null) { continue }
      if let place = shelf.keys[number][key], place != own { return (unique, place) }
    }
    return nil
  }

  /// Refuses a row that breaks a rule of its own columns.
  ///
  /// - Parameter tells: Whether the refusal may tell the row, which row security forbids.
  func check(_ row: Row, of table: Table, tells: Bool) throws(SQLError) {
    let details =
      tells ? "Failing row contains (\(row.map(\.words).joined(separator: ", ")))." : nil
    for (place, column) in table.columns.enumerated() where !column.isNullable && row[place].isNull
    {
      throw SQLError(
        "23502",
        "null value in column \"\(column.name)\" of relation \"\(table.name)\" violates not-null"
          + " constraint", details: details)
    }
    for (place, column) in table.columns.enumerated().sorted(by: { $0.1.name < $1.1.name })
    where !column.keeps(row[place]) {
      throw SQLError(
        "23514",
        "new row for relation \"\(table.name)\" violates check constraint"
          + " \"\(table.name)_\(column.name)_check\"", details: details)
    }
  }

  /// Refuses a row that refers to one that is not there.
  ///
  /// - Parameter tells: Whether the refusal may tell the values, which row security forbids.
  func checkReferences(_ row: Row, of table: Table, tells: Bool) throws(SQLError) {
    for key in table.foreignKeys where !row[key.column].isNull {
      guard shelves[key.target]?.row(row[key.column]) == nil else { continue }
      let name = table.columns[key.column].name
      let told = tells ? "Key (\(name))=(\(row[key.column].words))" : "Key"
      throw SQLError(
        "23503",
        "insert or update on table \"\(table.name)\" violates foreign key constraint \"\(key.name)\"",
        details: "\(told) is not present in table \"\(key.target)\".")
    }
  }

  /// That a row stands in the way of another.
  static func duplicate(_ row: Row, _ unique: Table.Unique, of table: Table, tells: Bool)
    -> SQLError
  {
    let names = unique.columns.map { table.columns[$0].name }.joined(separator: ", ")
    let values = unique.columns.map { row[$0].words }.joined(separator: ", ")
    return SQLError(
      "23505", "duplicate key value violates unique constraint \"\(unique.name)\"",
      details: tells ? "Key (\(names))=(\(values)) already exists." : nil)
  }

  /// The value that a column takes when none is given.
  mutating func fallback(_ column: Table.Column) -> Cell {
    switch column.fallback {
    case .uuid: .text(identifier())
    case .now: .time(now)
    case .value(let cell): cell
    case nil: .null
    }
  }

  /// Removes a row, and does to those that refer to it what their keys say.
  ///
  /// - Parameter tells: Whether a refusal may tell the key.
  mutating func remove(_ place: Int, from name: String, tells: Bool) throws(SQLError) {
    guard let shelf = shelves[name], let row = shelf.rows[place] else { return }
    write(nil, in: name, at: place)
    for other in DeployedSchema.tables {
      for key in other.foreignKeys where key.target == name {
        let referring = (shelves[other.name]?.rows ?? []).indices.filter {
          shelves[other.name]?.rows[$0]?[key.column] == row[Table.key]
        }
        for place in referring {
          switch key.onDelete {
          case .cascade: try remove(place, from: other.name, tells: tells)
          case .setNull:
            guard var changed = shelves[other.name]?.rows[place] else { continue }
            changed[key.column] = .null
            write(changed, in: other.name, at: place)
          case .refuse:
            throw SQLError(
              "23503",
              "update or delete on table \"\(name)\" violates foreign key constraint"
                + " \"\(key.name)\" on table \"\(other.name)\"",
              details: (tells ? "Key (id)=(\(row[Table.key].words))" : "Key")
                + " is still referenced from table \"\(other.name)\".")
          }
        }
      }
    }
  }
}
