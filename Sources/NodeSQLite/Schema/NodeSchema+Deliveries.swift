extension NodeSchema {
  /// What is brought to somebody for a passage stands apart from it, each with a state, attempts and a
  /// next moment of its own: the passage, its photograph and its corrections to the server (`uploads`),
  /// and its texts to the centre and to others (`text_deliveries`).
  static let deliveries = """
    DROP TABLE tally;
    DROP INDEX passages_by_content;
    DROP INDEX passages_by_plate;
    DROP INDEX passages_undated;
    DROP INDEX texts_by_queue;
    DROP INDEX texts_open;
    DROP INDEX texts_unknown;

    -- What was seen. It is frozen once something of it may have left; until then it may be corrected and
    -- dated, each time with the next number of its revision.
    CREATE TABLE new_passages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL UNIQUE,
      content_client_id TEXT NOT NULL,
      plate_number TEXT NOT NULL,
      plate_number_raw TEXT NOT NULL,
      vehicle_type TEXT NOT NULL,
      checkpost TEXT NOT NULL,
      segment TEXT,
      recorded_at_ms INTEGER NOT NULL,
      ranger_phone_suffix TEXT NOT NULL,
      ranger TEXT,
      photo_path TEXT,
      source TEXT NOT NULL,
      v1_body TEXT NOT NULL,
      -- Recorded while the clock had not been set: recorded_at_ms is what it showed. The node's clock
      -- (since_t) and the start of the machine that it belongs to date such a passage later.
      undated INTEGER NOT NULL DEFAULT 0 CHECK (undated IN (0, 1)),
      since_t INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      priority INTEGER NOT NULL
        CHECK (priority BETWEEN \(priorities.lowerBound) AND \(priorities.upperBound)),
      handed_on_ms INTEGER,
      revision INTEGER NOT NULL DEFAULT 0,
      -- By what the clock was set when the passage was recorded, and how far it was from the server's.
      clock_source TEXT,
      clock_skew_s INTEGER
    ) STRICT;

    -- What is brought to the server. Columns ending in _t are the node's clock in nanoseconds, those
    -- ending in _ms the wall clock; only the former decide anything.
    CREATE TABLE uploads (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      passage_id INTEGER NOT NULL REFERENCES new_passages (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (\(isOne("kind", "passage", "photo", "correction"))),
      priority INTEGER NOT NULL,
      status TEXT NOT NULL DEFAULT 'pending'
        CHECK (\(isOne("status", "pending", "in_flight", "synced", "failed"))),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      requeues INTEGER NOT NULL DEFAULT 0,
      next_t INTEGER,
      last_error TEXT,
      last_error_class TEXT CHECK (last_error_class IN ('transient', 'permanent')),
      last_attempt_at_ms INTEGER,
      synced_t INTEGER,
      synced_ms INTEGER,
      server_id TEXT,
      -- The time of a passage, until the server has it.
      open_at_ms INTEGER,
      -- Of a correction: the right plate, and the right kind of vehicle.
      new_plate TEXT,
      new_vehicle_type TEXT,
      -- Of a photograph: where it lies, how many bytes it has, and of what media type they are.
      photo_file TEXT,
      photo_bytes INTEGER,
      photo_type TEXT,
      CHECK (kind <> 'correction' OR new_plate IS NOT NULL),
      CHECK (kind <> 'photo'
        OR photo_file IS NOT NULL AND photo_bytes IS NOT NULL AND photo_type IS NOT NULL)
    ) STRICT;

    -- Who is to get a passage as a text: the centre, and whom else the settings name.
    CREATE TABLE text_deliveries (
      id INTEGER PRIMARY KEY,
      passage_id INTEGER NOT NULL REFERENCES new_passages (id) ON DELETE CASCADE,
      recipient TEXT NOT NULL DEFAULT 'centre',
      priority INTEGER NOT NULL,
      due_t INTEGER,
      sms_sent INTEGER NOT NULL DEFAULT 0 CHECK (sms_sent IN (0, 1)),
      text_attempts INTEGER NOT NULL DEFAULT 0 CHECK (text_attempts BETWEEN 0 AND \(texts)),
      allowance INTEGER NOT NULL DEFAULT 0,
      refusals INTEGER NOT NULL DEFAULT 0,
      last_text_t INTEGER,
      worth_t INTEGER,
      outdated INTEGER NOT NULL DEFAULT 0 CHECK (outdated IN (0, 1)),
      undelivered INTEGER NOT NULL DEFAULT 0 CHECK (undelivered IN (0, 1)),
      parked_reason TEXT,
      UNIQUE (passage_id, recipient),
      CHECK (parked_reason IS NULL OR due_t IS NULL),
      CHECK (sms_sent = 0 OR due_t IS NULL)
    ) STRICT;

    -- Every text that was ever handed to a modem, with what became of it; without a delivery it is an
    -- operator's own, or the node's.
    CREATE TABLE new_texts (
      id INTEGER PRIMARY KEY,
      delivery_id INTEGER REFERENCES text_deliveries (id) ON DELETE CASCADE,
      modem INTEGER NOT NULL,
      recipient TEXT NOT NULL,
      recipient_tail TEXT NOT NULL,
      body TEXT NOT NULL,
      intent_t INTEGER NOT NULL,
      intent_ms INTEGER NOT NULL,
      outcome TEXT NOT NULL DEFAULT 'intent'
        CHECK (\(isOne("outcome", "intent", "accepted", "refused", "not_sent", "unknown"))),
      outcome_t INTEGER,
      outcome_ms INTEGER,
      error TEXT,
      sim TEXT,
      parts INTEGER NOT NULL DEFAULT 1 CHECK (parts >= 1),
      refusal TEXT,
      settled_by TEXT
    ) STRICT;

    -- What texts cost that were removed with their passages.
    CREATE TABLE charges (
      id INTEGER PRIMARY KEY,
      intent_t INTEGER NOT NULL,
      modem INTEGER NOT NULL,
      sim TEXT,
      parts INTEGER NOT NULL,
      outcome TEXT NOT NULL
    ) STRICT;

    -- Identities that a passage had here: of those that were removed since, and of those that were
    -- corrected or dated. Recording one of them again is a repetition.
    CREATE TABLE past_identities (
      client_id TEXT PRIMARY KEY,
      content_client_id TEXT NOT NULL,
      queue_id INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX past_identities_by_content ON past_identities (content_client_id);

    -- Passages of the opposite post, as far as they are known here.
    CREATE TABLE remote_passages (
      client_id TEXT PRIMARY KEY,
      server_id TEXT,
      plate_number TEXT NOT NULL,
      vehicle_type TEXT,
      checkpost TEXT,
      recorded_at_ms INTEGER NOT NULL,
      origin TEXT NOT NULL CHECK (\(isOne("origin", "server", "text")))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX remote_passages_by_plate ON remote_passages (plate_number, recorded_at_ms);
    CREATE INDEX remote_passages_by_time ON remote_passages (recorded_at_ms);

    -- What the server has under the identity of a passage, where that is something else.
    CREATE TABLE conflicts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      passage_id INTEGER NOT NULL REFERENCES new_passages (id) ON DELETE CASCADE,
      found_ms INTEGER NOT NULL,
      server_id TEXT NOT NULL,
      checkpost_id TEXT NOT NULL,
      plate_number TEXT NOT NULL,
      vehicle_type TEXT,
      recorded_at_ms INTEGER NOT NULL,
      matched_id TEXT,
      photo_path TEXT,
      -- Which of them counts; NULL while a person has to decide.
      resolution TEXT,
      resolved_ms INTEGER,
      UNIQUE (passage_id)
    ) STRICT;
    CREATE INDEX conflicts_open ON conflicts (id) WHERE resolution IS NULL;
    """

  /// What an older file held, in the new tables.
  static let movedRows = """
    INSERT INTO new_passages (id, client_id, content_client_id, plate_number, plate_number_raw,
        vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path,
        source, v1_body, undated, since_t, created_at_ms, priority, handed_on_ms)
      SELECT passages.id, client_id, content_client_id, plate_number, plate_number_raw,
        vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path,
        source, v1_body, undated, since_t, created_at_ms, priority, handed_on_ms
      FROM passages JOIN queue ON queue.id = passages.id ORDER BY passages.id;
    -- The numbers of passages that were removed are not given again.
    INSERT INTO sqlite_sequence (name, seq)
      SELECT 'new_passages', 0
      WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'new_passages');
    UPDATE sqlite_sequence
      SET seq = max(seq, coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'passages'), 0))
      WHERE name = 'new_passages';

    -- What was handed on or has no time of its own waits for somebody.
    INSERT INTO uploads (passage_id, kind, priority, status, attempts, requeues, next_t, last_error,
        last_error_class, last_attempt_at_ms, synced_t, synced_ms, open_at_ms)
      SELECT queue.id, 'passage', priority, status, attempts, requeues,
        iif(handed_on_ms IS NULL AND undated = 0 AND status <> 'synced', since_t, NULL),
        last_error, last_error_class, last_attempt_at_ms,
        iif(status = 'synced', since_t, NULL), iif(status = 'synced', last_attempt_at_ms, NULL),
        iif(undated = 0 AND status <> 'synced', recorded_at_ms, NULL)
      FROM queue JOIN passages ON passages.id = queue.id ORDER BY queue.id;

    INSERT INTO text_deliveries (id, passage_id, recipient, priority, due_t, sms_sent,
        text_attempts, allowance, refusals, last_text_t, worth_t, outdated, undelivered,
        parked_reason)
      SELECT id, id, 'centre', priority, iif(status = 'synced', NULL, text_due_t), sms_sent,
        text_attempts, allowance, refusals, last_text_t, worth_t, outdated, undelivered,
        parked_reason
      FROM queue ORDER BY id;

    INSERT INTO new_texts (id, delivery_id, modem, recipient, recipient_tail, body, intent_t,
        intent_ms, outcome, outcome_t, outcome_ms, error, sim, parts, refusal, settled_by)
      SELECT id, queue_id, modem, recipient, recipient_tail, body, intent_t,
        intent_ms, outcome, outcome_t, outcome_ms, error, sim, parts, refusal, settled_by
      FROM texts ORDER BY id;

    DROP TABLE texts;
    DROP TABLE queue;
    DROP TABLE passages;
    ALTER TABLE new_passages RENAME TO passages;
    ALTER TABLE new_texts RENAME TO texts;
    """

  /// How rows are found, and how a passage stands as a whole.
  static let deliveryIndexes = """
    CREATE INDEX passages_by_content ON passages (content_client_id);
    CREATE INDEX passages_by_plate ON passages (plate_number, recorded_at_ms);
    CREATE INDEX passages_undated ON passages (id) WHERE undated = 1;

    CREATE UNIQUE INDEX uploads_of_passage ON uploads (passage_id) WHERE \(ofPassage);
    CREATE INDEX uploads_behind ON uploads (passage_id) WHERE kind <> 'passage';
    CREATE INDEX uploads_next ON uploads (kind, next_t) WHERE \(uploadable);
    CREATE INDEX uploads_order ON uploads (kind, priority DESC, passage_id, id, next_t)
      WHERE \(uploadable);
    CREATE INDEX uploads_in_flight ON uploads (passage_id) WHERE status = 'in_flight';
    CREATE INDEX uploads_failed ON uploads (passage_id) WHERE status = 'failed';
    CREATE INDEX uploads_open ON uploads (open_at_ms) WHERE open_at_ms IS NOT NULL;
    CREATE INDEX uploads_synced ON uploads (passage_id, synced_t)
      WHERE \(ofPassage) AND status = 'synced';

    CREATE INDEX text_deliveries_due ON text_deliveries (due_t, passage_id)
      WHERE due_t IS NOT NULL;
    CREATE INDEX text_deliveries_order
      ON text_deliveries (priority DESC, passage_id, id, due_t) WHERE due_t IS NOT NULL;
    CREATE INDEX text_deliveries_parked ON text_deliveries (passage_id)
      WHERE parked_reason IS NOT NULL;
    CREATE INDEX text_deliveries_undelivered ON text_deliveries (passage_id)
      WHERE undelivered = 1;
    CREATE INDEX text_deliveries_unknown ON text_deliveries (passage_id)
      WHERE text_attempts > 0 AND sms_sent = 0;

    -- Reports know their texts; a text that is removed is looked for among them.
    CREATE INDEX inbox_by_text ON inbox (text_id) WHERE text_id IS NOT NULL;
    CREATE INDEX texts_by_delivery ON texts (delivery_id);
    CREATE UNIQUE INDEX texts_open ON texts (delivery_id) WHERE outcome = 'intent';
    CREATE INDEX texts_unknown ON texts (id) WHERE outcome = 'unknown';

    -- Where each passage stands, on its way to the server and as a text to the centre.
    CREATE VIEW queue AS
      SELECT passages.*, uploads.status, uploads.attempts, uploads.requeues, uploads.last_error,
        uploads.last_error_class, uploads.last_attempt_at_ms, uploads.synced_ms,
        uploads.server_id, text_deliveries.id AS delivery_id,
        text_deliveries.due_t AS text_due_t, coalesce(sms_sent, 0) AS sms_sent,
        coalesce(text_attempts, 0) AS text_attempts, coalesce(allowance, 0) AS allowance,
        coalesce(refusals, 0) AS refusals, last_text_t, worth_t,
        coalesce(outdated, 0) AS outdated, coalesce(undelivered, 0) AS undelivered,
        parked_reason
      FROM passages
      JOIN uploads ON uploads.passage_id = passages.id AND uploads.\(ofPassage)
      LEFT JOIN text_deliveries
        ON text_deliveries.passage_id = passages.id AND text_deliveries.recipient = 'centre';
    """
}
