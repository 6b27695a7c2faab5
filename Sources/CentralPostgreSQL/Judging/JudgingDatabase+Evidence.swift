public import CentralCore
public import Passages
public import PostgreSQL
import Time

/// What a violation rests on.
extension JudgingDatabase {
  /// All that a violation rests on; nil where there is none of that name. To be asked in a transaction that sees
  /// all as it was at one moment.
  public func violation(_ name: ClientID) throws(PostgreSQLError) -> ViolationEvidence? {
    var conditions = Conditions()
    conditions.add("v.entry = checkpost.violation_named(?::uuid)", .text(name.description))
    guard let stored = try violations(conditions, limit: 1).first else { return nil }
    let finding = stored.violation.finding
    let (entry, exit) = (
      try evidence(of: finding.entry.row), try evidence(of: finding.exit.row)
    )
    let people = (entry.records + exit.records).flatMap {
      $0.record.observations.compactMap(\.ranger) + $0.record.corrections.compactMap(\.author)
    }
    var evidence = ViolationEvidence(
      violation: stored,
      revisions: try revisions(of: [finding.entry.row])[finding.entry.row] ?? [],
      notes: try notes(of: finding.entry.row),
      segment: try segment(finding.segment, at: finding.entry.earliest),
      entry: entry, exit: exit, rangerNames: try names(of: people),
      postNames: try postNames([finding.entry.post, finding.exit.post]))
    evidence.rangerDigits = try digits(of: people)
    evidence.beside = try beside(evidence)
    return evidence
  }

  /// Records of neither end that say otherwise, or caused something.
  private func beside(_ evidence: ViolationEvidence) throws(PostgreSQLError) -> [RecordEvidence] {
    let finding = evidence.violation.violation.finding
    let limit = CentralCore.Limits.recordsBeside
    let origins = Array(evidence.originsBeside.suffix(limit))
    let isContradicted = finding.doubts.contains(.contradictedByText)
    guard isContradicted || !origins.isEmpty else { return [] }
    let result = try connection.query(
      """
      WITH RECURSIVE joined(post) AS (
        SELECT $1::text UNION SELECT b.code FROM joined j JOIN checkpost.held_ends a ON a.code = j.post
          JOIN checkpost.held_ends b ON b.segment_id = a.segment_id),
      texts AS (
        SELECT r.number FROM checkpost.records r
        WHERE $7 AND r.plate = $2 AND r.second > $3 AND r.second < $4 AND r.post IN (SELECT j.post FROM joined j)
          AND NOT r.is_founded AND NOT r.is_aside
        ORDER BY r.second LIMIT $5)
      SELECT r.number, r.received_post, r.received_plate, r.received_second, r.is_contradicted, r.times, r.last_at
      FROM checkpost.records r
      WHERE r.number = ANY ($6) OR r.number IN (SELECT t.number FROM texts t) ORDER BY r.number
      """,
      [
        .text(finding.entry.post.code), .text(finding.plate), .integer(finding.entry.earliest),
        .integer(finding.exit.latest), .integer(Int64(limit)), .integers(origins),
        .bool(isContradicted),
      ], isReading: true)
    var records: [RecordEvidence] = []
    for row in result.rows {
      if let record = try record(row) { records.append(record) }
    }
    return records
  }

  private func segment(
    _ name: String, at second: Int64
  ) throws(PostgreSQLError) -> Segment? {
    let result = try connection.query(
      """
      SELECT coalesce(e.distance, s.distance), coalesce(e.slowest, s.slowest), coalesce(e.fastest, s.fastest)
      FROM checkpost.known_segments s LEFT JOIN LATERAL (
        SELECT o.* FROM checkpost.earlier_limits o WHERE o.segment_id = s.id AND o.until > $2
        ORDER BY o.until LIMIT 1) e ON true
      WHERE s.name = $1
      ORDER BY s.is_active DESC, s.created_at, s.id LIMIT 1
      """, [.text(name), .integer(second)], isReading: true)
    guard let row = result.rows.first else { return nil }
    var reader = ColumnReader(row)
    let (distance, slowest, fastest) = (
      try reader.next(.integer), try reader.next(.integer), try reader.next(.integer)
    )
    return try? Segment(
      name: name, distanceKilometres: Double(distance) / 1_000,
      minimumKilometresPerHour: Double(slowest) / 1_000,
      maximumKilometresPerHour: Double(fastest) / 1_000)
  }

  /// What the directory calls posts.
  private func postNames(
    _ posts: [CheckpostCode]
  ) throws(PostgreSQLError) -> [CheckpostCode: String] {
    let result = try connection.query(
      "SELECT c.code, c.name FROM public.checkposts c WHERE c.code = ANY ($1)",
      [.texts(posts.map(\.code))], isReading: true)
    var names: [CheckpostCode: String] = [:]
    for row in result.rows {
      var reader = ColumnReader(row)
      names[try reader.post()] = try reader.next(.text)
    }
    return names
  }

  /// What people call those whom reports name by the identifier of a profile; the others are what they are called.
  private func names(of rangers: [String]) throws(PostgreSQLError) -> [String: String] {
    var names: [String: String] = [:]
    for ranger in rangers { names[ranger] = ranger }
    let result = try connection.query(
      """
      SELECT n.ranger, u.full_name FROM unnest($1::text[]) AS n(ranger)
      JOIN public.user_profiles u ON u.id::text = lower(n.ranger)
      """, [.texts(names.keys.sorted())], isReading: true)
    for row in result.rows { names[try row.value(0, .text)] = try row.value(1, .text) }
    return names
  }

  /// How the numbers of those end whom reports name by the identifier of a profile, as far as known.
  private func digits(of rangers: [String]) throws(PostgreSQLError) -> [String: String] {
    let result = try connection.query(
      """
      SELECT n.ranger, u.phone_number FROM unnest($1::text[]) AS n(ranger)
      JOIN public.user_profiles u ON u.id::text = lower(n.ranger) WHERE u.phone_number IS NOT NULL
      """, [.texts(Set(rangers).sorted())], isReading: true)
    var digits: [String: String] = [:]
    for row in result.rows {
      let suffix = PhoneSuffix(phoneNumber: try row.value(1, .text))
      if suffix != .unknown { digits[try row.value(0, .text)] = suffix.digits }
    }
    return digits
  }

  /// All that is known of a passage: of one that is part of another by now, what came of its record.
  func evidence(of row: Int64) throws(PostgreSQLError) -> PassageEvidence {
    let passage = try passages(rows: [row]).first
    let result = try connection.query(
      """
      SELECT r.number, r.received_post, r.received_plate, r.received_second, r.is_contradicted, r.times,
        r.last_at
      FROM checkpost.records r
      WHERE r.number = $1 OR $2 AND r.row_number = $1 AND r.row_number <> r.number
      """, [.integer(row), .bool(passage != nil)], isReading: true)
    var records: [RecordEvidence] = []
    for row in result.rows {
      if let record = try record(row) { records.append(record) }
    }
    records.sort { $0.record.isBefore($1.record) }
    return PassageEvidence(passage: passage, records: records)
  }

  private func record(_ row: PostgreSQLRow) throws(PostgreSQLError) -> RecordEvidence? {
    var reader = ColumnReader(row)
    let number = try reader.next(.integer)
    let received = ContentKey(
      post: try reader.post(), plate: try reader.next(.text), second: try reader.next(.integer))
    let isContradicted = try reader.next(.bool)
    var reports: [Observation: RecordEvidence.Report] = [:]
    for report in try self.reports(of: number) { reports[report.observation] = report }
    guard
      let record = PassageRecord(
        number: number, received: received, observations: Array(reports.keys),
        corrections: try corrections(of: number), isContradicted: isContradicted)
    else { return nil }
    return RecordEvidence(
      record: record, reports: record.observations.compactMap { reports[$0] },
      times: try reader.next(.integer), lastAt: try reader.next(.time))
  }

  private func reports(of record: Int64) throws(PostgreSQLError) -> [RecordEvidence.Report] {
    let result = try connection.query(
      """
      SELECT o.client_id, o.post, o.plate, o.raw_plate, o.vehicle_type, o.recorded_at, o.ranger, o.suffix,
        o.photo_path, o.channel, o.is_proven, o.received_at, o.clock_seconds, o.is_clock_unset, o.inbox_id,
        o.own_row, o.inserted_at, i.sender, i.provider, n.names, n.phones, m.full_name,
        i.warnings
      FROM checkpost.observations o LEFT JOIN checkpost.inbox i ON i.id = o.inbox_id
      LEFT JOIN public.checkposts c ON c.code = o.post
      LEFT JOIN LATERAL (
        SELECT array_agg(u.full_name ORDER BY u.id) AS names, array_agg(u.phone_number ORDER BY u.id) AS phones
        FROM public.user_profiles u
        WHERE u.id IN (
          SELECT a.ranger FROM checkpost.ranger_assignments a WHERE a.post_id = c.id AND a.suffix = o.suffix)) n ON true
      LEFT JOIN public.user_profiles m ON cardinality(n.names) > 0 AND m.id = checkpost.ranger_meant(c.id, o.suffix,
        CASE WHEN o.is_clock_unset THEN o.received_at ELSE o.recorded_at END)
      WHERE o.record = $1 ORDER BY o.number
      """, [.integer(record)], isReading: true)
    var reports: [RecordEvidence.Report] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let observation = try JudgingDatabase.observation(&reader)
      let origin = PassageArrival.Origin(
        inboxID: try reader.optional(.integer),
        uuid: try reader.optional(.text).flatMap { ClientID($0) })
      let insertedAt = try reader.next(.time)
      let (sender, provider) = (try reader.optional(.text), try reader.optional(.text))
      let known = try KnownRangers(&reader)
      reports.append(
        RecordEvidence.Report(
          observation, origin: origin, sender: sender, provider: provider,
          insertedAt: insertedAt, ranger: known.name(sender: sender),
          warnings: InboxTable.warnings(try reader.optional(.text))))
    }
    return reports
  }

  static func observation(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> Observation {
    let client = try reader.identity()
    let post = try reader.post()
    let plate = Plate(stored: try reader.next(.text), raw: try reader.next(.text))
    let type: VehicleType = try reader.word(or: .other)
    let recordedAt = try reader.next(.time)
    let ranger = try reader.optional(.text)
    let suffix = try reader.suffix()
    let photo = try reader.optional(.text)
    let channel: Observation.Channel = try reader.word(or: .text)
    let isProven = try reader.next(.bool)
    let receivedAt = try reader.next(.time)
    let seconds = try reader.optional(.integer)
    let isUnset = try reader.next(.bool)
    return Observation(
      clientID: client, post: post, plate: plate, vehicleType: type, recordedAt: recordedAt,
      ranger: ranger, suffix: suffix, photoPath: photo, channel: channel, isProven: isProven,
      receivedAt: receivedAt,
      clock: isUnset ? .unset : seconds.map { .within(seconds: $0) } ?? .unknown)
  }

  func corrections(of record: Int64) throws(PostgreSQLError) -> [ReceivedCorrection] {
    let result = try connection.query(
      """
      SELECT c.client_id, c.made_at, c.author, c.plate, c.raw_plate, c.vehicle_type, c.post, c.recorded_at,
        c.photo_path, c.withdrawal
      FROM checkpost.corrections c WHERE c.record = $1 ORDER BY c.number
      """, [.integer(record)], isReading: true)
    var corrections: [ReceivedCorrection] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let client = try reader.identity()
      var correction = ReceivedCorrection(
        of: client, madeAt: try reader.next(.time), author: try reader.optional(.text))
      let (plate, raw) = (try reader.optional(.text), try reader.optional(.text))
      correction.plate = plate.map { Plate(stored: $0, raw: raw ?? $0) }
      correction.vehicleType = try reader.optional(.text).flatMap { VehicleType(rawValue: $0) }
      correction.post = try reader.optional(.text).map { CheckpostCode(asItStands: $0) }
      correction.recordedAt = try reader.optional(.time)
      correction.photoPath = try reader.optional(.text)
      correction.withdrawal = try reader.optional(.text)
      corrections.append(correction)
    }
    return corrections
  }
}
