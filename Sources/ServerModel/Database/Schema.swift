import JSON

/// A table as it is declared.
struct Table: Sendable {
  /// A rule that a value keeps.
  enum Check: Hashable, Sendable {
    case oneOf([String])
    case positive
    case within(ClosedRange<Double>)
    case atMost(characters: Int)
  }

  enum Kind: Hashable, Sendable {
    case uuid
    case text
    case timestamp
    case flag
    case integer
    /// Whole numbers of 16 bits.
    case short
    case numeric(precision: Int, scale: Int)

    /// What PostgreSQL calls it.
    var name: String {
      switch self {
      case .uuid: "uuid"
      case .text: "text"
      case .timestamp: "timestamp with time zone"
      case .flag: "boolean"
      case .integer: "integer"
      case .short: "smallint"
      case .numeric: "numeric"
      }
    }
  }

  enum Default: Hashable, Sendable {
    case uuid
    case now
    case value(Cell)
  }

  struct Column: Sendable {
    var name: String
    var kind: Kind
    var isNullable: Bool
    var fallback: Default?
    var check: Check?
    /// Whether it is computed from others and takes no value.
    var isGenerated: Bool
  }

  struct Unique: Sendable {
    var name: String
    var columns: [Int]
  }

  enum OnDelete: Hashable, Sendable {
    case refuse
    case cascade
    case setNull
  }

  struct ForeignKey: Sendable {
    var name: String
    var column: Int
    var target: String
    var onDelete: OnDelete
  }

  var name: String
  var columns: [Column] = []
  var uniques: [Unique] = []
  var foreignKeys: [ForeignKey] = []
  private var positions: [String: Int] = [:]

  init(_ name: String) {
    self.name = name
    add("id", .uuid, default: .uuid)
    uniques.append(Unique(name: "\(name)_pkey", columns: [0]))
  }

  func position(_ column: String) -> Int? { positions[column] }

  /// The position of a column that the schema itself names.
  func at(_ column: String) -> Int { positions[column] ?? 0 }

  func row(_ cells: Row, _ column: String) -> Cell { cells[at(column)] }

  /// The key of the rows: always the first column.
  static let key = 0

  mutating func add(
    _ column: String, _ kind: Kind, null isNullable: Bool = false, default fallback: Default? = nil,
    check: Check? = nil, generated isGenerated: Bool = false
  ) {
    positions[column] = columns.count
    columns.append(
      Column(
        name: column, kind: kind, isNullable: isNullable, fallback: fallback, check: check,
        isGenerated: isGenerated))
  }

  mutating func unique(_ name: String, _ columns: String...) {
    uniques.append(Unique(name: name, columns: columns.map { at($0) }))
  }

  mutating func refer(_ column: String, to target: String, onDelete: OnDelete = .refuse) {
    foreignKeys.append(
      ForeignKey(
        name: "\(name)_\(column)_fkey", column: at(column), target: target, onDelete: onDelete))
  }

  mutating func addTimes() {
    add("created_at", .timestamp, default: .now)
    add("updated_at", .timestamp, default: .now)
  }
}

/// The values of a row, in the order of the columns.
typealias Row = [Cell]

extension Table.Column {
  /// The value for this column that stands in a body.
  func cell(from value: JSONValue) throws(SQLError) -> Cell {
    switch value {
    case .null: return .null
    case .text(let text): return try cell(reading: text)
    case .flag(let flag):
      if kind == .flag { return .flag(flag) }
      return try cell(reading: flag ? "true" : "false")
    case .integer(let number): return try cell(reading: String(number))
    case .number(let number): return try cell(reading: String(number))
    case .list, .object: return try cell(reading: JSONText.line(value))
    }
  }

  /// The value for this column that a text stands for, in a body or in a filter.
  func cell(reading text: String) throws(SQLError) -> Cell {
    if text.utf8.contains(0) {
      throw SQLError(
        "22P05", "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")
    }
    switch kind {
    case .text: return .text(text)
    case .uuid:
      guard let uuid = Identifiers.canonical(text) else { throw unreadable(text) }
      return .text(uuid)
    case .timestamp:
      do {
        return .time(try Timestamp.read(text))
      } catch .range {
        throw SQLError("22008", "date/time field value out of range: \"\(text)\"")
      } catch {
        throw SQLError("22007", "invalid input syntax for type \(kind.name): \"\(text)\"")
      }
    case .flag:
      switch text.lowercased() {
      case "true", "t", "yes", "y", "on", "1": return .flag(true)
      case "false", "f", "no", "n", "off", "0": return .flag(false)
      default: throw unreadable(text)
      }
    case .integer: return try integer(text, Int64(Int32.min)...Int64(Int32.max))
    case .short: return try integer(text, Int64(Int16.min)...Int64(Int16.max))
    case .numeric(let precision, let scale):
      guard let number = Double(text) else { throw unreadable(text) }
      return try Numeric.rounded(number, precision: precision, scale: scale)
    }
  }

  private func integer(_ text: String, _ range: ClosedRange<Int64>) throws(SQLError) -> Cell {
    guard let number = Int64(text) else { throw unreadable(text) }
    guard range.contains(number) else {
      throw SQLError("22003", "value \"\(text)\" is out of range for type \(kind.name)")
    }
    return .integer(number)
  }

  private func unreadable(_ text: String) -> SQLError {
    SQLError("22P02", "invalid input syntax for type \(kind.name): \"\(text)\"")
  }

  /// Whether a value keeps the column's rule; null always does.
  func keeps(_ cell: Cell) -> Bool {
    guard let check else { return true }
    switch (check, cell) {
    case (.oneOf(let words), .text(let text)): return words.contains(text)
    case (.within(let range), _): return cell.number.map(range.contains) ?? true
    case (.positive, _): return cell.number.map { $0 > 0 } ?? true
    case (.atMost(let most), .text(let text)): return text.count <= most
    default: return true
    }
  }
}

/// Numbers with a bounded number of digits.
enum Numeric {
  static func rounded(_ number: Double, precision: Int, scale: Int) throws(SQLError) -> Cell {
    var factor = 1.0
    for _ in 0..<scale { factor *= 10 }
    var most = 1.0
    for _ in 0..<(precision - scale) { most *= 10 }
    let rounded = (number * factor).rounded(.toNearestOrAwayFromZero) / factor
    guard rounded.magnitude < most else {
      throw SQLError(
        "22003", "numeric field overflow",
        details:
          "A field with precision \(precision), scale \(scale) must round to an absolute value"
          + " less than 10^\(precision - scale).")
    }
    return .number(rounded)
  }
}

/// Names of rows.
enum Identifiers {
  /// The form in which the database tells a name; nil when it is none.
  static func canonical(_ text: String) -> String? {
    let digits = text.lowercased().filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      return nil
    }
    return shaped(digits)
  }

  /// A random one (RFC 9562, version 4).
  static func random(_ high: UInt64, _ low: UInt64) -> String {
    let high = (high & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    return shaped(hexadecimal(high) + hexadecimal(low))
  }

  static func hexadecimal(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  private static func shaped(_ digits: String) -> String {
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
