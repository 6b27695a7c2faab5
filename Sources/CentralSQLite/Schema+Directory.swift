import GRDB

/// What is told of parks, segments, posts and people beside what is judged by.
extension Schema {
  /// Parks, and what only others write of segments, posts and people. A ranger need not serve at a post.
  static func addDirectoryColumns(_ database: Database) throws {
    // SQLite looks through all views when it renames something.
    try dropWireViews(database)
    try database.execute(sql: directoryColumns)
    try renewWireViews(database)
  }

  private static let directoryColumns = """
    CREATE TABLE parks (
      uuid TEXT PRIMARY KEY NOT NULL CHECK (length(uuid) = 36),
      name TEXT NOT NULL UNIQUE,
      code TEXT NOT NULL UNIQUE CHECK (length(code) <= 10),
      is_active INTEGER NOT NULL DEFAULT 1,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO parks SELECT uuid, name, 'PARK', 1, since_ms, since_ms FROM wire_names WHERE kind = 'park';

    -- The park, where it is not the first one.
    ALTER TABLE segments ADD COLUMN park TEXT REFERENCES parks(uuid);
    ALTER TABLE segments ADD COLUMN is_active INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE segments ADD COLUMN updated_at_ms INTEGER;
    ALTER TABLE posts ADD COLUMN is_active INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE posts ADD COLUMN latitude REAL;
    ALTER TABLE posts ADD COLUMN longitude REAL;

    CREATE TABLE all_rangers (
      phone TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      checkpost TEXT REFERENCES posts(code),
      suffix TEXT NOT NULL,
      is_active INTEGER NOT NULL DEFAULT 1,
      updated_at_ms INTEGER
    ) STRICT;
    INSERT INTO all_rangers (phone, name, checkpost, suffix) SELECT phone, name, checkpost, suffix FROM rangers;
    DROP TABLE rangers;
    ALTER TABLE all_rangers RENAME TO rangers;
    CREATE INDEX rangers_suffix ON rangers (checkpost, suffix);
    """
}
