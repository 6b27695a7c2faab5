extension NodeSchema {
  /// Columns named by what they count, and no table of events: the service's log has those, and that a
  /// passage was recorded is in its own row. The triggers and indexes follow the names by themselves.
  static let names = """
    -- The clock goes on from the last moment that the store has seen, which an event may have been.
    INSERT INTO meta (key, value)
      SELECT 'last_time_ns', t FROM log ORDER BY id DESC LIMIT 1
      ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value);
    DROP TABLE log;
    ALTER TABLE queue RENAME COLUMN airings TO text_attempts;
    ALTER TABLE queue RENAME COLUMN rearms TO requeues;
    """
}
