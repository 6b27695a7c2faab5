extension JudgingSchema {
  /// What the clock asks for.
  static let duties = #"""
    -- Tells of vehicles that ought to have left, ends what nobody waits for any more, makes violations final of
    -- posts that do not report, and tells what rows of other programs caused: so much of each at most. One at a time
    -- does it, and in one statement, so that whoever dies in it leaves it to the next. Returns what changed, and at
    -- last, as `next`, when there is something to do next: null where nothing waits. As `busy`, that somebody
    -- else is at it.
    CREATE OR REPLACE FUNCTION clock(at_most integer, moment timestamptz)
    RETURNS TABLE (kind text, entry bigint, other bigint, next_at timestamptz) LANGUAGE plpgsql \#(manner) AS $$
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
        (SELECT moment_of(min(w.look_at)) FROM waiting w), (SELECT min(v.unreported_from) FROM violations v),
        CASE WHEN EXISTS (SELECT FROM changes) THEN moment END);
      RETURN NEXT;
    END $$;
    """#

  /// Judging again what was judged by another directory or by other numbers.
  static let rejudging = #"""
    -- Other numbers to judge by. Returns whether they are others than before.
    CREATE OR REPLACE FUNCTION configure(
      window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint,
      segments_named text[], segment_windows bigint[]
    ) RETURNS boolean LANGUAGE plpgsql \#(manner) AS $$
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

    -- Judges some more vehicles again, where anything has to be: all of them from the beginning where
    -- `everything` is said, or where the numbers are others than before. Returns what changed, and at last, as
    -- `step`, how many vehicles and records it were, and whether nothing is left.
    CREATE OR REPLACE FUNCTION rejudge(
      window_seconds bigint, pairing bigint, stay bigint, provisional bigint, fastest_speed bigint,
      segments_named text[], segment_windows bigint[], everything boolean, at_most integer, moment timestamptz
    ) RETURNS TABLE (kind text, entry bigint, other bigint, is_done boolean) LANGUAGE plpgsql \#(manner) AS $$
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
    """#
}
