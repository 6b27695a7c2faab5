extension NodeSchema {
  /// What tells when something was: the times in a status report, the machine's starts, and which
  /// passages have no time of their own; and by what the outcome of a text was settled.
  static let times = """
    -- When the service centre took the text that a report is about, and when it let go of it.
    ALTER TABLE inbox ADD COLUMN taken_ms INTEGER;
    ALTER TABLE inbox ADD COLUMN discharged_ms INTEGER;
    -- A report that fitted no text for so long is about none of ours, and is not looked at again.
    DROP INDEX inbox_open_reports;
    CREATE INDEX inbox_open_reports ON inbox (reference)
      WHERE kind = 'status_report' AND text_id IS NULL AND error IS NULL;

    ALTER TABLE texts ADD COLUMN settled_by TEXT;
    CREATE INDEX texts_unknown ON texts (id) WHERE outcome = 'unknown';

    -- Each start of the machine: from start_t on, the node's clock is start_t and the machine's own.
    CREATE TABLE boots (
      start_t INTEGER PRIMARY KEY,
      boot_id TEXT NOT NULL
    ) STRICT;
    INSERT INTO boots
      SELECT clock.value, boot.value FROM meta AS clock JOIN meta AS boot
      WHERE clock.key = 'clock_offset_ns' AND boot.key = 'boot_id';

    -- Recorded while the clock had not been set: recorded_at_ms is what it showed. The node's clock
    -- (queue.since_t) and the start of the machine that it belongs to date such a passage later.
    ALTER TABLE passages ADD COLUMN undated INTEGER NOT NULL DEFAULT 0 CHECK (undated IN (0, 1));
    CREATE INDEX passages_undated ON passages (id) WHERE undated = 1;
    DROP TRIGGER texts_once;
    CREATE TRIGGER texts_once BEFORE INSERT ON texts
    WHEN NEW.queue_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM queue JOIN passages ON passages.id = queue.id
      WHERE queue.id = NEW.queue_id
        AND (queue.sms_sent = 1 OR queue.airings >= \(texts) OR queue.status NOT IN ('pending', 'failed')
          OR queue.parked_reason IS NOT NULL OR passages.v1_body <> NEW.body
          OR passages.undated = 1))
    BEGIN SELECT RAISE(ABORT, 'no text may be sent for this passage'); END;

    -- What a text is worth counts from when the vehicle passed.
    UPDATE queue SET worth_t = since_t
        - min(created_at_ms - passages.recorded_at_ms, 3000000000000) * 1000000
      FROM passages
      WHERE passages.id = queue.id AND worth_t IS NULL AND text_due_t IS NOT NULL
        AND created_at_ms >= passages.recorded_at_ms + 1000;
    """
}
