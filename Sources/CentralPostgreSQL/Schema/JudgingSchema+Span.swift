extension JudgingSchema {
  /// Which records have to be judged again, so that it gives what judging everything would give.
  static let span = #"""
    -- Whether the first of these from `at` on, which nothing near precedes, is surely the entry of an ordinary
    -- travel: the next passage is at the other end, and near.
    CREATE OR REPLACE FUNCTION begins_travel(it place, seconds bigint[], posts text[], at integer)
    RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      FOR i IN at + 1..cardinality(seconds) LOOP
        IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= longest_at(it, 1, seconds[at]); END IF;
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

    -- The same of the first of those that do not rest on texts alone, from `at` up to `last`.
    CREATE OR REPLACE FUNCTION begins_founded(
      it place, seconds bigint[], posts text[], founded boolean[], at integer, last integer
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      FOR i IN at + 1..last LOOP
        CONTINUE WHEN NOT founded[i];
        IF posts[i] <> posts[at] THEN RETURN seconds[i] - seconds[at] <= longest_at(it, 1, seconds[at]); END IF;
        IF seconds[i] - seconds[at] > it.ranger_window THEN RETURN false; END IF;
      END LOOP;
      RETURN false;
    END $$;

    -- The same of all of these, all of which are known before the second `until`. A text belongs to what begins behind it.
    CREATE OR REPLACE FUNCTION begins_any(
      it place, seconds bigint[], posts text[], founded boolean[], at integer, last integer, until bigint
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      next integer := 0;
    BEGIN
      FOR i IN at + 1..last LOOP
        IF posts[i] <> posts[at] OR seconds[i] - seconds[at] > it.ranger_window THEN next := i; EXIT; END IF;
      END LOOP;
      IF next = 0 OR posts[next] = posts[at] OR seconds[next] - seconds[at] > longest_at(it, 1, seconds[at]) THEN RETURN false; END IF;
      -- What goes with it then goes before any text.
      IF founded[at] THEN RETURN begins_founded(it, seconds, posts, founded, at, last); END IF;
      IF founded[next] OR seconds[next] + it.ranger_window >= until THEN RETURN false; END IF;
      FOR i IN next..last LOOP
        EXIT WHEN seconds[i] > seconds[next] + it.ranger_window;
        IF founded[i] AND posts[i] = posts[next] THEN RETURN false; END IF;
      END LOOP;
      IF seconds[next] - seconds[at] <= it.ranger_window THEN RETURN false; END IF;
      FOR i IN at..last LOOP
        EXIT WHEN seconds[i] > seconds[at] + it.ranger_window;
        IF founded[i] AND posts[i] = posts[at] THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END $$;

    -- Whether the last of these from `first` up to `at` is surely the last passage before `next` at that post, where all
    -- are known from a second on; only those count that do not rest on texts alone where `is_founded`.
    CREATE OR REPLACE FUNCTION is_clear_of(
      it place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, known_from bigint,
      next bigint, next_post text, is_founded boolean
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      IF at < first OR posts[at] <> next_post OR known_from > seconds[at] - it.ranger_window
        OR next - seconds[at] <= it.ranger_window
      THEN RETURN false; END IF;
      FOR i IN REVERSE at..first LOOP
        EXIT WHEN seconds[i] < seconds[at] - it.ranger_window;
        IF posts[i] <> posts[at] AND (founded[i] OR NOT is_founded) THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END $$;

    -- Whether nothing goes across between those from `first` and those from `at` up to `last`, all of which are known from
    -- one second until before another: nothing of all of them, and nothing of those that do not rest on texts alone.
    CREATE OR REPLACE FUNCTION is_cut(
      it place, seconds bigint[], posts text[], founded boolean[], first integer, at integer, last integer,
      known_from bigint, until bigint
    ) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      is_single CONSTANT boolean := cardinality(it.names) = 1 AND seconds[at] + it.ranger_window < until;
      before bigint := CASE WHEN at > first THEN seconds[at - 1] ELSE known_from - 1 END;
      one integer := 0;
      other integer := 0;
    BEGIN
      IF NOT (is_single AND seconds[at] - it.longests[1] > before
        AND begins_any(it, seconds, posts, founded, at, last, until))
      THEN
        IF NOT is_clear_of(it, seconds, posts, founded, first, at - 1, known_from, seconds[at], posts[at], false) THEN
          RETURN false;
        END IF;
        IF NOT founded[at] THEN
          IF seconds[at] + it.ranger_window >= until THEN RETURN false; END IF;
          FOR i IN at + 1..last LOOP
            EXIT WHEN seconds[i] > seconds[at] + it.ranger_window;
            IF posts[i] <> posts[at] THEN RETURN false; END IF;
          END LOOP;
        END IF;
      END IF;

      FOR i IN REVERSE at - 1..first LOOP
        IF founded[i] THEN one := i; EXIT; END IF;
      END LOOP;
      FOR i IN at..last LOOP
        IF founded[i] THEN other := i; EXIT; END IF;
      END LOOP;
      before := CASE WHEN one > 0 THEN seconds[one] ELSE known_from - 1 END;
      IF other = 0 THEN RETURN until - it.pairing_window > before; END IF;
      RETURN seconds[other] - it.pairing_window > before
        OR is_clear_of(it, seconds, posts, founded, first, one, known_from, seconds[other], posts[other], true)
        OR other = at AND is_single AND seconds[at] - it.longests[1] > before
          AND begins_founded(it, seconds, posts, founded, at, last);
    END $$;

    -- Looks on both sides of what changed for the next place across which nothing can work: a gap in which nothing
    -- is paired; two passages at one post that follow each other; and, where there is one segment, the begin of an
    -- ordinary travel that nothing near precedes. All lie outside of what changed, so that they were there before too.
    -- Where some rest on texts alone, each has to be one without these, too. Where posts stood elsewhere at other times, two
    -- passages that follow each other need not be of one road, and only a gap is one.
    CREATE OR REPLACE FUNCTION span_of(vehicle text, it place, low bigint, high bigint)
    RETURNS span LANGUAGE plpgsql STABLE AS $$
    DECLARE
      read_low bigint := low;
      read_high bigint := high;
      reach bigint;
      seconds bigint[];
      posts text[];
      founded boolean[];
      is_plain boolean;
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
        SELECT array_agg(r.second ORDER BY r.second, r.post), array_agg(r.post::text ORDER BY r.second, r.post),
            array_agg(r.is_founded ORDER BY r.second, r.post), coalesce(bool_and(r.is_founded), true)
          INTO seconds, posts, founded, is_plain
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

        found := ROW(NULL, NULL, NULL, NULL)::span;
        edge := low;
        edge_post := NULL;
        FOR i IN REVERSE below..1 LOOP
          IF edge - it.pairing_window > seconds[i]
            OR is_plain AND NOT it.is_moved AND (cardinality(it.names) = 1 AND edge - it.longests[1] > seconds[i]
                AND edge + it.ranger_window < low AND begins_travel(it, seconds[:below], posts[:below], i + 1)
              OR posts[i] = edge_post AND read_low <= seconds[i] - it.ranger_window
                AND is_clear(it, seconds, posts, i, edge))
            OR NOT is_plain AND NOT it.is_moved AND i < below AND is_cut(it, seconds, posts, founded, 1, i + 1, below, read_low, low)
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
          IF is_plain AND NOT it.is_moved AND (cardinality(it.names) = 1 AND seconds[i] - it.longests[1] > edge
                AND seconds[i] + it.ranger_window <= read_high AND begins_travel(it, seconds, posts, i)
              OR i > above AND posts[i - 1] = posts[i] AND high < edge - it.ranger_window
                AND is_clear(it, seconds[above:], posts[above:], i - above, seconds[i]))
            OR NOT is_plain AND NOT it.is_moved AND is_cut(it, seconds, posts, founded, above, i, cardinality(seconds), high + 1,
              read_high + 1)
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
        IF found.low IS NOT NULL AND found.high IS NOT NULL THEN
          found.ahead := CASE WHEN found.ends_in_gap THEN found.high ELSE read_high END;
          RETURN found;
        END IF;
      END LOOP;
    END $$;
    """#
}
