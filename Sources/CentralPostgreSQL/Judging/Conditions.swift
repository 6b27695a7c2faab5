import PostgreSQL

/// What rows have to be, with its values.
struct Conditions {
  private var words = ["true"]
  private(set) var values: [PostgreSQLValue] = []

  init() {}

  /// All of them, for behind `WHERE`.
  var sql: String { words.joined(separator: " AND ") }

  mutating func add(_ condition: String) { words.append(condition) }

  /// A condition in which `?` stands for a value; none where there is no value.
  mutating func add(_ condition: String, _ value: PostgreSQLValue) {
    guard value != .null else { return }
    words.append(condition.replacing("?", with: place(of: value)))
  }

  /// What stands for a value.
  mutating func place(of value: PostgreSQLValue) -> String {
    values.append(value)
    return "$\(values.count)"
  }
}
