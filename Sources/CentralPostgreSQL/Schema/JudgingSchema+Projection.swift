extension JudgingSchema {
  /// The deployed table of passages is made to show what is judged.
  static let projection = #"""
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
    -- The profile of who recorded: the best founded that is known, else whom the digits mean that a text names; null
    -- when nobody knows.
    CREATE OR REPLACE FUNCTION ranger_of(rangers text[], post uuid, suffix text, moment timestamptz) RETURNS uuid
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
      who := checkpost.ranger_meant(post, suffix, moment);
      RETURN CASE WHEN who IS NOT NULL THEN checkpost.person_of(who) END;
    END $$;

    -- The identifier that a text is, as it is written usually; null where it is none.
    CREATE OR REPLACE FUNCTION uuid_of(name text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
    $$;

    -- The deployed table knows fewer kinds of vehicles.
    CREATE OR REPLACE FUNCTION shown_type(kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN kind = 'jeep_suv' THEN 'jeep'
        WHEN kind IN ('car', 'jeep', 'pickup', 'van', 'minibus', 'bus', 'truck', 'tanker', 'motorcycle') THEN kind
        ELSE 'other' END
    $$;

    -- What the rows of some passages are to show.
    CREATE OR REPLACE FUNCTION shown(numbers bigint[]) RETURNS TABLE (
      id uuid, client_id uuid, plate text, raw_plate text, vehicle_type text, post uuid, segment uuid,
      recorded_at timestamptz, received_at timestamptz, ranger uuid, photo_path text, source text,
      partner uuid, is_entry boolean
    ) LANGUAGE sql STABLE AS $$
      WITH p AS MATERIALIZED (
        -- When it was matters where the digits meant several, one after the other; else one answer does for all that
        -- came together.
        SELECT p.*, c.id AS post_id, segment_at(c.id, c.segment_id, p.earliest) AS segment_id,
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
    """#

  /// Violations and alerts likewise.
  static let shownViolations = #"""
    CREATE OR REPLACE FUNCTION show_violations(numbers bigint[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_aside_violations(ARRAY(
        SELECT v.id FROM public.violations v JOIN records r ON r.passage_id = v.entry_passage_id
        WHERE r.number = ANY (numbers) AND NOT EXISTS (
          SELECT FROM violations s WHERE s.entry = r.number AND NOT s.is_retracted)));
      PERFORM put_violations(numbers);
    END $$;

    -- Shows those of these entries that stand.
    -- `known_segment` is theirs, where that is known already.
    CREATE OR REPLACE FUNCTION put_violations(numbers bigint[], known_segment uuid DEFAULT NULL) RETURNS void
    LANGUAGE plpgsql AS $$
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
        CROSS JOIN LATERAL (
          -- Asked once.
          SELECT coalesce(known_segment, segment_between((s.found).entry_post, (s.found).exit_post, (s.found).segment)) AS id
          OFFSET 0) AS g
        JOIN public.highway_segments h ON h.id = g.id
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

    CREATE OR REPLACE FUNCTION show_alerts(numbers bigint[], moment timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      -- Nearly always there is none.
      IF EXISTS (SELECT FROM alerts a WHERE a.entry = ANY (numbers)) THEN
      INSERT INTO public.proactive_overstay_alerts AS v (id, entry_passage_id, segment_id, plate_number,
          vehicle_type, entry_time, expected_exit_by, resolved, resolved_at, resolved_by_passage_id)
        SELECT derived_id('alert', p.id::text), p.id, coalesce(segment_held(a.post, a.second, a.opposite, a.due_at), p.segment_id),
          p.plate_number, p.vehicle_type,
          p.recorded_at, moment_of(greatest(a.due_at, 2) - 2),
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
    """#
}
