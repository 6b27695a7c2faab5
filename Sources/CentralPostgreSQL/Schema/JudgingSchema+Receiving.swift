extension JudgingSchema {
  /// What becomes of a report.
  static let receiving = #"""
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

    -- Whether a report can change what is proven: it is proven who sent it, or a person put it in.
    CREATE OR REPLACE FUNCTION is_founded(report observations) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT report.is_proven OR report.channel <> 'text'
    $$;

    -- Puts the corrections of a record in place, and remembers it where it was and where it is.
    CREATE OR REPLACE FUNCTION put_right(target bigint) RETURNS void LANGUAGE plpgsql AS $$
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
            moment, report.own_row)
          RETURNING number INTO again.number;
        PERFORM count_reports(ARRAY[again.number]);
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
    """#

  /// What becomes of a correction.
  static let correcting = #"""
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

    CREATE OR REPLACE FUNCTION is_same(one corrections, other corrections) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
      SELECT (one.client_id, one.plate, one.raw_plate, one.vehicle_type, one.post, one.recorded_at, one.author,
          one.made_at, one.photo_path, one.withdrawal)
        IS NOT DISTINCT FROM (other.client_id, other.plate, other.raw_plate, other.vehicle_type, other.post,
          other.recorded_at, other.author, other.made_at, other.photo_path, other.withdrawal)
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
          made_at, photo_path, withdrawal)
        VALUES (target, correction.client_id, correction.plate, correction.raw_plate,
          correction.vehicle_type, correction.post, correction.recorded_at, correction.author,
          correction.made_at, correction.photo_path, correction.withdrawal);
      IF target IS NOT NULL THEN PERFORM put_right(target); END IF;
    END $$;
    """#
}
