extension JudgingSchema {
  /// Passages and travels, as they follow from the set of records alone and never from their order.
  static let travels = #"""
    CREATE OR REPLACE FUNCTION travels_of(vehicle text, it place, part span)
    RETURNS travels LANGUAGE plpgsql STABLE AS $$
    DECLARE
      numbers bigint[];
      seconds bigint[];
      posts text[];
      dated boolean[];
      -- Of each record its passage; of each passage its row, post, first and last second, and the segments of the
      -- travels that it begins and ends.
      part_of integer[] := '{}';
      rows bigint[] := '{}';
      at text[] := '{}';
      earliest bigint[] := '{}';
      latest bigint[] := '{}';
      begun integer[] := '{}';
      ended integer[] := '{}';
      -- The passages that are dated, in order; and of each post the one that is open.
      in_order integer[] := '{}';
      open integer[] := array_fill(0, ARRAY[cardinality(it.posts)]);
      count integer := 0;
      post integer;
      a integer;
      b integer;
      i integer;
      s integer;
      ahead integer;
      is_far boolean;
      due_in bigint;
      made travels;
    BEGIN
      -- Where corrections put several at one place, by what was received, of which no two are the same.
      SELECT array_agg(o.number ORDER BY o.turn), array_agg(o.second ORDER BY o.turn),
          array_agg(o.post ORDER BY o.turn), array_agg(o.is_dated ORDER BY o.turn)
        INTO numbers, seconds, posts, dated
        FROM (
          SELECT r.number, r.second, r.post::text AS post, r.is_dated, row_number() OVER (
            ORDER BY r.second, r.post, r.received_plate, r.received_second, r.received_post) AS turn
          FROM records r
          WHERE r.plate = vehicle AND r.second BETWEEN part.low AND part.high AND r.post = ANY (it.posts)
            AND NOT r.is_aside) o;
      IF numbers IS NULL THEN RETURN NULL; END IF;

      -- A passage begins with a record and holds what follows it within the window, counted from that first one.
      FOR i IN 1..cardinality(numbers) LOOP
        post := array_position(it.posts, posts[i]);
        IF dated[i] AND open[post] > 0 AND seconds[i] - earliest[open[post]] <= it.ranger_window THEN
          a := open[post];
          part_of[i] := a;
          -- The one that was made first; what stands above these bits is its month.
          IF numbers[i] & 1099511627775 < rows[a] & 1099511627775 THEN rows[a] := numbers[i]; END IF;
          latest[a] := seconds[i];
        ELSE
          count := count + 1;
          part_of[i] := count;
          rows[count] := numbers[i];
          at[count] := posts[i];
          earliest[count] := seconds[i];
          latest[count] := seconds[i];
          begun[count] := 0;
          ended[count] := 0;
          IF dated[i] THEN
            open[post] := count;
            in_order := in_order || count;
          END IF;
        END IF;
      END LOOP;
      made.numbers := numbers;
      made.rows := ARRAY(SELECT rows[p] FROM unnest(part_of) WITH ORDINALITY AS u(p, n) ORDER BY n);
      IF cardinality(it.names) = 0 THEN RETURN made; END IF;

      -- First as a post does it, so that the two say the same of what both know: the nearest two. Then what stayed
      -- long: the next one at the other end, with no passage between. A passage ends one travel at most and begins
      -- one at most, and not both on one segment.
      FOREACH is_far IN ARRAY ARRAY[false, true] LOOP
        FOR i IN 1..cardinality(in_order) - 1 LOOP
          a := in_order[i];
          b := in_order[i + 1];
          CONTINUE WHEN begun[a] > 0 OR at[a] = at[b];
          s := stretch(it, at[a], at[b]);
          CONTINUE WHEN s = 0 OR ended[a] = s OR begun[b] = s
            OR earliest[b] - earliest[a] > CASE WHEN is_far THEN it.windows[s] ELSE it.longests[s] END;
          begun[a] := s;
          ended[b] := s;
        END LOOP;
      END LOOP;

      FOR i IN 1..cardinality(in_order) LOOP
        a := in_order[i];
        IF begun[a] > 0 THEN
          made.entries := made.entries || rows[a];
          made.exits := made.exits || rows[in_order[i + 1]];
        ELSIF (CASE
            WHEN i < cardinality(in_order) THEN earliest[in_order[i + 1]] - latest[a] > it.pairing_window
            ELSE part.ends_in_gap END)
        THEN
          -- An entry after which nothing was seen of the vehicle. Where it may have gone several ways, the slowest of
          -- them counts.
          ahead := 0;
          FOR s IN 1..cardinality(it.names) LOOP
            CONTINUE WHEN at[a] NOT IN (it.firsts[s], it.seconds[s]) OR s = ended[a];
            IF ahead = 0 OR it.distances[s] * 3600 / it.slowests[s] + 2 > due_in THEN
              ahead := s;
              due_in := it.distances[s] * 3600 / it.slowests[s] + 2;
            END IF;
          END LOOP;
          CONTINUE WHEN ahead = 0;
          made.waiting := made.waiting || rows[a];
          made.opposites := made.opposites
            || CASE WHEN it.firsts[ahead] = at[a] THEN it.seconds[ahead] ELSE it.firsts[ahead] END;
          made.due := made.due || latest[a] + due_in;
          made.expires := made.expires || latest[a] + greatest(it.windows[ahead], due_in);
        END IF;
      END LOOP;
      RETURN made;
    END $$;
    """#
}
