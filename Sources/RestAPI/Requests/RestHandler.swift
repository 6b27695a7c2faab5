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
        return try inserted(insert, try store.insert(insert, at: now), reader)
      case .update(let update):
        return try changed(update.telling, try store.update(update, at: now), reader)
      case .delete(let delete):
        return try changed(delete.telling, try store.delete(delete, at: now), reader)
      }
    } catch {
      var answer = RestAnswer(error, isAnonymous: principal.isAnonymous)
      if request.method == "HEAD" { answer.body = "" }
      return answer
    }
  }

  private static func read(
    _ read: RestRead, _ reader: RestReader, _ store: some RestStore
  ) throws(RestError) -> RestAnswer {
    let found = try store.read(read)
    if let total = found.total, read.offset > 0, read.offset >= total {
      throw RestError(
        "PGRST103", "Requested range not satisfiable",
        details: "An offset of \(read.offset) was requested, but there are only \(total) rows.",
        status: 416)
    }
    let isPart = found.total.map { found.rows.count < $0 } ?? false
    var answer = try body(found.rows, wantsOne: reader.wantsOne, status: isPart ? 206 : 200)
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
    if insert.telling.tells {
      answer = try body(change.rows, wantsOne: reader.wantsOne, status: status)
    }
    answer.fields.append(.init("Content-Range", "*/*"))
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
      answer = try body(change.rows, wantsOne: reader.wantsOne, status: 200)
    }
    answer.fields.append(
      .init("Content-Range", change.count == 0 ? "*/*" : "0-\(change.count - 1)/*"))
    apply(reader.preferences.applied, to: &answer)
    return answer
  }

  private static func body(
    _ rows: [String], wantsOne: Bool, status: Int
  ) throws(RestError) -> RestAnswer {
    guard wantsOne else {
      return .json(status, "[" + rows.joined(separator: ",") + "]")
    }
    guard rows.count == 1, let row = rows.first else { throw .notOne(rows.count) }
    return .json(status, row, type: "application/vnd.pgrst.object+json; charset=utf-8")
  }

  private static func apply(_ applied: [String], to answer: inout RestAnswer) {
    guard !applied.isEmpty else { return }
    answer.fields.append(.init("Preference-Applied", applied.joined(separator: ", ")))
  }
}
