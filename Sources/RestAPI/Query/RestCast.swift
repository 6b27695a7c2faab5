/// As what else a value of a column may be told: `recorded_at::date`. All are there that cannot fail for any row.
public enum RestCast: String, CaseIterable, Hashable, Sendable {
  /// As PostgreSQL writes it as text.
  case text
  /// A whole number of 32 bits, rounded.
  case integer
  /// A whole number of 64 bits, rounded.
  case bigint
  /// A number with all its digits.
  case numeric
  /// The day in UTC.
  case date
  /// A truth value.
  case boolean

  /// Reads the name of a type.
  init(_ name: some StringProtocol, of column: RestColumn) throws(RestError) {
    let names: [String: RestCast] = [
      "text": .text, "varchar": .text, "integer": .integer, "int": .integer, "int4": .integer,
      "bigint": .bigint, "int8": .bigint, "numeric": .numeric, "decimal": .numeric, "date": .date,
      "boolean": .boolean, "bool": .boolean,
    ]
    guard let cast = names[name.lowercased()] else {
      throw RestError(
        "42704", "type \"\(RestError.shown(name))\" is not one that is cast to",
        hint: "There are text, integer, bigint, numeric, date and boolean.")
    }
    guard cast.takes(column.kind) else {
      throw RestError(
        "42846", "cannot cast type \(column.kind.name) to \(cast.rawValue)",
        hint:
          "Casts are there that hold for every value: to text, between numbers, and of a moment to date."
      )
    }
    self = cast
  }

  private func takes(_ kind: RestColumn.Kind) -> Bool {
    switch (self, kind) {
    case (_, .words): false
    case (.text, _): true
    case (.integer, .integer), (.integer, .short), (.integer, .numeric), (.integer, .flag): true
    case (.bigint, .integer), (.bigint, .short), (.bigint, .numeric): true
    case (.numeric, .integer), (.numeric, .short), (.numeric, .numeric): true
    case (.date, .timestamp), (.boolean, .flag): true
    default: false
    }
  }
}
