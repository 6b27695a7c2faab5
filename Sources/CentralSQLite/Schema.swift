import GRDB

/// The central's database.
enum Schema {
  /// `CPCE`, in the header of the file: another program's database is never taken for ours.
  static let applicationID: Int32 = 0x4350_4345

  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { database in
      try database.execute(sql: directory)
      try database.execute(sql: messages)
    }
    migrator.registerMigration("v2: counts") { database in
      try database.execute(sql: tally)
    }
    migrator.registerMigration("v3: posts heard of") { database in
      try database.execute(sql: heard)
    }
    migrator.registerMigration("v4: heartbeats") { database in
      try database.execute(sql: heartbeats)
      try database.execute(sql: heartbeatMessages)
    }
    migrator.registerMigration("v5: judging") { database in
      try movePassages(database)
    }
    migrator.registerMigration("v7: accounts") { database in
      try database.execute(sql: accounts)
    }
    migrator.registerMigration("v8: numbers") { database in
      try database.execute(sql: numbers)
    }
    migrator.registerMigration("v9: names for others, and the tables of the API") { database in
      try addWire(database)
    }
    migrator.registerMigration("v10: the tables of the API as PostgreSQL has them") { database in
      try renewWireViews(database)
    }
    migrator.registerMigration("v11: forgetting") { database in
      try addKeeping(database)
    }
    migrator.registerMigration("v12: passages for another server") { database in
      try database.execute(sql: forwards)
    }
    migrator.registerMigration("v13: photographs put right") { database in
      try database.execute(sql: rightPhotographs)
      try renewWireViews(database)
    }
    migrator.registerMigration("v14: messages that were looked at") { database in
      try database.execute(sql: dismissals)
    }
    migrator.registerMigration("v15: what happened to violations") { database in
      try addNotes(database)
    }
    migrator.registerMigration("v16: where rangers served, and when") { database in
      try addAssignments(database)
    }
    migrator.registerMigration("v17: posts at the ends of several segments") { database in
      try addFurtherEnds(database)
    }
    migrator.registerMigration("v18: passages that were withdrawn") { database in
      try addWithdrawals(database)
    }
    migrator.registerMigration("v19: clocks of devices, and withdrawals for another server") {
      database in
      try database.execute(sql: deviceClocks)
      try database.execute(sql: forwardedWithdrawals)
    }
    migrator.registerMigration("v20: all segments of a post over the API") { database in
      try renewWireViews(database)
    }
    migrator.registerMigration("v21: what was refused to providers") { database in
      try database.execute(sql: webhookRefusals)
    }
    migrator.registerMigration("v22: violations that changed after they were final") { database in
      try addAfterFinal(database)
    }
    migrator.registerMigration("v23: what cannot be read, and marks of posts") { database in
      try addUnreadable(database)
    }
    migrator.registerMigration("v24: limits that held before") { database in
      try database.execute(sql: limits)
    }
    migrator.registerMigration("v25: rows that changed") { database in
      try renewWireViews(database)
      try database.execute(sql: feed)
    }
    migrator.registerMigration("v26: parks, and what else is told of segments, posts and people") {
      try addDirectoryColumns($0)
    }
    migrator.registerMigration("v27: where posts stood before") { database in
      try addEarlierPlaces(database)
    }
    migrator.registerMigration("v28: parks to which people are assigned") { database in
      try renewWireViews(database)
    }
    migrator.registerMigration("v29: room for numbers") { database in
      try boundTally(database)
      try leaveRoom(database)
      try renewWireViews(database)
    }
    migrator.registerMigration("v30: orders in which passages are read") { database in
      try addOrders(database)
    }
    return migrator
  }

  /// Counts that would otherwise need a walk over every row, kept by the database as rows change.
  private static let tally = """
    CREATE TABLE tally (
      name TEXT PRIMARY KEY,
      n INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tally
      SELECT 'inbox', count(*) FROM inbox
      UNION ALL SELECT 'undecodable', count(*) FROM inbox WHERE state = 'undecodable'
      UNION ALL SELECT 'duplicate', count(*) FROM inbox WHERE state = 'duplicate'
      UNION ALL SELECT 'passages', count(*) FROM passages;

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
    CREATE TRIGGER tally_passage AFTER INSERT ON passages BEGIN
      UPDATE tally SET n = n + 1 WHERE name = 'passages';
    END;
    CREATE TRIGGER tally_passage_gone AFTER DELETE ON passages BEGIN
      UPDATE tally SET n = n - 1 WHERE name = 'passages';
    END;
    """

  /// When each post was last heard of, kept likewise.
  private static let heard = """
    CREATE TABLE heard (
      checkpost TEXT PRIMARY KEY NOT NULL,
      at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO heard SELECT checkpost, max(inserted_at_ms) FROM passages GROUP BY checkpost;

    CREATE TRIGGER heard_passage AFTER INSERT ON passages BEGIN
      INSERT INTO heard (checkpost, at_ms) VALUES (NEW.checkpost, NEW.inserted_at_ms)
        ON CONFLICT (checkpost) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms);
    END;
    """

  private static let directory = """
    CREATE TABLE segments (
      name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
      distance_m INTEGER NOT NULL CHECK (distance_m > 0),
      min_speed_mh INTEGER NOT NULL CHECK (min_speed_mh > 0),
      max_speed_mh INTEGER NOT NULL CHECK (max_speed_mh > min_speed_mh)
    ) STRICT;

    CREATE TABLE posts (
      code TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      segment TEXT REFERENCES segments(name),
      position_index INTEGER CHECK (position_index IN (0, 1)),
      phone TEXT,
      CHECK ((segment IS NULL) = (position_index IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX posts_ends ON posts (segment, position_index) WHERE segment IS NOT NULL;

    CREATE TABLE rangers (
      phone TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      checkpost TEXT NOT NULL REFERENCES posts(code),
      suffix TEXT NOT NULL
    ) STRICT;
    CREATE INDEX rangers_suffix ON rangers (checkpost, suffix);
    """

  private static let messages = """
    CREATE TABLE inbox (
      id INTEGER PRIMARY KEY,
      provider TEXT NOT NULL,
      provider_id TEXT NOT NULL,
      sender TEXT,
      recipient TEXT,
      kind TEXT NOT NULL CHECK (kind IN ('text', 'pdu')),
      body TEXT NOT NULL,
      received_at_ms INTEGER NOT NULL,
      times_received INTEGER NOT NULL DEFAULT 1,
      state TEXT NOT NULL DEFAULT 'received'
        CHECK (state IN ('received', 'part', 'report', 'decoded', 'duplicate', 'undecodable')),
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
    CREATE INDEX inbox_open ON inbox (id) WHERE state = 'received';
    CREATE INDEX inbox_undecodable ON inbox (id) WHERE state = 'undecodable';
    CREATE INDEX inbox_parts ON inbox (part_key) WHERE state = 'part';

    -- What was received is not changed: it is the evidence.
    CREATE TRIGGER inbox_frozen BEFORE UPDATE OF id, provider, provider_id, kind, body,
      received_at_ms ON inbox
    BEGIN SELECT RAISE(ABORT, 'a received message is not changed'); END;

    CREATE TABLE passages (
      id INTEGER PRIMARY KEY,
      client_id TEXT NOT NULL UNIQUE,
      content_client_id TEXT,
      plate_number TEXT NOT NULL,
      plate_number_raw TEXT NOT NULL,
      vehicle_type TEXT NOT NULL,
      checkpost TEXT NOT NULL,
      segment TEXT,
      recorded_at_ms INTEGER NOT NULL,
      ranger_phone_suffix TEXT NOT NULL,
      ranger TEXT,
      source TEXT NOT NULL CHECK (source IN ('app', 'sms')),
      v1_body TEXT NOT NULL,
      inbox_id INTEGER REFERENCES inbox(id),
      inserted_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX passages_content ON passages (coalesce(content_client_id, client_id));
    CREATE INDEX passages_segment ON passages (segment, plate_number, recorded_at_ms);
    CREATE INDEX passages_time ON passages (recorded_at_ms, id);

    CREATE TRIGGER passages_frozen BEFORE UPDATE OF client_id, plate_number, checkpost,
      recorded_at_ms ON passages
    BEGIN SELECT RAISE(ABORT, 'the evidence of a passage is not changed'); END;
    """
}
