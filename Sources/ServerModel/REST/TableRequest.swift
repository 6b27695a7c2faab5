import JSON

/// A request for a table or view under `/rest/v1/`.
struct TableRequest {
  var request: ModelRequest
  var query: Query
  var table: Table
  var preferences: Preferences
  var principal: ModelCaller
  /// Rows of one answer at most, whatever is asked for.
  var maxRows: Int

  init(
    _ request: ModelRequest, _ query: Query, table name: String, as principal: ModelCaller,
    in database: Database, maxRows: Int
  ) throws(SQLError) {
    self.request = request
    self.query = query
    self.principal = principal
    self.maxRows = maxRows
    table = try database.shelf(name).table
    preferences = try Preferences(request.headers["prefer"])
  }

  /// What comes of it.
  func answer(from database: inout Database, at now: Int64) throws(SQLError) -> ModelResponse {
    switch request.method {
    case "GET", "HEAD": return try read(from: database)
    case "POST": return try insert(into: &database, at: now)
    case "PATCH": return try update(in: &database, at: now)
    case "DELETE": return try delete(from: &database, at: now)
    default:
      throw SQLError(
        "PGRST117", "Unsupported HTTP method: \(request.method)", status: 405)
    }
  }

  private var wantsOne: Bool {
    request.headers["accept"]?.contains("application/vnd.pgrst.object") ?? false
  }

  private var returnsRows: Bool { preferences.returning == .representation }

  private func selection(in database: Database) throws(SQLError) -> Selection {
    try Selection(query["select"], of: table, in: database)
  }

  private func condition() throws(SQLError) -> Condition {
    try FilterReader(table: table).condition(query)
  }

  // MARK: Reading

  private func read(from database: Database) throws(SQLError) -> ModelResponse {
    let selection = try selection(in: database)
    let reader = FilterReader(table: table)
    let condition = try reader.condition(query)
    let order = try reader.order(query["order"])
    let (offset, limit) = try range()
    guard let shelf = database.shelves[table.name] else { return ModelResponse(200, []) }
    var rows = shelf.places(where: condition, seenBy: principal).compactMap { shelf.rows[$0] }
    if !order.isEmpty { rows = sorted(rows, by: order) }
    var told = rows.compactMap { selection.json($0, in: database, for: principal) }
    let total = told.count
    if preferences.countsExactly, offset > 0, offset >= total {
      throw SQLError(
        "PGRST103", "Requested range not satisfiable",
        details: "An offset of \(offset) was requested, but there are only \(total) rows.",
        status: 416)
    }
    told = Array(told.dropFirst(offset).prefix(limit))
    let isPart = preferences.countsExactly && told.count < total
    var response = try body(told, status: isPart ? 206 : 200)
    let place = told.isEmpty ? "*" : "\(offset)-\(offset + told.count - 1)"
    response.headers.append(
      .init("Content-Range", "\(place)/\(preferences.countsExactly ? "\(total)" : "*")"))
    apply(to: &response)
    if request.method == "HEAD" { response.body = [] }
    return response
  }

  /// Sorted, and what is alike left in its order.
  private func sorted(_ rows: [Row], by order: [Order]) -> [Row] {
    rows.enumerated().sorted { left, right in
      if Order.isBefore(left.element, right.element, by: order) { return true }
      if Order.isBefore(right.element, left.element, by: order) { return false }
      return left.offset < right.offset
    }.map(\.element)
  }

  private func range() throws(SQLError) -> (offset: Int, limit: Int) {
    var (offset, limit) = (0, maxRows)
    if let header = request.headers["range"] {
      let ends = header.split(separator: "=").last.map { $0.split(separator: "-") } ?? []
      offset = ends.first.flatMap { Int($0) } ?? 0
      if ends.count == 2, let last = Int(ends[1]) {
        guard last >= offset else {
          throw SQLError(
            "PGRST103", "Requested range not satisfiable",
            details: "The lower boundary must be lower than or equal to the upper boundary in the"
              + " Range header.", status: 416)
        }
        limit = min(limit, last - offset + 1)
      }
    }
    if let text = query["offset"] {
      guard let number = Int(text) else { throw Query.unreadable("offset", text) }
      guard number >= 0 else { throw TableRequest.negative("Offset") }
      offset = number
    }
    if let text = query["limit"] {
      guard let number = Int(text) else { throw Query.unreadable("limit", text) }
      guard number >= 0 else { throw TableRequest.negative("Limit") }
      limit = min(limit, number)
    }
    return (offset, limit)
  }

  private static func negative(_ name: String) -> SQLError {
    SQLError(
      "PGRST103", "Requested range not satisfiable",
      details: "\(name) should be greater than or equal to zero.", status: 416)
  }

  // MARK: Changing

  private func insert(
    into database: inout Database, at now: Int64
  ) throws(SQLError) -> ModelResponse {
    let selection = try selection(in: database)
    let (values, columns) = try payload(isBatch: true)
    let resolution = try resolution()
    let (table, principal, preferences, returnsRows) = (
      table, principal, preferences, returnsRows
    )
    let outcome = try database.statement(at: now) { database throws(SQLError) in
      let outcome = try database.insert(
        values, into: table.name, columns: columns,
        usesDefaults: preferences.missingIsDefault, resolution: resolution, returns: returnsRows,
        as: principal)
      try checkCount(outcome.rows)
      return outcome
    }
    let isMerge = if case .merge = resolution { true } else { false }
    let status = isMerge && outcome.isAllMerged ? 200 : 201
    var response = ModelResponse(status: status)
    if returnsRows {
      response = try body(
        outcome.rows.compactMap { selection.json($0, in: database, for: principal) },
        status: status)
    }
    response.headers.append(.init("Content-Range", "*/*"))
    var applied = preferences.applied
    if let wanted = preferences.resolution, resolution != .refuse {
      applied.append("resolution=\(wanted.rawValue)")
    }
    apply(applied, to: &response)
    return response
  }

  private func resolution() throws(SQLError) -> Database.Resolution {
    guard let wanted = preferences.resolution else { return .refuse }
    var columns = [Table.key]
    if let names = query["on_conflict"] {
      columns = []
      for name in names.split(separator: ",") { columns.append(try position(String(name))) }
      guard table.uniques.contains(where: { $0.columns == columns }) else {
        throw SQLError(
          "42P10",
          "there is no unique or exclusion constraint matching the ON CONFLICT specification")
      }
    }
    return wanted == .ignore ? .ignore(by: columns) : .merge(by: columns)
  }

  private func update(
    in database: inout Database, at now: Int64
  ) throws(SQLError) -> ModelResponse {
    let selection = try selection(in: database)
    let condition = try condition()
    let (values, columns) = try payload(isBatch: false)
    let (table, principal) = (table, principal)
    let rows = try database.statement(at: now) { database throws(SQLError) in
      let rows = try database.update(
        table.name, where: condition, to: values.first ?? [:], columns: columns, as: principal)
      try checkCount(rows)
      return rows
    }
    return try changed(rows, selection, in: database)
  }

  private func delete(
    from database: inout Database, at now: Int64
  ) throws(SQLError) -> ModelResponse {
    let selection = try selection(in: database)
    let condition = try condition()
    let (table, principal) = (table, principal)
    let rows = try database.statement(at: now) { database throws(SQLError) in
      let rows = try database.delete(table.name, where: condition, as: principal)
      try checkCount(rows)
      return rows
    }
    return try changed(rows, selection, in: database)
  }

  private func changed(
    _ rows: [Row], _ selection: Selection, in database: Database
  ) throws(SQLError) -> ModelResponse {
    var response = ModelResponse(status: 204)
    if returnsRows {
      response = try body(
        rows.compactMap { selection.json($0, in: database, for: principal) }, status: 200)
    }
    response.headers.append(
      .init("Content-Range", rows.isEmpty ? "*/*" : "0-\(rows.count - 1)/*"))
    apply(to: &response)
    return response
  }

  // MARK: Parts of requests and answers

  private func position(_ name: String) throws(SQLError) -> Int {
    guard let place = table.position(name) else {
      throw SQLError(
        "PGRST204",
        "Could not find the '\(name)' column of '\(table.name)' in the schema cache", status: 400)
    }
    return place
  }

  /// The objects of the body, and the columns that they give values to.
  private func payload(
    isBatch: Bool
  ) throws(SQLError) -> (values: [[String: JSONValue]], columns: [Int]) {
    guard let json = JSONText.decode(request.body) else {
      throw SQLError("PGRST102", "Empty or invalid json", status: 400)
    }
    let unlike = SQLError("PGRST102", "All object keys must match", status: 400)
    var values: [[String: JSONValue]] = []
    for value in json.list ?? [json] {
      guard let object = value.object else { throw unlike }
      values.append(object)
    }
    var names = values.first.map { $0.keys.sorted() } ?? []
    if let told = query["columns"] {
      names = told.split(separator: ",").map { Query.unquoted($0) }
    } else if values.contains(where: { $0.keys.sorted() != names }) {
      throw unlike
    }
    var columns: [Int] = []
    for name in names { columns.append(try position(name)) }
    return (values, columns)
  }

  /// Takes a change back whose answer could not be told: one object is wanted, of another number of rows.
  private func checkCount(_ rows: [Row]) throws(SQLError) {
    if wantsOne, returnsRows, rows.count != 1 { throw Self.notOne(rows.count) }
  }

  private static func notOne(_ count: Int) -> SQLError {
    SQLError(
      "PGRST116", "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows", status: 406)
  }

  private func body(_ rows: [JSONValue], status: Int) throws(SQLError) -> ModelResponse {
    guard wantsOne else { return ModelResponse(status, .list(rows)) }
    guard rows.count == 1, let row = rows.first else { throw Self.notOne(rows.count) }
    return ModelResponse(status, row, type: "application/vnd.pgrst.object+json; charset=utf-8")
  }

  private func apply(to response: inout ModelResponse) {
    apply(preferences.applied, to: &response)
  }

  private func apply(_ applied: [String], to response: inout ModelResponse) {
    guard !applied.isEmpty else { return }
    response.headers.append(.init("Preference-Applied", applied.joined(separator: ", ")))
  }
}
