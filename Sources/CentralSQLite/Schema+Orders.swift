import GRDB

/// What millions of passages are read by.
extension Schema {
  /// The orders in which passages are asked for that no index had, the plates that there are, and views that are read by
  /// them.
  static func addOrders(_ database: Database) throws {
    try database.execute(sql: orders)
    try renewWireViews(database)
  }

  private static let orders = """
    CREATE INDEX IF NOT EXISTS passages_suffix ON passages (ranger_phone_suffix, recorded_at_ms);
    CREATE INDEX IF NOT EXISTS passages_received ON passages (first_received_at_ms);
    CREATE INDEX IF NOT EXISTS passages_inserted ON passages (inserted_at_ms);

    -- Each plate of a passage once: a part of one is looked for here, as there are fewer vehicles than passages.
    CREATE TABLE plates (
      plate TEXT PRIMARY KEY NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO plates SELECT DISTINCT plate_number FROM passages;
    -- Asked first: what the statement before a trigger does at a conflict counts in it, whatever it says itself.
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
    """
}
