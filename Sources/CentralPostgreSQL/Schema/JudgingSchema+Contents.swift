extension JudgingSchema {
  /// What is known of passages.
  static let contents = #"""
    -- What the records of each passage say together: what came later adds to it and never takes anything away,
    -- and where two say different things the one that is better founded counts.
    CREATE OR REPLACE FUNCTION contents(numbers bigint[], rows bigint[])
    RETURNS SETOF passages LANGUAGE sql STABLE AS $$
      WITH members AS (
        SELECT u.row, u.ordinal, r.*
        FROM unnest(numbers, rows) WITH ORDINALITY AS u(number, row, ordinal)
        JOIN records r ON r.number = u.number
      ),
      whole AS (
        SELECT m.row, array_agg(m.number ORDER BY m.ordinal) AS members,
          (array_agg(m.number ORDER BY m.ordinal))[1] AS first,
          (array_agg(m.post ORDER BY m.ordinal))[1] AS post,
          (array_agg(m.plate ORDER BY m.ordinal))[1] AS plate,
          (array_agg(m.second ORDER BY m.ordinal))[1] AS earliest,
          (array_agg(m.second ORDER BY m.ordinal DESC))[1] AS latest,
          (array_agg(m.is_dated ORDER BY m.ordinal))[1] AS is_dated,
          bool_or(m.is_contradicted) AS is_contradicted
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
          (array_agg(o.suffix ORDER BY o.place))[1] AS suffix,
          (array_agg(o.photo_path ORDER BY o.place) FILTER (WHERE o.photo_path IS NOT NULL))[1] AS photo_path,
          count(DISTINCT o.photo_path) AS photos,
          array_agg(DISTINCT o.channel) AS channels,
          bool_or(o.is_proven) AS is_proven,
          -- Of a report whose clock had not been set nothing is known of how wrong it was.
          min(o.clock_seconds) FILTER (WHERE NOT o.is_clock_unset) AS clock_seconds,
          min(o.received_at) AS first_received_at
        FROM whole w JOIN reports o ON o.row = w.row GROUP BY w.row
      )
      SELECT w.row, w.members, w.post, w.plate, w.earliest, w.latest, w.is_dated,
        coalesce(c.raw_plate, t.raw_plate, w.plate),
        coalesce(c.vehicle_type, t.vehicle_type, 'other'),
        coalesce(f.recorded_at, t.recorded_at),
        ARRAY(SELECT o.ranger FROM reports o WHERE o.row = w.row AND o.ranger IS NOT NULL
          GROUP BY o.ranger ORDER BY min(o.place)),
        t.suffix, t.photo_path,
        ARRAY(SELECT u FROM unnest(ARRAY['upload', 'operator', 'text']) AS u WHERE u = ANY (t.channels)),
        t.is_proven, t.clock_seconds, t.first_received_at, c.is_any,
        array_remove(ARRAY[
          CASE WHEN t.types > 1 THEN 'vehicle_type' END,
          CASE WHEN t.photos > cardinality(w.members) THEN 'photo' END,
          CASE WHEN w.is_contradicted THEN 'identity' END], NULL)
      FROM whole w JOIN told t ON t.row = w.row
      CROSS JOIN LATERAL last_corrections(w.members) c
      CROSS JOIN LATERAL last_corrections(ARRAY[w.first]) f
    $$;
    """#

  /// Passages and pairs are made to be what a judgement says.
  static let passages = #"""
    CREATE OR REPLACE FUNCTION write_passages(made travels) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE records r SET row_number = u.row FROM unnest(made.numbers, made.rows) AS u(number, row)
        WHERE r.number = u.number AND r.row_number IS DISTINCT FROM u.row;
      DELETE FROM passages p
        WHERE p.row_number = ANY (made.numbers) AND NOT p.row_number = ANY (made.rows);
      INSERT INTO passages AS p SELECT * FROM contents(made.numbers, made.rows)
        ON CONFLICT (row_number) DO UPDATE SET
          members = excluded.members, post = excluded.post, plate = excluded.plate,
          earliest = excluded.earliest, latest = excluded.latest, is_dated = excluded.is_dated,
          raw_plate = excluded.raw_plate, vehicle_type = excluded.vehicle_type,
          recorded_at = excluded.recorded_at, rangers = excluded.rangers, suffix = excluded.suffix,
          photo_path = excluded.photo_path, channels = excluded.channels, is_proven = excluded.is_proven,
          clock_seconds = excluded.clock_seconds, first_received_at = excluded.first_received_at,
          is_corrected = excluded.is_corrected, contradictions = excluded.contradictions
        WHERE p IS DISTINCT FROM excluded;
    END $$;
    """#

  /// Pairs likewise. What is undone goes first, so that no passage is ever in two.
  static let pairs = #"""
    CREATE OR REPLACE FUNCTION write_pairs(made travels) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM pairs p
        WHERE (p.entry = ANY (made.numbers) OR p.exit = ANY (made.numbers))
          AND NOT EXISTS (
            SELECT FROM unnest(made.entries, made.exits) AS u(entry, exit)
            WHERE u.entry = p.entry AND u.exit = p.exit);
      INSERT INTO pairs (entry, exit)
        SELECT u.entry, u.exit FROM unnest(made.entries, made.exits) AS u(entry, exit)
        ON CONFLICT (entry) DO NOTHING;
    END $$;
    """#
}
