-- What version 3 of the schema `checkpost` wrote into a database that had the deployed tables, as it was released.

BEGIN;

CREATE SCHEMA checkpost;
REVOKE ALL ON SCHEMA checkpost FROM PUBLIC;
SET LOCAL search_path = checkpost, pg_temp;
CREATE TABLE migrations (
  version bigint PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Whether all rows that were there before are taken in.
  is_adopted boolean NOT NULL DEFAULT false
);
-- Triggers that pair passages otherwise, which rest meanwhile.
CREATE TABLE displaced (name name PRIMARY KEY, enabled "char" NOT NULL);
-- Tables and columns that were made here.
CREATE TABLE made (name text PRIMARY KEY);

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

-- The number of a post's modem.
CREATE TABLE post_phones (
  post_id uuid PRIMARY KEY REFERENCES public.checkposts ON DELETE CASCADE,
  phone text COLLATE "C" NOT NULL
);

-- Further numbers that may speak for a post, with their dates.
CREATE TABLE numbers (
  phone text COLLATE "C" NOT NULL,
  post_id uuid NOT NULL REFERENCES public.checkposts ON DELETE CASCADE,
  valid_from timestamptz,
  valid_until timestamptz,
  PRIMARY KEY (phone, post_id)
);
CREATE INDEX numbers_post ON numbers (post_id);

-- Segments of which the deployed columns round a number, in metres and metres an hour.
CREATE TABLE exact_segments (
  segment_id uuid PRIMARY KEY REFERENCES public.highway_segments ON DELETE CASCADE,
  distance bigint NOT NULL,
  slowest bigint NOT NULL,
  fastest bigint NOT NULL
);

-- Segments that are none: a post that stands nowhere has a row of the deployed table all the same, so that
-- profiles and passages can name it, and every such row needs a segment. Each takes one post.
CREATE TABLE loose_segments (
  segment_id uuid PRIMARY KEY REFERENCES public.highway_segments ON DELETE CASCADE
);

-- What is told of a segment. A number that somebody changed in the deployed table counts as it stands there.
CREATE OR REPLACE VIEW known_segments AS
  SELECT h.id, h.name, h.is_active, h.created_at,
    CASE WHEN round(e.distance / 1000.0, 2) = h.distance_km THEN e.distance
      ELSE round(h.distance_km * 1000)::bigint END AS distance,
    CASE WHEN round(e.fastest / 1000.0, 2) = h.max_speed_kmh THEN e.fastest
      ELSE round(h.max_speed_kmh * 1000)::bigint END AS fastest,
    CASE WHEN round(e.slowest / 1000.0, 2) = h.min_speed_kmh THEN e.slowest
      ELSE round(h.min_speed_kmh * 1000)::bigint END AS slowest
  FROM public.highway_segments h LEFT JOIN exact_segments e ON e.segment_id = h.id
  WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = h.id);

CREATE SEQUENCE inbox_numbers;
CREATE TABLE inbox (
  id bigint PRIMARY KEY DEFAULT nextval('inbox_numbers'),
  provider text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- An identifier may be longer than what an index takes.
  digest bytea NOT NULL,
  sender text,
  recipient text,
  kind text NOT NULL CHECK (kind IN ('text', 'pdu')),
  body text NOT NULL,
  received_at timestamptz NOT NULL,
  times_received bigint NOT NULL DEFAULT 1,
  state text COLLATE "C" NOT NULL DEFAULT 'received' CHECK (state IN
    ('received', 'part', 'report', 'heartbeat', 'decoded', 'duplicate', 'undecodable')),
  reason text COLLATE "C",
  words text,
  client_id uuid,
  warnings text,
  part_key text COLLATE "C",
  part integer,
  parts integer,
  CONSTRAINT inbox_message UNIQUE (provider, digest),
  CONSTRAINT inbox_reason CHECK ((state = 'undecodable') = (reason IS NOT NULL)),
  CONSTRAINT inbox_passage CHECK ((state IN ('decoded', 'duplicate')) = (client_id IS NOT NULL))
);
ALTER SEQUENCE inbox_numbers OWNED BY inbox.id;
CREATE INDEX inbox_open ON inbox (id) WHERE state = 'received';
CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'part';
CREATE INDEX inbox_undecodable ON inbox (id) WHERE state = 'undecodable';
CREATE INDEX inbox_parts ON inbox USING hash (part_key)
  WHERE state IN ('received', 'part', 'undecodable');

-- Counts that would otherwise need a walk over every row. What changes them is added as rows of its own, so that
-- nobody waits for anybody; now and then it is gathered.
CREATE TABLE tally (
  name text COLLATE "C" PRIMARY KEY,
  n bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE tally_changes (
  name text COLLATE "C" NOT NULL,
  n bigint NOT NULL
);

-- Into this something is written to see whether anything can be.
CREATE TABLE proofs (content bytea);
ALTER TABLE proofs ALTER COLUMN content SET STORAGE EXTERNAL;

-- When each post was heard of, how many passages of it are there, and what it told of itself last.
CREATE TABLE heard (
  post text COLLATE "C" PRIMARY KEY,
  last_at timestamptz,
  passages bigint NOT NULL DEFAULT 0,
  -- As the post counts them: whoever wrote a passage down is a passage there.
  recorded bigint NOT NULL DEFAULT 0,
  heartbeat_at timestamptz,
  last_number bigint,
  through_epoch bigint,
  waiting bigint,
  texted bigint,
  baseline bigint,
  CONSTRAINT heard_heartbeat CHECK (
    num_nulls(heartbeat_at, last_number, waiting, texted, baseline) IN (0, 5))
) WITH (fillfactor = 70);
CREATE TABLE heard_changes (
  post text COLLATE "C" NOT NULL,
  last_at timestamptz,
  passages bigint NOT NULL DEFAULT 0,
  recorded bigint NOT NULL DEFAULT 0
);

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  email text COLLATE "C" NOT NULL CONSTRAINT accounts_email_key UNIQUE
    CHECK (email = lower(email) AND email LIKE '%_@_%'),
  full_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('ranger', 'admin', 'service')),
  phone text COLLATE "C" CONSTRAINT accounts_phone_key UNIQUE,
  checkpost text COLLATE "C",
  active boolean NOT NULL DEFAULT true,
  password text CHECK (password LIKE '$%'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  refreshed_at timestamptz NOT NULL,
  generation bigint NOT NULL CHECK (generation >= 0),
  nonce bytea NOT NULL,
  ended text,
  ended_at timestamptz,
  CHECK ((ended IS NULL) = (ended_at IS NULL))
) WITH (fillfactor = 90);
CREATE INDEX sessions_account ON sessions (account, created_at);
CREATE INDEX sessions_used ON sessions (refreshed_at);

CREATE TABLE refresh_tokens (
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  generation bigint NOT NULL,
  UNIQUE (session, generation)
);

CREATE TABLE api_keys (
  prefix text COLLATE "C" CONSTRAINT api_keys_pkey PRIMARY KEY CHECK (length(prefix) = 8),
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('anon', 'post', 'service')),
  checkpost text COLLATE "C",
  digest bytea NOT NULL CHECK (length(digest) = 32),
  created_at timestamptz NOT NULL,
  valid_from timestamptz,
  valid_until timestamptz,
  revoked_at timestamptz,
  used_at timestamptz,
  CHECK ((role = 'post') = (checkpost IS NOT NULL))
);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  account uuid,
  api_key text,
  address text,
  actor text,
  detail text
);
CREATE INDEX audit_unknown ON audit (id) WHERE account IS NULL AND kind = 'sign_in_refused';

-- How far it is with dropping what is too old. Nothing from before that second is taken any more.
CREATE TABLE forgetting (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  since bigint,
  place text CHECK (place IN ('passages', 'messages', 'audit')),
  after_at timestamptz,
  after_number bigint,
  next_at timestamptz
);
INSERT INTO forgetting DEFAULT VALUES;

-- Photographs that belong to nothing any more and were not removed yet.
CREATE TABLE dropped_photographs (path text COLLATE "C" PRIMARY KEY);

-- Kept as it is, as evidence, and judged no more.
ALTER TABLE records ADD COLUMN is_aside boolean NOT NULL DEFAULT false;

CREATE INDEX passages_time ON passages (recorded_at, row_number);
CREATE INDEX records_received_plate ON records (received_plate);
CREATE INDEX records_inbox ON records (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX observations_inbox ON observations (inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX observations_photo ON observations (photo_path) WHERE photo_path IS NOT NULL;
CREATE INDEX removed_entry ON removed ((content ->> 'entry_passage_id')) WHERE kind = 'violation';

ALTER TABLE settings
  -- Whether what was reported and what is known of passages is divided into a table for each month.
  ADD COLUMN partitions text NOT NULL DEFAULT 'none' CHECK (partitions IN ('none', 'month'));

ALTER TABLE corrections
  -- Where the right photograph lies, and empty where there is none.
  ADD COLUMN photo_path text COLLATE "C";
CREATE INDEX corrections_photo ON corrections (photo_path) WHERE photo_path IS NOT NULL;

ALTER TABLE inbox
  ADD COLUMN dismissed_at timestamptz,
  ADD COLUMN dismissed_by text,
  ADD CONSTRAINT inbox_dismissed CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL)
    AND (dismissed_at IS NULL OR state = 'undecodable'));
CREATE INDEX inbox_kept_back ON inbox (id) WHERE state = 'undecodable' AND dismissed_at IS NULL;

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

ALTER TABLE public.violations
  ADD COLUMN IF NOT EXISTS is_retracted boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS finality text NOT NULL DEFAULT 'provisional',
  ADD COLUMN IF NOT EXISTS doubts text[] NOT NULL DEFAULT '{}';

INSERT INTO made VALUES ('violations');

DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT * FROM (VALUES
      ('public.vehicle_passages', 'matched_passage_id', 'checkpost_matched'),
      ('public.violations', 'exit_passage_id', 'checkpost_exits'),
      ('public.proactive_overstay_alerts', 'resolved_by_passage_id', 'checkpost_resolved')
      ) AS v(tab, col, name)
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE i.indrelid = each.tab::regclass AND a.attname = each.col AND i.indisvalid
        AND (i.indpred IS NULL
          OR pg_get_expr(i.indpred, i.indrelid) = format('(%s IS NOT NULL)', each.col)));
    EXECUTE format('CREATE INDEX %I ON %s (%I) WHERE %I IS NOT NULL', each.name, each.tab, each.col, each.col);
    INSERT INTO checkpost.made VALUES ('index ' || each.name) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

-- Letters and digits of the two scripts, in capital Latin letters; what only divides is left out, and what is
-- neither is kept as it is: a dropped letter makes another vehicle.
CREATE OR REPLACE FUNCTION compact(plate text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- Names of provinces, zones and categories, longest first, then consonants, each read as a whole.
  words CONSTANT text[] := ARRAY[
    'सुदूरपश्चिम', 'लुम्बिनी', 'कर्णाली', 'बागमती', 'गण्डकी', 'प्रदेश', 'नेपाल', 'कोशी', 'मधेश',
    'बा', 'ना', 'को', 'सा', 'मे', 'लु', 'रा', 'भे', 'से', 'पा'];
  latin CONSTANT text[] := ARRAY[
    'SUDURPASHCHIM', 'LUMBINI', 'KARNALI', 'BAGMATI', 'GANDAKI', 'PRADESH', 'NEPAL', 'KOSHI', 'MADHESH',
    'BA', 'NA', 'KO', 'SA', 'ME', 'LU', 'RA', 'BHE', 'SE', 'PA'];
  consonants CONSTANT text := 'कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह';
  sounds CONSTANT text[] := ARRAY[
    'K', 'KH', 'G', 'GH', 'NG', 'CH', 'CHH', 'J', 'JH', 'NY', 'T', 'TH', 'D', 'DH', 'N', 'T', 'TH', 'D',
    'DH', 'N', 'P', 'PH', 'B', 'BH', 'M', 'Y', 'R', 'L', 'W', 'SH', 'SH', 'S', 'H'];
  signs CONSTANT text := U&'\093E\093F\0940\0941\0942\0947\0948\094B\094C';
  vowels CONSTANT text[] := ARRAY['A', 'I', 'I', 'U', 'U', 'E', 'AI', 'O', 'AU'];
  rest text;
  made text := '';
  place integer;
BEGIN
  IF plate COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN plate; END IF;
  rest := translate(upper(plate COLLATE "C"), '०१२३४५६७८९', '0123456789');
  rest := regexp_replace(
    rest, U&'[\\s.,/:_\00A0\00B7\0964\200B-\200D\2010-\2015\202F\FEFF-]', '', 'g');
  IF rest COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN rest; END IF;
  <<letters>>
  WHILE rest <> '' LOOP
    FOR word IN 1..cardinality(words) LOOP
      IF starts_with(rest, words[word]) THEN
        made := made || latin[word];
        rest := substr(rest, length(words[word]) + 1);
        CONTINUE letters;
      END IF;
    END LOOP;
    place := strpos(consonants, left(rest, 1));
    IF place = 0 THEN
      made := made || left(rest, 1);
      rest := substr(rest, 2);
      CONTINUE;
    END IF;
    made := made || sounds[place];
    rest := substr(rest, 2);
    place := CASE WHEN rest = '' THEN 0 ELSE strpos(signs, left(rest, 1)) END;
    IF place = 0 THEN
      made := made || 'A';
    ELSE
      made := made || vowels[place];
      rest := substr(rest, 2);
    END IF;
  END LOOP;
  RETURN made;
END $$;

-- The whole second of a moment, floored as a post floors it.
CREATE OR REPLACE FUNCTION second_of(moment timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT floor(extract(epoch FROM moment AT TIME ZONE 'UTC'))::bigint $$;

-- Functions that are asked often are PL/pgSQL, which plans what they ask once.

-- Segments that have both posts and whose numbers make sense, in metres and metres an hour.
CREATE OR REPLACE VIEW segments AS
  SELECT h.id, h.name, h.distance, h.fastest, h.slowest,
    array_agg(c.code::text ORDER BY c.position_index) AS posts
  FROM known_segments h JOIN public.checkposts c ON c.segment_id = h.id
  GROUP BY h.id, h.name, h.distance, h.fastest, h.slowest
  HAVING count(*) = 2 AND h.fastest > h.slowest AND h.distance >= 1;

-- Where the passages of a post are judged.
CREATE OR REPLACE FUNCTION place_of(code text) RETURNS place LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_place place;
BEGIN
  SELECT
    s.id, s.name, coalesce(s.posts, ARRAY[code]), s.distance, s.fastest, s.slowest,
    -- Less than a vehicle needs to the other end and back.
    least(r.ranger_window, (s.distance * 3600 - 1) / s.fastest + 1),
    greatest(
      coalesce((SELECT seconds FROM pairing_windows w WHERE w.segment = s.name), r.pairing_window),
      l.longest),
    l.longest
  INTO found_place
  FROM settings r
  LEFT JOIN segments s
    ON s.id = (SELECT c.segment_id FROM public.checkposts c WHERE c.code = $1)
  -- What lies further apart is one travel only where nothing was seen in between.
  CROSS JOIN LATERAL (SELECT greatest(18000, 2 * (s.distance * 3600 / s.slowest)) AS longest) AS l;
  RETURN found_place;
END $$;

-- The identifier of what has none of its own: from the SHA-256 of what it is and what it is called, with the
-- version 8 and the variant of RFC 9562.
CREATE OR REPLACE FUNCTION derived_id(kind text, name text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  h CONSTANT bytea := substr(sha256(convert_to('checkpost:' || kind || ':' || name, 'UTF8')), 1, 16);
BEGIN
  RETURN encode(
    set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid;
END $$;

-- The post that a code names.
CREATE OR REPLACE FUNCTION post_id(code text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT c.id FROM public.checkposts c WHERE c.code = $1),
    (SELECT a.post_id FROM post_aliases a WHERE a.code = $1));
END $$;

-- The code of a post today; of one that nobody knows, what it was called.
CREATE OR REPLACE FUNCTION post_code(id uuid, called text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT c.code FROM public.checkposts c WHERE c.id = coalesce($1, post_id(called))), called);
END $$;

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

-- Nothing is known of that time any more: it is told so that nobody tries again.
CREATE OR REPLACE FUNCTION refuse_expired() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a passage is from a time of which nothing is kept any more'
    USING ERRCODE = 'check_violation', TABLE = 'vehicle_passages',
      CONSTRAINT = 'vehicle_passages_recorded_at_check';
END $$;

CREATE OR REPLACE FUNCTION is_expired(second bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(second < (SELECT since FROM forgetting), false)
$$;

CREATE OR REPLACE FUNCTION is_expired(correction corrections) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT is_expired(second_of(correction.recorded_at)) OR EXISTS (
    SELECT FROM identities i JOIN records r ON r.number = i.record
    WHERE i.client_id = correction.client_id AND r.is_dated AND is_expired(r.second))
$$;

-- Remembers that something of a vehicle changed, until it is judged at the end of the statement. The number is
-- that of a record whose reports, corrections or place changed; null where only others may be judged otherwise.
CREATE OR REPLACE FUNCTION touch(target bigint, plate text, post text, second bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  lines text := coalesce(current_setting('checkpost.touched', true), '');
BEGIN
  -- A setting that is long is slow to add to. A line with a plus says that there are more.
  IF length(lines) > 30000 THEN
    INSERT INTO touched_before (lines) VALUES (lines);
    lines := '+' || chr(10);
  END IF;
  PERFORM set_config('checkpost.touched',
    lines || jsonb_build_array(plate, post, second, target)::text || chr(10), true);
END $$;

-- What changed since it was asked last.
CREATE OR REPLACE FUNCTION all_touched()
RETURNS TABLE (target bigint, plate text, post text, second bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  lines CONSTANT text := coalesce(current_setting('checkpost.touched', true), '');
BEGIN
  IF lines = '' THEN RETURN; END IF;
  PERFORM set_config('checkpost.touched', '', true);
  RETURN QUERY SELECT (l::jsonb ->> 3)::bigint, l::jsonb ->> 0, l::jsonb ->> 1, (l::jsonb ->> 2)::bigint
    FROM string_to_table(lines, chr(10)) AS l WHERE l NOT IN ('', '+');
  IF starts_with(lines, '+') THEN
    -- Rows of others are never seen: nobody commits any.
    RETURN QUERY
      WITH gone AS (DELETE FROM touched_before b RETURNING b.lines)
      SELECT (l::jsonb ->> 3)::bigint, l::jsonb ->> 0, l::jsonb ->> 1, (l::jsonb ->> 2)::bigint
      FROM gone g, string_to_table(g.lines, chr(10)) AS l WHERE l NOT IN ('', '+');
  END IF;
END $$;

-- Puts the corrections of a record in place, and remembers it where it was and where it is.
CREATE OR REPLACE FUNCTION put_right(target bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before records;
  after records;
BEGIN
  SELECT * INTO before FROM records WHERE number = target;
  SELECT * INTO after FROM records WHERE number = target;
  SELECT post_code(
      CASE WHEN c.post IS NULL THEN before.received_post_id END, coalesce(c.post, before.received_post)),
    coalesce(c.plate, before.received_plate),
    coalesce(second_of(c.recorded_at), before.received_second),
    c.recorded_at IS NOT NULL OR EXISTS (
      SELECT FROM observations o WHERE o.record = target AND NOT o.is_clock_unset)
    INTO after.post, after.plate, after.second, after.is_dated
    FROM last_corrections(ARRAY[target]) c;
  IF (before.post, before.plate, before.second, before.is_dated)
    <> (after.post, after.plate, after.second, after.is_dated)
  THEN
    UPDATE records SET post = after.post, plate = after.plate, second = after.second,
      is_dated = after.is_dated WHERE number = target;
  END IF;
  PERFORM touch(target, before.plate, before.post, before.second);
  IF (before.plate, before.post, before.second) <> (after.plate, after.post, after.second) THEN
    PERFORM touch(target, after.plate, after.post, after.second);
  END IF;
END $$;

-- Whether something has this name or identity.
CREATE OR REPLACE FUNCTION is_taken(name uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM records WHERE passage_id = name)
    OR EXISTS (SELECT FROM identities WHERE client_id = name);
END $$;

-- What names a new record for others, and nothing else. Where there is a row already, that has the name that
-- it was given.
CREATE OR REPLACE FUNCTION free_name(report observations, is_row boolean) RETURNS uuid
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF report.own_row IS NOT NULL AND NOT EXISTS (SELECT FROM records WHERE passage_id = report.own_row)
    AND (is_row OR NOT is_taken(report.own_row))
  THEN RETURN report.own_row; END IF;
  IF NOT is_taken(report.client_id) THEN RETURN report.client_id; END IF;
  RETURN derived_id('passage', concat_ws(' ', report.post, report.plate, second_of(report.recorded_at),
    report.client_id));
END $$;

-- Takes a report. Whoever calls it holds the locks of its vehicle, and judges afterwards. Returns the record, what
-- the report was to it, and whether it told anything new.
CREATE OR REPLACE FUNCTION receive(
  report observations, meant uuid, is_row boolean, moment timestamptz, OUT target bigint,
  OUT reception text, OUT is_news boolean
) LANGUAGE plpgsql AS $$
DECLARE
  known records;
  key_second CONSTANT bigint := second_of(report.recorded_at);
  again observations;
  is_linked boolean := true;
  is_full boolean := false;
BEGIN
  IF NOT report.is_clock_unset AND is_expired(key_second) THEN
    reception := 'expired';
    is_news := false;
    RETURN;
  END IF;
  is_news := true;
  SELECT r.* INTO known FROM identities i JOIN records r ON r.number = i.record
    WHERE i.client_id = report.client_id;
  IF FOUND THEN
    target := known.number;
    is_linked := false;
    IF (report.post, report.plate, key_second)
        IN ((known.received_post, known.received_plate, known.received_second),
          (known.post, known.plate, known.second)) THEN
      reception := 'known';
    ELSE
      reception := 'contradiction';
      is_news := NOT known.is_contradicted;
      UPDATE records SET is_contradicted = true, times = times + 1, last_at = greatest(last_at, moment)
        WHERE number = target;
      IF is_news THEN PERFORM touch(target, known.plate, known.post, known.second); END IF;
      RETURN;
    END IF;
  ELSE
    SELECT number INTO target FROM records
      WHERE received_plate = report.plate AND received_post = report.post
        AND received_second = key_second;
    IF FOUND THEN
      reception := 'alias';
    ELSE
      reception := 'new';
      target := next_record(key_second);
      INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
          plate, second, is_dated, row_number, passage_id, last_at, client_id, inbox_id, inserted_at)
        OVERRIDING SYSTEM VALUE
        VALUES (target, report.post, report.plate, key_second, meant, post_code(meant, report.post),
          report.plate, key_second, NOT report.is_clock_unset, target, free_name(report, is_row), moment,
          report.client_id, report.inbox_id, moment);
    END IF;
  END IF;

  IF reception <> 'new' THEN
    UPDATE records SET times = times + 1, last_at = greatest(last_at, moment) WHERE number = target;
    -- Of very many reports of one record it is only counted how many there were.
    is_full := (SELECT count(*) >= 64 FROM observations o WHERE o.record = target);
    SELECT * INTO again FROM observations o
      WHERE o.record = target AND o.client_id = report.client_id AND o.post = report.post
        AND o.raw_plate = report.raw_plate AND o.vehicle_type = report.vehicle_type
        AND o.recorded_at = report.recorded_at AND o.ranger IS NOT DISTINCT FROM report.ranger
        AND o.suffix = report.suffix AND o.photo_path IS NOT DISTINCT FROM report.photo_path
        AND o.channel = report.channel AND o.is_proven = report.is_proven
        AND o.clock_seconds IS NOT DISTINCT FROM report.clock_seconds
        AND o.is_clock_unset = report.is_clock_unset;
    is_news := CASE WHEN again.number IS NOT NULL THEN report.received_at < again.received_at
      ELSE NOT is_full END;
  END IF;
  IF is_linked AND NOT is_full THEN
    INSERT INTO identities (client_id, record) VALUES (report.client_id, target);
  END IF;
  IF NOT is_news THEN RETURN; END IF;
  IF again.number IS NOT NULL THEN
    UPDATE observations SET received_at = report.received_at, inbox_id = report.inbox_id,
      own_row = report.own_row WHERE record = target AND number = again.number;
  ELSE
    INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
        suffix, photo_path, channel, is_proven, received_at, clock_seconds, is_clock_unset, inbox_id,
        inserted_at, own_row)
      VALUES (target, report.client_id, report.post, report.plate, report.raw_plate, report.vehicle_type,
        report.recorded_at, report.ranger, report.suffix, report.photo_path, report.channel,
        report.is_proven, report.received_at, report.clock_seconds, report.is_clock_unset, report.inbox_id,
        moment, report.own_row);
  END IF;
  IF is_linked THEN
    UPDATE corrections SET record = target WHERE client_id = report.client_id AND record IS NULL;
    IF NOT FOUND AND reception = 'new' THEN
      PERFORM touch(target, r.plate, r.post, r.second) FROM records r WHERE r.number = target;
      RETURN;
    END IF;
  END IF;
  PERFORM put_right(target);
END $$;

-- Whether a record is the only one of its passage, so that it has a row of its own.
CREATE OR REPLACE FUNCTION stands_alone(target bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  it records;
  window_seconds bigint;
  first bigint;
  next bigint;
BEGIN
  SELECT * INTO it FROM records WHERE number = target;
  IF NOT it.is_dated THEN RETURN true; END IF;
  window_seconds := (place_of(it.post)).ranger_window;
  first := it.second;
  LOOP
    SELECT min(r.second) INTO next FROM records r
      WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated
        AND r.second >= first - window_seconds AND r.second < first;
    EXIT WHEN next IS NULL;
    first := next;
  END LOOP;
  LOOP
    SELECT min(r.second) INTO next FROM records r
      WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated
        AND r.second > first + window_seconds AND r.second <= it.second;
    EXIT WHEN next IS NULL;
    first := next;
  END LOOP;
  RETURN NOT EXISTS (
    SELECT FROM records r WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated
      AND r.number <> target AND r.second BETWEEN first AND first + window_seconds);
END $$;

-- Of each thing that corrections of some records change, what the last of them says. Where they were made at
-- the same moment their contents decide, so that it does not matter which came first.
CREATE OR REPLACE FUNCTION last_corrections(
  targets bigint[], OUT plate text, OUT raw_plate text, OUT vehicle_type text, OUT post text,
  OUT recorded_at timestamptz, OUT photo_path text, OUT is_any boolean
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  is_any := EXISTS (SELECT FROM corrections c WHERE c.record = ANY (targets));
  IF NOT is_any THEN RETURN; END IF;
  WITH made AS (
    SELECT c.*, row_number() OVER (ORDER BY c.made_at DESC, c.client_id DESC,
      coalesce(c.plate, '') COLLATE "C" DESC, coalesce(c.raw_plate, '') COLLATE "C" DESC,
      coalesce(c.vehicle_type, '') COLLATE "C" DESC, coalesce(c.post, '') COLLATE "C" DESC,
      coalesce(floor(extract(epoch FROM c.recorded_at) * 1000)::text, '') COLLATE "C" DESC,
      coalesce(c.author, '') COLLATE "C" DESC,
      coalesce('=' || c.photo_path, '') COLLATE "C" DESC) AS age
    FROM corrections c WHERE c.record = ANY (targets)
  )
  SELECT (array_agg(plate ORDER BY age) FILTER (WHERE plate IS NOT NULL))[1],
    (array_agg(raw_plate ORDER BY age) FILTER (WHERE plate IS NOT NULL))[1],
    (array_agg(vehicle_type ORDER BY age) FILTER (WHERE vehicle_type IS NOT NULL))[1],
    (array_agg(post ORDER BY age) FILTER (WHERE post IS NOT NULL))[1],
    (array_agg(recorded_at ORDER BY age) FILTER (WHERE recorded_at IS NOT NULL))[1],
    (array_agg(photo_path ORDER BY age) FILTER (WHERE photo_path IS NOT NULL))[1]
  INTO plate, raw_plate, vehicle_type, post, recorded_at, photo_path
  FROM made;
END $$;

CREATE OR REPLACE FUNCTION is_same(one corrections, other corrections) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT (one.client_id, one.plate, one.raw_plate, one.vehicle_type, one.post, one.recorded_at, one.author,
      one.made_at, one.photo_path)
    IS NOT DISTINCT FROM (other.client_id, other.plate, other.raw_plate, other.vehicle_type, other.post,
      other.recorded_at, other.author, other.made_at, other.photo_path)
$$;

-- Takes a correction; one of a passage that did not come yet waits for it. Whoever calls it holds the locks
-- of both vehicles, and judges afterwards. Returns the record, which is null while there is none, and whether the
-- correction is new.
CREATE OR REPLACE FUNCTION correct(correction corrections, OUT target bigint, OUT is_news boolean)
LANGUAGE plpgsql AS $$
DECLARE
  kept bigint;
  is_there boolean;
BEGIN
  SELECT record INTO target FROM identities WHERE client_id = correction.client_id;
  IF target IS NULL THEN
    SELECT count(*), bool_or(is_same(c, correction)) INTO kept, is_there FROM corrections c
      WHERE c.client_id = correction.client_id AND c.record IS NULL;
  ELSE
    SELECT count(*), bool_or(is_same(c, correction)) INTO kept, is_there FROM corrections c
      WHERE c.record = target;
  END IF;
  -- No more are kept than these, of an identity that did not come yet and of a record.
  is_news := kept < CASE WHEN target IS NULL THEN 16 ELSE 64 END AND is_there IS NOT TRUE;
  IF NOT is_news THEN RETURN; END IF;
  INSERT INTO corrections (record, client_id, plate, raw_plate, vehicle_type, post, recorded_at, author,
      made_at, photo_path)
    VALUES (target, correction.client_id, correction.plate, correction.raw_plate,
      correction.vehicle_type, correction.post, correction.recorded_at, correction.author,
      correction.made_at, correction.photo_path);
  IF target IS NOT NULL THEN PERFORM put_right(target); END IF;
END $$;

-- Whether the first of these from `at` on, which nothing near precedes, is surely the entry of an ordinary
-- travel: the next passage is at the other end, and near.
CREATE OR REPLACE FUNCTION begins_travel(it place, seconds bigint[], posts text[], at integer)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  FOR i IN at + 1..cardinality(seconds) LOOP
    IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= it.longest; END IF;
    IF seconds[i] - seconds[at] > it.ranger_window THEN RETURN false; END IF;
  END LOOP;
  RETURN false;
END $$;

-- Whether the last of these up to `at` is surely the last passage before `next`, which is at the same post and
-- too late to be one with it: no passage at the other post can have begun after it did.
CREATE OR REPLACE FUNCTION is_clear(
  it place, seconds bigint[], posts text[], at integer, next bigint
) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF next - seconds[at] <= it.ranger_window THEN RETURN false; END IF;
  FOR i IN REVERSE at..1 LOOP
    EXIT WHEN seconds[i] < seconds[at] - it.ranger_window;
    IF posts[i] <> posts[at] THEN RETURN false; END IF;
  END LOOP;
  RETURN true;
END $$;

-- Looks on both sides of what changed for the next place across which nothing can work: a gap in which nothing
-- is paired; two passages at one post that follow each other; the begin of an ordinary travel that nothing near
-- precedes. All lie outside of what changed, so that they were there before too.
CREATE OR REPLACE FUNCTION span_of(vehicle text, it place, low bigint, high bigint)
RETURNS span LANGUAGE plpgsql STABLE AS $$
DECLARE
  read_low bigint := low;
  read_high bigint := high;
  reach bigint;
  seconds bigint[];
  posts text[];
  below integer;
  above integer;
  edge bigint;
  edge_post text;
  found span;
BEGIN
  LOOP
    reach := greatest(2 * (it.pairing_window + it.ranger_window), (read_high - read_low) / 2);
    read_low := read_low - reach;
    read_high := read_high + reach;
    SELECT array_agg(r.second ORDER BY r.second, r.post), array_agg(r.post::text ORDER BY r.second, r.post)
      INTO seconds, posts
      FROM records r
      WHERE r.plate = vehicle AND r.second BETWEEN read_low AND read_high AND r.post = ANY (it.posts)
        AND r.is_dated AND NOT r.is_aside;
    seconds := coalesce(seconds, ARRAY[]::bigint[]);
    below := 0;
    above := cardinality(seconds) + 1;
    FOR i IN 1..cardinality(seconds) LOOP
      IF seconds[i] < low THEN below := i; END IF;
      IF seconds[i] > high THEN above := i; EXIT; END IF;
    END LOOP;

    found := ROW(NULL, NULL, NULL)::span;
    edge := low;
    edge_post := NULL;
    FOR i IN REVERSE below..1 LOOP
      IF edge - it.pairing_window > seconds[i]
        OR it.segment_id IS NOT NULL AND edge - it.longest > seconds[i]
          AND begins_travel(it, seconds[:below], posts[:below], i + 1)
        OR posts[i] = edge_post AND read_low <= seconds[i] - it.ranger_window
          AND is_clear(it, seconds, posts, i, edge)
      THEN
        found.low := edge;
        EXIT;
      END IF;
      edge := seconds[i];
      edge_post := posts[i];
    END LOOP;
    IF found.low IS NULL AND edge - it.pairing_window > read_low THEN found.low := edge; END IF;

    edge := high;
    FOR i IN above..cardinality(seconds) LOOP
      IF seconds[i] - it.pairing_window > edge THEN
        found.high := edge;
        found.ends_in_gap := true;
        EXIT;
      END IF;
      IF it.segment_id IS NOT NULL AND seconds[i] - it.longest > edge
          AND begins_travel(it, seconds, posts, i)
        OR i > above AND posts[i - 1] = posts[i] AND high < edge - it.ranger_window
          AND is_clear(it, seconds[above:], posts[above:], i - above, seconds[i])
      THEN
        found.high := edge;
        found.ends_in_gap := false;
        EXIT;
      END IF;
      edge := seconds[i];
    END LOOP;
    IF found.high IS NULL AND read_high - it.pairing_window > edge THEN
      found.high := edge;
      found.ends_in_gap := true;
    END IF;
    IF found.low IS NOT NULL AND found.high IS NOT NULL THEN RETURN found; END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION travels_of(vehicle text, it place, part span)
RETURNS travels LANGUAGE plpgsql STABLE AS $$
DECLARE
  numbers bigint[];
  seconds bigint[];
  posts text[];
  dated boolean[];
  -- Of each record its passage; of each passage its row, post, first and last second, and its partner.
  part_of integer[] := '{}';
  rows bigint[] := '{}';
  at text[] := '{}';
  earliest bigint[] := '{}';
  latest bigint[] := '{}';
  partner integer[] := '{}';
  -- The passages that are dated, in order; and of each post the one that is open.
  in_order integer[] := '{}';
  open integer[] := array_fill(0, ARRAY[cardinality(it.posts)]);
  count integer := 0;
  post integer;
  a integer;
  b integer;
  i integer;
  made travels;
BEGIN
  SELECT array_agg(r.number ORDER BY r.second, r.post, r.number),
      array_agg(r.second ORDER BY r.second, r.post, r.number),
      array_agg(r.post::text ORDER BY r.second, r.post, r.number),
      array_agg(r.is_dated ORDER BY r.second, r.post, r.number)
    INTO numbers, seconds, posts, dated
    FROM records r
    WHERE r.plate = vehicle AND r.second BETWEEN part.low AND part.high AND r.post = ANY (it.posts)
      AND NOT r.is_aside;
  IF numbers IS NULL THEN RETURN NULL; END IF;

  -- A passage begins with a record and holds what follows it within the window, counted from that first one.
  FOR i IN 1..cardinality(numbers) LOOP
    post := array_position(it.posts, posts[i]);
    IF dated[i] AND open[post] > 0 AND seconds[i] - earliest[open[post]] <= it.ranger_window THEN
      a := open[post];
      part_of[i] := a;
      -- The one that was made first; what stands above these bits is its month.
      IF numbers[i] & 1099511627775 < rows[a] & 1099511627775 THEN rows[a] := numbers[i]; END IF;
      latest[a] := seconds[i];
    ELSE
      count := count + 1;
      part_of[i] := count;
      rows[count] := numbers[i];
      at[count] := posts[i];
      earliest[count] := seconds[i];
      latest[count] := seconds[i];
      partner[count] := 0;
      IF dated[i] THEN
        open[post] := count;
        in_order := in_order || count;
      END IF;
    END IF;
  END LOOP;
  made.numbers := numbers;
  made.rows := ARRAY(SELECT rows[p] FROM unnest(part_of) WITH ORDINALITY AS u(p, n) ORDER BY n);
  IF it.segment_id IS NULL THEN RETURN made; END IF;

  -- First as a post does it, so that the two say the same of what both know: the nearest two.
  i := 1;
  WHILE i < cardinality(in_order) LOOP
    a := in_order[i];
    b := in_order[i + 1];
    IF at[a] <> at[b] AND earliest[b] - earliest[a] <= it.longest THEN
      partner[a] := b;
      partner[b] := a;
      i := i + 2;
    ELSE
      i := i + 1;
    END IF;
  END LOOP;
  -- Then what stayed long: the next one at the other end, with no passage between.
  FOR i IN 1..cardinality(in_order) - 1 LOOP
    a := in_order[i];
    b := in_order[i + 1];
    IF partner[a] = 0 AND partner[b] = 0 AND at[a] <> at[b]
      AND earliest[b] - earliest[a] <= it.pairing_window
    THEN
      partner[a] := b;
      partner[b] := a;
    END IF;
  END LOOP;

  FOR i IN 1..cardinality(in_order) LOOP
    a := in_order[i];
    IF partner[a] > a THEN
      made.entries := made.entries || rows[a];
      made.exits := made.exits || rows[partner[a]];
    ELSIF partner[a] = 0 AND (CASE
        WHEN i < cardinality(in_order) THEN earliest[in_order[i + 1]] - latest[a] > it.pairing_window
        ELSE part.ends_in_gap END)
    THEN
      -- An entry after which nothing was seen of the vehicle.
      made.waiting := made.waiting || rows[a];
      made.opposites := made.opposites
        || CASE WHEN it.posts[1] = at[a] THEN it.posts[2] ELSE it.posts[1] END;
      made.due := made.due || latest[a] + it.distance * 3600 / it.slowest + 2;
      made.expires := made.expires || latest[a] + it.pairing_window;
    END IF;
  END LOOP;
  RETURN made;
END $$;

-- What the records of each passage say together: what came later adds to it and never takes anything away,
-- and where two say different things the one that is better founded counts.
CREATE OR REPLACE FUNCTION contents(numbers bigint[], rows bigint[])
RETURNS SETOF passages LANGUAGE sql STABLE AS $$
  WITH members AS (
    SELECT u.row, u.ordinal, r.*
    FROM unnest(numbers, rows) WITH ORDINALITY AS u(number, row, ordinal)
    JOIN records r ON r.number = u.number
  ),
  whole AS (
    SELECT m.row, array_agg(m.number ORDER BY m.ordinal) AS members,
      (array_agg(m.number ORDER BY m.ordinal))[1] AS first,
      (array_agg(m.post ORDER BY m.ordinal))[1] AS post,
      (array_agg(m.plate ORDER BY m.ordinal))[1] AS plate,
      (array_agg(m.second ORDER BY m.ordinal))[1] AS earliest,
      (array_agg(m.second ORDER BY m.ordinal DESC))[1] AS latest,
      (array_agg(m.is_dated ORDER BY m.ordinal))[1] AS is_dated,
      bool_or(m.is_contradicted) AS is_contradicted
    FROM members m GROUP BY m.row
  ),
  reports AS (
    SELECT m.row, o.*, row_number() OVER (PARTITION BY m.row ORDER BY o.is_proven DESC,
      array_position(ARRAY['upload', 'operator', 'text'], o.channel::text), o.received_at, o.client_id,
      floor(extract(epoch FROM o.recorded_at) * 1000)::bigint::text COLLATE "C", o.vehicle_type,
      o.raw_plate, coalesce(o.ranger, ''), o.suffix, coalesce(o.photo_path, ''),
      (CASE WHEN o.is_clock_unset THEN 'unset' WHEN o.clock_seconds IS NULL THEN 'unknown'
        ELSE 'within(seconds: ' || o.clock_seconds || ')' END) COLLATE "C") AS place
    FROM members m JOIN observations o ON o.record = m.number
  ),
  told AS (
    SELECT w.row,
      (array_agg(o.raw_plate ORDER BY o.place)
        FILTER (WHERE o.plate = w.plate AND o.raw_plate <> o.plate))[1] AS raw_plate,
      (array_agg(o.vehicle_type ORDER BY o.place) FILTER (WHERE o.vehicle_type <> 'other'))[1]
        AS vehicle_type,
      count(DISTINCT o.vehicle_type) FILTER (WHERE o.vehicle_type <> 'other') AS types,
      (array_agg(o.recorded_at ORDER BY o.place) FILTER (WHERE o.record = w.first))[1] AS recorded_at,
      (array_agg(o.suffix ORDER BY o.place) FILTER (WHERE o.record = w.first))[1] AS suffix,
      (array_agg(o.photo_path ORDER BY o.place) FILTER (WHERE o.photo_path IS NOT NULL))[1] AS photo_path,
      count(DISTINCT o.photo_path) AS photos,
      array_agg(DISTINCT o.channel) AS channels,
      bool_or(o.is_proven) AS is_proven,
      -- Of a report whose clock had not been set nothing is known of how wrong it was.
      min(o.clock_seconds) FILTER (WHERE NOT o.is_clock_unset) AS clock_seconds,
      min(o.received_at) AS first_received_at
    FROM whole w JOIN reports o ON o.row = w.row GROUP BY w.row
  )
  SELECT w.row, w.members, w.post, w.plate, w.earliest, w.latest, w.is_dated,
    coalesce(c.raw_plate, t.raw_plate, w.plate),
    coalesce(c.vehicle_type, t.vehicle_type, 'other'),
    coalesce(f.recorded_at, t.recorded_at),
    ARRAY(SELECT o.ranger FROM reports o WHERE o.row = w.row AND o.ranger IS NOT NULL
      GROUP BY o.ranger ORDER BY min(o.place)),
    t.suffix, CASE WHEN c.photo_path IS NULL THEN t.photo_path ELSE nullif(c.photo_path, '') END,
    ARRAY(SELECT u FROM unnest(ARRAY['upload', 'operator', 'text']) AS u WHERE u = ANY (t.channels)),
    t.is_proven, t.clock_seconds, t.first_received_at, c.is_any,
    array_remove(ARRAY[
      CASE WHEN t.types > 1 THEN 'vehicle_type' END,
      CASE WHEN t.photos > cardinality(w.members) THEN 'photo' END,
      CASE WHEN w.is_contradicted THEN 'identity' END], NULL)
  FROM whole w JOIN told t ON t.row = w.row
  CROSS JOIN LATERAL last_corrections(w.members) c
  CROSS JOIN LATERAL last_corrections(ARRAY[w.first]) f
$$;

-- Which rows have to be put together anew: those of records that changed or moved, and those that these left.
CREATE OR REPLACE FUNCTION rows_to_write(made judgement, changed bigint[], rows_left bigint[], is_all boolean)
RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF is_all THEN RETURN ARRAY(SELECT DISTINCT r FROM unnest(made.rows) AS r); END IF;
  RETURN (
    WITH judged AS (
      SELECT u.number, u.row, r.row_number AS before
      FROM unnest(made.numbers, made.rows) AS u(number, row) JOIN records r ON r.number = u.number),
    other AS (
      SELECT j.row, j.before FROM judged j
      WHERE j.before IS DISTINCT FROM j.row OR j.number IN (SELECT unnest(changed)))
    SELECT array_agg(DISTINCT j.row) FROM judged j
      WHERE j.row IN (SELECT o.row FROM other o UNION ALL SELECT o.before FROM other o
        UNION ALL SELECT unnest(rows_left)));
END $$;

-- Writes what is known of passages, and returns the rows of which something is written or gone.
CREATE OR REPLACE FUNCTION write_passages(made judgement, again bigint[]) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  moved bigint[];
  gone bigint[];
  plain bigint[];
BEGIN
  WITH moved AS (
    UPDATE records r SET row_number = u.row FROM unnest(made.numbers, made.rows) AS u(number, row)
      WHERE r.number = u.number AND r.row_number IS DISTINCT FROM u.row
      RETURNING r.number)
  SELECT array_agg(m.number) INTO moved FROM moved m;
  WITH removed AS (
    DELETE FROM passages p
      WHERE p.row_number IN (SELECT u.number FROM unnest(made.numbers, made.rows) AS u(number, row)
        WHERE u.number <> u.row)
      RETURNING p.row_number)
  SELECT array_agg(row_number) INTO gone FROM removed;
  IF again IS NULL THEN RETURN moved || gone; END IF;
  -- Nearly all passages rest on one report, of which nothing has to be put together.
  WITH wanted AS (
    SELECT u.row, min(u.number) AS number FROM unnest(made.numbers, made.rows) AS u(number, row)
    WHERE u.row IN (SELECT unnest(again)) GROUP BY u.row HAVING count(*) = 1),
  single AS (
    SELECT w.number, min(o.number) AS report FROM wanted w JOIN observations o ON o.record = w.number
    GROUP BY w.number HAVING count(*) = 1),
  written AS (
    INSERT INTO passages AS p
      SELECT r.number, ARRAY[r.number], r.post, r.plate, r.second, r.second, r.is_dated,
        CASE WHEN o.plate = r.plate THEN o.raw_plate ELSE r.plate END, o.vehicle_type, o.recorded_at,
        array_remove(ARRAY[o.ranger]::text[], NULL), o.suffix, o.photo_path, ARRAY[o.channel]::text[],
        o.is_proven, CASE WHEN NOT o.is_clock_unset THEN o.clock_seconds END, o.received_at, false,
        CASE WHEN r.is_contradicted THEN ARRAY['identity'] ELSE '{}'::text[] END
      FROM single s JOIN records r ON r.number = s.number JOIN observations o ON o.record = s.number AND o.number = s.report
      WHERE NOT EXISTS (SELECT FROM corrections c WHERE c.record = r.number)
        AND NOT EXISTS (SELECT FROM passages k WHERE k.row_number = r.number)
      RETURNING p.row_number)
  SELECT array_agg(row_number) INTO plain FROM written;
  IF cardinality(plain) IS DISTINCT FROM cardinality(again) THEN
    INSERT INTO passages AS p
      SELECT c.* FROM (
        SELECT array_agg(u.number ORDER BY u.place) AS numbers, array_agg(u.row ORDER BY u.place) AS rows
        FROM unnest(made.numbers, made.rows) WITH ORDINALITY AS u(number, row, place)
        WHERE u.row IN (SELECT unnest(again) EXCEPT SELECT unnest(plain))) AS w,
        contents(w.numbers, w.rows) AS c
      ON CONFLICT (row_number) DO UPDATE SET
        members = excluded.members, post = excluded.post, plate = excluded.plate,
        earliest = excluded.earliest, latest = excluded.latest, is_dated = excluded.is_dated,
        raw_plate = excluded.raw_plate, vehicle_type = excluded.vehicle_type,
        recorded_at = excluded.recorded_at, rangers = excluded.rangers, suffix = excluded.suffix,
        photo_path = excluded.photo_path, channels = excluded.channels, is_proven = excluded.is_proven,
        clock_seconds = excluded.clock_seconds, first_received_at = excluded.first_received_at,
        is_corrected = excluded.is_corrected, contradictions = excluded.contradictions
      WHERE p IS DISTINCT FROM excluded;
  END IF;
  RETURN again || moved || gone;
END $$;

CREATE OR REPLACE FUNCTION write_pairs(made judgement) RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  parted change[];
  paired change[];
BEGIN
  WITH gone AS (
    DELETE FROM pairs p
      WHERE (p.entry = ANY (made.numbers) OR p.exit = ANY (made.numbers))
        AND (p.entry, p.exit) NOT IN (
          SELECT u.entry, u.exit FROM unnest(made.entries, made.exits) AS u(entry, exit))
      RETURNING p.entry, p.exit)
  SELECT array_agg(ROW('parted', g.entry, g.exit)::change ORDER BY g.entry) INTO parted FROM gone g;
  WITH come AS (
    INSERT INTO pairs AS p (entry, exit)
      SELECT u.entry, u.exit FROM unnest(made.entries, made.exits) AS u(entry, exit)
      ON CONFLICT (entry) DO NOTHING RETURNING p.entry, p.exit)
  SELECT array_agg(ROW('paired', c.entry, c.exit)::change ORDER BY c.entry) INTO paired FROM come c;
  RETURN parted || paired;
END $$;

-- The verdict on a travel that took no less and no more than so many seconds. A second is allowed on each side,
-- as both ends are known to the second; products of whole numbers are compared, with nothing rounded.
CREATE OR REPLACE FUNCTION verdict(it place, shortest bigint, longest bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN (least(greatest(longest, 0), 1000000000) + 1) * it.fastest < it.distance * 3600 THEN 'speeding'
    WHEN (least(shortest, 1000000000) - 1) * it.slowest > it.distance * 3600 THEN 'overstay' END
$$;

-- What each pair of a judgement broke, with all that could make it wrong. Where an end was written down twice
-- the vehicle may have been there at either time, and the one counts that is better for the driver.
CREATE OR REPLACE FUNCTION findings(made judgement) RETURNS SETOF finding LANGUAGE sql STABLE AS $$
  SELECT v.kind, a.plate, (u.it).segment, a.row_number, a.post, a.earliest, a.latest,
    b.row_number, b.post, b.earliest, b.latest,
    CASE v.kind WHEN 'speeding' THEN b.latest - a.earliest ELSE t.shortest END,
    CASE v.kind WHEN 'speeding' THEN ((u.it).distance * 3600 + (u.it).fastest - 1) / (u.it).fastest
      ELSE (u.it).distance * 3600 / (u.it).slowest END,
    b.earliest - a.earliest > (u.it).longest,
    array_remove(ARRAY[
      CASE WHEN NOT a.is_proven AND a.channels = ARRAY['text']
        OR NOT b.is_proven AND b.channels = ARRAY['text'] THEN 'by_text_alone' END,
      CASE WHEN v.kind = 'overstay' AND t.shortest > (SELECT long_stay FROM settings)
        THEN 'long_stay' END,
      CASE WHEN t.clocks > 0
        AND verdict(u.it, greatest(t.shortest - t.clocks, 0), t.longest + t.clocks) IS NULL
        THEN 'clocks' END,
      CASE WHEN a.contradictions <> '{}' OR b.contradictions <> '{}' THEN 'contradicted' END], NULL)
  FROM (SELECT p.entry, p.exit, made.places[p.at] AS it
    FROM unnest(made.entries, made.exits, made.pair_places) AS p(entry, exit, at)) AS u
  JOIN passages a ON a.row_number = u.entry
  JOIN passages b ON b.row_number = u.exit
  CROSS JOIN LATERAL (
    SELECT b.latest - a.earliest AS longest, greatest(b.earliest - a.latest, 0) AS shortest,
      -- A clock that is off by more than thirty years says nothing at all.
      least(coalesce(a.clock_seconds, 0), 1000000000) + least(coalesce(b.clock_seconds, 0), 1000000000)
        AS clocks) t
  CROSS JOIN LATERAL (SELECT verdict(u.it, t.shortest, t.longest) AS kind) v
  WHERE v.kind IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION write_violations(
  made judgement, cause text, moment timestamptz, is_all boolean
) RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  each record;
  founds CONSTANT finding[] := ARRAY(SELECT f FROM findings(made) AS f);
  now_found finding;
  known violations;
  change_made text;
  is_other boolean;
  told change[] := '{}';
  changed bigint[] := '{}';
BEGIN
  -- Nearly all that is found was not there before, and all of it is written at once.
  IF cardinality(founds) > 0 THEN
    WITH fresh AS (
      INSERT INTO violations AS v (entry, found, since, uuid)
        SELECT (u.f).entry, u.f, moment, derived_id('violation', r.passage_id::text)
        FROM (SELECT f FROM unnest(founds) AS f) AS u JOIN records r ON r.number = (u.f).entry
        WHERE NOT EXISTS (SELECT FROM violations k WHERE k.entry = (u.f).entry)
        ORDER BY (u.f).entry
        RETURNING v.entry, v.found),
    noted AS (
      INSERT INTO revisions (entry, number, change, cause, at, after, was_final)
        SELECT f.entry, 1, 'made', cause, moment, to_jsonb(f.found), 'provisional' FROM fresh f)
    SELECT coalesce(array_agg(f.entry), '{}'),
        coalesce(array_agg(ROW('revised', f.entry, 1)::change), '{}')
      INTO changed, told FROM fresh f;
  END IF;
  FOR each IN
    SELECT v AS known, u.f AS found
    FROM (SELECT * FROM violations
      WHERE entry = ANY (made.numbers) AND entry NOT IN (SELECT unnest(changed))) AS v
    LEFT JOIN (SELECT f FROM unnest(founds) AS f) AS u ON (u.f).entry = v.entry
    WHERE u.f IS NULL AND NOT v.is_retracted
      OR (u.f).entry IS NOT NULL AND (v.is_retracted OR u.f IS DISTINCT FROM v.found)
    ORDER BY v.entry
  LOOP
    known := each.known;
    now_found := each.found;
    changed := changed || known.entry;
    IF now_found.entry IS NULL THEN
      change_made := 'retracted';
      is_other := true;
    ELSE
      change_made := CASE WHEN known.is_retracted THEN 'renewed' ELSE 'changed' END;
      -- What says the same of the vehicle, and only doubts otherwise, stands since before.
      is_other := known.is_retracted
        OR to_jsonb(now_found) - 'doubts' <> to_jsonb(known.found) - 'doubts';
    END IF;
    INSERT INTO revisions (entry, number, change, cause, at, before, after, was_final)
      VALUES (known.entry, known.revision + 1, change_made, cause, moment,
        to_jsonb(known.found), CASE WHEN now_found.entry IS NOT NULL THEN to_jsonb(now_found) END,
        known.finality);
    UPDATE violations v SET
      found = CASE WHEN change_made = 'retracted' THEN known.found ELSE now_found END,
      is_retracted = change_made = 'retracted',
      since = CASE WHEN is_other THEN moment ELSE v.since END,
      finality = CASE WHEN is_other THEN 'provisional' ELSE v.finality END,
      confirmed_at = CASE WHEN NOT is_other THEN v.confirmed_at END,
      confirmed_by = CASE WHEN NOT is_other THEN v.confirmed_by END,
      revision = v.revision + 1
      WHERE v.entry = known.entry;
    told := told || ROW('revised', known.entry, known.revision + 1)::change;
  END LOOP;
  told := ARRAY(SELECT t FROM unnest(told) AS t ORDER BY t.entry);
  IF is_all THEN
    changed := ARRAY(SELECT entry FROM violations WHERE entry = ANY (made.numbers));
  END IF;
  IF cardinality(changed) = 0 THEN RETURN told; END IF;
  RETURN told || settle(changed, moment);
END $$;

-- Settles whether something can still change violations, and writes down what they wait for. Pairing looks at
-- nothing that comes after a pair, so what could change it was recorded at the exit's post within the time in
-- which another ranger may write the exit down, or at the entry's post up to the exit; a far one falls to a
-- shorter travel back. One that rests on texts alone waits for a person.
CREATE OR REPLACE FUNCTION settle(entries bigint[], moment timestamptz) RETURNS change[]
LANGUAGE plpgsql AS $$
DECLARE
  told change[];
BEGIN
  PERFORM lock_reports(ARRAY(
    SELECT (v.found).entry_post FROM violations v WHERE v.entry = ANY (entries)
    UNION SELECT (v.found).exit_post FROM violations v WHERE v.entry = ANY (entries)));
  WITH wanted AS (
    SELECT v.*, NOT v.is_retracted
        AND NOT ('by_text_alone' = ANY ((v.found).doubts) AND v.confirmed_at IS NULL) AS is_open
    FROM violations v WHERE v.entry = ANY (entries)
  ),
  places AS MATERIALIZED (
    SELECT p.post, place_of(p.post) AS it FROM (SELECT DISTINCT (w.found).exit_post AS post FROM wanted w) AS p
  ),
  needs AS (
    SELECT w.entry, w.finality AS before, w.is_open, w.found, w.since,
      greatest((w.found).exit_latest, (w.found).entry_earliest + (p.it).ranger_window,
        CASE WHEN (w.found).is_far AND (p.it).segment_id IS NOT NULL
          THEN (w.found).exit_latest + (p.it).longest END) AS at_entry,
      (w.found).exit_earliest + (p.it).ranger_window AS at_exit,
      w.since + make_interval(secs => s.provisional_for) AS unreported
    FROM wanted w JOIN places p ON p.post = (w.found).exit_post CROSS JOIN settings s
  ),
  settled AS (
    SELECT n.*, CASE
      WHEN NOT n.is_open THEN 'provisional'
      WHEN n.before = 'reported' THEN 'reported'
      WHEN x.through > n.at_exit AND e.through > n.at_entry THEN 'reported'
      WHEN moment >= n.unreported THEN 'unreported'
      ELSE 'provisional' END AS after
    FROM needs n
    LEFT JOIN post_reports x ON x.post = (n.found).exit_post
    LEFT JOIN post_reports e ON e.post = (n.found).entry_post
  ),
  written AS (
    UPDATE violations v SET finality = s.after,
      entry_needs = CASE WHEN s.is_open AND s.after <> 'reported' THEN s.at_entry END,
      exit_needs = CASE WHEN s.is_open AND s.after <> 'reported' THEN s.at_exit END,
      unreported_from = CASE WHEN s.is_open AND s.after = 'provisional' THEN s.unreported END
    FROM settled s WHERE v.entry = s.entry
    RETURNING v.entry, v.finality, v.revision, s.before <> s.after AS is_other),
  noted AS (
    INSERT INTO violation_notes (entry, kind, at, revision)
      SELECT w.entry, w.finality, moment, w.revision FROM written w WHERE w.is_other ORDER BY w.entry)
  SELECT array_agg(ROW('settled', w.entry, NULL)::change ORDER BY w.entry) INTO told FROM written w WHERE w.is_other;
  RETURN told;
END $$;

-- Writes down which entries wait after a judgement, and the alerts that follow.
CREATE OR REPLACE FUNCTION write_waiting(made judgement, moment timestamptz) RETURNS change[]
LANGUAGE plpgsql AS $$
DECLARE
  at_second CONSTANT bigint := second_of(moment);
  told change[] := '{}';
BEGIN
  DELETE FROM waiting w WHERE w.entry = ANY (made.numbers)
    AND w.entry NOT IN (SELECT unnest(made.waiting));
  IF cardinality(made.waiting) > 0 THEN
    INSERT INTO waiting AS w (entry, plate, post, second, opposite, due_at, expires_at, look_at)
      SELECT u.entry, p.plate, p.post, p.earliest, u.opposite, u.due, u.expires, u.due
      FROM unnest(made.waiting, made.opposites, made.due, made.expires) AS u(entry, opposite, due, expires)
      JOIN passages p ON p.row_number = u.entry
      ON CONFLICT (entry) DO UPDATE SET
        plate = excluded.plate, post = excluded.post, second = excluded.second,
        opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
        look_at = CASE WHEN w.is_told THEN excluded.expires_at ELSE excluded.due_at END
      WHERE (w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at)
        <> (excluded.plate, excluded.post, excluded.second, excluded.opposite, excluded.due_at,
          excluded.expires_at);
  END IF;
  IF EXISTS (SELECT FROM alerts a WHERE a.entry = ANY (made.numbers) AND a.ending IS NULL)
    OR at_second >= ANY (made.due)
  THEN
    told := end_alerts(made.numbers, true, moment) || raise_alerts(made.waiting, moment);
    PERFORM look_again(made.waiting, at_second);
  END IF;
  RETURN told;
END $$;

-- When entries are looked at next, which depends on whether an alert stands; nobody waits for ever.
CREATE OR REPLACE FUNCTION look_again(entries bigint[], at_second bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM waiting w WHERE w.entry = ANY (entries) AND w.expires_at <= at_second;
  UPDATE waiting w SET is_told = n.is_told,
      look_at = CASE WHEN n.is_told THEN w.expires_at ELSE w.due_at END
    FROM (SELECT o.entry, EXISTS (SELECT FROM alerts a WHERE a.entry = o.entry AND a.ending IS NULL) AS is_told
      FROM waiting o WHERE o.entry = ANY (entries)) AS n
    WHERE w.entry = n.entry
      AND (w.is_told, w.look_at)
        <> (n.is_told, CASE WHEN n.is_told THEN w.expires_at ELSE w.due_at END);
END $$;

-- Alerts that stand and whose entry is not due any more end: by what was judged, or by the clock.
CREATE OR REPLACE FUNCTION end_alerts(entries bigint[], is_judged boolean, moment timestamptz)
RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  at_second CONSTANT bigint := second_of(moment);
  told change[];
BEGIN
  WITH over AS (
    UPDATE alerts a SET
      ending = CASE
        WHEN w.entry IS NOT NULL THEN CASE WHEN at_second < w.expires_at THEN 'withdrawn' ELSE 'expired' END
        WHEN NOT is_judged THEN 'withdrawn'
        WHEN p.entry IS NOT NULL THEN 'left'
        WHEN b.row_number IS NOT NULL THEN 'seen_again'
        ELSE 'withdrawn' END,
      exit = CASE WHEN w.entry IS NULL AND is_judged THEN p.exit END,
      ended_at = moment
    FROM (SELECT unnest(entries) AS entry) AS u
      LEFT JOIN waiting w ON w.entry = u.entry
      LEFT JOIN pairs p ON p.entry = u.entry
      LEFT JOIN passages b ON b.row_number = u.entry
    WHERE a.entry = u.entry AND a.ending IS NULL
      AND (w.entry IS NULL OR at_second < w.due_at OR at_second >= w.expires_at)
    RETURNING a.entry)
  SELECT array_agg(ROW('ended', o.entry, NULL)::change ORDER BY o.entry) INTO told FROM over o;
  RETURN told;
END $$;

-- Entries that wait and are due are told, once. An alert that stands is brought up to date without a word.
CREATE OR REPLACE FUNCTION raise_alerts(entries bigint[], moment timestamptz)
RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  at_second CONSTANT bigint := second_of(moment);
  told change[];
BEGIN
  WITH standing AS (
    SELECT a.entry FROM alerts a WHERE a.entry = ANY (entries) AND a.ending IS NULL),
  written AS (
    INSERT INTO alerts AS a (entry, plate, post, second, opposite, due_at, expires_at, raised_at, is_unheard)
      SELECT w.entry, w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at, moment,
        coalesce((SELECT through <= w.due_at FROM post_reports r WHERE r.post = w.opposite), true)
      FROM waiting w
      WHERE w.entry = ANY (entries) AND at_second >= w.due_at AND at_second < w.expires_at
      ON CONFLICT (entry) DO UPDATE SET
        plate = excluded.plate, post = excluded.post, second = excluded.second,
        opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
        raised_at = CASE WHEN a.ending IS NULL THEN a.raised_at ELSE excluded.raised_at END,
        is_unheard = excluded.is_unheard, ending = NULL, exit = NULL, ended_at = NULL
      WHERE a.ending IS NOT NULL
        OR (a.plate, a.post, a.second, a.opposite, a.due_at, a.expires_at, a.is_unheard)
          IS DISTINCT FROM (excluded.plate, excluded.post, excluded.second, excluded.opposite,
            excluded.due_at, excluded.expires_at, excluded.is_unheard)
      RETURNING a.entry)
  SELECT array_agg(ROW('raised', w.entry, NULL)::change ORDER BY w.entry) INTO told FROM written w
    WHERE w.entry NOT IN (SELECT s.entry FROM standing s);
  RETURN told;
END $$;

-- Whether this is a change of the schema's own, of which no trigger makes anything.
CREATE OR REPLACE FUNCTION is_projecting() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  said CONSTANT text := coalesce(current_setting('checkpost.projecting', true), '');
BEGIN
  IF said = '' THEN RETURN false; END IF;
  RETURN said = (SELECT secret FROM settings);
END $$;

-- The last four digits of a number, as texts name a ranger.
CREATE OR REPLACE FUNCTION suffix_of(phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT right('0000' || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 4)
$$;

-- Somebody of the directory who has an account is known by that.
CREATE OR REPLACE FUNCTION person_of(profile uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT a.id FROM public.user_profiles u JOIN checkpost.accounts a ON a.phone = u.phone_number
    JOIN public.user_profiles o ON o.id = a.id WHERE u.id = profile), profile)
$$;

-- A view asks it too, with whatever search path.
--
-- The profile of who recorded: the best founded that is known, else the only ranger of the post whose number
-- ends so; null when nobody knows.
CREATE OR REPLACE FUNCTION ranger_of(rangers text[], post uuid, suffix text) RETURNS uuid
LANGUAGE plpgsql STABLE AS $$
DECLARE
  who uuid;
BEGIN
  IF cardinality(rangers) > 0 THEN
    SELECT u.id INTO who FROM unnest(rangers) WITH ORDINALITY AS n(ranger, place)
      JOIN public.user_profiles u ON u.id = checkpost.uuid_of(n.ranger) ORDER BY n.place LIMIT 1;
    IF FOUND THEN RETURN who; END IF;
    SELECT checkpost.person_of((array_agg(u.id))[1]) INTO who FROM public.user_profiles u
      WHERE u.full_name = rangers[1] AND NOT EXISTS (SELECT FROM checkpost.accounts a WHERE a.id = u.id)
      HAVING count(*) = 1;
    IF who IS NOT NULL THEN RETURN who; END IF;
  END IF;
  IF suffix = '0000' THEN RETURN NULL; END IF;
  SELECT checkpost.person_of((array_agg(u.id))[1]) INTO who FROM public.user_profiles u
    WHERE u.assigned_checkpost_id = post AND checkpost.suffix_of(u.phone_number) = suffix
    HAVING count(*) = 1;
  RETURN who;
END $$;

-- The identifier that a text is, as it is written usually; null where it is none.
CREATE OR REPLACE FUNCTION uuid_of(name text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;

-- The deployed table knows fewer kinds of vehicles.
CREATE OR REPLACE FUNCTION shown_type(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other' WHEN 'tractor' THEN 'other'
    ELSE kind END
$$;

-- What the rows of some passages are to show.
CREATE OR REPLACE FUNCTION shown(numbers bigint[]) RETURNS TABLE (
  id uuid, client_id uuid, plate text, raw_plate text, vehicle_type text, post uuid, segment uuid,
  recorded_at timestamptz, received_at timestamptz, ranger uuid, photo_path text, source text,
  partner uuid, is_entry boolean
) LANGUAGE sql STABLE AS $$
  WITH p AS MATERIALIZED (
    SELECT p.*, c.id AS post_id, c.segment_id FROM passages p
    JOIN public.checkposts c ON c.code = p.post COLLATE "default"
    WHERE p.row_number = ANY (numbers)),
  who AS MATERIALIZED (
    SELECT w.*, ranger_of(w.rangers, w.post_id, w.suffix) AS id
    FROM (SELECT DISTINCT p.rangers, p.post_id, p.suffix FROM p) AS w)
  SELECT r.passage_id, r.client_id, p.plate, p.raw_plate, shown_type(p.vehicle_type), p.post_id, p.segment_id,
    p.recorded_at, p.first_received_at, who.id, p.photo_path,
    CASE WHEN p.channels = ARRAY['text'] THEN 'sms' ELSE 'app' END,
    b.passage_id, CASE WHEN b.number IS NOT NULL THEN x.exit IS NOT NULL END
  FROM p
  JOIN records r ON r.number = p.row_number
  JOIN who ON (who.rangers, who.post_id, who.suffix) = (p.rangers, p.post_id, p.suffix)
  LEFT JOIN pairs x ON x.entry = p.row_number
  LEFT JOIN pairs e ON e.exit = p.row_number
  LEFT JOIN records b ON b.number = coalesce(x.exit, e.entry)
$$;

-- In one statement, so that a row and its partner that come together name each other at once.
CREATE OR REPLACE FUNCTION show_passages(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH s AS MATERIALIZED (SELECT * FROM shown(numbers)),
  o AS MATERIALIZED (
    SELECT v.* FROM public.vehicle_passages v
    WHERE v.id = ANY (ARRAY(SELECT s.id FROM s UNION SELECT s.partner FROM s))),
  fresh AS MATERIALIZED (
    SELECT s.*, coalesce(s.ranger, (SELECT unknown_ranger FROM settings)) AS known_ranger FROM s
    WHERE s.id NOT IN (SELECT o.id FROM o)
      AND coalesce(s.ranger, (SELECT unknown_ranger FROM settings)) IS NOT NULL
      AND NOT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = s.client_id)),
  there AS MATERIALIZED (SELECT o.id FROM o UNION ALL SELECT f.id FROM fresh f),
  made AS (
    INSERT INTO public.vehicle_passages (id, client_id, plate_number, plate_number_raw, vehicle_type,
        checkpost_id, segment_id, recorded_at, server_received_at, ranger_id, photo_path, source,
        matched_passage_id, is_entry)
      SELECT f.id, f.client_id, f.plate, f.raw_plate, f.vehicle_type, f.post, f.segment, f.recorded_at,
        f.received_at, f.known_ranger, f.photo_path, f.source, t.id,
        CASE WHEN t.id IS NOT NULL THEN f.is_entry END
      FROM fresh f LEFT JOIN there t ON t.id = f.partner),
  d AS MATERIALIZED (
    SELECT o.id,
      -- How a plate was spelled stays, where it is that plate.
      CASE WHEN compact(o.plate_number) = s.plate THEN o.plate_number ELSE s.plate END AS plate_number,
      s.raw_plate, s.vehicle_type, s.post, s.segment, s.recorded_at, coalesce(s.ranger, o.ranger_id) AS ranger,
      s.photo_path, s.source,
      t.id AS partner, CASE WHEN t.id IS NOT NULL THEN s.is_entry END AS is_entry
    FROM s JOIN o ON o.id = s.id LEFT JOIN there t ON t.id = s.partner)
  UPDATE public.vehicle_passages v SET
    plate_number = d.plate_number, plate_number_raw = d.raw_plate, vehicle_type = d.vehicle_type,
    checkpost_id = d.post, segment_id = d.segment, recorded_at = d.recorded_at,
    ranger_id = d.ranger, photo_path = d.photo_path, source = d.source,
    matched_passage_id = d.partner, is_entry = d.is_entry
  FROM d
  WHERE v.id = d.id
    AND (v.plate_number, v.plate_number_raw, v.vehicle_type, v.checkpost_id, v.segment_id, v.recorded_at,
        v.ranger_id, v.photo_path, v.source, v.matched_passage_id, v.is_entry)
      IS DISTINCT FROM (d.plate_number, d.raw_plate, d.vehicle_type, d.post, d.segment, d.recorded_at,
        d.ranger, d.photo_path, d.source, d.partner, d.is_entry);
END $$;

-- Takes rows of passages out that are further names of others; copies are kept. A row that a person's outcome
-- rests on stays.
CREATE OR REPLACE FUNCTION set_aside(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_aside_violations(ARRAY(
    SELECT v.id FROM public.violations v
    WHERE v.entry_passage_id = ANY (ids) OR v.exit_passage_id = ANY (ids)));
  WITH gone AS (
    DELETE FROM public.vehicle_passages v WHERE v.id = ANY (ids) AND NOT EXISTS (
      SELECT FROM public.violations o WHERE o.entry_passage_id = v.id OR o.exit_passage_id = v.id)
    RETURNING v.*)
  INSERT INTO removed (kind, id, content) SELECT 'passage', g.id, to_jsonb(g) FROM gone g;
END $$;

-- Takes violations out that do not stand. One with an outcome stays, and says that it was retracted.
CREATE OR REPLACE FUNCTION set_aside_violations(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(ids) = 0 THEN RETURN; END IF;
  WITH gone AS (
    DELETE FROM public.violations v WHERE v.id = ANY (ids) AND NOT EXISTS (
      SELECT FROM public.violation_outcomes o WHERE o.violation_id = v.id)
    RETURNING v.*)
  INSERT INTO removed (kind, id, content) SELECT 'violation', g.id, to_jsonb(g) FROM gone g;
  UPDATE public.violations SET is_retracted = true WHERE id = ANY (ids) AND NOT is_retracted;
END $$;

CREATE OR REPLACE FUNCTION show_violations(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_aside_violations(ARRAY(
    SELECT v.id FROM public.violations v JOIN records r ON r.passage_id = v.entry_passage_id
    WHERE r.number = ANY (numbers) AND NOT EXISTS (
      SELECT FROM violations s WHERE s.entry = r.number AND NOT s.is_retracted)));
  INSERT INTO public.violations AS v (id, entry_passage_id, exit_passage_id, segment_id, violation_type,
      plate_number, vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes,
      calculated_speed_kmh, speed_limit_kmh, distance_km, finality, doubts)
    SELECT s.uuid, a.id, b.id, h.id, (s.found).kind, a.plate_number, a.vehicle_type, a.recorded_at, b.recorded_at,
      round((s.found).seconds / 60.0, 2),
      CASE (s.found).kind WHEN 'speeding' THEN h.min_travel_time_minutes ELSE h.max_travel_time_minutes END,
      -- As much as the column takes: two posts may have seen it in one second.
      least(9999.99, round(h.distance_km * 3600 / greatest((s.found).seconds, 1), 2)),
      CASE (s.found).kind WHEN 'speeding' THEN h.max_speed_kmh ELSE h.min_speed_kmh END,
      h.distance_km, s.finality, (s.found).doubts
    FROM violations s
    JOIN records e ON e.number = s.entry
    JOIN records x ON x.number = (s.found).exit
    JOIN public.vehicle_passages a ON a.id = e.passage_id
    JOIN public.vehicle_passages b ON b.id = x.passage_id
    JOIN public.checkposts c ON c.code = (s.found).entry_post
    JOIN public.highway_segments h ON h.id = c.segment_id
    WHERE s.entry = ANY (numbers) AND NOT s.is_retracted
    ON CONFLICT (entry_passage_id) DO UPDATE SET
      exit_passage_id = excluded.exit_passage_id, segment_id = excluded.segment_id,
      violation_type = excluded.violation_type, plate_number = excluded.plate_number,
      vehicle_type = excluded.vehicle_type, entry_time = excluded.entry_time,
      exit_time = excluded.exit_time, travel_time_minutes = excluded.travel_time_minutes,
      threshold_minutes = excluded.threshold_minutes,
      calculated_speed_kmh = excluded.calculated_speed_kmh,
      speed_limit_kmh = excluded.speed_limit_kmh, distance_km = excluded.distance_km,
      finality = excluded.finality, doubts = excluded.doubts, is_retracted = false
    WHERE (v.exit_passage_id, v.segment_id, v.violation_type, v.plate_number, v.vehicle_type, v.entry_time,
        v.exit_time, v.travel_time_minutes, v.threshold_minutes, v.calculated_speed_kmh,
        v.speed_limit_kmh, v.distance_km, v.finality, v.doubts, v.is_retracted)
      IS DISTINCT FROM (excluded.exit_passage_id, excluded.segment_id, excluded.violation_type,
        excluded.plate_number, excluded.vehicle_type, excluded.entry_time, excluded.exit_time,
        excluded.travel_time_minutes, excluded.threshold_minutes, excluded.calculated_speed_kmh,
        excluded.speed_limit_kmh, excluded.distance_km, excluded.finality, excluded.doubts, false);
END $$;

CREATE OR REPLACE FUNCTION show_alerts(numbers bigint[], moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.proactive_overstay_alerts AS v (id, entry_passage_id, segment_id, plate_number,
      vehicle_type, entry_time, expected_exit_by, resolved, resolved_at, resolved_by_passage_id)
    SELECT derived_id('alert', p.id::text), p.id, p.segment_id, p.plate_number, p.vehicle_type,
      p.recorded_at, to_timestamp(a.due_at - 2),
      a.ending IS NOT NULL, a.ended_at, x.id
    FROM alerts a
    JOIN records r ON r.number = a.entry
    JOIN public.vehicle_passages p ON p.id = r.passage_id
    LEFT JOIN records b ON b.number = a.exit
    LEFT JOIN public.vehicle_passages x ON x.id = b.passage_id
    WHERE a.entry = ANY (numbers)
    ON CONFLICT (entry_passage_id) DO UPDATE SET
      segment_id = excluded.segment_id, plate_number = excluded.plate_number,
      vehicle_type = excluded.vehicle_type, entry_time = excluded.entry_time,
      expected_exit_by = excluded.expected_exit_by, resolved = excluded.resolved,
      resolved_at = excluded.resolved_at, resolved_by_passage_id = excluded.resolved_by_passage_id
    WHERE (v.segment_id, v.plate_number, v.vehicle_type, v.entry_time, v.expected_exit_by, v.resolved,
        v.resolved_at, v.resolved_by_passage_id)
      IS DISTINCT FROM (excluded.segment_id, excluded.plate_number, excluded.vehicle_type,
        excluded.entry_time, excluded.expected_exit_by, excluded.resolved, excluded.resolved_at,
        excluded.resolved_by_passage_id);
  -- Those that others made.
  UPDATE public.proactive_overstay_alerts v
    SET resolved = true, resolved_at = moment, resolved_by_passage_id = x.id
    FROM records r
    LEFT JOIN pairs p ON p.entry = r.number
    LEFT JOIN records b ON b.number = p.exit
    LEFT JOIN public.vehicle_passages x ON x.id = b.passage_id
    WHERE r.number = ANY (numbers) AND v.entry_passage_id = r.passage_id AND NOT v.resolved
      AND NOT EXISTS (SELECT FROM waiting w WHERE w.entry = r.number);
END $$;

-- Shows what changed of some passages, of their violations and of their alerts.
CREATE OR REPLACE FUNCTION project(numbers bigint[], moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  entries bigint[];
  retired uuid[];
BEGIN
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM show_passages(numbers);
  entries := ARRAY(
    SELECT v.entry FROM violations v WHERE v.entry = ANY (numbers)
    UNION SELECT v.entry FROM violations v WHERE (v.found).exit = ANY (numbers));
  IF cardinality(entries) > 0 OR EXISTS (
    SELECT FROM records r JOIN public.violations v ON v.entry_passage_id = r.passage_id
    WHERE r.number = ANY (numbers))
  THEN
    PERFORM show_violations(numbers || entries);
  END IF;
  PERFORM show_alerts(numbers, moment);
  retired := ARRAY(
    SELECT v.id FROM records r JOIN public.vehicle_passages v ON v.id = r.passage_id
    WHERE r.number = ANY (numbers) AND r.row_number <> r.number);
  IF cardinality(retired) > 0 THEN PERFORM set_aside(retired); END IF;
  PERFORM set_config('checkpost.projecting', '', true);
END $$;

-- Judges everything that was touched, and tells what changed.
CREATE OR REPLACE FUNCTION judge_touched(cause text, moment timestamptz, is_all boolean DEFAULT false)
RETURNS change[] LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('checkpost.touched', true), '') = '' THEN RETURN '{}'; END IF;
  RETURN (SELECT judge(array_agg(t.target) FILTER (WHERE t.target IS NOT NULL), array_agg(t.plate),
    array_agg(t.post), array_agg(t.second), cause, moment, is_all) FROM all_touched() AS t);
END $$;

-- Judges vehicles at the places of these posts, each at each place once, and shows what came of it. What moved
-- from one to another is among the records of the vehicle that it is now, and nowhere else.
CREATE OR REPLACE FUNCTION judge(
  targets bigint[], plates text[], posts text[], seconds bigint[], cause text, moment timestamptz,
  is_all boolean
) RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  vehicle record;
  part travels;
  made judgement;
  -- The rows that the records stood under before.
  rows_left CONSTANT bigint[] := ARRAY(
    SELECT DISTINCT r.row_number FROM records r WHERE r.number = ANY (targets));
  told change[] := '{}';
  numbers bigint[] := '{}';
  rows bigint[] := '{}';
  entries bigint[] := '{}';
  exits bigint[] := '{}';
  pair_places integer[] := '{}';
  waiting bigint[] := '{}';
  opposites text[] := '{}';
  due bigint[] := '{}';
  expires bigint[] := '{}';
  places place[];
BEGIN
  SELECT array_agg(p.it ORDER BY p.it) INTO places
    FROM (SELECT DISTINCT place_of(q.post) AS it FROM (SELECT DISTINCT unnest(posts) AS post) AS q) AS p;
  PERFORM lock_reports(ARRAY(SELECT unnest(p.posts) FROM unnest(places) AS p));
  FOR vehicle IN
    WITH known AS MATERIALIZED (
      SELECT l.number, l.it, unnest((l.it).posts) AS post
      FROM unnest(ARRAY(SELECT generate_subscripts(places, 1))) AS g(number),
        LATERAL (SELECT g.number, places[g.number] AS it) AS l)
    SELECT p.plate, k.number AS at, min(p.second) AS low, max(p.second) AS high
    FROM unnest(plates, posts, seconds) AS p(plate, post, second) JOIN known k ON k.post = p.post
    GROUP BY p.plate, k.number ORDER BY p.plate COLLATE "C", k.number
  LOOP
    part := travels_of(vehicle.plate, places[vehicle.at],
      span_of(vehicle.plate, places[vehicle.at], vehicle.low, vehicle.high));
    CONTINUE WHEN part.numbers IS NULL;
    numbers := numbers || part.numbers;
    rows := rows || part.rows;
    IF part.entries IS NOT NULL THEN
      entries := entries || part.entries;
      exits := exits || part.exits;
      pair_places := pair_places || array_fill(vehicle.at, ARRAY[cardinality(part.entries)]);
    END IF;
    IF part.waiting IS NOT NULL THEN
      waiting := waiting || part.waiting;
      opposites := opposites || part.opposites;
      due := due || part.due;
      expires := expires || part.expires;
    END IF;
    IF cardinality(numbers) >= 1000 THEN
      made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places);
      told := told || write_judgement(made, targets, rows_left, cause, moment, is_all);
      numbers := '{}'; rows := '{}'; entries := '{}'; exits := '{}'; pair_places := '{}';
      waiting := '{}'; opposites := '{}'; due := '{}'; expires := '{}';
    END IF;
  END LOOP;
  IF cardinality(numbers) > 0 THEN
    made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places);
    told := told || write_judgement(made, targets, rows_left, cause, moment, is_all);
  END IF;
  RETURN told;
END $$;

-- Writes down what is other than it stands.
CREATE OR REPLACE FUNCTION write_judgement(
  made judgement, changed bigint[], rows_left bigint[], cause text, moment timestamptz, is_all boolean
) RETURNS change[] LANGUAGE plpgsql AS $$
DECLARE
  told change[];
  shown bigint[];
BEGIN
  shown := write_passages(made, rows_to_write(made, changed, rows_left, is_all));
  told := write_pairs(made);
  told := told || write_violations(made, cause, moment, is_all);
  told := told || write_waiting(made, moment);
  PERFORM project(shown || ARRAY(
    SELECT t.entry FROM unnest(told) AS t UNION
    SELECT t.other FROM unnest(told) AS t WHERE t.kind IN ('parted', 'paired')), moment);
  RETURN told;
END $$;

-- Whatever nobody asked for is told later, by whoever does the clock's duties; whoever listens hears of it. Where
-- nobody ever does them, no more than the last million is kept.
CREATE OR REPLACE FUNCTION tell_later(told change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  IF told IS NULL OR cardinality(told) = 0 THEN RETURN; END IF;
  WITH made AS (
    INSERT INTO changes AS c (kind, entry, other) SELECT t.kind, t.entry, t.other FROM unnest(told) AS t
      RETURNING c.number)
  SELECT max(m.number) INTO last FROM made m;
  PERFORM pg_notify('checkpost', '');
  IF last > 1000000 AND last % 1000 < cardinality(told) THEN
    DELETE FROM changes c WHERE c.number IN (
      SELECT o.number FROM changes o WHERE o.number < last - 1000000 ORDER BY o.number LIMIT 10000
      FOR UPDATE SKIP LOCKED);
  END IF;
END $$;

-- Everything of these posts is judged again: at once where that is little, as a person at psql expects it, and
-- otherwise, and for whoever says so, in steps that `rejudge` takes.
CREATE OR REPLACE FUNCTION judge_posts(named text[], why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF coalesce(current_setting('checkpost.judge_later', true), '') = 'on'
    OR (SELECT count(*) FROM (SELECT FROM records WHERE post = ANY (named) LIMIT 1001) AS r) > 1000
  THEN
    UPDATE rejudging SET after_plate = '', cause = coalesce(cause, why),
      posts = CASE WHEN cause IS NULL THEN named
        WHEN posts IS NOT NULL THEN ARRAY(SELECT unnest(posts || named) AS p GROUP BY p ORDER BY p) END
      WHERE cardinality(named) > 0;
    PERFORM pg_notify('checkpost', '');
    RETURN;
  END IF;
  PERFORM touch(NULL, t.plate, t.post, t.first), touch(NULL, t.plate, t.post, t.last)
    FROM (SELECT plate, post, min(second) AS first, max(second) AS last FROM records
      WHERE post = ANY (named) GROUP BY plate, post) AS t;
  PERFORM tell_later(judge_touched(why, moment, true));
END $$;

-- Judging needs to see what was committed while it waited for its turn, which other levels do not show.
CREATE OR REPLACE FUNCTION check_isolation() RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'passages are written in transactions that are READ COMMITTED'
      USING ERRCODE = 'feature_not_supported';
  END IF;
END $$;

-- Taken by whoever changes what concerns all vehicles, or a row first and its vehicle then: the directory,
-- corrections by hand. Nobody receives meanwhile.
CREATE OR REPLACE FUNCTION lock_all() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock(7060, 0);
END $$;

-- Taken by whoever receives, when what keeps the directory as it is is held: the vehicles in one order. There are
-- 1,024 locks for all vehicles, so that a statement with very many does not run out of them. Where it is known
-- that there are `few`, these are shared, and each vehicle has a lock of its own.
CREATE OR REPLACE FUNCTION lock_vehicles(plates text[], few boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF few AND cardinality(plates) <= 512 THEN
    PERFORM pg_advisory_xact_lock_shared(7061, l.stripe)
      FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
        FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
    PERFORM pg_advisory_xact_lock(7067, l.own)
      FROM (SELECT DISTINCT hashtext(p) AS own FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7061, l.stripe)
    FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
      FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
END $$;

-- Locks vehicles, and those that these identities may concern. While one waits somebody else may have moved a
-- passage to another vehicle: then what was locked is given back and locked anew, as otherwise it would be in
-- another order than everybody's.
CREATE OR REPLACE FUNCTION lock_for(plates text[], identities_named uuid[], few boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  wanted text[] := ARRAY(SELECT DISTINCT unnest(plates || plates_of(identities_named)));
  others text[];
BEGIN
  LOOP
    BEGIN
      PERFORM lock_vehicles(wanted, few);
      others := plates_of(identities_named);
      IF others IS NULL OR others <@ wanted THEN RETURN; END IF;
      RAISE EXCEPTION USING ERRCODE = 'CP001';
    EXCEPTION WHEN SQLSTATE 'CP001' THEN
      wanted := wanted || others;
    END;
  END LOOP;
END $$;

-- Taken by whoever judges or settles, before it writes: a post's word that comes at this moment is waited for, or
-- waits. Who takes one holds that of its post alone.
CREATE OR REPLACE FUNCTION lock_reports(named text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7066, l.post)
    FROM (SELECT DISTINCT hashtext(p) AS post FROM unnest(named) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
END $$;

-- The vehicles that reports under these identities may concern beside their own: those that they were known
-- for, and those that corrections name.
CREATE OR REPLACE FUNCTION plates_of(identities_named uuid[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT array_agg(p.plate) FROM (
    SELECT r.plate FROM identities i JOIN records r ON r.number = i.record
      WHERE i.client_id = ANY (identities_named)
    UNION SELECT r.received_plate FROM identities i JOIN records r ON r.number = i.record
      WHERE i.client_id = ANY (identities_named)
    UNION SELECT c.plate FROM corrections c
      WHERE c.client_id = ANY (identities_named) AND c.record IS NULL AND c.plate IS NOT NULL) AS p);
END $$;

-- Takes reports and corrections in the order of their places, from 1 on without a gap, in one transaction, and
-- judges once.
--
-- Returns of each, by its place: its record, which is null of a correction that came early; what it was: new, known,
-- alias, contradiction, correction, early or expired; whether it told anything new; and of the passage as it stands then the
-- row, the identifier and the identity that it came under first. Then, without a place, what the judgement changed.
CREATE OR REPLACE FUNCTION take(
  places integer[], client_ids uuid[], posts text[], plates text[], raw_plates text[], vehicle_types text[],
  recorded timestamptz[], rangers text[], suffixes text[], photo_paths text[], channels text[],
  proven boolean[], received timestamptz[], clocks bigint[], unset boolean[], inbox_ids bigint[],
  own_rows uuid[],
  right_places integer[], corrected uuid[], right_plates text[], right_raw_plates text[], right_types text[],
  right_posts text[], right_times timestamptz[], authors text[], made timestamptz[],
  right_photos text[], moment timestamptz
) RETURNS TABLE (
  place integer, record bigint, reception text, is_news boolean, row_number bigint, passage uuid, client uuid,
  kind text, entry bigint, other bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  report observations;
  correction corrections;
  k integer;
  right_k integer := 0;
  got record;
  -- What is surely a passage of which nothing is known, by the index of the report, and its number.
  fresh boolean[];
  fresh_at integer[] := '{}';
  fresh_numbers bigint[] := '{}';
  targets bigint[] := '{}';
  receptions text[] := '{}';
  news boolean[] := '{}';
  told change[];
BEGIN
  PERFORM check_isolation();
  IF EXISTS (SELECT FROM unnest(corrected) AS c(id)
    WHERE NOT EXISTS (SELECT FROM identities i WHERE i.client_id = c.id))
  THEN
    -- A correction that is before its passage must not miss it.
    PERFORM pg_advisory_xact_lock(7060, 0);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(7060, 0);
  END IF;
  PERFORM lock_for(plates || right_plates, client_ids || corrected, true);

  fresh := fresh_ones(client_ids, posts, plates, recorded, own_rows, corrected);
  k := 0;
  IF cardinality(right_places) = 0 AND true = ALL (fresh) THEN
    -- All of it, as nearly always.
    targets := ARRAY(SELECT next_record(second_of(u.at)) FROM unnest(recorded) WITH ORDINALITY AS u(at, place)
      ORDER BY u.place);
    fresh_numbers := targets;
    fresh_at := ARRAY(SELECT generate_series(1, cardinality(places)));
    receptions := array_fill('new'::text, ARRAY[cardinality(places)]);
    news := fresh;
    k := cardinality(places);
  END IF;
  FOR i IN k + 1..cardinality(places) + cardinality(right_places) LOOP
    IF k < cardinality(places) AND places[k + 1] = i THEN
      k := k + 1;
      IF fresh[k] THEN
        targets[i] := next_record(second_of(recorded[k]));
        fresh_at := fresh_at || k;
        fresh_numbers := fresh_numbers || targets[i];
        receptions[i] := 'new';
        news[i] := true;
        CONTINUE;
      END IF;
      report := ROW(NULL, NULL, client_ids[k], posts[k], plates[k], raw_plates[k], vehicle_types[k],
        recorded[k], rangers[k], suffixes[k], photo_paths[k], channels[k], proven[k], received[k],
        clocks[k], unset[k], inbox_ids[k], NULL, own_rows[k])::observations;
      SELECT r.* INTO got FROM receive(report, post_id(posts[k]), false, moment) AS r;
      receptions[i] := got.reception;
    ELSE
      right_k := right_k + 1;
      correction := ROW(NULL, NULL, corrected[right_k], right_plates[right_k], right_raw_plates[right_k],
        right_types[right_k], right_posts[right_k], right_times[right_k], authors[right_k],
        made[right_k], right_photos[right_k])::corrections;
      IF is_expired(correction) THEN
        receptions[i] := 'expired';
        targets[i] := NULL;
        news[i] := false;
        CONTINUE;
      END IF;
      SELECT c.* INTO got FROM correct(correction) AS c;
      receptions[i] := CASE WHEN got.target IS NULL THEN 'early' ELSE 'correction' END;
    END IF;
    targets[i] := got.target;
    news[i] := got.is_news;
  END LOOP;

  IF cardinality(fresh_at) > 0 THEN
    WITH f AS MATERIALIZED (
      SELECT n.number, r.* FROM unnest(fresh_at, fresh_numbers) AS n(at, number)
      JOIN unnest(client_ids, posts, plates, raw_plates, vehicle_types, recorded, rangers, suffixes,
        photo_paths, channels, proven, received, clocks, unset, inbox_ids, own_rows) WITH ORDINALITY
        AS r(client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger, suffix, photo_path,
          channel, is_proven, received_at, clock_seconds, is_unset, inbox_id, own_row, at) ON r.at = n.at
    ),
    meant AS MATERIALIZED (
      SELECT q.post, q.id, post_code(q.id, q.post) AS code
      FROM (SELECT d.post, post_id(d.post) AS id FROM (SELECT DISTINCT f.post FROM f) AS d) AS q
    ),
    made_records AS (
      INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
          plate, second, is_dated, row_number, passage_id, last_at, client_id, inbox_id, inserted_at)
        OVERRIDING SYSTEM VALUE
        SELECT f.number, f.post, f.plate, second_of(f.recorded_at), m.id, m.code, f.plate,
          second_of(f.recorded_at), NOT f.is_unset, f.number, coalesce(f.own_row, f.client_id), moment,
          f.client_id, f.inbox_id, moment
        FROM f JOIN meant m ON m.post = f.post ORDER BY f.number
        RETURNING records.number, records.plate, records.post, records.second
    ),
    linked AS (
      INSERT INTO identities (client_id, record) SELECT f.client_id, f.number FROM f
    ),
    kept AS (
      INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
          suffix, photo_path, channel, is_proven, received_at, clock_seconds, is_clock_unset, inbox_id,
          inserted_at, own_row)
        SELECT f.number, f.client_id, f.post, f.plate, f.raw_plate, f.vehicle_type, f.recorded_at, f.ranger,
          f.suffix, f.photo_path, f.channel, f.is_proven, f.received_at, f.clock_seconds, f.is_unset,
          f.inbox_id, moment, f.own_row
        FROM f ORDER BY f.number
    ),
    touched AS (
      SELECT m.number AS target, m.plate, m.post, m.second FROM made_records m
      UNION ALL SELECT t.target, t.plate, t.post, t.second FROM all_touched() AS t
    )
    SELECT array_agg(t.target) AS targets, array_agg(t.plate) AS plates, array_agg(t.post) AS posts,
      array_agg(t.second) AS seconds INTO got FROM touched t;
    told := judge(got.targets, got.plates, got.posts, got.seconds, 'arrival', moment, false);
  ELSE
    told := judge_touched(CASE WHEN cardinality(places) > 0 THEN 'arrival' ELSE 'correction' END, moment);
  END IF;
  RETURN QUERY
    SELECT u.place::integer, u.target, u.reception, u.is_news, s.number, s.passage_id, s.client_id,
      NULL::text, NULL::bigint, NULL::bigint
    FROM unnest(targets, receptions, news) WITH ORDINALITY AS u(target, reception, is_news, place)
    LEFT JOIN records r ON r.number = u.target
    LEFT JOIN records s ON s.number = r.row_number
    ORDER BY u.place;
  RETURN QUERY
    SELECT NULL::integer, NULL::bigint, NULL::text, NULL::boolean, NULL::bigint, NULL::uuid, NULL::uuid,
      t.kind, t.entry, t.other FROM unnest(told) AS t;
END $$;

-- Of each report whether nothing that is known, and nothing else that comes with it, has its identity, its name or
-- its content.
CREATE OR REPLACE FUNCTION fresh_ones(
  client_ids uuid[], posts text[], plates text[], recorded timestamptz[], own_rows uuid[], corrected uuid[]
) RETURNS boolean[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  since CONSTANT bigint := coalesce((SELECT f.since FROM forgetting f), -9223372036854775808);
BEGIN
  RETURN (WITH r AS (
    SELECT u.*, count(*) OVER (PARTITION BY u.plate, u.post, second_of(u.recorded_at)) AS alike
    FROM unnest(client_ids, posts, plates, recorded, own_rows) WITH ORDINALITY
      AS u(client, post, plate, recorded_at, own, at)),
  names AS (
    SELECT n.id FROM (
      SELECT client AS id FROM r UNION ALL SELECT own FROM r WHERE own <> client
      UNION ALL SELECT unnest(corrected)) AS n
    GROUP BY n.id HAVING count(*) > 1)
  SELECT array_agg(r.alike = 1
      AND second_of(r.recorded_at) >= since
      AND r.client NOT IN (SELECT id FROM names)
      AND (r.own IS NULL OR r.own NOT IN (SELECT id FROM names))
      AND NOT EXISTS (SELECT FROM identities i WHERE i.client_id = r.client)
      AND NOT EXISTS (SELECT FROM records k WHERE k.received_plate = r.plate AND k.received_post = r.post
        AND k.received_second = second_of(r.recorded_at))
      AND NOT EXISTS (SELECT FROM corrections c WHERE c.client_id = r.client AND c.record IS NULL)
      AND NOT EXISTS (SELECT FROM records k WHERE k.passage_id = r.client)
      AND (r.own IS NULL OR NOT is_taken(r.own)) ORDER BY r.at)
  FROM r);
END $$;

-- A post has handed in all that it recorded before a second. What is recorded after the report cannot be in
-- it, so one from a clock that is ahead counts up to when it came. Returns what that settled.
CREATE OR REPLACE FUNCTION report(code text, through bigint, received_at timestamptz, moment timestamptz)
RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  named CONSTANT text := post_code(post_id(code), code);
  before bigint;
  after bigint := least(through, second_of(received_at));
  awaited bigint[];
BEGIN
  PERFORM check_isolation();
  -- With that of the other end, which settling asks for: two posts that report at once wait for each other in one
  -- order.
  PERFORM pg_advisory_xact_lock(7066, l.post)
    FROM (SELECT DISTINCT hashtext(p) AS post FROM unnest((place_of(named)).posts || named) AS p ORDER BY 1) AS l;
  SELECT r.through INTO before FROM post_reports r WHERE r.post = named;
  IF after <= before THEN RETURN; END IF;
  INSERT INTO post_reports AS r (post, through) VALUES (named, after)
    ON CONFLICT (post) DO UPDATE SET through = excluded.through;
  -- What waited for it is among the seconds that this covers and the one before did not.
  before := coalesce(before, -9223372036854775807);
  awaited := ARRAY(
    SELECT v.entry FROM violations v WHERE (v.found).entry_post = named AND v.entry_needs >= before
      AND v.entry_needs < after
    UNION SELECT v.entry FROM violations v WHERE (v.found).exit_post = named AND v.exit_needs >= before
      AND v.exit_needs < after);
  RETURN QUERY SELECT t.* FROM unnest(settle_shown(awaited, moment)) AS t;
  awaited := ARRAY(SELECT w.entry FROM waiting w
    WHERE w.is_told AND w.opposite = named AND w.due_at >= before AND w.due_at < after);
  RETURN QUERY SELECT t.* FROM unnest(look_at(awaited, moment)) AS t;
END $$;

-- Settles violations, and shows it.
CREATE OR REPLACE FUNCTION settle_shown(entries bigint[], moment timestamptz) RETURNS change[]
LANGUAGE plpgsql AS $$
DECLARE
  told change[];
BEGIN
  IF cardinality(entries) = 0 THEN RETURN '{}'; END IF;
  told := settle(entries, moment);
  IF told IS NULL THEN RETURN '{}'; END IF;
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM show_violations(ARRAY(SELECT t.entry FROM unnest(told) AS t));
  PERFORM set_config('checkpost.projecting', '', true);
  RETURN told;
END $$;

-- Raises and ends the alerts of entries that wait, and shows it.
CREATE OR REPLACE FUNCTION look_at(entries bigint[], moment timestamptz) RETURNS change[]
LANGUAGE plpgsql AS $$
DECLARE
  told change[];
BEGIN
  IF cardinality(entries) = 0 THEN RETURN '{}'; END IF;
  told := end_alerts(entries, false, moment) || raise_alerts(entries, moment);
  PERFORM look_again(entries, second_of(moment));
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM show_alerts(entries, moment);
  PERFORM set_config('checkpost.projecting', '', true);
  RETURN told;
END $$;

-- A person who looked at it says that it is so: the first one is told with it, and everybody is noted. Returns the
-- entry, and what that settled; nothing where there is no such violation that stands.
CREATE OR REPLACE FUNCTION confirm(name uuid, author text, actor text, moment timestamptz)
RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  known violations;
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  SELECT * INTO known FROM violations v WHERE v.entry = violation_named(name);
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM lock_vehicles(ARRAY[(known.found).plate]);
  PERFORM lock_reports(ARRAY[(known.found).entry_post, (known.found).exit_post]);
  SELECT * INTO known FROM violations v WHERE v.entry = known.entry AND NOT v.is_retracted;
  IF NOT FOUND THEN RETURN; END IF;
  kind := 'confirmed';
  entry := known.entry;
  RETURN NEXT;
  -- Who says it once more tells nothing new.
  IF known.confirmed_at IS NOT NULL AND EXISTS (SELECT FROM violation_notes n
    WHERE n.entry = known.entry AND n.kind = 'confirmed' AND n.at >= known.confirmed_at
      AND n.author IS NOT DISTINCT FROM confirm.author)
  THEN RETURN; END IF;
  INSERT INTO violation_notes (entry, kind, at, author, revision)
    VALUES (known.entry, 'confirmed', moment, confirm.author, known.revision);
  PERFORM note_done(moment, 'violation_confirmed', confirm.actor, format('violation %s, by %s', known.entry,
    coalesce(confirm.author, 'nobody who was named')));
  IF known.confirmed_at IS NOT NULL THEN RETURN; END IF;
  UPDATE violations v SET confirmed_at = moment, confirmed_by = author WHERE v.entry = known.entry;
  RETURN QUERY SELECT t.* FROM unnest(settle_shown(ARRAY[known.entry], moment)) AS t;
END $$;

-- Records what came of a violation that stands, where nothing is recorded. Returns its entry, and whether that was
-- `recorded`, or something is `known`; nothing where there is no such violation. Who is no profile that the
-- deployed table could name stands in the note alone.
CREATE OR REPLACE FUNCTION close_violation(
  name uuid, outcome text, hundredths bigint, remarks text, author text, actor text, detail text,
  moment timestamptz
) RETURNS TABLE (kind text, entry bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  known violations;
  shown uuid;
  who uuid;
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  SELECT * INTO known FROM violations v WHERE v.entry = violation_named(name);
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM lock_vehicles(ARRAY[(known.found).plate]);
  SELECT * INTO known FROM violations v WHERE v.entry = known.entry AND NOT v.is_retracted;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT d.id INTO shown FROM records r JOIN public.violations d ON d.entry_passage_id = r.passage_id
    WHERE r.number = known.entry;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT CASE WHEN count(*) = 1 THEN (array_agg(u.id))[1] END INTO who FROM public.user_profiles u
    WHERE u.full_name = close_violation.author OR u.id::text = lower(close_violation.author);
  who := coalesce(who, (SELECT s.unknown_ranger FROM settings s));
  entry := known.entry;
  INSERT INTO public.violation_outcomes
      (id, violation_id, outcome_type, fine_amount, notes, recorded_by, recorded_at)
    VALUES (gen_random_uuid(), shown, outcome, hundredths / 100.0, remarks, who, moment)
    ON CONFLICT (violation_id) DO NOTHING;
  kind := CASE WHEN FOUND THEN 'recorded' ELSE 'known' END;
  IF kind = 'recorded' THEN
    INSERT INTO violation_notes (entry, kind, at, author, revision)
      VALUES (known.entry, 'outcome', moment, close_violation.author, known.revision);
    PERFORM note_done(moment, 'violation_closed', close_violation.actor, close_violation.detail);
  END IF;
  RETURN NEXT;
END $$;

-- What an operator did, for the audit log, of which a service that does not own the schema sees nothing.
CREATE OR REPLACE FUNCTION note_done(moment timestamptz, what text, who text, detail text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  INSERT INTO audit (at, kind, actor, detail) VALUES (moment, what, who, note_done.detail);
END $$;

-- The entry of the violation of that name, or of that identifier in the deployed table, which had it before.
CREATE OR REPLACE FUNCTION violation_named(name uuid) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
  SELECT coalesce((SELECT v.entry FROM violations v WHERE v.uuid = name),
    (SELECT r.number FROM public.violations p JOIN records r ON r.passage_id = p.entry_passage_id
      JOIN violations v ON v.entry = r.number WHERE p.id = name))
$$;

-- Takes it that posts have handed in everything, as their devices say: all of a post that told anything lately have
-- to say that nothing waits, and the one counts that did so first. The posts of some users, or all where none is named.
-- Returns what that settled.
CREATE OR REPLACE FUNCTION report_devices(users uuid[], moment timestamptz)
RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  each record;
BEGIN
  FOR each IN
    WITH told AS (
      SELECT c.code, m.device_id, m.pending_count, m.last_sync_at,
        row_number() OVER (PARTITION BY c.code, m.device_id ORDER BY m.last_sync_at DESC) AS place,
        max(m.last_sync_at) OVER (PARTITION BY c.code) AS newest
      FROM public.sync_metadata m JOIN public.user_profiles u ON u.id = m.user_id
        JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
      WHERE m.last_sync_at IS NOT NULL AND (users IS NULL OR c.id IN (
        SELECT p.assigned_checkpost_id FROM public.user_profiles p WHERE p.id = ANY (users))))
    SELECT t.code, second_of(min(t.last_sync_at)) AS through FROM told t
    WHERE t.place = 1 AND t.last_sync_at > t.newest - interval '7 days'
    GROUP BY t.code HAVING max(t.pending_count) = 0 ORDER BY t.code
  LOOP
    -- Who said so before is not asked again, so that nobody waits for a post that is not meant.
    CONTINUE WHEN EXISTS (SELECT FROM post_reports r
      WHERE r.post = each.code AND r.through >= least(each.through, second_of(moment)));
    RETURN QUERY SELECT r.* FROM report(each.code, each.through, moment, moment) AS r;
  END LOOP;
END $$;

-- Tells of vehicles that ought to have left, ends what nobody waits for any more, makes violations final of
-- posts that do not report, and tells what rows of other programs caused: so much of each at most. One at a time
-- does it, and in one statement, so that whoever dies in it leaves it to the next. Returns what changed, and at
-- last, as `next`, when there is something to do next: null where nothing waits. As `busy`, that somebody
-- else is at it.
CREATE OR REPLACE FUNCTION clock(at_most integer, moment timestamptz)
RETURNS TABLE (kind text, entry bigint, other bigint, next_at timestamptz) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  at_second CONSTANT bigint := second_of(moment);
  due bigint[];
  final bigint[];
BEGIN
  PERFORM check_isolation();
  IF NOT pg_try_advisory_xact_lock(7062, 0) THEN
    kind := 'busy';
    RETURN NEXT;
    RETURN;
  END IF;
  RETURN QUERY
    WITH gone AS (
      DELETE FROM changes c WHERE c.number IN (SELECT o.number FROM changes o ORDER BY o.number LIMIT at_most)
      RETURNING c.*)
    SELECT g.kind, g.entry, g.other, NULL::timestamptz FROM gone g ORDER BY g.number;
  due := ARRAY(SELECT w.entry FROM waiting w WHERE w.look_at <= at_second ORDER BY w.look_at LIMIT at_most);
  final := ARRAY(SELECT v.entry FROM violations v WHERE v.unreported_from <= moment
    ORDER BY v.unreported_from LIMIT at_most);
  IF cardinality(due) > 0 OR cardinality(final) > 0 THEN
    -- Nobody judges these vehicles meanwhile; what was judged while one waited is seen then.
    PERFORM pg_advisory_xact_lock_shared(7060, 0);
    PERFORM lock_vehicles(ARRAY(
      SELECT w.plate FROM waiting w WHERE w.entry = ANY (due)
      UNION SELECT (v.found).plate FROM violations v WHERE v.entry = ANY (final)));
    PERFORM lock_reports(ARRAY(
      SELECT unnest(ARRAY[w.post, w.opposite]) FROM waiting w WHERE w.entry = ANY (due)
      UNION SELECT unnest(ARRAY[(v.found).entry_post, (v.found).exit_post]) FROM violations v
        WHERE v.entry = ANY (final)));
    due := ARRAY(SELECT w.entry FROM waiting w WHERE w.entry = ANY (due) AND w.look_at <= at_second);
    final := ARRAY(SELECT v.entry FROM violations v WHERE v.entry = ANY (final)
      AND v.unreported_from <= moment);
    RETURN QUERY SELECT t.kind, t.entry, t.other, NULL::timestamptz
      FROM unnest(look_at(due, moment) || settle_shown(final, moment)) AS t;
  END IF;
  kind := 'next';
  entry := NULL;
  other := NULL;
  next_at := least(
    (SELECT to_timestamp(min(w.look_at)) FROM waiting w), (SELECT min(v.unreported_from) FROM violations v),
    CASE WHEN EXISTS (SELECT FROM changes) THEN moment END);
  RETURN NEXT;
END $$;

-- Other numbers to judge by. Returns whether they are others than before.
CREATE OR REPLACE FUNCTION configure(
  window_seconds bigint, pairing bigint, stay bigint, provisional bigint, segments_named text[],
  segment_windows bigint[]
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF (SELECT (ranger_window, pairing_window, long_stay, provisional_for)
        = (window_seconds, pairing, stay, provisional) FROM settings)
    AND NOT EXISTS (
      SELECT FROM pairing_windows w FULL JOIN unnest(segments_named, segment_windows) AS n(segment, seconds)
        ON n.segment = w.segment WHERE n.seconds IS DISTINCT FROM w.seconds)
  THEN RETURN false; END IF;
  PERFORM lock_all();
  UPDATE settings SET ranger_window = window_seconds, pairing_window = pairing, long_stay = stay,
    provisional_for = provisional;
  DELETE FROM pairing_windows;
  INSERT INTO pairing_windows SELECT * FROM unnest(segments_named, segment_windows);
  RETURN true;
END $$;

-- Judges some more vehicles again, where anything has to be: all of them from the beginning where
-- `everything` is said, or where the numbers are others than before. Returns what changed, and at last, as
-- `step`, how many vehicles and records it were, and whether nothing is left.
CREATE OR REPLACE FUNCTION rejudge(
  window_seconds bigint, pairing bigint, stay bigint, provisional bigint, segments_named text[],
  segment_windows bigint[], everything boolean, at_most integer, moment timestamptz
) RETURNS TABLE (kind text, entry bigint, other bigint, is_done boolean) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  todo rejudging;
  again boolean;
BEGIN
  PERFORM check_isolation();
  again := configure(window_seconds, pairing, stay, provisional, segments_named, segment_windows)
    OR everything;
  SELECT * INTO todo FROM rejudging;
  IF again OR todo.cause IS NOT NULL THEN
    -- Before the row, as who changes the directory has it.
    PERFORM pg_advisory_xact_lock_shared(7060, 0);
    SELECT * INTO todo FROM rejudging FOR UPDATE;
  END IF;
  IF again THEN
    todo.cause := coalesce(todo.cause, 'rules');
    todo.posts := NULL;
    todo.after_plate := '';
  END IF;
  RETURN QUERY SELECT * FROM rejudge_step(todo, at_most, moment);
END $$;

CREATE OR REPLACE FUNCTION rejudge_step(todo rejudging, at_most integer, moment timestamptz)
RETURNS TABLE (kind text, entry bigint, other bigint, is_done boolean) LANGUAGE plpgsql AS $$
DECLARE
  plates text[];
  points record;
BEGIN
  kind := 'step';
  entry := 0;
  other := 0;
  is_done := true;
  IF todo.cause IS NULL THEN RETURN NEXT; RETURN; END IF;
  plates := next_plates(todo.after_plate, todo.posts, at_most);
  PERFORM lock_vehicles(plates);
  SELECT array_agg(r.plate) AS plates, array_agg(r.post) AS posts, array_agg(r.second) AS seconds,
      sum(r.count)::bigint AS count INTO points
    FROM (SELECT r.plate, r.post, unnest(ARRAY[min(r.second), max(r.second)]) AS second,
        unnest(ARRAY[count(*), 0]) AS count
      FROM records r WHERE r.plate = ANY (plates) GROUP BY r.plate, r.post) AS r;
  IF points.plates IS NOT NULL THEN
    RETURN QUERY SELECT t.kind, t.entry, t.other, NULL::boolean
      FROM unnest(judge(NULL, points.plates, points.posts, points.seconds, todo.cause, moment, true)) AS t;
  END IF;
  is_done := cardinality(plates) < at_most;
  UPDATE rejudging SET cause = CASE WHEN NOT is_done THEN todo.cause END,
    posts = CASE WHEN NOT is_done THEN todo.posts END,
    after_plate = CASE WHEN is_done THEN '' ELSE plates[cardinality(plates)] END;
  kind := 'step';
  entry := cardinality(plates);
  other := coalesce(points.count, 0);
  RETURN NEXT;
END $$;

-- The next vehicles in the order of their plates, by which the index leaps from one to the other.
CREATE OR REPLACE FUNCTION next_plates(after text, named text[], at_most integer) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
  plates text[] := '{}';
  last text COLLATE "C" := after;
BEGIN
  WHILE cardinality(plates) < at_most LOOP
    IF named IS NULL THEN
      SELECT r.plate INTO last FROM records r WHERE r.plate > last ORDER BY r.plate LIMIT 1;
    ELSE
      SELECT r.plate INTO last FROM records r WHERE r.plate > last AND r.post = ANY (named)
        ORDER BY r.plate LIMIT 1;
    END IF;
    EXIT WHEN NOT FOUND;
    plates := plates || last;
  END LOOP;
  RETURN plates;
END $$;

-- Takes in up to so many rows of the deployed table that are not known yet, in the order of their plates, from
-- behind the one that is named. Returns how many it looked at, and the last of them.
CREATE OR REPLACE FUNCTION adopt(
  INOUT after_plate text, INOUT after_id uuid, at_most integer, OUT looked_at bigint, OUT adopted bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v public.vehicle_passages;
  got record;
  doubled uuid[] := '{}';
BEGIN
  looked_at := 0;
  adopted := 0;
  PERFORM lock_all();
  FOR v IN
    SELECT * FROM public.vehicle_passages p
    WHERE p.plate_number >= coalesce(after_plate, '')
      AND (after_plate IS NULL OR (p.plate_number, p.id) > (after_plate, after_id))
    ORDER BY p.plate_number, p.id LIMIT at_most
  LOOP
    looked_at := looked_at + 1;
    after_plate := v.plate_number;
    after_id := v.id;
    CONTINUE WHEN EXISTS (SELECT FROM identities i WHERE i.client_id = v.client_id);
    SELECT r.* INTO got FROM report_of(v) o, receive(o, v.checkpost_id, true, o.received_at) AS r
      WHERE o.client_id IS NOT NULL;
    CONTINUE WHEN got.target IS NULL;
    adopted := adopted + 1;
    IF got.reception = 'alias' THEN doubled := doubled || v.id; END IF;
  END LOOP;
  IF cardinality(doubled) > 0 THEN
    PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
    PERFORM set_aside(doubled);
    PERFORM set_config('checkpost.projecting', '', true);
  END IF;
  PERFORM judge_touched('arrival', clock_timestamp());
END $$;

-- The park to which a new segment belongs.
CREATE OR REPLACE FUNCTION own_park() RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
DECLARE
  own uuid;
BEGIN
  SELECT id INTO own FROM public.parks ORDER BY is_active DESC, created_at, id LIMIT 1;
  IF own IS NULL THEN
    own := derived_id('park', 'Park');
    INSERT INTO public.parks (id, name, code) VALUES (own, 'Park', 'PARK');
  END IF;
  RETURN own;
END $$;

-- A segment that is none, and at which no post stands.
CREATE OR REPLACE FUNCTION loose_segment() RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
DECLARE
  free uuid;
BEGIN
  SELECT l.segment_id INTO free FROM loose_segments l
    WHERE NOT EXISTS (SELECT FROM public.checkposts c WHERE c.segment_id = l.segment_id)
    ORDER BY l.segment_id LIMIT 1;
  IF free IS NULL THEN
    -- Nothing is ever overdue on it.
    INSERT INTO public.highway_segments (park_id, name, distance_km, max_speed_kmh, min_speed_kmh, is_active)
      SELECT own_park(), 'no segment ' || count(*) + 1, 9999, 2, 1, false FROM loose_segments
      RETURNING id INTO free;
    INSERT INTO loose_segments VALUES (free);
  END IF;
  RETURN free;
END $$;

CREATE OR REPLACE FUNCTION put_segment(called text, metres bigint, slow bigint, fast bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
DECLARE
  own uuid;
  is_rounded boolean;
  kilometres CONSTANT numeric(6,2) := metres / 1000.0;
  slowest_kmh CONSTANT numeric(5,2) := slow / 1000.0;
  fastest_kmh CONSTANT numeric(5,2) := fast / 1000.0;
BEGIN
  SELECT id INTO own FROM known_segments WHERE name = called ORDER BY is_active DESC, created_at, id LIMIT 1;
  IF own IS NULL THEN
    own := derived_id('segment', called);
    IF EXISTS (SELECT FROM public.highway_segments WHERE id = own) THEN own := gen_random_uuid(); END IF;
    INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
      VALUES (own, own_park(), called, kilometres, fastest_kmh, slowest_kmh);
  ELSE
    UPDATE public.highway_segments SET distance_km = kilometres, max_speed_kmh = fastest_kmh,
        min_speed_kmh = slowest_kmh, updated_at = now()
      WHERE id = own AND (distance_km, max_speed_kmh, min_speed_kmh) <> (kilometres, fastest_kmh, slowest_kmh);
  END IF;
  is_rounded := (kilometres, slowest_kmh, fastest_kmh) <> (metres / 1000.0, slow / 1000.0, fast / 1000.0);
  IF is_rounded THEN
    INSERT INTO exact_segments AS e (segment_id, distance, slowest, fastest) VALUES (own, metres, slow, fast)
      ON CONFLICT (segment_id) DO UPDATE SET distance = metres, slowest = slow, fastest = fast
      WHERE (e.distance, e.slowest, e.fastest) <> (metres, slow, fast);
  ELSE
    DELETE FROM exact_segments WHERE segment_id = own;
  END IF;
END $$;

-- A number that is not rounded any more, or otherwise, is judged by.
CREATE OR REPLACE FUNCTION exact_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
DECLARE
  codes CONSTANT text[] := ARRAY(
    SELECT c.code FROM public.checkposts c WHERE c.segment_id = coalesce(NEW.segment_id, OLD.segment_id));
BEGIN
  IF cardinality(codes) > 0 THEN
    PERFORM lock_all();
    PERFORM judge_posts(codes, 'directory');
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER exact_1_judge AFTER INSERT OR UPDATE OR DELETE ON exact_segments
  FOR EACH ROW EXECUTE FUNCTION exact_changed();

-- A post stands nowhere for the time being, so that another one can stand there.
CREATE OR REPLACE FUNCTION leave_place(called text) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
  UPDATE public.checkposts SET segment_id = loose_segment(), position_index = 0 WHERE code = called
$$;

-- Puts a post in, or changes it: its place and the number of its modem as far as they are known.
CREATE OR REPLACE FUNCTION put_post(
  called text, full_name text, knows_place boolean, segment_name text, at_end smallint, knows_phone boolean,
  number text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
DECLARE
  own public.checkposts;
  target uuid;
BEGIN
  SELECT * INTO own FROM public.checkposts WHERE code = called;
  IF knows_place AND segment_name IS NOT NULL THEN
    SELECT id INTO target FROM known_segments WHERE name = segment_name
      ORDER BY id IS NOT DISTINCT FROM own.segment_id DESC, is_active DESC, created_at, id LIMIT 1;
    IF target IS NULL THEN
      RAISE EXCEPTION 'there is no such segment' USING ERRCODE = 'foreign_key_violation';
    END IF;
  ELSIF own.id IS NOT NULL
    AND (NOT knows_place OR EXISTS (SELECT FROM loose_segments WHERE segment_id = own.segment_id))
  THEN
    target := own.segment_id;
    at_end := own.position_index;
  ELSE
    target := loose_segment();
    at_end := 0;
  END IF;
  IF own.id IS NULL THEN
    own.id := derived_id('post', called);
    IF EXISTS (SELECT FROM public.checkposts WHERE id = own.id) THEN own.id := gen_random_uuid(); END IF;
    INSERT INTO public.checkposts (id, segment_id, name, code, position_index)
      VALUES (own.id, target, full_name, called, at_end);
  ELSIF (own.name, own.segment_id, own.position_index) <> (full_name, target, at_end) THEN
    UPDATE public.checkposts SET name = full_name, segment_id = target, position_index = at_end
      WHERE id = own.id;
  END IF;
  IF NOT knows_phone THEN RETURN; END IF;
  IF number IS NULL THEN
    DELETE FROM post_phones WHERE post_id = own.id;
  ELSE
    INSERT INTO post_phones (post_id, phone) VALUES (own.id, number)
      ON CONFLICT (post_id) DO UPDATE SET phone = number;
  END IF;
END $$;

-- Puts a ranger in, or changes the profile that has the number. One that is made can be signed in with once
-- somebody gives it a password. Returns the profile.
CREATE OR REPLACE FUNCTION put_ranger(profile uuid, called text, number text, digits text, post_name text)
RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
DECLARE
  post CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = post_name);
BEGIN
  IF post IS NULL THEN
    RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF profile IS NULL THEN
    profile := derived_id('profile', digits);
    IF EXISTS (SELECT FROM public.user_profiles WHERE id = profile) THEN profile := gen_random_uuid(); END IF;
    IF to_regclass('auth.users') IS NOT NULL THEN
      INSERT INTO auth.users (id) VALUES (profile) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO public.user_profiles (id, full_name, role, phone_number, assigned_checkpost_id)
      VALUES (profile, called, 'ranger', number, post)
      -- Where a trigger of the users makes profiles, there is one by now.
      ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, phone_number = excluded.phone_number,
        assigned_checkpost_id = excluded.assigned_checkpost_id;
  ELSE
    IF NOT (SELECT is_active FROM public.user_profiles WHERE id = profile) THEN
      RAISE EXCEPTION 'the profile with that number is not active' USING ERRCODE = 'check_violation';
    END IF;
    UPDATE public.user_profiles SET full_name = called, assigned_checkpost_id = post, updated_at = now()
      WHERE id = profile
        AND (full_name, assigned_checkpost_id) IS DISTINCT FROM (called, post);
  END IF;
  RETURN profile;
END $$;

CREATE OR REPLACE FUNCTION put_number(number text, post_name text, since timestamptz, until timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
DECLARE
  post CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = post_name);
BEGIN
  IF post IS NULL THEN
    RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO numbers (phone, post_id, valid_from, valid_until) VALUES (number, post, since, until)
    ON CONFLICT (phone, post_id) DO UPDATE SET valid_from = since, valid_until = until;
END $$;

-- Keeps messages as they came, all or none; of one that is there already it is counted that it came again. Returns
-- of each, in their order, its number and whether it is new.
CREATE OR REPLACE FUNCTION keep(
  providers text[], names text[], senders text[], recipients text[], kinds text[], bodies text[],
  times timestamptz[]
) RETURNS TABLE (id bigint, is_new boolean) LANGUAGE plpgsql
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
#variable_conflict use_column
DECLARE
  digests bytea[];
  made bigint[];
BEGIN
  SELECT array_agg(sha256(convert_to(u.name, 'UTF8')) ORDER BY u.place) INTO digests
    FROM unnest(names) WITH ORDINALITY AS u(name, place);
  -- Numbers are in the order of the messages, and those that are there already use none. They are written in the
  -- order of their keys, so that two who keep the same messages do not wait for each other.
  WITH given AS (
    SELECT DISTINCT ON (g.provider, g.digest) g.*
    FROM unnest(providers, digests, names, senders, recipients, kinds, bodies, times) WITH ORDINALITY
      AS g(provider, digest, name, sender, recipient, kind, body, at, place)
    ORDER BY g.provider, g.digest, g.place
  ),
  fresh AS (
    SELECT g.* FROM given g
    WHERE NOT EXISTS (SELECT FROM inbox i WHERE i.provider = g.provider AND i.digest = g.digest)
    ORDER BY g.place
  ),
  numbered AS MATERIALIZED (SELECT nextval('inbox_numbers') AS number, f.* FROM fresh f),
  kept AS (
    INSERT INTO inbox (id, provider, provider_id, digest, sender, recipient, kind, body, received_at)
      SELECT n.number, n.provider, n.name, n.digest, n.sender, n.recipient, n.kind, n.body, n.at
      FROM numbered n ORDER BY n.provider, n.digest
      ON CONFLICT DO NOTHING RETURNING inbox.id)
  SELECT coalesce(array_agg(k.id), '{}') INTO made FROM kept k;

  IF cardinality(made) < cardinality(names) THEN
    WITH given AS (
      SELECT g.provider, g.digest, count(*) AS times
      FROM unnest(providers, digests) AS g(provider, digest) GROUP BY g.provider, g.digest
    ),
    again AS MATERIALIZED (
      SELECT i.id, g.times - (i.id = ANY (made))::integer AS more
      FROM given g JOIN inbox i ON i.provider = g.provider AND i.digest = g.digest
      WHERE g.times > (i.id = ANY (made))::integer
      ORDER BY i.id FOR NO KEY UPDATE OF i)
    UPDATE inbox SET times_received = inbox.times_received + a.more FROM again a WHERE inbox.id = a.id;
  END IF;
  RETURN QUERY
    SELECT i.id, i.id = ANY (made) AND row_number() OVER (PARTITION BY i.id ORDER BY g.place) = 1
    FROM unnest(providers, digests) WITH ORDINALITY AS g(provider, digest, place)
    JOIN inbox i ON i.provider = g.provider AND i.digest = g.digest
    ORDER BY g.place;
END $$;

-- What was received is not changed: it is the evidence.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a received message is not changed' USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE TRIGGER inbox_frozen
  BEFORE UPDATE OF id, provider, provider_id, digest, kind, body, received_at ON inbox
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_changes
      SELECT s.name, count(*) FROM came c, LATERAL (VALUES ('inbox'), (c.state)) AS s(name)
      WHERE s.name IN ('inbox', 'undecodable', 'duplicate') GROUP BY s.name;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tally_changes
      SELECT s.name, -count(*) FROM gone g,
        LATERAL (VALUES ('inbox'), (CASE WHEN g.dismissed_at IS NULL THEN g.state END)) AS s(name)
      WHERE s.name IN ('inbox', 'undecodable', 'duplicate') GROUP BY s.name;
  ELSE
    INSERT INTO tally_changes
      SELECT s.state, sum(s.n)::bigint FROM (
        SELECT g.state, -1 AS n FROM gone g WHERE g.dismissed_at IS NULL
        UNION ALL SELECT c.state, 1 FROM came c WHERE c.dismissed_at IS NULL) AS s
      WHERE s.state IN ('undecodable', 'duplicate') GROUP BY s.state HAVING sum(s.n) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_1_kept AFTER INSERT ON inbox REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE OR REPLACE TRIGGER count_2_changed AFTER UPDATE ON inbox
  REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON inbox REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

CREATE OR REPLACE FUNCTION count_passages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO heard_changes (post, passages, last_at)
      SELECT c.post, count(*), max(r.inserted_at) FROM came c JOIN records r ON r.number = c.row_number
      GROUP BY c.post;
  ELSE
    INSERT INTO heard_changes (post, passages) SELECT g.post, -count(*) FROM gone g GROUP BY g.post;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_1_passage AFTER INSERT ON passages REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_passages();
CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON passages REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_passages();
CREATE OR REPLACE FUNCTION count_moved() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  INSERT INTO heard_changes (post, passages) VALUES (OLD.post, -1), (NEW.post, 1);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_2_moved AFTER UPDATE OF post ON passages
  FOR EACH ROW WHEN (NEW.post <> OLD.post) EXECUTE FUNCTION count_moved();

CREATE OR REPLACE FUNCTION count_report() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  INSERT INTO heard_changes (post, recorded)
    SELECT q.code, sum(q.n)::bigint FROM (
      SELECT post_code(f.id, f.post) AS code, f.n FROM (
        SELECT r.received_post_id AS id, r.received_post AS post, count(*) AS n
        FROM (SELECT c.record, c.suffix, min(c.number) AS number FROM came c GROUP BY c.record, c.suffix) AS c
        JOIN records r ON r.number = c.record
        WHERE NOT EXISTS (
          SELECT FROM observations o
          WHERE o.record = c.record AND o.suffix = c.suffix AND o.number < c.number)
        GROUP BY r.received_post_id, r.received_post) AS f) AS q
    GROUP BY q.code;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_1_report AFTER INSERT ON observations REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION count_report();

CREATE OR REPLACE FUNCTION count_violation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_changes SELECT 'violations', -count(*) FROM gone g WHERE NOT g.is_retracted
      HAVING count(*) > 0;
  ELSE
    INSERT INTO tally_changes SELECT 'violations', count(*) FROM come c WHERE NOT c.is_retracted
      HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_1_violation AFTER INSERT ON violations REFERENCING NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION count_violation();
CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON violations REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_violation();
CREATE OR REPLACE FUNCTION count_retracted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  INSERT INTO tally_changes VALUES ('violations', CASE WHEN NEW.is_retracted THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_2_retracted AFTER UPDATE OF is_retracted ON violations
  FOR EACH ROW WHEN (NEW.is_retracted <> OLD.is_retracted) EXECUTE FUNCTION count_retracted();

-- The counts with what was not gathered yet.
CREATE OR REPLACE VIEW tally_now AS
  SELECT a.name, sum(a.n)::bigint AS n
  FROM (SELECT name, n FROM tally UNION ALL SELECT name, n FROM tally_changes) AS a GROUP BY a.name;
CREATE OR REPLACE VIEW heard_now AS
  SELECT coalesce(h.post, d.post) AS post, greatest(h.last_at, d.last_at) AS last_at,
    coalesce(h.passages, 0) + coalesce(d.passages, 0) AS passages,
    coalesce(h.recorded, 0) + coalesce(d.recorded, 0) AS recorded,
    h.heartbeat_at, h.last_number, h.through_epoch, h.waiting, h.texted, h.baseline
  FROM heard h FULL JOIN (
    SELECT c.post, max(c.last_at) AS last_at, sum(c.passages)::bigint AS passages,
      sum(c.recorded)::bigint AS recorded
    FROM heard_changes c GROUP BY c.post) AS d ON d.post = h.post;

-- What is known of a post goes with its code. Its passages are counted anew where they stand.
CREATE OR REPLACE FUNCTION post_renamed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
DECLARE
  known heard_now;
BEGIN
  SELECT * INTO known FROM heard_now h WHERE h.post = OLD.code;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO heard_changes (post, last_at, recorded)
    VALUES (NEW.code, known.last_at, known.recorded), (OLD.code, NULL, -known.recorded);
  IF known.heartbeat_at IS NOT NULL THEN
    UPDATE heard SET heartbeat_at = NULL, last_number = NULL, through_epoch = NULL, waiting = NULL, texted = NULL,
      baseline = NULL WHERE post = OLD.code;
    INSERT INTO heard (post, heartbeat_at, last_number, through_epoch, waiting, texted, baseline)
      VALUES (NEW.code, known.heartbeat_at, known.last_number, known.through_epoch, known.waiting, known.texted,
        known.baseline)
      ON CONFLICT (post) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, last_number = excluded.last_number,
        through_epoch = excluded.through_epoch, waiting = excluded.waiting, texted = excluded.texted,
        baseline = excluded.baseline;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER checkpost_4_heard AFTER UPDATE OF code ON public.checkposts
  FOR EACH ROW WHEN (NEW.code <> OLD.code) EXECUTE FUNCTION post_renamed();

-- Gathers what changed the counts. Whoever calls it is in one of the transactions that come one after the other.
CREATE OR REPLACE FUNCTION gather_counts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = checkpost, pg_temp AS $$
BEGIN
  WITH gone AS (DELETE FROM tally_changes RETURNING name, n)
  INSERT INTO tally AS t SELECT g.name, sum(g.n) FROM gone g GROUP BY g.name
    ON CONFLICT (name) DO UPDATE SET n = t.n + excluded.n;
  WITH gone AS (DELETE FROM heard_changes c RETURNING c.post, c.last_at, c.passages, c.recorded)
  INSERT INTO heard AS h (post, last_at, passages, recorded)
    SELECT g.post, max(g.last_at), sum(g.passages), sum(g.recorded) FROM gone g GROUP BY g.post
    ON CONFLICT (post) DO UPDATE SET last_at = greatest(h.last_at, excluded.last_at),
      passages = h.passages + excluded.passages, recorded = h.recorded + excluded.recorded;
END $$;

-- Locks what rows that are handed in concern, as whoever receives them does, until the transaction's end.
CREATE OR REPLACE FUNCTION lock_rows(plates text[], identities_named uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  PERFORM lock_for(plates, identities_named, true);
END $$;

DROP VIEW IF EXISTS api_parks, api_highway_segments, api_checkposts, api_user_profiles, api_vehicle_passages,
  api_vehicle_passages_by_identity, api_violations, api_violation_outcomes, api_proactive_overstay_alerts,
  api_sync_metadata;

CREATE VIEW api_parks AS SELECT id, name, code, is_active, created_at, updated_at FROM public.parks;

CREATE VIEW api_highway_segments AS SELECT id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh,
  min_travel_time_minutes, max_travel_time_minutes, is_active, created_at, updated_at
  FROM public.highway_segments h
  WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = h.id);

CREATE VIEW api_checkposts AS SELECT c.id, CASE WHEN l.segment_id IS NULL THEN c.segment_id END AS segment_id,
  c.name, c.code, CASE WHEN l.segment_id IS NULL THEN c.position_index END AS position_index, c.latitude,
  c.longitude, c.is_active, c.created_at
  FROM public.checkposts c LEFT JOIN loose_segments l ON l.segment_id = c.segment_id;

-- Who has an account, and who is known by the directory alone; not the one under whom passages stand whose ranger
-- nobody knows.
CREATE VIEW api_user_profiles AS SELECT a.id, a.full_name,
  CASE a.role WHEN 'ranger' THEN 'ranger' ELSE 'admin' END AS role, a.phone AS phone_number,
  c.id AS assigned_checkpost_id, coalesce(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id,
  a.active AS is_active, a.created_at, a.updated_at
  FROM accounts a LEFT JOIN public.user_profiles u ON u.id = a.id
    LEFT JOIN api_checkposts c ON c.code = a.checkpost
    LEFT JOIN public.highway_segments h ON h.id = c.segment_id
    LEFT JOIN (SELECT min(id::text)::uuid AS id FROM public.parks HAVING count(*) = 1) k ON true
UNION ALL SELECT u.id, u.full_name, u.role, u.phone_number, u.assigned_checkpost_id,
  coalesce(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id, u.is_active, u.created_at, u.updated_at
  FROM public.user_profiles u
    LEFT JOIN api_checkposts c ON c.id = u.assigned_checkpost_id
    LEFT JOIN public.highway_segments h ON h.id = c.segment_id
    LEFT JOIN (SELECT min(id::text)::uuid AS id FROM public.parks HAVING count(*) = 1) k ON true
  WHERE u.id IS DISTINCT FROM (SELECT unknown_ranger FROM settings)
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = u.id)
    AND NOT EXISTS (SELECT FROM accounts a WHERE a.phone = u.phone_number);

CREATE VIEW api_vehicle_passages AS SELECT v.id, v.client_id, v.plate_number, v.plate_number_raw,
  v.vehicle_type, v.checkpost_id, v.segment_id, v.recorded_at, v.server_received_at,
  nullif(v.ranger_id, (SELECT unknown_ranger FROM settings)) AS ranger_id, v.photo_path, v.source,
  v.matched_passage_id, v.is_entry, v.created_at
  FROM public.vehicle_passages v
  WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = v.segment_id);

-- A passage under each of its identities, as it came under that one; and one that was not taken in.
CREATE VIEW api_vehicle_passages_by_identity AS SELECT v.id, i.client_id,
  CASE WHEN compact(v.plate_number) = r.plate THEN v.plate_number ELSE r.plate END AS plate_number,
  coalesce(k.raw_plate, CASE WHEN r.plate = r.received_plate THEN coalesce(o.raw_plate, v.plate_number_raw)
    ELSE v.plate_number_raw END) AS plate_number_raw,
  v.vehicle_type, c.id AS checkpost_id, v.segment_id,
  coalesce(k.recorded_at, CASE WHEN r.second = r.received_second THEN coalesce(o.recorded_at, v.recorded_at)
    ELSE to_timestamp(r.second) END) AS recorded_at,
  v.server_received_at,
  ranger_of(array_remove(ARRAY[o.ranger] || p.rangers, NULL), c.id, p.suffix) AS ranger_id, v.photo_path,
  v.source, v.matched_passage_id, v.is_entry, v.created_at
  FROM identities i JOIN records r ON r.number = i.record JOIN records s ON s.number = r.row_number
    JOIN passages p ON p.row_number = s.number
    JOIN public.vehicle_passages v ON v.id = s.passage_id
    JOIN public.checkposts c ON c.code = r.post
    LEFT JOIN LATERAL (
      SELECT b.raw_plate, b.recorded_at, b.ranger FROM observations b WHERE b.record = r.number
      ORDER BY b.client_id = i.client_id DESC, b.client_id = i.client_id AND b.channel = 'upload' DESC,
        b.number LIMIT 1) o ON true
    -- What the last corrections of it say.
    LEFT JOIN LATERAL (
      SELECT (array_agg(c.raw_plate ORDER BY c.made_at DESC, c.client_id DESC, c.number DESC)
          FILTER (WHERE c.raw_plate IS NOT NULL))[1] AS raw_plate,
        (array_agg(c.recorded_at ORDER BY c.made_at DESC, c.client_id DESC, c.number DESC)
          FILTER (WHERE c.recorded_at IS NOT NULL))[1] AS recorded_at
      FROM corrections c WHERE c.record = r.number) k ON true
  WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = v.segment_id)
UNION ALL SELECT v.* FROM api_vehicle_passages v
  WHERE NOT EXISTS (SELECT FROM identities i WHERE i.client_id = v.client_id);

CREATE VIEW api_violations AS SELECT id, entry_passage_id, exit_passage_id, segment_id, violation_type,
  plate_number, vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes,
  calculated_speed_kmh, speed_limit_kmh, distance_km, alert_delivered_at, created_at, is_retracted, finality,
  to_json(doubts)::text AS doubts
  FROM public.violations;

CREATE VIEW api_violation_outcomes AS SELECT id, violation_id, outcome_type, fine_amount, notes, recorded_by,
  recorded_at
  FROM public.violation_outcomes;

CREATE VIEW api_proactive_overstay_alerts AS SELECT id, entry_passage_id, segment_id, plate_number,
  vehicle_type, entry_time, expected_exit_by, resolved, resolved_at, resolved_by_passage_id, created_at
  FROM public.proactive_overstay_alerts;

CREATE VIEW api_sync_metadata AS SELECT id, user_id, device_id, last_sync_at, last_pull_at, pending_count,
  created_at, updated_at
  FROM public.sync_metadata;

-- The name in the bucket that the path of a photograph has; null of what names none there.
CREATE OR REPLACE FUNCTION photo_name(path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN n.name ~ '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$' THEN n.name COLLATE "C" END
  FROM (SELECT regexp_replace(path, '^passage-photos/', '')) AS n(name)
$$;

-- Whether a photograph is called after a passage that is there.
CREATE OR REPLACE FUNCTION is_of_passage(name text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  stem CONSTANT text := split_part(name, '.', 1);
  passage uuid;
BEGIN
  IF stem !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN false; END IF;
  passage := stem::uuid;
  RETURN is_taken(passage)
    OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = passage)
    OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = passage);
END $$;

-- Whoever drops records of vehicles keeps them as they are until it is done; all of them where none is named.
CREATE OR REPLACE FUNCTION hold_vehicles(plates text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF plates IS NULL THEN
    PERFORM lock_all();
  ELSE
    PERFORM check_isolation();
    PERFORM pg_advisory_xact_lock_shared(7060, 0);
    PERFORM lock_vehicles(plates);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION put_aside(numbers bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  UPDATE records SET is_aside = true WHERE number = ANY (numbers) AND NOT is_aside;
END $$;

-- Drops records with all that depends on them, in the deployed tables too, but their messages.
CREATE OR REPLACE FUNCTION forget_records(numbers bigint[]) RETURNS TABLE (
  passages bigint, reports bigint, corrected bigint, violations bigint, outcomes bigint, alerts bigint,
  photographs bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT r.passage_id FROM records r WHERE r.number = ANY (numbers));
  entries CONSTANT bigint[] := ARRAY(
    SELECT v.entry FROM checkpost.violations v WHERE v.entry = ANY (numbers)
    UNION SELECT v.entry FROM checkpost.violations v WHERE (v.found).exit = ANY (numbers));
  paths CONSTANT text[] := ARRAY(
    SELECT photo_name(o.photo_path) FROM observations o WHERE o.record = ANY (numbers)
    UNION SELECT photo_name(c.photo_path) FROM corrections c WHERE c.record = ANY (numbers));
  shown uuid[];
BEGIN
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  shown := ARRAY(
    SELECT v.uuid FROM checkpost.violations v WHERE v.entry = ANY (entries)
    UNION SELECT v.id FROM public.violations v WHERE v.entry_passage_id = ANY (ids)
    UNION SELECT v.id FROM public.violations v WHERE v.exit_passage_id = ANY (ids));
  DELETE FROM public.violation_outcomes o WHERE o.violation_id = ANY (shown);
  GET DIAGNOSTICS outcomes = ROW_COUNT;
  DELETE FROM public.violations v WHERE v.id = ANY (shown);
  DELETE FROM public.proactive_overstay_alerts a WHERE a.entry_passage_id = ANY (ids);
  UPDATE public.proactive_overstay_alerts a SET resolved_by_passage_id = NULL
    WHERE a.resolved_by_passage_id = ANY (ids);
  UPDATE public.vehicle_passages v SET matched_passage_id = NULL, is_entry = NULL
    WHERE v.matched_passage_id = ANY (ids);
  DELETE FROM public.vehicle_passages v WHERE v.id = ANY (ids);
  PERFORM set_config('checkpost.projecting', '', true);
  DELETE FROM removed m WHERE m.kind IN ('passage', 'violation') AND m.id = ANY (ids || shown);
  DELETE FROM removed m WHERE m.kind = 'violation' AND m.content ->> 'entry_passage_id' = ANY (ids::text[]);

  DELETE FROM changes c WHERE c.entry = ANY (numbers || entries);
  DELETE FROM revisions r WHERE r.entry = ANY (entries);
  DELETE FROM violation_notes n WHERE n.entry = ANY (entries);
  DELETE FROM checkpost.violations v WHERE v.entry = ANY (entries);
  GET DIAGNOSTICS violations = ROW_COUNT;
  DELETE FROM checkpost.alerts a WHERE a.entry = ANY (numbers);
  GET DIAGNOSTICS alerts = ROW_COUNT;
  DELETE FROM waiting w WHERE w.entry = ANY (numbers);
  DELETE FROM pairs p WHERE p.entry = ANY (numbers);
  DELETE FROM pairs p WHERE p.exit = ANY (numbers);
  DELETE FROM checkpost.passages p WHERE p.row_number = ANY (numbers);
  GET DIAGNOSTICS passages = ROW_COUNT;
  DELETE FROM corrections c WHERE c.record = ANY (numbers);
  GET DIAGNOSTICS corrected = ROW_COUNT;
  DELETE FROM observations o WHERE o.record = ANY (numbers);
  GET DIAGNOSTICS reports = ROW_COUNT;
  DELETE FROM records r WHERE r.number = ANY (numbers);
  -- Another passage may name the same one, or be the one that it is called after.
  INSERT INTO dropped_photographs SELECT p.name FROM unnest(paths) AS p(name)
    WHERE p.name IS NOT NULL AND NOT is_of_passage(p.name)
      AND NOT EXISTS (
        SELECT FROM observations o WHERE o.photo_path IN (p.name, 'passage-photos/' || p.name))
      AND NOT EXISTS (
        SELECT FROM corrections c WHERE c.photo_path IN (p.name, 'passage-photos/' || p.name))
    ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS photographs = ROW_COUNT;
  RETURN NEXT;
END $$;

-- Judges vehicles again that were at these places, because something of them is gone.
CREATE OR REPLACE FUNCTION judge_again(
  plates text[], posts text[], seconds bigint[], moment timestamptz
) RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  PERFORM touch(NULL, u.plate, u.post, u.second) FROM unnest(plates, posts, seconds) AS u(plate, post, second);
  RETURN QUERY SELECT t.* FROM unnest(judge_touched('correction', moment)) AS t;
END $$;

-- Drops messages that nothing rests on, of these.
CREATE OR REPLACE FUNCTION forget_messages(ids bigint[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM inbox i WHERE i.id = ANY (ids)
    AND NOT EXISTS (SELECT FROM observations o WHERE o.inbox_id = i.id)
    AND NOT EXISTS (SELECT FROM records r WHERE r.inbox_id = i.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM gather_counts();
  RETURN gone;
END $$;

-- Drops corrections that wait for their passage and were made before a moment, or name a plate.
CREATE OR REPLACE FUNCTION forget_early(before timestamptz, named text, most bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM corrections c WHERE c.number = ANY (ARRAY(
    SELECT e.number FROM corrections e WHERE e.record IS NULL AND (e.made_at < before OR e.plate = named)
    ORDER BY e.number LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;

-- The audit log, of which a service that does not own the schema sees nothing.
CREATE OR REPLACE FUNCTION note_erasure(moment timestamptz, who text, how_much text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  INSERT INTO audit (at, kind, actor, detail) VALUES (moment, 'vehicle_erased', who, how_much);
END $$;

CREATE OR REPLACE FUNCTION forget_audit(before timestamptz, most bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM audit a WHERE a.at < before AND a.id = ANY (ARRAY(SELECT e.id FROM audit e ORDER BY e.id LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;

DO $$
DECLARE
  nobody CONSTANT uuid := checkpost.derived_id('profile', 'unknown');
BEGIN
  BEGIN
    IF to_regclass('auth.users') IS NOT NULL THEN
      INSERT INTO auth.users (id) VALUES (nobody) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO public.user_profiles (id, full_name, role, is_active)
      VALUES (nobody, 'unknown ranger', 'ranger', false) ON CONFLICT DO NOTHING;
    UPDATE checkpost.settings SET unknown_ranger = nobody;
  EXCEPTION WHEN insufficient_privilege OR integrity_constraint_violation THEN
    NULL;
  END;
END $$;

DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT t.tgname, t.tgenabled FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE t.tgrelid = 'public.vehicle_passages'::regclass AND NOT t.tgisinternal
      AND p.proname = 'fn_auto_match_passage'
  LOOP
    INSERT INTO checkpost.displaced VALUES (each.tgname, each.tgenabled);
    EXECUTE format('ALTER TABLE public.vehicle_passages DISABLE TRIGGER %I', each.tgname);
  END LOOP;
END $$;

-- A trigger that is not even called for the schema's own changes: these are made by its functions, which run as
-- their owner. Nobody else can pass for that; for whom it is called all the same, `is_projecting` decides.
CREATE OR REPLACE FUNCTION put_row_trigger(name text, event text, tab text, what text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH ROW WHEN (current_user <> %L OR '
    || 'coalesce(current_setting(%L, true), %L) = %L) EXECUTE FUNCTION %I()',
    name, event, tab, current_user, 'checkpost.projecting', '', '', what);
END $$;

-- A row that a trigger takes in never reaches the policies, so they are asked here, by whoever inserts.
CREATE OR REPLACE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  conditions text;
  may_insert boolean;
BEGIN
  IF NOT row_security_active(TG_RELID) THEN RETURN NEW; END IF;
  SELECT '(' || coalesce(string_agg(p.condition, ' OR ') FILTER (WHERE p.polpermissive), 'false') || ')'
      || coalesce(string_agg(' AND ' || p.condition, '') FILTER (WHERE NOT p.polpermissive), '')
    INTO conditions
    FROM (
      SELECT o.polpermissive,
        '(' || coalesce(pg_get_expr(coalesce(o.polwithcheck, o.polqual), o.polrelid), 'true') || ')'
          AS condition
      FROM pg_catalog.pg_policy o
      WHERE o.polrelid = TG_RELID AND o.polcmd IN ('a', '*')
        AND EXISTS (SELECT FROM unnest(o.polroles) AS r(id)
          WHERE r.id = 0 OR pg_has_role(current_user, r.id, 'USAGE'))) AS p;
  EXECUTE format('SELECT coalesce(%s, false) FROM (SELECT ($1).*) AS %I', conditions, TG_TABLE_NAME)
    INTO may_insert USING NEW;
  IF NOT may_insert THEN
    RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
SELECT put_row_trigger('checkpost_1_refuse', 'BEFORE INSERT', 'public.vehicle_passages', 'refuse_row');

-- A row of the deployed table as a report.
CREATE OR REPLACE FUNCTION report_of(v public.vehicle_passages) RETURNS observations LANGUAGE sql STABLE AS $$
  SELECT ROW(NULL, NULL, v.client_id, c.code, coalesce(nullif(compact(v.plate_number), ''), v.plate_number),
    coalesce(v.plate_number_raw, v.plate_number),
    CASE v.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE v.vehicle_type END, v.recorded_at,
    u.id::text, suffix_of(u.phone_number), v.photo_path,
    CASE v.source WHEN 'sms' THEN 'text' ELSE 'upload' END, v.source IS DISTINCT FROM 'sms',
    coalesce(v.server_received_at, clock_timestamp()), NULL, false, NULL, NULL, v.id)::observations
  FROM public.checkposts c
  JOIN public.user_profiles u ON u.id = v.ranger_id
  WHERE c.id = v.checkpost_id AND v.client_id IS NOT NULL AND isfinite(v.recorded_at)
    AND v.plate_number <> '' AND v.vehicle_type IN ('car', 'jeep', 'pickup', 'van', 'minibus', 'bus',
      'truck', 'tanker', 'motorcycle', 'other')
$$;

-- The same passage once more adds to what is known of it, and makes no row.
CREATE OR REPLACE FUNCTION take_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  report observations;
  target bigint;
  reception text;
  is_news boolean;
BEGIN
  IF is_projecting() THEN RETURN NEW; END IF;
  report := report_of(NEW);
  -- What a constraint refuses, it is to refuse.
  IF report.client_id IS NULL THEN RETURN NEW; END IF;
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  -- Of how many rows this is one, nobody knows.
  PERFORM lock_for(ARRAY[report.plate], ARRAY[report.client_id], false);
  SELECT segment_id INTO NEW.segment_id FROM public.checkposts WHERE id = NEW.checkpost_id;
  IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = NEW.id AND v.client_id <> NEW.client_id) THEN
    RETURN NEW;
  END IF;
  SELECT r.target, r.reception, r.is_news INTO target, reception, is_news
    FROM receive(report, NEW.checkpost_id, true, clock_timestamp()) AS r;
  IF reception = 'expired' THEN PERFORM refuse_expired(); END IF;
  IF NOT is_news OR reception = 'contradiction' THEN
    IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = NEW.client_id) THEN
      -- Its identity answers, whatever else of it is there already.
      NEW.id := gen_random_uuid();
      RETURN NEW;
    END IF;
    RETURN NULL;
  END IF;
  IF reception = 'new' AND stands_alone(target) THEN
    SELECT r.passage_id INTO NEW.id FROM records r WHERE r.number = target;
    RETURN NEW;
  END IF;
  RETURN NULL;
END $$;
SELECT put_row_trigger('checkpost_2_take', 'BEFORE INSERT', 'public.vehicle_passages', 'take_row');

-- What a statement brought is judged at its end, each vehicle once.
CREATE OR REPLACE FUNCTION judge_statement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF NOT is_projecting() THEN
    PERFORM tell_later(judge_touched(
      CASE TG_OP WHEN 'INSERT' THEN 'arrival' ELSE 'correction' END, clock_timestamp()));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_3_judge AFTER INSERT ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

-- Rows are locked before their vehicles, so nobody else may be at work.
CREATE OR REPLACE FUNCTION lock_statement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF NOT is_projecting() THEN PERFORM lock_all(); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_1_lock BEFORE UPDATE OR DELETE ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();

-- Who does it, as far as it can be told.
CREATE OR REPLACE FUNCTION author() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(auth.uid()::text, session_user::text)
$$;

-- A change is a correction of every record that stands under the row; what was received is kept beside it.
CREATE OR REPLACE FUNCTION correct_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  own bigint;
  correction corrections;
  plate CONSTANT text := coalesce(nullif(compact(NEW.plate_number), ''), NEW.plate_number);
  member record;
BEGIN
  IF is_projecting() THEN RETURN NULL; END IF;
  SELECT number INTO own FROM records WHERE passage_id = OLD.id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NEW.id <> OLD.id THEN UPDATE records SET passage_id = NEW.id WHERE number = own; END IF;
  IF NEW.client_id <> OLD.client_id THEN
    INSERT INTO identities (client_id, record) VALUES (NEW.client_id, own) ON CONFLICT DO NOTHING;
  END IF;
  correction.made_at := clock_timestamp();
  correction.author := author();
  IF is_expired(second_of(OLD.recorded_at)) OR is_expired(second_of(NEW.recorded_at)) THEN
    PERFORM refuse_expired();
  END IF;
  IF NEW.plate_number <> OLD.plate_number
    OR NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw
  THEN
    correction.plate := plate;
    correction.raw_plate := CASE WHEN compact(NEW.plate_number_raw) = plate THEN NEW.plate_number_raw
      ELSE NEW.plate_number END;
  END IF;
  IF NEW.vehicle_type <> OLD.vehicle_type THEN
    correction.vehicle_type := CASE NEW.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE NEW.vehicle_type END;
  END IF;
  IF NEW.checkpost_id <> OLD.checkpost_id THEN
    SELECT code INTO correction.post FROM public.checkposts WHERE id = NEW.checkpost_id;
  END IF;
  IF NEW.recorded_at <> OLD.recorded_at THEN correction.recorded_at := NEW.recorded_at; END IF;
  IF NEW.photo_path IS DISTINCT FROM OLD.photo_path THEN
    IF OLD.photo_path IS NULL AND NOT EXISTS (
      SELECT FROM corrections c WHERE c.record = own AND c.photo_path IS NOT NULL)
    THEN
      -- A report had none yet: that is what it lacked.
      UPDATE observations SET photo_path = NEW.photo_path WHERE record = own AND photo_path IS NULL;
    ELSE
      correction.photo_path := coalesce(NEW.photo_path, '');
    END IF;
  END IF;
  UPDATE observations SET ranger = NEW.ranger_id::text
    WHERE record = own AND NEW.ranger_id <> OLD.ranger_id
      AND (ranger IS NULL OR ranger = OLD.ranger_id::text);
  FOR member IN
    SELECT r.*, (SELECT min(o.client_id::text)::uuid FROM observations o WHERE o.record = r.number) AS client_id
    FROM records r WHERE r.number = own OR r.row_number = own AND r.row_number <> r.number
  LOOP
    PERFORM touch(member.number, member.plate, member.post, member.second);
    CONTINUE WHEN num_nonnulls(correction.plate, correction.vehicle_type, correction.post,
      correction.recorded_at, correction.photo_path) = 0;
    correction.client_id := member.client_id;
    PERFORM correct(correction);
  END LOOP;
  RETURN NULL;
END $$;
SELECT put_row_trigger('checkpost_2_correct', 'AFTER UPDATE', 'public.vehicle_passages', 'correct_row');
CREATE TRIGGER checkpost_3_judge_change AFTER UPDATE ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

-- A row that is deleted takes with it what is known of its passage, and what stands on it.
CREATE OR REPLACE FUNCTION forget_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  numbers bigint[];
  own bigint;
  told change[];
  moment CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF is_projecting() THEN RETURN OLD; END IF;
  SELECT number INTO own FROM records WHERE passage_id = OLD.id;
  IF NOT FOUND THEN RETURN OLD; END IF;
  numbers := ARRAY(
    SELECT number FROM records WHERE number = own OR row_number = own AND row_number <> number);
  PERFORM touch(NULL, r.plate, r.post, r.second) FROM records r WHERE r.number = ANY (numbers);
  WITH gone AS (DELETE FROM pairs p WHERE p.entry = ANY (numbers) OR p.exit = ANY (numbers) RETURNING p.*)
    SELECT array_agg(ROW('parted', g.entry, g.exit)::change) INTO told FROM gone g;
  DELETE FROM waiting WHERE entry = ANY (numbers);
  WITH over AS (
    UPDATE alerts SET ending = 'withdrawn', ended_at = moment
      WHERE entry = ANY (numbers) AND ending IS NULL RETURNING entry)
    SELECT told || array_agg(ROW('ended', o.entry, NULL)::change) INTO told FROM over o;
  SELECT told || array_agg(ROW('revised', v.entry, v.revision + 1)::change) INTO told
    FROM violations v WHERE v.entry = ANY (numbers) AND NOT v.is_retracted;
  PERFORM tell_later(told);
  INSERT INTO revisions (entry, number, change, cause, at, before, was_final)
    SELECT v.entry, v.revision + 1, 'retracted', 'correction', moment, to_jsonb(v.found), v.finality
    FROM violations v WHERE v.entry = ANY (numbers) AND NOT v.is_retracted;
  UPDATE violations SET is_retracted = true, since = moment, finality = 'provisional', confirmed_at = NULL,
      confirmed_by = NULL, entry_needs = NULL, exit_needs = NULL, unreported_from = NULL,
      revision = revision + 1
    WHERE entry = ANY (numbers) AND NOT is_retracted;
  DELETE FROM passages WHERE row_number = ANY (numbers);
  DELETE FROM records WHERE number = ANY (numbers);
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM set_aside_violations(ARRAY(
    SELECT v.id FROM public.violations v
    WHERE v.entry_passage_id = OLD.id OR v.exit_passage_id = OLD.id));
  PERFORM set_config('checkpost.projecting', '', true);
  -- The rest is judged at the end: a row that the same statement deletes may not be changed before.
  RETURN OLD;
END $$;
SELECT put_row_trigger('checkpost_2_forget', 'BEFORE DELETE', 'public.vehicle_passages', 'forget_row');
CREATE TRIGGER checkpost_3_judge_deletion AFTER DELETE ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

CREATE OR REPLACE FUNCTION post_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  segments_named uuid[] := '{}';
  posts text[] := '{}';
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.code = OLD.code AND NEW.segment_id = OLD.segment_id THEN RETURN NULL; END IF;
  IF TG_OP <> 'DELETE' THEN
    segments_named := segments_named || NEW.segment_id;
    posts := posts || NEW.code;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    segments_named := segments_named || OLD.segment_id;
    posts := posts || OLD.code;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.code <> OLD.code THEN
    INSERT INTO post_aliases VALUES (OLD.code, NEW.id)
      ON CONFLICT (code) DO UPDATE SET post_id = excluded.post_id;
    UPDATE records SET post = NEW.code WHERE post = OLD.code;
    INSERT INTO post_reports SELECT NEW.code, through FROM post_reports WHERE post = OLD.code
      ON CONFLICT (post) DO UPDATE SET through = excluded.through;
    DELETE FROM post_reports WHERE post = OLD.code;
  END IF;
  posts := posts || ARRAY(
    SELECT c.code FROM public.checkposts c WHERE c.segment_id = ANY (segments_named));
  PERFORM judge_posts(posts, 'directory');
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR UPDATE OR DELETE ON public.checkposts
  FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
CREATE TRIGGER checkpost_2_judge AFTER INSERT OR UPDATE OR DELETE ON public.checkposts
  FOR EACH ROW EXECUTE FUNCTION post_changed();

CREATE OR REPLACE FUNCTION segment_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF (NEW.name, NEW.distance_km, NEW.max_speed_kmh, NEW.min_speed_kmh)
    IS DISTINCT FROM (OLD.name, OLD.distance_km, OLD.max_speed_kmh, OLD.min_speed_kmh)
  THEN
    PERFORM judge_posts(
      ARRAY(SELECT c.code FROM public.checkposts c WHERE c.segment_id = NEW.id), 'directory');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_1_lock BEFORE UPDATE ON public.highway_segments
  FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
CREATE TRIGGER checkpost_2_judge AFTER UPDATE ON public.highway_segments
  FOR EACH ROW EXECUTE FUNCTION segment_changed();

-- Passages of which nobody knew who recorded them, and who it may have been.
CREATE OR REPLACE FUNCTION ranger_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.phone_number, NEW.assigned_checkpost_id, NEW.full_name)
    IS NOT DISTINCT FROM (OLD.phone_number, OLD.assigned_checkpost_id, OLD.full_name)
  THEN RETURN NULL; END IF;
  PERFORM project(ARRAY(
    SELECT p.row_number FROM passages p
    JOIN public.checkposts c ON c.code = p.post COLLATE "default"
    WHERE (c.id = NEW.assigned_checkpost_id AND p.suffix = suffix_of(NEW.phone_number)
        OR NEW.full_name = ANY (p.rangers) OR NEW.id::text = ANY (p.rangers))
      AND NOT EXISTS (
        SELECT FROM public.vehicle_passages v JOIN records r ON r.passage_id = v.id
        WHERE r.number = p.row_number
          AND v.ranger_id IS DISTINCT FROM (SELECT unknown_ranger FROM settings))), clock_timestamp());
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR UPDATE ON public.user_profiles
  FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
CREATE TRIGGER checkpost_2_show AFTER INSERT OR UPDATE ON public.user_profiles
  FOR EACH ROW EXECUTE FUNCTION ranger_changed();

CREATE OR REPLACE FUNCTION device_told() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  told change[];
BEGIN
  -- A service asks for it itself. Who has another isolation still says how far they are.
  IF coalesce(current_setting('checkpost.devices', true), '') = 'service'
    OR current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')
  THEN RETURN NULL; END IF;
  SELECT array_agg(ROW(r.kind, r.entry, r.other)::change) INTO told
    FROM report_devices(ARRAY[NEW.user_id], moment) AS r;
  PERFORM tell_later(told);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER checkpost_1_report AFTER INSERT OR UPDATE ON public.sync_metadata
  FOR EACH ROW EXECUTE FUNCTION device_told();

CREATE OR REPLACE FUNCTION refuse_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an ended session does not begin again' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE TRIGGER sessions_ended BEFORE UPDATE ON sessions FOR EACH ROW
  WHEN (OLD.ended IS NOT NULL AND NEW.ended IS DISTINCT FROM OLD.ended) EXECUTE FUNCTION refuse_session();

CREATE OR REPLACE FUNCTION refuse_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a key stays what it is, and revoked' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE TRIGGER api_keys_frozen BEFORE UPDATE ON api_keys FOR EACH ROW
  WHEN (NEW.role <> OLD.role OR NEW.digest <> OLD.digest
    OR (NEW.checkpost IS NULL) <> (OLD.checkpost IS NULL)
    OR OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION refuse_key();

CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what was done is not changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE TRIGGER audit_frozen BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit();

-- The post of an account or a key is one that is there.
CREATE OR REPLACE FUNCTION check_post() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp AS $$
BEGIN
  IF NEW.checkpost IS NOT NULL AND NOT EXISTS (SELECT FROM api_checkposts c WHERE c.code = NEW.checkpost) THEN
    RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME,
      CONSTRAINT = TG_TABLE_NAME || '_checkpost_fkey';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER accounts_post BEFORE INSERT OR UPDATE OF checkpost ON accounts
  FOR EACH ROW EXECUTE FUNCTION check_post();
CREATE OR REPLACE TRIGGER api_keys_post BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION check_post();

-- Whoever has an account has a profile of the same identifier, by which passages and outcomes name them. It is
-- without a number: one who may send texts is in the directory. Where profiles may not be made their passages
-- stand under the one of rangers whom nobody knows.
CREATE OR REPLACE FUNCTION show_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp AS $$
BEGIN
  IF to_regclass('auth.users') IS NOT NULL THEN
    INSERT INTO auth.users (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  INSERT INTO public.user_profiles (id, full_name, role, assigned_checkpost_id, is_active)
    VALUES (NEW.id, NEW.full_name, CASE NEW.role WHEN 'ranger' THEN 'ranger' ELSE 'admin' END,
      (SELECT c.id FROM public.checkposts c WHERE c.code = NEW.checkpost), NEW.active)
    ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, role = excluded.role,
      assigned_checkpost_id = excluded.assigned_checkpost_id, is_active = excluded.is_active;
  RETURN NULL;
EXCEPTION WHEN insufficient_privilege OR integrity_constraint_violation THEN
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER accounts_shown
  AFTER INSERT OR UPDATE OF full_name, role, checkpost, active ON accounts
  FOR EACH ROW EXECUTE FUNCTION show_account();

-- A post that is called otherwise is the same to accounts and keys.
CREATE OR REPLACE FUNCTION rename_post() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp AS $$
BEGIN
  UPDATE accounts SET checkpost = NEW.code WHERE checkpost = OLD.code;
  UPDATE api_keys SET checkpost = NEW.code WHERE checkpost = OLD.code;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER checkpost_3_rename AFTER UPDATE OF code ON public.checkposts FOR EACH ROW
  WHEN (NEW.code <> OLD.code) EXECUTE FUNCTION rename_post();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA checkpost FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA checkpost FROM PUBLIC;
GRANT USAGE ON SCHEMA checkpost TO service_role;
GRANT SELECT ON ALL TABLES IN SCHEMA checkpost TO service_role;
REVOKE ALL ON checkpost.settings FROM service_role;
GRANT EXECUTE ON FUNCTION checkpost.take, checkpost.report, checkpost.confirm, checkpost.clock,
  checkpost.rejudge, checkpost.close_violation, checkpost.note_done,
  checkpost.report_devices TO service_role;

GRANT INSERT, UPDATE, DELETE ON checkpost.inbox, checkpost.tally, checkpost.tally_changes, checkpost.proofs,
  checkpost.heard, checkpost.heard_changes TO service_role;
GRANT USAGE ON SEQUENCE checkpost.inbox_numbers TO service_role;
GRANT EXECUTE ON FUNCTION checkpost.keep, checkpost.gather_counts, checkpost.leave_place, checkpost.put_segment,
  checkpost.put_post, checkpost.put_ranger, checkpost.put_number TO service_role;

GRANT INSERT, UPDATE, DELETE ON checkpost.accounts, checkpost.sessions, checkpost.refresh_tokens,
  checkpost.api_keys, checkpost.audit TO service_role;
GRANT EXECUTE ON FUNCTION checkpost.lock_rows, checkpost.compact, checkpost.ranger_of, checkpost.person_of,
  checkpost.suffix_of, checkpost.uuid_of TO service_role;

GRANT INSERT, UPDATE, DELETE ON checkpost.forgetting, checkpost.dropped_photographs TO service_role;
GRANT EXECUTE ON FUNCTION checkpost.hold_vehicles, checkpost.put_aside, checkpost.forget_records,
  checkpost.judge_again, checkpost.forget_messages, checkpost.forget_early, checkpost.note_erasure,
  checkpost.forget_audit TO service_role;

GRANT EXECUTE ON FUNCTION checkpost.tend_partitions TO service_role;

INSERT INTO migrations (version, is_adopted) VALUES (3, true);

COMMIT;
