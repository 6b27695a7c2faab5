/// The other end of a travel, as one row alone brings it.
extension JudgingSchema {
  /// What becomes of a row that makes a travel with the only passage that is near it, as of nearly all that are
  /// judged: the same as of any other, in fewer statements.
  static let second = #"""
    -- Judges the one record that was touched where it and one other are all there is of the vehicle for as long as an
    -- exit is waited for: two passages at the two ends of one segment, and nothing is said of them yet. Returns what
    -- changed; null, with nothing done, where it is not so, and it is judged as any other then.
    CREATE OR REPLACE FUNCTION judge_second(moment timestamptz) RETURNS change[] LANGUAGE plpgsql AS $$
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
      known_segment uuid;
      told change[];
    BEGIN
      IF strpos(lines, chr(10)) <> length(lines) OR starts_with(lines, '+') THEN RETURN NULL; END IF;
      target := (lines::jsonb ->> 3)::bigint;
      SELECT * INTO came FROM records r WHERE r.number = target;
      IF NOT FOUND OR NOT is_plain(came) THEN RETURN NULL; END IF;
      it := (SELECT k.it FROM known_places k WHERE k.post = came.post);
      IF (cardinality(it.names) = 1 AND NOT it.is_moved) IS NOT TRUE THEN RETURN NULL; END IF;
      SELECT count(*), min(r.number) INTO near, other FROM records r
        WHERE r.plate = came.plate AND r.number <> target
          AND r.second BETWEEN came.second - 2 * it.pairing_window AND came.second + 2 * it.pairing_window;
      IF near <> 1 THEN RETURN NULL; END IF;
      SELECT * INTO known FROM records r WHERE r.number = other;
      IF NOT is_plain(known) OR known.second = came.second OR stretch(it, known.post, known.second, came.post, came.second) <> 1 THEN
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
      INSERT INTO passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
          recorded_at, rangers, suffix, photo_path, channels, is_proven, clock_seconds, first_received_at,
          is_corrected, contradictions)
        SELECT target, ARRAY[target], came.post, came.plate, came.second, came.second, true, o.raw_plate,
          o.vehicle_type, o.recorded_at, array_remove(ARRAY[o.ranger]::text[], NULL), o.suffix, o.photo_path,
          ARRAY[o.channel]::text[], o.is_proven, o.clock_seconds, o.received_at, false, '{}'
        FROM observations o WHERE o.record = target;
      INSERT INTO heard_changes (post, passages, last_at) VALUES (came.post, 1, came.inserted_at);
      INSERT INTO pairs (entry, exit) VALUES (a.number, b.number);
      DELETE FROM unpaired u WHERE u.row_number = other;
      DELETE FROM waiting w WHERE w.entry = other;
      told := ARRAY[ROW('paired', a.number, b.number)::change];
      held := held_at(it, 1, a.second);
      -- Both ends are known to one second, so that the clocks alone could say anything else; these only add a doubt.
      IF verdict(held.distance, held.fastest, held.slowest, b.second - a.second, b.second - a.second) IS NOT NULL THEN
        told := told || find_between(a, b, it, moment);
        known_segment := (SELECT k.segment_id FROM known_places k WHERE k.post = came.post);
      END IF;
      PERFORM set_config('checkpost.projecting', s.secret, true) FROM settings s;
      UPDATE public.vehicle_passages v
        SET matched_passage_id = CASE WHEN v.id = a.passage_id THEN b.passage_id ELSE a.passage_id END,
          is_entry = v.id = a.passage_id
        WHERE v.id = ANY (ARRAY[a.passage_id, b.passage_id])
          AND (v.matched_passage_id, v.is_entry) IS DISTINCT FROM
            (CASE WHEN v.id = a.passage_id THEN b.passage_id ELSE a.passage_id END, v.id = a.passage_id);
      IF cardinality(told) > 1 THEN PERFORM put_violations(ARRAY[a.number], known_segment); END IF;
      PERFORM set_config('checkpost.projecting', '', true);
      RETURN told;
    END $$;

    -- Whether a record is founded, dated and alone what its passage rests on, and nobody contradicts it.
    CREATE OR REPLACE FUNCTION is_plain(it records) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN it.is_founded AND it.is_dated AND NOT it.is_contradicted AND NOT it.is_aside
        AND it.row_number = it.number;
    END $$;

    -- Writes down what a travel between two such records broke, as nothing was found of them before.
    CREATE OR REPLACE FUNCTION find_between(a records, b records, it place, moment timestamptz) RETURNS change[]
    LANGUAGE plpgsql AS $$
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
      INSERT INTO violations (entry, found, since, uuid, entry_needs, exit_needs, unreported_from)
        VALUES (a.number, fresh, moment, derived_id('violation', a.passage_id::text),
          CASE WHEN is_open THEN at_entry END, CASE WHEN is_open THEN at_exit END,
          CASE WHEN is_open THEN waited.unreported END);
      INSERT INTO tally_changes (name, n) VALUES ('violations', 1);
      INSERT INTO revisions (entry, number, change, cause, at, after, was_final)
        VALUES (a.number, next_revision(a.number, 0), 'made', 'arrival', moment, to_jsonb(fresh), 'provisional');
      told := ARRAY[ROW('revised', a.number, 1)::change];
      IF is_open AND (waited.is_heard OR moment >= waited.unreported) THEN
        told := told || settle(ARRAY[a.number], moment);
      END IF;
      RETURN told;
    END $$;
    """#
}
