import JSON

/// What the database, or what stands before it, refuses a request with.
struct SQLError: Error, Hashable {
  var code: String
  var message: String
  var details: JSONValue = .null
  var hint: JSONValue = .null
  /// The status where it does not follow from the code.
  var fixedStatus: Int?

  init(
    _ code: String, _ message: String, details: String? = nil, hint: String? = nil,
    status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details.map(JSONValue.text) ?? .null
    self.hint = hint.map(JSONValue.text) ?? .null
    fixedStatus = status
  }

  /// The body that tells it.
  var body: JSONValue {
    .object(["code": .text(code), "message": .text(message), "details": details, "hint": hint])
  }

  /// The status that goes with it.
  ///
  /// - Parameter isAnonymous: Whether nobody had signed in: what is forbidden is then worth a sign-in.
  func status(isAnonymous: Bool) -> Int {
    if let fixedStatus { return fixedStatus }
    switch code {
    case "23505", "23503": return 409
    case "25006": return 405
    case "42501": return isAnonymous ? 401 : 403
    case "42P01", "42883": return 404
    case "42P17": return 500
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

  static func denied(_ table: String) -> SQLError {
    SQLError("42501", "new row violates row-level security policy for table \"\(table)\"")
  }
}
