extension NodeSchema {
  /// The rules that no program may break, as triggers of the tables of deliveries.
  static let deliveryRules = """
    CREATE TRIGGER passages_go_to_the_server AFTER INSERT ON passages BEGIN
      INSERT INTO uploads (passage_id, kind, priority, next_t, open_at_ms)
      VALUES (NEW.id, 'passage', NEW.priority, iif(NEW.undated, NULL, NEW.since_t),
        iif(NEW.undated, NULL, NEW.recorded_at_ms));
    END;

    CREATE TRIGGER passages_frozen BEFORE UPDATE OF id, client_id, content_client_id,
      plate_number, plate_number_raw, vehicle_type, checkpost, segment, recorded_at_ms,
      ranger_phone_suffix, ranger, source, v1_body, undated ON passages
    WHEN NEW.id <> OLD.id OR NEW.revision <> OLD.revision + 1 OR \(hasLeft("OLD.id"))
    BEGIN SELECT RAISE(ABORT, 'a recorded passage is not changed'); END;

    CREATE TRIGGER passages_age_stays BEFORE UPDATE OF since_t, created_at_ms ON passages
    WHEN NEW.since_t <> OLD.since_t OR NEW.created_at_ms <> OLD.created_at_ms
    BEGIN SELECT RAISE(ABORT, 'the age of a passage is not changed'); END;

    CREATE TRIGGER passages_kept BEFORE DELETE ON passages
    WHEN EXISTS (SELECT 1 FROM uploads WHERE passage_id = OLD.id AND status <> 'synced')
      OR EXISTS (SELECT 1 FROM text_deliveries JOIN texts ON delivery_id = text_deliveries.id
        WHERE passage_id = OLD.id AND outcome = 'intent')
    BEGIN SELECT RAISE(ABORT, 'only a synced passage may be removed'); END;

    CREATE TRIGGER uploads_start_pending BEFORE INSERT ON uploads
    WHEN NEW.status <> 'pending' OR NEW.attempts <> 0 OR NEW.requeues <> 0
    BEGIN SELECT RAISE(ABORT, 'what is to be uploaded starts as pending'); END;

    CREATE TRIGGER uploads_transitions BEFORE UPDATE OF status ON uploads
    WHEN OLD.status <> NEW.status AND NOT (
      (OLD.status = 'pending' AND NEW.status = 'in_flight' AND OLD.next_t IS NOT NULL)
      OR (OLD.status = 'in_flight' AND NEW.status = 'synced')
      OR (OLD.status = 'in_flight' AND NEW.status = 'pending')
      OR (OLD.status = 'in_flight' AND NEW.status = 'failed'
        AND NEW.last_error_class IS NOT NULL)
      OR (OLD.status = 'failed' AND NEW.status = 'pending'
        AND NEW.attempts = 0 AND NEW.requeues = OLD.requeues + 1))
    BEGIN SELECT RAISE(ABORT, 'this change of status is not allowed'); END;

    CREATE TRIGGER uploads_synced_stays BEFORE UPDATE OF status, attempts, requeues ON uploads
    WHEN OLD.status = 'synced' AND (NEW.status <> 'synced' OR NEW.attempts <> OLD.attempts
      OR NEW.requeues <> OLD.requeues)
    BEGIN SELECT RAISE(ABORT, 'what the server has stays synced'); END;

    -- What comes behind a passage waits until the server has that.
    CREATE TRIGGER uploads_behind_wait BEFORE UPDATE OF status ON uploads
    WHEN NEW.status = 'in_flight' AND NEW.kind <> 'passage' AND NOT EXISTS (
      SELECT 1 FROM uploads WHERE passage_id = NEW.passage_id AND \(ofPassage)
        AND status = 'synced')
    BEGIN SELECT RAISE(ABORT, 'the server does not have the passage yet'); END;

    CREATE TRIGGER uploads_stay BEFORE UPDATE OF id, passage_id, kind ON uploads
    BEGIN SELECT RAISE(ABORT, 'what an upload is does not change'); END;

    CREATE TRIGGER uploads_kept BEFORE DELETE ON uploads
    WHEN OLD.status <> 'synced' OR EXISTS (SELECT 1 FROM passages WHERE id = OLD.passage_id)
    BEGIN SELECT RAISE(ABORT, 'an upload is removed with its passage only'); END;

    CREATE TRIGGER text_deliveries_due BEFORE UPDATE OF due_t ON text_deliveries
    WHEN NEW.due_t IS NOT NULL AND EXISTS (
      SELECT 1 FROM passages JOIN uploads ON passage_id = passages.id AND \(ofPassage)
      WHERE passages.id = NEW.passage_id
        AND (status = 'synced' OR undated = 1 OR handed_on_ms IS NOT NULL))
    BEGIN SELECT RAISE(ABORT, 'no text is due for this passage'); END;

    CREATE TRIGGER text_deliveries_texted_stays BEFORE UPDATE OF sms_sent ON text_deliveries
    WHEN OLD.sms_sent = 1 AND NEW.sms_sent = 0 AND NOT \(isLost("OLD.id"))
    BEGIN SELECT RAISE(ABORT, 'a texted passage stays texted'); END;

    CREATE TRIGGER text_deliveries_kept BEFORE DELETE ON text_deliveries
    WHEN EXISTS (SELECT 1 FROM passages WHERE id = OLD.passage_id)
    BEGIN SELECT RAISE(ABORT, 'a text delivery is removed with its passage only'); END;

    CREATE TRIGGER texts_start_as_intent BEFORE INSERT ON texts
    WHEN NEW.outcome <> 'intent'
    BEGIN SELECT RAISE(ABORT, 'a text starts as an intent'); END;

    -- The centre reads texts by their form; what another recipient is told is its own affair.
    CREATE TRIGGER texts_once BEFORE INSERT ON texts
    WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM text_deliveries
      JOIN passages ON passages.id = text_deliveries.passage_id
      JOIN uploads ON uploads.passage_id = passages.id AND uploads.\(ofPassage)
      WHERE text_deliveries.id = NEW.delivery_id
        AND (sms_sent = 1 OR text_attempts >= \(texts)
          OR NOT (uploads.status = 'pending' OR uploads.status = 'failed')
          OR parked_reason IS NOT NULL OR handed_on_ms IS NOT NULL OR undated = 1
          OR (text_deliveries.recipient = 'centre' AND v1_body <> NEW.body)))
    BEGIN SELECT RAISE(ABORT, 'no text may be sent for this passage'); END;

    CREATE TRIGGER texts_frozen BEFORE UPDATE OF id, delivery_id, modem, recipient,
      recipient_tail, body, intent_t, intent_ms ON texts
    BEGIN SELECT RAISE(ABORT, 'what was sent is not changed'); END;

    CREATE TRIGGER texts_outcomes BEFORE UPDATE OF outcome ON texts
    WHEN OLD.outcome <> NEW.outcome AND NOT (
      (OLD.outcome = 'intent' AND \(followsIntent))
      OR (OLD.outcome = 'unknown' AND \(settles))
      OR (OLD.outcome = 'refused' AND NEW.outcome = 'accepted'))
    BEGIN SELECT RAISE(ABORT, 'a known outcome is not changed'); END;
    """

  /// The condition that an upload has not come to its end.
  static func isOpen(_ row: String) -> String {
    "(\(row).status = 'pending' OR \(row).status = 'failed')"
  }

  private static func isTurn(_ row: String) -> String {
    "(\(row).status = 'pending' AND \(row).next_t IS NOT NULL)"
  }

  static func isTexted(_ row: String) -> String {
    "(\(row).sms_sent = 1 AND \(row).undelivered = 0)"
  }

  /// The condition that a text to the centre arrived, or may have, for all that is known.
  private static func textedAtCentre(_ passage: String) -> String {
    """
    EXISTS (SELECT 1 FROM text_deliveries
      WHERE passage_id = \(passage) AND recipient = 'centre' AND sms_sent = 1
        AND undelivered = 0)
    """
  }

  private static func uploadOpen(_ passage: String) -> String {
    """
    EXISTS (SELECT 1 FROM uploads WHERE passage_id = \(passage) AND \(ofPassage)
      AND (status = 'pending' OR status = 'failed'))
    """
  }

  /// Counts that would otherwise need a walk over every row, kept by the database as rows change.
  static let deliveryTallies = """
    CREATE TABLE tally (
      name TEXT PRIMARY KEY,
      n INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tally
      SELECT 'pending', count(*) FROM queue WHERE status = 'pending' UNION ALL
      SELECT 'in_flight', count(*) FROM queue WHERE status = 'in_flight' UNION ALL
      SELECT 'synced', count(*) FROM queue WHERE status = 'synced' UNION ALL
      SELECT 'failed', count(*) FROM queue WHERE status = 'failed' UNION ALL
      -- Passages whose turn to be uploaded comes: the backlog.
      SELECT 'backlog', count(*) FROM uploads WHERE \(ofPassage) AND \(uploadable) UNION ALL
      SELECT 'waiting', count(*) FROM text_deliveries WHERE due_t IS NOT NULL UNION ALL
      SELECT 'texted', count(*) FROM queue WHERE sms_sent = 1 UNION ALL
      SELECT 'parked', count(*) FROM queue WHERE parked_reason IS NOT NULL UNION ALL
      SELECT 'handed_on', count(*) FROM queue
        WHERE handed_on_ms IS NOT NULL AND \(isOpen("queue")) UNION ALL
      SELECT 'texted_live', count(*) FROM queue
        WHERE \(isTexted("queue")) AND handed_on_ms IS NULL AND \(isOpen("queue")) UNION ALL
      SELECT 'photos', 0 UNION ALL SELECT 'corrections', 0;

    CREATE TRIGGER tally_upload_insert AFTER INSERT ON uploads BEGIN
      UPDATE tally SET n = n + 1 WHERE name = CASE NEW.kind
        WHEN 'passage' THEN 'pending' WHEN 'photo' THEN 'photos' ELSE 'corrections' END;
      UPDATE tally SET n = n + 1
        WHERE name = 'backlog' AND NEW.\(ofPassage) AND \(isTurn("NEW"));
    END;

    CREATE TRIGGER tally_upload_turn AFTER UPDATE OF status, next_t ON uploads
    WHEN NEW.\(ofPassage) AND \(isTurn("OLD")) <> \(isTurn("NEW")) BEGIN
      UPDATE tally SET n = n + iif(\(isTurn("NEW")), 1, -1) WHERE name = 'backlog';
    END;

    CREATE TRIGGER tally_upload_status AFTER UPDATE OF status ON uploads
    WHEN NEW.\(ofPassage) AND OLD.status <> NEW.status BEGIN
      UPDATE tally SET n = n - 1 WHERE name = OLD.status;
      UPDATE tally SET n = n + 1 WHERE name = NEW.status;
    END;

    CREATE TRIGGER tally_upload_open AFTER UPDATE OF status ON uploads
    WHEN NEW.\(ofPassage) AND \(isOpen("OLD")) <> \(isOpen("NEW")) BEGIN
      UPDATE tally SET n = n + iif(\(isOpen("NEW")), 1, -1)
      WHERE name = (SELECT iif(handed_on_ms IS NOT NULL, 'handed_on',
          iif(\(textedAtCentre("NEW.passage_id")), 'texted_live', NULL))
        FROM passages WHERE id = NEW.passage_id);
    END;

    -- Photographs and corrections that the server does not have.
    CREATE TRIGGER tally_upload_behind AFTER UPDATE OF status ON uploads
    WHEN NEW.kind <> 'passage' AND NEW.status = 'synced' AND OLD.status <> 'synced' BEGIN
      UPDATE tally SET n = n - 1
      WHERE name = iif(NEW.kind = 'photo', 'photos', 'corrections');
    END;

    CREATE TRIGGER tally_upload_delete AFTER DELETE ON uploads BEGIN
      UPDATE tally SET n = n - 1 WHERE OLD.\(ofPassage) AND name = OLD.status;
    END;

    CREATE TRIGGER tally_handed_on AFTER UPDATE OF handed_on_ms ON passages
    WHEN (OLD.handed_on_ms IS NULL) <> (NEW.handed_on_ms IS NULL)
      AND \(uploadOpen("NEW.id")) BEGIN
      UPDATE tally SET n = n + iif(NEW.handed_on_ms IS NULL, -1, 1) WHERE name = 'handed_on';
      UPDATE tally SET n = n + iif(NEW.handed_on_ms IS NULL, 1, -1)
      WHERE name = 'texted_live' AND \(textedAtCentre("NEW.id"));
    END;

    CREATE TRIGGER tally_text_insert AFTER INSERT ON text_deliveries
    WHEN NEW.due_t IS NOT NULL BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'waiting';
    END;

    CREATE TRIGGER tally_text_due AFTER UPDATE OF due_t ON text_deliveries
    WHEN (OLD.due_t IS NULL) <> (NEW.due_t IS NULL) BEGIN
      UPDATE tally SET n = n + iif(NEW.due_t IS NULL, -1, 1) WHERE name = 'waiting';
    END;

    CREATE TRIGGER tally_texted AFTER UPDATE OF sms_sent ON text_deliveries
    WHEN OLD.sms_sent <> NEW.sms_sent AND NEW.recipient = 'centre' BEGIN
      UPDATE tally SET n = n + NEW.sms_sent - OLD.sms_sent WHERE name = 'texted';
    END;

    CREATE TRIGGER tally_texted_live AFTER UPDATE OF sms_sent, undelivered ON text_deliveries
    WHEN NEW.recipient = 'centre' AND \(isTexted("OLD")) <> \(isTexted("NEW"))
      AND \(uploadOpen("NEW.passage_id"))
      AND EXISTS (SELECT 1 FROM passages WHERE id = NEW.passage_id AND handed_on_ms IS NULL)
    BEGIN
      UPDATE tally SET n = n + iif(\(isTexted("NEW")), 1, -1) WHERE name = 'texted_live';
    END;

    CREATE TRIGGER tally_parked AFTER UPDATE OF parked_reason ON text_deliveries
    WHEN (OLD.parked_reason IS NULL) <> (NEW.parked_reason IS NULL)
      AND NEW.recipient = 'centre' BEGIN
      UPDATE tally SET n = n + iif(NEW.parked_reason IS NULL, -1, 1) WHERE name = 'parked';
    END;

    CREATE TRIGGER tally_text_delete AFTER DELETE ON text_deliveries BEGIN
      UPDATE tally SET n = n - 1
      WHERE (name = 'waiting' AND OLD.due_t IS NOT NULL)
        OR (OLD.recipient = 'centre' AND ((name = 'texted' AND OLD.sms_sent = 1)
          OR (name = 'parked' AND OLD.parked_reason IS NOT NULL)));
    END;
    """
}
