/// The objects of a body, and the columns that they give values to.
struct RestBody {
  /// What is told of a passage beside the columns of its table: who recorded it, where that is another one than
  /// whose account it is, and why it never was; of a segment from when on its new numbers hold, and of a post from when
  /// on it stands elsewhere. The deployed server passes over what `columns` does not name.
  static func beside(_ table: RestTable) -> Set<String> {
    switch table.name {
    case "vehicle_passages": [suffix, withdrawal]
    case "highway_segments", "checkposts": [since]
    default: []
    }
  }
  /// The last four digits of the phone number of the ranger who recorded a passage.
  static let suffix = "ranger_phone_suffix"
  /// Why one is withdrawn that is removed.
  static let removed = "removed over the API"
  /// From when on the length and the speeds of a segment hold, or a post stands elsewhere.
  static let since = "since"

  /// What a moment beside the columns says; nil where none is given.
  static func moment(_ json: RestJSON) throws(RestError) -> Int64? {
    if json == .null { return nil }
    guard let text = json.text, let moment = try? RestMoment.read(text) else {
      throw RestError(
        "22007", "invalid input syntax for type timestamp with time zone in \"\(since)\"")
    }
    return moment
  }

  /// Why a passage is withdrawn.
  static let withdrawal = "withdrawn_reason"

  /// What is told under one of these names; nil for nothing.
  static func beside(
    _ name: String, in values: [String: RestJSON], of table: RestTable
  ) throws(RestError) -> String? {
    guard beside(table).contains(name) else { return nil }
    switch values[name] {
    case nil, .null?: return nil
    case .text(let text)?: return text
    default: throw RestError("22P02", "invalid input syntax for type text: \"\(name)\" is no text")
    }
  }

  var rows: [[String: RestJSON]]
  var columns: [RestColumn]

  init(
    _ request: RestRequest, _ query: RestQuery, of table: RestTable
  ) throws(RestError) {
    let kind = (request.headers["content-type"] ?? "application/json")
      .prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard ["application/json", "text/csv"].contains(kind) else {
      throw .body("Content-Type not acceptable: \(RestError.shown(kind))")
    }
    guard request.body.count <= RestLimits.bodyBytes else {
      throw .tooMuch("the body has more than \(RestLimits.bodyBytes) bytes")
    }
    let values = try RestBody.values(request.body, isCSV: kind == "text/csv")
    guard values.count <= RestLimits.bodyRows else {
      throw .tooMuch("the body has more than \(RestLimits.bodyRows) rows")
    }
    rows = []
    for value in values {
      guard case .object(let object) = value else { throw .body("All object keys must match") }
      rows.append(object)
    }
    var names = rows.first.map { $0.keys.sorted() } ?? []
    if let told = query["columns"] {
      names = RestQuery.parts(Substring(told)).map { RestQuery.unquoted($0) }
    } else if rows.contains(where: { $0.keys.sorted() != names }) {
      throw .body("All object keys must match")
    }
    guard names.count <= RestLimits.items else { throw .tooMuch("the body has too many columns") }
    columns = []
    let beside = RestBody.beside(table)
    for name in names where !beside.contains(name) {
      guard let column = table.column(name) else { throw .unknownKey(name, of: table) }
      if !columns.contains(column) { columns.append(column) }
    }
  }

  private static func values(_ body: [UInt8], isCSV: Bool) throws(RestError) -> [RestJSON] {
    if isCSV { return try RestJSON.rows(csv: body) }
    guard let json = RestJSON(body) else { throw .body("Empty or invalid json") }
    if case .list(let list) = json { return list }
    return [json]
  }
}
