extension JudgingSchema {
  /// What a travel broke.
  static let verdicts = #"""
    -- The verdict on a travel that took no less and no more than so many seconds. A second is allowed on each side,
    -- as both ends are known to the second; products of whole numbers are compared, with nothing rounded.
    CREATE OR REPLACE FUNCTION verdict(
      distance bigint, fastest bigint, slowest bigint, shortest bigint, longest bigint
    ) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE
        WHEN (least(greatest(longest, 0), 1000000000) + 1) * fastest < distance * 3600 THEN 'speeding'
        WHEN (least(shortest, 1000000000) - 1) * slowest > distance * 3600 THEN 'overstay' END
    $$;

    -- The verdict where the vehicle may have been at either end at any second that is told of it, by texts alone as well.
    CREATE OR REPLACE FUNCTION told_verdict(
      distance bigint, fastest bigint, slowest bigint, entries bigint[], exits bigint[]
    ) RETURNS text LANGUAGE sql STABLE AS $$
      SELECT verdict(distance, fastest, slowest, greatest(b.low - a.high, 0), b.high - a.low)
      FROM (SELECT min(r.second) AS low, max(r.second) AS high FROM records r WHERE r.number = ANY (entries)) AS a,
        (SELECT min(r.second) AS low, max(r.second) AS high FROM records r WHERE r.number = ANY (exits)) AS b
    $$;

    -- What each pair of a judgement broke, with all that could make it wrong. Where an end was written down twice
    -- the vehicle may have been there at either time, and the one counts that is better for the driver.
    CREATE OR REPLACE FUNCTION findings(made judgement) RETURNS SETOF finding LANGUAGE sql STABLE AS $$
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
      CROSS JOIN LATERAL (SELECT stretch(u.it, a.post, a.earliest, b.post, b.earliest) AS place) n
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
    """#

  /// Violations are made, changed, retracted and renewed, and each time it is written down why.
  static let violations = #"""
    -- Whether one of these doubts has to be looked at by a person before anything is final.
    CREATE OR REPLACE FUNCTION needs_person(doubts text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT doubts && ARRAY['by_text_alone', 'clocks', 'turned', 'impossible_speed']
    $$;

    -- The records that may have caused that something else is found: of that vehicle, the nearest first.
    CREATE OR REPLACE FUNCTION origins_of(found finding, targets bigint[], plates text[], seconds bigint[])
    RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(n.target ORDER BY n.distance, n.target), '{}') FROM (
        SELECT t.target, min(greatest(found.entry_earliest - t.second, t.second - found.exit_latest, 0)) AS distance
        FROM unnest(targets, plates, seconds) AS t(target, plate, second)
        WHERE t.plate = found.plate AND t.target IS NOT NULL
        GROUP BY t.target ORDER BY 2, 1 LIMIT 4) AS n
    $$;

    -- The number of a violation's next revision: behind the one that is told, or, where the owner of the tables gave
    -- that away or left no room behind it, behind those that there are.
    CREATE OR REPLACE FUNCTION next_revision(of bigint, last bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
    DECLARE
      following CONSTANT bigint := least(last, 4611686018427387903) + 1;
    BEGIN
      IF NOT EXISTS (SELECT FROM revisions r WHERE r.entry = of AND r.number = following) THEN RETURN following; END IF;
      RETURN (SELECT coalesce(max(r.number), 0) + 1 FROM revisions r
        WHERE r.entry = of AND r.number < 9223372036854775807);
    END $$;

    CREATE OR REPLACE FUNCTION write_violations(
      made judgement, cause text, moment timestamptz, is_all boolean, targets bigint[], plates text[], seconds bigint[]
    ) RETURNS change[] LANGUAGE plpgsql AS $$
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
        counted AS (
          INSERT INTO tally_changes SELECT 'violations', count(*) FROM fresh HAVING count(*) > 0),
        noted AS (
          INSERT INTO revisions (entry, number, change, cause, at, after, was_final)
            SELECT f.entry, next_revision(f.entry, 0), 'made', cause, moment, to_jsonb(f.found), 'provisional'
            FROM fresh f)
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
          VALUES (known.entry, next_revision(known.entry, known.revision), change_made, cause, moment,
            to_jsonb(known.found), CASE WHEN now_found.entry IS NOT NULL THEN to_jsonb(now_found) END,
            known.finality, origins_of(known.found, targets, plates, seconds))
          RETURNING number INTO known.revision;
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
          revision = known.revision
          WHERE v.entry = known.entry;
        told := told || ROW('revised', known.entry, known.revision)::change;
      END LOOP;
      told := ARRAY(SELECT t FROM unnest(told) AS t ORDER BY t.entry);
      IF is_all THEN
        changed := ARRAY(SELECT entry FROM violations WHERE entry = ANY (made.numbers));
      END IF;
      IF cardinality(changed) = 0 THEN RETURN told; END IF;
      RETURN told || settle(changed, moment);
    END $$;
    """#

  /// Whether something can still change a violation.
  static let settling = #"""
    -- Settles whether something can still change violations, and writes down what they wait for. Pairing looks at
    -- nothing that comes after a pair, so what could change it was recorded at the exit's post within the time in
    -- which another ranger may write the exit down, or at the entry's post up to the exit; a far one falls to a
    -- shorter travel back. Where further posts are judged together with these two, a passage at any of them up to the
    -- exit may lie between, or belong to another travel before. One that rests on texts alone, or on clocks that may be wrong, waits for a person.
    CREATE OR REPLACE FUNCTION settle(entries bigint[], moment timestamptz) RETURNS change[]
    LANGUAGE plpgsql AS $$
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
        SELECT w.entry, w.finality AS before, w.is_open, w.found, w.since,
          posts_during(p.it, (w.found).segment, (w.found).entry_earliest - (p.it).pairing_window,
            greatest((w.found).entry_earliest, (w.found).exit_latest)) AS posts,
          greatest((w.found).exit_latest, (w.found).entry_earliest + (p.it).ranger_window,
            CASE WHEN (w.found).is_far THEN (w.found).exit_latest
              + (p.it).longests[stretch(p.it, (w.found).entry_post, (w.found).entry_earliest,
                (w.found).exit_post, (w.found).exit_earliest)] END) AS at_entry,
          (w.found).exit_earliest + (p.it).ranger_window AS at_exit,
          -- There is a last moment, which another program may have written.
          least(w.since, '9999-01-01 00:00:00+00') + make_interval(secs => s.provisional_for) AS unreported
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
    """#
}
