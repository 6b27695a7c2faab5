import CentralCore
import GRDB
import Passages

/// Where posts stood before, as rows.
extension Schema {
  /// The ends at which posts stood before, and the views that tell what was of then by it.
  static func addEarlierPlaces(_ database: Database) throws {
    try database.execute(sql: earlierPlaces)
    try renewWireViews(database)
  }

  static let earlierPlaces = """
    -- The ends of segments at which a post stood up to the second `until_s`: a row each, or one without a segment where
    -- it stood at none. Where it stands from the last of them on stands in `posts` and `further_ends`.
    CREATE TABLE IF NOT EXISTS earlier_places (
      post TEXT NOT NULL REFERENCES posts (code) ON DELETE CASCADE ON UPDATE CASCADE,
      until_s INTEGER NOT NULL,
      segment TEXT REFERENCES segments (name) ON DELETE CASCADE ON UPDATE CASCADE,
      position_index INTEGER CHECK (position_index IN (0, 1)),
      CHECK ((segment IS NULL) = (position_index IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX IF NOT EXISTS earlier_places_post ON earlier_places (post, until_s, coalesce(segment, ''));
    CREATE INDEX IF NOT EXISTS earlier_places_segment ON earlier_places (segment);

    -- The ends of segments at all times: who stood there from which second until which; null where always.
    CREATE VIEW IF NOT EXISTS held_ends AS
      SELECT e.segment, e.position_index, e.post,
        (SELECT max(o.until_s) FROM earlier_places o WHERE o.post = e.post) AS since_s, NULL AS until_s
      FROM segment_ends e
      UNION ALL SELECT p.segment, p.position_index, p.post,
        (SELECT max(o.until_s) FROM earlier_places o WHERE o.post = p.post AND o.until_s < p.until_s), p.until_s
      FROM earlier_places p WHERE p.segment IS NOT NULL;

    """

  /// Whether a post stood at an end `e` of `held_ends` at a second.
  static func isHeld(_ end: String, at second: String) -> String {
    "\(second) >= coalesce(\(end).since_s, \(second)) AND (\(end).until_s IS NULL OR \(second) < \(end).until_s)"
  }
}

enum PlaceRows {
  /// Where posts stood before, from the first to the last.
  ///
  /// - Parameter post: The one that is asked for; nil for all.
  static func all(
    _ database: Database, of post: CheckpostCode? = nil
  ) throws -> [CheckpostCode: [EarlierPlaces]] {
    var earlier: [CheckpostCode: [EarlierPlaces]] = [:]
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT post, until_s, segment, position_index FROM earlier_places
          WHERE post = coalesce(?, post) ORDER BY post, until_s, segment
          """), arguments: [post?.code])
    for row in rows {
      let code = CheckpostCode(asItStands: row["post"] as String)
      let until: Int64 = row["until_s"]
      if earlier[code]?.last?.until != until {
        earlier[code, default: []].append(EarlierPlaces(until: until, places: []))
      }
      guard let segment: String = row["segment"], let last = earlier[code]?.indices.last else {
        continue
      }
      earlier[code]?[last].places.append(
        Post.Place(segment: segment, index: row["position_index"]))
    }
    return earlier
  }

  /// Puts where a post stood before in the place of what is there.
  static func put(_ earlier: [EarlierPlaces], of post: CheckpostCode, _ database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM earlier_places WHERE post = ?")
      .execute(arguments: [post.code])
    for version in earlier {
      let places: [Post.Place?] = version.places.isEmpty ? [nil] : version.places
      for place in places {
        try database.cachedStatement(
          sql: """
            INSERT INTO earlier_places (post, until_s, segment, position_index) VALUES (?, ?, ?, ?)
            """
        ).execute(arguments: [post.code, version.until, place?.segment, place?.index])
      }
    }
  }

  /// Whether any post ever stood elsewhere.
  static func isAny(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM earlier_places)")) ?? false
  }
}
