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

  /// What version 11 has beside the ones before.
  static let version11 = [begunFeed]

  private static let begunFeed = #"""
    -- A reader who had changes before reads the tables once more.
    DELETE FROM feed_wanted;
    -- The transaction that began it. Those before it may have looked for readers before there was one, and written
    -- nothing down.
    ALTER TABLE feed_wanted ADD COLUMN horizon xid8 NOT NULL;
    -- Until when they are written down, in seconds since 1970. What a sequence says everybody sees at once, also who
    -- looks at the tables as they were a while ago.
    CREATE SEQUENCE feed_until;
    """#

  /// The role that reads changes may not own the schema.
  static let feedRights = #"""
    GRANT EXECUTE ON FUNCTION checkpost.write_notes, checkpost.want_notes TO service_role;
    """#

  /// Who asks for it.
  static let wanting = #"""
    -- Has changes written down for so many hours more, and a minute. To be committed before `want_notes` is called.
    CREATE OR REPLACE FUNCTION write_notes(hours integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      PERFORM setval('feed_until', ceil(extract(epoch FROM clock_timestamp()))::bigint + hours * 3600 + 60);
    END $$;

    -- Says that they are. Where they were not before, none of before is told any more: what happened meanwhile nobody
    -- knows.
    CREATE OR REPLACE FUNCTION want_notes(hours integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      is_on boolean;
    BEGIN
      PERFORM pg_advisory_xact_lock(7070, 0);
      is_on := EXISTS (SELECT FROM feed_wanted w WHERE w.until > clock_timestamp());
      IF NOT is_on THEN
        DELETE FROM feed;
        INSERT INTO feed (kind, id) VALUES ('begun', gen_random_uuid());
      END IF;
      -- A transaction that changed something before `write_notes`, and found no reader, has a lower number than this one.
      INSERT INTO feed_wanted AS w (one, until, horizon)
        VALUES (true, clock_timestamp() + make_interval(hours => hours), pg_current_xact_id())
        ON CONFLICT (one) DO UPDATE SET until = excluded.until,
          horizon = CASE WHEN is_on THEN w.horizon ELSE excluded.horizon END;
    END $$;
    """#

  /// Who writes it down.
  static let feedTriggers =
    #"""
    -- Whether anybody wants to know. No query is asked for it, as each statement asks it.
    CREATE OR REPLACE FUNCTION is_noted() RETURNS boolean LANGUAGE sql VOLATILE AS $$
      SELECT coalesce(pg_sequence_last_value('feed_until'), 0) > extract(epoch FROM clock_timestamp())
    $$;

    CREATE OR REPLACE FUNCTION note_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      IF is_noted() THEN PERFORM write_down(TG_TABLE_NAME, ARRAY(SELECT t.id FROM told t)); END IF;
      RETURN NULL;
    END $$;

    CREATE OR REPLACE FUNCTION write_down(what text, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      last bigint;
      many bigint;
    BEGIN
      WITH written AS (INSERT INTO feed (kind, id) SELECT what, t.id FROM unnest(ids) AS t(id) RETURNING number)
      SELECT max(w.number), count(*) INTO last, many FROM written w;
      -- Now and then what is too old goes; whoever does it at the same time is not waited for.
      IF last / 1000 <> (last - many) / 1000 THEN
        DELETE FROM feed WHERE number IN (
          SELECT f.number FROM feed f WHERE f.number <= last - \#(RestChanges.remembered)
          ORDER BY f.number LIMIT 5000 FOR UPDATE SKIP LOCKED);
      END IF;
    END $$;

    """#
    // Passages are noted where they are judged.
    + RestChanges.tables.filter { $0 != "vehicle_passages" }.map { table in
      [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, side in
        """
        CREATE OR REPLACE TRIGGER checkpost_9_note_\(event.lowercased()) AFTER \(event) ON public.\(table)
          REFERENCING \(side) TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION note_rows();

        """
      }.joined()
    }.joined()
}
