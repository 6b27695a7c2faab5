import RestAPI
import SeededRandom

/// A request for rows as somebody might make it.
struct WireQuestion {
  var table: String
  var query: String
  var headers: [String: String]
  var principal: RestPrincipal
  /// Whether the order is one of all rows.
  var isOrdered = false
}

/// Makes requests by chance, of values that are there and of some that are not.
struct WireQuestions {
  private var generator: SplitMix64
  /// Values that stand in a column, as they are written in a condition.
  private let values: [String: [String]]
  private let principals: [RestPrincipal]

  /// What two stores have no way to agree on: when their rows were made.
  static let ownTimes: Set<String> = ["created_at", "updated_at"]

  /// - Parameter rows: All rows of each table.
  init(seed: UInt64, rows: [String: [[String: RestJSON]]], principals: [RestPrincipal]) {
    generator = SplitMix64(seed: seed)
    self.principals = principals
    var values: [String: [String]] = [:]
    for (table, rows) in rows.sorted(by: { $0.key < $1.key }) {
      for row in rows {
        for (column, value) in row.sorted(by: { $0.key < $1.key }) {
          switch value {
          case .text(let text): values["\(table).\(column)", default: []].append(text)
          case .number(let digits): values["\(table).\(column)", default: []].append(digits)
          case .flag(let flag): values["\(table).\(column)", default: []].append("\(flag)")
          case .null, .list, .object: continue
          }
        }
      }
    }
    self.values = values
  }

  mutating func next() -> WireQuestion {
    let table = one(of: Catalogue.tables)
    var items: [String] = []
    if chance(3, in: 4) { items.append("select=\(selection(table, level: 0))") }
    for _ in 0..<Int.random(in: 0...3, using: &generator) { items.append(condition(table)) }
    if chance(1, in: 4) {
      let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in nested(table) }
      items.append(
        "\(one(of: ["or", "and", "not.or", "not.and"]))=(\(parts.joined(separator: ",")))")
    }
    var headers: [String: String] = [:]
    var order = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
      column(table).name + one(of: ["", ".asc", ".desc"])
        + one(of: ["", "", ".nullsfirst", ".nullslast"])
    }
    if chance(1, in: 2) {
      // Of a part of the rows one has to know which.
      order.append("id")
      if chance(1, in: 2) {
        items.append("limit=\(Int.random(in: 0...9, using: &generator))")
        if chance(1, in: 2) { items.append("offset=\(Int.random(in: 0...40, using: &generator))") }
      } else {
        let first = Int.random(in: 0...20, using: &generator)
        headers["range"] = "\(first)-\(first + Int.random(in: 0...9, using: &generator))"
      }
    }
    if !order.isEmpty { items.append("order=\(order.joined(separator: ","))") }
    if chance(1, in: 2) { headers["prefer"] = "count=exact" }
    return WireQuestion(
      table: table.name, query: items.joined(separator: "&"), headers: headers,
      principal: one(of: principals), isOrdered: order.last == "id")
  }

  // MARK: - What of them

  private mutating func selection(_ table: RestTable, level: Int) -> String {
    var items = chance(1, in: 3) ? ["*"] : ["id"]
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let name = column(table).name
      items.append(chance(1, in: 6) ? "x\(items.count):\(name)" : name)
    }
    let relations = WireQuestions.relations(of: table)
    if level < 3, !relations.isEmpty {
      for _ in 0..<Int.random(in: 0...(2 - min(level, 1)), using: &generator) {
        let relation = one(of: relations)
        guard let target = Catalogue.table(relation.target) else { continue }
        let name = chance(1, in: 3) ? "r\(items.count):" : ""
        items.append(
          "\(name)\(relation.target)!\(relation.hint)\(chance(1, in: 4) ? "!inner" : "")"
            + "(\(selection(target, level: level + 1)))")
      }
    }
    return items.joined(separator: ",")
  }

  private static func relations(of table: RestTable) -> [(target: String, hint: String)] {
    var found = table.references.map { ($0.target, $0.name) }
    for other in Catalogue.tables {
      found += other.references.filter { $0.target == table.name }.map { (other.name, $0.name) }
    }
    // What refers to its own table is two relations under one name.
    return found.filter { $0.0 != table.name }
  }

  // MARK: - Which of them

  private mutating func condition(_ table: RestTable) -> String {
    let column = column(table)
    return "\(column.name)=\(operation(table, column))"
  }

  private mutating func nested(_ table: RestTable) -> String {
    if chance(1, in: 5) { return "and(\(nested(table)),\(nested(table)))" }
    let column = column(table)
    return "\(column.name).\(operation(table, column))"
  }

  private mutating func operation(_ table: RestTable, _ column: RestColumn) -> String {
    let isNegated = chance(1, in: 4) ? "not." : ""
    switch Int.random(in: 0...9, using: &generator) {
    case 0: return "\(isNegated)is.null"
    case 1 where column.kind == .flag: return "\(isNegated)is.\(chance(1, in: 2))"
    case 2, 3:
      let list = (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(table, column) }
      return "\(isNegated)in.(\(list.joined(separator: ",")))"
    case 4 where column.kind == .text, 5 where column.kind == .text:
      return isNegated + one(of: ["like.", "ilike."]) + pattern(table, column)
    default:
      return isNegated + one(of: ["eq.", "neq.", "gt.", "gte.", "lt.", "lte."])
        + value(table, column)
    }
  }

  private mutating func value(_ table: RestTable, _ column: RestColumn) -> String {
    let known = values["\(table.name).\(column.name)"] ?? []
    let value: String
    if !known.isEmpty, chance(9, in: 10) {
      value = one(of: known)
    } else {
      value =
        switch column.kind {
        case .uuid: "00000000-0000-4000-8000-00000000ffff"
        case .text: one(of: ["", "B", "ba1pa", "car", "\u{915}", "a_b"])
        case .timestamp: "2026-01-02T00:00:00.5Z"
        case .flag: "false"
        case .words: "{}"
        case .integer, .short: "1"
        case .numeric: "30.05"
        }
    }
    // A text with a comma is quoted, and a plus sign would be a space.
    let written = value.contains(where: { ",().\" ".contains($0) }) ? "\"\(value)\"" : value
    return written.replacing("+", with: "%2B").replacing("\"", with: "%22")
      .replacing(" ", with: "%20")
  }

  private mutating func pattern(_ table: RestTable, _ column: RestColumn) -> String {
    let known = values["\(table.name).\(column.name)"] ?? ["BA1PA1234"]
    var letters = Array(one(of: known).unicodeScalars.filter { $0.isASCII && $0 != " " })
    guard !letters.isEmpty else { return "*" }
    letters[Int.random(in: letters.indices, using: &generator)] = one(of: ["*", "_", "?", "["])
    var text = String(String.UnicodeScalarView(letters))
    if chance(1, in: 3) { text = text.lowercased() }
    if chance(1, in: 2) { text += "*" }
    return String(text.filter { !"+&=#%(),\"".contains($0) })
  }

  // MARK: - Chance

  private mutating func column(_ table: RestTable) -> RestColumn {
    one(of: table.columns.filter { !WireQuestions.ownTimes.contains($0.name) })
  }

  private mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }
}
