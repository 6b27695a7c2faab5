extension NodeSchema {
  /// The rules that no program may break, as triggers.
  static let rules = """
    CREATE TRIGGER queue_starts_pending BEFORE INSERT ON queue
    WHEN NEW.status <> 'pending' OR NEW.attempts <> 0 OR NEW.sms_sent <> 0 OR NEW.rearms <> 0
    BEGIN SELECT RAISE(ABORT, 'a passage starts as pending'); END;

    CREATE TRIGGER queue_transitions BEFORE UPDATE OF status ON queue
    WHEN OLD.status <> NEW.status AND NOT (
      (OLD.status = 'pending' AND NEW.status = 'in_flight')
      OR (OLD.status = 'in_flight' AND NEW.status = 'synced')
      OR (OLD.status = 'in_flight' AND NEW.status = 'pending')
      OR (OLD.status = 'in_flight' AND NEW.status = 'failed'
        AND (NEW.attempts = \(attempts) OR NEW.last_error_class IS 'permanent'))
      OR (OLD.status = 'failed' AND NEW.status = 'pending'
        AND NEW.attempts = 0 AND NEW.rearms = OLD.rearms + 1))
    BEGIN SELECT RAISE(ABORT, 'this change of status is not allowed'); END;

    CREATE TRIGGER queue_synced_stays BEFORE UPDATE OF status, attempts, rearms ON queue
    WHEN OLD.status = 'synced' AND (NEW.status <> 'synced' OR NEW.attempts <> OLD.attempts
      OR NEW.rearms <> OLD.rearms)
    BEGIN SELECT RAISE(ABORT, 'a synced passage stays synced'); END;

    CREATE TRIGGER queue_texted_stays BEFORE UPDATE OF sms_sent ON queue
    WHEN OLD.sms_sent = 1 AND NEW.sms_sent = 0
    BEGIN SELECT RAISE(ABORT, 'a texted passage stays texted'); END;

    CREATE TRIGGER queue_age_stays BEFORE UPDATE OF since_t, created_at_ms ON queue
    WHEN NEW.since_t <> OLD.since_t OR NEW.created_at_ms <> OLD.created_at_ms
    BEGIN SELECT RAISE(ABORT, 'the age of a passage is not changed'); END;

    CREATE TRIGGER queue_kept BEFORE DELETE ON queue
    WHEN OLD.status <> 'synced'
    BEGIN SELECT RAISE(ABORT, 'only a synced passage may be removed'); END;

    CREATE TRIGGER passages_frozen BEFORE UPDATE OF id, client_id, content_client_id,
      plate_number, plate_number_raw, vehicle_type, checkpost, segment, recorded_at_ms,
      ranger_phone_suffix, ranger, source, v1_body ON passages
    BEGIN SELECT RAISE(ABORT, 'a recorded passage is not changed'); END;

    CREATE TRIGGER passages_kept BEFORE DELETE ON passages
    WHEN EXISTS (SELECT 1 FROM queue WHERE queue.id = OLD.id AND queue.status <> 'synced')
    BEGIN SELECT RAISE(ABORT, 'only a synced passage may be removed'); END;

    CREATE TRIGGER texts_start_as_intent BEFORE INSERT ON texts
    WHEN NEW.outcome <> 'intent'
    BEGIN SELECT RAISE(ABORT, 'a text starts as an intent'); END;

    CREATE TRIGGER texts_once BEFORE INSERT ON texts
    WHEN NEW.queue_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM queue JOIN passages ON passages.id = queue.id
      WHERE queue.id = NEW.queue_id
        AND (queue.sms_sent = 1 OR queue.airings >= \(texts) OR queue.status NOT IN ('pending', 'failed')
          OR queue.parked_reason IS NOT NULL OR passages.v1_body <> NEW.body))
    BEGIN SELECT RAISE(ABORT, 'no text may be sent for this passage'); END;

    CREATE TRIGGER texts_frozen BEFORE UPDATE OF id, queue_id, modem, recipient, recipient_tail,
      body, intent_t, intent_ms ON texts
    BEGIN SELECT RAISE(ABORT, 'what was sent is not changed'); END;

    CREATE TRIGGER texts_outcomes BEFORE UPDATE OF outcome ON texts
    WHEN OLD.outcome <> NEW.outcome AND NOT (
      (OLD.outcome = 'intent' AND \(followsIntent))
      OR (OLD.outcome = 'unknown' AND \(settles)))
    BEGIN SELECT RAISE(ABORT, 'a known outcome is not changed'); END;
    """

  /// Counts that would otherwise need a walk over every row, kept by the database as rows change.
  static let tallies = """
    CREATE TABLE tally (
      name TEXT PRIMARY KEY,
      n INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tally VALUES ('pending', 0), ('in_flight', 0), ('synced', 0), ('failed', 0),
      ('waiting', 0), ('texted', 0), ('parked', 0);

    CREATE TRIGGER tally_insert AFTER INSERT ON queue BEGIN
      UPDATE tally SET n = n + 1 WHERE name = NEW.status;
      UPDATE tally SET n = n + 1 WHERE name = 'waiting' AND NEW.text_due_t IS NOT NULL;
    END;

    CREATE TRIGGER tally_status AFTER UPDATE OF status ON queue WHEN OLD.status <> NEW.status BEGIN
      UPDATE tally SET n = n - 1 WHERE name = OLD.status;
      UPDATE tally SET n = n + 1 WHERE name = NEW.status;
    END;

    CREATE TRIGGER tally_waiting AFTER UPDATE OF status, text_due_t ON queue
    WHEN (OLD.text_due_t IS NOT NULL AND OLD.status <> 'synced')
      <> (NEW.text_due_t IS NOT NULL AND NEW.status <> 'synced') BEGIN
      UPDATE tally
      SET n = n + iif(NEW.text_due_t IS NOT NULL AND NEW.status <> 'synced', 1, -1)
      WHERE name = 'waiting';
    END;

    CREATE TRIGGER tally_texted AFTER UPDATE OF sms_sent ON queue
    WHEN OLD.sms_sent <> NEW.sms_sent BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'texted';
    END;

    CREATE TRIGGER tally_parked AFTER UPDATE OF parked_reason ON queue
    WHEN (OLD.parked_reason IS NULL) <> (NEW.parked_reason IS NULL) BEGIN
      UPDATE tally SET n = n + iif(NEW.parked_reason IS NULL, -1, 1) WHERE name = 'parked';
    END;

    CREATE TRIGGER tally_delete AFTER DELETE ON queue BEGIN
      UPDATE tally SET n = n - 1
      WHERE name = OLD.status OR (name = 'texted' AND OLD.sms_sent = 1)
        OR (name = 'parked' AND OLD.parked_reason IS NOT NULL);
    END;
    """
}
