extension JudgingSchema {
  /// Alerts are made to be those of the entries that wait.
  static let overdue = #"""
    -- Writes down which entries wait after a judgement, and the alerts that follow.
    CREATE OR REPLACE FUNCTION write_waiting(made judgement, moment timestamptz) RETURNS change[]
    LANGUAGE plpgsql AS $$
    DECLARE
      at_second CONSTANT bigint := second_of(moment);
      told change[] := '{}';
    BEGIN
      DELETE FROM waiting w WHERE w.entry = ANY (made.numbers)
        AND w.entry NOT IN (SELECT unnest(made.waiting));
      IF cardinality(made.waiting) > 0 THEN
        INSERT INTO waiting AS w (entry, plate, post, second, opposite, due_at, expires_at, look_at)
          SELECT u.entry, p.plate, p.post, p.earliest, u.opposite, u.due, u.expires, u.due
          FROM unnest(made.waiting, made.opposites, made.due, made.expires) AS u(entry, opposite, due, expires)
          JOIN passages p ON p.row_number = u.entry
          ON CONFLICT (entry) DO UPDATE SET
            plate = excluded.plate, post = excluded.post, second = excluded.second,
            opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
            look_at = CASE WHEN w.is_told THEN excluded.expires_at ELSE excluded.due_at END
          WHERE (w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at)
            <> (excluded.plate, excluded.post, excluded.second, excluded.opposite, excluded.due_at,
              excluded.expires_at);
      END IF;
      IF EXISTS (SELECT FROM alerts a WHERE a.entry = ANY (made.numbers) AND a.ending IS NULL)
        OR at_second >= ANY (made.due)
      THEN
        told := end_alerts(made.numbers, true, moment) || raise_alerts(made.waiting, moment);
        PERFORM look_again(made.waiting, at_second);
      END IF;
      RETURN told;
    END $$;

    -- When entries are looked at next, which depends on whether an alert stands; nobody waits for ever.
    CREATE OR REPLACE FUNCTION look_again(entries bigint[], at_second bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM waiting w WHERE w.entry = ANY (entries) AND w.expires_at <= at_second;
      UPDATE waiting w SET is_told = n.is_told,
          look_at = CASE WHEN n.is_told THEN w.expires_at ELSE w.due_at END
        FROM (SELECT o.entry, EXISTS (SELECT FROM alerts a WHERE a.entry = o.entry AND a.ending IS NULL) AS is_told
          FROM waiting o WHERE o.entry = ANY (entries)) AS n
        WHERE w.entry = n.entry
          AND (w.is_told, w.look_at)
            <> (n.is_told, CASE WHEN n.is_told THEN w.expires_at ELSE w.due_at END);
    END $$;

    -- Alerts that stand and whose entry is not due any more end: by what was judged, or by the clock.
    CREATE OR REPLACE FUNCTION end_alerts(entries bigint[], is_judged boolean, moment timestamptz)
    RETURNS change[] LANGUAGE plpgsql AS $$
    DECLARE
      at_second CONSTANT bigint := second_of(moment);
      told change[];
    BEGIN
      WITH over AS (
        UPDATE alerts a SET
          ending = CASE
            WHEN w.entry IS NOT NULL THEN CASE WHEN at_second < w.expires_at THEN 'withdrawn' ELSE 'expired' END
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
          AND (w.entry IS NULL OR at_second < w.due_at OR at_second >= w.expires_at)
        RETURNING a.entry)
      SELECT array_agg(ROW('ended', o.entry, NULL)::change ORDER BY o.entry) INTO told FROM over o;
      RETURN told;
    END $$;

    -- Entries that wait and are due are told, once. An alert that stands is brought up to date without a word.
    CREATE OR REPLACE FUNCTION raise_alerts(entries bigint[], moment timestamptz)
    RETURNS change[] LANGUAGE plpgsql AS $$
    DECLARE
      at_second CONSTANT bigint := second_of(moment);
      told change[];
    BEGIN
      WITH standing AS (
        SELECT a.entry FROM alerts a WHERE a.entry = ANY (entries) AND a.ending IS NULL),
      written AS (
        INSERT INTO alerts AS a (entry, plate, post, second, opposite, due_at, expires_at, raised_at, is_unheard)
          SELECT w.entry, w.plate, w.post, w.second, w.opposite, w.due_at, w.expires_at, moment,
            coalesce((SELECT through <= w.due_at FROM post_reports r WHERE r.post = w.opposite), true)
          FROM waiting w
          WHERE w.entry = ANY (entries) AND at_second >= w.due_at AND at_second < w.expires_at
          ON CONFLICT (entry) DO UPDATE SET
            plate = excluded.plate, post = excluded.post, second = excluded.second,
            opposite = excluded.opposite, due_at = excluded.due_at, expires_at = excluded.expires_at,
            raised_at = CASE WHEN a.ending IS NULL THEN a.raised_at ELSE excluded.raised_at END,
            is_unheard = excluded.is_unheard, ending = NULL, exit = NULL, ended_at = NULL
          WHERE a.ending IS NOT NULL
            OR (a.plate, a.post, a.second, a.opposite, a.due_at, a.expires_at, a.is_unheard)
              IS DISTINCT FROM (excluded.plate, excluded.post, excluded.second, excluded.opposite,
                excluded.due_at, excluded.expires_at, excluded.is_unheard)
          RETURNING a.entry)
      SELECT array_agg(ROW('raised', w.entry, NULL)::change ORDER BY w.entry) INTO told FROM written w
        WHERE w.entry NOT IN (SELECT s.entry FROM standing s);
      RETURN told;
    END $$;
    """#
}
