/// The objects of a body, and the columns that they give values to.
struct RestBody {
  var rows: [[String: RestJSON]]
  var columns: [RestColumn]

  init(
    _ request: RestRequest, _ query: RestQuery, of table: RestTable
  ) throws(RestError) {
    if let type = request.headers["content-type"] {
      let kind = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
      guard kind == "application/json" else {
        throw .body("Content-Type not acceptable: \(RestError.shown(kind))")
      }
    }
    guard request.body.count <= RestLimits.bodyBytes else {
      throw .tooMuch("the body has more than \(RestLimits.bodyBytes) bytes")
    }
    guard let json = RestJSON(request.body) else { throw .body("Empty or invalid json") }
    let values: [RestJSON] = if case .list(let list) = json { list } else { [json] }
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
    for name in names {
      guard let column = table.column(name) else { throw .unknownKey(name, of: table) }
      if !columns.contains(column) { columns.append(column) }
    }
  }
}
