import JSON

/// The function by which a signed-in user confirms a pair that was found at a post.
enum MatchPassage {
  static func answer(
    _ request: ModelRequest, as principal: ModelCaller, in database: inout Database, at now: Int64
  ) -> ModelResponse {
    guard request.method == "POST" else { return refusal(405, "Method not allowed") }
    guard !principal.isAnonymous else { return refusal(401, "Unauthorized") }
    guard let body = JSONText.decode(request.body)?.object else {
      return refusal(400, "Invalid JSON body")
    }
    guard let one = body["entry_passage_id"]?.text, let other = body["exit_passage_id"]?.text,
      !one.isEmpty, !other.isEmpty
    else { return refusal(400, "entry_passage_id and exit_passage_id are required") }
    guard one != other else { return refusal(400, "The passages must be different") }
    guard let shelf = database.shelves[Database.passages],
      let first = place(one, in: shelf), let last = place(other, in: shelf),
      let entry = shelf.rows[first], let exit = shelf.rows[last]
    else { return refusal(400, "Passage not found") }
    let table = shelf.table
    func differ(_ column: String) -> Bool { table.row(entry, column) != table.row(exit, column) }
    if differ("plate_number") { return refusal(400, "The plates are not the same") }
    if differ("segment_id") { return refusal(400, "The segments are not the same") }
    if !differ("checkpost_id") { return refusal(400, "Both are of the same checkpost") }
    for row in [entry, exit] where !table.row(row, "matched_passage_id").isNull {
      return ModelResponse(
        409, ["error": "Passage already matched", "passage_id": row[Table.key].json],
        type: "application/json")
    }
    do {
      let pair = try database.statement(at: now) { database throws(SQLError) in
        try database.join(first, last)
      }
      guard let pair else { return refusal(500, "Matching failed") }
      return told(pair, passages: table, violations: database.table("violations") ?? table)
    } catch {
      return refusal(500, error.message)
    }
  }

  private static func place(_ id: String, in shelf: Database.Shelf) -> Int? {
    Identifiers.canonical(id).flatMap { shelf.place(of: .text($0)) }
  }

  private static func told(
    _ pair: Database.Pair, passages: Table, violations: Table
  ) -> ModelResponse {
    var violation = JSONValue.null
    if let row = pair.violation {
      violation = [
        "id": row[Table.key].json, "type": violations.row(row, "violation_type").json,
        "threshold_minutes": violations.row(row, "threshold_minutes").json,
        "calculated_speed_kmh": violations.row(row, "calculated_speed_kmh").json,
      ]
    }
    let minutes = (pair.minutes * 100).rounded() / 100
    return ModelResponse(
      200,
      [
        "entry_passage_id": pair.entry[Table.key].json,
        "exit_passage_id": pair.exit[Table.key].json,
        "plate_number": passages.row(pair.entry, "plate_number").json,
        "segment_id": passages.row(pair.entry, "segment_id").json,
        "travel_time_minutes": .number(minutes), "violation": violation,
        "alerts_resolved": .integer(Int64(pair.alertsResolved)),
      ], type: "application/json")
  }

  private static func refusal(_ status: Int, _ message: String) -> ModelResponse {
    ModelResponse(status, ["error": .text(message)], type: "application/json")
  }
}
