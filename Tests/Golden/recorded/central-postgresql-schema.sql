-- PostgreSQL 15
CREATE SCHEMA auth;
CREATE SCHEMA checkpost;
CREATE TYPE checkpost.change AS (
	kind text,
	entry bigint,
	other bigint
);
CREATE TYPE checkpost.finding AS (
	kind text,
	plate text,
	segment text,
	entry bigint,
	entry_post text,
	entry_earliest bigint,
	entry_latest bigint,
	exit bigint,
	exit_post text,
	exit_earliest bigint,
	exit_latest bigint,
	seconds bigint,
	limit_seconds bigint,
	is_far boolean,
	doubts text[]
);
CREATE TYPE checkpost.place AS (
	names text[],
	firsts text[],
	seconds text[],
	distances bigint[],
	fastests bigint[],
	slowests bigint[],
	windows bigint[],
	longests bigint[],
	posts text[],
	ranger_window bigint,
	pairing_window bigint,
	waits bigint[],
	old_at integer[],
	old_until bigint[],
	old_distances bigint[],
	old_fastests bigint[],
	old_slowests bigint[]
);
CREATE TYPE checkpost.judgement AS (
	numbers bigint[],
	rows bigint[],
	entries bigint[],
	exits bigint[],
	pair_places integer[],
	waiting bigint[],
	opposites text[],
	due bigint[],
	expires bigint[],
	places checkpost.place[],
	marks integer[]
);
CREATE TYPE checkpost.span AS (
	low bigint,
	high bigint,
	ends_in_gap boolean,
	ahead bigint
);
CREATE TYPE checkpost.travels AS (
	numbers bigint[],
	rows bigint[],
	entries bigint[],
	exits bigint[],
	waiting bigint[],
	opposites text[],
	due bigint[],
	expires bigint[],
	marks integer[]
);
CREATE FUNCTION auth.uid() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
      SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
    $$;
CREATE FUNCTION checkpost.adopt(INOUT after_plate text, INOUT after_id uuid, at_most integer, OUT looked_at bigint, OUT adopted bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
    IF got.target IS NULL THEN
      INSERT INTO unreadable (passage) SELECT v.id
        WHERE (report_of(v)).client_id IS NULL ON CONFLICT DO NOTHING;
      CONTINUE;
    END IF;
    adopted := adopted + 1;
    IF got.reception = 'alias' THEN doubled := doubled || v.id; END IF;
  END LOOP;
  PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
  IF cardinality(doubled) > 0 THEN PERFORM set_aside(doubled); END IF;
  -- What cannot be read is paired with nothing: else its partner, which is judged, would not name it.
  UPDATE public.vehicle_passages p SET matched_passage_id = NULL, is_entry = NULL
    WHERE p.id IN (SELECT u.passage FROM unreadable u)
      AND (p.matched_passage_id IS NOT NULL OR p.is_entry IS NOT NULL);
  PERFORM set_config('checkpost.projecting', '', true);
  PERFORM judge_touched('arrival', clock_timestamp());
END $$;
CREATE FUNCTION checkpost.all_touched() RETURNS TABLE(target bigint, plate text, post text, second bigint)
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.assign_ranger(who uuid, at_post uuid, digits text, from_when timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  known CONSTANT timestamptz := (SELECT min(a.known_at) FROM ranger_assignments a WHERE a.ranger = who);
  present ranger_assignments;
  start timestamptz;
BEGIN
  SELECT * INTO present FROM ranger_assignments a WHERE a.ranger = who AND a.until IS NULL;
  IF at_post IS NULL OR digits = '0000' THEN
    UPDATE ranger_assignments SET until = moment WHERE number = present.number;
    RETURN;
  END IF;
  IF (present.post_id, present.suffix) = (at_post, digits) THEN
    IF from_when IS NULL THEN RETURN; END IF;
    start := from_when;
    DELETE FROM ranger_assignments WHERE number = present.number;
  ELSIF known IS NULL THEN
    start := coalesce(from_when, (
      SELECT max(least(a.until, moment)) FROM ranger_assignments a
      WHERE a.post_id = at_post AND a.suffix = digits AND a.known_at < now()));
  ELSE
    start := coalesce(from_when, moment);
  END IF;
  -- What began before ends then, and what began later is not so.
  DELETE FROM ranger_assignments WHERE ranger = who AND since >= start;
  UPDATE ranger_assignments SET until = start WHERE ranger = who AND coalesce(until > start, true);
  INSERT INTO ranger_assignments (ranger, post_id, suffix, since, known_at)
    VALUES (who, at_post, digits, start, coalesce(known, now()));
END $$;
CREATE FUNCTION checkpost.author() RETURNS text
    LANGUAGE sql STABLE
    AS $$
  SELECT coalesce(auth.uid()::text, session_user::text)
$$;
CREATE FUNCTION checkpost.begins_any(it checkpost.place, seconds bigint[], posts text[], founded boolean[], at integer, last integer, until bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  next integer := 0;
BEGIN
  FOR i IN at + 1..last LOOP
    IF posts[i] <> posts[at] OR seconds[i] - seconds[at] > it.ranger_window THEN next := i; EXIT; END IF;
  END LOOP;
  IF next = 0 OR posts[next] = posts[at] OR seconds[next] - seconds[at] > longest_at(it, 1, seconds[at]) THEN RETURN false; END IF;
  -- What goes with it then goes before any text.
  IF founded[at] THEN RETURN begins_founded(it, seconds, posts, founded, at, last); END IF;
  IF founded[next] OR seconds[next] + it.ranger_window >= until THEN RETURN false; END IF;
  FOR i IN next..last LOOP
    EXIT WHEN seconds[i] > seconds[next] + it.ranger_window;
    IF founded[i] AND posts[i] = posts[next] THEN RETURN false; END IF;
  END LOOP;
  IF seconds[next] - seconds[at] <= it.ranger_window THEN RETURN false; END IF;
  FOR i IN at..last LOOP
    EXIT WHEN seconds[i] > seconds[at] + it.ranger_window;
    IF founded[i] AND posts[i] = posts[at] THEN RETURN false; END IF;
  END LOOP;
  RETURN true;
END $$;
CREATE FUNCTION checkpost.begins_founded(it checkpost.place, seconds bigint[], posts text[], founded boolean[], at integer, last integer) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  FOR i IN at + 1..last LOOP
    CONTINUE WHEN NOT founded[i];
    IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= longest_at(it, 1, seconds[at]); END IF;
    IF seconds[i] - seconds[at] > it.ranger_window THEN RETURN false; END IF;
  END LOOP;
  RETURN false;
END $$;
CREATE FUNCTION checkpost.begins_travel(it checkpost.place, seconds bigint[], posts text[], at integer) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  FOR i IN at + 1..cardinality(seconds) LOOP
    IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= longest_at(it, 1, seconds[at]); END IF;
    IF seconds[i] - seconds[at] > it.ranger_window THEN RETURN false; END IF;
  END LOOP;
  RETURN false;
END $$;
CREATE FUNCTION checkpost.check_fine() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF NEW.outcome_type = 'fined' AND btrim(coalesce(NEW.notes, '')) = '' AND EXISTS (
    SELECT FROM public.violations v
    WHERE v.id = NEW.violation_id AND checkpost.fine_doubts(v.finality, v.doubts) <> '{}')
  THEN
    RAISE EXCEPTION 'a fine for a violation that is provisional or rests on texts alone needs a reason in notes'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'violation_outcomes_reason',
        TABLE = 'violation_outcomes', HINT = 'Say in notes why there is a fine all the same, or wait until it is final.';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.check_isolation() RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'passages are written in transactions that are READ COMMITTED'
      USING ERRCODE = 'feature_not_supported';
  END IF;
END $$;
CREATE FUNCTION checkpost.check_post() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  IF NEW.checkpost IS NOT NULL AND NOT EXISTS (SELECT FROM api_checkposts c WHERE c.code = NEW.checkpost) THEN
    RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME,
      CONSTRAINT = TG_TABLE_NAME || '_checkpost_fkey';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.clock(at_most integer, moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint, next_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
  -- One notification for all that was waiting, from the one session that tells it.
  IF FOUND THEN PERFORM pg_notify('checkpost', ''); END IF;
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
CREATE FUNCTION checkpost.close_violation(name uuid, outcome text, hundredths bigint, remarks text, author text, actor text, detail text, moment timestamp with time zone, has_reason boolean) RETURNS TABLE(kind text, entry bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
  IF outcome = 'fined' AND NOT has_reason
    AND (known.finality = 'provisional' OR 'by_text_alone' = ANY ((known.found).doubts))
    AND NOT EXISTS (SELECT FROM public.violation_outcomes o WHERE o.violation_id = shown)
  THEN
    kind := 'unsure';
    RETURN NEXT;
    RETURN;
  END IF;
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
CREATE FUNCTION checkpost.compact(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
  -- Names of provinces, zones and categories, longest first, then consonants, each read as a whole.
  words CONSTANT text[] := ARRAY[
    'सुदूरपश्चिम', 'सुदुरपश्चिम', 'लुम्बिनी', 'लुम्विनी', 'कर्णाली', 'कर्नाली', 'वाग्मती', 'बाग्मती', 'पश्चिम',
    'बागमती', 'वागमती', 'गण्डकी', 'गन्डकी', 'प्रदेश', 'प्रदेस', 'सुदूर', 'सुदुर', 'नेपाल', 'कोशी', 'कोसी', 'मधेश', 'मधेस',
    'प्र', 'बा', 'ना', 'को', 'सा', 'मे', 'लु', 'रा', 'भे', 'से', 'पा'];
  latin CONSTANT text[] := ARRAY[
    'SUDURPASHCHIM', 'SUDURPASHCHIM', 'LUMBINI', 'LUMBINI', 'KARNALI', 'KARNALI', 'BAGMATI', 'BAGMATI', 'PASHCHIM',
    'BAGMATI', 'BAGMATI', 'GANDAKI', 'GANDAKI', 'PRADESH', 'PRADESH', 'SUDUR', 'SUDUR', 'NEPAL', 'KOSHI', 'KOSHI',
    'MADHESH', 'MADHESH', 'PRA', 'BA', 'NA', 'KO', 'SA', 'ME', 'LU', 'RA', 'BHE', 'SE', 'PA'];
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
  IF plate COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN checkpost.shortened(plate); END IF;
  rest := translate(upper(plate COLLATE "C"), '०१२३४५६७८९', '0123456789');
  rest := regexp_replace(
    rest, U&'[\\s.,/:_\00A0\00B7\0964\200B-\200D\2010-\2015\202F\FEFF-]+', ' ', 'g');
  IF rest COLLATE "C" !~ '[^0-9A-Z ]' THEN
    made := rest;
    rest := '';
  END IF;
  <<letters>>
  WHILE rest <> '' LOOP
    FOR word IN 1..cardinality(words) LOOP
      IF starts_with(rest, words[word]) THEN
        made := made || latin[word];
        rest := substr(rest, length(words[word]) + 1);
        CONTINUE letters;
      END IF;
    END LOOP;
    -- A word for "number" stands between "province" and its number.
    place := CASE WHEN replace(made, ' ', '') IN ('PRADESH', 'PRA')
      THEN length((regexp_match(rest, '^(?:नम्बर|नंबर|नं)'))[1]) ELSE 0 END;
    IF place > 0 THEN
      made := made || ' ';
      rest := substr(rest, place + 1);
      CONTINUE;
    END IF;
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
  IF made COLLATE "C" ~ '[^0-9A-Z ]' THEN RETURN replace(made, ' ', ''); END IF;
  made := trim(regexp_replace(regexp_replace(made COLLATE "C", '([A-Z]+|[0-9]+)', '\1 ', 'g'), ' +', ' ', 'g'));
  RETURN checkpost.shortened(coalesce(checkpost.provincial(made), replace(made, ' ', '')));
END $$;
CREATE FUNCTION checkpost.configure(window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint, segments_named text[], segment_windows bigint[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF (SELECT (ranger_window, pairing_window, long_stay, provisional_for, fastest)
        = (window_seconds, pairing, stay, provisional, fastest_speed) FROM settings)
    AND NOT EXISTS (
      SELECT FROM pairing_windows w FULL JOIN unnest(segments_named, segment_windows) AS n(segment, seconds)
        ON n.segment = w.segment WHERE n.seconds IS DISTINCT FROM w.seconds)
  THEN RETURN false; END IF;
  PERFORM lock_all();
  UPDATE settings SET ranger_window = window_seconds, pairing_window = pairing, long_stay = stay,
    provisional_for = provisional, fastest = fastest_speed;
  DELETE FROM pairing_windows;
  INSERT INTO pairing_windows SELECT * FROM unnest(segments_named, segment_windows);
  RETURN true;
END $$;
CREATE FUNCTION checkpost.confirm(name uuid, author text, actor text, moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  known violations;
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  SELECT * INTO known FROM violations v WHERE v.entry = violation_named(name);
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM lock_vehicles(ARRAY[(known.found).plate]);
  PERFORM lock_reports(ARRAY[(known.found).entry_post, (known.found).exit_post]);
  SELECT * INTO known FROM violations v WHERE v.entry = known.entry
    AND (NOT v.is_retracted OR v.changed_final_at IS NOT NULL);
  IF NOT FOUND THEN RETURN; END IF;
  kind := 'confirmed';
  entry := known.entry;
  RETURN NEXT;
  UPDATE violations v SET changed_final_at = NULL WHERE v.entry = known.entry AND v.changed_final_at IS NOT NULL;
  IF known.is_retracted THEN
    -- It was retracted after it had been final, and somebody has seen that.
    INSERT INTO violation_notes (entry, kind, at, author, revision)
      VALUES (known.entry, 'seen', moment, confirm.author, known.revision);
    PERFORM note_done(moment, 'violation_confirmed', confirm.actor, format('violation %s, by %s', known.entry,
      coalesce(confirm.author, 'nobody who was named')));
    RETURN;
  END IF;
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
CREATE TABLE checkpost.passages (
    row_number bigint NOT NULL,
    members bigint[] NOT NULL,
    post text NOT NULL COLLATE pg_catalog."C",
    plate text NOT NULL COLLATE pg_catalog."C",
    earliest bigint NOT NULL,
    latest bigint NOT NULL,
    is_dated boolean NOT NULL,
    raw_plate text NOT NULL,
    vehicle_type text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    rangers text[] NOT NULL,
    suffix text NOT NULL,
    photo_path text,
    channels text[] NOT NULL,
    is_proven boolean NOT NULL,
    clock_seconds bigint,
    first_received_at timestamp with time zone NOT NULL,
    is_corrected boolean NOT NULL,
    contradictions text[] NOT NULL
)
WITH (fillfactor='90');
CREATE FUNCTION checkpost.contents(numbers bigint[], rows bigint[]) RETURNS SETOF checkpost.passages
    LANGUAGE sql STABLE
    AS $$
  WITH members AS (
    -- What can change what is proven comes first: by it goes what the rest is added to.
    SELECT u.row, row_number() OVER (ORDER BY NOT r.is_founded, u.ordinal) AS ordinal, r.*
    FROM unnest(numbers, rows) WITH ORDINALITY AS u(number, row, ordinal)
    JOIN records r ON r.number = u.number
  ),
  whole AS (
    SELECT m.row, array_agg(m.number ORDER BY m.ordinal) AS members,
      (array_agg(m.number ORDER BY m.ordinal))[1] AS first,
      (array_agg(m.post ORDER BY m.ordinal))[1] AS post,
      (array_agg(m.plate ORDER BY m.ordinal))[1] AS plate,
      (array_agg(m.second ORDER BY m.ordinal))[1] AS earliest,
      coalesce(max(m.second) FILTER (WHERE m.is_founded), max(m.second)) AS latest,
      bool_or(m.is_founded) AS is_founded,
      (array_agg(m.is_dated ORDER BY m.ordinal))[1] AS is_dated,
      bool_or(m.is_contradicted) AS is_contradicted,
      -- Somebody moved it; a post that is called otherwise since is none other.
      bool_or(m.post <> post_code(m.received_post_id, m.received_post) AND EXISTS (
        SELECT FROM corrections k WHERE k.record = m.number AND k.post IS NOT NULL)) AS is_moved
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
      min(o.clock_seconds) FILTER (
        WHERE NOT o.is_clock_unset AND (o.is_proven OR o.channel <> 'text' OR NOT w.is_founded)) AS clock_seconds,
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
      CASE WHEN w.is_contradicted THEN 'identity' END,
      CASE WHEN w.is_moved THEN 'post' END], NULL)
  FROM whole w JOIN told t ON t.row = w.row
  CROSS JOIN LATERAL last_corrections(w.members) c
  CROSS JOIN LATERAL last_corrections(ARRAY[w.first]) f
$$;
CREATE TABLE checkpost.corrections (
    number bigint NOT NULL,
    record bigint,
    client_id uuid NOT NULL,
    plate text COLLATE pg_catalog."C",
    raw_plate text COLLATE pg_catalog."C",
    vehicle_type text COLLATE pg_catalog."C",
    post text COLLATE pg_catalog."C",
    recorded_at timestamp with time zone,
    author text COLLATE pg_catalog."C",
    made_at timestamp with time zone NOT NULL,
    photo_path text COLLATE pg_catalog."C",
    withdrawal text COLLATE pg_catalog."C",
    CONSTRAINT corrections_check CHECK (((plate IS NULL) = (raw_plate IS NULL)))
);
CREATE FUNCTION checkpost.correct(correction checkpost.corrections, OUT target bigint, OUT is_news boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
      made_at, photo_path, withdrawal)
    VALUES (target, correction.client_id, correction.plate, correction.raw_plate,
      correction.vehicle_type, correction.post, correction.recorded_at, correction.author,
      correction.made_at, correction.photo_path, correction.withdrawal);
  IF target IS NOT NULL THEN PERFORM put_right(target); END IF;
END $$;
CREATE FUNCTION checkpost.correct_identity() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  is_done boolean;
BEGIN
  IF (NEW.id, NEW.client_id, NEW.source, NEW.segment_id) IS DISTINCT FROM
    (OLD.id, OLD.client_id, OLD.source, OLD.segment_id)
  THEN
    RAISE EXCEPTION 'of a passage under an identity its names, source and segment are not changed'
      USING ERRCODE = 'feature_not_supported';
  END IF;
  PERFORM set_config('checkpost.corrected', OLD.client_id::text, true);
  UPDATE public.vehicle_passages v SET plate_number = NEW.plate_number, plate_number_raw = NEW.plate_number_raw,
      vehicle_type = NEW.vehicle_type, checkpost_id = NEW.checkpost_id, recorded_at = NEW.recorded_at,
      ranger_id = NEW.ranger_id, photo_path = NEW.photo_path, matched_passage_id = NEW.matched_passage_id
    WHERE v.id = OLD.id;
  is_done := FOUND;
  PERFORM set_config('checkpost.corrected', '', true);
  IF NOT is_done THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.correct_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  own bigint;
  correction corrections;
  report observations;
  plate CONSTANT text := read_plate(NEW.plate_number);
  -- Whoever corrects a passage under its own identity means its own record.
  meant CONSTANT uuid := uuid_of(current_setting('checkpost.corrected', true));
  member record;
BEGIN
  IF is_projecting() THEN RETURN NULL; END IF;
  SELECT number INTO own FROM records WHERE passage_id = OLD.id;
  IF NOT FOUND THEN
    PERFORM take_unreadable(OLD.id, NEW);
    RETURN NULL;
  END IF;
  IF NEW.id <> OLD.id THEN UPDATE records SET passage_id = NEW.id WHERE number = own; END IF;
  -- What came as a text alone is handed in as well.
  IF OLD.source = 'sms' AND NEW.source = 'app' THEN
    report := report_of(NEW);
    IF report.client_id IS NOT NULL AND (report.post, report.plate, second_of(report.recorded_at))
      IN (SELECT r.received_post, r.received_plate, r.received_second FROM records r WHERE r.number = own)
    THEN
      report.received_at := clock_timestamp();
      PERFORM r.target FROM receive(report, NEW.checkpost_id, true, clock_timestamp()) AS r;
    END IF;
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
    correction.raw_plate := CASE
      WHEN NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw OR read_plate(NEW.plate_number_raw) = plate
      THEN coalesce(nullif(NEW.plate_number_raw, ''), NEW.plate_number) ELSE NEW.plate_number END;
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
  -- A row that is paired with itself never was: so whoever may change it withdraws it.
  IF NEW.matched_passage_id = NEW.id AND OLD.matched_passage_id IS DISTINCT FROM NEW.id THEN
    correction.withdrawal := 'withdrawn';
  END IF;
  UPDATE observations SET ranger = NEW.ranger_id::text
    WHERE record = own AND NEW.ranger_id <> OLD.ranger_id
      AND (ranger IS NULL OR ranger = OLD.ranger_id::text);
  FOR member IN
    SELECT r.*, (SELECT min(o.client_id::text)::uuid FROM observations o WHERE o.record = r.number) AS client_id
    FROM records r WHERE (r.number = own OR r.row_number = own AND r.row_number <> r.number)
      AND (meant IS NULL OR r.number = (SELECT i.record FROM identities i WHERE i.client_id = meant))
  LOOP
    PERFORM touch(member.number, member.plate, member.post, member.second);
    CONTINUE WHEN num_nonnulls(correction.plate, correction.vehicle_type, correction.post,
      correction.recorded_at, correction.photo_path, correction.withdrawal) = 0;
    correction.client_id := member.client_id;
    PERFORM correct(correction);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.count_messages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.count_moved() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO heard_changes (post, passages) VALUES (OLD.post, -1), (NEW.post, 1);
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.count_passages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO heard_changes (post, passages, last_at)
      SELECT c.post, count(*), max(r.inserted_at) FROM came c JOIN records r ON r.number = c.row_number
      GROUP BY c.post;
    INSERT INTO unpaired SELECT c.row_number FROM came c
      WHERE NOT EXISTS (SELECT FROM pairs x WHERE x.entry = c.row_number)
        AND NOT EXISTS (SELECT FROM pairs e WHERE e.exit = c.row_number)
      ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO heard_changes (post, passages) SELECT g.post, -count(*) FROM gone g GROUP BY g.post;
    DELETE FROM unpaired u WHERE u.row_number IN (SELECT g.row_number FROM gone g);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.count_report() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.count_retracted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO tally_changes VALUES ('violations', CASE WHEN NEW.is_retracted THEN -1 ELSE 1 END);
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.count_violation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.derived_id(kind text, name text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  h CONSTANT bytea := substr(sha256(convert_to('checkpost:' || kind || ':' || name, 'UTF8')), 1, 16);
BEGIN
  RETURN encode(
    set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid;
END $$;
CREATE FUNCTION checkpost.device_told() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  moment CONSTANT timestamptz := moment_of_writing();
  told change[];
BEGIN
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND (NEW.user_id, NEW.device_id) <> (OLD.user_id, OLD.device_id) THEN
    DELETE FROM device_marks m WHERE m.user_id = OLD.user_id AND m.device_id = OLD.device_id;
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
  PERFORM mark_device(NEW, moment);
  -- A service asks for it itself. Who has another isolation still says how far they are.
  IF coalesce(current_setting('checkpost.devices', true), '') = 'service'
    OR current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')
  THEN RETURN NULL; END IF;
  DELETE FROM device_clocks d WHERE d.user_id = NEW.user_id AND d.device_id = NEW.device_id::text;
  SELECT array_agg(ROW(r.kind, r.entry, r.other)::change) INTO told
    FROM report_devices(ARRAY[NEW.user_id], moment) AS r;
  PERFORM tell_later(told);
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.doubt_device(owner uuid, device text, doubt bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF doubt > 0 THEN
    INSERT INTO device_clocks VALUES (owner, device, doubt)
      ON CONFLICT (user_id, device_id) DO UPDATE SET seconds = EXCLUDED.seconds;
  ELSE
    DELETE FROM device_clocks d WHERE d.user_id = owner AND d.device_id = device;
  END IF;
END $$;
CREATE FUNCTION checkpost.due_after(it checkpost.place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  held record;
BEGIN
  IF it.old_at = '{}' THEN RETURN it.distances[s] * 3600 / it.slowests[s] + 2; END IF;
  held := held_at(it, s, second);
  RETURN held.distance * 3600 / held.slowest + 2;
END $$;
CREATE FUNCTION checkpost.end_alerts(entries bigint[], is_judged boolean, moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.end_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  codes text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN
    codes := codes || ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = OLD.segment_id)
      || ARRAY(SELECT c.code::text FROM public.checkposts c WHERE c.id = OLD.post_id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    codes := codes || ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = NEW.segment_id);
  END IF;
  PERFORM lock_all();
  PERFORM judge_posts(posts_with(codes), 'directory');
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.end_sessions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  UPDATE sessions SET ended = 'ended', ended_at = clock_timestamp() WHERE account = NEW.id AND ended IS NULL;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.exact_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  codes CONSTANT text[] := ARRAY(
    SELECT e.code FROM segment_ends e WHERE e.segment_id = coalesce(NEW.segment_id, OLD.segment_id));
BEGIN
  IF cardinality(codes) > 0 THEN
    PERFORM lock_all();
    PERFORM judge_posts(posts_with(codes), 'directory');
  END IF;
  RETURN NULL;
END $$;
CREATE TABLE checkpost.records (
    number bigint NOT NULL,
    received_post text NOT NULL COLLATE pg_catalog."C",
    received_plate text NOT NULL COLLATE pg_catalog."C",
    received_second bigint NOT NULL,
    received_post_id uuid,
    post text NOT NULL COLLATE pg_catalog."C",
    plate text NOT NULL COLLATE pg_catalog."C",
    second bigint NOT NULL,
    is_dated boolean DEFAULT true NOT NULL,
    is_contradicted boolean DEFAULT false NOT NULL,
    row_number bigint,
    passage_id uuid NOT NULL,
    times bigint DEFAULT 1 NOT NULL,
    last_at timestamp with time zone NOT NULL,
    client_id uuid NOT NULL,
    inbox_id bigint,
    inserted_at timestamp with time zone NOT NULL,
    is_aside boolean DEFAULT false NOT NULL,
    is_founded boolean DEFAULT true NOT NULL
)
WITH (fillfactor='90');
CREATE FUNCTION checkpost.find_between(a checkpost.records, b checkpost.records, it checkpost.place, moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  made judgement;
  fresh finding;
  is_open boolean;
  at_entry bigint;
  at_exit bigint;
  waited record;
  told change[];
BEGIN
  made.entries := ARRAY[a.number];
  made.exits := ARRAY[b.number];
  made.pair_places := ARRAY[1];
  made.marks := ARRAY[0];
  made.places := ARRAY[it];
  SELECT * INTO fresh FROM findings(made);
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- What it waits for, as `settle` says it.
  is_open := NOT needs_person(fresh.doubts);
  at_entry := greatest(b.second, a.second + it.ranger_window,
    CASE WHEN fresh.is_far THEN b.second + it.longests[1] END);
  at_exit := b.second + it.ranger_window;
  SELECT moment + make_interval(secs => s.provisional_for) AS unreported,
      coalesce((SELECT r.through > at_entry FROM post_reports r WHERE r.post = a.post)
        AND (SELECT r.through > at_exit FROM post_reports r WHERE r.post = b.post), false) AS is_heard
    INTO waited FROM settings s;
  WITH written AS (
    INSERT INTO violations (entry, found, since, uuid, entry_needs, exit_needs, unreported_from)
      VALUES (a.number, fresh, moment, derived_id('violation', a.passage_id::text),
        CASE WHEN is_open THEN at_entry END, CASE WHEN is_open THEN at_exit END,
        CASE WHEN is_open THEN waited.unreported END))
  INSERT INTO revisions (entry, number, change, cause, at, after, was_final)
    VALUES (a.number, 1, 'made', 'arrival', moment, to_jsonb(fresh), 'provisional');
  told := ARRAY[ROW('revised', a.number, 1)::change];
  IF is_open AND (waited.is_heard OR moment >= waited.unreported) THEN
    told := told || settle(ARRAY[a.number], moment);
  END IF;
  RETURN told;
END $$;
CREATE FUNCTION checkpost.findings(made checkpost.judgement) RETURNS SETOF checkpost.finding
    LANGUAGE sql STABLE
    AS $$
  SELECT v.kind, a.plate, g.name, a.row_number, a.post, a.earliest, a.latest,
    b.row_number, b.post, b.earliest, b.latest,
    CASE v.kind WHEN 'speeding' THEN b.latest - a.earliest ELSE t.shortest END,
    CASE v.kind WHEN 'speeding' THEN (g.distance * 3600 + g.fastest - 1) / g.fastest
      ELSE g.distance * 3600 / g.slowest END,
    b.earliest - a.earliest > g.longest,
    array_remove(ARRAY[
      CASE WHEN NOT a.is_proven AND a.channels = ARRAY['text']
        OR NOT b.is_proven AND b.channels = ARRAY['text'] THEN 'by_text_alone' END,
      CASE WHEN v.kind = 'overstay' AND (t.shortest > (SELECT long_stay FROM settings) OR u.mark & 2 > 0)
        THEN 'long_stay' END,
      CASE WHEN t.clocks > 0
        AND verdict(g.distance, g.fastest, g.slowest, greatest(t.shortest - t.clocks, 0), t.longest + t.clocks)
          IS NULL
        THEN 'clocks' END,
      CASE WHEN a.contradictions <> '{}' OR b.contradictions <> '{}' THEN 'contradicted' END,
      -- Texts of a number that anybody can forge say otherwise.
      CASE WHEN (a.is_proven OR a.channels <> ARRAY['text']) AND (b.is_proven OR b.channels <> ARRAY['text'])
        AND (u.mark & 1 > 0 OR (cardinality(a.members) > 1 OR cardinality(b.members) > 1)
          AND told_verdict(g.distance, g.fastest, g.slowest, a.members, b.members) IS DISTINCT FROM v.kind)
        THEN 'contradicted_by_text' END,
      CASE WHEN u.mark & 2 > 0 THEN 'turned' END,
      CASE WHEN v.kind = 'speeding'
        AND greatest(t.longest, 0) * (SELECT fastest FROM settings) * 1000 < g.distance * 3600
        THEN 'impossible_speed' END], NULL)
  FROM (SELECT p.entry, p.exit, made.places[p.at] AS it, p.mark
    FROM unnest(made.entries, made.exits, made.pair_places, made.marks) AS p(entry, exit, at, mark)) AS u
  JOIN passages a ON a.row_number = u.entry
  JOIN passages b ON b.row_number = u.exit
  CROSS JOIN LATERAL (SELECT stretch(u.it, a.post, b.post) AS place) n
  CROSS JOIN LATERAL (
    -- By what held when the vehicle came.
    SELECT (u.it).names[n.place] AS name, h.distance, h.fastest, h.slowest,
      longest_at(u.it, n.place, a.earliest) AS longest
    FROM held_at(u.it, n.place, a.earliest) AS h) g
  CROSS JOIN LATERAL (
    SELECT b.latest - a.earliest AS longest, greatest(b.earliest - a.latest, 0) AS shortest,
      -- A clock that is off by more than thirty years says nothing at all.
      least(coalesce(a.clock_seconds, 0), 1000000000) + least(coalesce(b.clock_seconds, 0), 1000000000)
        AS clocks) t
  CROSS JOIN LATERAL (
    SELECT verdict(g.distance, g.fastest, g.slowest, t.shortest, t.longest) AS kind) v
  WHERE v.kind IS NOT NULL
$$;
CREATE FUNCTION checkpost.fine_doubts(finality text, doubts text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT array_remove(ARRAY[CASE WHEN finality = 'provisional' THEN 'provisional' END,
    CASE WHEN 'by_text_alone' = ANY (doubts) THEN 'by_text_alone' END], NULL)
$$;
CREATE FUNCTION checkpost.fine_reason(outcome uuid) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
  SELECT 'although ' || array_to_string(d.doubts, ' ') || ': ' || btrim(o.notes)
  FROM public.violation_outcomes o JOIN public.violations v ON v.id = o.violation_id
  CROSS JOIN LATERAL (SELECT fine_doubts(v.finality, v.doubts) AS doubts) AS d
  WHERE o.id = outcome AND o.outcome_type = 'fined' AND d.doubts <> '{}'
$$;
CREATE FUNCTION checkpost.forget_audit(before timestamp with time zone, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM audit a WHERE a.at < before AND a.id = ANY (ARRAY(SELECT e.id FROM audit e ORDER BY e.id LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
CREATE FUNCTION checkpost.forget_early(before timestamp with time zone, named text, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM corrections c WHERE c.number = ANY (ARRAY(
    SELECT e.number FROM corrections e WHERE e.record IS NULL AND (e.made_at < before OR e.plate = named)
    ORDER BY e.number LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
CREATE FUNCTION checkpost.forget_messages(ids bigint[]) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
CREATE FUNCTION checkpost.forget_places() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  PERFORM lock_all();
  DELETE FROM known_places;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.forget_records(numbers bigint[]) RETURNS TABLE(passages bigint, reports bigint, corrected bigint, violations bigint, outcomes bigint, alerts bigint, photographs bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
CREATE FUNCTION checkpost.forget_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  numbers bigint[];
  own bigint;
BEGIN
  IF is_projecting() THEN RETURN OLD; END IF;
  SELECT number INTO own FROM records WHERE passage_id = OLD.id;
  IF NOT FOUND THEN
    DELETE FROM unreadable u WHERE u.passage = OLD.id;
    RETURN OLD;
  END IF;
  numbers := ARRAY(
    SELECT number FROM records WHERE number = own OR row_number = own AND row_number <> number);
  PERFORM let_go(numbers, clock_timestamp());
  -- The rest is judged at the end: a row that the same statement deletes may not be changed before.
  RETURN OLD;
END $$;
CREATE FUNCTION checkpost.found_place(code text) RETURNS checkpost.place
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  found_place place;
  reached text[] := ARRAY[code];
  known uuid[] := '{}';
  more uuid[];
BEGIN
  LOOP
    more := ARRAY(SELECT s.id FROM segments s
      WHERE s.id = ANY (ARRAY(SELECT e.segment_id FROM segment_ends e WHERE e.code = ANY (reached)))
        AND s.id <> ALL (known));
    EXIT WHEN cardinality(more) = 0;
    known := known || more;
    reached := ARRAY(SELECT DISTINCT e.code FROM segment_ends e WHERE e.segment_id = ANY (known));
  END LOOP;
  SELECT
    array_agg(s.name::text ORDER BY s.turn), array_agg(s.posts[1] ORDER BY s.turn),
    array_agg(s.posts[2] ORDER BY s.turn), array_agg(s.distance ORDER BY s.turn),
    array_agg(s.fastest ORDER BY s.turn), array_agg(s.slowest ORDER BY s.turn),
    array_agg(s.waits ORDER BY s.turn), array_agg(s.longest ORDER BY s.turn),
    CASE count(s.id) WHEN 1 THEN min(s.posts) WHEN 0 THEN ARRAY[code]
      ELSE ARRAY(SELECT u.post FROM unnest(reached) AS u(post) ORDER BY u.post COLLATE "C") END,
    -- Less than a vehicle needs to the nearest other end and back.
    least(r.ranger_window, min((s.distance * 3600 - 1) / s.fastest + 1), min(s.shortest)),
    coalesce(max(s.waits), r.pairing_window),
    array_agg(s.rule ORDER BY s.turn)
  INTO found_place
  FROM settings r
  LEFT JOIN LATERAL (
    SELECT g.*, l.longest, l.shortest, p.rule, greatest(p.rule, l.longest) AS waits,
      row_number() OVER (ORDER BY g.name COLLATE "C", g.id) AS turn
    FROM segments g
    -- What lies further apart is one travel only where nothing was seen in between.
    CROSS JOIN LATERAL (
      SELECT greatest(18000, 2 * (g.distance * 3600 / g.slowest),
          max(2 * (o.distance * 3600 / o.slowest))) AS longest,
        min((o.distance * 3600 - 1) / o.fastest + 1) AS shortest
      FROM earlier_limits o WHERE o.segment_id = g.id) AS l
    CROSS JOIN LATERAL (
      SELECT coalesce((SELECT w.seconds FROM pairing_windows w WHERE w.segment = g.name), r.pairing_window)
        AS rule) AS p
    WHERE g.id = ANY (known)) AS s ON true
  GROUP BY r.ranger_window, r.pairing_window;
  IF cardinality(known) = 0 THEN
    found_place.names := '{}'; found_place.firsts := '{}'; found_place.seconds := '{}';
    found_place.distances := '{}'; found_place.fastests := '{}'; found_place.slowests := '{}';
    found_place.windows := '{}'; found_place.longests := '{}'; found_place.waits := '{}';
  END IF;
  SELECT coalesce(array_agg(o.turn ORDER BY o.turn, o.until), '{}'),
      coalesce(array_agg(o.until ORDER BY o.turn, o.until), '{}'),
      coalesce(array_agg(o.distance ORDER BY o.turn, o.until), '{}'),
      coalesce(array_agg(o.fastest ORDER BY o.turn, o.until), '{}'),
      coalesce(array_agg(o.slowest ORDER BY o.turn, o.until), '{}')
    INTO found_place.old_at, found_place.old_until, found_place.old_distances, found_place.old_fastests,
      found_place.old_slowests
    FROM (
      SELECT e.*, s.turn::integer AS turn FROM (
        SELECT g.id, row_number() OVER (ORDER BY g.name COLLATE "C", g.id) AS turn
        FROM segments g WHERE g.id = ANY (known)) AS s
      JOIN earlier_limits e ON e.segment_id = s.id) AS o;
  RETURN found_place;
END $$;
CREATE TABLE checkpost.observations (
    number bigint NOT NULL,
    record bigint NOT NULL,
    client_id uuid NOT NULL,
    post text NOT NULL COLLATE pg_catalog."C",
    plate text NOT NULL COLLATE pg_catalog."C",
    raw_plate text NOT NULL COLLATE pg_catalog."C",
    vehicle_type text NOT NULL COLLATE pg_catalog."C",
    recorded_at timestamp with time zone NOT NULL,
    ranger text COLLATE pg_catalog."C",
    suffix text DEFAULT '0000'::text NOT NULL COLLATE pg_catalog."C",
    photo_path text COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    is_proven boolean NOT NULL,
    received_at timestamp with time zone NOT NULL,
    clock_seconds bigint,
    is_clock_unset boolean DEFAULT false NOT NULL,
    inbox_id bigint,
    inserted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    own_row uuid,
    CONSTRAINT observations_channel_check CHECK ((channel = ANY (ARRAY['upload'::text, 'operator'::text, 'text'::text])))
);
CREATE FUNCTION checkpost.free_name(report checkpost.observations, is_row boolean) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF report.own_row IS NOT NULL AND NOT EXISTS (SELECT FROM records WHERE passage_id = report.own_row)
    AND (is_row OR NOT is_taken(report.own_row))
  THEN RETURN report.own_row; END IF;
  IF NOT is_taken(report.client_id) THEN RETURN report.client_id; END IF;
  RETURN derived_id('passage', concat_ws(' ', report.post, report.plate, second_of(report.recorded_at),
    report.client_id));
END $$;
CREATE FUNCTION checkpost.fresh_ones(client_ids uuid[], posts text[], plates text[], recorded timestamp with time zone[], own_rows uuid[], corrected uuid[]) RETURNS boolean[]
    LANGUAGE plpgsql STABLE
    AS $$
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
CREATE FUNCTION checkpost.gather_counts() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.held_at(it checkpost.place, s integer, second bigint, OUT distance bigint, OUT fastest bigint, OUT slowest bigint) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  FOR i IN 1..cardinality(it.old_at) LOOP
    IF it.old_at[i] = s AND second < it.old_until[i] THEN
      distance := it.old_distances[i];
      fastest := it.old_fastests[i];
      slowest := it.old_slowests[i];
      RETURN;
    END IF;
  END LOOP;
  distance := it.distances[s];
  fastest := it.fastests[s];
  slowest := it.slowests[s];
END $$;
CREATE FUNCTION checkpost.hold_vehicles(plates text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF plates IS NULL THEN
    PERFORM lock_all();
  ELSE
    PERFORM check_isolation();
    PERFORM pg_advisory_xact_lock_shared(7060, 0);
    PERFORM lock_vehicles(plates);
  END IF;
END $$;
CREATE FUNCTION checkpost.is_clear(it checkpost.place, seconds bigint[], posts text[], at integer, next bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  IF next - seconds[at] <= it.ranger_window THEN RETURN false; END IF;
  FOR i IN REVERSE at..1 LOOP
    EXIT WHEN seconds[i] < seconds[at] - it.ranger_window;
    IF posts[i] <> posts[at] THEN RETURN false; END IF;
  END LOOP;
  RETURN true;
END $$;
CREATE FUNCTION checkpost.is_clear_of(it checkpost.place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, known_from bigint, next bigint, next_post text, is_founded boolean) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  IF at < first OR posts[at] <> next_post OR known_from > seconds[at] - it.ranger_window
    OR next - seconds[at] <= it.ranger_window
  THEN RETURN false; END IF;
  FOR i IN REVERSE at..first LOOP
    EXIT WHEN seconds[i] < seconds[at] - it.ranger_window;
    IF posts[i] <> posts[at] AND (founded[i] OR NOT is_founded) THEN RETURN false; END IF;
  END LOOP;
  RETURN true;
END $$;
CREATE FUNCTION checkpost.is_cut(it checkpost.place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, last integer, known_from bigint, until bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  is_single CONSTANT boolean := cardinality(it.names) = 1 AND seconds[at] + it.ranger_window < until;
  before bigint := CASE WHEN at > first THEN seconds[at - 1] ELSE known_from - 1 END;
  one integer := 0;
  other integer := 0;
BEGIN
  IF NOT (is_single AND seconds[at] - it.longests[1] > before
    AND begins_any(it, seconds, posts, founded, at, last, until))
  THEN
    IF NOT is_clear_of(it, seconds, posts, founded, first, at - 1, known_from, seconds[at], posts[at], false) THEN
      RETURN false;
    END IF;
    IF NOT founded[at] THEN
      IF seconds[at] + it.ranger_window >= until THEN RETURN false; END IF;
      FOR i IN at + 1..last LOOP
        EXIT WHEN seconds[i] > seconds[at] + it.ranger_window;
        IF posts[i] <> posts[at] THEN RETURN false; END IF;
      END LOOP;
    END IF;
  END IF;
  FOR i IN REVERSE at - 1..first LOOP
    IF founded[i] THEN one := i; EXIT; END IF;
  END LOOP;
  FOR i IN at..last LOOP
    IF founded[i] THEN other := i; EXIT; END IF;
  END LOOP;
  before := CASE WHEN one > 0 THEN seconds[one] ELSE known_from - 1 END;
  IF other = 0 THEN RETURN until - it.pairing_window > before; END IF;
  RETURN seconds[other] - it.pairing_window > before
    OR is_clear_of(it, seconds, posts, founded, first, one, known_from, seconds[other], posts[other], true)
    OR other = at AND is_single AND seconds[at] - it.longests[1] > before
      AND begins_founded(it, seconds, posts, founded, at, last);
END $$;
CREATE FUNCTION checkpost.is_expired(correction checkpost.corrections) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT is_expired(second_of(correction.recorded_at)) OR EXISTS (
    SELECT FROM identities i JOIN records r ON r.number = i.record
    WHERE i.client_id = correction.client_id AND r.is_dated AND is_expired(r.second))
$$;
CREATE FUNCTION checkpost.is_expired(second bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN coalesce(second < (SELECT since FROM forgetting), false);
END $$;
CREATE FUNCTION checkpost.is_founded(report checkpost.observations) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT report.is_proven OR report.channel <> 'text'
$$;
CREATE FUNCTION checkpost.is_moment(moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT coalesce(moment >= to_timestamp(0) AND moment < to_timestamp(9999999999), false)
$$;
CREATE FUNCTION checkpost.is_named(client uuid, own uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM identities i WHERE i.client_id = client)
    OR EXISTS (SELECT FROM records r WHERE r.passage_id = own)
    OR EXISTS (SELECT FROM corrections c WHERE c.client_id = client AND c.record IS NULL)
    OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = own);
END $$;
CREATE FUNCTION checkpost.is_of_passage(name text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $_$
DECLARE
  stem CONSTANT text := split_part(name, '.', 1);
  passage uuid;
BEGIN
  IF stem !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN false; END IF;
  passage := stem::uuid;
  RETURN is_taken(passage)
    OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = passage)
    OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = passage);
END $_$;
CREATE FUNCTION checkpost.is_plain(it checkpost.records) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN it.is_founded AND it.is_dated AND NOT it.is_contradicted AND NOT it.is_aside
    AND it.row_number = it.number;
END $$;
CREATE FUNCTION checkpost.is_projecting() RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  said CONSTANT text := coalesce(current_setting('checkpost.projecting', true), '');
BEGIN
  IF said = '' THEN RETURN false; END IF;
  RETURN said = (SELECT secret FROM settings);
END $$;
CREATE FUNCTION checkpost.is_same(one checkpost.corrections, other checkpost.corrections) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (one.client_id, one.plate, one.raw_plate, one.vehicle_type, one.post, one.recorded_at, one.author,
      one.made_at, one.photo_path, one.withdrawal)
    IS NOT DISTINCT FROM (other.client_id, other.plate, other.raw_plate, other.vehicle_type, other.post,
      other.recorded_at, other.author, other.made_at, other.photo_path, other.withdrawal)
$$;
CREATE FUNCTION checkpost.is_taken(name uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM records WHERE passage_id = name)
    OR EXISTS (SELECT FROM identities WHERE client_id = name);
END $$;
CREATE FUNCTION checkpost.is_unset(moment timestamp with time zone, received_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT moment < to_timestamp(1000000000)
    OR moment < to_timestamp(1735689600) AND received_at >= to_timestamp(1735689600)
$$;
CREATE FUNCTION checkpost.judge(targets bigint[], plates text[], posts text[], seconds bigint[], cause text, moment timestamp with time zone, is_all boolean) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
  marks integer[] := '{}';
  waiting bigint[] := '{}';
  opposites text[] := '{}';
  due bigint[] := '{}';
  expires bigint[] := '{}';
  places place[];
BEGIN
  places := places_of(posts);
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
      marks := marks || part.marks;
    END IF;
    IF part.waiting IS NOT NULL THEN
      waiting := waiting || part.waiting;
      opposites := opposites || part.opposites;
      due := due || part.due;
      expires := expires || part.expires;
    END IF;
    IF cardinality(numbers) >= 1000 THEN
      made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places, marks);
      told := told || write_judgement(made, targets, rows_left, cause, moment, is_all, targets, plates, seconds);
      numbers := '{}'; rows := '{}'; entries := '{}'; exits := '{}'; pair_places := '{}'; marks := '{}';
      waiting := '{}'; opposites := '{}'; due := '{}'; expires := '{}';
    END IF;
  END LOOP;
  IF cardinality(numbers) > 0 THEN
    made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places, marks);
    told := told || write_judgement(made, targets, rows_left, cause, moment, is_all, targets, plates, seconds);
  END IF;
  RETURN told;
END $$;
CREATE FUNCTION checkpost.judge_again(plates text[], posts text[], seconds bigint[], moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  PERFORM touch(NULL, u.plate, u.post, u.second) FROM unnest(plates, posts, seconds) AS u(plate, post, second);
  RETURN QUERY SELECT t.* FROM unnest(judge_touched('correction', moment)) AS t;
END $$;
CREATE FUNCTION checkpost.judge_posts(named text[], why text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.judge_second(moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  lines CONSTANT text := current_setting('checkpost.touched', true);
  target bigint;
  other bigint;
  near bigint;
  came records;
  known records;
  a records;
  b records;
  it place;
  held record;
  told change[];
BEGIN
  IF strpos(lines, chr(10)) <> length(lines) OR starts_with(lines, '+') THEN RETURN NULL; END IF;
  target := (lines::jsonb ->> 3)::bigint;
  SELECT * INTO came FROM records r WHERE r.number = target;
  IF NOT FOUND OR NOT is_plain(came) THEN RETURN NULL; END IF;
  SELECT (k.it).* INTO it FROM known_places k WHERE k.post = came.post;
  IF NOT FOUND OR cardinality(it.names) <> 1 THEN RETURN NULL; END IF;
  SELECT count(*), min(r.number) INTO near, other FROM records r
    WHERE r.plate = came.plate AND r.number <> target
      AND r.second BETWEEN came.second - 2 * it.pairing_window AND came.second + 2 * it.pairing_window;
  IF near <> 1 THEN RETURN NULL; END IF;
  SELECT * INTO known FROM records r WHERE r.number = other;
  IF NOT is_plain(known) OR known.second = came.second OR stretch(it, known.post, came.post) <> 1 THEN
    RETURN NULL;
  END IF;
  IF known.second < came.second THEN a := known; b := came; ELSE a := came; b := known; END IF;
  IF b.second - a.second > least(window_at(it, 1, a.second), it.pairing_window)
    OR EXISTS (SELECT FROM passages p WHERE p.row_number = target)
    OR NOT EXISTS (SELECT FROM passages p WHERE p.row_number = other AND p.members = ARRAY[other])
    OR EXISTS (SELECT FROM observations o WHERE o.record = target OFFSET 1)
    OR EXISTS (SELECT FROM corrections c WHERE c.record = target)
    OR EXISTS (SELECT FROM pairs p WHERE p.entry = other) OR EXISTS (SELECT FROM pairs p WHERE p.exit = other)
    OR EXISTS (SELECT FROM alerts l WHERE l.entry = other)
    OR EXISTS (SELECT FROM violations v WHERE v.entry = other)
    OR EXISTS (SELECT FROM violations v WHERE (v.found).exit = other)
    OR NOT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = came.passage_id)
    OR NOT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = known.passage_id)
    OR EXISTS (SELECT FROM public.violations v WHERE v.entry_passage_id = known.passage_id)
    OR EXISTS (SELECT FROM public.violations v WHERE v.exit_passage_id = known.passage_id)
    OR EXISTS (SELECT FROM public.proactive_overstay_alerts l WHERE l.entry_passage_id = known.passage_id)
  THEN RETURN NULL; END IF;
  PERFORM set_config('checkpost.touched', '', true);
  PERFORM lock_reports(it.posts);
  WITH come AS (
    INSERT INTO passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
        recorded_at, rangers, suffix, photo_path, channels, is_proven, clock_seconds, first_received_at,
        is_corrected, contradictions)
      SELECT target, ARRAY[target], came.post, came.plate, came.second, came.second, true, o.raw_plate,
        o.vehicle_type, o.recorded_at, array_remove(ARRAY[o.ranger]::text[], NULL), o.suffix, o.photo_path,
        ARRAY[o.channel]::text[], o.is_proven, o.clock_seconds, o.received_at, false, '{}'
      FROM observations o WHERE o.record = target),
  paired AS (
    INSERT INTO pairs (entry, exit) VALUES (a.number, b.number))
  DELETE FROM waiting w WHERE w.entry = other;
  told := ARRAY[ROW('paired', a.number, b.number)::change];
  held := held_at(it, 1, a.second);
  -- Both ends are known to one second, so that the clocks alone could say anything else; these only add a doubt.
  IF verdict(held.distance, held.fastest, held.slowest, b.second - a.second, b.second - a.second) IS NOT NULL THEN
    told := told || find_between(a, b, it, moment);
  END IF;
  PERFORM set_config('checkpost.projecting', s.secret, true) FROM settings s;
  UPDATE public.vehicle_passages v
    SET matched_passage_id = CASE WHEN v.id = a.passage_id THEN b.passage_id ELSE a.passage_id END,
      is_entry = v.id = a.passage_id
    WHERE v.id = ANY (ARRAY[a.passage_id, b.passage_id])
      AND (v.matched_passage_id, v.is_entry) IS DISTINCT FROM
        (CASE WHEN v.id = a.passage_id THEN b.passage_id ELSE a.passage_id END, v.id = a.passage_id);
  IF cardinality(told) > 1 THEN PERFORM put_violations(ARRAY[a.number]); END IF;
  PERFORM set_config('checkpost.projecting', '', true);
  RETURN told;
END $$;
CREATE FUNCTION checkpost.judge_statement() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  told change[];
BEGIN
  IF is_projecting() OR coalesce(current_setting('checkpost.touched', true), '') = '' THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM tell_later(judge_touched('correction', clock_timestamp()));
    RETURN NULL;
  END IF;
  told := judge_second(clock_timestamp());
  IF told IS NULL THEN told := judge_touched('arrival', clock_timestamp()); END IF;
  PERFORM tell_later(told);
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.judge_touched(cause text, moment timestamp with time zone, is_all boolean DEFAULT false) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF coalesce(current_setting('checkpost.touched', true), '') = '' THEN RETURN '{}'; END IF;
  RETURN (SELECT judge(array_agg(t.target), array_agg(t.plate),
    array_agg(t.post), array_agg(t.second), cause, moment, is_all) FROM all_touched() AS t);
END $$;
CREATE FUNCTION checkpost.keep(providers text[], names text[], senders text[], recipients text[], kinds text[], bodies text[], times timestamp with time zone[]) RETURNS TABLE(id bigint, is_new boolean)
    LANGUAGE plpgsql
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
CREATE FUNCTION checkpost.keep_original() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF OLD.created_at >= (SELECT min(m.applied_at) FROM migrations m) THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  INSERT INTO originals (kind, id, content) VALUES (TG_ARGV[0], OLD.id, to_jsonb(OLD)) ON CONFLICT DO NOTHING;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE FUNCTION checkpost.keep_outcome_time() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF row_security_active(TG_RELID) THEN
    NEW.recorded_at := CASE TG_OP WHEN 'UPDATE' THEN OLD.recorded_at
      ELSE least(NEW.recorded_at, clock_timestamp()) END;
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.keep_receipt() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF row_security_active(TG_RELID) THEN
    NEW.server_received_at := OLD.server_received_at;
    NEW.created_at := OLD.created_at;
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.keep_unpaired() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    DELETE FROM unpaired u
      WHERE u.row_number IN (SELECT c.entry FROM came c UNION ALL SELECT c.exit FROM came c);
  ELSE
    INSERT INTO unpaired SELECT p.row_number FROM passages p
      WHERE p.row_number IN (SELECT g.entry FROM gone g UNION ALL SELECT g.exit FROM gone g)
        AND NOT EXISTS (SELECT FROM pairs x WHERE x.entry = p.row_number)
        AND NOT EXISTS (SELECT FROM pairs e WHERE e.exit = p.row_number)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.last_corrections(targets bigint[], OUT plate text, OUT raw_plate text, OUT vehicle_type text, OUT post text, OUT recorded_at timestamp with time zone, OUT photo_path text, OUT is_any boolean) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
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
      coalesce('=' || c.photo_path, '') COLLATE "C" DESC,
      coalesce('=' || c.withdrawal, '') COLLATE "C" DESC) AS age
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
CREATE FUNCTION checkpost.leave_place(called text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
  DELETE FROM further_ends f USING public.checkposts c WHERE c.id = f.post_id AND c.code = called;
  UPDATE public.checkposts SET segment_id = loose_segment(), position_index = 0 WHERE code = called
$$;
CREATE FUNCTION checkpost.let_go(numbers bigint[], moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  told change[];
  ids CONSTANT uuid[] := ARRAY(SELECT r.passage_id FROM records r WHERE r.number = ANY (numbers));
BEGIN
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
    WHERE v.entry_passage_id = ANY (ids) OR v.exit_passage_id = ANY (ids)));
  PERFORM set_config('checkpost.projecting', '', true);
END $$;
CREATE FUNCTION checkpost.lock_all() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock(7060, 0);
END $$;
CREATE FUNCTION checkpost.lock_for(plates text[], identities_named uuid[], few boolean DEFAULT true) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.lock_reports(named text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7066, l.post)
    FROM (SELECT DISTINCT hashtext(p) AS post FROM unnest(named) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
END $$;
CREATE FUNCTION checkpost.lock_rows(plates text[], identities_named uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  PERFORM lock_for(plates, identities_named, true);
END $$;
CREATE FUNCTION checkpost.lock_statement() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF NOT is_projecting() THEN PERFORM lock_all(); END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.lock_vehicles(plates text[], few boolean DEFAULT true) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.longest_at(it checkpost.place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  held record;
BEGIN
  IF it.old_at = '{}' THEN RETURN it.longests[s]; END IF;
  held := held_at(it, s, second);
  RETURN greatest(18000, 2 * (held.distance * 3600 / held.slowest));
END $$;
CREATE FUNCTION checkpost.look_again(entries bigint[], at_second bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.look_at(entries bigint[], moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.loose_segment() RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.make_partition(tab text, col text, month bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE TABLE public.sync_metadata (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    device_id text NOT NULL,
    last_sync_at timestamp with time zone,
    last_pull_at timestamp with time zone,
    pending_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE FUNCTION checkpost.mark_device(told public.sync_metadata, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  reached CONSTANT bigint := second_of(CASE WHEN told.last_sync_at > '-infinity'
    THEN least(greatest(told.last_sync_at, to_timestamp(0)), moment) END);
BEGIN
  INSERT INTO device_marks AS m (user_id, device_id, through, pending, received_at)
    VALUES (told.user_id, told.device_id, reached, coalesce(told.pending_count, 0), moment)
    ON CONFLICT (user_id, device_id) DO UPDATE SET through = reached, pending = excluded.pending,
      received_at = moment,
      went_back_at = CASE WHEN reached < m.through THEN moment ELSE m.went_back_at END
    WHERE m.received_at <= moment;
END $$;
CREATE FUNCTION checkpost.moment_of_writing() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN least(nullif(current_setting('checkpost.moment', true), '')::timestamptz, clock_timestamp());
EXCEPTION WHEN data_exception THEN RETURN clock_timestamp();
END $$;
CREATE FUNCTION checkpost.month_of(second bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  SELECT least(greatest((extract(year FROM t.at) - 1970) * 12 + extract(month FROM t.at) - 1, 0), 8191)::bigint
  FROM (SELECT to_timestamp(least(greatest(second, 0), 253402300799)) AT TIME ZONE 'UTC' AS at) AS t
$$;
CREATE FUNCTION checkpost.needs_person(doubts text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT doubts && ARRAY['by_text_alone', 'clocks', 'turned', 'impossible_speed']
$$;
CREATE FUNCTION checkpost.next_plates(after text, named text[], at_most integer) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS $$
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
CREATE FUNCTION checkpost.next_record(second bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF (SELECT s.partitions = 'month' FROM settings s) THEN
    RETURN month_of(second) << 40 | nextval('records_number_seq');
  END IF;
  RETURN nextval('records_number_seq');
END $$;
CREATE FUNCTION checkpost.note_done(moment timestamp with time zone, what text, who text, detail text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  INSERT INTO audit (at, kind, actor, detail) VALUES (moment, what, who, note_done.detail);
END $$;
CREATE FUNCTION checkpost.note_erasure(moment timestamp with time zone, who text, how_much text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  INSERT INTO audit (at, kind, actor, detail) VALUES (moment, 'vehicle_erased', who, how_much);
END $$;
CREATE FUNCTION checkpost.note_rows() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  last bigint;
  many bigint;
BEGIN
  IF (SELECT w.last_value FROM feed_until w) <= extract(epoch FROM clock_timestamp()) THEN RETURN NULL; END IF;
  WITH written AS (
    INSERT INTO feed (kind, id) SELECT TG_TABLE_NAME, t.id FROM told t RETURNING number)
  SELECT max(w.number), count(*) INTO last, many FROM written w;
  -- Now and then what is too old goes; whoever does it at the same time is not waited for.
  IF last / 1000 <> (last - many) / 1000 THEN
    DELETE FROM feed WHERE number IN (
      SELECT f.number FROM feed f WHERE f.number <= last - 100000
      ORDER BY f.number LIMIT 5000 FOR UPDATE SKIP LOCKED);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.origins_of(found checkpost.finding, targets bigint[], plates text[], seconds bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT coalesce(array_agg(n.target ORDER BY n.distance, n.target), '{}') FROM (
    SELECT t.target, min(greatest(found.entry_earliest - t.second, t.second - found.exit_latest, 0)) AS distance
    FROM unnest(targets, plates, seconds) AS t(target, plate, second)
    WHERE t.plate = found.plate AND t.target IS NOT NULL
    GROUP BY t.target ORDER BY 2, 1 LIMIT 4) AS n
$$;
CREATE FUNCTION checkpost.own_park() RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.person_of(profile uuid) RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
  SELECT coalesce((SELECT a.id FROM public.user_profiles u JOIN checkpost.accounts a ON a.phone = u.phone_number
    JOIN public.user_profiles o ON o.id = a.id WHERE u.id = profile), profile)
$$;
CREATE FUNCTION checkpost.photo_name(path text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT CASE WHEN n.name ~ '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$' THEN n.name COLLATE "C" END
  FROM (SELECT regexp_replace(path, '^passage-photos/', '')) AS n(name)
$_$;
CREATE FUNCTION checkpost.place_of(code text) RETURNS checkpost.place
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  kept place;
BEGIN
  SELECT (k.it).* INTO kept FROM known_places k WHERE k.post = code;
  RETURN CASE WHEN FOUND THEN kept ELSE found_place(code) END;
END $$;
CREATE FUNCTION checkpost.places_of(codes text[]) RETURNS checkpost.place[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  places place[];
  is_kept boolean;
BEGIN
  SELECT array_agg(DISTINCT k.it), count(*) = count(k.post) INTO places, is_kept
    FROM (SELECT DISTINCT unnest(codes) AS post) AS c LEFT JOIN known_places k ON k.post = c.post;
  IF is_kept THEN RETURN places; END IF;
  -- One at a time writes it down, and nobody waits for another one's.
  IF pg_try_advisory_xact_lock(7069, 0) THEN
    -- Of each that is judged together with one of them as well: the next row may be of it.
    INSERT INTO known_places AS k (post, it)
      SELECT c.post, found_place(c.post) FROM (SELECT DISTINCT unnest(posts_with(codes) || codes) AS post) AS c
      WHERE NOT EXISTS (SELECT FROM known_places o WHERE o.post = c.post) ORDER BY c.post COLLATE "C"
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN ARRAY(SELECT DISTINCT place_of(c.post) FROM unnest(codes) AS c(post) ORDER BY 1);
END $$;
CREATE FUNCTION checkpost.plates_of(identities_named uuid[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN (SELECT array_agg(p.plate) FROM (
    SELECT r.plate FROM identities i JOIN records r ON r.number = i.record
      WHERE i.client_id = ANY (identities_named)
    UNION SELECT r.received_plate FROM identities i JOIN records r ON r.number = i.record
      WHERE i.client_id = ANY (identities_named)
    UNION SELECT c.plate FROM corrections c
      WHERE c.client_id = ANY (identities_named) AND c.record IS NULL AND c.plate IS NOT NULL) AS p);
END $$;
CREATE FUNCTION checkpost.post_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
    DELETE FROM post_marks WHERE post = NEW.code;
    UPDATE post_marks SET post = NEW.code WHERE post = OLD.code;
  END IF;
  segments_named := segments_named || ARRAY(
    SELECT f.segment_id FROM further_ends f WHERE f.post_id = coalesce(NEW.id, OLD.id));
  posts := posts || ARRAY(
    SELECT e.code FROM segment_ends e WHERE e.segment_id = ANY (segments_named));
  PERFORM judge_posts(posts_with(posts), 'directory');
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.post_code(id uuid, called text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
BEGIN
  RETURN coalesce(
    (SELECT c.code FROM public.checkposts c WHERE c.id = coalesce($1, post_id(called))), called);
END $_$;
CREATE FUNCTION checkpost.post_id(code text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $_$
BEGIN
  RETURN coalesce(
    (SELECT c.id FROM public.checkposts c WHERE c.code = $1),
    (SELECT a.post_id FROM post_aliases a WHERE a.code = $1));
END $_$;
CREATE FUNCTION checkpost.post_renamed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.posts_with(codes text[]) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  found text[] := '{}';
  code text;
  it place;
BEGIN
  FOREACH code IN ARRAY codes LOOP
    CONTINUE WHEN code IS NULL OR code = ANY (found);
    it := place_of(code);
    found := found || it.posts;
  END LOOP;
  RETURN ARRAY(SELECT DISTINCT unnest(found));
END $$;
CREATE FUNCTION checkpost.project(numbers bigint[], moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.provincial(groups text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
  words CONSTANT text := coalesce((regexp_match(groups COLLATE "C", '^[A-Z]+(?: [A-Z]+)*'))[1], '');
  head CONSTANT text := replace(words, ' ', '');
  names CONSTANT text[] := ARRAY['KOSHI', 'KOSI', 'MADHESH', 'MADHES', 'MADESH', 'BAGMATI', 'BAGAMATI',
    'BAAGMATI', 'WAGMATI', 'VAGMATI', 'GANDAKI', 'LUMBINI', 'KARNALI', 'SUDURPASHCHIM', 'SUDURPASCHIM',
    'SUDOORPASHCHIM', 'SUDOORPASCHIM', 'SUDURPACHHIM'];
  numbers CONSTANT integer[] := ARRAY[1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7];
  brief CONSTANT text[] := ARRAY['KO', 'MA', 'BA', 'GA', 'LU', 'KA', 'SU'];
  made text[];
  province text;
  is_sure boolean := true;
  letters text := '';
  digits text[];
  serial text;
  more text;
  lot text;
  place integer;
BEGIN
  IF head = '' THEN RETURN NULL; END IF;
  made := regexp_match(head, '^(?:P|(?:PRADESH|PROVINCE|PROV|STATE|PRA)(?:NUMBER|NO)?)$');
  IF made IS NULL THEN
    -- A name that stands by itself is that one, whatever letters follow it.
    place := coalesce(
      array_position(names, split_part(words, ' ', 1)),
      array_position(names, replace((regexp_match(words COLLATE "C", '^[A-Z]+ [A-Z]+'))[1], ' ', '')),
      (SELECT min(n.place) FROM unnest(names) WITH ORDINALITY AS n(name, place) WHERE starts_with(head, n.name)));
    IF place IS NOT NULL THEN
      province := numbers[place]::text;
      letters := substr(head, length(names[place]) + 1);
      made := regexp_match(letters, '^(?:PRADESH|PROVINCE|PROV|STATE|PRA)(.*)$');
      is_sure := made IS NOT NULL;
      letters := coalesce(made[1], letters);
    ELSE
      made := regexp_match(head, '^(KO|MA|BA|GA|LU|KA|SU)(?:PRADESH|PROVINCE|PRA)(.*)$');
      IF made IS NULL THEN RETURN NULL; END IF;
      province := array_position(brief, made[1])::text;
      letters := made[2];
    END IF;
  END IF;
  made := regexp_match(substr(groups, length(words) + 1) COLLATE "C",
    '^((?: ?[0-9]+)*)((?: ?[A-Z]+)*)((?: ?[0-9]+)*)((?: ?[A-Z0-9]+)*)$');
  digits := array_remove(string_to_array(trim(made[1]), ' '), '');
  more := replace(made[4], ' ', '');
  IF province IS NULL THEN
    -- A digit by itself, or the first of a group that has the office too.
    IF cardinality(digits) = 0 OR digits[1] !~ '^[1-7]' THEN RETURN NULL; END IF;
    province := left(digits[1], 1);
    IF length(digits[1]) = 1 THEN
      digits := digits[2:];
    ELSIF cardinality(digits) = 1 OR (cardinality(digits) = 2 AND length(digits[1]) = 3) THEN
      digits[1] := substr(digits[1], 2);
    ELSE
      RETURN NULL;
    END IF;
    letters := replace(made[2], ' ', '');
    serial := replace(made[3], ' ', '');
  ELSIF letters <> '' THEN
    IF made[2] <> '' THEN RETURN NULL; END IF;
    serial := array_to_string(digits, '');
    digits := '{}';
  ELSE
    letters := replace(made[2], ' ', '');
    serial := replace(made[3], ' ', '');
  END IF;
  IF length(letters) BETWEEN 1 AND 4 AND length(serial) BETWEEN 1 AND 4 AND more = '' THEN
    lot := CASE WHEN cardinality(digits) = 2 AND length(digits[1]) <= 2 AND length(digits[2]) <= 3
      THEN lpad(digits[1], 2, '0') || lpad(digits[2], 3, '0') ELSE array_to_string(digits, '') END;
    IF length(lot) = 5 THEN
      RETURN 'P' || province || lot || letters || lpad(serial, 4, '0');
    END IF;
    IF lot = '' AND letters COLLATE "C" ~ '^[A-K][A-Z]{2}$'
      AND (is_sure OR letters !~ 'HA$' OR words COLLATE "C" ~ '(^| )[A-Z] [A-Z]{2}$')
    THEN
      RETURN 'P' || province || letters || lpad(serial, 4, '0');
    END IF;
  END IF;
  RETURN CASE WHEN is_sure AND (letters <> '' OR cardinality(digits) > 0)
    THEN 'P' || province || array_to_string(digits, '') || letters || serial || more END;
END $_$;
CREATE FUNCTION checkpost.put_aside(numbers bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  UPDATE records SET is_aside = true WHERE number = ANY (numbers) AND NOT is_aside;
END $$;
CREATE FUNCTION checkpost.put_earlier(called text, untils bigint[], distances bigint[], slowests bigint[], fastests bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  own uuid;
BEGIN
  SELECT id INTO own FROM known_segments WHERE name = called ORDER BY is_active DESC, created_at, id LIMIT 1;
  IF (SELECT array_agg(ARRAY[e.until, e.distance, e.slowest, e.fastest] ORDER BY e.until) FROM earlier_limits e
      WHERE e.segment_id = own)
    IS NOT DISTINCT FROM (SELECT array_agg(ARRAY[u.until, u.distance, u.slowest, u.fastest] ORDER BY u.until)
      FROM unnest(untils, distances, slowests, fastests) AS u(until, distance, slowest, fastest))
  THEN RETURN; END IF;
  PERFORM lock_all();
  DELETE FROM earlier_limits e WHERE e.segment_id = own;
  INSERT INTO earlier_limits (segment_id, until, distance, slowest, fastest)
    SELECT own, u.* FROM unnest(untils, distances, slowests, fastests) AS u;
  PERFORM judge_posts(
    posts_with(ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = own)), 'directory');
END $$;
CREATE FUNCTION checkpost.put_number(number text, post_name text, since timestamp with time zone, until timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  post CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = post_name);
BEGIN
  IF post IS NULL THEN
    RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO numbers (phone, post_id, valid_from, valid_until) VALUES (number, post, since, until)
    ON CONFLICT (phone, post_id) DO UPDATE SET valid_from = since, valid_until = until;
END $$;
CREATE FUNCTION checkpost.put_post(called text, full_name text, knows_place boolean, segment_names text[], at_ends bigint[], knows_phone boolean, number text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  own public.checkposts;
  target uuid;
  further uuid;
  segment_name CONSTANT text := segment_names[1];
  at_end smallint := at_ends[1];
  kept uuid[] := '{}';
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
  IF knows_place THEN
    FOR i IN 2..cardinality(segment_names) LOOP
      SELECT id INTO further FROM known_segments WHERE name = segment_names[i]
        ORDER BY is_active DESC, created_at, id LIMIT 1;
      IF further IS NULL THEN
        RAISE EXCEPTION 'there is no such segment' USING ERRCODE = 'foreign_key_violation';
      END IF;
      IF EXISTS (SELECT FROM segment_ends e WHERE e.segment_id = further AND e.position_index = at_ends[i]
        AND e.post_id <> own.id)
      THEN
        RAISE EXCEPTION 'another post stands at that end' USING ERRCODE = 'unique_violation';
      END IF;
      kept := kept || further;
      DELETE FROM further_ends f
        WHERE f.post_id = own.id AND f.segment_id = further AND f.position_index <> at_ends[i];
      INSERT INTO further_ends (segment_id, position_index, post_id) VALUES (further, at_ends[i], own.id)
        ON CONFLICT DO NOTHING;
    END LOOP;
    DELETE FROM further_ends f WHERE f.post_id = own.id AND f.segment_id <> ALL (kept);
  END IF;
  IF NOT knows_phone THEN RETURN; END IF;
  IF number IS NULL THEN
    DELETE FROM post_phones WHERE post_id = own.id;
  ELSE
    INSERT INTO post_phones (post_id, phone) VALUES (own.id, number)
      ON CONFLICT (post_id) DO UPDATE SET phone = number;
  END IF;
END $$;
CREATE FUNCTION checkpost.put_ranger(profile uuid, called text, number text, digits text, post_name text, since timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
  IF since IS NOT NULL THEN
    PERFORM assign_ranger(profile, post, suffix_of(number), since);
    -- Also of whom somebody else was thought to have written down.
    PERFORM project(ARRAY(
      SELECT p.row_number FROM passages p
      JOIN public.checkposts c ON c.code = p.post COLLATE "default"
      JOIN ranger_assignments a ON a.post_id = c.id AND a.suffix = p.suffix
      WHERE a.ranger = profile AND p.rangers = '{}'), clock_timestamp());
  END IF;
  RETURN profile;
END $$;
CREATE FUNCTION checkpost.put_right(target bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  before records;
  after records;
BEGIN
  SELECT * INTO before FROM records WHERE number = target;
  SELECT * INTO after FROM records WHERE number = target;
  after.is_founded := EXISTS (SELECT FROM observations o WHERE o.record = target AND is_founded(o));
  SELECT post_code(
      CASE WHEN c.post IS NULL THEN before.received_post_id END, coalesce(c.post, before.received_post)),
    coalesce(c.plate, before.received_plate),
    coalesce(second_of(c.recorded_at), before.received_second),
    -- What was withdrawn is judged no more than what has no time.
    NOT EXISTS (SELECT FROM corrections w WHERE w.record = target AND w.withdrawal IS NOT NULL)
      AND (c.recorded_at IS NOT NULL OR EXISTS (
        SELECT FROM observations o WHERE o.record = target AND NOT o.is_clock_unset
          AND is_founded(o) = after.is_founded))
    INTO after.post, after.plate, after.second, after.is_dated
    FROM last_corrections(ARRAY[target]) c;
  IF (before.post, before.plate, before.second, before.is_dated, before.is_founded)
    <> (after.post, after.plate, after.second, after.is_dated, after.is_founded)
  THEN
    UPDATE records SET post = after.post, plate = after.plate, second = after.second,
      is_dated = after.is_dated, is_founded = after.is_founded WHERE number = target;
  END IF;
  PERFORM touch(target, before.plate, before.post, before.second);
  IF (before.plate, before.post, before.second) <> (after.plate, after.post, after.second) THEN
    PERFORM touch(target, after.plate, after.post, after.second);
  END IF;
END $$;
CREATE FUNCTION checkpost.put_row_trigger(name text, event text, tab text, what text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH ROW WHEN (current_user <> %L OR '
    || 'coalesce(current_setting(%L, true), %L) = %L) EXECUTE FUNCTION %I()',
    name, event, tab, current_user, 'checkpost.projecting', '', '', what);
END $$;
CREATE FUNCTION checkpost.put_segment(called text, metres bigint, slow bigint, fast bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.put_statement_trigger(name text, event text, tab text, what text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH STATEMENT WHEN (current_user <> %L OR '
    || 'coalesce(current_setting(%L, true), %L) = %L) EXECUTE FUNCTION %I()',
    name, event, tab, current_user, 'checkpost.projecting', '', '', what);
END $$;
CREATE FUNCTION checkpost.put_violations(numbers bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.violations AS v (id, entry_passage_id, exit_passage_id, segment_id, violation_type,
      plate_number, vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes,
      calculated_speed_kmh, speed_limit_kmh, distance_km, finality, doubts)
    SELECT s.uuid, a.id, b.id, h.id, (s.found).kind, a.plate_number, a.vehicle_type, a.recorded_at, b.recorded_at,
      round((s.found).seconds / 60.0, 2),
      CASE WHEN o.until IS NOT NULL
          THEN round(o.distance * 60.0 / CASE (s.found).kind WHEN 'speeding' THEN o.fastest ELSE o.slowest END, 2)
        WHEN (s.found).kind = 'speeding' THEN h.min_travel_time_minutes ELSE h.max_travel_time_minutes END,
      -- As much as the column takes: two posts may have seen it in one second.
      least(9999.99, round(coalesce(round(o.distance / 1000.0, 2), h.distance_km) * 3600
        / greatest((s.found).seconds, 1), 2)),
      CASE (s.found).kind WHEN 'speeding' THEN coalesce(round(o.fastest / 1000.0, 2), h.max_speed_kmh)
        ELSE coalesce(round(o.slowest / 1000.0, 2), h.min_speed_kmh) END,
      coalesce(round(o.distance / 1000.0, 2), h.distance_km), s.finality, (s.found).doubts
    FROM violations s
    JOIN records e ON e.number = s.entry
    JOIN records x ON x.number = (s.found).exit
    JOIN public.vehicle_passages a ON a.id = e.passage_id
    JOIN public.vehicle_passages b ON b.id = x.passage_id
    JOIN public.highway_segments h
      ON h.id = segment_between((s.found).entry_post, (s.found).exit_post, (s.found).segment)
    -- What held when the vehicle came, where that is something else.
    LEFT JOIN LATERAL (
      SELECT e.* FROM earlier_limits e WHERE e.segment_id = h.id AND e.until > (s.found).entry_earliest
        ORDER BY e.until LIMIT 1) o ON true
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
CREATE FUNCTION checkpost.raise_alerts(entries bigint[], moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.ranger_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $_$
DECLARE
  nobody CONSTANT uuid := (SELECT unknown_ranger FROM settings);
  digits CONSTANT text := suffix_of(NEW.phone_number);
  numbers bigint[];
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.phone_number, NEW.assigned_checkpost_id, NEW.full_name)
    IS NOT DISTINCT FROM (OLD.phone_number, OLD.assigned_checkpost_id, OLD.full_name)
  THEN RETURN NULL; END IF;
  PERFORM assign_ranger(NEW.id, NEW.assigned_checkpost_id, digits, NULL);
  IF nobody IS NULL THEN
    -- They have no row.
    numbers := ARRAY(
      SELECT p.row_number FROM passages p
      JOIN public.checkposts c ON c.code = p.post COLLATE "default"
      WHERE (c.id = NEW.assigned_checkpost_id AND p.suffix = digits
          OR NEW.full_name = ANY (p.rangers) OR NEW.id::text = ANY (p.rangers))
        AND NOT EXISTS (
          SELECT FROM records r JOIN public.vehicle_passages v ON v.id = r.passage_id
          WHERE r.number = p.row_number));
  ELSE
    -- The profile as a constant, so that the index of those rows is used, which are few.
    EXECUTE format('SELECT array_agg(p.row_number) FROM public.vehicle_passages v '
      'JOIN checkpost.records r ON r.passage_id = v.id JOIN checkpost.passages p ON p.row_number = r.number '
      'WHERE v.ranger_id = %L AND (v.checkpost_id = $1 AND p.suffix = $2 '
        'OR $3 = ANY (p.rangers) OR $4 = ANY (p.rangers))', nobody)
      INTO numbers USING NEW.assigned_checkpost_id, digits, NEW.full_name, NEW.id::text;
  END IF;
  IF cardinality(numbers) > 0 THEN PERFORM project(numbers, clock_timestamp()); END IF;
  RETURN NULL;
END $_$;
CREATE FUNCTION checkpost.ranger_meant(post uuid, digits text, moment timestamp with time zone) RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
  SELECT m.rangers[1] FROM (
    SELECT CASE WHEN bool_or(a.was) THEN array_agg(DISTINCT a.ranger) FILTER (WHERE a.was)
      WHEN bool_and(coalesce(a.since > moment, false)) THEN
        array_agg(DISTINCT a.ranger) FILTER (WHERE a.since = a.first)
      ELSE array_agg(DISTINCT a.ranger) END AS rangers
    FROM (
      SELECT b.ranger, b.since, min(b.since) OVER () AS first,
        coalesce(b.since <= moment, true) AND coalesce(moment < b.until, true) AS was
      FROM checkpost.ranger_assignments b WHERE b.post_id = post AND b.suffix = digits) AS a) AS m
  WHERE cardinality(m.rangers) = 1
$$;
CREATE FUNCTION checkpost.ranger_of(rangers text[], post uuid, suffix text, moment timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $$
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
  who := checkpost.ranger_meant(post, suffix, moment);
  RETURN CASE WHEN who IS NOT NULL THEN checkpost.person_of(who) END;
END $$;
CREATE FUNCTION checkpost.read_plate(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
  made text;
BEGIN
  IF octet_length(plate) > 200 THEN RETURN NULL; END IF;
  made := checkpost.compact(plate);
  RETURN CASE WHEN made COLLATE "C" ~ '^[0-9A-Z]{2,20}$' THEN made END;
END $_$;
CREATE FUNCTION checkpost.receipt_of(moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
BEGIN
  -- Nearly always it is now.
  IF moment >= to_timestamp(0) AND (moment <= clock_timestamp()
    OR moment <= clock_timestamp() + make_interval(secs => (SELECT s.ahead FROM settings s)))
  THEN RETURN moment; END IF;
  RETURN clock_timestamp();
END $$;
CREATE FUNCTION checkpost.receive(report checkpost.observations, meant uuid, is_row boolean, moment timestamp with time zone, OUT target bigint, OUT reception text, OUT is_news boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
          plate, second, is_dated, is_founded, row_number, passage_id, last_at, client_id, inbox_id, inserted_at)
        OVERRIDING SYSTEM VALUE
        VALUES (target, report.post, report.plate, key_second, meant, post_code(meant, report.post),
          report.plate, key_second, NOT report.is_clock_unset, is_founded(report), target,
          free_name(report, is_row), moment, report.client_id, report.inbox_id, moment);
    END IF;
  END IF;
  IF reception <> 'new' THEN
    UPDATE records SET times = times + 1, last_at = greatest(last_at, moment) WHERE number = target;
    -- Of very many reports of one record it is only counted how many there were; and however many texts there are
    -- that nobody proved, there is room for the others.
    is_full := (SELECT count(*) >= 64 FROM observations o
      WHERE o.record = target AND is_founded(o) = is_founded(report));
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
CREATE FUNCTION checkpost.refuse_audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'what was done is not changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION checkpost.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a received message is not changed' USING ERRCODE = 'check_violation';
END $$;
CREATE FUNCTION checkpost.refuse_expired() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a passage is from a time of which nothing is kept any more'
    USING ERRCODE = 'check_violation', TABLE = 'vehicle_passages',
      CONSTRAINT = 'vehicle_passages_recorded_at_check';
END $$;
CREATE FUNCTION checkpost.refuse_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a key stays what it is, and revoked' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION checkpost.refuse_move() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF (NEW.checkpost_id <> OLD.checkpost_id OR NEW.ranger_id <> OLD.ranger_id) AND row_security_active(TG_RELID) AND NOT EXISTS (
      SELECT FROM public.user_profiles u WHERE u.id = auth.uid() AND u.role = 'admin' AND u.is_active) THEN
    RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', HINT = 'Ask central to move the passage.';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.refuse_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
  -- In nobody's name but their own.
  IF NOT may_insert OR NEW.ranger_id IS DISTINCT FROM auth.uid() AND row_security_active(TG_RELID) AND NOT EXISTS (
      SELECT FROM public.user_profiles u WHERE u.id = auth.uid() AND u.role = 'admin' AND u.is_active) THEN
    RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- When it came, nobody knows better than the server.
  NEW.server_received_at := clock_timestamp();
  NEW.created_at := NEW.server_received_at;
  RETURN NEW;
END $_$;
CREATE FUNCTION checkpost.refuse_session() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'an ended session does not begin again' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION checkpost.refuse_value(col text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "vehicle_passages" violates check constraint "vehicle_passages_%_check"', col
    USING ERRCODE = 'check_violation', SCHEMA = 'public', TABLE = 'vehicle_passages', COLUMN = col,
      CONSTRAINT = 'vehicle_passages_' || col || '_check';
END $$;
CREATE FUNCTION checkpost.rejudge(window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint, segments_named text[], segment_windows bigint[], everything boolean, at_most integer, moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint, is_done boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  todo rejudging;
  again boolean;
BEGIN
  PERFORM check_isolation();
  again := configure(window_seconds, pairing, stay, provisional, fastest_speed, segments_named, segment_windows)
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
CREATE TABLE checkpost.rejudging (
    only_one boolean DEFAULT true NOT NULL,
    cause text,
    posts text[],
    after_plate text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT rejudging_cause_check CHECK ((cause = ANY (ARRAY['arrival'::text, 'correction'::text, 'directory'::text, 'rules'::text]))),
    CONSTRAINT rejudging_only_one_check CHECK (only_one)
);
CREATE FUNCTION checkpost.rejudge_step(todo checkpost.rejudging, at_most integer, moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint, is_done boolean)
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.rename_post() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  UPDATE accounts SET checkpost = NEW.code WHERE checkpost = OLD.code;
  UPDATE api_keys SET checkpost = NEW.code WHERE checkpost = OLD.code;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.report(code text, through bigint, received_at timestamp with time zone, moment timestamp with time zone, way text DEFAULT 'text'::text) RETURNS TABLE(kind text, entry bigint, other bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  named CONSTANT text := post_code(post_id(code), code);
  before bigint;
  after bigint := least(through, second_of(received_at));
  awaited bigint[];
  others CONSTANT text[] := array_remove((place_of(named)).posts, named);
BEGIN
  PERFORM check_isolation();
  -- With those of the other ends, which settling asks for: two posts that report at once wait for each other in one
  -- order.
  PERFORM pg_advisory_xact_lock(7066, l.post)
    FROM (SELECT DISTINCT hashtext(p) AS post FROM unnest(others || named) AS p ORDER BY 1) AS l;
  INSERT INTO post_marks AS m (post, way, through, received_at)
    VALUES (named, report.way, after, report.received_at)
    ON CONFLICT ON CONSTRAINT post_marks_pkey DO UPDATE SET through = excluded.through,
      received_at = excluded.received_at,
      went_back_at = CASE WHEN m.way = 'text' AND excluded.through < m.through THEN excluded.received_at
        ELSE m.went_back_at END
    WHERE m.received_at <= excluded.received_at;
  IF NOT FOUND THEN RETURN; END IF;
  after := (SELECT max(m.through) FROM post_marks m WHERE m.post = named);
  SELECT r.through INTO before FROM post_reports r WHERE r.post = named;
  IF after = before THEN RETURN; END IF;
  INSERT INTO post_reports AS r (post, through) VALUES (named, after)
    ON CONFLICT (post) DO UPDATE SET through = excluded.through;
  IF after < before THEN RETURN; END IF;
  -- What waited for it is among the seconds that this covers and the one before did not.
  before := coalesce(before, -9223372036854775807);
  awaited := ARRAY(
    SELECT v.entry FROM violations v WHERE (v.found).entry_post = named AND v.entry_needs >= before
      AND v.entry_needs < after
    UNION SELECT v.entry FROM violations v WHERE (v.found).exit_post = named AND v.exit_needs >= before
      AND v.exit_needs < after);
  -- One between two others of a place waits for it as well, up to its exit; what the entry's post has to report
  -- past is never less.
  IF cardinality(others) > 1 THEN
    awaited := awaited || ARRAY(
      SELECT v.entry FROM violations v WHERE (v.found).entry_post = ANY (others)
        AND (v.found).exit_post = ANY (others) AND v.entry_needs >= before
        AND (v.found).exit_latest >= before AND (v.found).exit_latest < after);
  END IF;
  RETURN QUERY SELECT t.* FROM unnest(settle_shown(awaited, moment)) AS t;
  awaited := ARRAY(SELECT w.entry FROM waiting w
    WHERE w.is_told AND w.opposite = named AND w.due_at >= before AND w.due_at < after);
  RETURN QUERY SELECT t.* FROM unnest(look_at(awaited, moment)) AS t;
END $$;
CREATE FUNCTION checkpost.report_devices(users uuid[], moment timestamp with time zone) RETURNS TABLE(kind text, entry bigint, other bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  each record;
BEGIN
  FOR each IN
    WITH told AS (
      SELECT c.code, m.pending, m.through - coalesce(d.seconds, 0) AS through, m.received_at, max(m.received_at) OVER (PARTITION BY c.code) AS newest
      FROM device_marks m JOIN public.user_profiles u ON u.id = m.user_id
        JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
        LEFT JOIN device_clocks d ON d.user_id = m.user_id AND d.device_id = m.device_id::text
      WHERE m.through IS NOT NULL AND (users IS NULL OR c.id IN (
        SELECT p.assigned_checkpost_id FROM public.user_profiles p WHERE p.id = ANY (users))))
    SELECT t.code, min(t.through) AS through FROM told t
    WHERE t.received_at > t.newest - interval '7 days'
    GROUP BY t.code HAVING max(t.pending) = 0 ORDER BY t.code
  LOOP
    -- Who said so before is not asked again, so that nobody waits for a post that is not meant.
    CONTINUE WHEN EXISTS (SELECT FROM post_marks r
      WHERE r.post = each.code AND r.way = 'devices' AND r.through = least(each.through, second_of(moment)));
    RETURN QUERY SELECT r.* FROM report(each.code, each.through, moment, moment, 'devices') AS r;
  END LOOP;
END $$;
CREATE TABLE public.vehicle_passages (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    client_id uuid NOT NULL,
    plate_number text NOT NULL,
    plate_number_raw text,
    vehicle_type text NOT NULL,
    checkpost_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    server_received_at timestamp with time zone DEFAULT now() NOT NULL,
    ranger_id uuid NOT NULL,
    photo_path text,
    source text DEFAULT 'app'::text NOT NULL,
    matched_passage_id uuid,
    is_entry boolean,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT vehicle_passages_source_check CHECK ((source = ANY (ARRAY['app'::text, 'sms'::text]))),
    CONSTRAINT vehicle_passages_vehicle_type_check CHECK ((vehicle_type = ANY (ARRAY['car'::text, 'jeep'::text, 'pickup'::text, 'van'::text, 'minibus'::text, 'bus'::text, 'truck'::text, 'tanker'::text, 'motorcycle'::text, 'other'::text])))
)
WITH (fillfactor='90');
CREATE FUNCTION checkpost.report_of(v public.vehicle_passages) RETURNS checkpost.observations
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  plate CONSTANT text := read_plate(v.plate_number);
  -- Of a row that was there before the triggers it counts as it stands.
  at CONSTANT timestamptz := CASE WHEN is_moment(v.server_received_at) THEN v.server_received_at
    ELSE clock_timestamp() END;
  report observations;
BEGIN
  IF plate IS NULL OR v.client_id IS NULL OR NOT is_moment(v.recorded_at) OR v.vehicle_type NOT IN ('car', 'jeep',
    'pickup', 'van', 'minibus', 'bus', 'truck', 'tanker', 'motorcycle', 'other')
  THEN RETURN NULL; END IF;
  SELECT c.code, u.id::text, suffix_of(u.phone_number) INTO report.post, report.ranger, report.suffix
    FROM public.checkposts c JOIN public.user_profiles u ON u.id = v.ranger_id WHERE c.id = v.checkpost_id;
  IF NOT FOUND OR v.vehicle_type IS NULL THEN RETURN NULL; END IF;
  report.client_id := v.client_id;
  report.plate := plate;
  report.raw_plate := coalesce(nullif(left(v.plate_number_raw, 200), ''), v.plate_number);
  report.vehicle_type := CASE v.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE v.vehicle_type END;
  report.recorded_at := v.recorded_at;
  report.photo_path := v.photo_path;
  report.channel := CASE v.source WHEN 'sms' THEN 'text' ELSE 'upload' END;
  report.is_proven := v.source IS DISTINCT FROM 'sms';
  report.received_at := at;
  report.clock_seconds := told_clock(v.client_id);
  report.is_clock_unset := is_unset(v.recorded_at, at);
  report.own_row := v.id;
  RETURN report;
END $$;
CREATE FUNCTION checkpost.rows_to_write(made checkpost.judgement, changed bigint[], rows_left bigint[], is_all boolean) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
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
CREATE FUNCTION checkpost.second_of(moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT floor(extract(epoch FROM moment AT TIME ZONE 'UTC'))::bigint $$;
CREATE FUNCTION checkpost.sees_passage(passage uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = passage);
END $$;
CREATE FUNCTION checkpost.segment_between(one text, other text, called text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN coalesce(
    (SELECT a.segment_id FROM segment_ends a JOIN segment_ends b ON b.segment_id = a.segment_id
      JOIN known_segments k ON k.id = a.segment_id
      WHERE a.code = one AND b.code = other AND one <> other
      ORDER BY k.name = called DESC, k.name COLLATE "C", k.id LIMIT 1),
    (SELECT c.segment_id FROM public.checkposts c WHERE c.code = one));
END $$;
CREATE FUNCTION checkpost.segment_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF (NEW.name, NEW.distance_km, NEW.max_speed_kmh, NEW.min_speed_kmh)
    IS DISTINCT FROM (OLD.name, OLD.distance_km, OLD.max_speed_kmh, OLD.min_speed_kmh)
  THEN
    PERFORM judge_posts(
      posts_with(ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = NEW.id)), 'directory');
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION checkpost.set_aside(ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.set_aside_violations(ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF cardinality(ids) = 0 THEN RETURN; END IF;
  WITH gone AS (
    DELETE FROM public.violations v WHERE v.id = ANY (ids) AND NOT EXISTS (
      SELECT FROM public.violation_outcomes o WHERE o.violation_id = v.id)
    RETURNING v.*)
  INSERT INTO removed (kind, id, content) SELECT 'violation', g.id, to_jsonb(g) FROM gone g;
  UPDATE public.violations SET is_retracted = true WHERE id = ANY (ids) AND NOT is_retracted;
END $$;
CREATE FUNCTION checkpost.settle(entries bigint[], moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  told change[];
BEGIN
  PERFORM lock_reports(posts_with(ARRAY(
    SELECT (v.found).entry_post FROM violations v WHERE v.entry = ANY (entries)
    UNION SELECT (v.found).exit_post FROM violations v WHERE v.entry = ANY (entries))));
  WITH wanted AS (
    SELECT v.*, NOT v.is_retracted
        AND NOT (needs_person((v.found).doubts) AND v.confirmed_at IS NULL) AS is_open
    FROM violations v WHERE v.entry = ANY (entries)
  ),
  places AS MATERIALIZED (
    SELECT p.post, place_of(p.post) AS it FROM (SELECT DISTINCT (w.found).exit_post AS post FROM wanted w) AS p
  ),
  needs AS (
    SELECT w.entry, w.finality AS before, w.is_open, w.found, w.since, (p.it).posts AS posts,
      greatest((w.found).exit_latest, (w.found).entry_earliest + (p.it).ranger_window,
        CASE WHEN (w.found).is_far THEN (w.found).exit_latest
          + (p.it).longests[stretch(p.it, (w.found).entry_post, (w.found).exit_post)] END) AS at_entry,
      (w.found).exit_earliest + (p.it).ranger_window AS at_exit,
      w.since + make_interval(secs => s.provisional_for) AS unreported
    FROM wanted w JOIN places p ON p.post = (w.found).exit_post CROSS JOIN settings s
  ),
  settled AS (
    SELECT n.*, CASE
      WHEN NOT n.is_open THEN 'provisional'
      WHEN n.before = 'reported' THEN 'reported'
      WHEN x.through > n.at_exit AND e.through > n.at_entry AND NOT EXISTS (
        SELECT FROM unnest(n.posts) AS o(post) LEFT JOIN post_reports r ON r.post = o.post
        WHERE o.post NOT IN ((n.found).entry_post, (n.found).exit_post)
          AND (r.through > (n.found).exit_latest) IS NOT TRUE) THEN 'reported'
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
CREATE FUNCTION checkpost.settle_shown(entries bigint[], moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.shortened(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
  IF plate COLLATE "C" !~ '^(P[1-7]|[A-Z]{3})' THEN RETURN plate; END IF;
  RETURN coalesce(
    checkpost.provincial(trim(regexp_replace(plate COLLATE "C", '([A-Z]+|[0-9]+)', '\1 ', 'g'))), plate);
END $$;
CREATE FUNCTION checkpost.show_account() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
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
CREATE FUNCTION checkpost.show_alerts(numbers bigint[], moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  -- Nearly always there is none.
  IF EXISTS (SELECT FROM alerts a WHERE a.entry = ANY (numbers)) THEN
  INSERT INTO public.proactive_overstay_alerts AS v (id, entry_passage_id, segment_id, plate_number,
      vehicle_type, entry_time, expected_exit_by, resolved, resolved_at, resolved_by_passage_id)
    SELECT derived_id('alert', p.id::text), p.id, coalesce(segment_between(a.post, a.opposite, NULL), p.segment_id),
      p.plate_number, p.vehicle_type,
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
  END IF;
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
CREATE FUNCTION checkpost.show_passages(numbers bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.show_violations(numbers bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM set_aside_violations(ARRAY(
    SELECT v.id FROM public.violations v JOIN records r ON r.passage_id = v.entry_passage_id
    WHERE r.number = ANY (numbers) AND NOT EXISTS (
      SELECT FROM violations s WHERE s.entry = r.number AND NOT s.is_retracted)));
  PERFORM put_violations(numbers);
END $$;
CREATE FUNCTION checkpost.shown(numbers bigint[]) RETURNS TABLE(id uuid, client_id uuid, plate text, raw_plate text, vehicle_type text, post uuid, segment uuid, recorded_at timestamp with time zone, received_at timestamp with time zone, ranger uuid, photo_path text, source text, partner uuid, is_entry boolean)
    LANGUAGE sql STABLE
    AS $$
  WITH p AS MATERIALIZED (
    -- When it was matters where the digits meant several, one after the other; else one answer does for all that
    -- came together.
    SELECT p.*, c.id AS post_id, c.segment_id,
      CASE WHEN uuid_of(p.rangers[1]) IS NULL AND EXISTS (
          SELECT FROM ranger_assignments a WHERE a.post_id = c.id AND a.suffix = p.suffix OFFSET 1)
        THEN CASE WHEN p.is_dated THEN p.recorded_at ELSE p.first_received_at END END AS moment
    FROM passages p
    JOIN public.checkposts c ON c.code = p.post COLLATE "default"
    WHERE p.row_number = ANY (numbers)),
  who AS MATERIALIZED (
    SELECT w.*, ranger_of(w.rangers, w.post_id, w.suffix, w.moment) AS id
    FROM (SELECT DISTINCT p.rangers, p.post_id, p.suffix, p.moment FROM p) AS w)
  SELECT r.passage_id, r.client_id, p.plate, p.raw_plate, shown_type(p.vehicle_type), p.post_id, p.segment_id,
    p.recorded_at, p.first_received_at, who.id, p.photo_path,
    CASE WHEN p.channels = ARRAY['text'] THEN 'sms' ELSE 'app' END,
    b.passage_id, CASE WHEN b.number IS NOT NULL THEN x.exit IS NOT NULL END
  FROM p
  JOIN records r ON r.number = p.row_number
  JOIN who ON (who.rangers, who.post_id, who.suffix) = (p.rangers, p.post_id, p.suffix)
    AND who.moment IS NOT DISTINCT FROM p.moment
  LEFT JOIN pairs x ON x.entry = p.row_number
  LEFT JOIN pairs e ON e.exit = p.row_number
  LEFT JOIN records b ON b.number = coalesce(x.exit, e.entry)
$$;
CREATE FUNCTION checkpost.shown_type(kind text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE kind WHEN 'jeep_suv' THEN 'jeep' WHEN 'auto_rickshaw' THEN 'other' WHEN 'tractor' THEN 'other'
    ELSE kind END
$$;
CREATE FUNCTION checkpost.span_of(vehicle text, it checkpost.place, low bigint, high bigint) RETURNS checkpost.span
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  read_low bigint := low;
  read_high bigint := high;
  reach bigint;
  seconds bigint[];
  posts text[];
  founded boolean[];
  is_plain boolean;
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
    SELECT array_agg(r.second ORDER BY r.second, r.post), array_agg(r.post::text ORDER BY r.second, r.post),
        array_agg(r.is_founded ORDER BY r.second, r.post), coalesce(bool_and(r.is_founded), true)
      INTO seconds, posts, founded, is_plain
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
    found := ROW(NULL, NULL, NULL, NULL)::span;
    edge := low;
    edge_post := NULL;
    FOR i IN REVERSE below..1 LOOP
      IF edge - it.pairing_window > seconds[i]
        OR is_plain AND (cardinality(it.names) = 1 AND edge - it.longests[1] > seconds[i]
            AND edge + it.ranger_window < low AND begins_travel(it, seconds[:below], posts[:below], i + 1)
          OR posts[i] = edge_post AND read_low <= seconds[i] - it.ranger_window
            AND is_clear(it, seconds, posts, i, edge))
        OR NOT is_plain AND i < below AND is_cut(it, seconds, posts, founded, 1, i + 1, below, read_low, low)
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
      IF is_plain AND (cardinality(it.names) = 1 AND seconds[i] - it.longests[1] > edge
            AND seconds[i] + it.ranger_window <= read_high AND begins_travel(it, seconds, posts, i)
          OR i > above AND posts[i - 1] = posts[i] AND high < edge - it.ranger_window
            AND is_clear(it, seconds[above:], posts[above:], i - above, seconds[i]))
        OR NOT is_plain AND is_cut(it, seconds, posts, founded, above, i, cardinality(seconds), high + 1,
          read_high + 1)
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
    IF found.low IS NOT NULL AND found.high IS NOT NULL THEN
      found.ahead := CASE WHEN found.ends_in_gap THEN found.high ELSE read_high END;
      RETURN found;
    END IF;
  END LOOP;
END $$;
CREATE FUNCTION checkpost.stands_alone(target bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  it records;
  window_seconds bigint;
  first bigint;
  next bigint;
BEGIN
  SELECT * INTO it FROM records WHERE number = target;
  IF NOT it.is_dated THEN RETURN true; END IF;
  window_seconds := (place_of(it.post)).ranger_window;
  IF NOT it.is_founded THEN
    RETURN NOT EXISTS (
      SELECT FROM records r WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated AND r.number <> target
        AND r.second BETWEEN it.second - window_seconds AND it.second + window_seconds);
  END IF;
  first := it.second;
  LOOP
    SELECT min(r.second) INTO next FROM records r
      WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated AND r.is_founded
        AND r.second >= first - window_seconds AND r.second < first;
    EXIT WHEN next IS NULL;
    first := next;
  END LOOP;
  LOOP
    SELECT min(r.second) INTO next FROM records r
      WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated AND r.is_founded
        AND r.second > first + window_seconds AND r.second <= it.second;
    EXIT WHEN next IS NULL;
    first := next;
  END LOOP;
  RETURN NOT EXISTS (
    SELECT FROM records r WHERE r.plate = it.plate AND r.post = it.post AND r.is_dated AND r.number <> target
      AND r.second BETWEEN CASE WHEN r.is_founded THEN first ELSE first - window_seconds END
        AND first + window_seconds);
END $$;
CREATE FUNCTION checkpost.stretch(it checkpost.place, one text, other text) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  IF one = other THEN RETURN 0; END IF;
  FOR i IN 1..cardinality(it.names) LOOP
    IF it.firsts[i] = one AND it.seconds[i] = other OR it.firsts[i] = other AND it.seconds[i] = one THEN
      RETURN i;
    END IF;
  END LOOP;
  RETURN 0;
END $$;
CREATE FUNCTION checkpost.suffix_of(phone text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT right('0000' || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 4)
$$;
CREATE FUNCTION checkpost.take(places integer[], client_ids uuid[], posts text[], plates text[], raw_plates text[], vehicle_types text[], recorded timestamp with time zone[], rangers text[], suffixes text[], photo_paths text[], channels text[], proven boolean[], received timestamp with time zone[], clocks bigint[], unset boolean[], inbox_ids bigint[], own_rows uuid[], right_places integer[], corrected uuid[], right_plates text[], right_raw_plates text[], right_types text[], right_posts text[], right_times timestamp with time zone[], authors text[], made timestamp with time zone[], right_photos text[], withdrawals text[], moment timestamp with time zone) RETURNS TABLE(place integer, record bigint, reception text, is_news boolean, row_number bigint, passage uuid, client uuid, kind text, entry bigint, other bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
        made[right_k], right_photos[right_k], withdrawals[right_k])::corrections;
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
          plate, second, is_dated, is_founded, row_number, passage_id, last_at, client_id, inbox_id, inserted_at)
        OVERRIDING SYSTEM VALUE
        SELECT f.number, f.post, f.plate, second_of(f.recorded_at), m.id, m.code, f.plate,
          second_of(f.recorded_at), NOT f.is_unset, f.is_proven OR f.channel <> 'text', f.number, coalesce(f.own_row, f.client_id), moment,
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
CREATE FUNCTION checkpost.take_plain(report checkpost.observations, meant uuid, moment timestamp with time zone, OUT is_taken boolean, OUT partner uuid, OUT is_entry boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  key_second CONSTANT bigint := second_of(report.recorded_at);
  target bigint;
  it place;
  near record;
  is_alone boolean;
  ahead integer := 0;
  due_in bigint := 0;
BEGIN
  is_taken := false;
  IF report.is_clock_unset OR NOT is_founded(report) OR report.own_row IS NULL
    OR is_named(report.client_id, report.own_row)
  THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(7061, (hashtextextended(report.plate, 7061) & 1023)::integer);
  SELECT (k.it).* INTO it FROM known_places k WHERE k.post = report.post;
  IF NOT FOUND THEN it := (places_of(ARRAY[report.post]))[1]; END IF;
  IF is_named(report.client_id, report.own_row) OR is_expired(key_second)
    OR EXISTS (SELECT FROM records r WHERE r.received_plate = report.plate AND r.received_post = report.post
      AND r.received_second = key_second)
  THEN RETURN; END IF;
  SELECT count(*) AS count, min(r.passage_id::text)::uuid AS row, min(r.second) AS second, min(r.post) AS post,
      coalesce(bool_or(r.post = report.post AND abs(r.second - key_second) <= it.ranger_window), false) AS is_same
    INTO near FROM records r
    WHERE r.plate = report.plate
      AND r.second BETWEEN key_second - it.pairing_window AND key_second + it.pairing_window;
  -- Another ranger may have written the same passage down.
  IF near.is_same THEN RETURN; END IF;
  is_alone := near.count = 0;
  IF is_alone THEN
    -- Where it may go several ways, the slowest of them counts.
    FOR s IN 1..cardinality(it.names) LOOP
      CONTINUE WHEN report.post NOT IN (it.firsts[s], it.seconds[s]);
      IF ahead = 0 OR due_after(it, s, key_second) > due_in THEN
        ahead := s;
        due_in := due_after(it, s, key_second);
      END IF;
    END LOOP;
    is_alone := ahead = 0 OR second_of(moment) < key_second + due_in;
  END IF;
  is_taken := true;
  target := next_record(key_second);
  IF NOT is_alone THEN
    WITH made AS (
      INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
          plate, second, is_founded, row_number, passage_id, last_at, client_id, inserted_at)
        OVERRIDING SYSTEM VALUE
        VALUES (target, report.post, report.plate, key_second, meant, report.post, report.plate, key_second,
          true, target, report.own_row, moment, report.client_id, moment)),
    linked AS (
      INSERT INTO identities (client_id, record) VALUES (report.client_id, target))
    INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
        suffix, photo_path, channel, is_proven, received_at, clock_seconds, inserted_at, own_row)
      VALUES (target, report.client_id, report.post, report.plate, report.raw_plate, report.vehicle_type,
        report.recorded_at, report.ranger, report.suffix, report.photo_path, report.channel, report.is_proven,
        report.received_at, report.clock_seconds, moment, report.own_row);
    PERFORM touch(target, report.plate, report.post, key_second);
    IF near.count = 1 AND cardinality(it.names) = 1 AND near.post <> report.post AND near.post = ANY (it.posts)
      AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = near.row)
    THEN
      partner := near.row;
      is_entry := key_second < near.second;
    END IF;
    RETURN;
  END IF;
  WITH made AS (
    INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
        plate, second, is_founded, row_number, passage_id, last_at, client_id, inserted_at)
      OVERRIDING SYSTEM VALUE
      VALUES (target, report.post, report.plate, key_second, meant, report.post, report.plate, key_second, true,
        target, report.own_row, moment, report.client_id, moment)),
  linked AS (
    INSERT INTO identities (client_id, record) VALUES (report.client_id, target)),
  kept AS (
    INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
        suffix, photo_path, channel, is_proven, received_at, clock_seconds, inserted_at, own_row)
      VALUES (target, report.client_id, report.post, report.plate, report.raw_plate, report.vehicle_type,
        report.recorded_at, report.ranger, report.suffix, report.photo_path, report.channel, report.is_proven,
        report.received_at, report.clock_seconds, moment, report.own_row)),
  shown AS (
    INSERT INTO passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
        recorded_at, rangers, suffix, photo_path, channels, is_proven, clock_seconds, first_received_at,
        is_corrected, contradictions)
      VALUES (target, ARRAY[target], report.post, report.plate, key_second, key_second, true, report.raw_plate,
        report.vehicle_type, report.recorded_at, ARRAY[report.ranger], report.suffix, report.photo_path,
        ARRAY[report.channel], report.is_proven, report.clock_seconds, report.received_at, false, '{}'))
  INSERT INTO waiting (entry, plate, post, second, opposite, due_at, expires_at, look_at)
    SELECT target, report.plate, report.post, key_second,
      CASE WHEN it.firsts[ahead] = report.post THEN it.seconds[ahead] ELSE it.firsts[ahead] END,
      key_second + due_in, key_second + greatest(window_at(it, ahead, key_second), due_in), key_second + due_in
    WHERE ahead > 0;
END $$;
CREATE FUNCTION checkpost.take_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  report observations;
  taken record;
  target bigint;
  reception text;
  is_news boolean;
BEGIN
  IF is_projecting() THEN RETURN NEW; END IF;
  report := report_of(NEW);
  -- What a constraint refuses, it is to refuse.
  IF report.client_id IS NULL THEN
    INSERT INTO unreadable (passage) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NEW;
  END IF;
  PERFORM check_isolation();
  PERFORM pg_advisory_xact_lock_shared(7060, 0);
  taken := take_plain(report, NEW.checkpost_id, clock_timestamp());
  IF taken.is_taken THEN
    -- It is shown as it is known.
    SELECT segment_id INTO NEW.segment_id FROM public.checkposts WHERE id = NEW.checkpost_id;
    NEW.plate_number_raw := report.raw_plate;
    NEW.source := coalesce(NEW.source, 'app');
    NEW.matched_passage_id := taken.partner;
    NEW.is_entry := taken.is_entry;
    RETURN NEW;
  END IF;
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
CREATE FUNCTION checkpost.take_unreadable(known uuid, v public.vehicle_passages) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  report CONSTANT observations := report_of(v);
  got record;
BEGIN
  IF NOT EXISTS (SELECT FROM unreadable u WHERE u.passage = known) THEN RETURN; END IF;
  IF report.client_id IS NULL THEN
    UPDATE unreadable u SET passage = v.id WHERE u.passage = known AND known <> v.id;
    RETURN;
  END IF;
  DELETE FROM unreadable u WHERE u.passage = known;
  SELECT r.* INTO got FROM receive(report, v.checkpost_id, true, clock_timestamp()) AS r;
  -- It is one that is there already.
  IF got.reception IN ('alias', 'known') THEN
    PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
    PERFORM set_aside(ARRAY[v.id]);
    PERFORM set_config('checkpost.projecting', '', true);
  END IF;
END $$;
CREATE FUNCTION checkpost.tell_later(told checkpost.change[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  last bigint;
BEGIN
  IF told IS NULL OR cardinality(told) = 0 THEN RETURN; END IF;
  WITH made AS (
    INSERT INTO changes AS c (kind, entry, other) SELECT t.kind, t.entry, t.other FROM unnest(told) AS t
      RETURNING c.number)
  SELECT max(m.number) INTO last FROM made m;
  IF last > 1000000 AND last % 1000 < cardinality(told) THEN
    DELETE FROM changes c WHERE c.number IN (
      SELECT o.number FROM changes o WHERE o.number < last - 1000000 ORDER BY o.number LIMIT 10000
      FOR UPDATE SKIP LOCKED);
  END IF;
END $$;
CREATE FUNCTION checkpost.tend_partitions(moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $_$
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
END $_$;
CREATE FUNCTION checkpost.told_clock(client uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  SELECT (regexp_match(current_setting('request.headers', true), client || '=([0-9]{1,9})'))[1]::bigint
$$;
CREATE FUNCTION checkpost.told_verdict(distance bigint, fastest bigint, slowest bigint, entries bigint[], exits bigint[]) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  SELECT verdict(distance, fastest, slowest, greatest(b.low - a.high, 0), b.high - a.low)
  FROM (SELECT min(r.second) AS low, max(r.second) AS high FROM records r WHERE r.number = ANY (entries)) AS a,
    (SELECT min(r.second) AS low, max(r.second) AS high FROM records r WHERE r.number = ANY (exits)) AS b
$$;
CREATE FUNCTION checkpost.touch(target bigint, plate text, post text, second bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.travels_of(vehicle text, it checkpost.place, part checkpost.span) RETURNS checkpost.travels
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  numbers bigint[];
  seconds bigint[];
  posts text[];
  dated boolean[];
  founded boolean[];
  has_texts boolean;
  judged integer;
  -- Of each record its passage; of each passage its row, post, first record, first and last second, whether it can
  -- change what is proven, and the segments of the travels that it begins and ends, and of the long stay that it
  -- may have begun; and whether texts lie within.
  part_of integer[] := '{}';
  rows bigint[] := '{}';
  at text[] := '{}';
  first_at integer[] := '{}';
  earliest bigint[] := '{}';
  latest bigint[] := '{}';
  firm boolean[] := '{}';
  begun integer[] := '{}';
  ended integer[] := '{}';
  turned integer[] := '{}';
  crossed integer[] := '{}';
  -- The passages that are dated, in order, and those that are paired; and of each post the one that is open.
  in_order integer[] := '{}';
  layer integer[];
  open integer[] := array_fill(0, ARRAY[cardinality(it.posts)]);
  open_texts integer[] := open;
  count integer := 0;
  post integer;
  a integer;
  b integer;
  i integer;
  s integer;
  ahead integer;
  is_far boolean;
  is_joined boolean := false;
  due_in bigint;
  made travels;
BEGIN
  -- Where corrections put several at one place, by what was received, of which no two are the same.
  SELECT array_agg(o.number ORDER BY o.turn), array_agg(o.second ORDER BY o.turn),
      array_agg(o.post ORDER BY o.turn), array_agg(o.is_dated ORDER BY o.turn),
      array_agg(o.is_founded ORDER BY o.turn), bool_or(o.is_dated AND NOT o.is_founded),
      count(*) FILTER (WHERE o.second <= part.high)
    INTO numbers, seconds, posts, dated, founded, has_texts, judged
    FROM (
      SELECT r.number, r.second, r.post::text AS post, r.is_dated, r.is_founded, row_number() OVER (
        ORDER BY r.second, r.post, r.received_plate, r.received_second, r.received_post) AS turn
      FROM records r
      WHERE r.plate = vehicle AND r.second BETWEEN part.low AND part.ahead AND r.post = ANY (it.posts)
        AND NOT r.is_aside) o;
  IF numbers IS NULL OR judged = 0 THEN RETURN NULL; END IF;
  -- A passage begins with a record and holds what follows it within the window, counted from that first one.
  FOR i IN 1..cardinality(numbers) LOOP
    CONTINUE WHEN dated[i] AND NOT founded[i];
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
      first_at[count] := i;
      earliest[count] := seconds[i];
      latest[count] := seconds[i];
      firm[count] := founded[i];
      begun[count] := 0;
      ended[count] := 0;
      turned[count] := 0;
      crossed[count] := 0;
      IF dated[i] THEN
        open[post] := count;
        in_order := in_order || count;
      END IF;
    END IF;
  END LOOP;
  -- What rests on texts alone is put in afterwards, and changes nothing of the others.
  IF has_texts THEN
    FOR i IN 1..cardinality(numbers) LOOP
      CONTINUE WHEN NOT dated[i] OR founded[i];
      a := 0;
      FOR j IN REVERSE i - 1..1 LOOP
        EXIT WHEN seconds[i] - seconds[j] > it.ranger_window;
        CONTINUE WHEN NOT founded[j] OR NOT dated[j] OR posts[j] <> posts[i];
        IF seconds[i] - earliest[part_of[j]] <= it.ranger_window THEN a := part_of[j]; END IF;
        EXIT;
      END LOOP;
      IF a = 0 THEN
        FOR j IN i + 1..cardinality(numbers) LOOP
          EXIT WHEN seconds[j] - seconds[i] > it.ranger_window;
          CONTINUE WHEN NOT founded[j] OR NOT dated[j] OR posts[j] <> posts[i];
          a := part_of[j];
          EXIT;
        END LOOP;
      END IF;
      post := array_position(it.posts, posts[i]);
      IF a = 0 AND open_texts[post] > 0 AND seconds[i] - earliest[open_texts[post]] <= it.ranger_window THEN
        a := open_texts[post];
        latest[a] := seconds[i];
      END IF;
      IF a > 0 THEN
        part_of[i] := a;
        IF numbers[i] & 1099511627775 < rows[a] & 1099511627775 THEN rows[a] := numbers[i]; END IF;
        CONTINUE;
      END IF;
      count := count + 1;
      part_of[i] := count;
      rows[count] := numbers[i];
      at[count] := posts[i];
      first_at[count] := i;
      earliest[count] := seconds[i];
      latest[count] := seconds[i];
      firm[count] := false;
      begun[count] := 0;
      ended[count] := 0;
      turned[count] := 0;
      crossed[count] := 0;
      open_texts[post] := count;
    END LOOP;
    in_order := ARRAY(SELECT u.passage::integer FROM unnest(first_at) WITH ORDINALITY AS u(first, passage)
      WHERE dated[u.first] ORDER BY u.first);
  END IF;
  made.numbers := numbers[:judged];
  made.rows := ARRAY(SELECT rows[p] FROM unnest(part_of[:judged]) WITH ORDINALITY AS u(p, n) ORDER BY n);
  IF cardinality(it.names) = 0 THEN RETURN made; END IF;
  -- First without what rests on texts alone; then with what of it lies between the travels.
  layer := in_order;
  IF has_texts THEN
    layer := ARRAY(SELECT u.p FROM unnest(in_order) WITH ORDINALITY AS u(p, n) WHERE firm[u.p] ORDER BY u.n);
  END IF;
  LOOP
    -- First as a post does it, so that the two say the same of what both know: the nearest two. Then what stayed
    -- long: the next one at the other end, with no passage between. A passage ends one travel at most and begins
    -- one at most, and not both on one segment.
    FOREACH is_far IN ARRAY ARRAY[false, true] LOOP
      FOR i IN 1..cardinality(layer) - 1 LOOP
        a := layer[i];
        b := layer[i + 1];
        CONTINUE WHEN begun[a] > 0 OR turned[a] > 0 OR at[a] = at[b];
        s := stretch(it, at[a], at[b]);
        CONTINUE WHEN s = 0 OR ended[a] = s OR begun[b] = s OR turned[b] = s
          OR earliest[b] - earliest[a] > CASE WHEN is_far THEN window_at(it, s, earliest[a])
            ELSE longest_at(it, s, earliest[a]) END;
        begun[a] := s;
        ended[b] := s;
      END LOOP;
    END LOOP;
    -- What would have been a long stay, had the vehicle not turned at its exit, or left unseen and come again.
    FOR i IN 1..cardinality(layer) - 2 LOOP
      a := layer[i];
      b := layer[i + 1];
      CONTINUE WHEN begun[a] > 0 OR turned[a] > 0 OR begun[b] = 0 OR at[a] = at[b];
      s := stretch(it, at[a], at[b]);
      CONTINUE WHEN s = 0 OR ended[a] = s OR begun[b] <> s OR earliest[b] - earliest[a] > window_at(it, s, earliest[a])
        OR earliest[layer[i + 2]] - earliest[b] > longest_at(it, s, earliest[b]);
      turned[a] := s;
    END LOOP;
    EXIT WHEN is_joined OR NOT has_texts;
    is_joined := true;
    layer := '{}';
    b := 0;
    FOREACH a IN ARRAY in_order LOOP
      IF firm[a] THEN
        b := a;
        layer := layer || a;
      ELSIF b > 0 AND (begun[b] > 0 OR turned[b] > 0) THEN
        crossed[b] := 1;
      ELSE
        layer := layer || a;
      END IF;
    END LOOP;
  END LOOP;
  FOR i IN 1..cardinality(layer) LOOP
    a := layer[i];
    CONTINUE WHEN earliest[a] > part.high;
    IF begun[a] > 0 OR turned[a] > 0 THEN
      made.entries := made.entries || rows[a];
      made.exits := made.exits || rows[layer[i + 1]];
      made.marks := made.marks || (crossed[a] + CASE WHEN begun[a] = 0 THEN 2 ELSE 0 END);
    ELSIF (CASE
        WHEN i < cardinality(layer) THEN earliest[layer[i + 1]] - latest[a] > it.pairing_window
        ELSE part.ends_in_gap END)
    THEN
      -- An entry after which nothing was seen of the vehicle. Where it may have gone several ways, the slowest of
      -- them counts.
      ahead := 0;
      FOR s IN 1..cardinality(it.names) LOOP
        CONTINUE WHEN at[a] NOT IN (it.firsts[s], it.seconds[s]) OR s = ended[a];
        IF ahead = 0 OR due_after(it, s, earliest[a]) > due_in THEN
          ahead := s;
          due_in := due_after(it, s, earliest[a]);
        END IF;
      END LOOP;
      CONTINUE WHEN ahead = 0;
      made.waiting := made.waiting || rows[a];
      made.opposites := made.opposites
        || CASE WHEN it.firsts[ahead] = at[a] THEN it.seconds[ahead] ELSE it.firsts[ahead] END;
      made.due := made.due || latest[a] + due_in;
      made.expires := made.expires || latest[a] + greatest(window_at(it, ahead, earliest[a]), due_in);
    END IF;
  END LOOP;
  RETURN made;
END $$;
CREATE FUNCTION checkpost.uuid_of(name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$_$;
CREATE FUNCTION checkpost.verdict(distance bigint, fastest bigint, slowest bigint, shortest bigint, longest bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE
    WHEN (least(greatest(longest, 0), 1000000000) + 1) * fastest < distance * 3600 THEN 'speeding'
    WHEN (least(shortest, 1000000000) - 1) * slowest > distance * 3600 THEN 'overstay' END
$$;
CREATE FUNCTION checkpost.verify_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
  is_new CONSTANT boolean := TG_OP = 'INSERT';
BEGIN
  IF is_projecting() THEN RETURN NEW; END IF;
  IF NOT is_new AND NEW.client_id <> OLD.client_id OR NOT is_new AND OLD.source <> 'sms' AND NEW.source = 'sms' THEN
    RAISE EXCEPTION 'the "%" of a row of "vehicle_passages" is not changed',
        CASE WHEN NEW.client_id <> OLD.client_id THEN 'client_id' ELSE 'source' END
      USING ERRCODE = 'feature_not_supported', HINT = 'Change the row without it.';
  END IF;
  IF (is_new OR NEW.recorded_at <> OLD.recorded_at)
    AND (NOT is_moment(NEW.recorded_at) OR NEW.recorded_at > clock_timestamp()
      AND NEW.recorded_at > clock_timestamp() + make_interval(secs => (SELECT s.ahead FROM settings s)))
  THEN
    RAISE EXCEPTION 'date/time field value out of range'
      USING ERRCODE = 'datetime_field_overflow', SCHEMA = 'public', TABLE = 'vehicle_passages',
        COLUMN = 'recorded_at', HINT = 'A passage is of 1970 or later, and at most a day ahead of the clock here.';
  END IF;
  IF (is_new OR NEW.plate_number <> OLD.plate_number) AND NEW.plate_number IS NOT NULL
    AND read_plate(NEW.plate_number) IS NULL
  THEN PERFORM refuse_value('plate_number'); END IF;
  IF (is_new OR NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw)
    AND octet_length(NEW.plate_number_raw) > 200
  THEN PERFORM refuse_value('plate_number_raw'); END IF;
  IF (is_new OR NEW.photo_path IS DISTINCT FROM OLD.photo_path) AND octet_length(NEW.photo_path) > 400 THEN
    PERFORM refuse_value('photo_path');
  END IF;
  -- What no row of the other tables has, a constraint refuses.
  IF (is_new OR NEW.segment_id <> OLD.segment_id)
    AND NOT EXISTS (
      SELECT FROM public.checkposts c WHERE c.id = NEW.checkpost_id AND c.segment_id = NEW.segment_id)
    AND EXISTS (SELECT FROM public.checkposts c WHERE c.id = NEW.checkpost_id)
    AND NOT EXISTS (
      SELECT FROM segment_ends e WHERE e.post_id = NEW.checkpost_id AND e.segment_id = NEW.segment_id)
  THEN
    RAISE EXCEPTION
      'insert or update on table "vehicle_passages" violates foreign key constraint "vehicle_passages_segment_id_fkey"'
      USING ERRCODE = 'foreign_key_violation', SCHEMA = 'public', TABLE = 'vehicle_passages',
        CONSTRAINT = 'vehicle_passages_segment_id_fkey', DETAIL = 'The post does not stand on that segment.';
  END IF;
  IF is_new THEN
    NEW.server_received_at := receipt_of(NEW.server_received_at);
    NEW.created_at := receipt_of(NEW.created_at);
  ELSE
    NEW.server_received_at := OLD.server_received_at;
    NEW.created_at := OLD.created_at;
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION checkpost.violation_named(name uuid) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
  SELECT coalesce((SELECT v.entry FROM violations v WHERE v.uuid = name),
    (SELECT r.number FROM public.violations p JOIN records r ON r.passage_id = p.entry_passage_id
      JOIN violations v ON v.entry = r.number WHERE p.id = name))
$$;
CREATE FUNCTION checkpost.want_notes(hours integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
DECLARE
  is_on boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(7070, 0);
  is_on := EXISTS (SELECT FROM feed_wanted w WHERE w.until > clock_timestamp());
  IF NOT is_on THEN
    DELETE FROM feed;
    INSERT INTO feed (kind, id) VALUES ('begun', gen_random_uuid());
  END IF;
  -- Whoever changed something before `write_notes` and looked in vain has a lower number than this transaction.
  INSERT INTO feed_wanted AS w (one, until, horizon)
    VALUES (true, clock_timestamp() + make_interval(hours => hours), pg_current_xact_id())
    ON CONFLICT (one) DO UPDATE SET until = excluded.until,
      horizon = CASE WHEN is_on THEN w.horizon ELSE excluded.horizon END;
END $$;
CREATE FUNCTION checkpost.window_at(it checkpost.place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN greatest(it.waits[s], longest_at(it, s, second));
END $$;
CREATE FUNCTION checkpost.write_judgement(made checkpost.judgement, changed bigint[], rows_left bigint[], cause text, moment timestamp with time zone, is_all boolean, targets bigint[], plates text[], seconds bigint[]) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  told change[];
  shown bigint[];
BEGIN
  shown := write_passages(made, rows_to_write(made, changed, rows_left, is_all));
  told := write_pairs(made);
  told := told || write_violations(made, cause, moment, is_all, targets, plates, seconds);
  told := told || write_waiting(made, moment);
  PERFORM project(shown || ARRAY(
    SELECT t.entry FROM unnest(told) AS t UNION
    SELECT t.other FROM unnest(told) AS t WHERE t.kind IN ('parted', 'paired')), moment);
  RETURN told;
END $$;
CREATE FUNCTION checkpost.write_notes(hours integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'checkpost', 'pg_temp'
    AS $$
BEGIN
  PERFORM setval('feed_until', ceil(extract(epoch FROM clock_timestamp()))::bigint + hours * 3600 + 60);
END $$;
CREATE FUNCTION checkpost.write_pairs(made checkpost.judgement) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  parted change[];
  paired change[];
BEGIN
  WITH gone AS (
    DELETE FROM pairs p
      WHERE (p.entry = ANY (made.numbers) OR p.exit = ANY (made.numbers))
        AND (p.entry, p.exit) NOT IN (
          SELECT u.entry, u.exit FROM unnest(made.entries, made.exits, made.marks) AS u(entry, exit, mark)
          WHERE u.mark & 2 = 0)
      RETURNING p.entry, p.exit)
  SELECT array_agg(ROW('parted', g.entry, g.exit)::change ORDER BY g.entry) INTO parted FROM gone g;
  WITH come AS (
    INSERT INTO pairs AS p (entry, exit)
      SELECT u.entry, u.exit FROM unnest(made.entries, made.exits, made.marks) AS u(entry, exit, mark)
      WHERE u.mark & 2 = 0
      ON CONFLICT (entry) DO NOTHING RETURNING p.entry, p.exit)
  SELECT array_agg(ROW('paired', c.entry, c.exit)::change ORDER BY c.entry) INTO paired FROM come c;
  RETURN parted || paired;
END $$;
CREATE FUNCTION checkpost.write_passages(made checkpost.judgement, again bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION checkpost.write_violations(made checkpost.judgement, cause text, moment timestamp with time zone, is_all boolean, targets bigint[], plates text[], seconds bigint[]) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  each record;
  founds finding[] := '{}';
  now_found finding;
  known violations;
  said violation_notes;
  change_made text;
  is_other boolean;
  told change[] := '{}';
  changed bigint[] := '{}';
BEGIN
  IF cardinality(made.entries) > 0 THEN
    founds := ARRAY(SELECT f FROM findings(made) AS f);
  ELSIF NOT EXISTS (SELECT FROM violations v WHERE v.entry = ANY (made.numbers)) THEN
    RETURN told;
  END IF;
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
    -- Whoever confirmed what is found now, before something else was found meanwhile, has confirmed it.
    said := NULL;
    IF now_found.entry IS NOT NULL AND (is_other OR known.confirmed_at IS NULL) THEN
      SELECT n.* INTO said FROM violation_notes n JOIN revisions r ON r.entry = n.entry AND r.number = n.revision
        WHERE n.entry = known.entry AND n.kind = 'confirmed'
          AND r.after - 'doubts' = to_jsonb(now_found) - 'doubts'
        ORDER BY n.number LIMIT 1;
    END IF;
    INSERT INTO revisions (entry, number, change, cause, at, before, after, was_final, origins)
      VALUES (known.entry, known.revision + 1, change_made, cause, moment,
        to_jsonb(known.found), CASE WHEN now_found.entry IS NOT NULL THEN to_jsonb(now_found) END,
        known.finality, origins_of(known.found, targets, plates, seconds));
    UPDATE violations v SET
      found = CASE WHEN change_made = 'retracted' THEN known.found ELSE now_found END,
      is_retracted = change_made = 'retracted',
      since = CASE WHEN is_other THEN moment ELSE v.since END,
      finality = CASE WHEN is_other THEN 'provisional' ELSE v.finality END,
      confirmed_at = CASE WHEN NOT is_other AND v.confirmed_at IS NOT NULL THEN v.confirmed_at ELSE said.at END,
      confirmed_by = CASE WHEN NOT is_other AND v.confirmed_at IS NOT NULL THEN v.confirmed_by
        ELSE said.author END,
      -- What was told as final is another one: a person is told.
      changed_final_at = CASE WHEN said.number IS NOT NULL THEN NULL WHEN known.finality = 'reported' AND (is_other OR known.confirmed_at IS NULL
          AND NOT needs_person((known.found).doubts) AND needs_person(now_found.doubts))
        THEN moment ELSE v.changed_final_at END,
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
CREATE FUNCTION checkpost.write_waiting(made checkpost.judgement, moment timestamp with time zone) RETURNS checkpost.change[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.checkpost_is_admin() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT EXISTS (SELECT FROM user_profiles WHERE id = auth.uid() AND role = 'admin' AND is_active)
$$;
CREATE FUNCTION public.checkpost_my_post() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT assigned_checkpost_id FROM user_profiles WHERE id = auth.uid() AND is_active
$$;
CREATE FUNCTION public.checkpost_my_posts() RETURNS uuid[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF to_regclass('checkpost.segment_ends') IS NULL THEN
    RETURN ARRAY(SELECT id FROM checkposts WHERE segment_id = ANY (checkpost_my_segments()));
  END IF;
  RETURN ARRAY(SELECT DISTINCT post_id FROM checkpost.segment_ends
    WHERE segment_id = ANY (checkpost_my_segments()));
END $$;
CREATE FUNCTION public.checkpost_my_segment() RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT segment_id FROM checkposts WHERE id = checkpost_my_post()
$$;
CREATE FUNCTION public.checkpost_my_segments() RETURNS uuid[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF to_regclass('checkpost.segment_ends') IS NULL THEN
    RETURN ARRAY(SELECT segment_id FROM checkposts WHERE id = checkpost_my_post());
  END IF;
  RETURN ARRAY(SELECT segment_id FROM checkpost.segment_ends WHERE post_id = checkpost_my_post());
END $$;
CREATE TABLE auth.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE checkpost.accounts (
    id uuid NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    full_name text NOT NULL,
    role text NOT NULL,
    phone text COLLATE pg_catalog."C",
    checkpost text COLLATE pg_catalog."C",
    active boolean DEFAULT true NOT NULL,
    password text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT accounts_email_check CHECK (((email = lower(email)) AND (email ~~ '%_@_%'::text))),
    CONSTRAINT accounts_password_check CHECK ((password ~~ '$%'::text)),
    CONSTRAINT accounts_role_check CHECK ((role = ANY (ARRAY['ranger'::text, 'admin'::text, 'service'::text])))
);
CREATE TABLE checkpost.alerts (
    entry bigint NOT NULL,
    plate text NOT NULL COLLATE pg_catalog."C",
    post text NOT NULL COLLATE pg_catalog."C",
    second bigint NOT NULL,
    opposite text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    raised_at timestamp with time zone NOT NULL,
    is_unheard boolean NOT NULL,
    ending text,
    exit bigint,
    ended_at timestamp with time zone,
    CONSTRAINT alerts_ending_check CHECK ((ending = ANY (ARRAY['left'::text, 'seen_again'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE TABLE checkpost.exact_segments (
    segment_id uuid NOT NULL,
    distance bigint NOT NULL,
    slowest bigint NOT NULL,
    fastest bigint NOT NULL
);
CREATE TABLE checkpost.further_ends (
    segment_id uuid NOT NULL,
    position_index smallint NOT NULL,
    post_id uuid NOT NULL,
    CONSTRAINT further_ends_position_index_check CHECK ((position_index = ANY (ARRAY[0, 1])))
);
CREATE TABLE checkpost.loose_segments (
    segment_id uuid NOT NULL
);
CREATE TABLE public.highway_segments (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    park_id uuid NOT NULL,
    name text NOT NULL,
    distance_km numeric(6,2) NOT NULL,
    max_speed_kmh numeric(5,2) NOT NULL,
    min_speed_kmh numeric(5,2) NOT NULL,
    min_travel_time_minutes numeric(8,2) GENERATED ALWAYS AS (((distance_km * (60)::numeric) / max_speed_kmh)) STORED,
    max_travel_time_minutes numeric(8,2) GENERATED ALWAYS AS (((distance_km * (60)::numeric) / min_speed_kmh)) STORED,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT highway_segments_distance_km_check CHECK ((distance_km > (0)::numeric)),
    CONSTRAINT highway_segments_max_speed_kmh_check CHECK ((max_speed_kmh > (0)::numeric)),
    CONSTRAINT highway_segments_min_speed_kmh_check CHECK ((min_speed_kmh > (0)::numeric))
);
CREATE VIEW checkpost.known_segments AS
 SELECT h.id,
    h.name,
    h.is_active,
    h.created_at,
        CASE
            WHEN (h.distance_km = 'NaN'::numeric) THEN (0)::bigint
            WHEN (round(((e.distance)::numeric / 1000.0), 2) = h.distance_km) THEN e.distance
            ELSE (round((h.distance_km * (1000)::numeric)))::bigint
        END AS distance,
        CASE
            WHEN (h.max_speed_kmh = 'NaN'::numeric) THEN (0)::bigint
            WHEN (round(((e.fastest)::numeric / 1000.0), 2) = h.max_speed_kmh) THEN e.fastest
            ELSE (round((h.max_speed_kmh * (1000)::numeric)))::bigint
        END AS fastest,
        CASE
            WHEN (h.min_speed_kmh = 'NaN'::numeric) THEN (0)::bigint
            WHEN (round(((e.slowest)::numeric / 1000.0), 2) = h.min_speed_kmh) THEN e.slowest
            ELSE (round((h.min_speed_kmh * (1000)::numeric)))::bigint
        END AS slowest
   FROM (public.highway_segments h
     LEFT JOIN checkpost.exact_segments e ON ((e.segment_id = h.id)))
  WHERE (NOT (EXISTS ( SELECT
           FROM checkpost.loose_segments l
          WHERE (l.segment_id = h.id))));
CREATE TABLE public.checkposts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    segment_id uuid NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    position_index smallint NOT NULL,
    latitude numeric(9,6),
    longitude numeric(9,6),
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT checkposts_position_index_check CHECK ((position_index = ANY (ARRAY[0, 1])))
);
CREATE VIEW checkpost.segment_ends AS
 SELECT c.segment_id,
    c.position_index,
    c.id AS post_id,
    c.code
   FROM public.checkposts c
UNION ALL
 SELECT f.segment_id,
    f.position_index,
    f.post_id,
    c.code
   FROM (checkpost.further_ends f
     JOIN public.checkposts c ON ((c.id = f.post_id)));
CREATE VIEW checkpost.api_checkposts AS
 SELECT c.id,
        CASE
            WHEN (l.segment_id IS NULL) THEN c.segment_id
            ELSE NULL::uuid
        END AS segment_id,
    c.name,
    c.code,
        CASE
            WHEN (l.segment_id IS NULL) THEN c.position_index
            ELSE NULL::smallint
        END AS position_index,
    c.latitude,
    c.longitude,
    c.is_active,
    c.created_at,
    (to_json(ARRAY( SELECT e.segment_id
           FROM (checkpost.segment_ends e
             JOIN checkpost.known_segments k ON ((k.id = e.segment_id)))
          WHERE (e.post_id = c.id)
          ORDER BY (k.name COLLATE "C"))))::text AS segment_ids
   FROM (public.checkposts c
     LEFT JOIN checkpost.loose_segments l ON ((l.segment_id = c.segment_id)));
CREATE VIEW checkpost.api_highway_segments AS
 SELECT h.id,
    h.park_id,
    h.name,
    h.distance_km,
    h.max_speed_kmh,
    h.min_speed_kmh,
    h.min_travel_time_minutes,
    h.max_travel_time_minutes,
    h.is_active,
    h.created_at,
    h.updated_at,
    (to_json(ARRAY( SELECT e.post_id
           FROM checkpost.segment_ends e
          WHERE (e.segment_id = h.id)
          ORDER BY e.position_index)))::text AS checkpost_ids
   FROM public.highway_segments h
  WHERE (NOT (EXISTS ( SELECT
           FROM checkpost.loose_segments l
          WHERE (l.segment_id = h.id))));
CREATE TABLE checkpost.api_keys (
    prefix text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    role text NOT NULL,
    checkpost text COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    valid_from timestamp with time zone,
    valid_until timestamp with time zone,
    revoked_at timestamp with time zone,
    used_at timestamp with time zone,
    CONSTRAINT api_keys_check CHECK (((role = 'post'::text) = (checkpost IS NOT NULL))),
    CONSTRAINT api_keys_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT api_keys_prefix_check CHECK ((length(prefix) = 8)),
    CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['anon'::text, 'post'::text, 'service'::text])))
);
CREATE TABLE public.parks (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    code text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT parks_code_check CHECK ((length(code) <= 10))
);
CREATE VIEW checkpost.api_parks AS
 SELECT parks.id,
    parks.name,
    parks.code,
    parks.is_active,
    parks.created_at,
    parks.updated_at
   FROM public.parks;
CREATE TABLE public.proactive_overstay_alerts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    entry_passage_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    plate_number text NOT NULL,
    vehicle_type text NOT NULL,
    entry_time timestamp with time zone NOT NULL,
    expected_exit_by timestamp with time zone NOT NULL,
    resolved boolean DEFAULT false NOT NULL,
    resolved_at timestamp with time zone,
    resolved_by_passage_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE VIEW checkpost.api_proactive_overstay_alerts AS
 SELECT proactive_overstay_alerts.id,
    proactive_overstay_alerts.entry_passage_id,
    proactive_overstay_alerts.segment_id,
    proactive_overstay_alerts.plate_number,
    proactive_overstay_alerts.vehicle_type,
    proactive_overstay_alerts.entry_time,
    proactive_overstay_alerts.expected_exit_by,
    proactive_overstay_alerts.resolved,
    proactive_overstay_alerts.resolved_at,
    proactive_overstay_alerts.resolved_by_passage_id,
    proactive_overstay_alerts.created_at
   FROM public.proactive_overstay_alerts;
CREATE VIEW checkpost.api_sync_metadata AS
 SELECT sync_metadata.id,
    sync_metadata.user_id,
    sync_metadata.device_id,
    sync_metadata.last_sync_at,
    sync_metadata.last_pull_at,
    sync_metadata.pending_count,
    sync_metadata.created_at,
    sync_metadata.updated_at
   FROM public.sync_metadata;
CREATE TABLE checkpost.settings (
    only_one boolean DEFAULT true NOT NULL,
    ranger_window bigint DEFAULT 60 NOT NULL,
    pairing_window bigint DEFAULT 259200 NOT NULL,
    long_stay bigint DEFAULT 43200 NOT NULL,
    provisional_for bigint DEFAULT 86400 NOT NULL,
    unknown_ranger uuid,
    secret text DEFAULT (gen_random_uuid())::text NOT NULL,
    partitions text DEFAULT 'none'::text NOT NULL,
    fastest bigint DEFAULT 200 NOT NULL,
    ahead bigint DEFAULT 86400 NOT NULL,
    CONSTRAINT settings_ahead_check CHECK ((ahead >= 0)),
    CONSTRAINT settings_fastest_check CHECK (((fastest >= 50) AND (fastest <= 1000))),
    CONSTRAINT settings_long_stay_check CHECK (((long_stay >= 3600) AND (long_stay <= 2592000))),
    CONSTRAINT settings_only_one_check CHECK (only_one),
    CONSTRAINT settings_pairing_window_check CHECK (((pairing_window >= 18000) AND (pairing_window <= 2592000))),
    CONSTRAINT settings_partitions_check CHECK ((partitions = ANY (ARRAY['none'::text, 'month'::text]))),
    CONSTRAINT settings_provisional_for_check CHECK (((provisional_for >= 0) AND (provisional_for <= 31536000))),
    CONSTRAINT settings_ranger_window_check CHECK (((ranger_window >= 0) AND (ranger_window <= 600)))
);
CREATE TABLE public.user_profiles (
    id uuid NOT NULL,
    full_name text NOT NULL,
    role text NOT NULL,
    phone_number text,
    assigned_checkpost_id uuid,
    assigned_park_id uuid,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_profiles_role_check CHECK ((role = ANY (ARRAY['ranger'::text, 'admin'::text])))
);
CREATE VIEW checkpost.api_user_profiles AS
 SELECT a.id,
    a.full_name,
        CASE a.role
            WHEN 'ranger'::text THEN 'ranger'::text
            ELSE 'admin'::text
        END AS role,
    a.phone AS phone_number,
    c.id AS assigned_checkpost_id,
    COALESCE(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id,
    a.active AS is_active,
    a.created_at,
    a.updated_at
   FROM ((((checkpost.accounts a
     LEFT JOIN public.user_profiles u ON ((u.id = a.id)))
     LEFT JOIN checkpost.api_checkposts c ON ((c.code = a.checkpost)))
     LEFT JOIN public.highway_segments h ON ((h.id = c.segment_id)))
     LEFT JOIN ( SELECT (min((parks.id)::text))::uuid AS id
           FROM public.parks
         HAVING (count(*) = 1)) k ON (true))
UNION ALL
 SELECT u.id,
    u.full_name,
    u.role,
    u.phone_number,
    u.assigned_checkpost_id,
    COALESCE(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id,
    u.is_active,
    u.created_at,
    u.updated_at
   FROM (((public.user_profiles u
     LEFT JOIN checkpost.api_checkposts c ON ((c.id = u.assigned_checkpost_id)))
     LEFT JOIN public.highway_segments h ON ((h.id = c.segment_id)))
     LEFT JOIN ( SELECT (min((parks.id)::text))::uuid AS id
           FROM public.parks
         HAVING (count(*) = 1)) k ON (true))
  WHERE ((u.id IS DISTINCT FROM ( SELECT settings.unknown_ranger
           FROM checkpost.settings)) AND (NOT (EXISTS ( SELECT
           FROM checkpost.accounts a
          WHERE (a.id = u.id)))) AND (NOT (EXISTS ( SELECT
           FROM checkpost.accounts a
          WHERE (a.phone = u.phone_number)))));
CREATE VIEW checkpost.api_vehicle_passages AS
 SELECT v.id,
    v.client_id,
    v.plate_number,
    v.plate_number_raw,
    v.vehicle_type,
    v.checkpost_id,
    v.segment_id,
    v.recorded_at,
    v.server_received_at,
    NULLIF(v.ranger_id, ( SELECT settings.unknown_ranger
           FROM checkpost.settings)) AS ranger_id,
    v.photo_path,
    v.source,
    v.matched_passage_id,
    v.is_entry,
    v.created_at
   FROM public.vehicle_passages v
  WHERE (NOT (EXISTS ( SELECT
           FROM checkpost.loose_segments l
          WHERE (l.segment_id = v.segment_id))));
CREATE TABLE checkpost.identities (
    client_id uuid NOT NULL,
    record bigint NOT NULL
);
CREATE VIEW checkpost.api_vehicle_passages_by_identity AS
 SELECT v.id,
    i.client_id,
        CASE
            WHEN (checkpost.compact(v.plate_number) = r.plate) THEN v.plate_number
            ELSE r.plate
        END AS plate_number,
    COALESCE(k.raw_plate,
        CASE
            WHEN (r.plate = r.received_plate) THEN COALESCE(o.raw_plate, v.plate_number_raw)
            ELSE v.plate_number_raw
        END) AS plate_number_raw,
    v.vehicle_type,
    c.id AS checkpost_id,
    v.segment_id,
    COALESCE(k.recorded_at,
        CASE
            WHEN (r.second = r.received_second) THEN COALESCE(o.recorded_at, v.recorded_at)
            ELSE to_timestamp((r.second)::double precision)
        END) AS recorded_at,
    v.server_received_at,
    checkpost.ranger_of(array_remove((ARRAY[o.ranger] || p.rangers), NULL::text), c.id, p.suffix,
        CASE
            WHEN p.is_dated THEN p.recorded_at
            ELSE p.first_received_at
        END) AS ranger_id,
    v.photo_path,
    v.source,
    v.matched_passage_id,
    v.is_entry,
    v.created_at
   FROM (((((((checkpost.identities i
     JOIN checkpost.records r ON ((r.number = i.record)))
     JOIN checkpost.records s ON ((s.number = r.row_number)))
     JOIN checkpost.passages p ON ((p.row_number = s.number)))
     JOIN public.vehicle_passages v ON ((v.id = s.passage_id)))
     JOIN public.checkposts c ON ((c.code = r.post)))
     LEFT JOIN LATERAL ( SELECT b.raw_plate,
            b.recorded_at,
            b.ranger
           FROM checkpost.observations b
          WHERE (b.record = r.number)
          ORDER BY (b.client_id = i.client_id) DESC, ((b.client_id = i.client_id) AND (b.channel = 'upload'::text)) DESC, b.number
         LIMIT 1) o ON (true))
     LEFT JOIN LATERAL ( SELECT (array_agg(c_1.raw_plate ORDER BY c_1.made_at DESC, c_1.client_id DESC, c_1.number DESC) FILTER (WHERE (c_1.raw_plate IS NOT NULL)))[1] AS raw_plate,
            (array_agg(c_1.recorded_at ORDER BY c_1.made_at DESC, c_1.client_id DESC, c_1.number DESC) FILTER (WHERE (c_1.recorded_at IS NOT NULL)))[1] AS recorded_at
           FROM checkpost.corrections c_1
          WHERE (c_1.record = r.number)) k ON (true))
  WHERE (NOT (EXISTS ( SELECT
           FROM checkpost.loose_segments l
          WHERE (l.segment_id = v.segment_id))))
UNION ALL
 SELECT v.id,
    v.client_id,
    v.plate_number,
    v.plate_number_raw,
    v.vehicle_type,
    v.checkpost_id,
    v.segment_id,
    v.recorded_at,
    v.server_received_at,
    v.ranger_id,
    v.photo_path,
    v.source,
    v.matched_passage_id,
    v.is_entry,
    v.created_at
   FROM checkpost.api_vehicle_passages v
  WHERE (NOT (EXISTS ( SELECT
           FROM checkpost.identities i
          WHERE (i.client_id = v.client_id))));
CREATE TABLE public.violation_outcomes (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    violation_id uuid NOT NULL,
    outcome_type text NOT NULL,
    fine_amount numeric(10,2),
    notes text,
    recorded_by uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT violation_outcomes_outcome_type_check CHECK ((outcome_type = ANY (ARRAY['warned'::text, 'fined'::text, 'let_go'::text, 'not_found'::text, 'other'::text])))
);
CREATE VIEW checkpost.api_violation_outcomes AS
 SELECT violation_outcomes.id,
    violation_outcomes.violation_id,
    violation_outcomes.outcome_type,
    violation_outcomes.fine_amount,
    violation_outcomes.notes,
    violation_outcomes.recorded_by,
    violation_outcomes.recorded_at
   FROM public.violation_outcomes;
CREATE TABLE public.violations (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    entry_passage_id uuid NOT NULL,
    exit_passage_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    violation_type text NOT NULL,
    plate_number text NOT NULL,
    vehicle_type text NOT NULL,
    entry_time timestamp with time zone NOT NULL,
    exit_time timestamp with time zone NOT NULL,
    travel_time_minutes numeric(8,2) NOT NULL,
    threshold_minutes numeric(8,2) NOT NULL,
    calculated_speed_kmh numeric(6,2) NOT NULL,
    speed_limit_kmh numeric(5,2) NOT NULL,
    distance_km numeric(6,2) NOT NULL,
    alert_delivered_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_retracted boolean DEFAULT false NOT NULL,
    finality text DEFAULT 'provisional'::text NOT NULL,
    doubts text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT violations_violation_type_check CHECK ((violation_type = ANY (ARRAY['speeding'::text, 'overstay'::text])))
);
CREATE VIEW checkpost.api_violations AS
 SELECT violations.id,
    violations.entry_passage_id,
    violations.exit_passage_id,
    violations.segment_id,
    violations.violation_type,
    violations.plate_number,
    violations.vehicle_type,
    violations.entry_time,
    violations.exit_time,
    violations.travel_time_minutes,
    violations.threshold_minutes,
    violations.calculated_speed_kmh,
    violations.speed_limit_kmh,
    violations.distance_km,
    violations.alert_delivered_at,
    violations.created_at,
    violations.is_retracted,
    violations.finality,
    (to_json(violations.doubts))::text AS doubts
   FROM public.violations;
CREATE TABLE checkpost.audit (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    account uuid,
    api_key text,
    address text,
    actor text,
    detail text
);
ALTER TABLE checkpost.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.changes (
    number bigint NOT NULL,
    transaction xid8 DEFAULT pg_current_xact_id() NOT NULL,
    kind text NOT NULL,
    entry bigint NOT NULL,
    other bigint,
    CONSTRAINT changes_kind_check CHECK ((kind = ANY (ARRAY['parted'::text, 'paired'::text, 'revised'::text, 'settled'::text, 'raised'::text, 'ended'::text])))
);
ALTER TABLE checkpost.changes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.changes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE checkpost.corrections ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.corrections_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.device_clocks (
    user_id uuid NOT NULL,
    device_id text NOT NULL COLLATE pg_catalog."C",
    seconds bigint NOT NULL,
    CONSTRAINT device_clocks_seconds_check CHECK ((seconds > 0))
);
CREATE TABLE checkpost.device_marks (
    user_id uuid NOT NULL,
    device_id text NOT NULL,
    through bigint,
    pending bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    went_back_at timestamp with time zone
);
CREATE TABLE checkpost.displaced (
    name name NOT NULL,
    enabled "char" NOT NULL
);
CREATE VIEW checkpost.divided AS
 SELECT d.tab,
    d.col
   FROM ( VALUES ('observations'::text,'record'::text), ('passages'::text,'row_number'::text)) d(tab, col);
CREATE TABLE checkpost.dropped_photographs (
    path text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE checkpost.earlier_limits (
    segment_id uuid NOT NULL,
    until bigint NOT NULL,
    distance bigint NOT NULL,
    fastest bigint NOT NULL,
    slowest bigint NOT NULL,
    CONSTRAINT earlier_limits_check CHECK ((fastest > slowest)),
    CONSTRAINT earlier_limits_distance_check CHECK ((distance >= 1)),
    CONSTRAINT earlier_limits_slowest_check CHECK ((slowest >= 1))
);
CREATE TABLE checkpost.feed (
    number bigint NOT NULL,
    transaction xid8 DEFAULT pg_current_xact_id() NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL
);
ALTER TABLE checkpost.feed ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.feed_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE checkpost.feed_until
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE checkpost.feed_wanted (
    one boolean NOT NULL,
    until timestamp with time zone NOT NULL,
    horizon xid8 NOT NULL,
    CONSTRAINT feed_wanted_one_check CHECK (one)
);
CREATE TABLE checkpost.forgetting (
    only_one boolean DEFAULT true NOT NULL,
    since bigint,
    place text,
    after_at timestamp with time zone,
    after_number bigint,
    next_at timestamp with time zone,
    CONSTRAINT forgetting_only_one_check CHECK (only_one),
    CONSTRAINT forgetting_place_check CHECK ((place = ANY (ARRAY['passages'::text, 'messages'::text, 'audit'::text])))
);
CREATE TABLE checkpost.heard (
    post text NOT NULL COLLATE pg_catalog."C",
    last_at timestamp with time zone,
    passages bigint DEFAULT 0 NOT NULL,
    recorded bigint DEFAULT 0 NOT NULL,
    heartbeat_at timestamp with time zone,
    last_number bigint,
    through_epoch bigint,
    waiting bigint,
    texted bigint,
    baseline bigint,
    CONSTRAINT heard_heartbeat CHECK ((num_nulls(heartbeat_at, last_number, waiting, texted, baseline) = ANY (ARRAY[0, 5])))
)
WITH (fillfactor='70');
CREATE TABLE checkpost.heard_changes (
    post text NOT NULL COLLATE pg_catalog."C",
    last_at timestamp with time zone,
    passages bigint DEFAULT 0 NOT NULL,
    recorded bigint DEFAULT 0 NOT NULL
);
CREATE VIEW checkpost.heard_now AS
 SELECT COALESCE(h.post, d.post) AS post,
    GREATEST(h.last_at, d.last_at) AS last_at,
    (COALESCE(h.passages, (0)::bigint) + COALESCE(d.passages, (0)::bigint)) AS passages,
    (COALESCE(h.recorded, (0)::bigint) + COALESCE(d.recorded, (0)::bigint)) AS recorded,
    h.heartbeat_at,
    h.last_number,
    h.through_epoch,
    h.waiting,
    h.texted,
    h.baseline
   FROM (checkpost.heard h
     FULL JOIN ( SELECT c.post,
            max(c.last_at) AS last_at,
            (sum(c.passages))::bigint AS passages,
            (sum(c.recorded))::bigint AS recorded
           FROM checkpost.heard_changes c
          GROUP BY c.post) d ON ((d.post = h.post)));
CREATE TABLE checkpost.inbox (
    id bigint NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_id text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    sender text,
    recipient text,
    kind text NOT NULL,
    body text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    times_received bigint DEFAULT 1 NOT NULL,
    state text DEFAULT 'received'::text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    words text,
    client_id uuid,
    warnings text,
    part_key text COLLATE pg_catalog."C",
    part integer,
    parts integer,
    dismissed_at timestamp with time zone,
    dismissed_by text,
    CONSTRAINT inbox_dismissed CHECK ((((dismissed_at IS NULL) = (dismissed_by IS NULL)) AND ((dismissed_at IS NULL) OR (state = 'undecodable'::text)))),
    CONSTRAINT inbox_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'pdu'::text]))),
    CONSTRAINT inbox_passage CHECK (((state = ANY (ARRAY['decoded'::text, 'duplicate'::text])) = (client_id IS NOT NULL))),
    CONSTRAINT inbox_reason CHECK (((state = 'undecodable'::text) = (reason IS NOT NULL))),
    CONSTRAINT inbox_state_check CHECK ((state = ANY (ARRAY['received'::text, 'part'::text, 'report'::text, 'heartbeat'::text, 'decoded'::text, 'duplicate'::text, 'undecodable'::text])))
);
CREATE SEQUENCE checkpost.inbox_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE checkpost.inbox_numbers OWNED BY checkpost.inbox.id;
CREATE TABLE checkpost.known_places (
    post text NOT NULL COLLATE pg_catalog."C",
    it checkpost.place NOT NULL
);
CREATE TABLE checkpost.made (
    name text NOT NULL
);
CREATE TABLE checkpost.migrations (
    version bigint NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    is_adopted boolean DEFAULT false NOT NULL
);
CREATE TABLE checkpost.numbers (
    phone text NOT NULL COLLATE pg_catalog."C",
    post_id uuid NOT NULL,
    valid_from timestamp with time zone,
    valid_until timestamp with time zone
);
ALTER TABLE checkpost.observations ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.observations_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.originals (
    kind text NOT NULL,
    id uuid NOT NULL,
    content jsonb NOT NULL,
    CONSTRAINT originals_kind_check CHECK ((kind = ANY (ARRAY['passage'::text, 'violation'::text, 'alert'::text])))
);
CREATE TABLE checkpost.pairing_windows (
    segment text NOT NULL,
    seconds bigint NOT NULL,
    CONSTRAINT pairing_windows_seconds_check CHECK (((seconds >= 18000) AND (seconds <= 2592000)))
);
CREATE TABLE checkpost.pairs (
    entry bigint NOT NULL,
    exit bigint NOT NULL
);
CREATE TABLE checkpost.post_aliases (
    code text NOT NULL COLLATE pg_catalog."C",
    post_id uuid NOT NULL
);
CREATE TABLE checkpost.post_marks (
    post text NOT NULL COLLATE pg_catalog."C",
    way text NOT NULL,
    through bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    went_back_at timestamp with time zone,
    CONSTRAINT post_marks_way_check CHECK ((way = ANY (ARRAY['devices'::text, 'text'::text])))
);
CREATE TABLE checkpost.post_phones (
    post_id uuid NOT NULL,
    phone text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE checkpost.post_reports (
    post text NOT NULL COLLATE pg_catalog."C",
    through bigint NOT NULL
);
CREATE TABLE checkpost.proofs (
    content bytea
);
ALTER TABLE ONLY checkpost.proofs ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE checkpost.ranger_assignments (
    number bigint NOT NULL,
    ranger uuid NOT NULL,
    post_id uuid NOT NULL,
    suffix text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone,
    until timestamp with time zone,
    known_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ranger_assignments_suffix_check CHECK ((suffix <> '0000'::text))
);
ALTER TABLE checkpost.ranger_assignments ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.ranger_assignments_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE checkpost.records ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.records_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.refresh_tokens (
    digest bytea NOT NULL,
    session text NOT NULL COLLATE pg_catalog."C",
    generation bigint NOT NULL,
    CONSTRAINT refresh_tokens_digest_check CHECK ((length(digest) = 32))
);
CREATE TABLE checkpost.removed (
    number bigint NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL,
    content jsonb NOT NULL,
    removed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT removed_kind_check CHECK ((kind = ANY (ARRAY['passage'::text, 'violation'::text])))
);
ALTER TABLE checkpost.removed ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.removed_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.revisions (
    entry bigint NOT NULL,
    number bigint NOT NULL,
    change text NOT NULL,
    cause text NOT NULL,
    at timestamp with time zone NOT NULL,
    before jsonb,
    after jsonb,
    was_final text NOT NULL,
    origins bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    CONSTRAINT revisions_cause_check CHECK ((cause = ANY (ARRAY['arrival'::text, 'correction'::text, 'directory'::text, 'rules'::text]))),
    CONSTRAINT revisions_change_check CHECK ((change = ANY (ARRAY['made'::text, 'changed'::text, 'retracted'::text, 'renewed'::text])))
);
CREATE VIEW checkpost.segments AS
 SELECT h.id,
    h.name,
    h.distance,
    h.fastest,
    h.slowest,
    array_agg(e.code ORDER BY e.position_index) AS posts
   FROM (checkpost.known_segments h
     JOIN checkpost.segment_ends e ON ((e.segment_id = h.id)))
  GROUP BY h.id, h.name, h.distance, h.fastest, h.slowest
 HAVING ((count(*) = 2) AND (h.fastest > h.slowest) AND (h.slowest >= 1) AND (h.distance >= 1));
CREATE TABLE checkpost.sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    account uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    refreshed_at timestamp with time zone NOT NULL,
    generation bigint NOT NULL,
    nonce bytea NOT NULL,
    ended text,
    ended_at timestamp with time zone,
    CONSTRAINT sessions_check CHECK (((ended IS NULL) = (ended_at IS NULL))),
    CONSTRAINT sessions_generation_check CHECK ((generation >= 0))
)
WITH (fillfactor='90');
CREATE TABLE checkpost.tally (
    name text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE checkpost.tally_changes (
    name text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
);
CREATE VIEW checkpost.tally_now AS
 SELECT a.name,
    (sum(a.n))::bigint AS n
   FROM ( SELECT tally.name,
            tally.n
           FROM checkpost.tally
        UNION ALL
         SELECT tally_changes.name,
            tally_changes.n
           FROM checkpost.tally_changes) a
  GROUP BY a.name;
CREATE UNLOGGED TABLE checkpost.touched_before (
    lines text NOT NULL
);
CREATE TABLE checkpost.unpaired (
    row_number bigint NOT NULL
);
CREATE TABLE checkpost.unreadable (
    passage uuid NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE checkpost.violation_notes (
    number bigint NOT NULL,
    entry bigint NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone NOT NULL,
    author text,
    revision bigint NOT NULL,
    CONSTRAINT violation_notes_kind_check CHECK ((kind = ANY (ARRAY['confirmed'::text, 'seen'::text, 'provisional'::text, 'reported'::text, 'unreported'::text, 'outcome'::text])))
);
ALTER TABLE checkpost.violation_notes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME checkpost.violation_notes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE checkpost.violations (
    entry bigint NOT NULL,
    found checkpost.finding NOT NULL,
    is_retracted boolean DEFAULT false NOT NULL,
    since timestamp with time zone NOT NULL,
    finality text DEFAULT 'provisional'::text NOT NULL,
    confirmed_at timestamp with time zone,
    confirmed_by text,
    revision bigint DEFAULT 1 NOT NULL,
    uuid uuid,
    entry_needs bigint,
    exit_needs bigint,
    unreported_from timestamp with time zone,
    changed_final_at timestamp with time zone,
    CONSTRAINT violations_finality_check CHECK ((finality = ANY (ARRAY['provisional'::text, 'reported'::text, 'unreported'::text])))
);
CREATE TABLE checkpost.waiting (
    entry bigint NOT NULL,
    plate text NOT NULL COLLATE pg_catalog."C",
    post text NOT NULL COLLATE pg_catalog."C",
    second bigint NOT NULL,
    opposite text NOT NULL COLLATE pg_catalog."C",
    due_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    look_at bigint NOT NULL,
    is_told boolean DEFAULT false NOT NULL
);
CREATE TABLE checkpost.webhook_refusals (
    path text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    words text NOT NULL,
    n bigint NOT NULL,
    since timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_refusals_n_check CHECK ((n > 0))
);
CREATE VIEW public.passages_by_identity WITH (security_barrier='true') AS
 SELECT v.id,
    i.client_id,
    v.plate_number,
    v.plate_number_raw,
    v.vehicle_type,
    v.checkpost_id,
    v.segment_id,
    v.recorded_at,
    v.server_received_at,
    v.ranger_id,
    v.photo_path,
    v.source,
    v.matched_passage_id,
    v.is_entry,
    v.created_at
   FROM (((checkpost.identities i
     JOIN checkpost.records r ON ((r.number = i.record)))
     JOIN checkpost.records s ON ((s.number = r.row_number)))
     JOIN public.vehicle_passages v ON ((v.id = s.passage_id)))
  WHERE checkpost.sees_passage(v.id);
ALTER TABLE ONLY checkpost.inbox ALTER COLUMN id SET DEFAULT nextval('checkpost.inbox_numbers'::regclass);
ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY checkpost.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);
ALTER TABLE ONLY checkpost.accounts
    ADD CONSTRAINT accounts_phone_key UNIQUE (phone);
ALTER TABLE ONLY checkpost.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY checkpost.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY checkpost.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (prefix);
ALTER TABLE ONLY checkpost.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY checkpost.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.corrections
    ADD CONSTRAINT corrections_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.device_clocks
    ADD CONSTRAINT device_clocks_pkey PRIMARY KEY (user_id, device_id);
ALTER TABLE ONLY checkpost.device_marks
    ADD CONSTRAINT device_marks_pkey PRIMARY KEY (user_id, device_id);
ALTER TABLE ONLY checkpost.displaced
    ADD CONSTRAINT displaced_pkey PRIMARY KEY (name);
ALTER TABLE ONLY checkpost.dropped_photographs
    ADD CONSTRAINT dropped_photographs_pkey PRIMARY KEY (path);
ALTER TABLE ONLY checkpost.earlier_limits
    ADD CONSTRAINT earlier_limits_pkey PRIMARY KEY (segment_id, until);
ALTER TABLE ONLY checkpost.exact_segments
    ADD CONSTRAINT exact_segments_pkey PRIMARY KEY (segment_id);
ALTER TABLE ONLY checkpost.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.feed_wanted
    ADD CONSTRAINT feed_wanted_pkey PRIMARY KEY (one);
ALTER TABLE ONLY checkpost.forgetting
    ADD CONSTRAINT forgetting_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY checkpost.further_ends
    ADD CONSTRAINT further_ends_pkey PRIMARY KEY (segment_id, position_index);
ALTER TABLE ONLY checkpost.heard
    ADD CONSTRAINT heard_pkey PRIMARY KEY (post);
ALTER TABLE ONLY checkpost.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY checkpost.inbox
    ADD CONSTRAINT inbox_message UNIQUE (provider, digest);
ALTER TABLE ONLY checkpost.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY checkpost.known_places
    ADD CONSTRAINT known_places_pkey PRIMARY KEY (post);
ALTER TABLE ONLY checkpost.loose_segments
    ADD CONSTRAINT loose_segments_pkey PRIMARY KEY (segment_id);
ALTER TABLE ONLY checkpost.made
    ADD CONSTRAINT made_pkey PRIMARY KEY (name);
ALTER TABLE ONLY checkpost.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY checkpost.numbers
    ADD CONSTRAINT numbers_pkey PRIMARY KEY (phone, post_id);
ALTER TABLE ONLY checkpost.observations
    ADD CONSTRAINT observations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.originals
    ADD CONSTRAINT originals_pkey PRIMARY KEY (kind, id);
ALTER TABLE ONLY checkpost.pairing_windows
    ADD CONSTRAINT pairing_windows_pkey PRIMARY KEY (segment);
ALTER TABLE ONLY checkpost.pairs
    ADD CONSTRAINT pairs_exit_key UNIQUE (exit);
ALTER TABLE ONLY checkpost.pairs
    ADD CONSTRAINT pairs_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY checkpost.passages
    ADD CONSTRAINT passages_pkey PRIMARY KEY (row_number);
ALTER TABLE ONLY checkpost.post_aliases
    ADD CONSTRAINT post_aliases_pkey PRIMARY KEY (code);
ALTER TABLE ONLY checkpost.post_marks
    ADD CONSTRAINT post_marks_pkey PRIMARY KEY (post, way);
ALTER TABLE ONLY checkpost.post_phones
    ADD CONSTRAINT post_phones_pkey PRIMARY KEY (post_id);
ALTER TABLE ONLY checkpost.post_reports
    ADD CONSTRAINT post_reports_pkey PRIMARY KEY (post);
ALTER TABLE ONLY checkpost.ranger_assignments
    ADD CONSTRAINT ranger_assignments_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.records
    ADD CONSTRAINT records_content UNIQUE (received_plate, received_post, received_second);
ALTER TABLE ONLY checkpost.records
    ADD CONSTRAINT records_passage_id_key UNIQUE (passage_id);
ALTER TABLE ONLY checkpost.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY checkpost.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_generation_key UNIQUE (session, generation);
ALTER TABLE ONLY checkpost.rejudging
    ADD CONSTRAINT rejudging_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY checkpost.removed
    ADD CONSTRAINT removed_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (entry, number);
ALTER TABLE ONLY checkpost.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY checkpost.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY checkpost.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (name);
ALTER TABLE ONLY checkpost.unpaired
    ADD CONSTRAINT unpaired_pkey PRIMARY KEY (row_number);
ALTER TABLE ONLY checkpost.unreadable
    ADD CONSTRAINT unreadable_pkey PRIMARY KEY (passage);
ALTER TABLE ONLY checkpost.violation_notes
    ADD CONSTRAINT violation_notes_pkey PRIMARY KEY (number);
ALTER TABLE ONLY checkpost.violations
    ADD CONSTRAINT violations_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY checkpost.waiting
    ADD CONSTRAINT waiting_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY checkpost.webhook_refusals
    ADD CONSTRAINT webhook_refusals_pkey PRIMARY KEY (path, kind);
ALTER TABLE ONLY public.checkposts
    ADD CONSTRAINT checkposts_code_key UNIQUE (code);
ALTER TABLE ONLY public.checkposts
    ADD CONSTRAINT checkposts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.highway_segments
    ADD CONSTRAINT highway_segments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.parks
    ADD CONSTRAINT parks_code_key UNIQUE (code);
ALTER TABLE ONLY public.parks
    ADD CONSTRAINT parks_name_key UNIQUE (name);
ALTER TABLE ONLY public.parks
    ADD CONSTRAINT parks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.proactive_overstay_alerts
    ADD CONSTRAINT proactive_overstay_alerts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sync_metadata
    ADD CONSTRAINT sync_metadata_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.checkposts
    ADD CONSTRAINT uq_checkposts_segment_position UNIQUE (segment_id, position_index);
ALTER TABLE ONLY public.proactive_overstay_alerts
    ADD CONSTRAINT uq_overstay_alerts_entry_passage_id UNIQUE (entry_passage_id);
ALTER TABLE ONLY public.sync_metadata
    ADD CONSTRAINT uq_sync_metadata_user_device UNIQUE (user_id, device_id);
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_client_id_key UNIQUE (client_id);
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.violation_outcomes
    ADD CONSTRAINT violation_outcomes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.violation_outcomes
    ADD CONSTRAINT violation_outcomes_violation_id_key UNIQUE (violation_id);
ALTER TABLE ONLY public.violations
    ADD CONSTRAINT violations_entry_passage_id_key UNIQUE (entry_passage_id);
ALTER TABLE ONLY public.violations
    ADD CONSTRAINT violations_pkey PRIMARY KEY (id);
CREATE INDEX alerts_newest ON checkpost.alerts USING btree (due_at, entry);
CREATE INDEX alerts_standing ON checkpost.alerts USING btree (due_at, entry) WHERE (ending IS NULL);
CREATE INDEX audit_unknown ON checkpost.audit USING btree (id) WHERE ((account IS NULL) AND (kind = 'sign_in_refused'::text));
CREATE INDEX corrections_early ON checkpost.corrections USING btree (client_id) WHERE (record IS NULL);
CREATE INDEX corrections_photo ON checkpost.corrections USING btree (photo_path) WHERE (photo_path IS NOT NULL);
CREATE INDEX corrections_record ON checkpost.corrections USING btree (record);
CREATE INDEX corrections_withdrawn ON checkpost.corrections USING btree (record) WHERE (withdrawal IS NOT NULL);
CREATE INDEX feed_order ON checkpost.feed USING btree (transaction, number);
CREATE INDEX further_ends_post ON checkpost.further_ends USING btree (post_id);
CREATE INDEX identities_record ON checkpost.identities USING btree (record);
CREATE INDEX inbox_kept_back ON checkpost.inbox USING btree (id) WHERE ((state = 'undecodable'::text) AND (dismissed_at IS NULL));
CREATE INDEX inbox_open ON checkpost.inbox USING btree (id) WHERE (state = 'received'::text);
CREATE INDEX inbox_parts ON checkpost.inbox USING hash (part_key) WHERE (state = ANY (ARRAY['received'::text, 'part'::text, 'undecodable'::text]));
CREATE INDEX inbox_undecodable ON checkpost.inbox USING btree (id) WHERE (state = 'undecodable'::text);
CREATE INDEX inbox_waiting ON checkpost.inbox USING btree (id) WHERE (state = 'part'::text);
CREATE INDEX numbers_post ON checkpost.numbers USING btree (post_id);
CREATE INDEX observations_inbox ON checkpost.observations USING btree (inbox_id) WHERE (inbox_id IS NOT NULL);
CREATE INDEX observations_photo ON checkpost.observations USING btree (photo_path) WHERE (photo_path IS NOT NULL);
CREATE INDEX observations_record ON checkpost.observations USING btree (record);
CREATE INDEX passages_post ON checkpost.passages USING btree (post, earliest);
CREATE INDEX passages_suffix ON checkpost.passages USING btree (suffix, recorded_at, row_number);
CREATE INDEX passages_time ON checkpost.passages USING btree (recorded_at, row_number);
CREATE INDEX passages_unnamed ON checkpost.passages USING btree (post, suffix) WHERE (rangers = '{}'::text[]);
CREATE UNIQUE INDEX ranger_assignments_now ON checkpost.ranger_assignments USING btree (ranger) WHERE (until IS NULL);
CREATE INDEX ranger_assignments_ranger ON checkpost.ranger_assignments USING btree (ranger);
CREATE INDEX ranger_assignments_suffix ON checkpost.ranger_assignments USING btree (post_id, suffix);
CREATE INDEX records_inbox ON checkpost.records USING btree (inbox_id) WHERE (inbox_id IS NOT NULL);
CREATE INDEX records_post ON checkpost.records USING btree (post);
CREATE INDEX records_received_plate ON checkpost.records USING btree (received_plate);
CREATE INDEX records_row ON checkpost.records USING btree (row_number) WHERE (row_number <> number);
CREATE INDEX records_vehicle ON checkpost.records USING btree (plate, second, post);
CREATE INDEX removed_entry ON checkpost.removed USING btree (((content ->> 'entry_passage_id'::text))) WHERE (kind = 'violation'::text);
CREATE INDEX removed_id ON checkpost.removed USING btree (kind, id);
CREATE INDEX sessions_account ON checkpost.sessions USING btree (account, created_at);
CREATE INDEX sessions_used ON checkpost.sessions USING btree (refreshed_at);
CREATE INDEX violation_notes_entry ON checkpost.violation_notes USING btree (entry, number);
CREATE INDEX violations_changed ON checkpost.violations USING btree (changed_final_at) WHERE (changed_final_at IS NOT NULL);
CREATE INDEX violations_entry_needs ON checkpost.violations USING btree (((found).entry_post), entry_needs) WHERE (entry_needs IS NOT NULL);
CREATE INDEX violations_exit ON checkpost.violations USING btree (((found).exit));
CREATE INDEX violations_exit_needs ON checkpost.violations USING btree (((found).exit_post), exit_needs) WHERE (exit_needs IS NOT NULL);
CREATE INDEX violations_newest ON checkpost.violations USING btree (((found).exit_earliest), entry);
CREATE INDEX violations_plate ON checkpost.violations USING btree (((found).plate));
CREATE INDEX violations_unreported ON checkpost.violations USING btree (unreported_from) WHERE (unreported_from IS NOT NULL);
CREATE UNIQUE INDEX violations_uuid ON checkpost.violations USING btree (uuid);
CREATE INDEX waiting_look ON checkpost.waiting USING btree (look_at);
CREATE INDEX waiting_told ON checkpost.waiting USING btree (opposite, due_at) WHERE is_told;
CREATE INDEX checkpost_unknown ON public.vehicle_passages USING btree (checkpost_id) WHERE (ranger_id = '23c10443-90eb-8140-9295-00e39e4f8022'::uuid);
CREATE INDEX proactive_overstay_alerts_resolved_by_passage_id_idx ON public.proactive_overstay_alerts USING btree (resolved_by_passage_id) WHERE (resolved_by_passage_id IS NOT NULL);
CREATE INDEX vehicle_passages_checkpost_id_recorded_at_idx ON public.vehicle_passages USING btree (checkpost_id, recorded_at DESC);
CREATE INDEX vehicle_passages_matched_passage_id_idx ON public.vehicle_passages USING btree (matched_passage_id) WHERE (matched_passage_id IS NOT NULL);
CREATE INDEX vehicle_passages_plate_number_segment_id_recorded_at_idx ON public.vehicle_passages USING btree (plate_number, segment_id, recorded_at DESC);
CREATE INDEX violations_exit_passage_id_idx ON public.violations USING btree (exit_passage_id);
CREATE TRIGGER accounts_disabled AFTER UPDATE OF active ON checkpost.accounts FOR EACH ROW WHEN ((old.active AND (NOT new.active))) EXECUTE FUNCTION checkpost.end_sessions();
CREATE TRIGGER accounts_post BEFORE INSERT OR UPDATE OF checkpost ON checkpost.accounts FOR EACH ROW EXECUTE FUNCTION checkpost.check_post();
CREATE TRIGGER accounts_shown AFTER INSERT OR UPDATE OF full_name, role, checkpost, active ON checkpost.accounts FOR EACH ROW EXECUTE FUNCTION checkpost.show_account();
CREATE TRIGGER api_keys_frozen BEFORE UPDATE ON checkpost.api_keys FOR EACH ROW WHEN (((new.role <> old.role) OR (new.digest <> old.digest) OR ((new.checkpost IS NULL) <> (old.checkpost IS NULL)) OR ((old.revoked_at IS NOT NULL) AND (new.revoked_at IS DISTINCT FROM old.revoked_at)))) EXECUTE FUNCTION checkpost.refuse_key();
CREATE TRIGGER api_keys_post BEFORE INSERT ON checkpost.api_keys FOR EACH ROW EXECUTE FUNCTION checkpost.check_post();
CREATE TRIGGER audit_frozen BEFORE UPDATE ON checkpost.audit FOR EACH ROW EXECUTE FUNCTION checkpost.refuse_audit();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.earlier_limits FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.exact_segments FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.further_ends FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.loose_segments FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.pairing_windows FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON checkpost.settings FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.earlier_limits FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.exact_segments FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.further_ends FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.loose_segments FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.pairing_windows FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON checkpost.settings FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER count_1_kept AFTER INSERT ON checkpost.inbox REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_messages();
CREATE TRIGGER count_1_passage AFTER INSERT ON checkpost.passages REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_passages();
CREATE TRIGGER count_1_report AFTER INSERT ON checkpost.observations REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_report();
CREATE TRIGGER count_1_violation AFTER INSERT ON checkpost.violations REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_violation();
CREATE TRIGGER count_2_changed AFTER UPDATE ON checkpost.inbox REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_messages();
CREATE TRIGGER count_2_moved AFTER UPDATE OF post ON checkpost.passages FOR EACH ROW WHEN ((new.post <> old.post)) EXECUTE FUNCTION checkpost.count_moved();
CREATE TRIGGER count_2_retracted AFTER UPDATE OF is_retracted ON checkpost.violations FOR EACH ROW WHEN ((new.is_retracted <> old.is_retracted)) EXECUTE FUNCTION checkpost.count_retracted();
CREATE TRIGGER count_3_gone AFTER DELETE ON checkpost.inbox REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_messages();
CREATE TRIGGER count_3_gone AFTER DELETE ON checkpost.passages REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_passages();
CREATE TRIGGER count_3_gone AFTER DELETE ON checkpost.violations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION checkpost.count_violation();
CREATE TRIGGER end_1_judge AFTER INSERT OR DELETE OR UPDATE ON checkpost.further_ends FOR EACH ROW EXECUTE FUNCTION checkpost.end_changed();
CREATE TRIGGER exact_1_judge AFTER INSERT OR DELETE OR UPDATE ON checkpost.exact_segments FOR EACH ROW EXECUTE FUNCTION checkpost.exact_changed();
CREATE TRIGGER inbox_frozen BEFORE UPDATE OF id, provider, provider_id, digest, kind, body, received_at ON checkpost.inbox FOR EACH ROW EXECUTE FUNCTION checkpost.refuse_change();
CREATE TRIGGER sessions_ended BEFORE UPDATE ON checkpost.sessions FOR EACH ROW WHEN (((old.ended IS NOT NULL) AND (new.ended IS DISTINCT FROM old.ended))) EXECUTE FUNCTION checkpost.refuse_session();
CREATE TRIGGER unpaired_1_paired AFTER INSERT ON checkpost.pairs REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION checkpost.keep_unpaired();
CREATE TRIGGER unpaired_2_parted AFTER DELETE ON checkpost.pairs REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION checkpost.keep_unpaired();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON public.checkposts FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places AFTER INSERT OR DELETE OR UPDATE ON public.highway_segments FOR EACH ROW EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON public.checkposts FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON public.highway_segments FOR EACH STATEMENT EXECUTE FUNCTION checkpost.forget_places();
CREATE TRIGGER checkpost_1_correct INSTEAD OF UPDATE ON public.passages_by_identity FOR EACH ROW EXECUTE FUNCTION checkpost.correct_identity();
CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR DELETE OR UPDATE ON public.checkposts FOR EACH STATEMENT EXECUTE FUNCTION checkpost.lock_statement();
CREATE TRIGGER checkpost_1_lock BEFORE UPDATE ON public.highway_segments FOR EACH STATEMENT EXECUTE FUNCTION checkpost.lock_statement();
CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR UPDATE ON public.user_profiles FOR EACH STATEMENT EXECUTE FUNCTION checkpost.lock_statement();
CREATE TRIGGER checkpost_1_lock BEFORE DELETE OR UPDATE ON public.vehicle_passages FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.lock_statement();
CREATE TRIGGER checkpost_1_receipt BEFORE UPDATE ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.keep_receipt();
CREATE TRIGGER checkpost_1_refuse BEFORE INSERT ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.refuse_row();
CREATE TRIGGER checkpost_1_refuse_move BEFORE UPDATE ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.refuse_move();
CREATE TRIGGER checkpost_1_report AFTER INSERT OR DELETE OR UPDATE ON public.sync_metadata FOR EACH ROW EXECUTE FUNCTION checkpost.device_told();
CREATE TRIGGER checkpost_1_verify BEFORE INSERT OR UPDATE ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.verify_row();
CREATE TRIGGER checkpost_2_correct AFTER UPDATE ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.correct_row();
CREATE TRIGGER checkpost_2_forget BEFORE DELETE ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.forget_row();
CREATE TRIGGER checkpost_2_judge AFTER INSERT OR DELETE OR UPDATE ON public.checkposts FOR EACH ROW EXECUTE FUNCTION checkpost.post_changed();
CREATE TRIGGER checkpost_2_judge AFTER UPDATE ON public.highway_segments FOR EACH ROW EXECUTE FUNCTION checkpost.segment_changed();
CREATE TRIGGER checkpost_2_show AFTER INSERT OR UPDATE ON public.user_profiles FOR EACH ROW EXECUTE FUNCTION checkpost.ranger_changed();
CREATE TRIGGER checkpost_2_take BEFORE INSERT ON public.vehicle_passages FOR EACH ROW WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.take_row();
CREATE TRIGGER checkpost_3_judge AFTER INSERT ON public.vehicle_passages FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.judge_statement();
CREATE TRIGGER checkpost_3_judge_change AFTER UPDATE ON public.vehicle_passages FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.judge_statement();
CREATE TRIGGER checkpost_3_judge_deletion AFTER DELETE ON public.vehicle_passages FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'owner'::name) OR (COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) = ''::text))) EXECUTE FUNCTION checkpost.judge_statement();
CREATE TRIGGER checkpost_3_rename AFTER UPDATE OF code ON public.checkposts FOR EACH ROW WHEN ((new.code <> old.code)) EXECUTE FUNCTION checkpost.rename_post();
CREATE TRIGGER checkpost_4_heard AFTER UPDATE OF code ON public.checkposts FOR EACH ROW WHEN ((new.code <> old.code)) EXECUTE FUNCTION checkpost.post_renamed();
CREATE TRIGGER checkpost_9_keep_delete BEFORE DELETE ON public.proactive_overstay_alerts FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND true)) EXECUTE FUNCTION checkpost.keep_original('alert');
CREATE TRIGGER checkpost_9_keep_delete BEFORE DELETE ON public.vehicle_passages FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND true)) EXECUTE FUNCTION checkpost.keep_original('passage');
CREATE TRIGGER checkpost_9_keep_delete BEFORE DELETE ON public.violations FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND true)) EXECUTE FUNCTION checkpost.keep_original('violation');
CREATE TRIGGER checkpost_9_keep_update BEFORE UPDATE ON public.proactive_overstay_alerts FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION checkpost.keep_original('alert');
CREATE TRIGGER checkpost_9_keep_update BEFORE UPDATE ON public.vehicle_passages FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION checkpost.keep_original('passage');
CREATE TRIGGER checkpost_9_keep_update BEFORE UPDATE ON public.violations FOR EACH ROW WHEN (((COALESCE(current_setting('checkpost.projecting'::text, true), ''::text) <> ''::text) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION checkpost.keep_original('violation');
CREATE TRIGGER checkpost_9_note_delete AFTER DELETE ON public.proactive_overstay_alerts REFERENCING OLD TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_delete AFTER DELETE ON public.vehicle_passages REFERENCING OLD TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_delete AFTER DELETE ON public.violations REFERENCING OLD TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_insert AFTER INSERT ON public.proactive_overstay_alerts REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_insert AFTER INSERT ON public.vehicle_passages REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_insert AFTER INSERT ON public.violations REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_update AFTER UPDATE ON public.proactive_overstay_alerts REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_update AFTER UPDATE ON public.vehicle_passages REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER checkpost_9_note_update AFTER UPDATE ON public.violations REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION checkpost.note_rows();
CREATE TRIGGER outcome_0_time BEFORE INSERT OR UPDATE ON public.violation_outcomes FOR EACH ROW EXECUTE FUNCTION checkpost.keep_outcome_time();
CREATE TRIGGER outcome_1_reason BEFORE INSERT OR UPDATE OF outcome_type, notes ON public.violation_outcomes FOR EACH ROW EXECUTE FUNCTION checkpost.check_fine();
ALTER TABLE ONLY checkpost.corrections
    ADD CONSTRAINT corrections_record_fkey FOREIGN KEY (record) REFERENCES checkpost.records(number) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.earlier_limits
    ADD CONSTRAINT earlier_limits_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.exact_segments
    ADD CONSTRAINT exact_segments_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.further_ends
    ADD CONSTRAINT further_ends_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.checkposts(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.further_ends
    ADD CONSTRAINT further_ends_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.identities
    ADD CONSTRAINT identities_record_fkey FOREIGN KEY (record) REFERENCES checkpost.records(number) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.loose_segments
    ADD CONSTRAINT loose_segments_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.numbers
    ADD CONSTRAINT numbers_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.checkposts(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.observations
    ADD CONSTRAINT observations_record_fkey FOREIGN KEY (record) REFERENCES checkpost.records(number) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.post_phones
    ADD CONSTRAINT post_phones_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.checkposts(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.ranger_assignments
    ADD CONSTRAINT ranger_assignments_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.checkposts(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.ranger_assignments
    ADD CONSTRAINT ranger_assignments_ranger_fkey FOREIGN KEY (ranger) REFERENCES public.user_profiles(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_fkey FOREIGN KEY (session) REFERENCES checkpost.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY checkpost.sessions
    ADD CONSTRAINT sessions_account_fkey FOREIGN KEY (account) REFERENCES checkpost.accounts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.checkposts
    ADD CONSTRAINT checkposts_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.highway_segments
    ADD CONSTRAINT highway_segments_park_id_fkey FOREIGN KEY (park_id) REFERENCES public.parks(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.proactive_overstay_alerts
    ADD CONSTRAINT proactive_overstay_alerts_entry_passage_id_fkey FOREIGN KEY (entry_passage_id) REFERENCES public.vehicle_passages(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.proactive_overstay_alerts
    ADD CONSTRAINT proactive_overstay_alerts_resolved_by_passage_id_fkey FOREIGN KEY (resolved_by_passage_id) REFERENCES public.vehicle_passages(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.proactive_overstay_alerts
    ADD CONSTRAINT proactive_overstay_alerts_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id);
ALTER TABLE ONLY public.sync_metadata
    ADD CONSTRAINT sync_metadata_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.user_profiles(id);
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_assigned_checkpost_id_fkey FOREIGN KEY (assigned_checkpost_id) REFERENCES public.checkposts(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_assigned_park_id_fkey FOREIGN KEY (assigned_park_id) REFERENCES public.parks(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_checkpost_id_fkey FOREIGN KEY (checkpost_id) REFERENCES public.checkposts(id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_matched_passage_id_fkey FOREIGN KEY (matched_passage_id) REFERENCES public.vehicle_passages(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_ranger_id_fkey FOREIGN KEY (ranger_id) REFERENCES public.user_profiles(id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.vehicle_passages
    ADD CONSTRAINT vehicle_passages_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.violation_outcomes
    ADD CONSTRAINT violation_outcomes_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES public.user_profiles(id);
ALTER TABLE ONLY public.violation_outcomes
    ADD CONSTRAINT violation_outcomes_violation_id_fkey FOREIGN KEY (violation_id) REFERENCES public.violations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.violations
    ADD CONSTRAINT violations_entry_passage_id_fkey FOREIGN KEY (entry_passage_id) REFERENCES public.vehicle_passages(id);
ALTER TABLE ONLY public.violations
    ADD CONSTRAINT violations_exit_passage_id_fkey FOREIGN KEY (exit_passage_id) REFERENCES public.vehicle_passages(id);
ALTER TABLE ONLY public.violations
    ADD CONSTRAINT violations_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.highway_segments(id);
CREATE POLICY admins ON public.checkposts TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.highway_segments TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.parks TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.proactive_overstay_alerts TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.sync_metadata TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.user_profiles TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.vehicle_passages TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.violation_outcomes TO authenticated USING (public.checkpost_is_admin());
CREATE POLICY admins ON public.violations TO authenticated USING (public.checkpost_is_admin());
ALTER TABLE public.checkposts ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone ON public.checkposts FOR SELECT TO authenticated USING (true);
CREATE POLICY everyone ON public.highway_segments FOR SELECT TO authenticated USING (true);
CREATE POLICY everyone ON public.parks FOR SELECT TO authenticated USING (true);
ALTER TABLE public.highway_segments ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_segment ON public.proactive_overstay_alerts FOR SELECT TO authenticated USING ((segment_id = ANY (( SELECT public.checkpost_my_segments() AS checkpost_my_segments)::uuid[])));
CREATE POLICY of_segment ON public.vehicle_passages FOR SELECT TO authenticated USING (((segment_id = ANY (( SELECT public.checkpost_my_segments() AS checkpost_my_segments)::uuid[])) OR (checkpost_id = ANY (( SELECT public.checkpost_my_posts() AS checkpost_my_posts)::uuid[]))));
CREATE POLICY of_segment ON public.violation_outcomes FOR SELECT TO authenticated USING ((EXISTS ( SELECT
   FROM public.violations v
  WHERE ((v.id = violation_outcomes.violation_id) AND (v.segment_id = ANY (( SELECT public.checkpost_my_segments() AS checkpost_my_segments)::uuid[]))))));
CREATE POLICY of_segment ON public.violations FOR SELECT TO authenticated USING ((segment_id = ANY (( SELECT public.checkpost_my_segments() AS checkpost_my_segments)::uuid[])));
CREATE POLICY own ON public.sync_metadata TO authenticated USING ((user_id = auth.uid()));
CREATE POLICY own ON public.user_profiles FOR SELECT TO authenticated USING ((id = auth.uid()));
CREATE POLICY own ON public.vehicle_passages FOR UPDATE TO authenticated USING ((ranger_id = auth.uid()));
CREATE POLICY own_insert ON public.violation_outcomes FOR INSERT TO authenticated WITH CHECK (((recorded_by = auth.uid()) AND (EXISTS ( SELECT
   FROM public.violations v
  WHERE ((v.id = violation_outcomes.violation_id) AND (v.segment_id = ANY (( SELECT public.checkpost_my_segments() AS checkpost_my_segments)::uuid[])))))));
CREATE POLICY own_post ON public.vehicle_passages FOR INSERT TO authenticated WITH CHECK ((checkpost_id = public.checkpost_my_post()));
CREATE POLICY own_update ON public.violation_outcomes FOR UPDATE TO authenticated USING (((recorded_by = auth.uid()) AND (recorded_at > (now() - '24:00:00'::interval))));
ALTER TABLE public.parks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.proactive_overstay_alerts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sync_metadata ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.user_profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.vehicle_passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.violation_outcomes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.violations ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA auth TO anon;
GRANT USAGE ON SCHEMA auth TO authenticated;
GRANT USAGE ON SCHEMA auth TO service_role;
GRANT USAGE ON SCHEMA checkpost TO service_role;
REVOKE ALL ON FUNCTION checkpost.adopt(INOUT after_plate text, INOUT after_id uuid, at_most integer, OUT looked_at bigint, OUT adopted bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.all_touched() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.assign_ranger(who uuid, at_post uuid, digits text, from_when timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.author() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.begins_any(it checkpost.place, seconds bigint[], posts text[], founded boolean[], at integer, last integer, until bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.begins_founded(it checkpost.place, seconds bigint[], posts text[], founded boolean[], at integer, last integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.begins_travel(it checkpost.place, seconds bigint[], posts text[], at integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.check_fine() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.check_isolation() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.check_post() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.clock(at_most integer, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.clock(at_most integer, moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.close_violation(name uuid, outcome text, hundredths bigint, remarks text, author text, actor text, detail text, moment timestamp with time zone, has_reason boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.close_violation(name uuid, outcome text, hundredths bigint, remarks text, author text, actor text, detail text, moment timestamp with time zone, has_reason boolean) TO service_role;
REVOKE ALL ON FUNCTION checkpost.compact(plate text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.compact(plate text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.configure(window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint, segments_named text[], segment_windows bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.confirm(name uuid, author text, actor text, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.confirm(name uuid, author text, actor text, moment timestamp with time zone) TO service_role;
GRANT SELECT ON TABLE checkpost.passages TO service_role;
REVOKE ALL ON FUNCTION checkpost.contents(numbers bigint[], rows bigint[]) FROM PUBLIC;
GRANT SELECT ON TABLE checkpost.corrections TO service_role;
REVOKE ALL ON FUNCTION checkpost.correct(correction checkpost.corrections, OUT target bigint, OUT is_news boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.correct_identity() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.correct_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_messages() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_moved() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_passages() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_report() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_retracted() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.count_violation() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.derived_id(kind text, name text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.device_told() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.doubt_device(owner uuid, device text, doubt bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.doubt_device(owner uuid, device text, doubt bigint) TO service_role;
REVOKE ALL ON FUNCTION checkpost.due_after(it checkpost.place, s integer, second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.end_alerts(entries bigint[], is_judged boolean, moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.end_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.end_sessions() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.exact_changed() FROM PUBLIC;
GRANT SELECT ON TABLE checkpost.records TO service_role;
REVOKE ALL ON FUNCTION checkpost.find_between(a checkpost.records, b checkpost.records, it checkpost.place, moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.findings(made checkpost.judgement) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.fine_doubts(finality text, doubts text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.fine_reason(outcome uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.fine_reason(outcome uuid) TO service_role;
REVOKE ALL ON FUNCTION checkpost.forget_audit(before timestamp with time zone, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.forget_audit(before timestamp with time zone, most bigint) TO service_role;
REVOKE ALL ON FUNCTION checkpost.forget_early(before timestamp with time zone, named text, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.forget_early(before timestamp with time zone, named text, most bigint) TO service_role;
REVOKE ALL ON FUNCTION checkpost.forget_messages(ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.forget_messages(ids bigint[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.forget_places() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.forget_records(numbers bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.forget_records(numbers bigint[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.forget_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.found_place(code text) FROM PUBLIC;
GRANT SELECT ON TABLE checkpost.observations TO service_role;
REVOKE ALL ON FUNCTION checkpost.free_name(report checkpost.observations, is_row boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.fresh_ones(client_ids uuid[], posts text[], plates text[], recorded timestamp with time zone[], own_rows uuid[], corrected uuid[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.gather_counts() FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.gather_counts() TO service_role;
REVOKE ALL ON FUNCTION checkpost.held_at(it checkpost.place, s integer, second bigint, OUT distance bigint, OUT fastest bigint, OUT slowest bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.hold_vehicles(plates text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.hold_vehicles(plates text[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.is_clear(it checkpost.place, seconds bigint[], posts text[], at integer, next bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_clear_of(it checkpost.place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, known_from bigint, next bigint, next_post text, is_founded boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_cut(it checkpost.place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, last integer, known_from bigint, until bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_expired(correction checkpost.corrections) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_expired(second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_founded(report checkpost.observations) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_moment(moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_named(client uuid, own uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_of_passage(name text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_plain(it checkpost.records) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_projecting() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_same(one checkpost.corrections, other checkpost.corrections) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_taken(name uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.is_unset(moment timestamp with time zone, received_at timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.judge(targets bigint[], plates text[], posts text[], seconds bigint[], cause text, moment timestamp with time zone, is_all boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.judge_again(plates text[], posts text[], seconds bigint[], moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.judge_again(plates text[], posts text[], seconds bigint[], moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.judge_posts(named text[], why text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.judge_second(moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.judge_statement() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.judge_touched(cause text, moment timestamp with time zone, is_all boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.keep(providers text[], names text[], senders text[], recipients text[], kinds text[], bodies text[], times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.keep(providers text[], names text[], senders text[], recipients text[], kinds text[], bodies text[], times timestamp with time zone[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.keep_original() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.keep_outcome_time() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.keep_receipt() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.keep_unpaired() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.last_corrections(targets bigint[], OUT plate text, OUT raw_plate text, OUT vehicle_type text, OUT post text, OUT recorded_at timestamp with time zone, OUT photo_path text, OUT is_any boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.leave_place(called text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.leave_place(called text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.let_go(numbers bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.lock_all() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.lock_for(plates text[], identities_named uuid[], few boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.lock_reports(named text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.lock_rows(plates text[], identities_named uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.lock_rows(plates text[], identities_named uuid[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.lock_statement() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.lock_vehicles(plates text[], few boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.longest_at(it checkpost.place, s integer, second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.look_again(entries bigint[], at_second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.look_at(entries bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.loose_segment() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.make_partition(tab text, col text, month bigint) FROM PUBLIC;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_metadata TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_metadata TO service_role;
REVOKE ALL ON FUNCTION checkpost.mark_device(told public.sync_metadata, moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.moment_of_writing() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.month_of(second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.needs_person(doubts text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.next_plates(after text, named text[], at_most integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.next_record(second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.note_done(moment timestamp with time zone, what text, who text, detail text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.note_done(moment timestamp with time zone, what text, who text, detail text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.note_erasure(moment timestamp with time zone, who text, how_much text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.note_erasure(moment timestamp with time zone, who text, how_much text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.note_rows() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.origins_of(found checkpost.finding, targets bigint[], plates text[], seconds bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.own_park() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.person_of(profile uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.person_of(profile uuid) TO service_role;
REVOKE ALL ON FUNCTION checkpost.photo_name(path text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.place_of(code text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.places_of(codes text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.plates_of(identities_named uuid[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.post_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.post_code(id uuid, called text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.post_id(code text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.post_renamed() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.posts_with(codes text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.project(numbers bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.provincial(groups text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.provincial(groups text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_aside(numbers bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_aside(numbers bigint[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_earlier(called text, untils bigint[], distances bigint[], slowests bigint[], fastests bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_earlier(called text, untils bigint[], distances bigint[], slowests bigint[], fastests bigint[]) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_number(number text, post_name text, since timestamp with time zone, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_number(number text, post_name text, since timestamp with time zone, until timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_post(called text, full_name text, knows_place boolean, segment_names text[], at_ends bigint[], knows_phone boolean, number text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_post(called text, full_name text, knows_place boolean, segment_names text[], at_ends bigint[], knows_phone boolean, number text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_ranger(profile uuid, called text, number text, digits text, post_name text, since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_ranger(profile uuid, called text, number text, digits text, post_name text, since timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_right(target bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.put_row_trigger(name text, event text, tab text, what text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.put_segment(called text, metres bigint, slow bigint, fast bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.put_segment(called text, metres bigint, slow bigint, fast bigint) TO service_role;
REVOKE ALL ON FUNCTION checkpost.put_statement_trigger(name text, event text, tab text, what text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.put_violations(numbers bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.raise_alerts(entries bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.ranger_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.ranger_meant(post uuid, digits text, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.ranger_meant(post uuid, digits text, moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.ranger_of(rangers text[], post uuid, suffix text, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.ranger_of(rangers text[], post uuid, suffix text, moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.read_plate(plate text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.receipt_of(moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.receive(report checkpost.observations, meant uuid, is_row boolean, moment timestamp with time zone, OUT target bigint, OUT reception text, OUT is_news boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_audit() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_expired() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_key() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_move() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_session() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.refuse_value(col text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.rejudge(window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint, segments_named text[], segment_windows bigint[], everything boolean, at_most integer, moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.rejudge(window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint, segments_named text[], segment_windows bigint[], everything boolean, at_most integer, moment timestamp with time zone) TO service_role;
GRANT SELECT ON TABLE checkpost.rejudging TO service_role;
REVOKE ALL ON FUNCTION checkpost.rejudge_step(todo checkpost.rejudging, at_most integer, moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.rename_post() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.report(code text, through bigint, received_at timestamp with time zone, moment timestamp with time zone, way text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.report(code text, through bigint, received_at timestamp with time zone, moment timestamp with time zone, way text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.report_devices(users uuid[], moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.report_devices(users uuid[], moment timestamp with time zone) TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vehicle_passages TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vehicle_passages TO service_role;
REVOKE ALL ON FUNCTION checkpost.report_of(v public.vehicle_passages) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.rows_to_write(made checkpost.judgement, changed bigint[], rows_left bigint[], is_all boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.second_of(moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.sees_passage(passage uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.sees_passage(passage uuid) TO authenticated;
GRANT ALL ON FUNCTION checkpost.sees_passage(passage uuid) TO service_role;
REVOKE ALL ON FUNCTION checkpost.segment_between(one text, other text, called text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.segment_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.set_aside(ids uuid[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.set_aside_violations(ids uuid[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.settle(entries bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.settle_shown(entries bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.shortened(plate text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.shortened(plate text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.show_account() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.show_alerts(numbers bigint[], moment timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.show_passages(numbers bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.show_violations(numbers bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.shown(numbers bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.shown_type(kind text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.span_of(vehicle text, it checkpost.place, low bigint, high bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.stands_alone(target bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.stretch(it checkpost.place, one text, other text) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.suffix_of(phone text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.suffix_of(phone text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.take(places integer[], client_ids uuid[], posts text[], plates text[], raw_plates text[], vehicle_types text[], recorded timestamp with time zone[], rangers text[], suffixes text[], photo_paths text[], channels text[], proven boolean[], received timestamp with time zone[], clocks bigint[], unset boolean[], inbox_ids bigint[], own_rows uuid[], right_places integer[], corrected uuid[], right_plates text[], right_raw_plates text[], right_types text[], right_posts text[], right_times timestamp with time zone[], authors text[], made timestamp with time zone[], right_photos text[], withdrawals text[], moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.take(places integer[], client_ids uuid[], posts text[], plates text[], raw_plates text[], vehicle_types text[], recorded timestamp with time zone[], rangers text[], suffixes text[], photo_paths text[], channels text[], proven boolean[], received timestamp with time zone[], clocks bigint[], unset boolean[], inbox_ids bigint[], own_rows uuid[], right_places integer[], corrected uuid[], right_plates text[], right_raw_plates text[], right_types text[], right_posts text[], right_times timestamp with time zone[], authors text[], made timestamp with time zone[], right_photos text[], withdrawals text[], moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.take_plain(report checkpost.observations, meant uuid, moment timestamp with time zone, OUT is_taken boolean, OUT partner uuid, OUT is_entry boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.take_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.take_unreadable(known uuid, v public.vehicle_passages) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.tell_later(told checkpost.change[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.tend_partitions(moment timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.tend_partitions(moment timestamp with time zone) TO service_role;
REVOKE ALL ON FUNCTION checkpost.told_clock(client uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.told_verdict(distance bigint, fastest bigint, slowest bigint, entries bigint[], exits bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.touch(target bigint, plate text, post text, second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.travels_of(vehicle text, it checkpost.place, part checkpost.span) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.uuid_of(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.uuid_of(name text) TO service_role;
REVOKE ALL ON FUNCTION checkpost.verdict(distance bigint, fastest bigint, slowest bigint, shortest bigint, longest bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.verify_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.violation_named(name uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.want_notes(hours integer) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.want_notes(hours integer) TO service_role;
REVOKE ALL ON FUNCTION checkpost.window_at(it checkpost.place, s integer, second bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.write_judgement(made checkpost.judgement, changed bigint[], rows_left bigint[], cause text, moment timestamp with time zone, is_all boolean, targets bigint[], plates text[], seconds bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.write_notes(hours integer) FROM PUBLIC;
GRANT ALL ON FUNCTION checkpost.write_notes(hours integer) TO service_role;
REVOKE ALL ON FUNCTION checkpost.write_pairs(made checkpost.judgement) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.write_passages(made checkpost.judgement, again bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.write_violations(made checkpost.judgement, cause text, moment timestamp with time zone, is_all boolean, targets bigint[], plates text[], seconds bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION checkpost.write_waiting(made checkpost.judgement, moment timestamp with time zone) FROM PUBLIC;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.accounts TO service_role;
GRANT SELECT ON TABLE checkpost.alerts TO service_role;
GRANT SELECT ON TABLE checkpost.exact_segments TO service_role;
GRANT SELECT ON TABLE checkpost.further_ends TO service_role;
GRANT SELECT ON TABLE checkpost.loose_segments TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.highway_segments TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.highway_segments TO service_role;
GRANT SELECT ON TABLE checkpost.known_segments TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.checkposts TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.checkposts TO service_role;
GRANT SELECT ON TABLE checkpost.segment_ends TO service_role;
GRANT SELECT ON TABLE checkpost.api_checkposts TO service_role;
GRANT SELECT ON TABLE checkpost.api_highway_segments TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.api_keys TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.parks TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.parks TO service_role;
GRANT SELECT ON TABLE checkpost.api_parks TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proactive_overstay_alerts TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proactive_overstay_alerts TO service_role;
GRANT SELECT ON TABLE checkpost.api_proactive_overstay_alerts TO service_role;
GRANT SELECT ON TABLE checkpost.api_sync_metadata TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_profiles TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_profiles TO service_role;
GRANT SELECT ON TABLE checkpost.api_user_profiles TO service_role;
GRANT SELECT ON TABLE checkpost.api_vehicle_passages TO service_role;
GRANT SELECT ON TABLE checkpost.identities TO service_role;
GRANT SELECT ON TABLE checkpost.api_vehicle_passages_by_identity TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.violation_outcomes TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.violation_outcomes TO service_role;
GRANT SELECT ON TABLE checkpost.api_violation_outcomes TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.violations TO authenticated;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.violations TO service_role;
GRANT SELECT ON TABLE checkpost.api_violations TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.audit TO service_role;
GRANT SELECT ON TABLE checkpost.changes TO service_role;
GRANT SELECT ON TABLE checkpost.device_clocks TO service_role;
GRANT SELECT ON TABLE checkpost.device_marks TO service_role;
GRANT SELECT ON TABLE checkpost.displaced TO service_role;
GRANT SELECT ON TABLE checkpost.divided TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.dropped_photographs TO service_role;
GRANT SELECT ON TABLE checkpost.earlier_limits TO service_role;
GRANT SELECT ON TABLE checkpost.feed TO service_role;
GRANT SELECT ON TABLE checkpost.feed_wanted TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.forgetting TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.heard TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.heard_changes TO service_role;
GRANT SELECT ON TABLE checkpost.heard_now TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.inbox TO service_role;
GRANT USAGE ON SEQUENCE checkpost.inbox_numbers TO service_role;
GRANT SELECT ON TABLE checkpost.known_places TO service_role;
GRANT SELECT ON TABLE checkpost.made TO service_role;
GRANT SELECT ON TABLE checkpost.migrations TO service_role;
GRANT SELECT ON TABLE checkpost.numbers TO service_role;
GRANT SELECT ON TABLE checkpost.originals TO service_role;
GRANT SELECT ON TABLE checkpost.pairing_windows TO service_role;
GRANT SELECT ON TABLE checkpost.pairs TO service_role;
GRANT SELECT ON TABLE checkpost.post_aliases TO service_role;
GRANT SELECT ON TABLE checkpost.post_marks TO service_role;
GRANT SELECT ON TABLE checkpost.post_phones TO service_role;
GRANT SELECT ON TABLE checkpost.post_reports TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.proofs TO service_role;
GRANT SELECT ON TABLE checkpost.ranger_assignments TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.refresh_tokens TO service_role;
GRANT SELECT ON TABLE checkpost.removed TO service_role;
GRANT SELECT ON TABLE checkpost.revisions TO service_role;
GRANT SELECT ON TABLE checkpost.segments TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.sessions TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.tally TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.tally_changes TO service_role;
GRANT SELECT ON TABLE checkpost.tally_now TO service_role;
GRANT SELECT ON TABLE checkpost.touched_before TO service_role;
GRANT SELECT ON TABLE checkpost.unpaired TO service_role;
GRANT SELECT ON TABLE checkpost.unreadable TO service_role;
GRANT SELECT ON TABLE checkpost.violation_notes TO service_role;
GRANT SELECT ON TABLE checkpost.violations TO service_role;
GRANT SELECT ON TABLE checkpost.waiting TO service_role;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpost.webhook_refusals TO service_role;
GRANT SELECT,UPDATE ON TABLE public.passages_by_identity TO authenticated;
GRANT SELECT,UPDATE ON TABLE public.passages_by_identity TO service_role;
