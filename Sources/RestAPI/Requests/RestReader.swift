import CentralCore
import Passages
import Time

/// Reads a request: what it asks for, and whether whoever asks may have it as far as the rows themselves
/// need not be looked at.
struct RestReader {
  let request: RestRequest
  let principal: RestPrincipal
  let method: RestMethod
  let table: RestTable
  let query: RestQuery
  let preferences: RestPreferences
  let media: RestMedia
  /// Microseconds since 1970.
  let now: Int64

  init(
    _ request: RestRequest, as principal: RestPrincipal, at now: WallTime
  ) throws(RestError) {
    self.request = request
    self.principal = principal
    self.now = now.milliseconds * 1_000
    guard let table = Catalogue.table(request.table) else { throw .unknownTable(request.table) }
    guard let method = RestMethod(rawValue: request.method) else {
      throw .unknownMethod(request.method)
    }
    let isRead = method == .get || method == .head
    guard isRead || RestPolicy.isWritable(table, by: method) else {
      throw .unknownMethod(request.method, hint: RestPolicy.absence(table, method))
    }
    if let schema = request.headers[isRead ? "accept-profile" : "content-profile"],
      schema != "public"
    {
      throw RestError(
        "PGRST106", "Invalid schema: \(RestError.shown(schema))",
        hint: "Only the following schemas are exposed: public", status: 406)
    }
    media = try RestMedia(accept: request.headers["accept"])
    preferences = try RestPreferences(request.headers["prefer"])
    query = try RestQuery(request.query)
    self.method = method
    self.table = table
    guard !RestPolicy.isOfPeople(table, method) || principal.movesPassages else {
      throw .forbidden(table.name)
    }
  }

  func plan() throws(RestError) -> RestPlan {
    switch method {
    case .get, .head: .read(try read())
    case .post: .insert(try insert())
    case .patch: .update(try update())
    case .delete where table.name == Catalogue.passages.name: .update(try withdrawal())
    case .delete: .delete(try delete())
    }
  }

  private func selection() throws(RestError) -> RestSelection {
    var selection = try RestSelection(query["select"], of: table, for: principal)
    try selection.narrow(by: query)
    return selection
  }

  private func filter() throws(RestError) -> RestFilter {
    var reader = RestFilterReader(table)
    return try reader.filter(query)
  }

  /// Whether of a row that was put in nothing is told but where it is.
  var tellsPlace: Bool { method == .post && preferences.returning == .headersOnly }

  private func telling(_ selection: RestSelection) throws(RestError) -> RestTelling {
    RestTelling(
      selection: tellsPlace ? try RestSelection("id", of: table, for: principal) : selection,
      visible: RestPolicy.visible(table, to: principal),
      tells: preferences.returning == .representation || tellsPlace, wantsOne: media == .one,
      hidesDetails: !principal.seesDetails)
  }

  // MARK: - Reading

  private func read() throws(RestError) -> RestRead {
    let (selection, filter) = (try selection(), try filter())
    let order = try RestOrder.read(query["order"], of: table)
    let range = try RestRange(query, header: request.headers["range"], most: RestLimits.rows)
    return RestRead(
      selection: selection, filter: filter, visible: RestPolicy.visible(table, to: principal),
      order: order, offset: range.offset, limit: range.limit, counts: preferences.counts)
  }

  // MARK: - Changing

  private func insert() throws(RestError) -> RestInsert {
    let selection = try selection()
    let body = try RestBody(request, query, of: table)
    let insertable = RestPolicy.insertable(table, by: principal, at: now)
    for column in body.columns where !column.mayBeGiven {
      guard body.rows.allSatisfy({ ($0[column.name] ?? .null) == .null }) else {
        throw .fixed(column, of: table)
      }
    }
    // All are read before the first is looked at.
    var rows: [[String: RestValue]] = []
    for values in body.rows {
      var row = try row(values, body.columns)
      if let digits = try RestBody.beside(RestBody.suffix, in: values, of: table) {
        row[RestBody.suffix] = .text(digits)
      }
      rows.append(row)
    }
    for row in rows {
      guard insertable.holds(for: row) == true else { throw .denied(table.name) }
      try check(row)
    }
    let clocks = RestReader.clocks(request.headers["checkpost-clock"])
    return RestInsert(
      table: table, rows: rows, given: body.columns.filter(\.mayBeGiven),
      resolution: try resolution(), principal: principal,
      admissible: RestPolicy.admissible(table, by: principal),
      changeable: RestPolicy.changeable(table, by: principal, at: now),
      telling: try telling(selection),
      clocks: Dictionary(
        clocks.compactMap { clock in ClientID(clock.name).map { ($0, clock.seconds) } },
        uniquingKeysWith: max),
      deviceClocks: table.name == Catalogue.syncMetadata.name
        ? Dictionary(clocks.map { ($0.name, $0.seconds) }, uniquingKeysWith: max) : [:])
  }

  /// What a header says of clocks; what cannot be read of it says nothing.
  private static func clocks(_ text: String?) -> [(name: String, seconds: Int64)] {
    (text ?? "").split(separator: ",").prefix(RestLimits.bodyRows).compactMap { part in
      let fields = part.split(separator: "=").map { $0.filter { $0 != " " } }
      guard fields.count == 2, let seconds = Int64(fields[1]),
        (1...ClockQuality.anySeconds).contains(seconds)
      else { return nil }
      return (fields[0], seconds)
    }
  }

  private func row(
    _ values: [String: RestJSON], _ columns: [RestColumn]
  ) throws(RestError) -> [String: RestValue] {
    var row: [String: RestValue] = [:]
    for column in columns where column.mayBeGiven {
      if let value = values[column.name] {
        row[column.name] = try column.value(from: value)
      } else if !preferences.missingIsDefault {
        row[column.name] = .null
      }
    }
    for column in table.columns where row[column.name] == nil {
      switch column.fallback {
      case .now: row[column.name] = .time(now)
      case .value(let value): row[column.name] = value
      case .uuid: break
      case nil: row[column.name] = .null
      }
    }
    return row
  }

  private func check(_ row: [String: RestValue]) throws(RestError) {
    for column in table.columns where !column.isNullable && row[column.name] == .null {
      throw RestReader.missing(column, of: table)
    }
    for column in table.columns.sorted(by: { $0.name < $1.name }) {
      guard column.keeps(row[column.name] ?? .null) else { throw .check(table.name, column.name) }
    }
  }

  private static func missing(_ column: RestColumn, of table: RestTable) -> RestError {
    RestError(
      "23502",
      "null value in column \"\(column.name)\" of relation \"\(table.name)\" violates not-null"
        + " constraint")
  }

  private func resolution() throws(RestError) -> RestInsert.Resolution {
    guard let wanted = preferences.resolution else { return .refuse }
    var columns = ["id"]
    if let names = query["on_conflict"] {
      columns = []
      for name in names.split(separator: ",").prefix(RestLimits.items) {
        let name = String(name.filter { $0 != " " })
        guard table.column(name) != nil else { throw .unknownKey(name, of: table) }
        columns.append(name)
      }
    }
    // The order in which the columns are named means nothing.
    guard let unique = table.uniques.first(where: { Set($0.columns) == Set(columns) }) else {
      throw RestError(
        "42P10",
        "there is no unique or exclusion constraint matching the ON CONFLICT specification")
    }
    return wanted == .ignore ? .ignore(unique) : .merge(unique)
  }

  private func update() throws(RestError) -> RestUpdate {
    let selection = try selection()
    let filter = try filter()
    let body = try RestBody(request, query, of: table)
    guard body.rows.count == 1, let values = body.rows.first else {
      throw .body("All object keys must match")
    }
    var changes: [RestUpdate.Change] = []
    let withdrawal = try RestBody.beside(RestBody.withdrawal, in: values, of: table)
    let since =
      RestBody.beside(table).contains(RestBody.since)
      ? try RestBody.moment(values[RestBody.since] ?? .null) : nil
    let changeable = RestPolicy.changeable(table, by: principal, at: now)
    // Paired with itself is how a table says it that has no word for it.
    for column in body.columns
    where withdrawal == nil || column.name != "matched_passage_id" {
      guard column.mayBeChanged else { throw .fixed(column, of: table) }
      let value = try column.value(from: values[column.name] ?? .null)
      if value.isNull, !column.isNullable { throw RestReader.missing(column, of: table) }
      // Who may change no row is told nothing of values, as no row has them.
      guard column.keeps(value) || changeable == .nothing else {
        throw .check(table.name, column.name)
      }
      changes.append(RestUpdate.Change(column: column, value: value))
    }
    return RestUpdate(
      table: table, filter: filter, changeable: changeable, changes: changes,
      principal: principal, telling: try telling(selection),
      withdrawal: withdrawal.map { String($0.prefix(RestLimits.reasonCharacters)) }, since: since)
  }

  /// What is removed of passages: each stays as evidence, and counts for nothing any more.
  private func withdrawal() throws(RestError) -> RestUpdate {
    var telling = try telling(try selection())
    // A passage that is withdrawn is none that would be told.
    telling.tells = false
    return RestUpdate(
      table: table, filter: try filter(), changeable: RestPolicy.removable(table, by: principal),
      changes: [], principal: principal, telling: telling, withdrawal: RestBody.removed)
  }

  private func delete() throws(RestError) -> RestDelete {
    RestDelete(
      table: table, filter: try filter(), removable: RestPolicy.removable(table, by: principal),
      telling: try telling(try selection()), principal: principal)
  }
}
