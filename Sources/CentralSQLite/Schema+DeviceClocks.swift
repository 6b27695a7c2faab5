extension Schema {
  /// How many seconds the clock of a device may have been wrong that says how far it is; no row of one of which
  /// nothing is said.
  static let deviceClocks = """
    CREATE TABLE device_clocks (
      user_id TEXT NOT NULL,
      device_id TEXT NOT NULL,
      seconds INTEGER NOT NULL CHECK (seconds > 0),
      PRIMARY KEY (user_id, device_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER device_clocks_gone AFTER DELETE ON sync_metadata
    BEGIN DELETE FROM device_clocks WHERE user_id = OLD.user_id AND device_id = OLD.device_id; END;
    """

  /// What was handed on, or waits to be, and is withdrawn then, is due once more: the other server is told.
  static let forwardedWithdrawals = """
    CREATE TRIGGER forwards_withdrawn AFTER INSERT ON corrections WHEN NEW.withdrawal IS NOT NULL
    BEGIN
      INSERT INTO forwards (passage, due_at_ms)
        SELECT r.passage, 0 FROM records r
          WHERE r.number = NEW.record AND r.passage <= (SELECT through FROM forwarding)
        ON CONFLICT (passage) DO UPDATE SET due_at_ms = 0, reason = NULL;
    END;
    """
}
