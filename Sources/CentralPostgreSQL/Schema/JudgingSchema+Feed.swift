import RestAPI

/// Which rows changed, in an order that everybody sees alike, while somebody wants to know.
extension JudgingSchema {
  /// What version 10 has beside the ones before.
  static let version10 = [feed]

  private static let feed = #"""
    CREATE TABLE feed (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      -- Transactions are not committed in the order in which they take numbers: one is told once no earlier one is
      -- open any more.
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
      kind text NOT NULL,
      id uuid NOT NULL
    );
    CREATE INDEX feed_order ON feed (transaction, number);
    -- Until when they are written down.
    CREATE TABLE feed_wanted (
      one boolean PRIMARY KEY CHECK (one),
      until timestamptz NOT NULL
    );
    """#

  /// Who writes it down.
  static let feedTriggers =
    #"""
    CREATE OR REPLACE FUNCTION note_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      last bigint;
      many bigint;
    BEGIN
      IF NOT EXISTS (SELECT FROM feed_wanted w WHERE w.until > now()) THEN RETURN NULL; END IF;
      WITH written AS (
        INSERT INTO feed (kind, id) SELECT TG_TABLE_NAME, t.id FROM told t RETURNING number)
      SELECT max(w.number), count(*) INTO last, many FROM written w;
      -- Now and then what is too old goes; whoever does it at the same time is not waited for.
      IF last / 1000 <> (last - many) / 1000 THEN
        DELETE FROM feed WHERE number IN (
          SELECT f.number FROM feed f WHERE f.number <= last - \#(RestChanges.remembered)
          ORDER BY f.number LIMIT 5000 FOR UPDATE SKIP LOCKED);
      END IF;
      RETURN NULL;
    END $$;

    """#
    + RestChanges.tables.map { table in
      [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, side in
        """
        CREATE OR REPLACE TRIGGER checkpost_9_note_\(event.lowercased()) AFTER \(event) ON public.\(table)
          REFERENCING \(side) TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION note_rows();

        """
      }.joined()
    }.joined()
}
