extension JudgingSchema {
  /// What a travel broke.
  static let verdicts = #"""
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
    """#

  /// Violations are made, changed, retracted and renewed, and each time it is written down why.
  static let violations = #"""
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
    """#
}
