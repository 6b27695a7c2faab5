/// What the server says of a statement that it refused.
public struct PostgreSQLReport: Hashable, Sendable {
  /// Which condition it is.
  public var state: SQLState
  /// The server's words, in its language. They may hold values: of a number that is none, for one.
  public var message: String
  /// What it says beyond that, which often holds values of a row. It is in no description.
  public var detail: String?
  /// The constraint that was broken.
  public var constraint: String?
  /// The table.
  public var table: String?
  /// The column.
  public var column: String?
  /// Whether the server ended the connection with it.
  public var isFatal: Bool
  /// The function of the server's source that said it: where two things have one code, it tells them apart
  /// in every language.
  public var routine: String?
  /// Which statement of a pipeline it was, from 0.
  public var statement: Int?

  /// A report.
  public init(
    _ state: SQLState, message: String, detail: String? = nil, constraint: String? = nil,
    table: String? = nil, column: String? = nil, isFatal: Bool = false, routine: String? = nil
  ) {
    self.state = state
    self.message = message
    self.detail = detail
    self.constraint = constraint
    self.table = table
    self.column = column
    self.isFatal = isFatal
    self.routine = routine
  }

  /// Whether ``message`` may hold values: what the server says of bad data quotes it, and what a function
  /// raises says what it likes.
  public var messageMayHoldValues: Bool {
    state.category == "22" || state.category == "P0" || state.category == "P1"
  }

  /// Whether a prepared statement no longer fits the tables, or is gone, and has to be prepared anew.
  public var isStaleStatement: Bool {
    state == .unknownStatement
      || (state == .notSupported && routine == "RevalidateCachedQuery")
  }
}

extension PostgreSQLReport: CustomStringConvertible, CustomDebugStringConvertible {
  /// The code, the words where they hold no values, and where it was: `23505: duplicate key value violates
  /// unique constraint "passages_pkey" (table passages)`.
  public var description: String {
    let words = messageMayHoldValues ? "the server refused a value" : message
    var places: [String] = []
    if let table { places.append("table \(table)") }
    if let column { places.append("column \(column)") }
    if let constraint, !words.contains(constraint) { places.append("constraint \(constraint)") }
    return "\(state): \(words)" + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
  }

  /// The same as ``description``, so that no way of printing it shows values.
  public var debugDescription: String { description }
}
