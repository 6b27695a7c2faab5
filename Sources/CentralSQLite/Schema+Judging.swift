extension Schema {
  /// What came of passages, as it came: the truth that all else here follows from.
  static let evidence = """
    -- All that came of one content, and where its passage stands.
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
    CREATE UNIQUE INDEX records_received
      ON records (received_plate, received_second, received_post);
    CREATE INDEX records_place ON records (plate, second, post);
    CREATE INDEX records_retired ON records (passage) WHERE passage <> number;

    -- Every report that told something, the time of its first receipt with it.
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
      inserted_at_ms INTEGER NOT NULL,
      PRIMARY KEY (record, n)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE identities (
      client_id TEXT PRIMARY KEY NOT NULL,
      record INTEGER NOT NULL REFERENCES records(number)
    ) STRICT, WITHOUT ROWID;

    -- Names of rows that were handed in and are no identity.
    CREATE TABLE names (
      uuid TEXT PRIMARY KEY NOT NULL,
      record INTEGER NOT NULL REFERENCES records(number)
    ) STRICT, WITHOUT ROWID;

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
      inserted_at_ms INTEGER NOT NULL,
      PRIMARY KEY (record, n)
    ) STRICT, WITHOUT ROWID;

    -- Corrections that wait for their passage.
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
    ) STRICT;
    CREATE INDEX early_corrections_identity ON early_corrections (client_id);

    -- What was received is not changed: it is the evidence.
    CREATE TRIGGER records_frozen BEFORE UPDATE OF number, received_post, received_plate,
      received_second, uuid, client_id, inbox_id, inserted_at_ms ON records
    BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
    CREATE TRIGGER observations_frozen BEFORE UPDATE OF record, n, client_id, post, plate_raw,
      vehicle_type, recorded_at_ms, ranger, suffix, photo_path, channel, is_proven, clock
      ON observations
    BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
    CREATE TRIGGER observations_earlier BEFORE UPDATE OF received_at_ms, inbox_id, uuid,
      inserted_at_ms ON observations WHEN NEW.received_at_ms >= OLD.received_at_ms
    BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
    CREATE TRIGGER corrections_frozen BEFORE UPDATE ON corrections
    BEGIN SELECT RAISE(ABORT, 'a correction is not changed'); END;
    CREATE TRIGGER identities_frozen BEFORE UPDATE ON identities
    BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
    """

  /// What people read: a row of each recognised passage, made of the evidence.
  static let recognised = """
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
      is_entry INTEGER,
      CHECK ((partner IS NULL) = (is_entry IS NULL))
    ) STRICT;
    CREATE INDEX passages_plate ON passages (plate_number, recorded_at_ms);
    CREATE INDEX passages_time ON passages (recorded_at_ms, id);
    CREATE INDEX passages_post ON passages (checkpost, recorded_at_ms);

    CREATE TRIGGER passages_named BEFORE UPDATE OF id, uuid, client_id, inserted_at_ms ON passages
    WHEN NEW.id <> OLD.id OR NEW.uuid <> OLD.uuid OR NEW.client_id <> OLD.client_id
      OR NEW.inserted_at_ms <> OLD.inserted_at_ms
    BEGIN SELECT RAISE(ABORT, 'the names of a passage are not changed'); END;

    CREATE TRIGGER tally_passage AFTER INSERT ON passages BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'passages';
    END;
    CREATE TRIGGER tally_passage_gone AFTER DELETE ON passages BEGIN
      UPDATE tally SET n = n - 1 WHERE name = 'passages';
    END;
    CREATE TRIGGER heard_passage AFTER INSERT ON passages BEGIN
      INSERT INTO heard (checkpost, at_ms, passages) VALUES (NEW.checkpost, NEW.inserted_at_ms, 1)
        ON CONFLICT (checkpost) DO UPDATE
          SET at_ms = max(coalesce(at_ms, 0), excluded.at_ms), passages = passages + 1;
    END;
    CREATE TRIGGER heard_passage_moved AFTER UPDATE OF checkpost ON passages
    WHEN NEW.checkpost <> OLD.checkpost BEGIN
      UPDATE heard SET passages = passages - 1 WHERE checkpost = OLD.checkpost;
      INSERT INTO heard (checkpost, passages) VALUES (NEW.checkpost, 1)
        ON CONFLICT (checkpost) DO UPDATE SET passages = passages + 1;
    END;
    CREATE TRIGGER heard_passage_gone AFTER DELETE ON passages BEGIN
      UPDATE heard SET passages = passages - 1 WHERE checkpost = OLD.checkpost;
    END;
    """

  /// As the post counts: whoever wrote a passage down is a passage there.
  static let recorded = """
    CREATE TRIGGER heard_record AFTER INSERT ON observations WHEN NOT EXISTS (
      SELECT 1 FROM observations WHERE record = NEW.record AND suffix = NEW.suffix AND n <> NEW.n)
    BEGIN
      INSERT INTO heard (checkpost, recorded)
        SELECT received_post, 1 FROM records WHERE number = NEW.record
        ON CONFLICT (checkpost) DO UPDATE SET recorded = recorded + 1;
    END;
    """

  /// What the passages break, and what is waited for.
  static let judgement = """
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
    ) STRICT;
    CREATE INDEX violations_time ON violations (exit_earliest, entry);
    CREATE INDEX violations_plate ON violations (plate, exit_earliest, entry);
    CREATE INDEX violations_entry_needs ON violations (entry_post, entry_needs)
      WHERE entry_needs IS NOT NULL;
    CREATE INDEX violations_exit_needs ON violations (exit_post, exit_needs)
      WHERE exit_needs IS NOT NULL;
    CREATE INDEX violations_unreported ON violations (unreported_from_ms)
      WHERE unreported_from_ms IS NOT NULL;

    -- What was found each time; nothing where it was retracted.
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
      doubts TEXT,
      PRIMARY KEY (entry, number),
      CHECK ((change = 'retracted') = (kind IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER violation_revisions_frozen BEFORE UPDATE ON violation_revisions
    BEGIN SELECT RAISE(ABORT, 'a revision is not changed'); END;

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
    CREATE INDEX waiting_look ON waiting (look_at);
    CREATE INDEX waiting_told ON waiting (opposite, due_at) WHERE is_told;

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
    CREATE INDEX alerts_due ON alerts (due_at, entry);
    CREATE INDEX alerts_open ON alerts (due_at, entry) WHERE ending IS NULL;
    CREATE INDEX alerts_plate ON alerts (plate, due_at);

    INSERT INTO tally (name, n) VALUES ('violations', 0), ('alerts', 0);
    CREATE TRIGGER tally_violation AFTER INSERT ON violations WHEN NOT NEW.is_retracted BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'violations';
    END;
    CREATE TRIGGER tally_violation_changed AFTER UPDATE OF is_retracted ON violations
    WHEN NEW.is_retracted <> OLD.is_retracted BEGIN
      UPDATE tally SET n = n + iif(NEW.is_retracted, -1, 1) WHERE name = 'violations';
    END;
    CREATE TRIGGER tally_violation_gone AFTER DELETE ON violations WHEN NOT OLD.is_retracted BEGIN
      UPDATE tally SET n = n - 1 WHERE name = 'violations';
    END;
    CREATE TRIGGER tally_alert AFTER INSERT ON alerts WHEN NEW.ending IS NULL BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'alerts';
    END;
    CREATE TRIGGER tally_alert_changed AFTER UPDATE OF ending ON alerts
    WHEN (NEW.ending IS NULL) <> (OLD.ending IS NULL) BEGIN
      UPDATE tally SET n = n + iif(NEW.ending IS NULL, 1, -1) WHERE name = 'alerts';
    END;
    CREATE TRIGGER tally_alert_gone AFTER DELETE ON alerts WHEN OLD.ending IS NULL BEGIN
      UPDATE tally SET n = n - 1 WHERE name = 'alerts';
    END;

    -- What was judged by, and what has to be judged again.
    CREATE TABLE judging (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      rules TEXT,
      cause TEXT,
      -- Codes of posts with a space between; nothing where it is all of them.
      posts TEXT,
      after_plate TEXT
    ) STRICT;
    INSERT INTO judging (id) VALUES (1);
    """
}
