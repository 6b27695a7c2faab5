public import GRDB

/// A database that cannot be trusted any more, for reading what is still legible in it.
public struct DamagedDatabase {
  let database: Database

  /// Reads the rows of a table, or of an index that has all of the columns, one by one. Where a page cannot be read,
  /// it goes on behind it.
  ///
  /// - Parameters:
  ///   - source: what stands behind FROM: the table, with the index to read where it is not the table
  ///     itself that is read.
  ///   - columns: what is wanted of each row; the columns of the key come first.
  ///   - keys: how many of the columns are the key: what the rows are ordered by, and unique.
  ///   - take: handed each row's values.
  /// - Returns: whether all of it was legible.
  /// - Throws: what `take` throws, and when the device fails: then nobody knows what stands there.
  public func read(
    _ source: String, columns: [String], keys: Int,
    take: ([DatabaseValue]) throws -> Void
  ) throws -> Bool {
    var table = DamagedTable(
      database: database, source: source, columns: columns, keys: keys)
    return try table.read(take)
  }

  /// One value; nil where it cannot be read.
  public func value<Value: DatabaseValueConvertible>(_ sql: String) throws -> Value? {
    try DamagedTable.legible { try Value.fetchOne(database, sql: sql) } ?? nil
  }
}

/// How a table with unreadable pages is read: on from its beginning; behind what cannot be read from the first
/// key that can, and backwards from there.
struct DamagedTable {
  let database: Database
  let source: String
  let columns: [String]
  let keys: Int
  /// The last key that was read on the way forwards.
  private var last: [DatabaseValue]?
  /// Where to go on when that is not behind the last key.
  private var start: DatabaseValue?
  private var isWhole = true

  init(database: Database, source: String, columns: [String], keys: Int) {
    self.database = database
    self.source = source
    self.columns = columns
    self.keys = keys
  }

  mutating func read(_ take: ([DatabaseValue]) throws -> Void) throws -> Bool {
    while try !readForwards(take) {
      isWhole = false
      let next = try nextLegible()
      try readBackwards(from: next, take)
      guard let next else { break }
      start = next
    }
    return isWhole
  }

  // MARK: Statements

  private var list: String { columns.joined(separator: ", ") }
  private var key: [String] { Array(columns.prefix(keys)) }
  private var behindLast: String {
    "(\(key.joined(separator: ", "))) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
  }
  private func order(_ direction: String) -> String {
    "ORDER BY " + key.map { "\($0) \(direction)" }.joined(separator: ", ")
  }

  /// False when it came to what cannot be read.
  private mutating func readForwards(_ take: ([DatabaseValue]) throws -> Void) throws -> Bool {
    var condition = ""
    var arguments: [DatabaseValue] = []
    if let start {
      condition = "WHERE \(key[0]) >= ?"
      arguments = [start]
    } else if let last {
      condition = "WHERE \(behindLast)"
      arguments = last
    }
    return try rows("SELECT \(list) FROM \(source) \(condition) \(order("ASC"))", arguments) {
      row in
      let found = Array(row.prefix(keys))
      // A key out of its order is of a page that is damaged, and would lead astray.
      if let last, DamagedTable.isBefore(found, last) { return }
      last = found
      start = nil
      try take(row)
    }
  }

  /// Reads what stands before a key, or before the end, as far back as it can be read.
  private func readBackwards(
    from next: DatabaseValue?, _ take: ([DatabaseValue]) throws -> Void
  ) throws {
    var conditions: [String] = []
    var arguments: [DatabaseValue] = []
    if let next {
      conditions.append("\(key[0]) < ?")
      arguments.append(next)
    }
    if let start {
      conditions.append("\(key[0]) >= ?")
      arguments.append(start)
    } else if let last {
      conditions.append(behindLast)
      arguments += last
    }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    _ = try rows(
      "SELECT \(list) FROM \(source) \(condition) \(order("DESC"))", arguments, take)
  }

  /// A key behind the last one that can be read on from; nil when there is none.
  private func nextLegible() throws -> DatabaseValue? {
    let sql = "SELECT \(key[0]) FROM \(source) WHERE \(key[0]) >= ? \(order("ASC")) LIMIT 1"
    for candidate in DamagedTable.keys(after: start ?? last?.first) {
      let found = try DamagedTable.legible {
        try DatabaseValue.fetchOne(database, sql: sql, arguments: [candidate])
      }
      guard let found else { continue }
      return found == nil ? nil : candidate
    }
    return nil
  }

  private func rows(
    _ sql: String, _ arguments: [DatabaseValue], _ take: ([DatabaseValue]) throws -> Void
  ) throws -> Bool {
    let cursor = try DamagedTable.legible {
      try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(arguments))
    }
    guard let cursor else { return false }
    while true {
      guard let next = try DamagedTable.legible({ try cursor.next() }) else { return false }
      guard let row = next else { return true }
      try take(Array(row.databaseValues))
    }
  }

  // MARK: Keys

  /// Nil where what `body` reads is damaged, or was never there.
  static func legible<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_ERROR
    {
      return nil
    }
  }

  /// Keys behind one, each farther from it than the one before.
  static func keys(after value: DatabaseValue?) -> [DatabaseValue] {
    switch value?.storage {
    case .int64(let number):
      return (0..<62).compactMap { step in
        let (sum, isTooFar) = number.addingReportingOverflow(1 << step)
        return isTooFar ? nil : sum.databaseValue
      }
    case .string(let text):
      let bytes = Array(text.utf8)
      return bytes.indices.reversed().compactMap { place in
        guard bytes[place] < 0x7F else { return nil }
        return String(decoding: bytes[..<place] + [bytes[place] + 1], as: UTF8.self).databaseValue
      }
    default:
      // Numbers come before letters, as they do in a table that has both.
      return (0..<62).map { (Int64(1) << $0).databaseValue }
        + (0x21...0x7E).map { String(UnicodeScalar(UInt8($0))).databaseValue }
    }
  }

  private static func isBefore(_ one: [DatabaseValue], _ other: [DatabaseValue]) -> Bool {
    guard let left = Int64.fromDatabaseValue(one[0]), let right = Int64.fromDatabaseValue(other[0])
    else { return false }
    return left < right || (left == right && one.count == 1)
  }
}
