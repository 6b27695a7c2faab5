extension Schema {
  /// Who looked at a message that is no passage: from then on it does not count among those that wait.
  static let dismissals = """
    ALTER TABLE inbox ADD COLUMN dismissed_at_ms INTEGER
      CHECK (dismissed_at_ms IS NULL OR state = 'undecodable');
    ALTER TABLE inbox ADD COLUMN dismissed_by TEXT
      CHECK ((dismissed_by IS NULL) = (dismissed_at_ms IS NULL));
    CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'undecodable' AND dismissed_at_ms IS NULL;

    DROP TRIGGER tally_forgotten;
    DROP TRIGGER tally_judged;
    CREATE TRIGGER tally_forgotten AFTER DELETE ON inbox BEGIN
      UPDATE tally SET n = n - 1
        WHERE name = 'inbox' OR name = OLD.state AND OLD.dismissed_at_ms IS NULL;
    END;
    CREATE TRIGGER tally_judged AFTER UPDATE OF state, dismissed_at_ms ON inbox
    WHEN OLD.state <> NEW.state OR OLD.dismissed_at_ms IS NOT NEW.dismissed_at_ms BEGIN
      UPDATE tally SET n = n - 1 WHERE name = OLD.state AND OLD.dismissed_at_ms IS NULL;
      UPDATE tally SET n = n + 1 WHERE name = NEW.state AND NEW.dismissed_at_ms IS NULL;
    END;
    """
}
