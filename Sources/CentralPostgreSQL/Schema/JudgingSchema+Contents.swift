extension JudgingSchema {
  /// What is known of passages.
  static let contents = #"""
    -- What the records of each passage say together: what came later adds to it and never takes anything away,
    -- and where two say different things the one that is better founded counts.
    CREATE OR REPLACE FUNCTION contents(numbers bigint[], rows bigint[])
    RETURNS SETOF passages LANGUAGE sql STABLE AS $$
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
        -- Of a record that another program left without a report its second is known.
        coalesce(f.recorded_at, t.recorded_at, moment_of(w.earliest)),
        ARRAY(SELECT o.ranger FROM reports o WHERE o.row = w.row AND o.ranger IS NOT NULL
          GROUP BY o.ranger ORDER BY min(o.place)),
        coalesce(t.suffix, '0000'), CASE WHEN c.photo_path IS NULL THEN t.photo_path ELSE nullif(c.photo_path, '') END,
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
    """#

  /// Passages and pairs are made to be what a judgement says.
  static let passages = #"""
    -- Which rows have to be put together anew: those of records that changed or moved, and those that these left.
    CREATE OR REPLACE FUNCTION rows_to_write(made judgement, changed bigint[], rows_left bigint[], is_all boolean)
    RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
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

    -- Writes what is known of passages, and returns the rows of which something is written or gone.
    CREATE OR REPLACE FUNCTION write_passages(made judgement, again bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
    DECLARE
      moved bigint[];
      gone bigint[];
      plain bigint[];
      come bigint[];
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
      PERFORM count_passages(plain);
      IF cardinality(plain) IS DISTINCT FROM cardinality(again) THEN
        WITH written AS (
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
          WHERE p IS DISTINCT FROM excluded
          RETURNING p.row_number)
        SELECT array_agg(w.row_number) INTO come FROM written w
          WHERE NOT EXISTS (SELECT FROM passages k WHERE k.row_number = w.row_number);
        PERFORM count_passages(come);
      END IF;
      RETURN again || moved || gone;
    END $$;
    """#

  /// Pairs likewise. What is undone goes first, so that no passage is ever in two.
  static let pairs = #"""
    CREATE OR REPLACE FUNCTION write_pairs(made judgement) RETURNS change[] LANGUAGE plpgsql AS $$
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
          ON CONFLICT (entry) DO NOTHING RETURNING p.entry, p.exit),
      matched AS (
        DELETE FROM unpaired u WHERE u.row_number IN (SELECT c.entry FROM come c UNION ALL SELECT c.exit FROM come c))
      SELECT array_agg(ROW('paired', c.entry, c.exit)::change ORDER BY c.entry) INTO paired FROM come c;
      RETURN parted || paired;
    END $$;
    """#
}
