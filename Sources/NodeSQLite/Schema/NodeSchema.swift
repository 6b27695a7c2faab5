import GRDB
import NodeCore

/// The tables of a node's store, and how older files become newer ones.
///
/// A row holds what was observed: recorded, texted with reference 17, answered. The rules that must
/// never be broken stand in the database itself, as checks and triggers, so that no program that
/// opens the file can break them.
enum NodeSchema {
  /// `CkpN`: marks a file as a node's store.
  static let applicationID: Int32 = 0x436B_704E

  /// How often a passage was handed to the server by the versions before the eighth; since then the core
  /// alone counts.
  static let attempts = 5
  /// What the rules below are told by the core: how many texts of a passage may be on air, and how urgent
  /// it may be. A file keeps those that it was made with.
  static let texts = NodeCore.Limits.textsPerPassage
  static let priorities = NodeCore.Limits.priorities

  /// What a queue row had to be for a text before the eighth version.
  static let textable = "text_due_t IS NOT NULL AND status IN ('pending', 'failed')"

  /// The condition that a column has one of these values, for checks and triggers. For a list of three
  /// or more SQLite makes a table of its own each time it looks, which costs more than the row itself.
  static func isOne(_ column: String, _ values: String...) -> String {
    "(" + values.map { "\(column) = '\($0)'" }.joined(separator: " OR ") + ")"
  }

  /// The outcomes that follow an intent.
  static let followsIntent = isOne("NEW.outcome", "accepted", "refused", "not_sent", "unknown")
  /// The outcomes that settle an unknown one.
  static let settles = isOne("NEW.outcome", "accepted", "refused", "not_sent")

  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("1: passages, queue, texts, log, inbox") { database in
      try database.execute(sql: tables)
      try database.execute(sql: rules)
      try database.execute(sql: tallies)
    }
    migrator.registerMigration("2: fewer indexes of texts") { database in
      try database.execute(sql: fewerIndexes)
    }
    migrator.registerMigration("3: budgets, priorities, reports, parts") { database in
      try database.execute(sql: sending)
    }
    migrator.registerMigration("4: texts that were not delivered") { database in
      try database.execute(sql: undelivered)
    }
    migrator.registerMigration("5: times of reports, of starts and of passages") { database in
      try database.execute(sql: times)
    }
    migrator.registerMigration("6: names of columns, no table of events") { database in
      try database.execute(sql: names)
    }
    migrator.registerMigration("7: passages that were handed on") { database in
      try database.execute(sql: handedOn)
    }
    migrator.registerMigration("8: deliveries apart from passages") { database in
      try database.execute(sql: deliveries)
      try database.execute(sql: movedRows)
      try database.execute(sql: deliveryIndexes)
      try database.execute(sql: deliveryRules)
      try database.execute(sql: deliveryTallies)
    }
    migrator.registerMigration("9: heartbeats") { database in
      try database.execute(sql: heartbeats)
    }
    migrator.registerMigration("10: texts to the opposite post") { database in
      try database.execute(sql: recipients)
    }
    migrator.registerMigration("11: recipients of texts") { database in
      try database.execute(sql: textRecipients)
    }
    migrator.registerMigration("12: why and since when uploads are not taken") { database in
      try database.execute(sql: refusals)
    }
    migrator.registerMigration("13: photographs that are stored or left out") { database in
      try database.execute(sql: photographs)
    }
    migrator.registerMigration("14: passages on hold and withdrawn") { database in
      try database.execute(sql: withdrawals)
    }
    migrator.registerMigration("15: texts of operators") { database in
      try database.execute(sql: outgoingTexts)
    }
    migrator.registerMigration("16: passages that were withdrawn go") { database in
      try database.execute(sql: withdrawnPruning)
    }
    return migrator
  }

  /// Each index is a page more in both commits of a text, and these earn less than that: texts are
  /// numbered in the order of their times, so the last day's are found from the end; one index of
  /// those without an outcome is enough; and a report belongs to one of the last texts.
  private static let fewerIndexes = """
    DROP INDEX texts_by_time;
    DROP INDEX texts_intents;
    DROP INDEX texts_open;
    CREATE UNIQUE INDEX texts_open ON texts (queue_id) WHERE outcome = 'intent';
    DROP INDEX text_parts_by_reference;
    """

  private static let tables = """
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value ANY NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What was seen, frozen when it was recorded. The two keys that point at each other make a
    -- passage without a queue row, or a queue row without a passage, impossible to commit.
    CREATE TABLE passages (
      id INTEGER PRIMARY KEY AUTOINCREMENT
        REFERENCES queue (id) DEFERRABLE INITIALLY DEFERRED,
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
      v1_body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX passages_by_content ON passages (content_client_id);
    CREATE INDEX passages_by_plate ON passages (plate_number);

    -- Where each passage stands. Columns ending in _t are the node's clock in nanoseconds, those
    -- ending in _ms the wall clock; only the former decide anything.
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY REFERENCES passages (id) DEFERRABLE INITIALLY DEFERRED,
      status TEXT NOT NULL DEFAULT 'pending'
        CHECK (\(isOne("status", "pending", "in_flight", "synced", "failed"))),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND \(attempts)),
      rearms INTEGER NOT NULL DEFAULT 0,
      last_error TEXT,
      last_error_class TEXT CHECK (last_error_class IN ('transient', 'permanent')),
      last_attempt_at_ms INTEGER,
      created_at_ms INTEGER NOT NULL,
      since_t INTEGER NOT NULL,
      sms_sent INTEGER NOT NULL DEFAULT 0 CHECK (sms_sent IN (0, 1)),
      airings INTEGER NOT NULL DEFAULT 0 CHECK (airings BETWEEN 0 AND \(texts)),
      allowance INTEGER NOT NULL DEFAULT 0,
      refusals INTEGER NOT NULL DEFAULT 0,
      last_text_t INTEGER,
      text_due_t INTEGER,
      parked_reason TEXT,
      CHECK (parked_reason IS NULL OR text_due_t IS NULL),
      CHECK (sms_sent = 0 OR text_due_t IS NULL)
    ) STRICT;
    CREATE INDEX queue_text_due ON queue (text_due_t) WHERE \(textable);
    CREATE INDEX queue_text_order ON queue (id, text_due_t) WHERE \(textable);
    CREATE INDEX queue_pending ON queue (id) WHERE status = 'pending';
    CREATE INDEX queue_parked ON queue (id) WHERE parked_reason IS NOT NULL;
    CREATE UNIQUE INDEX queue_one_in_flight ON queue (status) WHERE status = 'in_flight';

    -- Every text that was ever handed to a modem, with what became of it.
    CREATE TABLE texts (
      id INTEGER PRIMARY KEY,
      queue_id INTEGER REFERENCES queue (id),
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
      error TEXT
    ) STRICT;
    CREATE INDEX texts_by_queue ON texts (queue_id);
    CREATE INDEX texts_by_time ON texts (intent_t);
    CREATE UNIQUE INDEX texts_open ON texts (queue_id)
      WHERE outcome = 'intent' AND queue_id IS NOT NULL;
    CREATE INDEX texts_intents ON texts (id) WHERE outcome = 'intent';

    -- The message references of an accepted text and what the network reported about each.
    CREATE TABLE text_parts (
      text_id INTEGER NOT NULL REFERENCES texts (id) ON DELETE CASCADE,
      part INTEGER NOT NULL,
      reference INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255),
      delivery TEXT CHECK (\(isOne("delivery", "delivered", "trying", "failed"))),
      delivery_status INTEGER,
      delivery_ms INTEGER,
      PRIMARY KEY (text_id, part)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX text_parts_by_reference ON text_parts (reference, text_id);

    -- What came in at this node: status reports and other texts, kept before the modem deletes them.
    CREATE TABLE inbox (
      id INTEGER PRIMARY KEY,
      pdu TEXT NOT NULL UNIQUE,
      received_ms INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (\(isOne("kind", "status_report", "deliver", "undecodable"))),
      sender TEXT,
      text TEXT,
      text_id INTEGER REFERENCES texts (id),
      error TEXT
    ) STRICT;

    CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      t INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      level TEXT NOT NULL,
      event TEXT NOT NULL,
      words TEXT NOT NULL,
      client_id TEXT,
      plate_number TEXT,
      text_id INTEGER,
      next_words TEXT,
      next_ms INTEGER,
      waiting INTEGER
    ) STRICT;
    """
}
