import CentralCore
import Passages
import PostgreSQL
import Time

/// What is known and judged in words, of the model or of a database.
struct ToldStory: Equatable {
  var passages: [String: String] = [:]
  var pairs: Set<String> = []
  var violations: Set<String> = []
  var waiting: Set<String> = []
  var overdue: Set<String> = []

  /// What the model says.
  init(_ story: JudgingStory) {
    for (keys, content) in story.passages {
      passages[keys.map(\.words).sorted().joined(separator: " ")] = content.words
    }
    pairs = Set(story.pairs.map { "\($0.entry.words) \($0.exit.words)" })
    violations = Set(
      story.violations.map {
        "\($0.kind.rawValue) \($0.entry.words) \($0.exit.words) \($0.seconds) \($0.limitSeconds)"
          + " \($0.doubts.map(\.rawValue).joined(separator: ","))"
      })
    waiting = Set(story.waiting.map { "\($0.entry.words) \($0.dueAt) \($0.expiresAt)" })
    overdue = Set(story.overdue.map(\.words))
  }

  /// What a database has.
  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    for row in try connection.query(ToldStory.passagesQuery).rows {
      passages[try row.value("keys", .text)] = try row.value("content", .text)
    }
    pairs = try ToldStory.set(
      """
      SELECT (\(ToldStory.key("a")) || ' ' || \(ToldStory.key("b"))) AS words FROM checkpost.pairs p
        JOIN checkpost.passages a ON a.row_number = p.entry JOIN checkpost.passages b ON b.row_number = p.exit
      """, connection)
    violations = try ToldStory.set(
      """
      SELECT (v.found).kind || ' ' || \(ToldStory.key("a")) || ' ' || \(ToldStory.key("b")) || ' '
        || (v.found).seconds || ' ' || (v.found).limit_seconds || ' '
        || array_to_string((v.found).doubts, ',') AS words
        FROM checkpost.violations v
        JOIN checkpost.passages a ON a.row_number = v.entry
        JOIN checkpost.passages b ON b.row_number = (v.found).exit WHERE NOT v.is_retracted
      """, connection)
    waiting = try ToldStory.set(
      "SELECT \(ToldStory.key("a", "second")) || ' ' || a.due_at || ' ' || a.expires_at AS words"
        + " FROM checkpost.waiting a", connection)
    overdue = try ToldStory.set(
      "SELECT \(ToldStory.key("a", "second")) AS words FROM checkpost.alerts a WHERE a.ending IS NULL",
      connection)
  }

  /// Where the two differ, in words for a test that failed.
  func differences(from other: ToldStory) -> [String] {
    var words: [String] = []
    for key in Set(passages.keys).union(other.passages.keys).sorted()
    where passages[key] != other.passages[key] {
      words.append("\(key): \(passages[key] ?? "none") and \(other.passages[key] ?? "none")")
    }
    for (name, one, two) in [
      ("pair", pairs, other.pairs), ("violation", violations, other.violations),
      ("waiting", waiting, other.waiting), ("overdue", overdue, other.overdue),
    ] {
      words += one.subtracting(two).sorted().map { "\(name) \($0) and none" }
      words += two.subtracting(one).sorted().map { "\(name) none and \($0)" }
    }
    return Array(words.prefix(8))
  }

  private static func key(_ table: String, _ second: String = "earliest") -> String {
    "(\(table).plate || '/' || \(table).post || '/' || \(table).\(second))"
  }

  private static func set(
    _ query: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Set<String> {
    var words: Set<String> = []
    for row in try connection.query(query).rows { words.insert(try row.value("words", .text)) }
    return words
  }

  private static let passagesQuery = """
    SELECT m.keys,
      concat_ws('|', p.plate, p.raw_plate, p.vehicle_type,
        floor(extract(epoch FROM p.recorded_at) * 1000)::bigint, array_to_string(p.rangers, ','),
        coalesce(p.photo_path, '-'), array_to_string(p.channels, ','), p.is_proven,
        coalesce(p.clock_seconds::text, '-'), floor(extract(epoch FROM p.first_received_at) * 1000)::bigint,
        p.is_corrected, array_to_string(p.contradictions, ',')) AS content
    FROM checkpost.passages p LEFT JOIN (
      -- Once for all: records are found by their row where they are not that row themselves.
      SELECT r.row_number, string_agg(
        r.received_plate || '/' || r.received_post || '/' || r.received_second, ' '
        ORDER BY (r.received_plate || '/' || r.received_post || '/' || r.received_second) COLLATE "C") AS keys
      FROM checkpost.records r GROUP BY r.row_number) m ON m.row_number = p.row_number
    """
}

extension ContentKey {
  fileprivate var words: String { "\(plate)/\(post.code)/\(second)" }
}

extension PassageContent {
  fileprivate var words: String {
    [
      plate, rawPlate, vehicleType.rawValue, "\(recordedAt.milliseconds)",
      rangers.joined(separator: ","), photoPath ?? "-",
      channels.map(\.rawValue).joined(separator: ","), isProven ? "t" : "f",
      clockSeconds.map { "\($0)" } ?? "-", "\(firstReceivedAt.milliseconds)",
      isCorrected ? "t" : "f", contradictions.map(\.rawValue).joined(separator: ","),
    ].joined(separator: "|")
  }
}
