extension NodeSchema {
  /// What somebody keeps at the post: passages on hold until they are taken up again, and those that were
  /// withdrawn because they never were.
  static let withdrawals = """
    -- Why nothing of a passage goes, neither upload nor text, until somebody takes it up again.
    ALTER TABLE passages ADD COLUMN on_hold_reason TEXT;
    -- It never was, or was recorded anew: when somebody said so, and why.
    ALTER TABLE passages ADD COLUMN withdrawn_ms INTEGER;
    ALTER TABLE passages ADD COLUMN withdrawn_reason TEXT;
    -- The passage that this one was recorded in place of, after a text of that one had left.
    ALTER TABLE passages ADD COLUMN corrects INTEGER;
    CREATE INDEX passages_aside ON passages (id)
      WHERE on_hold_reason IS NOT NULL OR withdrawn_ms IS NOT NULL;
    -- Of a change that withdraws its passage at the server: why.
    ALTER TABLE uploads ADD COLUMN withdrawal TEXT;

    CREATE TRIGGER passages_withdrawn_stay BEFORE UPDATE OF withdrawn_ms ON passages
    WHEN OLD.withdrawn_ms IS NOT NULL AND NEW.withdrawn_ms IS NOT OLD.withdrawn_ms
    BEGIN SELECT RAISE(ABORT, 'what was withdrawn stays withdrawn'); END;

    -- Whatever gives an upload its turn: what is kept here has none.
    CREATE TRIGGER uploads_kept_here AFTER UPDATE OF status, next_t ON uploads
    WHEN NEW.status = 'pending' AND NEW.next_t IS NOT NULL AND \(isKeptHere("NEW"))
    BEGIN UPDATE uploads SET next_t = NULL WHERE id = NEW.id; END;
    CREATE TRIGGER uploads_begin_kept_here AFTER INSERT ON uploads
    WHEN NEW.kind <> 'passage' AND NEW.next_t IS NOT NULL AND \(isKeptHere("NEW"))
    BEGIN UPDATE uploads SET next_t = NULL WHERE id = NEW.id; END;

    CREATE TRIGGER text_deliveries_kept_here BEFORE UPDATE OF due_t ON text_deliveries
    WHEN NEW.due_t IS NOT NULL AND EXISTS (
      SELECT 1 FROM passages WHERE id = NEW.passage_id
        AND (withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL))
    BEGIN SELECT RAISE(ABORT, 'no text is due for a passage that is kept here'); END;
    CREATE TRIGGER texts_not_of_kept_here BEFORE INSERT ON texts
    WHEN NEW.delivery_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM text_deliveries JOIN passages ON passages.id = passage_id
      WHERE text_deliveries.id = NEW.delivery_id
        AND (withdrawn_ms IS NOT NULL OR on_hold_reason IS NOT NULL))
    BEGIN SELECT RAISE(ABORT, 'no text may be sent for a passage that is kept here'); END;
    """

  /// The condition on an upload that its passage is kept here: on hold, or withdrawn before anything of it
  /// left. Where something may have left, the passage goes on to the server, to be withdrawn there.
  static func isKeptHere(_ row: String) -> String {
    """
    EXISTS (SELECT 1 FROM passages WHERE passages.id = \(row).passage_id
      AND (on_hold_reason IS NOT NULL
        OR withdrawn_ms IS NOT NULL AND (\(row).kind = 'photo' OR NOT EXISTS (
          SELECT 1 FROM uploads AS told
          WHERE told.passage_id = \(row).passage_id AND told.kind <> 'passage'
            AND told.withdrawal IS NOT NULL))))
    """
  }

  /// What more is read of a row of `queue`: what a person decided of it, and what the server refused.
  static let decisions = """
    EXISTS (SELECT 1 FROM conflicts
      WHERE conflicts.passage_id = queue.id AND resolution IS NULL) AS conflict_open,
    EXISTS (SELECT 1 FROM uploads AS behind
      WHERE behind.passage_id = queue.id AND behind.kind <> 'passage' AND behind.kind = 'photo'
        AND behind.status = 'failed' AND behind.last_error_class = 'permanent') AS photo_refused,
    EXISTS (SELECT 1 FROM uploads AS behind
      WHERE behind.passage_id = queue.id AND behind.kind <> 'passage'
        AND behind.kind = 'correction' AND behind.withdrawal IS NULL
        AND behind.status = 'failed' AND behind.last_error_class = 'permanent'
        AND NOT EXISTS (SELECT 1 FROM uploads AS newer
          WHERE newer.passage_id = queue.id AND newer.kind <> 'passage'
            AND newer.kind = 'correction' AND newer.id > behind.id)) AS correction_refused,
    (SELECT iif(behind.status = 'failed' AND behind.last_error_class = 'permanent', 'refused',
        behind.status)
      FROM uploads AS behind
      WHERE behind.passage_id = queue.id AND behind.kind <> 'passage'
        AND behind.withdrawal IS NOT NULL ORDER BY behind.id DESC LIMIT 1) AS withdrawal_status
    """
}
