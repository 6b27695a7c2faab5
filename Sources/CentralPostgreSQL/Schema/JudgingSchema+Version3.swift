extension JudgingSchema {
  /// What version 3 has beside version 2, in the order in which it is run; functions and triggers are made anew
  /// behind it.
  static let version3 = [dividable, rightPhotographs, dismissible, violationNotes]

  /// Who looked at a message that is no passage: from then on it does not count among those that wait.
  static let dismissible = #"""
    ALTER TABLE inbox
      ADD COLUMN dismissed_at timestamptz,
      ADD COLUMN dismissed_by text,
      ADD CONSTRAINT inbox_dismissed CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL)
        AND (dismissed_at IS NULL OR state = 'undecodable'));
    CREATE INDEX inbox_kept_back ON inbox (id) WHERE state = 'undecodable' AND dismissed_at IS NULL;
    """#

  /// How the tables that grow fastest are kept.
  static let dividable = #"""
    ALTER TABLE settings
      -- Whether what was reported and what is known of passages is divided into a table for each month.
      ADD COLUMN partitions text NOT NULL DEFAULT 'none' CHECK (partitions IN ('none', 'month'));
    """#

  /// Which photograph is the right one, where somebody says so.
  static let rightPhotographs = #"""
    ALTER TABLE corrections
      -- Where the right photograph lies, and empty where there is none.
      ADD COLUMN photo_path text COLLATE "C";
    CREATE INDEX corrections_photo ON corrections (photo_path) WHERE photo_path IS NOT NULL;
    """#

  /// What happened to violations beside their revisions.
  static let violationNotes = #"""
    CREATE TABLE violation_notes (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      entry bigint NOT NULL,
      kind text NOT NULL CHECK (kind IN ('confirmed', 'provisional', 'reported', 'unreported', 'outcome')),
      at timestamptz NOT NULL,
      author text,
      -- The revision that stood then.
      revision bigint NOT NULL
    );
    CREATE INDEX violation_notes_entry ON violation_notes (entry, number);
    -- What stands of before; when it became final nobody wrote down.
    INSERT INTO violation_notes (entry, kind, at, author, revision)
      SELECT v.entry, 'confirmed', v.confirmed_at, v.confirmed_by, v.revision FROM violations v
      WHERE v.confirmed_at IS NOT NULL ORDER BY v.confirmed_at, v.entry;
    """#

  /// Division by the month.
  ///
  /// The number of a record says the month in which its vehicle passed: whatever is asked by the number of a record is
  /// then looked for in one partition. So `observations` and `passages` are divided by it. `records` and
  /// `identities` are not: they find a passage by its content and its identity, which have to be unique over all
  /// months. The deployed table cannot be either, as its unique `client_id` has to hold over all of its rows.
  static let division = #"""
    -- Months since 1970 began, of a moment in UTC; as many as a number of a record has room for.
    CREATE OR REPLACE FUNCTION month_of(second bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT least(greatest((extract(year FROM t.at) - 1970) * 12 + extract(month FROM t.at) - 1, 0), 8191)::bigint
      FROM (SELECT to_timestamp(least(greatest(second, 0), 253402300799)) AT TIME ZONE 'UTC' AS at) AS t
    $$;

    -- The number of the next record. Its lower 40 bits are in the order in which records were made; above them stands
    -- the month, where tables are divided by it.
    CREATE OR REPLACE FUNCTION next_record(second bigint) RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT s.partitions = 'month' FROM settings s) THEN
        RETURN month_of(second) << 40 | nextval('records_number_seq');
      END IF;
      RETURN nextval('records_number_seq');
    END $$;

    -- The tables that are divided, and the column by which.
    CREATE OR REPLACE VIEW divided AS
      SELECT * FROM (VALUES ('observations', 'record'), ('passages', 'row_number')) AS d(tab, col);

    -- Makes the partition of a month where there is none. What came of that month before stands in the one of all
    -- others, and moves.
    CREATE OR REPLACE FUNCTION make_partition(tab text, col text, month bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      name CONSTANT text := tab || to_char(make_date(1970, 1, 1) + make_interval(months => month::integer), '_YYYY_MM');
      low CONSTANT bigint := month << 40;
      high CONSTANT bigint := month + 1 << 40;
    BEGIN
      IF to_regclass('checkpost.' || name) IS NOT NULL THEN RETURN; END IF;
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = 90)', name, tab);
      EXECUTE format('WITH gone AS (DELETE FROM %I WHERE %I >= %s AND %I < %s RETURNING *) '
        'INSERT INTO %I SELECT * FROM gone', tab || '_other', col, low, col, high, name);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', tab, name, low, high);
    END $$;

    -- Makes partitions for a month and the two behind it, and drops those in which nothing is left from before the
    -- second since which passages are kept. Where somebody holds a table for long it is done another time.
    CREATE OR REPLACE FUNCTION tend_partitions(moment timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET lock_timeout = '1s' AS $$
    DECLARE
      this CONSTANT bigint := month_of(second_of(moment));
      since CONSTANT bigint := month_of((SELECT f.since FROM forgetting f));
      each record;
      is_empty boolean;
    BEGIN
      IF (SELECT s.partitions <> 'month' FROM settings s) THEN RETURN; END IF;
      -- One at a time, and nobody waits for another one's.
      IF NOT pg_try_advisory_xact_lock(7068, 0) THEN RETURN; END IF;
      FOR each IN SELECT d.tab, d.col, m FROM divided d, generate_series(this, this + 2) AS m LOOP
        BEGIN
          PERFORM make_partition(each.tab, each.col, each.m);
        EXCEPTION WHEN lock_not_available THEN NULL;
        END;
      END LOOP;
      FOR each IN
        SELECT c.relname AS name, d.tab FROM divided d
        JOIN pg_inherits i ON i.inhparent = ('checkpost.' || d.tab)::regclass
        JOIN pg_class c ON c.oid = i.inhrelid
        WHERE c.relname ~ '_[0-9]{4}_[0-9]{2}$'
          AND month_of(extract(epoch FROM to_date(right(c.relname, 7), 'YYYY_MM'))::bigint) < since
        ORDER BY c.relname
      LOOP
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', each.name) INTO is_empty;
        CONTINUE WHEN NOT is_empty;
        BEGIN
          EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', each.tab);
          EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', each.name) INTO is_empty;
          IF is_empty THEN EXECUTE format('DROP TABLE %I', each.name); END IF;
        EXCEPTION WHEN lock_not_available THEN NULL;
        END;
      END LOOP;
    END $$;
    """#

  /// What a service may do that does not own the schema.
  static let divisionRights = #"""
    GRANT EXECUTE ON FUNCTION checkpost.tend_partitions TO service_role;
    """#
}
