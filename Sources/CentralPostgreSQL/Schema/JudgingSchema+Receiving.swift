extension JudgingSchema {
  /// What becomes of a report.
  static let receiving = #"""
    -- Remembers that something of a vehicle changed, until it is judged at the end of the statement.
    CREATE OR REPLACE FUNCTION touch(plate text, post text, second bigint) RETURNS void
    LANGUAGE sql AS $$
      SELECT set_config('checkpost.touched',
        coalesce(current_setting('checkpost.touched', true), '')
          || jsonb_build_array(plate, post, second)::text || chr(10), true)
    $$;

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
    """#

  /// What becomes of a correction.
  static let correcting = #"""
    -- Of each thing that corrections of some records change, what the last of them says. Where they were made at
    -- the same moment their contents decide, so that it does not matter which came first.
    CREATE OR REPLACE FUNCTION last_corrections(
      targets bigint[], OUT plate text, OUT raw_plate text, OUT vehicle_type text, OUT post text,
      OUT recorded_at timestamptz, OUT is_any boolean
    ) LANGUAGE sql STABLE AS $$
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
        (array_agg(recorded_at ORDER BY age) FILTER (WHERE recorded_at IS NOT NULL))[1],
        count(*) > 0
      FROM made
    $$;

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
    """#
}
