extension NodeSchema {
  /// The condition that a passage was texted, that no report says it was not delivered, that nobody handed
  /// it on, and that the server neither has it nor is being told it.
  static func isTextedLive(_ row: String) -> String {
    """
    (\(row).sms_sent = 1 AND \(row).undelivered = 0 AND \(row).handed_on_ms IS NULL
      AND (\(row).status = 'pending' OR \(row).status = 'failed'))
    """
  }

  private static func isHandedOn(_ row: String) -> String {
    """
    (\(row).handed_on_ms IS NOT NULL AND (\(row).status = 'pending' OR \(row).status = 'failed'))
    """
  }

  /// That somebody brought a passage to the office by another way, and counts of what is done.
  static let handedOn = """
    ALTER TABLE queue ADD COLUMN handed_on_ms INTEGER
      CHECK (handed_on_ms IS NULL OR text_due_t IS NULL);

    INSERT INTO tally SELECT 'handed_on', 0;
    INSERT INTO tally SELECT 'texted_live', count(*) FROM queue WHERE \(isTextedLive("queue"));

    CREATE TRIGGER tally_handed_on AFTER UPDATE OF status, handed_on_ms ON queue
    WHEN \(isHandedOn("OLD")) <> \(isHandedOn("NEW")) BEGIN
      UPDATE tally SET n = n + iif(\(isHandedOn("NEW")), 1, -1) WHERE name = 'handed_on';
    END;

    CREATE TRIGGER tally_texted_live
    AFTER UPDATE OF status, sms_sent, undelivered, handed_on_ms ON queue
    WHEN \(isTextedLive("OLD")) <> \(isTextedLive("NEW")) BEGIN
      UPDATE tally SET n = n + iif(\(isTextedLive("NEW")), 1, -1) WHERE name = 'texted_live';
    END;
    """
}
