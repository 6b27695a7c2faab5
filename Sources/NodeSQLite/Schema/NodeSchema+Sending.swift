import NodeCore

extension NodeSchema {
  private static let receivedKinds = isOne(
    "kind", "status_report", "deliver", "part", "data", "indication", "undecodable")

  /// What the sending and receiving of texts needs beside the first tables: whose budget a text
  /// counts against, what is urgent, which report belongs to which text, and what came in as parts.
  static let sending = """
    ALTER TABLE queue ADD COLUMN priority INTEGER NOT NULL DEFAULT \(RecordRequest.standardPriority)
      CHECK (priority BETWEEN \(priorities.lowerBound) AND \(priorities.upperBound));
    ALTER TABLE queue ADD COLUMN worth_t INTEGER;
    ALTER TABLE queue ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0 CHECK (outdated IN (0, 1));
    DROP INDEX queue_text_order;
    CREATE INDEX queue_text_order ON queue (priority DESC, id, text_due_t) WHERE \(textable);

    -- The name of the modem, which stays when the order of the modems changes; the parts that the
    -- text costs; and what kind of refusal it met.
    ALTER TABLE texts ADD COLUMN sim TEXT;
    ALTER TABLE texts ADD COLUMN parts INTEGER NOT NULL DEFAULT 1 CHECK (parts >= 1);
    ALTER TABLE texts ADD COLUMN refusal TEXT;

    -- A report may prove that a refusal was none.
    DROP TRIGGER texts_outcomes;
    CREATE TRIGGER texts_outcomes BEFORE UPDATE OF outcome ON texts
    WHEN OLD.outcome <> NEW.outcome AND NOT (
      (OLD.outcome = 'intent' AND \(followsIntent))
      OR (OLD.outcome = 'unknown' AND \(settles))
      OR (OLD.outcome = 'refused' AND NEW.outcome = 'accepted'))
    BEGIN SELECT RAISE(ABORT, 'a known outcome is not changed'); END;

    CREATE TABLE new_text_parts (
      text_id INTEGER NOT NULL REFERENCES texts (id) ON DELETE CASCADE,
      part INTEGER NOT NULL,
      reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255),
      delivery TEXT CHECK (\(isOne("delivery", "delivered", "trying", "failed", "expired"))),
      delivery_status INTEGER,
      delivery_ms INTEGER,
      PRIMARY KEY (text_id, part)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_text_parts
      SELECT text_id, part, reference, delivery, delivery_status, delivery_ms FROM text_parts;
    DROP TABLE text_parts;
    ALTER TABLE new_text_parts RENAME TO text_parts;

    CREATE TABLE new_inbox (
      id INTEGER PRIMARY KEY,
      pdu TEXT NOT NULL,
      -- What stays the same when the network hands the same message over again.
      identity TEXT NOT NULL,
      times INTEGER NOT NULL DEFAULT 1,
      modem TEXT,
      received_ms INTEGER NOT NULL,
      received_t INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (\(receivedKinds)),
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
    ) STRICT;
    INSERT INTO new_inbox (id, pdu, identity, received_ms, received_t, kind, sender, text, text_id,
        error)
      SELECT id, pdu, pdu, received_ms, 0, kind, sender, text, text_id, error FROM inbox;
    DROP TABLE inbox;
    ALTER TABLE new_inbox RENAME TO inbox;
    CREATE INDEX inbox_by_identity ON inbox (identity);
    CREATE INDEX inbox_open_parts ON inbox (part_key) WHERE kind = 'part' AND whole_id IS NULL;
    CREATE INDEX inbox_open_reports ON inbox (reference)
      WHERE kind = 'status_report' AND text_id IS NULL;
    """
}
