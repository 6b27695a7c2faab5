extension Schema {
  /// Numbers that may speak for a post beside those of its modem and its rangers, with their dates.
  static let numbers = """
    CREATE TABLE numbers (
      phone TEXT NOT NULL,
      checkpost TEXT NOT NULL REFERENCES posts(code),
      valid_from_ms INTEGER,
      valid_until_ms INTEGER,
      PRIMARY KEY (phone, checkpost)
    ) STRICT, WITHOUT ROWID;
    """
}
