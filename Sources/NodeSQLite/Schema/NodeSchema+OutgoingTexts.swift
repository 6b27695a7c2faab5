extension NodeSchema {
  /// Texts that are no passage's, from the moment that somebody asks for one: the number is the text's own, so
  /// that a text can be begun once. What became of one that was begun stands in `texts`.
  static let outgoingTexts = """
    CREATE TABLE outgoing_texts (
      id INTEGER PRIMARY KEY,
      recipient TEXT NOT NULL,
      body TEXT NOT NULL,
      modem TEXT,
      parts INTEGER NOT NULL CHECK (parts > 0),
      queued_t INTEGER NOT NULL,
      queued_ms INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (\(isOne("state", "waiting", "begun", "withdrawn", "not_sent"))),
      changed_ms INTEGER CHECK ((changed_ms IS NULL) = (state = 'waiting')),
      reason TEXT
    ) STRICT;
    CREATE INDEX outgoing_texts_waiting ON outgoing_texts (id) WHERE state = 'waiting';
    CREATE TRIGGER outgoing_texts_end BEFORE UPDATE OF state ON outgoing_texts
    WHEN OLD.state <> 'waiting' BEGIN
      SELECT RAISE(ABORT, 'this text does not wait any more');
    END;
    """
}
