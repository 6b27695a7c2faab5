extension Schema {
  /// What a post tells of itself, beside how many passages of it are there.
  static let heartbeats = """
    CREATE TABLE new_heard (
      checkpost TEXT PRIMARY KEY NOT NULL,
      at_ms INTEGER,
      passages INTEGER NOT NULL DEFAULT 0,
      heartbeat_at_ms INTEGER,
      last_number INTEGER,
      through_epoch INTEGER,
      waiting INTEGER,
      texted INTEGER,
      baseline INTEGER,
      CHECK ((heartbeat_at_ms IS NULL) = (last_number IS NULL)),
      CHECK ((heartbeat_at_ms IS NULL) = (waiting IS NULL)),
      CHECK ((heartbeat_at_ms IS NULL) = (texted IS NULL)),
      CHECK ((heartbeat_at_ms IS NULL) = (baseline IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_heard (checkpost, at_ms, passages)
      SELECT checkpost, max(inserted_at_ms), count(*) FROM passages GROUP BY checkpost;
    DROP TRIGGER heard_passage;
    DROP TABLE heard;
    ALTER TABLE new_heard RENAME TO heard;

    CREATE TRIGGER heard_passage AFTER INSERT ON passages BEGIN
      INSERT INTO heard (checkpost, at_ms, passages) VALUES (NEW.checkpost, NEW.inserted_at_ms, 1)
        ON CONFLICT (checkpost) DO UPDATE
          SET at_ms = max(coalesce(at_ms, 0), excluded.at_ms), passages = passages + 1;
    END;
    CREATE TRIGGER heard_passage_gone AFTER DELETE ON passages BEGIN
      UPDATE heard SET passages = passages - 1 WHERE checkpost = OLD.checkpost;
    END;
    """

  /// A message may be a heartbeat: the check of its state is a part of the table, which is built again.
  static let heartbeatMessages = """
    CREATE TABLE new_inbox (
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
      parts INTEGER,
      UNIQUE (provider, provider_id),
      CHECK ((state = 'undecodable') = (reason IS NOT NULL)),
      CHECK ((state IN ('decoded', 'duplicate')) = (client_id IS NOT NULL))
    ) STRICT;
    INSERT INTO new_inbox SELECT id, provider, provider_id, sender, recipient, kind, body,
      received_at_ms, times_received, state, reason, words, client_id, warnings, part_key, part,
      parts FROM inbox;
    DROP TABLE inbox;
    ALTER TABLE new_inbox RENAME TO inbox;

    CREATE INDEX inbox_open ON inbox (id) WHERE state = 'received';
    CREATE INDEX inbox_undecodable ON inbox (id) WHERE state = 'undecodable';
    CREATE INDEX inbox_parts ON inbox (part_key) WHERE state = 'part';

    CREATE TRIGGER inbox_frozen BEFORE UPDATE OF id, provider, provider_id, kind, body,
      received_at_ms ON inbox
    BEGIN SELECT RAISE(ABORT, 'a received message is not changed'); END;
    CREATE TRIGGER tally_received AFTER INSERT ON inbox BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'inbox' OR name = NEW.state;
    END;
    CREATE TRIGGER tally_forgotten AFTER DELETE ON inbox BEGIN
      UPDATE tally SET n = n - 1 WHERE name = 'inbox' OR name = OLD.state;
    END;
    CREATE TRIGGER tally_judged AFTER UPDATE OF state ON inbox WHEN OLD.state <> NEW.state BEGIN
      UPDATE tally SET n = n - 1 WHERE name = OLD.state;
      UPDATE tally SET n = n + 1 WHERE name = NEW.state;
    END;
    """
}
