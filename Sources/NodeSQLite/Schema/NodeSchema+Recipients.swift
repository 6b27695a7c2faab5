extension NodeSchema {
  /// A passage that is texted to the opposite post as well waits once: for the centre.
  static let recipients = """
    DROP TRIGGER tally_text_insert;
    CREATE TRIGGER tally_text_insert AFTER INSERT ON text_deliveries
    WHEN NEW.due_t IS NOT NULL AND NEW.recipient = 'centre' BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'waiting';
    END;

    DROP TRIGGER tally_text_due;
    CREATE TRIGGER tally_text_due AFTER UPDATE OF due_t ON text_deliveries
    WHEN (OLD.due_t IS NULL) <> (NEW.due_t IS NULL) AND NEW.recipient = 'centre' BEGIN
      UPDATE tally SET n = n + iif(NEW.due_t IS NULL, -1, 1) WHERE name = 'waiting';
    END;

    DROP TRIGGER tally_text_delete;
    CREATE TRIGGER tally_text_delete AFTER DELETE ON text_deliveries
    WHEN OLD.recipient = 'centre' BEGIN
      UPDATE tally SET n = n - 1
      WHERE (name = 'waiting' AND OLD.due_t IS NOT NULL)
        OR (name = 'texted' AND OLD.sms_sent = 1)
        OR (name = 'parked' AND OLD.parked_reason IS NOT NULL);
    END;
    """
}
