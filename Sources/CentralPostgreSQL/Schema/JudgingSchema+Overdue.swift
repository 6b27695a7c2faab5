extension JudgingSchema {
  /// Alerts are made to be those of the entries that wait.
  static let overdue = #"""
    CREATE OR REPLACE FUNCTION write_waiting(made travels) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM waiting w WHERE w.entry = ANY (made.numbers)
        AND (made.waiting IS NULL OR NOT w.entry = ANY (made.waiting));
      INSERT INTO waiting AS w (entry, plate, post, second, opposite, due_at, expires_at)
        SELECT u.entry, p.plate, p.post, p.earliest, u.opposite, u.due, u.expires
        FROM unnest(made.waiting, made.opposites, made.due, made.expires) AS u(entry, opposite, due, expires)
        JOIN passages p ON p.row_number = u.entry
        ON CONFLICT (entry) DO UPDATE SET
          plate = excluded.plate, post = excluded.post, second = excluded.second,
          opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at
        WHERE w IS DISTINCT FROM excluded;
    END $$;

    -- Alerts that stand and whose entry is not due any more end: by what was judged, or by the clock.
    CREATE OR REPLACE FUNCTION end_alerts(entries bigint[], is_judged boolean, moment timestamptz)
    RETURNS SETOF bigint LANGUAGE sql AS $$
      UPDATE alerts a SET
        ending = CASE
          WHEN w.entry IS NOT NULL THEN CASE WHEN second_of(moment) < w.expires_at THEN 'withdrawn' ELSE 'expired' END
          WHEN NOT is_judged THEN 'withdrawn'
          WHEN p.entry IS NOT NULL THEN 'left'
          WHEN b.row_number IS NOT NULL THEN 'seen_again'
          ELSE 'withdrawn' END,
        exit = CASE WHEN w.entry IS NULL AND is_judged THEN p.exit END,
        ended_at = moment
      FROM (SELECT unnest(entries) AS entry) AS u
        LEFT JOIN waiting w ON w.entry = u.entry
        LEFT JOIN pairs p ON p.entry = u.entry
        LEFT JOIN passages b ON b.row_number = u.entry
      WHERE a.entry = u.entry AND a.ending IS NULL
        AND (w.entry IS NULL OR second_of(moment) < w.due_at OR second_of(moment) >= w.expires_at)
      RETURNING a.entry
    $$;

    -- Entries that wait and are due are told, once. Returns those of which something changed.
    CREATE OR REPLACE FUNCTION raise_alerts(entries bigint[], moment timestamptz)
    RETURNS SETOF bigint LANGUAGE sql AS $$
      INSERT INTO alerts AS a (entry, plate, post, second, opposite, due_at, expires_at, raised_at, is_unheard)
        SELECT w.entry, w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at, moment,
          coalesce((SELECT through <= w.due_at FROM post_reports r WHERE r.post = w.opposite), true)
        FROM waiting w
        WHERE w.entry = ANY (entries) AND second_of(moment) >= w.due_at AND second_of(moment) < w.expires_at
        ON CONFLICT (entry) DO UPDATE SET
          plate = excluded.plate, post = excluded.post, second = excluded.second,
          opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
          raised_at = CASE WHEN a.ending IS NULL THEN a.raised_at ELSE excluded.raised_at END,
          is_unheard = excluded.is_unheard, ending = NULL, exit = NULL, ended_at = NULL
        WHERE a.ending IS NOT NULL
          OR (a.plate, a.post, a.second, a.opposite, a.due_at, a.expires_at, a.is_unheard)
            IS DISTINCT FROM (excluded.plate, excluded.post, excluded.second, excluded.opposite,
              excluded.due_at, excluded.expires_at, excluded.is_unheard)
      RETURNING a.entry
    $$;
    """#
}
