extension JudgingSchema {
  /// What the service asks for.
  static let services = #"""
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
    """#

  /// What the clock asks for.
  static let duties = #"""
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
    """#
}
