extension JudgingSchema {
  /// Which records have to be judged again, so that it gives what judging everything would give.
  static let span = #"""
    -- Whether the first of these from `at` on, which nothing near precedes, is surely the entry of an ordinary
    -- travel: the next passage is at the other end, and near.
    CREATE OR REPLACE FUNCTION begins_travel(it place, seconds bigint[], posts text[], at integer)
    RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      FOR i IN at + 1..cardinality(seconds) LOOP
        IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= it.longests[1]; END IF;
        IF seconds[i] - seconds[at] > it.ranger_window THEN RETURN false; END IF;
      END LOOP;
      RETURN false;
    END $$;

    -- Whether the last of these up to `at` is surely the last passage before `next`, which is at the same post and
    -- too late to be one with it: no passage at the other post can have begun after it did.
    CREATE OR REPLACE FUNCTION is_clear(
      it place, seconds bigint[], posts text[], at integer, next bigint
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      IF next - seconds[at] <= it.ranger_window THEN RETURN false; END IF;
      FOR i IN REVERSE at..1 LOOP
        EXIT WHEN seconds[i] < seconds[at] - it.ranger_window;
        IF posts[i] <> posts[at] THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END $$;

    -- Looks on both sides of what changed for the next place across which nothing can work: a gap in which nothing
    -- is paired; two passages at one post that follow each other; and, where there is one segment, the begin of an
    -- ordinary travel that nothing near precedes. All lie outside of what changed, so that they were there before too.
    CREATE OR REPLACE FUNCTION span_of(vehicle text, it place, low bigint, high bigint)
    RETURNS span LANGUAGE plpgsql STABLE AS $$
    DECLARE
      read_low bigint := low;
      read_high bigint := high;
      reach bigint;
      seconds bigint[];
      posts text[];
      below integer;
      above integer;
      edge bigint;
      edge_post text;
      found span;
    BEGIN
      LOOP
        reach := greatest(2 * (it.pairing_window + it.ranger_window), (read_high - read_low) / 2);
        read_low := read_low - reach;
        read_high := read_high + reach;
        SELECT array_agg(r.second ORDER BY r.second, r.post), array_agg(r.post::text ORDER BY r.second, r.post)
          INTO seconds, posts
          FROM records r
          WHERE r.plate = vehicle AND r.second BETWEEN read_low AND read_high AND r.post = ANY (it.posts)
            AND r.is_dated AND NOT r.is_aside;
        seconds := coalesce(seconds, ARRAY[]::bigint[]);
        below := 0;
        above := cardinality(seconds) + 1;
        FOR i IN 1..cardinality(seconds) LOOP
          IF seconds[i] < low THEN below := i; END IF;
          IF seconds[i] > high THEN above := i; EXIT; END IF;
        END LOOP;

        found := ROW(NULL, NULL, NULL)::span;
        edge := low;
        edge_post := NULL;
        FOR i IN REVERSE below..1 LOOP
          IF edge - it.pairing_window > seconds[i]
            OR cardinality(it.names) = 1 AND edge - it.longests[1] > seconds[i]
              AND begins_travel(it, seconds[:below], posts[:below], i + 1)
            OR posts[i] = edge_post AND read_low <= seconds[i] - it.ranger_window
              AND is_clear(it, seconds, posts, i, edge)
          THEN
            found.low := edge;
            EXIT;
          END IF;
          edge := seconds[i];
          edge_post := posts[i];
        END LOOP;
        IF found.low IS NULL AND edge - it.pairing_window > read_low THEN found.low := edge; END IF;

        edge := high;
        FOR i IN above..cardinality(seconds) LOOP
          IF seconds[i] - it.pairing_window > edge THEN
            found.high := edge;
            found.ends_in_gap := true;
            EXIT;
          END IF;
          IF cardinality(it.names) = 1 AND seconds[i] - it.longests[1] > edge
              AND begins_travel(it, seconds, posts, i)
            OR i > above AND posts[i - 1] = posts[i] AND high < edge - it.ranger_window
              AND is_clear(it, seconds[above:], posts[above:], i - above, seconds[i])
          THEN
            found.high := edge;
            found.ends_in_gap := false;
            EXIT;
          END IF;
          edge := seconds[i];
        END LOOP;
        IF found.high IS NULL AND read_high - it.pairing_window > edge THEN
          found.high := edge;
          found.ends_in_gap := true;
        END IF;
        IF found.low IS NOT NULL AND found.high IS NOT NULL THEN RETURN found; END IF;
      END LOOP;
    END $$;
    """#
}
