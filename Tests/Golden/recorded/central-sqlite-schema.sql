-- user_version 0
CREATE INDEX alerts_due ON alerts (due_at, entry);
CREATE INDEX alerts_open ON alerts (due_at, entry) WHERE ending IS NULL;
CREATE INDEX alerts_plate ON alerts (plate, due_at);
CREATE INDEX audit_unknown ON audit (id) WHERE account IS NULL AND kind = 'sign_in_refused';
CREATE INDEX corrections_photo ON corrections (photo_path) WHERE photo_path IS NOT NULL;
CREATE UNIQUE INDEX earlier_places_post ON earlier_places (post, until_s, coalesce(segment, ''));
CREATE INDEX earlier_places_segment ON earlier_places (segment);
CREATE INDEX early_corrections_identity ON early_corrections (client_id);
CREATE INDEX forwards_due ON forwards (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX further_ends_post ON further_ends (post);
CREATE INDEX identities_record ON identities (record);
CREATE INDEX inbox_open ON inbox (id) WHERE state = 'received';
CREATE INDEX inbox_parts ON inbox (part_key) WHERE state = 'part';
CREATE INDEX inbox_undecodable ON inbox (id) WHERE state = 'undecodable';
CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'undecodable' AND dismissed_at_ms IS NULL;
CREATE INDEX names_record ON names (record);
CREATE INDEX observations_inbox ON observations (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX observations_photo ON observations (photo_path) WHERE photo_path IS NOT NULL;
CREATE INDEX passages_inbox ON passages (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX passages_inserted ON passages (inserted_at_ms);
CREATE INDEX passages_plate ON passages (plate_number, recorded_at_ms);
CREATE INDEX passages_post ON passages (checkpost, recorded_at_ms);
CREATE INDEX passages_received ON passages (first_received_at_ms);
CREATE INDEX passages_segment ON passages (segment, recorded_at_ms);
CREATE INDEX passages_suffix ON passages (ranger_phone_suffix, recorded_at_ms);
CREATE INDEX passages_time ON passages (recorded_at_ms, id);
CREATE INDEX passages_unreadable ON passages (uuid) WHERE NOT (plate_number NOT GLOB '*[^0-9A-Z]*' AND length(plate_number) BETWEEN 2 AND 20
  AND checkpost NOT GLOB '*[^-0-9A-Z]*' AND length(checkpost) BETWEEN 1 AND 10
  AND recorded_at_ms / 1000 BETWEEN 0 AND 9999999999);
CREATE UNIQUE INDEX posts_ends ON posts (segment, position_index) WHERE segment IS NOT NULL;
CREATE INDEX ranger_assignments_phone ON ranger_assignments (phone);
CREATE INDEX ranger_assignments_suffix ON ranger_assignments (checkpost, suffix);
CREATE INDEX rangers_suffix ON rangers (checkpost, suffix);
CREATE INDEX records_inbox ON records (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX records_place ON records (plate, second, post);
CREATE UNIQUE INDEX records_received
  ON records (received_plate, received_second, received_post);
CREATE INDEX records_retired ON records (passage) WHERE passage <> number;
CREATE INDEX sessions_open ON sessions (account, created_at_ms) WHERE ended IS NULL;
CREATE INDEX sessions_used ON sessions (refreshed_at_ms);
CREATE INDEX violation_notes_entry ON violation_notes (entry, n);
CREATE INDEX violations_changed ON violations (changed_final_ms)
  WHERE changed_final_ms IS NOT NULL;
CREATE INDEX violations_entry_needs ON violations (entry_post, entry_needs)
  WHERE entry_needs IS NOT NULL;
CREATE INDEX violations_exit ON violations (exit);
CREATE INDEX violations_exit_needs ON violations (exit_post, exit_needs)
  WHERE exit_needs IS NOT NULL;
CREATE INDEX violations_plate ON violations (plate, exit_earliest, entry);
CREATE INDEX violations_time ON violations (exit_earliest, entry);
CREATE INDEX violations_unreported ON violations (unreported_from_ms)
  WHERE unreported_from_ms IS NOT NULL;
CREATE INDEX waiting_look ON waiting (look_at);
CREATE INDEX waiting_told ON waiting (opposite, due_at) WHERE is_told;
CREATE TABLE accounts (
  id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
  email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
  full_name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('ranger', 'admin', 'service')),
  phone TEXT UNIQUE,
  checkpost TEXT REFERENCES posts(code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  password TEXT CHECK (password LIKE '$%'),
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE alerts (
  entry INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  post TEXT NOT NULL,
  plate TEXT NOT NULL,
  second INTEGER NOT NULL,
  opposite TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  raised_at_ms INTEGER NOT NULL,
  is_unheard INTEGER NOT NULL,
  ending TEXT CHECK (ending IN ('left', 'seen_again', 'withdrawn', 'expired')),
  exit INTEGER,
  ended_at_ms INTEGER,
  CHECK ((ending IS NULL) = (ended_at_ms IS NULL)),
  CHECK ((ending IS 'left') = (exit IS NOT NULL))
) STRICT;
CREATE TABLE api_keys (
  prefix TEXT PRIMARY KEY NOT NULL CHECK (length(prefix) = 8),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('anon', 'post', 'service')),
  checkpost TEXT REFERENCES posts(code),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  created_at_ms INTEGER NOT NULL,
  valid_from_ms INTEGER,
  valid_until_ms INTEGER,
  revoked_at_ms INTEGER,
  used_at_ms INTEGER,
  CHECK ((role = 'post') = (checkpost IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  account TEXT,
  api_key TEXT,
  address TEXT,
  actor TEXT,
  detail TEXT
) STRICT;
CREATE TABLE corrections (
  record INTEGER NOT NULL REFERENCES records(number),
  n INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  plate_raw TEXT,
  vehicle_type TEXT,
  post TEXT,
  recorded_at_ms INTEGER,
  author TEXT,
  made_at_ms INTEGER NOT NULL,
  inserted_at_ms INTEGER NOT NULL, withdrawal TEXT, plate TEXT, photo_path TEXT,
  PRIMARY KEY (record, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE device_clocks (
  user_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  PRIMARY KEY (user_id, device_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE dropped_photographs (
  path TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE earlier_limits (
  segment TEXT NOT NULL REFERENCES segments (name) ON DELETE CASCADE ON UPDATE CASCADE,
  until_s INTEGER NOT NULL,
  distance_m INTEGER NOT NULL,
  min_speed_mh INTEGER NOT NULL,
  max_speed_mh INTEGER NOT NULL,
  PRIMARY KEY (segment, until_s)
) STRICT, WITHOUT ROWID;
CREATE TABLE earlier_places (
  post TEXT NOT NULL REFERENCES posts (code) ON DELETE CASCADE ON UPDATE CASCADE,
  until_s INTEGER NOT NULL,
  segment TEXT REFERENCES segments (name) ON DELETE CASCADE ON UPDATE CASCADE,
  position_index INTEGER CHECK (position_index IN (0, 1)),
  CHECK ((segment IS NULL) = (position_index IS NULL))
) STRICT;
CREATE TABLE early_corrections (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL,
  plate_raw TEXT,
  vehicle_type TEXT,
  post TEXT,
  recorded_at_ms INTEGER,
  author TEXT,
  made_at_ms INTEGER NOT NULL,
  inserted_at_ms INTEGER NOT NULL
, withdrawal TEXT, plate TEXT, photo_path TEXT) STRICT;
CREATE TABLE feed (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  id TEXT NOT NULL
) STRICT;
CREATE TABLE feed_wanted (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  until_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE forwarding (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  through INTEGER NOT NULL,
  forwarded INTEGER NOT NULL
) STRICT;
CREATE TABLE forwards (
  passage INTEGER PRIMARY KEY,
  reason TEXT,
  -- When it is due again; none of one that is set aside.
  due_at_ms INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE further_ends (
  segment TEXT NOT NULL REFERENCES segments(name),
  position_index INTEGER NOT NULL CHECK (position_index IN (0, 1)),
  post TEXT NOT NULL REFERENCES posts(code),
  PRIMARY KEY (segment, position_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE "heard" (
  checkpost TEXT PRIMARY KEY NOT NULL,
  at_ms INTEGER,
  passages INTEGER NOT NULL DEFAULT 0,
  heartbeat_at_ms INTEGER,
  last_number INTEGER,
  through_epoch INTEGER,
  waiting INTEGER,
  texted INTEGER,
  baseline INTEGER, recorded INTEGER NOT NULL DEFAULT 0, reported_through INTEGER,
  CHECK ((heartbeat_at_ms IS NULL) = (last_number IS NULL)),
  CHECK ((heartbeat_at_ms IS NULL) = (waiting IS NULL)),
  CHECK ((heartbeat_at_ms IS NULL) = (texted IS NULL)),
  CHECK ((heartbeat_at_ms IS NULL) = (baseline IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE identities (
  client_id TEXT PRIMARY KEY NOT NULL,
  record INTEGER NOT NULL REFERENCES records(number)
) STRICT, WITHOUT ROWID;
CREATE TABLE "inbox" (
  id INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  sender TEXT,
  recipient TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'pdu')),
  body TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  times_received INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'received' CHECK (state IN
    ('received', 'part', 'report', 'heartbeat', 'decoded', 'duplicate', 'undecodable')),
  reason TEXT,
  words TEXT,
  client_id TEXT,
  warnings TEXT,
  part_key TEXT,
  part INTEGER,
  parts INTEGER, dismissed_at_ms INTEGER
  CHECK (dismissed_at_ms IS NULL OR state = 'undecodable'), dismissed_by TEXT
  CHECK ((dismissed_by IS NULL) = (dismissed_at_ms IS NULL)),
  UNIQUE (provider, provider_id),
  CHECK ((state = 'undecodable') = (reason IS NOT NULL)),
  CHECK ((state IN ('decoded', 'duplicate')) = (client_id IS NOT NULL))
) STRICT;
CREATE TABLE judging (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  rules TEXT,
  cause TEXT,
  -- Codes of posts with a space between; nothing where it is all of them.
  posts TEXT,
  after_plate TEXT
) STRICT;
CREATE TABLE keeping (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The second before which nothing is taken any more.
  since INTEGER,
  place TEXT CHECK (place IN ('passages', 'messages', 'audit')),
  after_ms INTEGER,
  after_id INTEGER,
  next_at_ms INTEGER,
  -- Numbers of what was dropped are not given again.
  last_record INTEGER NOT NULL DEFAULT 0,
  last_message INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE names (
  uuid TEXT PRIMARY KEY NOT NULL,
  record INTEGER NOT NULL REFERENCES records(number)
) STRICT, WITHOUT ROWID;
CREATE TABLE numbers (
  phone TEXT NOT NULL,
  checkpost TEXT NOT NULL REFERENCES posts(code),
  valid_from_ms INTEGER,
  valid_until_ms INTEGER,
  PRIMARY KEY (phone, checkpost)
) STRICT, WITHOUT ROWID;
CREATE TABLE observations (
  record INTEGER NOT NULL REFERENCES records(number),
  n INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  post TEXT NOT NULL,
  plate_raw TEXT NOT NULL,
  vehicle_type TEXT NOT NULL,
  recorded_at_ms INTEGER NOT NULL,
  ranger TEXT,
  suffix TEXT NOT NULL,
  photo_path TEXT,
  channel TEXT NOT NULL CHECK (channel IN ('upload', 'operator', 'text')),
  is_proven INTEGER NOT NULL CHECK (is_proven IN (0, 1)),
  -- Seconds by which the clock may be wrong; -1 of one that was not set.
  clock INTEGER CHECK (clock >= -1),
  received_at_ms INTEGER NOT NULL,
  inbox_id INTEGER REFERENCES inbox(id),
  uuid TEXT,
  inserted_at_ms INTEGER NOT NULL, plate TEXT,
  PRIMARY KEY (record, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE parks (
  uuid TEXT PRIMARY KEY NOT NULL CHECK (length(uuid) = 36),
  name TEXT NOT NULL UNIQUE,
  code TEXT NOT NULL UNIQUE CHECK (length(code) <= 10),
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE passages (
  id INTEGER PRIMARY KEY REFERENCES records(number),
  uuid TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL UNIQUE,
  plate_number TEXT NOT NULL,
  plate_number_raw TEXT NOT NULL,
  vehicle_type TEXT NOT NULL,
  checkpost TEXT NOT NULL,
  segment TEXT,
  recorded_at_ms INTEGER NOT NULL,
  ranger_phone_suffix TEXT NOT NULL,
  ranger TEXT,
  photo_path TEXT,
  source TEXT NOT NULL CHECK (source IN ('app', 'sms')),
  channels TEXT NOT NULL,
  is_proven INTEGER NOT NULL,
  is_corrected INTEGER NOT NULL,
  is_dated INTEGER NOT NULL,
  contradictions TEXT NOT NULL,
  inbox_id INTEGER REFERENCES inbox(id),
  first_received_at_ms INTEGER NOT NULL,
  inserted_at_ms INTEGER NOT NULL,
  -- The other end of its travel.
  partner INTEGER,
  is_entry INTEGER, exit_row INTEGER, entry_row INTEGER,
  CHECK ((partner IS NULL) = (is_entry IS NULL))
) STRICT;
CREATE TABLE plates (
  plate TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE post_marks (
  post TEXT NOT NULL,
  way TEXT NOT NULL CHECK (way IN ('devices', 'text')),
  through INTEGER NOT NULL,
  received_at_ms INTEGER NOT NULL,
  went_back_at_ms INTEGER,
  PRIMARY KEY (post, way)
) STRICT, WITHOUT ROWID;
CREATE TABLE posts (
  code TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  segment TEXT REFERENCES segments(name),
  position_index INTEGER CHECK (position_index IN (0, 1)),
  phone TEXT, is_active INTEGER NOT NULL DEFAULT 1, latitude REAL, longitude REAL,
  CHECK ((segment IS NULL) = (position_index IS NULL))
) STRICT;
CREATE TABLE profile_parks (
  profile TEXT PRIMARY KEY NOT NULL,
  park TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE ranger_assignments (
  n INTEGER PRIMARY KEY,
  phone TEXT NOT NULL REFERENCES rangers(phone),
  checkpost TEXT NOT NULL REFERENCES posts(code),
  suffix TEXT NOT NULL,
  -- Null where nobody knows of a time before, and while it lasts.
  since_ms INTEGER,
  until_ms INTEGER
) STRICT;
CREATE TABLE "rangers" (
  phone TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  checkpost TEXT REFERENCES posts(code),
  suffix TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  updated_at_ms INTEGER
) STRICT;
CREATE TABLE records (
  number INTEGER PRIMARY KEY,
  received_post TEXT NOT NULL,
  received_plate TEXT NOT NULL,
  received_second INTEGER NOT NULL,
  -- The same with its corrections.
  post TEXT NOT NULL,
  plate TEXT NOT NULL,
  second INTEGER NOT NULL,
  -- The record under which its passage stands.
  passage INTEGER,
  uuid TEXT NOT NULL,
  client_id TEXT NOT NULL,
  inbox_id INTEGER REFERENCES inbox(id),
  is_contradicted INTEGER NOT NULL DEFAULT 0 CHECK (is_contradicted IN (0, 1)),
  corrections INTEGER NOT NULL DEFAULT 0,
  -- How often something was reported that belongs to it, and when last.
  times INTEGER NOT NULL DEFAULT 1,
  last_at_ms INTEGER NOT NULL,
  inserted_at_ms INTEGER NOT NULL,
  -- Kept as it is, as evidence, and judged no more.
  is_aside INTEGER NOT NULL DEFAULT 0 CHECK (is_aside IN (0, 1))
) STRICT;
CREATE TABLE refresh_tokens (
  digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  UNIQUE (session, generation)
) STRICT, WITHOUT ROWID;
CREATE TABLE segments (
  name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
  distance_m INTEGER NOT NULL CHECK (distance_m > 0),
  min_speed_mh INTEGER NOT NULL CHECK (min_speed_mh > 0),
  max_speed_mh INTEGER NOT NULL CHECK (max_speed_mh > min_speed_mh)
, park TEXT REFERENCES parks(uuid), is_active INTEGER NOT NULL DEFAULT 1, updated_at_ms INTEGER) STRICT;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  created_at_ms INTEGER NOT NULL,
  refreshed_at_ms INTEGER NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  nonce BLOB NOT NULL,
  ended TEXT,
  ended_at_ms INTEGER,
  CHECK ((ended IS NULL) = (ended_at_ms IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE sync_metadata (
  id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
  user_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  last_sync_at INTEGER,
  last_pull_at INTEGER,
  pending_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, through INTEGER, received_at INTEGER, went_back_at INTEGER,
  UNIQUE (user_id, device_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tally (
  name TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE violation_deliveries (
  violation TEXT PRIMARY KEY NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "violation_notes" (
  n INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES violations(entry),
  kind TEXT NOT NULL
    CHECK (kind IN ('confirmed', 'seen', 'provisional', 'reported', 'unreported', 'outcome')),
  at_ms INTEGER NOT NULL,
  author TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE TABLE violation_outcomes (
  id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
  violation_id TEXT NOT NULL UNIQUE,
  outcome_type TEXT NOT NULL
    CHECK (outcome_type IN ('warned', 'fined', 'let_go', 'not_found', 'other')),
  fine_amount REAL CHECK (fine_amount >= 0),
  notes TEXT,
  recorded_by TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE violation_revisions (
  entry INTEGER NOT NULL REFERENCES violations(entry),
  number INTEGER NOT NULL,
  change TEXT NOT NULL,
  cause TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  was_final TEXT NOT NULL,
  kind TEXT,
  plate TEXT,
  segment TEXT,
  entry_post TEXT,
  entry_earliest INTEGER,
  entry_latest INTEGER,
  exit INTEGER,
  exit_post TEXT,
  exit_earliest INTEGER,
  exit_latest INTEGER,
  seconds INTEGER,
  limit_seconds INTEGER,
  is_far INTEGER,
  doubts TEXT, origins TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (entry, number),
  CHECK ((change = 'retracted') = (kind IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE violations (
  entry INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('speeding', 'overstay')),
  plate TEXT NOT NULL,
  segment TEXT NOT NULL,
  entry_post TEXT NOT NULL,
  entry_earliest INTEGER NOT NULL,
  entry_latest INTEGER NOT NULL,
  exit INTEGER NOT NULL,
  exit_post TEXT NOT NULL,
  exit_earliest INTEGER NOT NULL,
  exit_latest INTEGER NOT NULL,
  seconds INTEGER NOT NULL,
  limit_seconds INTEGER NOT NULL,
  is_far INTEGER NOT NULL,
  doubts TEXT NOT NULL,
  is_retracted INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  finality TEXT NOT NULL CHECK (finality IN ('provisional', 'reported', 'unreported')),
  confirmed_at_ms INTEGER,
  confirmed_by TEXT,
  revision INTEGER NOT NULL,
  -- What it waits for.
  entry_needs INTEGER,
  exit_needs INTEGER,
  unreported_from_ms INTEGER
, changed_final_ms INTEGER) STRICT;
CREATE TABLE waiting (
  entry INTEGER PRIMARY KEY,
  post TEXT NOT NULL,
  plate TEXT NOT NULL,
  second INTEGER NOT NULL,
  opposite TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  look_at INTEGER NOT NULL,
  is_told INTEGER NOT NULL
) STRICT;
CREATE TABLE webhook_refusals (
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  words TEXT NOT NULL,
  n INTEGER NOT NULL CHECK (n > 0),
  since_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  PRIMARY KEY (path, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE wire_names (
  kind TEXT NOT NULL CHECK (kind IN ('park', 'segment', 'post', 'profile')),
  name TEXT NOT NULL,
  uuid TEXT NOT NULL UNIQUE,
  since_ms INTEGER NOT NULL DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)),
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER api_keys_frozen BEFORE UPDATE ON api_keys
  WHEN NEW.role <> OLD.role OR NEW.digest <> OLD.digest OR NEW.checkpost IS NOT OLD.checkpost
    OR (OLD.revoked_at_ms IS NOT NULL AND NEW.revoked_at_ms IS NOT OLD.revoked_at_ms)
BEGIN SELECT RAISE(ABORT, 'a key stays what it is, and revoked'); END;
CREATE TRIGGER audit_frozen BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'what was done is not changed'); END;
CREATE TRIGGER corrections_frozen BEFORE UPDATE ON corrections
BEGIN SELECT RAISE(ABORT, 'a correction is not changed'); END;
CREATE TRIGGER device_clocks_gone AFTER DELETE ON sync_metadata
BEGIN DELETE FROM device_clocks WHERE user_id = OLD.user_id AND device_id = OLD.device_id; END;
CREATE TRIGGER feed_alerts_delete AFTER DELETE ON alerts
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('proactive_overstay_alerts', OLD.uuid); END;
CREATE TRIGGER feed_alerts_insert AFTER INSERT ON alerts
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('proactive_overstay_alerts', NEW.uuid); END;
CREATE TRIGGER feed_alerts_update AFTER UPDATE ON alerts
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('proactive_overstay_alerts', NEW.uuid); END;
CREATE TRIGGER feed_bounded AFTER INSERT ON feed
BEGIN DELETE FROM feed WHERE number <= NEW.number - 100000; END;
CREATE TRIGGER feed_passages_delete AFTER DELETE ON passages
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('vehicle_passages', OLD.uuid); END;
CREATE TRIGGER feed_passages_insert AFTER INSERT ON passages
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('vehicle_passages', NEW.uuid); END;
CREATE TRIGGER feed_passages_update AFTER UPDATE ON passages
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('vehicle_passages', NEW.uuid); END;
CREATE TRIGGER feed_told AFTER INSERT ON violation_deliveries
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
CREATE TRIGGER feed_told_anew AFTER UPDATE ON violation_deliveries
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.violation); END;
CREATE TRIGGER feed_violations_delete AFTER DELETE ON violations
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('violations', OLD.uuid); END;
CREATE TRIGGER feed_violations_insert AFTER INSERT ON violations
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.uuid); END;
CREATE TRIGGER feed_violations_update AFTER UPDATE ON violations
  WHEN EXISTS (SELECT 1 FROM feed_wanted WHERE until_ms > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed' AND seq > 4611686018427387903)
BEGIN INSERT INTO feed (kind, id) VALUES ('violations', NEW.uuid); END;
CREATE TRIGGER forwards_late AFTER INSERT ON passages
  WHEN NEW.id <= (SELECT through FROM forwarding)
BEGIN INSERT OR IGNORE INTO forwards (passage, due_at_ms) VALUES (NEW.id, 0); END;
CREATE TRIGGER forwards_retired AFTER DELETE ON passages
BEGIN DELETE FROM forwards WHERE passage = OLD.id; END;
CREATE TRIGGER forwards_withdrawn AFTER INSERT ON corrections WHEN NEW.withdrawal IS NOT NULL
BEGIN
  INSERT INTO forwards (passage, due_at_ms)
    SELECT r.passage, 0 FROM records r
      WHERE r.number = NEW.record AND r.passage <= (SELECT through FROM forwarding)
    ON CONFLICT (passage) DO UPDATE SET due_at_ms = 0, reason = NULL;
END;
CREATE TRIGGER heard_passage AFTER INSERT ON passages BEGIN
  INSERT INTO heard (checkpost, at_ms, passages) VALUES (NEW.checkpost, NEW.inserted_at_ms, 1)
    ON CONFLICT (checkpost) DO UPDATE
      SET at_ms = max(coalesce(at_ms, 0), excluded.at_ms), passages = min(max(passages, -4611686018427387904), 4611686018427387903) + 1;
END;
CREATE TRIGGER heard_passage_gone AFTER DELETE ON passages BEGIN
  UPDATE heard SET passages = min(max(passages, -4611686018427387904), 4611686018427387903) - 1 WHERE checkpost = OLD.checkpost;
END;
CREATE TRIGGER heard_passage_moved AFTER UPDATE OF checkpost ON passages
WHEN NEW.checkpost <> OLD.checkpost BEGIN
  UPDATE heard SET passages = min(max(passages, -4611686018427387904), 4611686018427387903) - 1 WHERE checkpost = OLD.checkpost;
  INSERT INTO heard (checkpost, passages) VALUES (NEW.checkpost, 1)
    ON CONFLICT (checkpost) DO UPDATE SET passages = min(max(passages, -4611686018427387904), 4611686018427387903) + 1;
END;
CREATE TRIGGER heard_record AFTER INSERT ON observations WHEN NOT EXISTS (
  SELECT 1 FROM observations WHERE record = NEW.record AND suffix = NEW.suffix AND n <> NEW.n)
BEGIN
  INSERT INTO heard (checkpost, recorded)
    SELECT received_post, 1 FROM records WHERE number = NEW.record
    ON CONFLICT (checkpost) DO UPDATE SET recorded = min(max(recorded, -4611686018427387904), 4611686018427387903) + 1;
END;
CREATE TRIGGER identities_frozen BEFORE UPDATE ON identities
BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
CREATE TRIGGER inbox_frozen BEFORE UPDATE OF id, provider, provider_id, kind, body,
  received_at_ms ON inbox
BEGIN SELECT RAISE(ABORT, 'a received message is not changed'); END;
CREATE TRIGGER keeping_since BEFORE UPDATE OF since ON keeping
  WHEN NEW.since IS NOT OLD.since AND NEW.since > coalesce(
    (SELECT max(recorded_at_ms) / 1000 FROM passages), CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) / 1000 + 315576000)
BEGIN SELECT RAISE(ABORT, 'what is yet to come is not forgotten'); END;
CREATE TRIGGER observations_earlier BEFORE UPDATE OF received_at_ms, inbox_id, uuid,
  inserted_at_ms ON observations WHEN NEW.received_at_ms >= OLD.received_at_ms
BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
CREATE TRIGGER observations_frozen BEFORE UPDATE OF record, n, client_id, post, plate_raw,
  vehicle_type, recorded_at_ms, ranger, suffix, photo_path, channel, is_proven, clock
  ON observations
BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
CREATE TRIGGER observations_plate_frozen BEFORE UPDATE OF plate ON observations
BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
CREATE TRIGGER passages_named BEFORE UPDATE OF id, uuid, client_id, inserted_at_ms ON passages
WHEN NEW.id <> OLD.id OR NEW.uuid <> OLD.uuid OR NEW.client_id <> OLD.client_id
  OR NEW.inserted_at_ms <> OLD.inserted_at_ms
BEGIN SELECT RAISE(ABORT, 'the names of a passage are not changed'); END;
CREATE TRIGGER plates_passage AFTER INSERT ON passages
BEGIN
  INSERT INTO plates (plate) SELECT NEW.plate_number
    WHERE NOT EXISTS (SELECT 1 FROM plates WHERE plate = NEW.plate_number);
END;
CREATE TRIGGER plates_passage_changed AFTER UPDATE OF plate_number ON passages
WHEN NEW.plate_number <> OLD.plate_number BEGIN
  INSERT INTO plates (plate) SELECT NEW.plate_number
    WHERE NOT EXISTS (SELECT 1 FROM plates WHERE plate = NEW.plate_number);
  DELETE FROM plates WHERE plate = OLD.plate_number
    AND NOT EXISTS (SELECT 1 FROM passages WHERE plate_number = OLD.plate_number);
END;
CREATE TRIGGER plates_passage_gone AFTER DELETE ON passages
BEGIN
  DELETE FROM plates WHERE plate = OLD.plate_number
    AND NOT EXISTS (SELECT 1 FROM passages WHERE plate_number = OLD.plate_number);
END;
CREATE TRIGGER records_frozen BEFORE UPDATE OF number, received_post, received_plate,
  received_second, uuid, client_id, inbox_id, inserted_at_ms ON records
BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
CREATE TRIGGER sessions_ended BEFORE UPDATE ON sessions
  WHEN OLD.ended IS NOT NULL AND NEW.ended IS NOT OLD.ended
BEGIN SELECT RAISE(ABORT, 'an ended session does not begin again'); END;
CREATE TRIGGER tally_alert AFTER INSERT ON alerts WHEN NEW.ending IS NULL BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + 1 WHERE name = 'alerts';
END;
CREATE TRIGGER tally_alert_changed AFTER UPDATE OF ending ON alerts
WHEN (NEW.ending IS NULL) <> (OLD.ending IS NULL) BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + iif(NEW.ending IS NULL, 1, -1) WHERE name = 'alerts';
END;
CREATE TRIGGER tally_alert_gone AFTER DELETE ON alerts WHEN OLD.ending IS NULL BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  - 1 WHERE name = 'alerts';
END;
CREATE TRIGGER tally_forgotten AFTER DELETE ON inbox BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  - 1
    WHERE name = 'inbox' OR name = OLD.state AND OLD.dismissed_at_ms IS NULL;
END;
CREATE TRIGGER tally_judged AFTER UPDATE OF state, dismissed_at_ms ON inbox
WHEN OLD.state <> NEW.state OR OLD.dismissed_at_ms IS NOT NEW.dismissed_at_ms BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  - 1 WHERE name = OLD.state AND OLD.dismissed_at_ms IS NULL;
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + 1 WHERE name = NEW.state AND NEW.dismissed_at_ms IS NULL;
END;
CREATE TRIGGER tally_passage AFTER INSERT ON passages BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + 1 WHERE name = 'passages';
END;
CREATE TRIGGER tally_passage_gone AFTER DELETE ON passages BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  - 1 WHERE name = 'passages';
END;
CREATE TRIGGER tally_received AFTER INSERT ON inbox BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + 1 WHERE name = 'inbox' OR name = NEW.state;
END;
CREATE TRIGGER tally_violation AFTER INSERT ON violations WHEN NOT NEW.is_retracted BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + 1 WHERE name = 'violations';
END;
CREATE TRIGGER tally_violation_changed AFTER UPDATE OF is_retracted ON violations
WHEN NEW.is_retracted <> OLD.is_retracted BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  + iif(NEW.is_retracted, -1, 1) WHERE name = 'violations';
END;
CREATE TRIGGER tally_violation_gone AFTER DELETE ON violations WHEN NOT OLD.is_retracted BEGIN
  UPDATE tally SET n = min(max(n, -4611686018427387904), 4611686018427387903)  - 1 WHERE name = 'violations';
END;
CREATE TRIGGER violation_notes_frozen BEFORE UPDATE ON violation_notes
BEGIN SELECT RAISE(ABORT, 'what happened is not changed'); END;
CREATE TRIGGER violation_revisions_frozen BEFORE UPDATE ON violation_revisions
BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;
CREATE TRIGGER wire_names_frozen BEFORE UPDATE ON wire_names
BEGIN SELECT RAISE(ABORT, 'a name by which others know something is not changed'); END;
CREATE VIEW api_checkposts AS SELECT w.uuid AS id, s.uuid AS segment_id, p.name, p.code,
  p.position_index, nullif(nullif(p.latitude, 9e999), -9e999) AS latitude, nullif(nullif(p.longitude, 9e999), -9e999) AS longitude, p.is_active,
  w.since_ms AS created_at,
  (SELECT coalesce(json_group_array(t.uuid), '[]') FROM (SELECT g.uuid FROM segment_ends e
    JOIN wire_names g ON g.kind = 'segment' AND g.name = e.segment
    WHERE e.post = p.code ORDER BY e.segment) AS t) AS segment_ids
  FROM posts p JOIN wire_names w ON w.kind = 'post' AND w.name = p.code
    LEFT JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment;
CREATE VIEW api_highway_segments AS SELECT w.uuid AS id, coalesce(s.park, (SELECT k.uuid FROM parks k ORDER BY k.is_active DESC, k.created_at_ms, k.uuid LIMIT 1)) AS park_id, s.name,
  s.distance_m / 1000.0 AS distance_km, s.max_speed_mh / 1000.0 AS max_speed_kmh,
  s.min_speed_mh / 1000.0 AS min_speed_kmh,
  (2 * s.distance_m * 6000 + s.max_speed_mh) / (2 * s.max_speed_mh) / 100.0 AS min_travel_time_minutes,
  (2 * s.distance_m * 6000 + s.min_speed_mh) / (2 * s.min_speed_mh) / 100.0 AS max_travel_time_minutes,
  s.is_active, w.since_ms AS created_at, coalesce(s.updated_at_ms, w.since_ms) AS updated_at,
  (SELECT coalesce(json_group_array(t.uuid), '[]') FROM (SELECT c.uuid FROM segment_ends e
    JOIN wire_names c ON c.kind = 'post' AND c.name = e.post
    WHERE e.segment = s.name ORDER BY e.position_index) AS t) AS checkpost_ids
  FROM segments s JOIN wire_names w ON w.kind = 'segment' AND w.name = s.name;
CREATE VIEW api_parks AS SELECT uuid AS id, name, code, is_active, created_at_ms AS created_at,
  updated_at_ms AS updated_at FROM parks;
CREATE VIEW api_proactive_overstay_alerts AS SELECT a.uuid AS id, e.uuid AS entry_passage_id,
  w.uuid AS segment_id, a.plate AS plate_number, CASE e.vehicle_type WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other'
  WHEN 'tractor' THEN 'other' ELSE e.vehicle_type END AS vehicle_type,
  e.recorded_at_ms AS entry_time, (a.due_at - 2) * 1000 AS expected_exit_by,
  a.ending IS NOT NULL AS resolved, a.ended_at_ms AS resolved_at,
  x.uuid AS resolved_by_passage_id, a.raised_at_ms AS created_at
  FROM alerts a LEFT JOIN passages e ON e.id = a.entry
    LEFT JOIN wire_names w ON w.kind = 'segment' AND w.name = coalesce(
      (SELECT min(i.segment) FROM held_ends i JOIN held_ends o ON o.segment = i.segment
        WHERE i.post = a.post AND o.post = a.opposite AND a.second >= coalesce(i.since_s, a.second) AND (i.until_s IS NULL OR a.second < i.until_s)
          AND a.due_at >= coalesce(o.since_s, a.due_at) AND (o.until_s IS NULL OR a.due_at < o.until_s)), e.segment)
    LEFT JOIN passages x ON x.id = a.exit
  WHERE ifnull(e.uuid, '') <> '' AND ifnull(w.uuid, '') <> '';
CREATE VIEW api_sync_metadata AS SELECT * FROM sync_metadata;
CREATE VIEW api_user_profiles AS SELECT a.id, a.full_name,
  iif(a.role = 'ranger', 'ranger', 'admin') AS role, a.phone AS phone_number,
  c.uuid AS assigned_checkpost_id, coalesce((SELECT f.park FROM profile_parks f WHERE f.profile = a.id),
  (SELECT coalesce(g.park, (SELECT k.uuid FROM parks k ORDER BY k.is_active DESC, k.created_at_ms, k.uuid LIMIT 1)) FROM posts o JOIN segments g ON g.name = o.segment
  WHERE o.code = a.checkpost), (SELECT min(k.uuid) FROM parks k HAVING count(*) = 1)) AS assigned_park_id, a.active AS is_active,
  a.created_at_ms AS created_at, a.updated_at_ms AS updated_at
  FROM accounts a LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = a.checkpost
UNION ALL SELECT w.uuid AS id, r.name AS full_name, 'ranger' AS role,
  r.phone AS phone_number, c.uuid AS assigned_checkpost_id, coalesce((SELECT f.park FROM profile_parks f WHERE f.profile = w.uuid),
  (SELECT coalesce(g.park, (SELECT k.uuid FROM parks k ORDER BY k.is_active DESC, k.created_at_ms, k.uuid LIMIT 1)) FROM posts o JOIN segments g ON g.name = o.segment
  WHERE o.code = r.checkpost), (SELECT min(k.uuid) FROM parks k HAVING count(*) = 1)) AS assigned_park_id,
  r.is_active, w.since_ms AS created_at, coalesce(r.updated_at_ms, w.since_ms) AS updated_at
  FROM rangers r JOIN wire_names w ON w.kind = 'profile' AND w.name = r.phone
    LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = r.checkpost
  WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE phone = r.phone);
CREATE VIEW api_vehicle_passages AS SELECT p.uuid AS id, p.client_id, p.plate_number,
  p.plate_number_raw, CASE p.vehicle_type WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other'
  WHEN 'tractor' THEN 'other' ELSE p.vehicle_type END AS vehicle_type, c.uuid AS checkpost_id,
  s.uuid AS segment_id, p.recorded_at_ms AS recorded_at,
  p.first_received_at_ms AS server_received_at,
  CASE WHEN p.ranger GLOB '????????-????-????-????-????????????' THEN p.ranger
  WHEN p.ranger IS NOT NULL THEN
    (SELECT iif(count(*) = 1, max(coalesce(a.id, w.uuid)), NULL) FROM rangers r
      JOIN wire_names w ON w.kind = 'profile' AND w.name = r.phone
      LEFT JOIN accounts a ON a.phone = r.phone
      WHERE r.checkpost = p.checkpost AND r.suffix = p.ranger_phone_suffix AND r.name = p.ranger)
  WHEN p.ranger_phone_suffix = '0000' THEN NULL
  ELSE (SELECT CASE count(DISTINCT iif(was, phone, NULL)) WHEN 1 THEN max(iif(was, person, NULL))
      WHEN 0 THEN CASE WHEN count(DISTINCT phone) = 1 THEN max(person)
        WHEN min(coalesce(since_ms > iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms), 0))
            AND count(DISTINCT iif(since_ms = first_ms, phone, NULL)) = 1
          THEN max(iif(since_ms = first_ms, person, NULL)) END END
    FROM (SELECT a.phone, coalesce(k.id, w.uuid) AS person, a.since_ms,
        min(a.since_ms) OVER () AS first_ms,
        coalesce(a.since_ms <= iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms), 1) AND coalesce(iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms) < a.until_ms, 1) AS was
      FROM ranger_assignments a JOIN wire_names w ON w.kind = 'profile' AND w.name = a.phone
        LEFT JOIN accounts k ON k.phone = a.phone
      WHERE a.checkpost = p.checkpost AND a.suffix = p.ranger_phone_suffix)) END AS ranger_id, p.photo_path, p.source,
  (SELECT m.uuid FROM passages m WHERE m.id = p.partner) AS matched_passage_id, p.is_entry,
  p.inserted_at_ms AS created_at
  FROM passages p LEFT JOIN wire_names c ON c.kind = 'post' AND c.name = p.checkpost
    LEFT JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment
  WHERE ifnull(c.uuid, '') <> '' AND ifnull(s.uuid, '') <> '';
CREATE VIEW api_vehicle_passages_by_identity AS SELECT p.uuid AS id, i.client_id,
  r.plate AS plate_number,
  coalesce((SELECT c.plate_raw FROM corrections c
  WHERE r.corrections > 0 AND c.record = r.number AND c.plate_raw IS NOT NULL
  ORDER BY c.made_at_ms DESC, c.client_id DESC, c.n DESC LIMIT 1),
    iif(r.plate = r.received_plate, coalesce((SELECT o.plate_raw FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.plate_raw FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), p.plate_number_raw))
    AS plate_number_raw, CASE p.vehicle_type WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other'
  WHEN 'tractor' THEN 'other' ELSE p.vehicle_type END AS vehicle_type, c.uuid AS checkpost_id,
  s.uuid AS segment_id,
  coalesce((SELECT c.recorded_at_ms FROM corrections c
  WHERE r.corrections > 0 AND c.record = r.number AND c.recorded_at_ms IS NOT NULL
  ORDER BY c.made_at_ms DESC, c.client_id DESC, c.n DESC LIMIT 1),
    iif(r.second = r.received_second, coalesce((SELECT o.recorded_at_ms FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.recorded_at_ms FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), r.second * 1000)) AS recorded_at,
  p.first_received_at_ms AS server_received_at,
  CASE WHEN coalesce(coalesce((SELECT o.ranger FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.ranger FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), p.ranger) GLOB '????????-????-????-????-????????????' THEN coalesce(coalesce((SELECT o.ranger FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.ranger FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), p.ranger)
  WHEN coalesce(coalesce((SELECT o.ranger FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.ranger FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), p.ranger) IS NOT NULL THEN
    (SELECT iif(count(*) = 1, max(coalesce(a.id, w.uuid)), NULL) FROM rangers r
      JOIN wire_names w ON w.kind = 'profile' AND w.name = r.phone
      LEFT JOIN accounts a ON a.phone = r.phone
      WHERE r.checkpost = r.post AND r.suffix = p.ranger_phone_suffix AND r.name = coalesce(coalesce((SELECT o.ranger FROM observations o
  WHERE o.record = r.number AND o.client_id = i.client_id
  ORDER BY o.channel = 'upload' DESC, o.n LIMIT 1),
  (SELECT o.ranger FROM observations o WHERE o.record = r.number ORDER BY o.n LIMIT 1)), p.ranger))
  WHEN p.ranger_phone_suffix = '0000' THEN NULL
  ELSE (SELECT CASE count(DISTINCT iif(was, phone, NULL)) WHEN 1 THEN max(iif(was, person, NULL))
      WHEN 0 THEN CASE WHEN count(DISTINCT phone) = 1 THEN max(person)
        WHEN min(coalesce(since_ms > iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms), 0))
            AND count(DISTINCT iif(since_ms = first_ms, phone, NULL)) = 1
          THEN max(iif(since_ms = first_ms, person, NULL)) END END
    FROM (SELECT a.phone, coalesce(k.id, w.uuid) AS person, a.since_ms,
        min(a.since_ms) OVER () AS first_ms,
        coalesce(a.since_ms <= iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms), 1) AND coalesce(iif(p.is_dated, p.recorded_at_ms, p.first_received_at_ms) < a.until_ms, 1) AS was
      FROM ranger_assignments a JOIN wire_names w ON w.kind = 'profile' AND w.name = a.phone
        LEFT JOIN accounts k ON k.phone = a.phone
      WHERE a.checkpost = r.post AND a.suffix = p.ranger_phone_suffix)) END AS ranger_id, p.photo_path, p.source,
  m.uuid AS matched_passage_id, p.is_entry, p.inserted_at_ms AS created_at
  FROM identities i JOIN records r ON r.number = i.record JOIN passages p ON p.id = r.passage
    JOIN wire_names c ON c.kind = 'post' AND c.name = r.post
    JOIN wire_names s ON s.kind = 'segment' AND s.name = p.segment
    LEFT JOIN passages m ON m.id = p.partner;
CREATE VIEW api_violation_outcomes AS SELECT id, violation_id, outcome_type,
  nullif(nullif(fine_amount, 9e999), -9e999) AS fine_amount, notes, recorded_by, recorded_at FROM violation_outcomes;
CREATE VIEW api_violations AS SELECT v.uuid AS id, e.uuid AS entry_passage_id,
  x.uuid AS exit_passage_id, w.uuid AS segment_id, v.kind AS violation_type,
  v.plate AS plate_number, CASE e.vehicle_type WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other'
  WHEN 'tractor' THEN 'other' ELSE e.vehicle_type END AS vehicle_type,
  e.recorded_at_ms AS entry_time, x.recorded_at_ms AS exit_time,
  (2 * v.seconds * 100 + 60) / (2 * 60) / 100.0 AS travel_time_minutes,
  (2 * coalesce(h.distance_m, s.distance_m) * 6000 + iif(v.kind = 'speeding', coalesce(h.max_speed_mh, s.max_speed_mh), coalesce(h.min_speed_mh, s.min_speed_mh))) / (2 * iif(v.kind = 'speeding', coalesce(h.max_speed_mh, s.max_speed_mh), coalesce(h.min_speed_mh, s.min_speed_mh))) / 100.0
    AS threshold_minutes,
  min(9999.99, (2 * coalesce(h.distance_m, s.distance_m) * 360 + max(v.seconds, 1)) / (2 * max(v.seconds, 1)) / 100.0) AS calculated_speed_kmh,
  iif(v.kind = 'speeding', coalesce(h.max_speed_mh, s.max_speed_mh), coalesce(h.min_speed_mh, s.min_speed_mh)) / 1000.0 AS speed_limit_kmh,
  coalesce(h.distance_m, s.distance_m) / 1000.0 AS distance_km,
  (SELECT d.at_ms FROM violation_deliveries d WHERE d.violation = v.uuid) AS alert_delivered_at, v.since_ms AS created_at,
  v.is_retracted, v.finality,
  iif(v.doubts = '', '[]', '["' || replace(v.doubts, ' ', '","') || '"]') AS doubts
  FROM violations v JOIN passages e ON e.id = v.entry JOIN passages x ON x.id = v.exit
    JOIN segments s ON s.name = v.segment
    -- By what held when the vehicle came.
    LEFT JOIN earlier_limits h ON h.segment = v.segment AND h.until_s = (
      SELECT min(l.until_s) FROM earlier_limits l WHERE l.segment = v.segment AND l.until_s > v.entry_earliest)
    JOIN wire_names w ON w.kind = 'segment' AND w.name = v.segment
  WHERE NOT v.is_retracted
    OR EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = v.uuid);
CREATE VIEW held_ends AS
  SELECT e.segment, e.position_index, e.post,
    (SELECT max(o.until_s) FROM earlier_places o WHERE o.post = e.post) AS since_s, NULL AS until_s
  FROM segment_ends e
  UNION ALL SELECT p.segment, p.position_index, p.post,
    (SELECT max(o.until_s) FROM earlier_places o WHERE o.post = p.post AND o.until_s < p.until_s), p.until_s
  FROM earlier_places p WHERE p.segment IS NOT NULL;
CREATE VIEW segment_ends AS
  SELECT segment, position_index, code AS post FROM posts WHERE segment IS NOT NULL
  UNION ALL SELECT segment, position_index, post FROM further_ends;
