public import CentralCore
public import Passages
public import PostgreSQL
import Time

/// The passages that people read.
extension JudgingDatabase {
  /// Recognised passages.
  public func passages(_ query: PassageQuery) throws(PostgreSQLError) -> [StoredPassage] {
    var conditions = Conditions()
    let order: String
    switch query.order {
    case .arrival(let row):
      conditions.add("p.row_number > ?", .integer(row))
      // The first page begins where there is anything of that time, which an index knows, and not at the first of all.
      if row == 0, let since = query.since {
        conditions.add(
          """
          p.row_number >= (SELECT min(q.n) FROM (SELECT f.row_number AS n FROM checkpost.passages f
            WHERE f.recorded_at >= ? OFFSET 0) q)
          """, .time(since))
      }
      order = "p.row_number"
    case .following(let place):
      let (after, most) = (
        conditions.place(of: .integer(place)), conditions.place(of: .integer(Int64(query.limit)))
      )
      // The first of each month, by the index; of these come the first of all.
      conditions.add(
        """
        p.row_number = ANY (ARRAY(SELECT q.row_number FROM \(JudgingDatabase.months) CROSS JOIN LATERAL (
          SELECT f.row_number FROM checkpost.passages f
          WHERE f.row_number > (m.month << 40 | \(after)) AND f.row_number < m.month + 1 << 40
          ORDER BY f.row_number LIMIT \(most)) q))
        """)
      order = "(p.row_number & 1099511627775), p.row_number"
    case .newest(let place):
      if let place {
        let (time, row) = (
          conditions.place(of: .time(place.recordedAt)), conditions.place(of: .integer(place.row))
        )
        // A time that another program wrote may be finer than what is read of it.
        conditions.add(
          """
          (p.recorded_at, p.row_number) < (coalesce((SELECT q.recorded_at FROM checkpost.passages q
            WHERE q.row_number = \(row)), \(time)), \(row))
          """)
      }
      order = "p.recorded_at DESC, p.row_number DESC"
    }
    conditions.add("p.post = ?", .text(query.checkpost?.code))
    if let segment = query.segment {
      // By the posts as they are: PostgreSQL knows how much there is of each.
      let stays = try self.stays(on: segment)
      guard !stays.isEmpty else { return [] }
      conditions.add("p.post = ANY (?)", .texts(stays.map(\.post)))
      if stays.contains(where: { $0.since != .min || $0.until != .max }) {
        let places = [
          conditions.place(of: .texts(stays.map(\.post))) + "::text[]",
          conditions.place(of: .integers(stays.map(\.since))) + "::bigint[]",
          conditions.place(of: .integers(stays.map(\.until))) + "::bigint[]",
        ].joined(separator: ", ")
        conditions.add(
          """
          EXISTS (SELECT FROM unnest(\(places)) AS u(post, since, until)
            WHERE u.post = p.post AND p.earliest >= u.since AND p.earliest < u.until)
          """)
      }
    }
    conditions.add("p.suffix = ?", .text(query.suffix?.digits))
    // The records of a vehicle are found by an index, and its passages by these.
    conditions.add(
      "p.row_number = ANY (ARRAY(SELECT r.row_number FROM checkpost.records r WHERE r.plate = ?))",
      .text(query.plate))
    conditions.add("p.plate = ?", .text(query.plate))
    if let part = query.platePart, query.plate == nil {
      // Few vehicles are found by an index; of many, some are among the first that are looked at.
      let plates = try self.plates(with: part)
      if plates.isEmpty { return [] }
      if plates.count <= Limits.fewPlates {
        conditions.add(
          "p.row_number = ANY (ARRAY(SELECT r.row_number FROM checkpost.records r WHERE r.plate = ANY (?)))",
          .texts(plates))
      }
    }
    conditions.add("strpos(p.plate, ?) > 0", .text(query.platePart))
    conditions.add("p.recorded_at >= ?", .time(query.since))
    conditions.add("p.recorded_at < ?", .time(query.until))
    if query.onSegment {
      conditions.add(
        """
        p.post IN (SELECT c.code::text COLLATE "C" FROM public.checkposts c
          JOIN checkpost.known_segments s ON s.id = c.segment_id)
        """)
    }
    if query.isUnpaired {
      conditions.add("p.row_number IN (SELECT u.row_number FROM checkpost.unpaired u)")
    }
    let limit = conditions.place(of: .integer(Int64(query.limit)))
    let result = try connection.query(
      JudgingDatabase.passages(
        "WHERE \(conditions.sql) ORDER BY \(order) LIMIT \(limit)", order: order),
      conditions.values, isReading: true)
    return try JudgingDatabase.passages(result)
  }

  /// The plates in which these letters stand, by the index of vehicles alone; no more than show that there are many.
  private func plates(with part: String) throws(PostgreSQLError) -> [String] {
    var plates: [String] = []
    let result = try connection.query(
      """
      SELECT DISTINCT r.plate FROM checkpost.records r WHERE strpos(r.plate, $1) > 0 LIMIT $2
      """, [.text(part), .integer(Int64(Limits.fewPlates) + 1)], isReading: true)
    for row in result.rows { plates.append(try row.value(0, .text)) }
    return plates
  }

  /// The codes of the posts at the ends of a segment, with the seconds from which until which they stood there.
  private func stays(
    on segment: String
  ) throws(PostgreSQLError) -> [(post: String, since: Int64, until: Int64)] {
    var stays: [(post: String, since: Int64, until: Int64)] = []
    let result = try connection.query(
      """
      SELECT DISTINCT n.code, n.since, n.until FROM checkpost.known_segments g
        JOIN checkpost.held_ends n ON n.segment_id = g.id
      WHERE g.name = $1
      """, [.text(segment)], isReading: true)
    for row in result.rows {
      stays.append(
        (try row.value(0, .text), try row.value(1, .integer), try row.value(2, .integer)))
    }
    return stays
  }

  /// Rows of the deployed table that cannot be read, by what names them.
  func unreadable(after id: String?, limit: Int) throws(PostgreSQLError) -> [UnreadablePassage] {
    let result = try connection.query(
      """
      SELECT v.id::text, v.client_id::text, left(v.plate_number, 200), v.recorded_at::text, c.code
      FROM checkpost.unreadable u JOIN public.vehicle_passages v ON v.id = u.passage
        LEFT JOIN public.checkposts c ON c.id = v.checkpost_id
      WHERE $1::uuid IS NULL OR v.id > $1::uuid ORDER BY v.id LIMIT $2
      """, [.text(id), .integer(Int64(limit))], isReading: true)
    var rows: [UnreadablePassage] = []
    for row in result.rows {
      rows.append(
        UnreadablePassage(
          id: try row.value(0, .text), clientID: try row.optional(1, .text) ?? "",
          plate: try row.optional(2, .text) ?? "", recordedAt: try row.optional(3, .text) ?? "",
          checkpost: try row.optional(4, .text)))
    }
    return rows
  }

  /// The place of the last one in the order in which passages first came.
  func lastArrival() throws(PostgreSQLError) -> Int64 {
    try connection.query(
      """
      SELECT coalesce(max((SELECT max(f.row_number) FROM checkpost.passages f
        WHERE f.row_number >= m.month << 40 AND f.row_number < m.month + 1 << 40) & 1099511627775), 0)::bigint
      FROM \(JudgingDatabase.months)
      """, isReading: true
    ).firstRow().value(0, .integer)
  }

  /// What stands above the 40 bits of the order in numbers of rows that there are: the month of the passage, where
  /// tables are divided by the month, and nothing where they are not. Each is found by one look into the index.
  private static let months = """
    (WITH RECURSIVE n AS (
      SELECT (SELECT max(f.row_number) FROM checkpost.passages f) >> 40 AS month
      UNION ALL
      SELECT (SELECT max(f.row_number) FROM checkpost.passages f WHERE f.row_number < n.month << 40) >> 40 FROM n
        WHERE n.month IS NOT NULL)
      SELECT n.month FROM n WHERE n.month IS NOT NULL) AS m
    """

  /// The passages that identities lead to.
  ///
  /// - Returns: By identity; nothing of one that nothing came under.
  public func passages(
    identifiedBy identities: [ClientID]
  ) throws(PostgreSQLError) -> [ClientID: StoredPassage] {
    guard !identities.isEmpty else { return [:] }
    let rows = try connection.query(
      """
      SELECT i.client_id, r.row_number FROM checkpost.identities i
      JOIN checkpost.records r ON r.number = i.record WHERE i.client_id = ANY ($1::uuid[])
      """, [.texts(identities.map(\.description))], isReading: true)
    var numbers: [ClientID: Int64] = [:]
    for row in rows.rows {
      var reader = ColumnReader(row)
      numbers[try reader.identity()] = try reader.next(.integer)
    }
    var passages: [Int64: StoredPassage] = [:]
    for passage in try self.passages(rows: Set(numbers.values).sorted()) {
      passages[passage.id] = passage
    }
    return numbers.compactMapValues { passages[$0] }
  }

  /// The passages that stand under these rows.
  func passages(rows: [Int64]) throws(PostgreSQLError) -> [StoredPassage] {
    try JudgingDatabase.passages(
      try connection.query(
        JudgingDatabase.passages("WHERE p.row_number = ANY ($1)", order: "p.row_number"),
        [.integers(rows)], isReading: true))
  }

  /// Who wrote it down: the profile that was named, or what was said; else the rangers who ever served at the post with
  /// these digits, the one of them who is meant, and who sent it.
  ///
  /// - Parameter those: Which passages `p`, and how many of them: they are chosen first, and what is told beside them is
  ///   looked up for these alone, however many there are.
  private static func passages(_ those: String, order: String) -> String {
    """
    SELECT p.row_number, r.passage_id, r.client_id, p.plate, p.raw_plate, p.vehicle_type, p.post, s.name,
      p.recorded_at, p.suffix,
      coalesce((SELECT u.full_name FROM public.user_profiles u WHERE u.id::text = lower(p.rangers[1])),
        p.rangers[1]),
      n.names, n.phones, m.full_name, i.sender, p.photo_path, p.channels, p.is_dated, r.inserted_at, p.first_received_at,
      p.is_proven, p.is_corrected, p.contradictions, x.exit, e.entry,
      CASE WHEN NOT p.is_dated AND p.is_corrected THEN (SELECT w.withdrawal FROM checkpost.corrections w
        WHERE w.record = p.row_number AND w.withdrawal IS NOT NULL ORDER BY w.made_at DESC LIMIT 1) END
    FROM (SELECT p.* FROM checkpost.passages p \(those)) p
    JOIN checkpost.records r ON r.number = p.row_number
    LEFT JOIN public.checkposts c ON c.code = p.post
    LEFT JOIN checkpost.known_segments s ON s.id = CASE
      WHEN (SELECT EXISTS (SELECT FROM checkpost.earlier_places))
      THEN checkpost.segment_at(c.id, c.segment_id, p.earliest) ELSE c.segment_id END
    LEFT JOIN checkpost.pairs x ON x.entry = p.row_number
    LEFT JOIN checkpost.pairs e ON e.exit = p.row_number
    LEFT JOIN checkpost.inbox i ON i.id = r.inbox_id
    LEFT JOIN LATERAL (
      SELECT array_agg(u.full_name ORDER BY u.id) AS names, array_agg(u.phone_number ORDER BY u.id) AS phones
      FROM public.user_profiles u
      WHERE p.rangers = '{}' AND u.id IN (
        SELECT a.ranger FROM checkpost.ranger_assignments a WHERE a.post_id = c.id AND a.suffix = p.suffix)) n ON true
    LEFT JOIN public.user_profiles m ON cardinality(n.names) > 0 AND m.id = checkpost.ranger_meant(c.id, p.suffix,
      CASE WHEN p.is_dated THEN p.recorded_at ELSE p.first_received_at END)
    ORDER BY \(order)
    """
  }

  private static func passages(
    _ result: PostgreSQLResult
  ) throws(PostgreSQLError) -> [StoredPassage] {
    var passages: [StoredPassage] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      passages.append(try passage(&reader))
    }
    return passages
  }

  private static func passage(
    _ reader: inout ColumnReader
  ) throws(PostgreSQLError) -> StoredPassage {
    let id = try reader.next(.integer)
    let (uuid, client) = (try reader.identity(), try reader.identity())
    let (compact, raw) = (try reader.next(.text), try reader.next(.text))
    let plate = Plate(stored: compact, raw: raw)
    let type: VehicleType = try reader.word(or: .other)
    let post = try reader.post()
    let segment = try reader.optional(.text)
    let recordedAt = try reader.next(.time)
    let suffix = try reader.suffix()
    let named = try reader.optional(.text)
    let known = try KnownRangers(&reader)
    let sender = try reader.optional(.text)
    let photo = try reader.optional(.text)
    let channels: [Observation.Channel] = try reader.words()
    let isDated = try reader.next(.bool)
    let passage = Passage(
      client, plate, type, post, recordedAt, suffix, segment: segment,
      ranger: named ?? known.name(sender: sender), photoPath: photo, isText: channels == [.text],
      isDated: isDated)
    var stored = StoredPassage(
      id: id, uuid: uuid, passage: passage, insertedAt: try reader.next(.time),
      firstReceivedAt: try reader.next(.time))
    stored.channels = channels
    stored.isProven = try reader.next(.bool)
    stored.isCorrected = try reader.next(.bool)
    stored.contradictions = try reader.words()
    let (exit, entry) = (try reader.optional(.integer), try reader.optional(.integer))
    if let exit {
      stored.partner = StoredPassage.Partner(row: exit, isExit: true)
    } else if let entry {
      stored.partner = StoredPassage.Partner(row: entry, isExit: false)
    }
    stored.withdrawal = try reader.optional(.text)
    if stored.withdrawal != nil { stored.passage.isUndated = false }
    return stored
  }
}

/// The rangers who ever served at a post with the digits that a text says.
struct KnownRangers {
  private var names: [String?]
  private var phones: [String?]
  /// What people call the one who served there then, or the only one who ever did.
  private var meant: String?

  /// What the next three columns say.
  init(_ reader: inout ColumnReader) throws(PostgreSQLError) {
    names = try reader.optional(.array(of: .text)) ?? []
    phones = try reader.optional(.array(of: .text)) ?? []
    meant = try reader.optional(.text)
  }

  /// The one whose number sent it, else the one who is meant.
  func name(sender: String?) -> String? {
    guard let number = sender.flatMap({ PhoneNumber($0) }),
      let own = zip(names, phones).first(where: { $0.1.flatMap { PhoneNumber($0) } == number })
    else { return meant }
    return own.0
  }
}
