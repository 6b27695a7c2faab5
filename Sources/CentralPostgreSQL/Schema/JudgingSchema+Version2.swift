extension JudgingSchema {
  /// What version 2 has beside version 1, in the order in which it is run; functions and triggers are made anew
  /// behind it.
  static let version2 = [
    names, waits, journal, directory, knownSegments, inbox, accounts, forgettingTables,
  ]

  /// What the columns and tables of version 2 hold for what was judged before, once its functions are there.
  static let filled = [judgedFilled, inboxFilled]

  /// Names of records, which were looked up in their reports before.
  static let names = #"""
    ALTER TABLE records
      -- The identity that it came under first, the message that this was, and when it was written down.
      ADD COLUMN client_id uuid,
      ADD COLUMN inbox_id bigint,
      ADD COLUMN inserted_at timestamptz;
    UPDATE records r SET client_id = o.client_id, inbox_id = o.inbox_id, inserted_at = o.inserted_at
      FROM (SELECT DISTINCT ON (record) * FROM observations ORDER BY record, number) o
      WHERE o.record = r.number;
    ALTER TABLE records ALTER COLUMN client_id SET NOT NULL, ALTER COLUMN inserted_at SET NOT NULL;
    ALTER TABLE observations
      -- The identifier that whoever handed it in gave to the row.
      ADD COLUMN own_row uuid;
    -- A statement looks a vehicle up in the order of its time, and of its post where that is the same.
    DROP INDEX records_vehicle;
    CREATE INDEX records_vehicle ON records (plate, second, post);
    -- Nearly every record stands under itself.
    DROP INDEX records_row;
    CREATE INDEX records_row ON records (row_number) WHERE row_number <> number;
    """#

  /// What violations and entries wait for, so that the clock and a report find it by an index.
  static let waits = #"""
    ALTER TABLE violations
      -- What names it for others.
      ADD COLUMN uuid uuid,
      -- Past which seconds the posts have to report; null of one that no report changes.
      ADD COLUMN entry_needs bigint,
      ADD COLUMN exit_needs bigint,
      -- When it is final although a post does not report; null where that is not waited for.
      ADD COLUMN unreported_from timestamptz;
    DROP INDEX violations_open;
    CREATE UNIQUE INDEX violations_uuid ON violations (uuid);
    CREATE INDEX violations_newest ON violations (((found).exit_earliest), entry);
    CREATE INDEX violations_plate ON violations (((found).plate));
    CREATE INDEX violations_exit ON violations (((found).exit));
    CREATE INDEX violations_entry_needs ON violations (((found).entry_post), entry_needs)
      WHERE entry_needs IS NOT NULL;
    CREATE INDEX violations_exit_needs ON violations (((found).exit_post), exit_needs)
      WHERE exit_needs IS NOT NULL;
    CREATE INDEX violations_unreported ON violations (unreported_from) WHERE unreported_from IS NOT NULL;

    ALTER TABLE waiting
      -- When there is something to do about it, and whether an alert stands.
      ADD COLUMN look_at bigint,
      ADD COLUMN is_told boolean NOT NULL DEFAULT false;
    UPDATE waiting w SET
      is_told = EXISTS (SELECT FROM alerts a WHERE a.entry = w.entry AND a.ending IS NULL);
    UPDATE waiting SET look_at = CASE WHEN is_told THEN expires_at ELSE due_at END;
    ALTER TABLE waiting ALTER COLUMN look_at SET NOT NULL;
    DROP INDEX waiting_due;
    CREATE INDEX waiting_look ON waiting (look_at);
    CREATE INDEX waiting_told ON waiting (opposite, due_at) WHERE is_told;

    DROP INDEX alerts_standing;
    CREATE INDEX alerts_newest ON alerts (due_at, entry);
    CREATE INDEX alerts_standing ON alerts (due_at, entry) WHERE ending IS NULL;
    """#

  /// What is yet to be told of what was judged, and what is yet to be judged again.
  static let journal = #"""
    -- Something that a judgement changed: a pair that was parted or paired (entry, exit), a revision of a
    -- violation (entry, number), a violation that was settled, an alert that was raised or ended (entry).
    CREATE TYPE change AS (kind text, entry bigint, other bigint);

    -- What rows of other programs caused. Whoever does the clock's duties tells it, and it is deleted.
    CREATE TABLE changes (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
      kind text NOT NULL CHECK (kind IN ('parted', 'paired', 'revised', 'settled', 'raised', 'ended')),
      entry bigint NOT NULL,
      other bigint
    );

    -- What has to be judged again, where that is too much for one statement: vehicles with a record at one of
    -- these posts, or all where posts is null; done up to a plate. Nothing where cause is null.
    CREATE TABLE rejudging (
      only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
      cause text CHECK (cause IN ('arrival', 'correction', 'directory', 'rules')),
      posts text[],
      after_plate text COLLATE "C" NOT NULL DEFAULT ''
    );
    INSERT INTO rejudging DEFAULT VALUES;

    -- How everything that a step judged is written down: of each record its row; the pairs, each with the number
    -- of its place; and the entries that wait.
    CREATE TYPE judgement AS (
      numbers bigint[], rows bigint[],
      entries bigint[], exits bigint[], pair_places integer[],
      waiting bigint[], opposites text[], due bigint[], expires bigint[],
      places place[]
    );
    """#

  /// Names of violations, and what they wait for.
  static let judgedFilled = #"""
    UPDATE violations v SET uuid = derived_id('violation',
      coalesce((SELECT r.passage_id::text FROM records r WHERE r.number = v.entry), 'row ' || v.entry));
    -- What was final without a report stays so.
    SELECT count(settle(ARRAY(SELECT entry FROM violations WHERE finality = 'unreported'),
      greatest(clock_timestamp(), (SELECT max(v.since) + make_interval(secs => max(s.provisional_for))
        FROM violations v, settings s WHERE v.finality = 'unreported'))));
    SELECT count(settle(ARRAY(SELECT entry FROM violations WHERE finality <> 'unreported'), clock_timestamp()));
    """#
}
