import NodeCore

extension NodeSchema {
  /// Whom passages are texted to besides the centre, each a row: what is recorded gets a delivery of its own
  /// for each of them. Version 10 knew the opposite post alone, by a word in `meta`.
  static let textRecipients = """
    CREATE TABLE text_recipients (
      -- As `text_deliveries` has it: 'opposite', or a number.
      recipient TEXT PRIMARY KEY CHECK (recipient = 'opposite' OR recipient LIKE '+%'),
      -- In which order a passage goes to them.
      place INTEGER NOT NULL UNIQUE CHECK (place BETWEEN 0 AND \(NodeCore.Limits.recipients))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO text_recipients
      SELECT 'opposite', 0 FROM meta WHERE key = 'opposite_texted' AND value = 1;
    DELETE FROM meta WHERE key = 'opposite_texted';

    -- What is least urgent to the centre goes before what goes to others.
    UPDATE text_deliveries SET priority = \(NodeCore.Limits.otherPriority)
    WHERE recipient <> 'centre' AND due_t IS NOT NULL;

    -- What is for a number goes to that number.
    CREATE TRIGGER texts_to_their_number BEFORE INSERT ON texts
    WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM text_deliveries
      WHERE id = NEW.delivery_id AND recipient LIKE '+%' AND recipient <> NEW.recipient)
    BEGIN SELECT RAISE(ABORT, 'this text is for another number'); END;
    """
}
