import GRDB

extension Schema {
  /// Posts that end several segments, and passages that end one travel and begin another.
  static func addFurtherEnds(_ database: Database) throws {
    try makeFurtherEnds(database)
    try renewWireViews(database)
  }

  /// The same without the views of the API. What is there already stays: a file whose passages were moved has it.
  static func makeFurtherEnds(_ database: Database) throws {
    try database.execute(sql: furtherEnds + limits + earlierPlaces)
    guard try addColumn("exit_row INTEGER", to: "passages", database),
      try addColumn("entry_row INTEGER", to: "passages", database)
    else { return }
    try database.execute(sql: furtherPartners)
  }

  /// Adds a column that a table may have already.
  ///
  /// - Returns: Whether it had none.
  @discardableResult
  static func addColumn(_ column: String, to table: String, _ database: Database) throws -> Bool {
    let name = column.prefix { $0 != " " }
    guard try !database.columns(in: table).contains(where: { $0.name == name }) else {
      return false
    }
    try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)")
    return true
  }

  private static let furtherEnds = """
    -- The ends of segments at which a post stands beside the one of its own row.
    CREATE TABLE IF NOT EXISTS further_ends (
      segment TEXT NOT NULL REFERENCES segments(name),
      position_index INTEGER NOT NULL CHECK (position_index IN (0, 1)),
      post TEXT NOT NULL REFERENCES posts(code),
      PRIMARY KEY (segment, position_index)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS further_ends_post ON further_ends (post);

    DROP VIEW IF EXISTS segment_ends;
    CREATE VIEW segment_ends AS
      SELECT segment, position_index, code AS post FROM posts WHERE segment IS NOT NULL
      UNION ALL SELECT segment, position_index, post FROM further_ends;
    """

  private static let furtherPartners = """
    -- The other ends of the travels that a passage begins and ends. `partner` is that of the one that it begins, or
    -- of the one that it ends where it begins none.
    UPDATE passages SET exit_row = iif(is_entry, partner, NULL), entry_row = iif(is_entry, NULL, partner)
      WHERE partner IS NOT NULL;
    """
}
