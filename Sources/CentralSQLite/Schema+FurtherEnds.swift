import GRDB

extension Schema {
  /// Posts that end several segments, and passages that end one travel and begin another.
  static func addFurtherEnds(_ database: Database) throws {
    try database.execute(sql: furtherEnds)
    try renewWireViews(database)
  }

  private static let furtherEnds = """
    -- The ends of segments at which a post stands beside the one of its own row.
    CREATE TABLE further_ends (
      segment TEXT NOT NULL REFERENCES segments(name),
      position_index INTEGER NOT NULL CHECK (position_index IN (0, 1)),
      post TEXT NOT NULL REFERENCES posts(code),
      PRIMARY KEY (segment, position_index)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX further_ends_post ON further_ends (post);

    CREATE VIEW segment_ends AS
      SELECT segment, position_index, code AS post FROM posts WHERE segment IS NOT NULL
      UNION ALL SELECT segment, position_index, post FROM further_ends;

    -- The other ends of the travels that a passage begins and ends. `partner` is that of the one that it begins, or
    -- of the one that it ends where it begins none.
    ALTER TABLE passages ADD COLUMN exit_row INTEGER;
    ALTER TABLE passages ADD COLUMN entry_row INTEGER;
    UPDATE passages SET exit_row = iif(is_entry, partner, NULL), entry_row = iif(is_entry, NULL, partner)
      WHERE partner IS NOT NULL;
    """
}
