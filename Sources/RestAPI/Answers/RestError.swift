/// Why a request is refused, in the codes and words of PostgREST and of the database behind it.
public struct RestError: Error, Hashable, Sendable {
  /// An `SQLSTATE`, or a code of PostgREST.
  public var code: String
  /// What is wrong.
  public var message: String
  /// More about it; nil where it may not be told.
  public var details: String?
  /// What helps.
  public var hint: String?
  /// The status where it does not follow from the code.
  public var fixedStatus: Int?

  /// A refusal.
  public init(
    _ code: String, _ message: String, details: String? = nil, hint: String? = nil,
    status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
    fixedStatus = status
  }

  /// The status that goes with it.
  ///
  /// - Parameter isAnonymous: Whether nobody had signed in: what is forbidden is then worth a sign-in.
  public func status(isAnonymous: Bool) -> Int {
    if let fixedStatus { return fixedStatus }
    switch code {
    case "23505", "23503": return 409
    case "25006": return 405
    case "42501": return isAnonymous ? 401 : 403
    case "42P01", "42883": return 404
    case "42P17": return 500
    case "PGRST000", "PGRST001", "PGRST002": return 503
    case "PGRST003": return 504
    default: break
    }
    switch code.prefix(2) {
    case "08", "53": return 503
    case "57": return code == "57P01" ? 503 : 500
    case "09", "25", "2D", "38", "39", "3B", "40", "55", "58", "F0", "HV", "XX": return 500
    case "0L", "0P", "28": return 403
    case "54": return 413
    default: return 400
    }
  }
}

extension RestError {
  /// A row that whoever asks may not write.
  public static func denied(_ table: String) -> RestError {
    RestError("42501", "new row violates row-level security policy for table \"\(table)\"")
  }

  /// A table, or a column of one, that nobody writes this way.
  public static func forbidden(_ table: String) -> RestError {
    RestError("42501", "permission denied for table \(table)")
  }

  /// A row that is there already.
  ///
  /// - Parameters:
  ///   - constraint: The name of the rule.
  ///   - details: Which values, told to nobody whose view of the rows is limited.
  public static func duplicate(_ constraint: String, details: String? = nil) -> RestError {
    RestError(
      "23505", "duplicate key value violates unique constraint \"\(constraint)\"", details: details)
  }

  /// A row that refers to one that is not there.
  ///
  /// - Parameter details: Which, told to nobody whose view of the rows is limited.
  public static func unknownReference(
    _ table: String, _ column: String, to target: String, details: String? = nil
  ) -> RestError {
    RestError(
      "23503",
      "insert or update on table \"\(table)\" violates foreign key constraint"
        + " \"\(table)_\(column)_fkey\"",
      details: details ?? "Key is not present in table \"\(target)\".")
  }

  /// A row that is not removed, as a row of another table names it.
  public static func isReferenced(
    _ table: String, by constraint: String, of other: String
  ) -> RestError {
    RestError(
      "23503",
      "update or delete on table \"\(table)\" violates foreign key constraint \"\(constraint)\" on table"
        + " \"\(other)\"", details: "Key is still referenced from table \"\(other)\".")
  }

  /// A value that breaks the rule of its column.
  public static func check(_ table: String, _ column: String) -> RestError {
    RestError(
      "23514",
      "new row for relation \"\(table)\" violates check constraint \"\(table)_\(column)_check\"")
  }

  /// The rule that a fine has a reason where something could still be wrong.
  public static let fineRule = "violation_outcomes_reason"

  /// A fine without a reason, for what could still be wrong.
  public static let fineNeedsReason = RestError(
    "23514",
    "a fine for a violation that is provisional or rests on texts alone needs a reason in notes",
    details: "new row for relation \"violation_outcomes\" violates check constraint \"\(fineRule)\""
  )

  /// A value that stays what it was.
  static func unchangeable(_ column: String, of table: RestTable) -> RestError {
    RestError("0A000", "the \"\(column)\" of a row of \"\(table.name)\" is not changed")
  }

  /// A column that nobody writes, where there is a reason to tell.
  public static func fixed(_ column: RestColumn, of table: RestTable) -> RestError {
    guard let words = column.fixed else { return forbidden(table.name) }
    return RestError(
      "0A000", "the \"\(column.name)\" of a row of \"\(table.name)\" is not written", hint: words)
  }

  /// Another number of rows than the one that was wanted.
  public static func notOne(_ count: Int) -> RestError {
    RestError(
      "PGRST116", "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows", status: 406)
  }

  static func unknownMethod(_ method: String, hint: String? = nil) -> RestError {
    RestError("PGRST117", "Unsupported HTTP method: \(shown(method))", hint: hint, status: 405)
  }

  static func unknownTable(_ table: String) -> RestError {
    RestError(
      "PGRST205", "Could not find the table 'public.\(shown(table))' in the schema cache",
      status: 404)
  }

  static func unknownColumn(_ name: some StringProtocol, of table: RestTable) -> RestError {
    RestError("42703", "column \(table.name).\(shown(name)) does not exist")
  }

  static func unknownKey(_ name: String, of table: RestTable) -> RestError {
    RestError(
      "PGRST204",
      "Could not find the '\(shown(name))' column of '\(table.name)' in the schema cache")
  }

  static func unreadable(_ name: String, _ value: some StringProtocol) -> RestError {
    RestError(
      "PGRST100", "\"failed to parse \(name) (\(shown(value)))\" (line 1, column 1)",
      details: "unexpected input")
  }

  static func tooMuch(_ words: String) -> RestError {
    RestError("54001", "the request asks for more than is done: \(words)", status: 413)
  }

  /// What PostgREST does and this does not.
  static func absent(_ words: String) -> RestError { RestError("0A000", words) }

  static let jsonPaths =
    "no column has an object in it, so nothing is asked for by a path (->, ->>)"

  /// What is reckoned out over rows.
  static let noAggregates = RestError(
    "PGRST123", "Use of aggregate functions is not allowed",
    hint: "Ask for the number of rows by Prefer: count=exact.")

  /// An answer that would be too long.
  public static let answerTooLong = RestError(
    "54000", "the answer has more than \(RestLimits.answerBytes) bytes",
    hint: "Ask for fewer columns, or for fewer rows at a time by limit and offset.", status: 413)

  /// The same, of rows that were written all the same: asking again writes nothing twice.
  func afterWriting() -> RestError {
    var error = self
    error.details = "The rows were written; only telling them failed."
    return error
  }

  static func body(_ message: String) -> RestError {
    RestError("PGRST102", message)
  }

  /// What came from outside, cut to what a message has room for.
  static func shown(_ text: some StringProtocol) -> String {
    text.utf8.count <= 80
      ? String(text)
      : String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "..."
  }
}
