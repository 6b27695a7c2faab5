public import Time

/// Answers requests for tables.
public enum RestHandler {
  /// What is answered to a request.
  ///
  /// - Parameters:
  ///   - principal: Who asks.
  ///   - store: Where the rows are.
  ///   - now: The wall clock.
  public static func answer(
    _ request: RestRequest, as principal: RestPrincipal, from store: some RestStore,
    at now: WallTime
  ) -> RestAnswer {
    do throws(RestError) {
      let reader = try RestReader(request, as: principal, at: now)
      switch try reader.plan() {
      case .read(let read):
        var answer = try RestHandler.read(read, reader, store)
        if reader.method == .head { answer.body = "" }
        return answer
      case .insert(let insert):
        return try inserted(insert, try store.writing(insert, at: now), reader)
      case .update(let update):
        return try changed(update.telling, try store.writing(update, at: now), reader)
      case .delete(let delete):
        return try changed(delete.telling, try store.writing(delete, at: now), reader)
      }
    } catch {
      var answer = RestAnswer(error, isAnonymous: principal.isAnonymous)
      if error.code == "PGRST117", let table = Catalogue.table(request.table) {
        answer.fields.append(RestHandler.allowed(table))
      }
      if request.method == "HEAD" { answer.body = "" }
      return answer
    }
  }

  /// What is answered to a method that asks for no rows: which others do, or that there is no such one.
  public static func answer(toMethod method: String, of table: String) -> RestAnswer {
    guard let table = Catalogue.table(table) else {
      return RestAnswer(.unknownTable(table), isAnonymous: false)
    }
    guard method == "OPTIONS" else {
      var answer = RestAnswer(.unknownMethod(method), isAnonymous: false)
      answer.fields.append(allowed(table))
      return answer
    }
    return RestAnswer(200, [allowed(table)])
  }

  /// What may be done with a table.
  private static func allowed(_ table: RestTable) -> RestAnswer.Field {
    let methods = [RestMethod.post, .patch, .delete].filter {
      RestPolicy.isWritable(table, by: $0)
    }
    return RestAnswer.Field(
      "Allow", (["OPTIONS", "GET", "HEAD"] + methods.map(\.rawValue)).joined(separator: ","))
  }

  /// What is answered to a call of a function in the database: there are none.
  public static func unknownFunction(_ name: String) -> RestAnswer {
    RestAnswer(
      RestError(
        "PGRST202",
        "Could not find the function public.\(RestError.shown(name)) in the schema cache",
        status: 404), isAnonymous: false)
  }

  private static func read(
    _ read: RestRead, _ reader: RestReader, _ store: some RestStore
  ) throws(RestError) -> RestAnswer {
    let found = try store.read(read)
    if let total = found.total, read.offset > total {
      throw RestError(
        "PGRST103", "Requested range not satisfiable",
        details: "An offset of \(read.offset) was requested, but there are only \(total) rows.",
        status: 416)
    }
    let isPart = found.total.map { found.rows.count < $0 } ?? false
    var answer = try reader.media.answer(
      found.rows, read.selection, status: isPart ? 206 : 200)
    let place =
      found.rows.isEmpty ? "*" : "\(read.offset)-\(read.offset + found.rows.count - 1)"
    answer.fields.append(
      .init("Content-Range", "\(place)/\(found.total.map { "\($0)" } ?? "*")"))
    apply(reader.preferences.applied, to: &answer)
    return answer
  }

  private static func inserted(
    _ insert: RestInsert, _ change: RestChange, _ reader: RestReader
  ) throws(RestError) -> RestAnswer {
    var status = 201
    if case .merge = insert.resolution, change.isAllMerged { status = 200 }
    var answer = RestAnswer(status)
    if reader.tellsPlace {
      if let place = RestHandler.place(of: change, in: insert.table) {
        answer.fields.append(.init("Location", place))
      }
    } else if insert.telling.tells {
      answer = try reader.media.answer(change.rows, insert.telling.selection, status: status)
    }
    answer.fields.append(.init("Content-Range", "*/\(RestHandler.total(change, reader))"))
    var applied = reader.preferences.applied
    if let wanted = reader.preferences.resolution {
      applied.append("resolution=\(wanted.rawValue)")
    }
    apply(applied, to: &answer)
    return answer
  }

  private static func changed(
    _ telling: RestTelling, _ change: RestChange, _ reader: RestReader
  ) throws(RestError) -> RestAnswer {
    var answer = RestAnswer(204)
    if telling.tells {
      answer = try reader.media.answer(change.rows, telling.selection, status: 200)
    }
    // Of rows that are gone there are no places.
    let places =
      change.count == 0 || reader.method == .delete ? "*" : "0-\(change.count - 1)"
    answer.fields.append(
      .init("Content-Range", "\(places)/\(RestHandler.total(change, reader))"))
    apply(reader.preferences.applied, to: &answer)
    return answer
  }

  /// How many rows were written, where that was asked for.
  private static func total(_ change: RestChange, _ reader: RestReader) -> String {
    reader.preferences.counts ? "\(change.count)" : "*"
  }

  /// Where the only row is that was written.
  private static func place(of change: RestChange, in table: RestTable) -> String? {
    guard change.rows.count == 1, let row = change.rows.first,
      let id = RestJSON(Array(row.utf8))?.object?["id"]?.text
    else { return nil }
    return "/\(table.name)?id=eq.\(id)"
  }

  private static func apply(_ applied: [String], to answer: inout RestAnswer) {
    guard !applied.isEmpty else { return }
    answer.fields.append(.init("Preference-Applied", applied.joined(separator: ", ")))
  }
}
