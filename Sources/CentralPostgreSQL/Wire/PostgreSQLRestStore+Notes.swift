import PostgreSQL
public import RestAPI

/// Which rows changed. A reader who asks has them written down for a day more.
extension PostgreSQLRestStore {
  /// Which rows changed behind a place, of transactions before which none is open any more.
  ///
  /// The first reader of a day comes while transactions are under way that wrote nothing down for anybody. Until the last
  /// of them has ended nothing is told, and then the reader is told to read the tables again.
  public func notes(after mark: RestMark?, limit: Int) throws(RestError) -> RestNotes {
    let left = try perform(store.run, isReading: true) { connection throws(WireFailure) in
      try WireFailure.asked { () throws(PostgreSQLError) in
        try connection.query(
          """
          SELECT coalesce((SELECT extract(epoch FROM w.until - clock_timestamp())::bigint
            FROM checkpost.feed_wanted w), 0)
          """, [], isReading: true
        ).firstRow().value(0, .integer)
      }
    }
    let hours = Int64(RestChanges.rememberedHours)
    if left < (hours - 1) * 3_600 {
      for function in ["write_notes", "want_notes"] {
        try perform(writing) { connection throws(WireFailure) in
          try WireFailure.asked { () throws(PostgreSQLError) in
            _ = try connection.query(
              "SELECT checkpost.\(function)($1::integer)", [.text("\(hours)")])
          }
        }
      }
    }
    return try perform(store.run, isReading: true) { connection throws(WireFailure) in
      try WireFailure.asked { () throws(PostgreSQLError) in
        try Self.notes(after: mark, limit: limit, connection)
      }
    }
  }

  private static func notes(
    after mark: RestMark?, limit: Int, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> RestNotes {
    let ends = try connection.query(
      """
      SELECT e.transaction::text::bigint AS transaction, e.number,
        coalesce((SELECT pg_snapshot_xmin(pg_current_snapshot()) > w.horizon FROM checkpost.feed_wanted w), false)
          AS is_ready,
        EXISTS (SELECT FROM checkpost.feed k WHERE k.number = $1::bigint) AS is_there
      FROM (SELECT 1) AS o LEFT JOIN LATERAL (
        SELECT f.transaction, f.number FROM checkpost.feed f
        WHERE f.transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY f.transaction DESC, f.number DESC LIMIT 1) AS e ON true
      """, [.text("\(mark?.number ?? 0)")], isReading: true
    ).firstRow()
    guard try ends.value("is_ready", .bool) else { return RestNotes([], end: mark ?? .start) }
    let end = RestMark(
      transaction: try ends.optional("transaction", .integer) ?? 0,
      number: try ends.optional("number", .integer) ?? 0)
    guard let mark else { return RestNotes([], end: end) }
    // Where the change itself is still there, so is what came behind it. Nothing that is told has the number 0.
    let isThere = try ends.value("is_there", .bool)
    guard isThere, mark <= end else { return RestNotes([], end: end, isBroken: true) }
    let rows = try connection.query(
      """
      SELECT f.transaction::text::bigint AS transaction, f.number, f.kind, f.id::text AS id
      FROM checkpost.feed f
      WHERE (f.transaction, f.number) > ($1::text::xid8, $2::bigint)
        AND f.transaction < pg_snapshot_xmin(pg_current_snapshot()) AND f.kind <> 'begun'
      ORDER BY f.transaction, f.number LIMIT $3::bigint
      """, [.text("\(mark.transaction)"), .text("\(mark.number)"), .text("\(limit)")],
      isReading: true)
    var notes: [RestNote] = []
    for row in rows.rows {
      notes.append(
        RestNote(
          RestMark(
            transaction: try row.value("transaction", .integer),
            number: try row.value("number", .integer)),
          table: try row.value("kind", .text), id: try row.value("id", .text)))
    }
    return RestNotes(notes, end: notes.last?.mark ?? mark)
  }
}
