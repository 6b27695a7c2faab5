extension NodeSchema {
  /// What was withdrawn is removed as what the server has: nobody waits for it any more.
  static let withdrawnPruning = """
    -- When that was by the node's clock.
    ALTER TABLE passages ADD COLUMN withdrawn_t INTEGER;
    UPDATE passages SET withdrawn_t = since_t WHERE withdrawn_ms IS NOT NULL;
    CREATE INDEX passages_withdrawn ON passages (withdrawn_t) WHERE withdrawn_t IS NOT NULL;

    DROP TRIGGER passages_kept;
    CREATE TRIGGER passages_kept BEFORE DELETE ON passages
    WHEN EXISTS (SELECT 1 FROM uploads WHERE passage_id = OLD.id AND status <> 'synced'
        AND (OLD.withdrawn_t IS NULL OR status = 'in_flight' OR withdrawal IS NOT NULL))
      OR EXISTS (SELECT 1 FROM text_deliveries JOIN texts ON delivery_id = text_deliveries.id
        WHERE passage_id = OLD.id AND outcome = 'intent')
    BEGIN SELECT RAISE(ABORT, 'only a synced passage may be removed'); END;
    DROP TRIGGER uploads_kept;
    CREATE TRIGGER uploads_kept BEFORE DELETE ON uploads
    WHEN EXISTS (SELECT 1 FROM passages WHERE id = OLD.passage_id)
    BEGIN SELECT RAISE(ABORT, 'an upload is removed with its passage only'); END;
    """
}
