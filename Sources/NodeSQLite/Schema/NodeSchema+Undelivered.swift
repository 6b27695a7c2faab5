extension NodeSchema {
  /// The condition that the network has reported of every accepted text of a passage that it was not
  /// delivered. That no report came says nothing: such a text may have arrived.
  ///
  /// - Parameter queueID: what stands for the passage in the statement.
  static func isUndelivered(_ queueID: String) -> String {
    """
    (EXISTS (SELECT 1 FROM texts WHERE queue_id = \(queueID) AND outcome = 'accepted')
      AND NOT EXISTS (SELECT 1 FROM texts
        WHERE queue_id = \(queueID) AND outcome = 'accepted' AND NOT EXISTS (
          SELECT 1 FROM text_parts WHERE text_id = texts.id AND (delivery = 'failed'
            OR (delivery = 'expired' AND delivery_status IS NOT NULL)))))
    """
  }

  /// Passages whose text was not delivered, those with an open end, and the one way back from texted:
  /// when nothing that was sent for a passage arrived, somebody may ask for another text.
  static let undelivered = """
    ALTER TABLE queue ADD COLUMN undelivered INTEGER NOT NULL DEFAULT 0
      CHECK (undelivered IN (0, 1));
    UPDATE queue SET undelivered = 1 WHERE sms_sent = 1 AND \(isUndelivered("queue.id"));
    CREATE INDEX queue_undelivered ON queue (id) WHERE undelivered = 1;
    CREATE INDEX queue_text_unknown ON queue (id) WHERE airings > 0 AND sms_sent = 0;

    DROP TRIGGER queue_texted_stays;
    CREATE TRIGGER queue_texted_stays BEFORE UPDATE OF sms_sent ON queue
    WHEN OLD.sms_sent = 1 AND NEW.sms_sent = 0 AND NOT \(isUndelivered("OLD.id"))
    BEGIN SELECT RAISE(ABORT, 'a texted passage stays texted'); END;

    DROP TRIGGER tally_texted;
    CREATE TRIGGER tally_texted AFTER UPDATE OF sms_sent ON queue
    WHEN OLD.sms_sent <> NEW.sms_sent BEGIN
      UPDATE tally SET n = n + NEW.sms_sent - OLD.sms_sent WHERE name = 'texted';
    END;
    """
}
