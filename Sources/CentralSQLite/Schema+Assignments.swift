import GRDB

extension Schema {
  /// Where rangers served, and when.
  static func addAssignments(_ database: Database) throws {
    try database.execute(sql: assignments)
    try renewWireViews(database)
  }

  private static let assignments = """
    CREATE TABLE ranger_assignments (
      n INTEGER PRIMARY KEY,
      phone TEXT NOT NULL REFERENCES rangers(phone),
      checkpost TEXT NOT NULL REFERENCES posts(code),
      suffix TEXT NOT NULL,
      -- Null where nobody knows of a time before, and while it lasts.
      since_ms INTEGER,
      until_ms INTEGER
    ) STRICT;
    CREATE INDEX ranger_assignments_suffix ON ranger_assignments (checkpost, suffix);
    CREATE INDEX ranger_assignments_phone ON ranger_assignments (phone);
    -- Of what was before nobody wrote down more than what is now.
    INSERT INTO ranger_assignments (phone, checkpost, suffix)
      SELECT phone, checkpost, suffix FROM rangers ORDER BY phone;
    """
}
