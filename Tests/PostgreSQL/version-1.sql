-- What version 1 of the schema `checkpost` wrote into a database that had the deployed tables, as it was released.

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

ALTER TABLE public.violations
  ADD COLUMN IF NOT EXISTS is_retracted boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS finality text NOT NULL DEFAULT 'provisional',
  ADD COLUMN IF NOT EXISTS doubts text[] NOT NULL DEFAULT '{}';

INSERT INTO made VALUES ('violations');

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

-- Segments that have both posts and whose numbers make sense, in metres and metres an hour.
CREATE OR REPLACE VIEW segments AS
  SELECT h.id, h.name, round(h.distance_km * 1000)::bigint AS distance,
    round(h.max_speed_kmh * 1000)::bigint AS fastest,
    round(h.min_speed_kmh * 1000)::bigint AS slowest,
    array_agg(c.code::text ORDER BY c.position_index) AS posts
  FROM public.highway_segments h JOIN public.checkposts c ON c.segment_id = h.id
  GROUP BY h.id
  HAVING count(*) = 2 AND h.max_speed_kmh > h.min_speed_kmh AND h.distance_km * 1000 >= 1;

-- Where the passages of a post are judged.
CREATE OR REPLACE FUNCTION place_of(code text) RETURNS place LANGUAGE sql STABLE AS $$
  SELECT ROW(
    s.id, s.name, coalesce(s.posts, ARRAY[code]), s.distance, s.fastest, s.slowest,
    -- Less than a vehicle needs to the other end and back.
    least(r.ranger_window, (s.distance * 3600 - 1) / s.fastest + 1),
    greatest(
      coalesce((SELECT seconds FROM pairing_windows w WHERE w.segment = s.name), r.pairing_window),
      longest),
    longest)::place
  FROM settings r
  LEFT JOIN segments s
    ON s.id = (SELECT c.segment_id FROM public.checkposts c WHERE c.code = $1)
  -- What lies further apart is one travel only where nothing was seen in between.
  CROSS JOIN LATERAL (SELECT greatest(18000, 2 * (s.distance * 3600 / s.slowest)) AS longest) AS l
$$;

-- The identifier of what has none of its own: from the SHA-256 of what it is and what it is called, with the
-- version 8 and the variant of RFC 9562.
CREATE OR REPLACE FUNCTION derived_id(kind text, name text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(
    set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substr(sha256(convert_to('checkpost:' || kind || ':' || name, 'UTF8')), 1, 16) AS h) AS d
$$;

-- The post that a code names.
CREATE OR REPLACE FUNCTION post_id(code text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT c.id FROM public.checkposts c WHERE c.code = $1),
    (SELECT a.post_id FROM post_aliases a WHERE a.code = $1))
$$;

-- The code of a post today; of one that nobody knows, what it was called.
CREATE OR REPLACE FUNCTION post_code(id uuid, called text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT c.code FROM public.checkposts c WHERE c.id = coalesce($1, post_id(called))), called);
END $$;

-- Remembers that something of a vehicle changed, until it is judged at the end of the statement.
CREATE OR REPLACE FUNCTION touch(plate text, post text, second bigint) RETURNS void
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
    lines || jsonb_build_array(plate, post, second)::text || chr(10), true);
END $$;

-- What changed since it was asked last.
CREATE OR REPLACE FUNCTION all_touched() RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
DECLARE
  lines CONSTANT text := coalesce(current_setting('checkpost.touched', true), '');
BEGIN
  IF lines = '' THEN RETURN; END IF;
  PERFORM set_config('checkpost.touched', '', true);
  RETURN QUERY SELECT l::jsonb FROM string_to_table(lines, chr(10)) AS l WHERE l NOT IN ('', '+');
  IF starts_with(lines, '+') THEN
    -- Rows of others are never seen: nobody commits any.
    RETURN QUERY
      WITH gone AS (DELETE FROM touched_before b RETURNING b.lines)
      SELECT l::jsonb FROM gone g, string_to_table(g.lines, chr(10)) AS l WHERE l NOT IN ('', '+');
  END IF;
END $$;

-- Puts the corrections of a record in place, and remembers it where it was and where it is.
CREATE OR REPLACE FUNCTION put_right(target bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before records;
  after records;
BEGIN
  SELECT * INTO before FROM records WHERE number = target;
  UPDATE records r SET
    post = post_code(
      CASE WHEN c.post IS NULL THEN r.received_post_id END, coalesce(c.post, r.received_post)),
    plate = coalesce(c.plate, r.received_plate),
    second = coalesce(second_of(c.recorded_at), r.received_second),
    is_dated = c.recorded_at IS NOT NULL OR EXISTS (
      SELECT FROM observations o WHERE o.record = target AND NOT o.is_clock_unset)
  FROM last_corrections(ARRAY[target]) c
  WHERE r.number = target
  RETURNING r.* INTO after;
  PERFORM touch(before.plate, before.post, before.second);
  IF (before.plate, before.post, before.second) <> (after.plate, after.post, after.second) THEN
    PERFORM touch(after.plate, after.post, after.second);
  END IF;
END $$;

-- Takes a report. Whoever calls it holds the locks of its vehicle, and judges afterwards. Returns the record, what
-- the report was to it, and whether it told anything new.
CREATE OR REPLACE FUNCTION receive(
  report observations, meant uuid, own_row uuid, OUT target bigint, OUT reception text,
  OUT is_news boolean
) LANGUAGE plpgsql AS $$
DECLARE
  known records;
  key_second CONSTANT bigint := second_of(report.recorded_at);
  again observations;
BEGIN
  is_news := true;
  SELECT r.* INTO known FROM identities i JOIN records r ON r.number = i.record
    WHERE i.client_id = report.client_id;
  IF FOUND THEN
    target := known.number;
    IF (report.post, report.plate, key_second)
        IN ((known.received_post, known.received_plate, known.received_second),
          (known.post, known.plate, known.second)) THEN
      reception := 'known';
    ELSE
      reception := 'contradiction';
      is_news := NOT known.is_contradicted;
      IF is_news THEN
        UPDATE records SET is_contradicted = true WHERE number = target;
        PERFORM touch(known.plate, known.post, known.second);
      END IF;
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
      INSERT INTO records (received_post, received_plate, received_second, received_post_id, post, plate,
          second, is_dated, passage_id, last_at)
        VALUES (report.post, report.plate, key_second, meant, post_code(meant, report.post),
          report.plate, key_second, NOT report.is_clock_unset, coalesce(own_row, report.client_id),
          report.received_at)
        RETURNING number INTO target;
    END IF;
    INSERT INTO identities (client_id, record) VALUES (report.client_id, target);
  END IF;

  IF reception <> 'new' THEN
    UPDATE records SET times = times + 1, last_at = greatest(last_at, report.received_at)
      WHERE number = target;
    SELECT * INTO again FROM observations o
      WHERE o.record = target AND o.client_id = report.client_id AND o.post = report.post
        AND o.raw_plate = report.raw_plate AND o.vehicle_type = report.vehicle_type
        AND o.recorded_at = report.recorded_at AND o.ranger IS NOT DISTINCT FROM report.ranger
        AND o.suffix = report.suffix AND o.photo_path IS NOT DISTINCT FROM report.photo_path
        AND o.channel = report.channel AND o.is_proven = report.is_proven
        AND o.clock_seconds IS NOT DISTINCT FROM report.clock_seconds
        AND o.is_clock_unset = report.is_clock_unset;
    IF FOUND AND again.received_at <= report.received_at THEN
      is_news := false;
      RETURN;
    END IF;
  END IF;
  IF again.number IS NOT NULL THEN
    UPDATE observations SET received_at = report.received_at WHERE number = again.number;
  ELSE
    INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
        suffix, photo_path, channel, is_proven, received_at, clock_seconds, is_clock_unset, inbox_id)
      VALUES (target, report.client_id, report.post, report.plate, report.raw_plate, report.vehicle_type,
        report.recorded_at, report.ranger, report.suffix, report.photo_path, report.channel,
        report.is_proven, report.received_at, report.clock_seconds, report.is_clock_unset, report.inbox_id);
  END IF;
  UPDATE corrections SET record = target WHERE client_id = report.client_id AND record IS NULL;
  IF reception = 'new' AND NOT FOUND THEN
    PERFORM touch(r.plate, r.post, r.second) FROM records r WHERE r.number = target;
  ELSE
    PERFORM put_right(target);
  END IF;
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
  OUT recorded_at timestamptz, OUT is_any boolean
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
      coalesce(c.author, '') COLLATE "C" DESC) AS age
    FROM corrections c WHERE c.record = ANY (targets)
  )
  SELECT (array_agg(plate ORDER BY age) FILTER (WHERE plate IS NOT NULL))[1],
    (array_agg(raw_plate ORDER BY age) FILTER (WHERE plate IS NOT NULL))[1],
    (array_agg(vehicle_type ORDER BY age) FILTER (WHERE vehicle_type IS NOT NULL))[1],
    (array_agg(post ORDER BY age) FILTER (WHERE post IS NOT NULL))[1],
    (array_agg(recorded_at ORDER BY age) FILTER (WHERE recorded_at IS NOT NULL))[1]
  INTO plate, raw_plate, vehicle_type, post, recorded_at
  FROM made;
END $$;

-- Takes a correction; one of a passage that did not come yet waits for it. Whoever calls it holds the locks
-- of both vehicles, and judges afterwards. Returns the record, which is null while there is none, and whether the
-- correction is new.
CREATE OR REPLACE FUNCTION correct(correction corrections, OUT target bigint, OUT is_news boolean)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT record INTO target FROM identities WHERE client_id = correction.client_id;
  is_news := NOT EXISTS (
    SELECT FROM corrections c
    WHERE c.client_id = correction.client_id AND c.record IS NOT DISTINCT FROM target
      AND (c.plate, c.raw_plate, c.vehicle_type, c.post, c.recorded_at, c.author, c.made_at)
        IS NOT DISTINCT FROM (correction.plate, correction.raw_plate, correction.vehicle_type,
          correction.post, correction.recorded_at, correction.author, correction.made_at));
  IF NOT is_news THEN RETURN; END IF;
  INSERT INTO corrections (record, client_id, plate, raw_plate, vehicle_type, post, recorded_at, author,
      made_at)
    VALUES (target, correction.client_id, correction.plate, correction.raw_plate,
      correction.vehicle_type, correction.post, correction.recorded_at, correction.author,
      correction.made_at);
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
        AND r.is_dated;
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
    WHERE r.plate = vehicle AND r.second BETWEEN part.low AND part.high AND r.post = ANY (it.posts);
  IF numbers IS NULL THEN RETURN NULL; END IF;

  -- A passage begins with a record and holds what follows it within the window, counted from that first one.
  FOR i IN 1..cardinality(numbers) LOOP
    post := array_position(it.posts, posts[i]);
    IF dated[i] AND open[post] > 0 AND seconds[i] - earliest[open[post]] <= it.ranger_window THEN
      a := open[post];
      part_of[i] := a;
      rows[a] := least(rows[a], numbers[i]);
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
      (array_agg(o.suffix ORDER BY o.place))[1] AS suffix,
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
    t.suffix, t.photo_path,
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

CREATE OR REPLACE FUNCTION write_passages(made travels) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE records r SET row_number = u.row FROM unnest(made.numbers, made.rows) AS u(number, row)
    WHERE r.number = u.number AND r.row_number IS DISTINCT FROM u.row;
  DELETE FROM passages p
    WHERE p.row_number = ANY (made.numbers) AND NOT p.row_number = ANY (made.rows);
  INSERT INTO passages AS p SELECT * FROM contents(made.numbers, made.rows)
    ON CONFLICT (row_number) DO UPDATE SET
      members = excluded.members, post = excluded.post, plate = excluded.plate,
      earliest = excluded.earliest, latest = excluded.latest, is_dated = excluded.is_dated,
      raw_plate = excluded.raw_plate, vehicle_type = excluded.vehicle_type,
      recorded_at = excluded.recorded_at, rangers = excluded.rangers, suffix = excluded.suffix,
      photo_path = excluded.photo_path, channels = excluded.channels, is_proven = excluded.is_proven,
      clock_seconds = excluded.clock_seconds, first_received_at = excluded.first_received_at,
      is_corrected = excluded.is_corrected, contradictions = excluded.contradictions
    WHERE p IS DISTINCT FROM excluded;
END $$;

CREATE OR REPLACE FUNCTION write_pairs(made travels) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM pairs p
    WHERE (p.entry = ANY (made.numbers) OR p.exit = ANY (made.numbers))
      AND NOT EXISTS (
        SELECT FROM unnest(made.entries, made.exits) AS u(entry, exit)
        WHERE u.entry = p.entry AND u.exit = p.exit);
  INSERT INTO pairs (entry, exit)
    SELECT u.entry, u.exit FROM unnest(made.entries, made.exits) AS u(entry, exit)
    ON CONFLICT (entry) DO NOTHING;
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
CREATE OR REPLACE FUNCTION findings(it place, made travels) RETURNS SETOF finding LANGUAGE sql STABLE AS $$
  SELECT v.kind, a.plate, it.segment, a.row_number, a.post, a.earliest, a.latest,
    b.row_number, b.post, b.earliest, b.latest,
    CASE v.kind WHEN 'speeding' THEN b.latest - a.earliest ELSE t.shortest END,
    CASE v.kind WHEN 'speeding' THEN (it.distance * 3600 + it.fastest - 1) / it.fastest
      ELSE it.distance * 3600 / it.slowest END,
    b.earliest - a.earliest > it.longest,
    array_remove(ARRAY[
      CASE WHEN NOT a.is_proven AND a.channels = ARRAY['text']
        OR NOT b.is_proven AND b.channels = ARRAY['text'] THEN 'by_text_alone' END,
      CASE WHEN v.kind = 'overstay' AND t.shortest > (SELECT long_stay FROM settings)
        THEN 'long_stay' END,
      CASE WHEN t.clocks > 0
        AND verdict(it, greatest(t.shortest - t.clocks, 0), t.longest + t.clocks) IS NULL
        THEN 'clocks' END,
      CASE WHEN a.contradictions <> '{}' OR b.contradictions <> '{}' THEN 'contradicted' END], NULL)
  FROM unnest(made.entries, made.exits) AS u(entry, exit)
  JOIN passages a ON a.row_number = u.entry
  JOIN passages b ON b.row_number = u.exit
  CROSS JOIN LATERAL (
    SELECT b.latest - a.earliest AS longest, greatest(b.earliest - a.latest, 0) AS shortest,
      -- A clock that is off by more than thirty years says nothing at all.
      least(coalesce(a.clock_seconds, 0), 1000000000) + least(coalesce(b.clock_seconds, 0), 1000000000)
        AS clocks) t
  CROSS JOIN LATERAL (SELECT verdict(it, t.shortest, t.longest) AS kind) v
  WHERE v.kind IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION write_violations(it place, made travels, cause text, moment timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  each record;
  now_found finding;
  known violations;
  change text;
  is_other boolean;
BEGIN
  FOR each IN
    SELECT v AS known, f AS found FROM (SELECT * FROM violations WHERE entry = ANY (made.numbers)) AS v
    FULL JOIN (SELECT * FROM findings(it, made) WHERE it.segment_id IS NOT NULL) AS f
      ON f.entry = v.entry
    ORDER BY coalesce(v.entry, f.entry)
  LOOP
    known := each.known;
    now_found := each.found;
    IF known.entry IS NULL THEN
      INSERT INTO violations (entry, found, since) VALUES (now_found.entry, now_found, moment);
      INSERT INTO revisions (entry, number, change, cause, at, after, was_final)
        VALUES (now_found.entry, 1, 'made', cause, moment, to_jsonb(now_found), 'provisional');
      CONTINUE;
    END IF;
    IF now_found.entry IS NULL THEN
      CONTINUE WHEN known.is_retracted;
      change := 'retracted';
      is_other := true;
    ELSE
      CONTINUE WHEN NOT known.is_retracted AND now_found IS NOT DISTINCT FROM known.found;
      change := CASE WHEN known.is_retracted THEN 'renewed' ELSE 'changed' END;
      -- What says the same of the vehicle, and only doubts otherwise, stands since before.
      is_other := known.is_retracted
        OR to_jsonb(now_found) - 'doubts' <> to_jsonb(known.found) - 'doubts';
    END IF;
    INSERT INTO revisions (entry, number, change, cause, at, before, after, was_final)
      VALUES (known.entry, known.revision + 1, change, cause, moment,
        to_jsonb(known.found), CASE WHEN now_found.entry IS NOT NULL THEN to_jsonb(now_found) END,
        known.finality);
    UPDATE violations v SET
      found = CASE WHEN change = 'retracted' THEN known.found ELSE now_found END,
      is_retracted = change = 'retracted',
      since = CASE WHEN is_other THEN moment ELSE v.since END,
      finality = CASE WHEN is_other OR 'by_text_alone' = ANY (now_found.doubts) AND v.confirmed_at IS NULL
        THEN 'provisional' ELSE v.finality END,
      confirmed_at = CASE WHEN NOT is_other THEN v.confirmed_at END,
      confirmed_by = CASE WHEN NOT is_other THEN v.confirmed_by END,
      revision = v.revision + 1
      WHERE v.entry = known.entry;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION write_waiting(made travels) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM waiting w WHERE w.entry = ANY (made.numbers)
    AND (made.waiting IS NULL OR NOT w.entry = ANY (made.waiting));
  INSERT INTO waiting AS w (entry, plate, post, second, opposite, due_at, expires_at)
    SELECT u.entry, p.plate, p.post, p.earliest, u.opposite, u.due, u.expires
    FROM unnest(made.waiting, made.opposites, made.due, made.expires) AS u(entry, opposite, due, expires)
    JOIN passages p ON p.row_number = u.entry
    ON CONFLICT (entry) DO UPDATE SET
      plate = excluded.plate, post = excluded.post, second = excluded.second,
      opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at
    WHERE w IS DISTINCT FROM excluded;
END $$;

-- Alerts that stand and whose entry is not due any more end: by what was judged, or by the clock.
CREATE OR REPLACE FUNCTION end_alerts(entries bigint[], is_judged boolean, moment timestamptz)
RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  UPDATE alerts a SET
    ending = CASE
      WHEN w.entry IS NOT NULL THEN CASE WHEN second_of(moment) < w.expires_at THEN 'withdrawn' ELSE 'expired' END
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
    AND (w.entry IS NULL OR second_of(moment) < w.due_at OR second_of(moment) >= w.expires_at)
  RETURNING a.entry;
END $$;

-- Entries that wait and are due are told, once. Returns those of which something changed.
CREATE OR REPLACE FUNCTION raise_alerts(entries bigint[], moment timestamptz)
RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  INSERT INTO alerts AS a (entry, plate, post, second, opposite, due_at, expires_at, raised_at, is_unheard)
    SELECT w.entry, w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at, moment,
      coalesce((SELECT through <= w.due_at FROM post_reports r WHERE r.post = w.opposite), true)
    FROM waiting w
    WHERE w.entry = ANY (entries) AND second_of(moment) >= w.due_at AND second_of(moment) < w.expires_at
    ON CONFLICT (entry) DO UPDATE SET
      plate = excluded.plate, post = excluded.post, second = excluded.second,
      opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
      raised_at = CASE WHEN a.ending IS NULL THEN a.raised_at ELSE excluded.raised_at END,
      is_unheard = excluded.is_unheard, ending = NULL, exit = NULL, ended_at = NULL
    WHERE a.ending IS NOT NULL
      OR (a.plate, a.post, a.second, a.opposite, a.due_at, a.expires_at, a.is_unheard)
        IS DISTINCT FROM (excluded.plate, excluded.post, excluded.second, excluded.opposite,
          excluded.due_at, excluded.expires_at, excluded.is_unheard)
  RETURNING a.entry;
END $$;

-- Whether this is a change of the schema's own, of which no trigger makes anything.
CREATE OR REPLACE FUNCTION is_projecting() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('checkpost.projecting', true) = (SELECT secret FROM settings), false)
$$;

-- The last four digits of a number, as texts name a ranger.
CREATE OR REPLACE FUNCTION suffix_of(phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT right('0000' || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 4)
$$;

-- The profile of who recorded: the best founded that is known, else the only ranger of the post whose number
-- ends so; null when nobody knows.
CREATE OR REPLACE FUNCTION ranger_of(rangers text[], post uuid, suffix text) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT u.id FROM unnest(rangers) WITH ORDINALITY AS n(ranger, place)
      JOIN public.user_profiles u ON u.id::text = n.ranger ORDER BY n.place LIMIT 1),
    (SELECT (array_agg(u.id))[1] FROM public.user_profiles u
      WHERE u.full_name = rangers[1] HAVING count(*) = 1),
    (SELECT (array_agg(u.id))[1] FROM public.user_profiles u
      WHERE suffix <> '0000' AND u.assigned_checkpost_id = post AND suffix_of(u.phone_number) = suffix
      HAVING count(*) = 1))
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
  SELECT r.passage_id,
    (SELECT o.client_id FROM observations o WHERE o.record = r.number ORDER BY o.number LIMIT 1),
    p.plate, p.raw_plate, shown_type(p.vehicle_type), c.id, c.segment_id, p.recorded_at,
    p.first_received_at, ranger_of(p.rangers, c.id, p.suffix), p.photo_path,
    CASE WHEN p.channels = ARRAY['text'] THEN 'sms' ELSE 'app' END,
    b.passage_id, CASE WHEN b.number IS NOT NULL THEN x.entry = p.row_number END
  FROM passages p
  JOIN records r ON r.number = p.row_number
  JOIN public.checkposts c ON c.code = p.post COLLATE "default"
  LEFT JOIN LATERAL (
    SELECT entry, exit FROM pairs WHERE entry = p.row_number
    UNION ALL SELECT entry, exit FROM pairs WHERE exit = p.row_number) x ON true
  LEFT JOIN records b
    ON b.number = CASE WHEN x.entry = p.row_number THEN x.exit ELSE x.entry END
  WHERE p.row_number = ANY (numbers)
$$;

CREATE OR REPLACE FUNCTION show_passages(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM passages p JOIN records r ON r.number = p.row_number
    LEFT JOIN public.vehicle_passages v ON v.id = r.passage_id
    WHERE p.row_number = ANY (numbers) AND v.id IS NULL)
  THEN
    INSERT INTO public.vehicle_passages (id, client_id, plate_number, plate_number_raw, vehicle_type,
        checkpost_id, segment_id, recorded_at, server_received_at, ranger_id, photo_path, source)
      SELECT s.id, s.client_id, s.plate, s.raw_plate, s.vehicle_type, s.post, s.segment, s.recorded_at,
        s.received_at, coalesce(s.ranger, (SELECT unknown_ranger FROM settings)), s.photo_path, s.source
      FROM shown(numbers) s
      WHERE NOT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = s.id)
        AND coalesce(s.ranger, (SELECT unknown_ranger FROM settings)) IS NOT NULL
      ON CONFLICT DO NOTHING;
  END IF;

  WITH s AS MATERIALIZED (SELECT * FROM shown(numbers)),
  d AS MATERIALIZED (
    SELECT o.id,
      -- How a plate was spelled stays, where it is that plate.
      CASE WHEN compact(o.plate_number) = s.plate THEN o.plate_number ELSE s.plate END AS plate_number,
      s.raw_plate, s.vehicle_type, s.post, s.segment, s.recorded_at, coalesce(s.ranger, o.ranger_id) AS ranger,
      coalesce(s.photo_path, o.photo_path) AS photo_path, s.source,
      b.id AS partner, CASE WHEN b.id IS NOT NULL THEN s.is_entry END AS is_entry
    FROM s
    JOIN public.vehicle_passages o ON o.id = s.id
    LEFT JOIN public.vehicle_passages b ON b.id = s.partner)
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
    SELECT derived_id('violation', a.id::text), a.id, b.id, h.id, (s.found).kind, a.plate_number, a.vehicle_type, a.recorded_at, b.recorded_at,
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

CREATE OR REPLACE FUNCTION project(numbers bigint[], moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  retired uuid[];
BEGIN
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM show_passages(numbers);
  PERFORM show_violations(numbers);
  PERFORM show_alerts(numbers, moment);
  retired := ARRAY(
    SELECT v.id FROM records r JOIN public.vehicle_passages v ON v.id = r.passage_id
    WHERE r.number = ANY (numbers) AND r.row_number <> r.number);
  IF cardinality(retired) > 0 THEN PERFORM set_aside(retired); END IF;
  PERFORM set_config('checkpost.projecting', '', true);
END $$;

-- Judges everything that was touched, each vehicle at each place once, and shows what came of it. Vehicles are
-- judged one after the other; what moved from one to another is parted before it is paired anew, as a record
-- is only ever among those of the vehicle that it is now.
CREATE OR REPLACE FUNCTION judge_touched(cause text, moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  vehicle record;
  it place;
  made travels;
  numbers bigint[] := '{}';
BEGIN
  IF coalesce(current_setting('checkpost.touched', true), '') = '' THEN RETURN; END IF;
  FOR vehicle IN
    WITH points AS (
      SELECT e ->> 0 AS plate, e ->> 1 AS post, (e ->> 2)::bigint AS second
      FROM all_touched() AS e
    ),
    places AS MATERIALIZED (
      SELECT p.post, place_of(p.post) AS place FROM (SELECT DISTINCT post FROM points) AS p
    )
    SELECT p.plate, l.place, min(p.second) AS low, max(p.second) AS high
    FROM points p JOIN places l ON l.post = p.post
    GROUP BY p.plate, l.place ORDER BY p.plate COLLATE "C", (l.place).posts
  LOOP
    it := vehicle.place;
    made := travels_of(vehicle.plate, it, span_of(vehicle.plate, it, vehicle.low, vehicle.high));
    CONTINUE WHEN made.numbers IS NULL;
    PERFORM write_passages(made);
    PERFORM write_pairs(made);
    PERFORM write_violations(it, made, cause, moment);
    PERFORM write_waiting(made);
    PERFORM end_alerts(made.numbers, true, moment);
    PERFORM raise_alerts(made.numbers, moment);
    numbers := numbers || made.numbers;
    IF cardinality(numbers) > 5000 THEN
      PERFORM project(numbers, moment);
      numbers := '{}';
    END IF;
  END LOOP;
  PERFORM project(numbers, moment);
END $$;

-- Everything of these posts is judged again.
CREATE OR REPLACE FUNCTION judge_posts(posts text[], cause text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch(t.plate, t.post, t.first), touch(t.plate, t.post, t.last)
    FROM (SELECT plate, post, min(second) AS first, max(second) AS last FROM records
      WHERE post = ANY (posts) GROUP BY plate, post) AS t;
  PERFORM judge_touched(cause, clock_timestamp());
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

-- Taken by whoever receives: first what keeps the directory as it is, then the vehicles in one order. There are
-- 1,024 locks for all vehicles, so that a statement with very many does not run out of them.
CREATE OR REPLACE FUNCTION lock_vehicles(plates text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7061, l.stripe)
    FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
      FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
END $$;

-- Locks vehicles, and those that these identities may concern. While one waits somebody else may have moved a
-- passage to another vehicle: then what was locked is given back and locked anew, as otherwise it would be in
-- another order than everybody's.
CREATE OR REPLACE FUNCTION lock_for(plates text[], identities_named uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  wanted text[] := plates || plates_of(identities_named);
  others text[];
BEGIN
  LOOP
    BEGIN
      PERFORM lock_vehicles(wanted);
      others := plates_of(identities_named);
      IF others IS NULL OR others <@ wanted THEN RETURN; END IF;
      RAISE EXCEPTION USING ERRCODE = 'CP001';
    EXCEPTION WHEN SQLSTATE 'CP001' THEN
      wanted := wanted || others;
    END;
  END LOOP;
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
-- alias, contradiction, correction or early; whether it told anything new; and of the passage as it stands then the
-- row, the identifier and the identity that it came under first.
CREATE OR REPLACE FUNCTION take(
  places integer[], client_ids uuid[], posts text[], plates text[], raw_plates text[], vehicle_types text[],
  recorded timestamptz[], rangers text[], suffixes text[], photo_paths text[], channels text[],
  proven boolean[], received timestamptz[], clocks bigint[], unset boolean[], inbox_ids bigint[],
  own_rows uuid[],
  right_places integer[], corrected uuid[], right_plates text[], right_raw_plates text[], right_types text[],
  right_posts text[], right_times timestamptz[], authors text[], made timestamptz[], moment timestamptz
) RETURNS TABLE (
  place integer, record bigint, reception text, is_news boolean, row_number bigint, passage uuid, client uuid
) LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
DECLARE
  report observations;
  correction corrections;
  k integer;
  got record;
  targets bigint[] := '{}';
  receptions text[] := '{}';
  news boolean[] := '{}';
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
  PERFORM lock_for(plates || right_plates, client_ids || corrected);

  FOR i IN 1..cardinality(places) + cardinality(right_places) LOOP
    k := array_position(places, i);
    IF k IS NOT NULL THEN
      report := ROW(NULL, NULL, client_ids[k], posts[k], plates[k], raw_plates[k], vehicle_types[k],
        recorded[k], rangers[k], suffixes[k], photo_paths[k], channels[k], proven[k], received[k],
        clocks[k], unset[k], inbox_ids[k], NULL)::observations;
      SELECT r.* INTO got FROM receive(report, post_id(posts[k]), own_rows[k]) AS r;
      receptions[i] := got.reception;
    ELSE
      k := array_position(right_places, i);
      correction := ROW(NULL, NULL, corrected[k], right_plates[k], right_raw_plates[k], right_types[k],
        right_posts[k], right_times[k], authors[k], made[k])::corrections;
      SELECT c.* INTO got FROM correct(correction) AS c;
      receptions[i] := CASE WHEN got.target IS NULL THEN 'early' ELSE 'correction' END;
    END IF;
    targets[i] := got.target;
    news[i] := got.is_news;
  END LOOP;
  PERFORM judge_touched(CASE WHEN cardinality(places) > 0 THEN 'arrival' ELSE 'correction' END, moment);
  RETURN QUERY
    SELECT u.place::integer, u.target, u.reception, u.is_news, s.number, s.passage_id,
      (SELECT o.client_id FROM observations o WHERE o.record = s.number ORDER BY o.number LIMIT 1)
    FROM unnest(targets, receptions, news) WITH ORDINALITY AS u(target, reception, is_news, place)
    LEFT JOIN records r ON r.number = u.target
    LEFT JOIN records s ON s.number = r.row_number
    ORDER BY u.place;
END $$;

-- A post has handed in all that it recorded before a second. What is recorded after the report cannot be in
-- it, so one from a clock that is ahead counts up to when it came.
CREATE OR REPLACE FUNCTION report(code text, through bigint, received_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
  INSERT INTO post_reports AS r (post, through)
    VALUES (post_code(post_id(code), code), least(through, second_of(received_at)))
    ON CONFLICT (post) DO UPDATE SET through = excluded.through WHERE excluded.through > r.through
$$;

-- A person who looked at it says that it is so. Returns whether there is such a violation, and it stands.
CREATE OR REPLACE FUNCTION confirm(violation bigint, author text, moment timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
  WITH done AS (
    UPDATE violations SET confirmed_by = CASE WHEN confirmed_at IS NULL THEN author ELSE confirmed_by END,
        confirmed_at = coalesce(confirmed_at, moment)
      WHERE entry = violation AND NOT is_retracted RETURNING entry)
  SELECT EXISTS (SELECT FROM done)
$$;

-- Other numbers to judge by: all is judged again by them.
CREATE OR REPLACE FUNCTION configure(
  window_seconds bigint, pairing bigint, stay bigint, provisional bigint, segments_named text[],
  segment_windows bigint[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
DECLARE
  before text;
  after text;
BEGIN
  PERFORM lock_all();
  SELECT jsonb_build_array(to_jsonb(s), (SELECT jsonb_object_agg(segment, seconds) FROM pairing_windows))::text
    INTO before FROM settings s;
  UPDATE settings SET ranger_window = window_seconds, pairing_window = pairing, long_stay = stay,
    provisional_for = provisional;
  DELETE FROM pairing_windows;
  INSERT INTO pairing_windows SELECT * FROM unnest(segments_named, segment_windows);
  SELECT jsonb_build_array(to_jsonb(s), (SELECT jsonb_object_agg(segment, seconds) FROM pairing_windows))::text
    INTO after FROM settings s;
  IF before <> after THEN
    PERFORM judge_posts(ARRAY(SELECT DISTINCT post FROM records), 'rules');
  END IF;
END $$;

-- Whether something can still change a violation. Pairing looks at nothing that comes after a pair, so what
-- could change it was recorded at the exit's post within the time in which another ranger may write the exit
-- down, or at the entry's post up to the exit; a far one falls to a shorter travel back.
CREATE OR REPLACE FUNCTION settled(v violations, moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN v.is_retracted OR 'by_text_alone' = ANY ((v.found).doubts) AND v.confirmed_at IS NULL
      THEN 'provisional'
    WHEN v.finality = 'reported' THEN 'reported'
    WHEN (SELECT through FROM post_reports WHERE post = (v.found).exit_post)
        > (v.found).exit_earliest + p.ranger_window
      AND (SELECT through FROM post_reports WHERE post = (v.found).entry_post)
        > greatest((v.found).exit_latest, (v.found).entry_earliest + p.ranger_window,
          CASE WHEN (v.found).is_far THEN (v.found).exit_latest + p.longest END)
      THEN 'reported'
    WHEN moment >= v.since + make_interval(secs => (SELECT provisional_for FROM settings)) THEN 'unreported'
    ELSE 'provisional' END
  FROM (SELECT (q).* FROM (SELECT place_of((v.found).exit_post) AS q) AS o) AS p
$$;

-- Tells of vehicles that ought to have left, ends what nobody waits for any more, and settles violations. One
-- at a time does it; who comes meanwhile leaves it to that one. Returns how many things changed; null then.
CREATE OR REPLACE FUNCTION do_duties(moment timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
DECLARE
  told bigint[];
  final bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7062, 0) THEN RETURN NULL; END IF;
  PERFORM lock_all();
  told := ARRAY(SELECT end_alerts(ARRAY(SELECT entry FROM alerts WHERE ending IS NULL), false, moment));
  told := told || ARRAY(SELECT raise_alerts(ARRAY(
    SELECT entry FROM waiting WHERE due_at <= second_of(moment) AND expires_at > second_of(moment)), moment));
  WITH due AS (
    SELECT v.entry, settled(v, moment) AS finality FROM violations v
    WHERE NOT v.is_retracted AND v.finality <> 'reported'
  ),
  changed AS (
    UPDATE violations v SET finality = d.finality FROM due d
    WHERE v.entry = d.entry AND v.finality <> d.finality RETURNING v.entry)
  SELECT coalesce(array_agg(entry), '{}') INTO final FROM changed;
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  PERFORM show_alerts(told, moment);
  PERFORM show_violations(final);
  PERFORM set_config('checkpost.projecting', '', true);
  RETURN cardinality(told) + cardinality(final);
END $$;

-- Takes in up to so many rows of the deployed table that are not known yet, in the order of their plates, from
-- behind the one that is named. Returns how many it looked at, and the last of them.
CREATE OR REPLACE FUNCTION adopt(
  INOUT after_plate text, INOUT after_id uuid, at_most integer, OUT looked_at bigint, OUT adopted bigint
) LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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
    SELECT r.* INTO got FROM report_of(v) o, receive(o, v.checkpost_id, v.id) AS r
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
CREATE TRIGGER checkpost_1_refuse BEFORE INSERT ON public.vehicle_passages
  FOR EACH ROW EXECUTE FUNCTION refuse_row();

-- A row of the deployed table as a report.
CREATE OR REPLACE FUNCTION report_of(v public.vehicle_passages) RETURNS observations LANGUAGE sql STABLE AS $$
  SELECT ROW(NULL, NULL, v.client_id, c.code, coalesce(nullif(compact(v.plate_number), ''), v.plate_number),
    coalesce(v.plate_number_raw, v.plate_number),
    CASE v.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE v.vehicle_type END, v.recorded_at,
    u.id::text, suffix_of(u.phone_number), v.photo_path,
    CASE v.source WHEN 'sms' THEN 'text' ELSE 'upload' END, v.source IS DISTINCT FROM 'sms',
    coalesce(v.server_received_at, clock_timestamp()), NULL, false, NULL, NULL)::observations
  FROM public.checkposts c
  JOIN public.user_profiles u ON u.id = v.ranger_id
  WHERE c.id = v.checkpost_id AND v.client_id IS NOT NULL AND isfinite(v.recorded_at)
    AND v.plate_number <> '' AND v.vehicle_type IN ('car', 'jeep', 'pickup', 'van', 'minibus', 'bus',
      'truck', 'tanker', 'motorcycle', 'other')
$$;

-- The same passage once more adds to what is known of it, and makes no row.
CREATE OR REPLACE FUNCTION take_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
DECLARE
  report CONSTANT observations := report_of(NEW);
  target bigint;
  reception text;
  is_news boolean;
BEGIN
  IF is_projecting() THEN RETURN NEW; END IF;
  -- What a constraint refuses, it is to refuse.
  IF report.client_id IS NULL THEN RETURN NEW; END IF;
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  PERFORM lock_for(ARRAY[report.plate], ARRAY[report.client_id]);
  SELECT segment_id INTO NEW.segment_id FROM public.checkposts WHERE id = NEW.checkpost_id;
  IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = NEW.id AND v.client_id <> NEW.client_id) THEN
    RETURN NEW;
  END IF;
  SELECT r.target, r.reception, r.is_news INTO target, reception, is_news
    FROM receive(report, NEW.checkpost_id, NEW.id) AS r;
  IF NOT is_news OR reception = 'contradiction' THEN
    IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = NEW.client_id) THEN
      -- Its identity answers, whatever else of it is there already.
      NEW.id := gen_random_uuid();
      RETURN NEW;
    END IF;
    RETURN NULL;
  END IF;
  IF reception = 'new' AND stands_alone(target) THEN RETURN NEW; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_2_take BEFORE INSERT ON public.vehicle_passages
  FOR EACH ROW EXECUTE FUNCTION take_row();

-- What a statement brought is judged at its end, each vehicle once.
CREATE OR REPLACE FUNCTION judge_statement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
BEGIN
  IF NOT is_projecting() THEN
    PERFORM judge_touched(CASE TG_OP WHEN 'INSERT' THEN 'arrival' ELSE 'correction' END, clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_3_judge AFTER INSERT ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

-- Rows are locked before their vehicles, so nobody else may be at work.
CREATE OR REPLACE FUNCTION lock_statement() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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
  UPDATE observations SET photo_path = NEW.photo_path
    WHERE record = own AND NEW.photo_path IS DISTINCT FROM OLD.photo_path
      AND photo_path IS NOT DISTINCT FROM OLD.photo_path;
  UPDATE observations SET ranger = NEW.ranger_id::text
    WHERE record = own AND NEW.ranger_id <> OLD.ranger_id
      AND (ranger IS NULL OR ranger = OLD.ranger_id::text);
  FOR member IN
    SELECT r.*, (SELECT min(o.client_id::text)::uuid FROM observations o WHERE o.record = r.number) AS client_id
    FROM records r WHERE r.row_number = own OR r.number = own
  LOOP
    PERFORM touch(member.plate, member.post, member.second);
    CONTINUE WHEN num_nonnulls(correction.plate, correction.vehicle_type, correction.post,
      correction.recorded_at) = 0;
    correction.client_id := member.client_id;
    PERFORM correct(correction);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER checkpost_2_correct AFTER UPDATE ON public.vehicle_passages
  FOR EACH ROW EXECUTE FUNCTION correct_row();
CREATE TRIGGER checkpost_3_judge_change AFTER UPDATE ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

-- A row that is deleted takes with it what is known of its passage, and what stands on it.
CREATE OR REPLACE FUNCTION forget_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
DECLARE
  numbers bigint[];
  own bigint;
  moment CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF is_projecting() THEN RETURN OLD; END IF;
  SELECT number INTO own FROM records WHERE passage_id = OLD.id;
  IF NOT FOUND THEN RETURN OLD; END IF;
  numbers := ARRAY(SELECT number FROM records WHERE row_number = own OR number = own);
  PERFORM touch(r.plate, r.post, r.second) FROM records r WHERE r.number = ANY (numbers);
  DELETE FROM pairs WHERE entry = ANY (numbers) OR exit = ANY (numbers);
  DELETE FROM waiting WHERE entry = ANY (numbers);
  UPDATE alerts SET ending = 'withdrawn', ended_at = moment
    WHERE entry = ANY (numbers) AND ending IS NULL;
  INSERT INTO revisions (entry, number, change, cause, at, before, was_final)
    SELECT v.entry, v.revision + 1, 'retracted', 'correction', moment, to_jsonb(v.found), v.finality
    FROM violations v WHERE v.entry = ANY (numbers) AND NOT v.is_retracted;
  UPDATE violations SET is_retracted = true, since = moment, finality = 'provisional', confirmed_at = NULL,
      confirmed_by = NULL,
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
CREATE TRIGGER checkpost_2_forget BEFORE DELETE ON public.vehicle_passages
  FOR EACH ROW EXECUTE FUNCTION forget_row();
CREATE TRIGGER checkpost_3_judge_deletion AFTER DELETE ON public.vehicle_passages
  FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();

CREATE OR REPLACE FUNCTION post_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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
LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET jit = off AS $$
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA checkpost FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA checkpost FROM PUBLIC;
GRANT USAGE ON SCHEMA checkpost TO service_role;
GRANT SELECT ON ALL TABLES IN SCHEMA checkpost TO service_role;
REVOKE ALL ON checkpost.settings FROM service_role;
GRANT EXECUTE ON FUNCTION checkpost.take, checkpost.report, checkpost.confirm, checkpost.do_duties
  TO service_role;

INSERT INTO migrations (version) VALUES (1);

UPDATE migrations SET is_adopted = true;

COMMIT;
