/// What a row has to be, in the three values of SQL: where a value is missing, nobody knows.
indirect enum Condition: Sendable {
  enum Comparison: String, Sendable {
    case equal = "eq"
    case different = "neq"
    case greater = "gt"
    case atLeast = "gte"
    case less = "lt"
    case atMost = "lte"
  }

  case all([Condition])
  case any([Condition])
  case not(Condition)
  case compare(Int, Comparison, Cell)
  case oneOf(Int, Set<Cell>)
  case isNull(Int)
  case isFlag(Int, Bool)
  /// A pattern of SQL, with `%` and `_`.
  case like(Int, String, ignoresCase: Bool)

  func holds(for row: Row) -> Bool? {
    switch self {
    case .all(let parts):
      var isUnknown = false
      for part in parts {
        switch part.holds(for: row) {
        case false?: return false
        case nil: isUnknown = true
        case true?: break
        }
      }
      return isUnknown ? nil : true
    case .any(let parts):
      var isUnknown = false
      for part in parts {
        switch part.holds(for: row) {
        case true?: return true
        case nil: isUnknown = true
        case false?: break
        }
      }
      return isUnknown ? nil : false
    case .not(let part): return part.holds(for: row).map { !$0 }
    case .compare(let column, let comparison, let cell):
      return compare(row[column], comparison, cell)
    case .oneOf(let column, let cells):
      return row[column].isNull ? nil : cells.contains(row[column])
    case .isNull(let column): return row[column].isNull
    case .isFlag(let column, let flag): return row[column] == .flag(flag)
    case .like(let column, let pattern, let ignoresCase):
      guard let text = row[column].text else { return nil }
      return ignoresCase
        ? Self.matches(Array(text.lowercased()), Array(pattern.lowercased()))
        : Self.matches(Array(text), Array(pattern))
    }
  }

  private func compare(_ left: Cell, _ comparison: Comparison, _ right: Cell) -> Bool? {
    guard !left.isNull, !right.isNull else { return nil }
    switch comparison {
    case .equal: return left == right
    case .different: return left != right
    case .less: return left.isBefore(right)
    case .greater: return right.isBefore(left)
    case .atMost: return right.isBefore(left).map { !$0 }
    case .atLeast: return left.isBefore(right).map { !$0 }
    }
  }

  private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    // Where a wildcard stood, and how far it has reached.
    var (place, at, wildcard, reached) = (0, 0, -1, 0)
    while place < text.count {
      if at < pattern.count, pattern[at] == "%" {
        (wildcard, reached) = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == "_" || pattern[at] == text[place] {
        at += 1
        place += 1
      } else if wildcard >= 0 {
        reached += 1
        (at, place) = (wildcard + 1, reached)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "%" }
  }

  /// Rows of which the condition names the key or another unique value, so that no other need be
  /// looked at; nil when it names none.
  func candidates(in shelf: Database.Shelf) -> [Int]? {
    switch self {
    case .all(let parts):
      for part in parts {
        if let places = part.candidates(in: shelf) { return places }
      }
      return nil
    case .compare(let column, .equal, let cell): return shelf.places(of: [cell], in: column)
    case .oneOf(let column, let cells): return shelf.places(of: cells, in: column)
    default: return nil
    }
  }
}

extension Database.Shelf {
  fileprivate func places(of cells: Set<Cell>, in column: Int) -> [Int]? {
    guard let number = table.uniques.firstIndex(where: { $0.columns == [column] }) else {
      return nil
    }
    return cells.compactMap { keys[number][[$0]] }.sorted()
  }

  /// Where the rows stand that a condition holds for and that may be seen, in the order of insertion.
  func places(where condition: Condition, seenBy principal: ModelCaller) -> [Int] {
    (condition.candidates(in: self) ?? Array(rows.indices)).filter { place in
      guard let row = rows[place] else { return false }
      return condition.holds(for: row) == true && principal.sees(row, of: table)
    }
  }
}
