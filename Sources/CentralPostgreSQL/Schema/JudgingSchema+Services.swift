extension JudgingSchema {
  /// What every function that others call is made with: its own names, and plans that are made once and go by
  /// indexes however many rows there are while they are made.
  static let manner = """
    SECURITY DEFINER SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan
      SET enable_seqscan = off SET jit = off
    """

  /// What the service asks for.
  static let services = #"""
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
      right_photos text[], withdrawals text[], moment timestamptz
    ) RETURNS TABLE (
      place integer, record bigint, reception text, is_news boolean, row_number bigint, passage uuid, client uuid,
      kind text, entry bigint, other bigint
    ) LANGUAGE plpgsql \#(manner) AS $$
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
            RETURNING observations.number
        ),
        touched AS (
          SELECT m.number AS target, m.plate, m.post, m.second FROM made_records m
          UNION ALL SELECT t.target, t.plate, t.post, t.second FROM all_touched() AS t
        )
        SELECT array_agg(t.target) AS targets, array_agg(t.plate) AS plates, array_agg(t.post) AS posts,
          array_agg(t.second) AS seconds, (SELECT array_agg(k.number) FROM kept k) AS reports INTO got FROM touched t;
        PERFORM count_reports(got.reports);
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
    -- it, so one from a clock that is ahead counts up to when it came. What came last on a way counts there, also where
    -- it says less than before; what is final stays so. Returns what that settled.
    CREATE OR REPLACE FUNCTION report(
      code text, through bigint, received_at timestamptz, moment timestamptz, way text DEFAULT 'text'
    ) RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
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
    RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
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

    -- Records what came of a violation that stands, where nothing is recorded. Returns its entry, and whether that was
    -- `recorded`, or something is `known`, or it is a fine that lacks the reason which it needs as something could still
    -- be wrong (`unsure`); nothing where there is no such violation. Who is no profile that the
    -- deployed table could name stands in the note alone.
    CREATE OR REPLACE FUNCTION close_violation(
      name uuid, outcome text, hundredths bigint, remarks text, author text, actor text, detail text,
      moment timestamptz, has_reason boolean
    ) RETURNS TABLE (kind text, entry bigint) LANGUAGE plpgsql \#(manner) AS $$
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

    -- What an operator did, for the audit log, of which a service that does not own the schema sees nothing.
    CREATE OR REPLACE FUNCTION note_done(moment timestamptz, what text, who text, detail text) RETURNS void
    LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      INSERT INTO audit (at, kind, actor, detail) VALUES (moment, what, who, note_done.detail);
    END $$;

    -- The entry of the violation of that name, or of that identifier in the deployed table, which had it before.
    CREATE OR REPLACE FUNCTION violation_named(name uuid) RETURNS bigint LANGUAGE sql STABLE \#(manner) AS $$
      SELECT coalesce((SELECT v.entry FROM violations v WHERE v.uuid = name),
        (SELECT r.number FROM public.violations p JOIN records r ON r.passage_id = p.entry_passage_id
          JOIN violations v ON v.entry = r.number WHERE p.id = name))
    $$;
    """#
}
