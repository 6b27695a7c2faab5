extension Schema {
  /// Which passages were handed on to another server: all up to a row, but for those that are held.
  static let forwards = """
    CREATE TABLE forwarding (
      only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
      through INTEGER NOT NULL,
      forwarded INTEGER NOT NULL
    ) STRICT;
    INSERT INTO forwarding VALUES (1, 0, 0);

    CREATE TABLE forwards (
      passage INTEGER PRIMARY KEY,
      reason TEXT,
      -- When it is due again; none of one that is set aside.
      due_at_ms INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX forwards_due ON forwards (due_at_ms) WHERE due_at_ms IS NOT NULL;

    -- A correction may make a passage of a record that is older than what was handed on.
    CREATE TRIGGER forwards_late AFTER INSERT ON passages
      WHEN NEW.id <= (SELECT through FROM forwarding)
    BEGIN INSERT OR IGNORE INTO forwards (passage, due_at_ms) VALUES (NEW.id, 0); END;
    CREATE TRIGGER forwards_retired AFTER DELETE ON passages
    BEGIN DELETE FROM forwards WHERE passage = OLD.id; END;
    """
}
