extension NodeSchema {
  /// Texts that tell of the post itself, and how many passages were texted, ever: those whose rows are
  /// removed stay counted, since the centre compares the count with what came.
  static let heartbeats = """
    ALTER TABLE texts ADD COLUMN is_heartbeat INTEGER NOT NULL DEFAULT 0;

    INSERT INTO tally SELECT 'texted_ever', count(*) FROM queue WHERE sms_sent = 1;

    CREATE TRIGGER tally_texted_ever AFTER UPDATE OF sms_sent ON text_deliveries
    WHEN OLD.sms_sent <> NEW.sms_sent AND NEW.recipient = 'centre' BEGIN
      UPDATE tally SET n = n + NEW.sms_sent - OLD.sms_sent WHERE name = 'texted_ever';
    END;
    """
}
