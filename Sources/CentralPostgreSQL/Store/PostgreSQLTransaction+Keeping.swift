import CentralCore
import Passages
import PostgreSQL
import Storage
import Time

/// What is dropped and erased, as rows.
extension PostgreSQLTransaction: KeepingRows {
  private func ask<Value: Sendable>(
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    try connection.run(work)
  }

  func keeping() throws(StorageError) -> KeepingState {
    try ask { connection throws(PostgreSQLError) in
      // Of several who share the store one does it at a time.
      let row = try connection.query(
        "SELECT since, place, after_at, after_number, next_at FROM checkpost.forgetting FOR UPDATE"
      ).firstRow()
      var state = KeepingState()
      state.since = try row.optional(0, .integer)
      let (at, number) = (try row.optional(2, .time), try row.optional(3, .integer))
      switch try row.optional(1, .text) {
      case "passages":
        state.place = .passages(
          after: at.flatMap { at in
            number.map { AgedPassage.Place(milliseconds: at.milliseconds, row: $0) }
          })
      case "messages": state.place = .messages(after: number ?? 0)
      case "audit": state.place = .audit
      default: state.place = nil
      }
      state.nextAt = try row.optional(4, .time)
      return state
    }
  }

  func write(_ state: KeepingState) throws(StorageError) {
    let (place, at, number): (String?, WallTime?, Int64?) =
      switch state.place {
      case nil: (nil, nil, nil)
      case .passages(let after):
        ("passages", after.map { WallTime(milliseconds: $0.milliseconds) }, after?.row)
      case .messages(let after): ("messages", nil, after)
      case .audit: ("audit", nil, nil)
      }
    try ask { connection throws(PostgreSQLError) in
      _ = try connection.query(
        """
        UPDATE checkpost.forgetting
          SET since = $1, place = $2, after_at = $3, after_number = $4, next_at = $5
        """,
        [
          .integer(state.since), .text(place), .time(at), .integer(number), .time(state.nextAt),
        ])
    }
  }

  func newest() throws(StorageError) -> WallTime? {
    try ask { connection throws(PostgreSQLError) in
      try connection.query("SELECT max(recorded_at) FROM checkpost.passages").firstRow()
        .optional(0, .time)
    }
  }

  func aged(
    after: AgedPassage.Place?, before second: Int64, limit: Int
  ) throws(StorageError) -> [AgedPassage] {
    try ask { connection throws(PostgreSQLError) in
      let result = try connection.query(
        """
        SELECT p.recorded_at, p.row_number, p.plate, p.post, p.is_dated, r.is_aside
        FROM checkpost.passages p JOIN checkpost.records r ON r.number = p.row_number
        WHERE p.recorded_at < $1
          AND ($2::timestamptz IS NULL OR p.recorded_at >= $2
            AND (p.recorded_at, p.row_number) > ($2, $3))
        ORDER BY p.recorded_at, p.row_number LIMIT $4
        """,
        [
          .time(WallTime(epochSeconds: second)),
          .time(after.map { WallTime(milliseconds: $0.milliseconds) }), .integer(after?.row),
          .integer(Int64(limit)),
        ])
      var passages: [AgedPassage] = []
      for row in result.rows {
        var reader = ColumnReader(row)
        let (at, number) = (try reader.next(.time), try reader.next(.integer))
        passages.append(
          AgedPassage(
            place: AgedPassage.Place(milliseconds: at.milliseconds, row: number),
            plate: try reader.next(.text), post: try reader.post(), isDated: try reader.next(.bool),
            isAside: try reader.next(.bool)))
      }
      try connection.query(
        "SELECT checkpost.hold_vehicles($1)", [.texts(Set(passages.map(\.plate)).sorted())])
      return passages
    }
  }

  func records(
    of plate: String, at posts: [CheckpostCode]?, in seconds: ClosedRange<Int64>?
  ) throws(StorageError) -> [JudgedRecord] {
    try ask { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).judgedRecords(
        """
        r.plate = $1 AND ($2::text[] IS NULL OR r.post = ANY ($2))
        AND r.second BETWEEN $3 AND $4 AND NOT r.is_aside
        """,
        [
          .text(plate), posts.map { .texts($0.map(\.code)) } ?? .null,
          .integer(seconds?.lowerBound ?? .min), .integer(seconds?.upperBound ?? .max),
        ])
    }
  }

  func records(under rows: [Int64]) throws(StorageError) -> [JudgedRecord] {
    try ask { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).judgedRecords(
        "r.number = ANY ($1) OR r.row_number = ANY ($1)", [.integers(rows)])
    }
  }

  func records(naming plate: String) throws(StorageError) -> [JudgedRecord] {
    try ask { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).records(naming: plate)
    }
  }

  func routes(of posts: Set<CheckpostCode>?) throws(StorageError) -> [Route] {
    try ask { connection throws(PostgreSQLError) in
      let routes = Route.between(
        try DirectoryTables.posts(connection), on: try DirectoryTables.segments(connection))
      return posts.map { Route.reaching($0, among: routes) } ?? routes
    }
  }

  func violations(touching rows: [Int64]) throws(StorageError) -> [HeldViolation] {
    try ask { connection throws(PostgreSQLError) in
      let result = try connection.query(
        """
        SELECT v.entry, (v.found).exit, v.is_retracted, (
          SELECT max(o.recorded_at) FROM checkpost.records r
            JOIN public.violations d ON d.entry_passage_id = r.passage_id
            JOIN public.violation_outcomes o ON o.violation_id = d.id
          WHERE r.number = v.entry)
        FROM checkpost.violations v WHERE v.entry = ANY (ARRAY(
          SELECT e.entry FROM checkpost.violations e WHERE e.entry = ANY ($1)
          UNION SELECT e.entry FROM checkpost.violations e WHERE (e.found).exit = ANY ($1)))
        """, [.integers(rows)])
      var held: [HeldViolation] = []
      for row in result.rows {
        held.append(
          HeldViolation(
            entry: try row.value(0, .integer), exit: try row.value(1, .integer),
            isRetracted: try row.value(2, .bool), closedAt: try row.optional(3, .time)))
      }
      return held
    }
  }
}

/// What changes.
extension PostgreSQLTransaction {
  func setAside(_ records: [Int64]) throws(StorageError) {
    guard !records.isEmpty else { return }
    try ask { connection throws(PostgreSQLError) in
      _ = try connection.query("SELECT checkpost.put_aside($1)", [.integers(records)])
    }
  }

  func drop(_ records: [Int64]) throws(StorageError) -> Dropped {
    guard !records.isEmpty else { return Dropped() }
    return try ask { connection throws(PostgreSQLError) in
      let row = try connection.query(
        """
        SELECT passages, reports, corrected, violations, alerts, photographs, outcomes
        FROM checkpost.forget_records($1)
        """, [.integers(records)]
      ).firstRow()
      var dropped = Dropped()
      dropped.passages = Int(try row.value(0, .integer))
      dropped.reports = Int(try row.value(1, .integer))
      dropped.corrections = Int(try row.value(2, .integer))
      dropped.violations = Int(try row.value(3, .integer))
      dropped.alerts = Int(try row.value(4, .integer))
      dropped.photographs = Int(try row.value(5, .integer))
      dropped.outcomes = Int(try row.value(6, .integer))
      return dropped
    }
  }

  func judgeAgain(
    _ places: [ContentKey], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    guard !places.isEmpty else { return JudgedChanges() }
    return try ask { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).told(
        try ChangeList(
          try connection.query(
            "SELECT kind, entry, other FROM checkpost.judge_again($1, $2, $3, $4)",
            [
              .texts(places.map(\.plate)), .texts(places.map(\.post.code)),
              .integers(places.map(\.second)), .time(wall),
            ])))
    }
  }

  func dropMessages(
    after: Int64, receivedBefore moment: WallTime, limit: Int
  ) throws(StorageError) -> (dropped: Int, last: Int64?) {
    let step = try ask {
      connection throws(PostgreSQLError) -> (old: [Int64], count: Int, last: Int64?) in
      let result = try connection.query(
        "SELECT id, received_at < $3 FROM checkpost.inbox WHERE id > $1 ORDER BY id LIMIT $2",
        [.integer(after), .integer(Int64(limit)), .time(moment)])
      var old: [Int64] = []
      for row in result.rows where try row.value(1, .bool) {
        old.append(try row.value(0, .integer))
      }
      return (old, result.rows.count, try result.rows.last?.value(0, .integer))
    }
    return (
      try drop(messages: step.old), step.old.isEmpty || step.count < limit ? nil : step.last
    )
  }

  func drop(messages: [Int64]) throws(StorageError) -> Int {
    guard !messages.isEmpty else { return 0 }
    return try ask { connection throws(PostgreSQLError) in
      Int(
        try connection.query("SELECT checkpost.forget_messages($1)", [.integers(messages)])
          .firstRow().value(0, .integer))
    }
  }

  func dropEarly(before moment: WallTime, limit: Int) throws(StorageError) {
    try ask { connection throws(PostgreSQLError) in
      _ = try connection.query(
        "SELECT checkpost.forget_early($1, NULL, $2)", [.time(moment), .integer(Int64(limit))])
    }
  }

  func dropEarly(naming plate: String) throws(StorageError) -> Int {
    try ask { connection throws(PostgreSQLError) in
      Int(
        try connection.query(
          "SELECT checkpost.forget_early(NULL, $1, $2)", [.text(plate), .integer(.max)]
        ).firstRow().value(0, .integer))
    }
  }
}

// MARK: - The audit log

extension PostgreSQLTransaction {
  func dropAudit(before moment: WallTime, limit: Int) throws(StorageError) -> Int {
    try ask { connection throws(PostgreSQLError) in
      Int(
        try connection.query(
          "SELECT checkpost.forget_audit($1, $2)", [.time(moment), .integer(Int64(limit))]
        ).firstRow().value(0, .integer))
    }
  }

  func note(_ dropped: Dropped, by actor: String?, at wall: WallTime) throws(StorageError) {
    try ask { connection throws(PostgreSQLError) in
      _ = try connection.query(
        "SELECT checkpost.note_erasure($1, $2, $3)",
        [.time(wall), .text(actor), .text(dropped.words)])
    }
  }
}
