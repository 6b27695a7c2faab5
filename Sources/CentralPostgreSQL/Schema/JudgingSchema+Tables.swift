extension JudgingSchema {
  /// The numbers of the rules and what the schema knows of itself.
  static let settings = #"""
    CREATE TABLE settings (
      only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
      ranger_window bigint NOT NULL DEFAULT 60 CHECK (ranger_window BETWEEN 0 AND 600),
      pairing_window bigint NOT NULL DEFAULT 259200
        CHECK (pairing_window BETWEEN 18000 AND 2592000),
      long_stay bigint NOT NULL DEFAULT 43200 CHECK (long_stay BETWEEN 3600 AND 2592000),
      provisional_for bigint NOT NULL DEFAULT 86400 CHECK (provisional_for BETWEEN 0 AND 31536000),
      -- The profile under which rows stand whose ranger nobody knows.
      unknown_ranger uuid,
      -- By this the triggers know the schema's own changes; nobody else can read it.
      secret text NOT NULL DEFAULT gen_random_uuid()::text
    );
    INSERT INTO settings DEFAULT VALUES;

    CREATE TABLE pairing_windows (
      segment text PRIMARY KEY,
      seconds bigint NOT NULL CHECK (seconds BETWEEN 18000 AND 2592000)
    );

    -- Codes that posts had before they were called otherwise; texts on their way still name them.
    CREATE TABLE post_aliases (
      code text COLLATE "C" PRIMARY KEY,
      post_id uuid NOT NULL
    );

    -- Up to when each post has handed in everything.
    CREATE TABLE post_reports (
      post text COLLATE "C" PRIMARY KEY,
      through bigint NOT NULL
    );
    """#

  /// What was received. It is the truth: all else follows from it and from the directory.
  ///
  /// A database that grows past one machine is distributed by segment, the distribution column for Citus: nothing ever
  /// looks from one segment into another but by identity, so `identities` is then a table of its own on one node.
  /// On one machine the big tables are divided by the month, see ``division``.
  static let records = #"""
    -- All that came of one content: a post, a vehicle and a second.
    CREATE TABLE records (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      received_post text COLLATE "C" NOT NULL,
      received_plate text COLLATE "C" NOT NULL,
      received_second bigint NOT NULL,
      -- The post that was meant, where the directory knew it then.
      received_post_id uuid,
      -- The same with the corrections.
      post text COLLATE "C" NOT NULL,
      plate text COLLATE "C" NOT NULL,
      second bigint NOT NULL,
      is_dated boolean NOT NULL DEFAULT true,
      is_contradicted boolean NOT NULL DEFAULT false,
      -- The record of the passage that was made first; under it the passage stands.
      row_number bigint,
      -- The row of vehicle_passages that it has, or would have.
      passage_id uuid NOT NULL UNIQUE,
      -- How often something was reported that belongs to it, repetitions too, and when last.
      times bigint NOT NULL DEFAULT 1,
      last_at timestamptz NOT NULL,
      CONSTRAINT records_content UNIQUE (received_plate, received_post, received_second)
    ) WITH (fillfactor = 90);
    CREATE INDEX records_vehicle ON records (plate, second);
    CREATE INDEX records_row ON records (row_number);
    CREATE INDEX records_post ON records (post);

    -- Every identity under which one came.
    CREATE TABLE identities (
      client_id uuid PRIMARY KEY,
      record bigint NOT NULL REFERENCES records ON DELETE CASCADE
    );
    CREATE INDEX identities_record ON identities (record);

    -- Every report that told something new.
    CREATE TABLE observations (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      record bigint NOT NULL REFERENCES records ON DELETE CASCADE,
      client_id uuid NOT NULL,
      post text COLLATE "C" NOT NULL,
      plate text COLLATE "C" NOT NULL,
      raw_plate text COLLATE "C" NOT NULL,
      vehicle_type text COLLATE "C" NOT NULL,
      recorded_at timestamptz NOT NULL,
      ranger text COLLATE "C",
      suffix text COLLATE "C" NOT NULL DEFAULT '0000',
      photo_path text COLLATE "C",
      channel text COLLATE "C" NOT NULL CHECK (channel IN ('upload', 'operator', 'text')),
      is_proven boolean NOT NULL,
      received_at timestamptz NOT NULL,
      -- How wrong the clock may have been; null where nobody says.
      clock_seconds bigint,
      is_clock_unset boolean NOT NULL DEFAULT false,
      -- The message of the inbox that it was.
      inbox_id bigint,
      inserted_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX observations_record ON observations (record);

    -- What was put right; it may come before what it corrects.
    CREATE TABLE corrections (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      record bigint REFERENCES records ON DELETE CASCADE,
      client_id uuid NOT NULL,
      plate text COLLATE "C",
      raw_plate text COLLATE "C",
      vehicle_type text COLLATE "C",
      post text COLLATE "C",
      recorded_at timestamptz,
      author text COLLATE "C",
      made_at timestamptz NOT NULL,
      CHECK ((plate IS NULL) = (raw_plate IS NULL))
    );
    CREATE INDEX corrections_record ON corrections (record);
    CREATE INDEX corrections_early ON corrections (client_id) WHERE record IS NULL;
    """#

  /// What follows: passages, pairs, violations, alerts.
  static let judgements = #"""
    CREATE TABLE passages (
      row_number bigint PRIMARY KEY,
      members bigint[] NOT NULL,
      post text COLLATE "C" NOT NULL,
      plate text COLLATE "C" NOT NULL,
      earliest bigint NOT NULL,
      latest bigint NOT NULL,
      is_dated boolean NOT NULL,
      raw_plate text NOT NULL,
      vehicle_type text NOT NULL,
      recorded_at timestamptz NOT NULL,
      rangers text[] NOT NULL,
      suffix text NOT NULL,
      photo_path text,
      channels text[] NOT NULL,
      is_proven boolean NOT NULL,
      clock_seconds bigint,
      first_received_at timestamptz NOT NULL,
      is_corrected boolean NOT NULL,
      contradictions text[] NOT NULL
    ) WITH (fillfactor = 90);
    CREATE INDEX passages_post ON passages (post, earliest);

    CREATE TABLE pairs (
      entry bigint PRIMARY KEY,
      exit bigint NOT NULL UNIQUE
    );

    CREATE TYPE finding AS (
      kind text, plate text, segment text,
      entry bigint, entry_post text, entry_earliest bigint, entry_latest bigint,
      exit bigint, exit_post text, exit_earliest bigint, exit_latest bigint,
      seconds bigint, limit_seconds bigint, is_far boolean, doubts text[]
    );

    -- One for each entry; none is ever deleted.
    CREATE TABLE violations (
      entry bigint PRIMARY KEY,
      found finding NOT NULL,
      is_retracted boolean NOT NULL DEFAULT false,
      since timestamptz NOT NULL,
      finality text NOT NULL DEFAULT 'provisional'
        CHECK (finality IN ('provisional', 'reported', 'unreported')),
      confirmed_at timestamptz,
      confirmed_by text,
      revision bigint NOT NULL DEFAULT 1
    );
    CREATE INDEX violations_open ON violations (since)
      WHERE NOT is_retracted AND finality <> 'reported';

    CREATE TABLE revisions (
      entry bigint NOT NULL,
      number bigint NOT NULL,
      change text NOT NULL CHECK (change IN ('made', 'changed', 'retracted', 'renewed')),
      cause text NOT NULL CHECK (cause IN ('arrival', 'correction', 'directory', 'rules')),
      at timestamptz NOT NULL,
      before jsonb,
      after jsonb,
      was_final text NOT NULL,
      PRIMARY KEY (entry, number)
    );

    -- Entries whose exit is awaited.
    CREATE TABLE waiting (
      entry bigint PRIMARY KEY,
      plate text COLLATE "C" NOT NULL,
      post text COLLATE "C" NOT NULL,
      second bigint NOT NULL,
      opposite text COLLATE "C" NOT NULL,
      due_at bigint NOT NULL,
      expires_at bigint NOT NULL
    );
    CREATE INDEX waiting_due ON waiting (due_at);

    CREATE TABLE alerts (
      entry bigint PRIMARY KEY,
      plate text COLLATE "C" NOT NULL,
      post text COLLATE "C" NOT NULL,
      second bigint NOT NULL,
      opposite text COLLATE "C" NOT NULL,
      due_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      raised_at timestamptz NOT NULL,
      is_unheard boolean NOT NULL,
      ending text CHECK (ending IN ('left', 'seen_again', 'withdrawn', 'expired')),
      exit bigint,
      ended_at timestamptz
    );
    CREATE INDEX alerts_standing ON alerts (entry) WHERE ending IS NULL;

    -- Rows that stood in the deployed tables and were taken out, as they were.
    CREATE TABLE removed (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('passage', 'violation')),
      id uuid NOT NULL,
      content jsonb NOT NULL,
      removed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX removed_id ON removed (kind, id);
    """#

  /// What functions hand each other.
  static let types = #"""
    -- What a statement touched, as far as there is much of it. Empty again at its end.
    CREATE UNLOGGED TABLE touched_before (lines text NOT NULL);

    -- Where passages are judged together: a segment with its two posts, or a post alone.
    CREATE TYPE place AS (
      segment_id uuid, segment text, posts text[],
      distance bigint, fastest bigint, slowest bigint,
      ranger_window bigint, pairing_window bigint, longest bigint
    );

    -- Which seconds of a vehicle at a place are judged, and whether nothing follows them for as long as an exit
    -- is waited for.
    CREATE TYPE span AS (low bigint, high bigint, ends_in_gap boolean);

    -- What a judgement says of some records: of each the row that it stands under, in order of time; the pairs; and
    -- the entries that wait.
    CREATE TYPE travels AS (
      numbers bigint[], rows bigint[],
      entries bigint[], exits bigint[],
      waiting bigint[], opposites text[], due bigint[], expires bigint[]
    );
    """#
}
