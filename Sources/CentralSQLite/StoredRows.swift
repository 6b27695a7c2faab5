import CentralCore
import GRDB
import Passages
import Time

/// What was judged, with the names of what it is about.
enum StoredRows {
  static func violations(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [StoredViolation] {
    try Row.fetchAll(
      database,
      sql: "SELECT \(ViolationRows.columns), uuid, confirmed_by FROM violations WHERE \(condition)",
      arguments: arguments
    ).map { row in
      let violation = try ViolationRows.violation(row)
      var reader = RowReader(row, from: ViolationRows.count)
      let uuid = reader.identity()
      let (entry, exit) = (violation.finding.entry.row, violation.finding.exit.row)
      var stored = StoredViolation(
        uuid: uuid, violation: violation, entry: try name(of: entry, database),
        exit: try name(of: exit, database), vehicleType: try type(of: entry, exit, database),
        confirmedBy: reader.optional(),
        outcome: try OutcomeRows.outcome(of: uuid, entry, database))
      stored.listedAt = row.exact("exit_earliest", shownAs: violation.finding.exit.earliest)
      return stored
    }
  }

  /// All that a violation rests on.
  static func violation(_ uuid: ClientID, _ database: Database) throws -> ViolationEvidence? {
    guard let stored = try violations("uuid = ?", [uuid.description], database).first else {
      return nil
    }
    let finding = stored.violation.finding
    let (entry, exit) = (
      try evidence(of: finding.entry.row, database), try evidence(of: finding.exit.row, database)
    )
    var names = RangerNames()
    var rangerNames: [String: String] = [:]
    var rangerDigits: [String: String] = [:]
    for record in entry.records + exit.records {
      let people =
        record.record.observations.compactMap(\.ranger)
        + record.record.corrections.compactMap(\.author)
      for person in people { rangerNames[person] = try names.name(of: person, database) }
      for person in people where rangerDigits[person] == nil {
        rangerDigits[person] = try names.digits(of: person, database)
      }
    }
    var postNames: [CheckpostCode: String] = [:]
    for post in [finding.entry.post, finding.exit.post] {
      postNames[post] = try String.fetchOne(
        database.cachedStatement(sql: "SELECT name FROM posts WHERE code = ?"),
        arguments: [post.code])
    }
    var evidence = ViolationEvidence(
      violation: stored, revisions: try ViolationRows.revisions(of: finding.entry.row, database),
      notes: try OutcomeRows.notes(of: finding.entry.row, database),
      segment: try Row.fetchOne(
        database, sql: "SELECT * FROM segments WHERE name = ?", arguments: [finding.segment]
      ).flatMap { try? Segment(row: $0, LimitRows.all(database)).held(at: finding.entry.earliest) },
      entry: entry, exit: exit, rangerNames: rangerNames, postNames: postNames)
    evidence.rangerDigits = rangerDigits
    evidence.beside = try beside(evidence, database)
    return evidence
  }

  /// Records of neither end that say otherwise, or caused something.
  private static func beside(
    _ evidence: ViolationEvidence, _ database: Database
  ) throws -> [RecordEvidence] {
    let finding = evidence.violation.violation.finding
    var numbers = Array(evidence.originsBeside.suffix(CentralCore.Limits.recordsBeside))
    if finding.doubts.contains(.contradictedByText) {
      numbers += try Int64.fetchAll(
        database.cachedStatement(sql: ofTextsBetween),
        arguments: [
          finding.entry.post.code, finding.plate, finding.entry.earliest, finding.exit.latest,
          CentralCore.Limits.recordsBeside,
        ])
    }
    var rangers = RangerNames()
    return try Set(numbers).sorted().flatMap { number in
      try RecordRows.records(RecordRows.ofNumber, [number], database)
        .map { try self.evidence(of: $0.record, &rangers, database) }
    }
  }

  /// Texts that nobody proved, between two seconds at the posts that are judged together with one.
  private static let ofTextsBetween = """
    WITH RECURSIVE joined(post) AS (
      SELECT ?1 UNION SELECT b.post FROM joined j JOIN held_ends a ON a.post = j.post
        JOIN held_ends b ON b.segment = a.segment)
    SELECT r.number FROM records r
    WHERE r.plate = ?2 AND r.second > ?3 AND r.second < ?4 AND r.post IN (SELECT post FROM joined)
      AND NOT r.is_aside AND NOT EXISTS (
        SELECT 1 FROM observations o WHERE o.record = r.number AND (o.is_proven OR o.channel <> 'text'))
    ORDER BY r.second LIMIT ?5
    """

  static func alerts(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [StoredAlert] {
    try Row.fetchAll(
      database, sql: "SELECT \(ViolationRows.ofAlert), uuid FROM alerts WHERE \(condition)",
      arguments: arguments
    ).map { row in
      let alert = try ViolationRows.alert(row)
      var reader = RowReader(row, from: 12)
      let entry = alert.entry.row
      var stored = StoredAlert(
        uuid: reader.identity(), alert: alert, entry: try name(of: entry, database),
        vehicleType: try type(of: entry, entry, database),
        segment: try String.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT coalesce((SELECT min(a.segment) FROM held_ends a JOIN held_ends b
                ON b.segment = a.segment WHERE a.post = ?2 AND b.post = ?3
                  AND \(Schema.isHeld("a", at: "?4")) AND \(Schema.isHeld("b", at: "?5"))),
                (SELECT segment FROM passages WHERE id = ?1))
              """),
          arguments: [
            entry, alert.entry.place.post.code, alert.entry.opposite.code,
            alert.entry.place.second, alert.entry.dueAt,
          ]))
      stored.listedAt = row.exact("due_at", shownAs: alert.entry.dueAt)
      return stored
    }
  }

  private static func name(of record: Int64, _ database: Database) throws -> ClientID {
    let uuid = try String.fetchOne(
      database.cachedStatement(sql: "SELECT uuid FROM records WHERE number = ?"),
      arguments: [record])
    // Of one that is gone, one that nothing else has.
    return uuid.flatMap { ClientID($0) }
      ?? ClientID.derived(kind: "forgotten", name: "\(record)")
  }

  private static func type(
    of entry: Int64, _ exit: Int64, _ database: Database
  ) throws -> VehicleType {
    let types = try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT vehicle_type FROM passages WHERE id IN (?1, ?2)
          ORDER BY vehicle_type = 'other', id <> ?1
          """), arguments: [entry, exit])
    return types.first.flatMap { VehicleType(rawValue: $0) } ?? .other
  }

  /// All that is known of a passage: of one that is part of another by now, what came of its record.
  static func evidence(of row: Int64, _ database: Database) throws -> PassageEvidence {
    var rangers = RangerNames()
    let passage = try Row.fetchOne(
      database, sql: "\(PassageRows.select) WHERE p.id = ?", arguments: [row]
    ).map { try PassageRows.passage($0, &rangers, database) }
    let records = try RecordRows.records(
      passage == nil ? RecordRows.ofPassage + " LIMIT 64" : RecordRows.ofPassage, [row], database)
    return PassageEvidence(
      passage: passage,
      records: try records.map(\.record)
        .filter { passage != nil || $0.number == row }
        .sorted { $0.isBefore($1) }
        .map { try evidence(of: $0, &rangers, database) })
  }

  private static func evidence(
    of record: PassageRecord, _ rangers: inout RangerNames, _ database: Database
  ) throws -> RecordEvidence {
    var reports: [Observation: RecordEvidence.Report] = [:]
    for row in try Row.fetchAll(database, sql: ofReports, arguments: [record.number]) {
      let observation = try RecordRows.observation(row, from: 0)
      let uuid = (row[14] as String?).flatMap { ClientID($0) }
      reports[observation] = RecordEvidence.Report(
        observation, origin: PassageArrival.Origin(inboxID: row[13], uuid: uuid),
        sender: row[16], provider: row[17], insertedAt: WallTime(milliseconds: row[15]),
        ranger: try rangers.name(
          at: observation.post, observation.suffix, observation.dated, sender: row[16], database),
        warnings: (row[18] as String? ?? "").values())
    }
    let counts = try Row.fetchOne(
      database, sql: "SELECT times, last_at_ms FROM records WHERE number = ?",
      arguments: [record.number])
    return RecordEvidence(
      record: record, reports: record.observations.compactMap { reports[$0] },
      times: counts?[0] ?? 0, lastAt: WallTime(milliseconds: counts?[1] ?? 0))
  }

  private static let ofReports = """
    SELECT o.client_id, o.post, o.plate_raw, o.plate, o.vehicle_type, o.recorded_at_ms, o.ranger, o.suffix,
      o.photo_path, o.channel, o.is_proven, o.clock, o.received_at_ms, o.inbox_id, o.uuid,
      o.inserted_at_ms, i.sender, i.provider, i.warnings
    FROM observations o LEFT JOIN inbox i ON i.id = o.inbox_id WHERE o.record = ? ORDER BY o.n
    """
}

extension Row {
  /// A number as it stands in a column, where it is another one than what is computed with.
  fileprivate func exact(_ column: String, shownAs shown: Int64) -> Int64? {
    let number: Int64 = self[column]
    return number == shown ? nil : number
  }
}
