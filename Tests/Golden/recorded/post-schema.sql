-- user_version 0
CREATE INDEX conflicts_open ON conflicts (id) WHERE resolution IS NULL;
CREATE INDEX inbox_by_identity ON inbox (identity);
CREATE INDEX inbox_by_text ON inbox (text_id) WHERE text_id IS NOT NULL;
CREATE INDEX inbox_open_parts ON inbox (part_key) WHERE kind = 'part' AND whole_id IS NULL;
CREATE INDEX inbox_open_reports ON inbox (reference)
  WHERE kind = 'status_report' AND text_id IS NULL AND error IS NULL;
CREATE INDEX outgoing_texts_waiting ON outgoing_texts (id) WHERE state = 'waiting';
CREATE INDEX passages_aside ON passages (id)
  WHERE on_hold_reason IS NOT NULL OR withdrawn_ms IS NOT NULL;
CREATE INDEX passages_by_content ON passages (content_client_id);
CREATE INDEX passages_by_plate ON passages (plate_number, recorded_at_ms);
CREATE INDEX passages_undated ON passages (id) WHERE undated = 1;
CREATE INDEX passages_withdrawn ON passages (withdrawn_t) WHERE withdrawn_t IS NOT NULL;
CREATE INDEX past_identities_by_content ON past_identities (content_client_id);
CREATE INDEX photos_left_out_by_time ON photos_left_out (left_out_t);
CREATE INDEX remote_passages_by_plate ON remote_passages (plate_number, recorded_at_ms);
CREATE INDEX remote_passages_by_time ON remote_passages (recorded_at_ms);
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
CREATE INDEX texts_by_delivery ON texts (delivery_id);
CREATE UNIQUE INDEX texts_open ON texts (delivery_id) WHERE outcome = 'intent';
CREATE INDEX texts_unknown ON texts (id) WHERE outcome = 'unknown';
CREATE INDEX uploads_again ON uploads (next_t)
  WHERE status = 'failed' AND next_t IS NOT NULL;
CREATE INDEX uploads_behind ON uploads (passage_id) WHERE kind <> 'passage';
CREATE INDEX uploads_failed ON uploads (passage_id) WHERE status = 'failed';
CREATE INDEX uploads_in_flight ON uploads (passage_id) WHERE status = 'in_flight';
CREATE INDEX uploads_missed ON uploads (missed_t)
  WHERE missed_t IS NOT NULL AND kind = 'passage' AND (status = 'pending' OR status = 'failed');
CREATE INDEX uploads_next ON uploads (kind, next_t) WHERE status = 'pending' AND next_t IS NOT NULL;
CREATE UNIQUE INDEX uploads_of_passage ON uploads (passage_id) WHERE kind = 'passage';
CREATE INDEX uploads_open ON uploads (open_at_ms) WHERE open_at_ms IS NOT NULL;
CREATE INDEX uploads_order ON uploads (kind, priority DESC, passage_id, id, next_t)
  WHERE status = 'pending' AND next_t IS NOT NULL;
CREATE INDEX uploads_photos_kept ON uploads (passage_id)
  WHERE kind = 'photo' AND status = 'synced' AND dropped_ms IS NULL;
CREATE INDEX uploads_synced ON uploads (passage_id, synced_t)
  WHERE kind = 'passage' AND status = 'synced';
CREATE TABLE boots (
  start_t INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL
) STRICT;
CREATE TABLE charges (
  id INTEGER PRIMARY KEY,
  intent_t INTEGER NOT NULL,
  modem INTEGER NOT NULL,
  sim TEXT,
  parts INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT;
CREATE TABLE conflicts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  passage_id INTEGER NOT NULL REFERENCES "passages" (id) ON DELETE CASCADE,
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
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE "inbox" (
  id INTEGER PRIMARY KEY,
  pdu TEXT NOT NULL,
  -- What stays the same when the network hands the same message over again.
  identity TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  modem TEXT,
  received_ms INTEGER NOT NULL,
  received_t INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK ((kind = 'status_report' OR kind = 'deliver' OR kind = 'part' OR kind = 'data' OR kind = 'indication' OR kind = 'undecodable')),
  sender TEXT,
  text TEXT,
  message_class INTEGER,
  part_key TEXT,
  part INTEGER,
  parts INTEGER,
  -- The message that a part has become a piece of.
  whole_id INTEGER,
  text_id INTEGER REFERENCES texts (id),
  reference INTEGER,
  recipient_tail TEXT,
  delivery TEXT,
  delivery_status INTEGER,
  error TEXT
, taken_ms INTEGER, discharged_ms INTEGER) STRICT;
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE outgoing_texts (
  id INTEGER PRIMARY KEY,
  recipient TEXT NOT NULL,
  body TEXT NOT NULL,
  modem TEXT,
  parts INTEGER NOT NULL CHECK (parts > 0),
  queued_t INTEGER NOT NULL,
  queued_ms INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting'
    CHECK ((state = 'waiting' OR state = 'begun' OR state = 'withdrawn' OR state = 'not_sent')),
  changed_ms INTEGER CHECK ((changed_ms IS NULL) = (state = 'waiting')),
  reason TEXT
) STRICT;
CREATE TABLE "passages" (
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
    CHECK (priority BETWEEN 0 AND 2),
  handed_on_ms INTEGER,
  revision INTEGER NOT NULL DEFAULT 0,
  -- By what the clock was set when the passage was recorded, and how far it was from the server's.
  clock_source TEXT,
  clock_skew_s INTEGER
, on_hold_reason TEXT, withdrawn_ms INTEGER, withdrawn_reason TEXT, corrects INTEGER, withdrawn_t INTEGER) STRICT;
CREATE TABLE past_identities (
  client_id TEXT PRIMARY KEY,
  content_client_id TEXT NOT NULL,
  queue_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE photos_left_out (
  passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
  left_out_t INTEGER NOT NULL,
  left_out_ms INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE remote_passages (
  client_id TEXT PRIMARY KEY,
  server_id TEXT,
  plate_number TEXT NOT NULL,
  vehicle_type TEXT,
  checkpost TEXT,
  recorded_at_ms INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK ((origin = 'server' OR origin = 'text'))
) STRICT, WITHOUT ROWID;
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE tally (
  name TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE text_deliveries (
  id INTEGER PRIMARY KEY,
  passage_id INTEGER NOT NULL REFERENCES "passages" (id) ON DELETE CASCADE,
  recipient TEXT NOT NULL DEFAULT 'centre',
  priority INTEGER NOT NULL,
  due_t INTEGER,
  sms_sent INTEGER NOT NULL DEFAULT 0 CHECK (sms_sent IN (0, 1)),
  text_attempts INTEGER NOT NULL DEFAULT 0 CHECK (text_attempts BETWEEN 0 AND 3),
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
CREATE TABLE "text_parts" (
  text_id INTEGER NOT NULL REFERENCES texts (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255),
  delivery TEXT CHECK ((delivery = 'delivered' OR delivery = 'trying' OR delivery = 'failed' OR delivery = 'expired')),
  delivery_status INTEGER,
  delivery_ms INTEGER,
  PRIMARY KEY (text_id, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE text_recipients (
  -- As `text_deliveries` has it: 'opposite', or a number.
  recipient TEXT PRIMARY KEY CHECK (recipient = 'opposite' OR recipient LIKE '+%'),
  -- In which order a passage goes to them.
  place INTEGER NOT NULL UNIQUE CHECK (place BETWEEN 0 AND 8)
) STRICT, WITHOUT ROWID;
CREATE TABLE "texts" (
  id INTEGER PRIMARY KEY,
  delivery_id INTEGER REFERENCES text_deliveries (id) ON DELETE CASCADE,
  modem INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  recipient_tail TEXT NOT NULL,
  body TEXT NOT NULL,
  intent_t INTEGER NOT NULL,
  intent_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL DEFAULT 'intent'
    CHECK ((outcome = 'intent' OR outcome = 'accepted' OR outcome = 'refused' OR outcome = 'not_sent' OR outcome = 'unknown')),
  outcome_t INTEGER,
  outcome_ms INTEGER,
  error TEXT,
  sim TEXT,
  parts INTEGER NOT NULL DEFAULT 1 CHECK (parts >= 1),
  refusal TEXT,
  settled_by TEXT
, is_heartbeat INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  passage_id INTEGER NOT NULL REFERENCES "passages" (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK ((kind = 'passage' OR kind = 'photo' OR kind = 'correction')),
  priority INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK ((status = 'pending' OR status = 'in_flight' OR status = 'synced' OR status = 'failed')),
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
  photo_type TEXT, missed_t INTEGER, refusal TEXT CHECK ((refusal = 'value' OR refusal = 'policy' OR refusal = 'attempts')), stored_ms INTEGER, dropped_ms INTEGER, withdrawal TEXT,
  CHECK (kind <> 'correction' OR new_plate IS NOT NULL),
  CHECK (kind <> 'photo'
    OR photo_file IS NOT NULL AND photo_bytes IS NOT NULL AND photo_type IS NOT NULL)
) STRICT;
CREATE TRIGGER outgoing_texts_end BEFORE UPDATE OF state ON outgoing_texts
WHEN OLD.state <> 'waiting' BEGIN
  SELECT RAISE(ABORT, 'this text does not wait any more');
END;
CREATE TRIGGER passages_age_stays BEFORE UPDATE OF since_t, created_at_ms ON passages
WHEN NEW.since_t <> OLD.since_t OR NEW.created_at_ms <> OLD.created_at_ms
BEGIN SELECT RAISE(ABORT, 'the age of a passage is not changed'); END;
CREATE TRIGGER passages_frozen BEFORE UPDATE OF id, client_id, content_client_id,
  plate_number, plate_number_raw, vehicle_type, checkpost, segment, recorded_at_ms,
  ranger_phone_suffix, ranger, source, v1_body, undated ON passages
WHEN NEW.id <> OLD.id OR NEW.revision <> OLD.revision + 1 OR (EXISTS (SELECT 1 FROM uploads WHERE passage_id = OLD.id AND kind = 'passage'
    AND NOT (status = 'pending' AND last_attempt_at_ms IS NULL)
    AND NOT (status = 'failed' AND last_error_class = 'permanent'))
  OR EXISTS (SELECT 1 FROM text_deliveries
    JOIN texts ON texts.delivery_id = text_deliveries.id
    WHERE passage_id = OLD.id
      AND (outcome = 'accepted' OR outcome = 'unknown' OR outcome = 'intent')))
BEGIN SELECT RAISE(ABORT, 'a recorded passage is not changed'); END;
CREATE TRIGGER passages_go_to_the_server AFTER INSERT ON passages BEGIN
  INSERT INTO uploads (passage_id, kind, priority, next_t, open_at_ms)
  VALUES (NEW.id, 'passage', NEW.priority, iif(NEW.undated, NULL, NEW.since_t),
    iif(NEW.undated, NULL, NEW.recorded_at_ms));
END;
CREATE TRIGGER passages_kept BEFORE DELETE ON passages
WHEN EXISTS (SELECT 1 FROM uploads WHERE passage_id = OLD.id AND status <> 'synced'
    AND (OLD.withdrawn_t IS NULL OR status = 'in_flight' OR withdrawal IS NOT NULL))
  OR EXISTS (SELECT 1 FROM text_deliveries JOIN texts ON delivery_id = text_deliveries.id
    WHERE passage_id = OLD.id AND outcome = 'intent')
BEGIN SELECT RAISE(ABORT, 'only a synced passage may be removed'); END;
CREATE TRIGGER passages_withdrawn_stay BEFORE UPDATE OF withdrawn_ms ON passages
WHEN OLD.withdrawn_ms IS NOT NULL AND NEW.withdrawn_ms IS NOT OLD.withdrawn_ms
BEGIN SELECT RAISE(ABORT, 'what was withdrawn stays withdrawn'); END;
CREATE TRIGGER tally_handed_on AFTER UPDATE OF handed_on_ms ON passages
WHEN (OLD.handed_on_ms IS NULL) <> (NEW.handed_on_ms IS NULL)
  AND EXISTS (SELECT 1 FROM uploads WHERE passage_id = NEW.id AND kind = 'passage'
  AND (status = 'pending' OR status = 'failed')) BEGIN
  UPDATE tally SET n = n + iif(NEW.handed_on_ms IS NULL, -1, 1) WHERE name = 'handed_on';
  UPDATE tally SET n = n + iif(NEW.handed_on_ms IS NULL, 1, -1)
  WHERE name = 'texted_live' AND EXISTS (SELECT 1 FROM text_deliveries
  WHERE passage_id = NEW.id AND recipient = 'centre' AND sms_sent = 1
    AND undelivered = 0);
END;
CREATE TRIGGER tally_parked AFTER UPDATE OF parked_reason ON text_deliveries
WHEN (OLD.parked_reason IS NULL) <> (NEW.parked_reason IS NULL)
  AND NEW.recipient = 'centre' BEGIN
  UPDATE tally SET n = n + iif(NEW.parked_reason IS NULL, -1, 1) WHERE name = 'parked';
END;
CREATE TRIGGER tally_text_delete AFTER DELETE ON text_deliveries
WHEN OLD.recipient = 'centre' BEGIN
  UPDATE tally SET n = n - 1
  WHERE (name = 'waiting' AND OLD.due_t IS NOT NULL)
    OR (name = 'texted' AND OLD.sms_sent = 1)
    OR (name = 'parked' AND OLD.parked_reason IS NOT NULL);
END;
CREATE TRIGGER tally_text_due AFTER UPDATE OF due_t ON text_deliveries
WHEN (OLD.due_t IS NULL) <> (NEW.due_t IS NULL) AND NEW.recipient = 'centre' BEGIN
  UPDATE tally SET n = n + iif(NEW.due_t IS NULL, -1, 1) WHERE name = 'waiting';
END;
CREATE TRIGGER tally_text_insert AFTER INSERT ON text_deliveries
WHEN NEW.due_t IS NOT NULL AND NEW.recipient = 'centre' BEGIN
  UPDATE tally SET n = n + 1 WHERE name = 'waiting';
END;
CREATE TRIGGER tally_texted AFTER UPDATE OF sms_sent ON text_deliveries
WHEN OLD.sms_sent <> NEW.sms_sent AND NEW.recipient = 'centre' BEGIN
  UPDATE tally SET n = n + NEW.sms_sent - OLD.sms_sent WHERE name = 'texted';
END;
CREATE TRIGGER tally_texted_ever AFTER UPDATE OF sms_sent ON text_deliveries
WHEN OLD.sms_sent <> NEW.sms_sent AND NEW.recipient = 'centre' BEGIN
  UPDATE tally SET n = n + NEW.sms_sent - OLD.sms_sent WHERE name = 'texted_ever';
END;
CREATE TRIGGER tally_texted_live AFTER UPDATE OF sms_sent, undelivered ON text_deliveries
WHEN NEW.recipient = 'centre' AND (OLD.sms_sent = 1 AND OLD.undelivered = 0) <> (NEW.sms_sent = 1 AND NEW.undelivered = 0)
  AND EXISTS (SELECT 1 FROM uploads WHERE passage_id = NEW.passage_id AND kind = 'passage'
  AND (status = 'pending' OR status = 'failed'))
  AND EXISTS (SELECT 1 FROM passages WHERE id = NEW.passage_id AND handed_on_ms IS NULL)
BEGIN
  UPDATE tally SET n = n + iif((NEW.sms_sent = 1 AND NEW.undelivered = 0), 1, -1) WHERE name = 'texted_live';
END;
CREATE TRIGGER tally_upload_behind AFTER UPDATE OF status ON uploads
WHEN NEW.kind <> 'passage' AND NEW.status = 'synced' AND OLD.status <> 'synced' BEGIN
  UPDATE tally SET n = n - 1
  WHERE name = iif(NEW.kind = 'photo', 'photos', 'corrections');
END;
CREATE TRIGGER tally_upload_delete AFTER DELETE ON uploads BEGIN
  UPDATE tally SET n = n - 1 WHERE OLD.kind = 'passage' AND name = OLD.status;
END;
CREATE TRIGGER tally_upload_insert AFTER INSERT ON uploads BEGIN
  UPDATE tally SET n = n + 1 WHERE name = CASE NEW.kind
    WHEN 'passage' THEN 'pending' WHEN 'photo' THEN 'photos' ELSE 'corrections' END;
  UPDATE tally SET n = n + 1
    WHERE name = 'backlog' AND NEW.kind = 'passage' AND (NEW.status = 'pending' AND NEW.next_t IS NOT NULL);
END;
CREATE TRIGGER tally_upload_open AFTER UPDATE OF status ON uploads
WHEN NEW.kind = 'passage' AND (OLD.status = 'pending' OR OLD.status = 'failed') <> (NEW.status = 'pending' OR NEW.status = 'failed') BEGIN
  UPDATE tally SET n = n + iif((NEW.status = 'pending' OR NEW.status = 'failed'), 1, -1)
  WHERE name = (SELECT iif(handed_on_ms IS NOT NULL, 'handed_on',
      iif(EXISTS (SELECT 1 FROM text_deliveries
  WHERE passage_id = NEW.passage_id AND recipient = 'centre' AND sms_sent = 1
    AND undelivered = 0), 'texted_live', NULL))
    FROM passages WHERE id = NEW.passage_id);
END;
CREATE TRIGGER tally_upload_status AFTER UPDATE OF status ON uploads
WHEN NEW.kind = 'passage' AND OLD.status <> NEW.status BEGIN
  UPDATE tally SET n = n - 1 WHERE name = OLD.status;
  UPDATE tally SET n = n + 1 WHERE name = NEW.status;
END;
CREATE TRIGGER tally_upload_turn AFTER UPDATE OF status, next_t ON uploads
WHEN NEW.kind = 'passage' AND (OLD.status = 'pending' AND OLD.next_t IS NOT NULL) <> (NEW.status = 'pending' AND NEW.next_t IS NOT NULL) BEGIN
  UPDATE tally SET n = n + iif((NEW.status = 'pending' AND NEW.next_t IS NOT NULL), 1, -1) WHERE name = 'backlog';
END;
CREATE TRIGGER text_deliveries_due BEFORE UPDATE OF due_t ON text_deliveries
WHEN NEW.due_t IS NOT NULL AND EXISTS (
  SELECT 1 FROM passages JOIN uploads ON passage_id = passages.id AND kind = 'passage'
  WHERE passages.id = NEW.passage_id
    AND (status = 'synced' OR undated = 1 OR handed_on_ms IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'no text is due for this passage'); END;
CREATE TRIGGER text_deliveries_kept BEFORE DELETE ON text_deliveries
WHEN EXISTS (SELECT 1 FROM passages WHERE id = OLD.passage_id)
BEGIN SELECT RAISE(ABORT, 'a text delivery is removed with its passage only'); END;
CREATE TRIGGER text_deliveries_kept_here BEFORE UPDATE OF due_t ON text_deliveries
WHEN NEW.due_t IS NOT NULL AND EXISTS (
  SELECT 1 FROM passages WHERE id = NEW.passage_id
    AND (withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'no text is due for a passage that is kept here'); END;
CREATE TRIGGER text_deliveries_texted_stays BEFORE UPDATE OF sms_sent ON text_deliveries
WHEN OLD.sms_sent = 1 AND NEW.sms_sent = 0 AND NOT (EXISTS (SELECT 1 FROM texts WHERE delivery_id = OLD.id AND outcome = 'accepted')
  AND NOT EXISTS (SELECT 1 FROM texts
    WHERE delivery_id = OLD.id AND outcome = 'accepted' AND NOT EXISTS (
      SELECT 1 FROM text_parts WHERE text_id = texts.id AND (delivery = 'failed'
        OR (delivery = 'expired' AND delivery_status IS NOT NULL)))))
BEGIN SELECT RAISE(ABORT, 'a texted passage stays texted'); END;
CREATE TRIGGER texts_frozen BEFORE UPDATE OF id, delivery_id, modem, recipient,
  recipient_tail, body, intent_t, intent_ms ON texts
BEGIN SELECT RAISE(ABORT, 'what was sent is not changed'); END;
CREATE TRIGGER texts_not_of_kept_here BEFORE INSERT ON texts
WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM text_deliveries JOIN passages ON passages.id = passage_id
  WHERE text_deliveries.id = NEW.delivery_id
    AND (withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'no text may be sent for a passage that is kept here'); END;
CREATE TRIGGER texts_once BEFORE INSERT ON texts
WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM text_deliveries
  JOIN passages ON passages.id = text_deliveries.passage_id
  JOIN uploads ON uploads.passage_id = passages.id AND uploads.kind = 'passage'
  WHERE text_deliveries.id = NEW.delivery_id
    AND (sms_sent = 1 OR text_attempts >= 3
      OR NOT (uploads.status = 'pending' OR uploads.status = 'failed')
      OR parked_reason IS NOT NULL OR handed_on_ms IS NOT NULL OR undated = 1
      OR (text_deliveries.recipient = 'centre' AND v1_body <> NEW.body)))
BEGIN SELECT RAISE(ABORT, 'no text may be sent for this passage'); END;
CREATE TRIGGER texts_outcomes BEFORE UPDATE OF outcome ON texts
WHEN OLD.outcome <> NEW.outcome AND NOT (
  (OLD.outcome = 'intent' AND (NEW.outcome = 'accepted' OR NEW.outcome = 'refused' OR NEW.outcome = 'not_sent' OR NEW.outcome = 'unknown'))
  OR (OLD.outcome = 'unknown' AND (NEW.outcome = 'accepted' OR NEW.outcome = 'refused' OR NEW.outcome = 'not_sent'))
  OR (OLD.outcome = 'refused' AND NEW.outcome = 'accepted'))
BEGIN SELECT RAISE(ABORT, 'a known outcome is not changed'); END;
CREATE TRIGGER texts_start_as_intent BEFORE INSERT ON texts
WHEN NEW.outcome <> 'intent'
BEGIN SELECT RAISE(ABORT, 'a text starts as an intent'); END;
CREATE TRIGGER texts_to_their_number BEFORE INSERT ON texts
WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM text_deliveries
  WHERE id = NEW.delivery_id AND recipient LIKE '+%' AND recipient <> NEW.recipient)
BEGIN SELECT RAISE(ABORT, 'this text is for another number'); END;
CREATE TRIGGER uploads_begin_kept_here AFTER INSERT ON uploads
WHEN NEW.kind <> 'passage' AND NEW.next_t IS NOT NULL AND EXISTS (SELECT 1 FROM passages WHERE passages.id = NEW.passage_id
  AND (on_hold_reason IS NOT NULL
    OR withdrawn_ms IS NOT NULL AND (NEW.kind = 'photo' OR NOT EXISTS (
      SELECT 1 FROM uploads AS told
      WHERE told.passage_id = NEW.passage_id AND told.kind <> 'passage'
        AND told.withdrawal IS NOT NULL))))
BEGIN UPDATE uploads SET next_t = NULL WHERE id = NEW.id; END;
CREATE TRIGGER uploads_behind_wait BEFORE UPDATE OF status ON uploads
WHEN NEW.status = 'in_flight' AND NEW.kind <> 'passage' AND NOT EXISTS (
  SELECT 1 FROM uploads WHERE passage_id = NEW.passage_id AND kind = 'passage'
    AND status = 'synced')
BEGIN SELECT RAISE(ABORT, 'the server does not have the passage yet'); END;
CREATE TRIGGER uploads_kept BEFORE DELETE ON uploads
WHEN EXISTS (SELECT 1 FROM passages WHERE id = OLD.passage_id)
BEGIN SELECT RAISE(ABORT, 'an upload is removed with its passage only'); END;
CREATE TRIGGER uploads_kept_here AFTER UPDATE OF status, next_t ON uploads
WHEN NEW.status = 'pending' AND NEW.next_t IS NOT NULL AND EXISTS (SELECT 1 FROM passages WHERE passages.id = NEW.passage_id
  AND (on_hold_reason IS NOT NULL
    OR withdrawn_ms IS NOT NULL AND (NEW.kind = 'photo' OR NOT EXISTS (
      SELECT 1 FROM uploads AS told
      WHERE told.passage_id = NEW.passage_id AND told.kind <> 'passage'
        AND told.withdrawal IS NOT NULL))))
BEGIN UPDATE uploads SET next_t = NULL WHERE id = NEW.id; END;
CREATE TRIGGER uploads_start_pending BEFORE INSERT ON uploads
WHEN NEW.status <> 'pending' OR NEW.attempts <> 0 OR NEW.requeues <> 0
BEGIN SELECT RAISE(ABORT, 'what is to be uploaded starts as pending'); END;
CREATE TRIGGER uploads_stay BEFORE UPDATE OF id, passage_id, kind ON uploads
BEGIN SELECT RAISE(ABORT, 'what an upload is does not change'); END;
CREATE TRIGGER uploads_synced_stays BEFORE UPDATE OF status, attempts, requeues ON uploads
WHEN OLD.status = 'synced' AND (NEW.status <> 'synced' OR NEW.attempts <> OLD.attempts
  OR NEW.requeues <> OLD.requeues)
BEGIN SELECT RAISE(ABORT, 'what the server has stays synced'); END;
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
  JOIN uploads ON uploads.passage_id = passages.id AND uploads.kind = 'passage'
  LEFT JOIN text_deliveries
    ON text_deliveries.passage_id = passages.id AND text_deliveries.recipient = 'centre';
