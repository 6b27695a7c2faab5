extension JudgingSchema {
  /// Passages and travels, as they follow from the set of records alone and never from their order.
  static let travels = #"""
    -- What is read beyond the end of the span is not judged; by it the last of it is held against what follows.
    CREATE OR REPLACE FUNCTION travels_of(vehicle text, it place, part span)
    RETURNS travels LANGUAGE plpgsql STABLE AS $$
    DECLARE
      numbers bigint[];
      seconds bigint[];
      posts text[];
      dated boolean[];
      founded boolean[];
      has_texts boolean;
      judged integer;
      -- Of each record its passage; of each passage its row, post, first record, first and last second, whether it can
      -- change what is proven, and the segments of the travels that it begins and ends, and of the long stay that it
      -- may have begun; and whether texts lie within.
      part_of integer[] := '{}';
      rows bigint[] := '{}';
      at text[] := '{}';
      first_at integer[] := '{}';
      earliest bigint[] := '{}';
      latest bigint[] := '{}';
      firm boolean[] := '{}';
      begun integer[] := '{}';
      ended integer[] := '{}';
      turned integer[] := '{}';
      crossed integer[] := '{}';
      -- Of each passage the one at the other end of what it began.
      exits_of integer[] := '{}';
      ways integer[];
      j integer;
      -- The passages that are dated, in order, and those that are paired; and of each post the one that is open.
      in_order integer[] := '{}';
      layer integer[];
      open integer[] := array_fill(0, ARRAY[cardinality(it.posts)]);
      open_texts integer[] := open;
      count integer := 0;
      post integer;
      a integer;
      b integer;
      i integer;
      s integer;
      ahead integer;
      is_far boolean;
      is_joined boolean := false;
      due_in bigint;
      made travels;
    BEGIN
      -- Where corrections put several at one place, by what was received, of which no two are the same.
      SELECT array_agg(o.number ORDER BY o.turn), array_agg(o.second ORDER BY o.turn),
          array_agg(o.post ORDER BY o.turn), array_agg(o.is_dated ORDER BY o.turn),
          array_agg(o.is_founded ORDER BY o.turn), bool_or(o.is_dated AND NOT o.is_founded),
          count(*) FILTER (WHERE o.second <= part.high)
        INTO numbers, seconds, posts, dated, founded, has_texts, judged
        FROM (
          SELECT r.number, r.second, r.post::text AS post, r.is_dated, r.is_founded, row_number() OVER (
            ORDER BY r.second, r.post, r.received_plate, r.received_second, r.received_post) AS turn
          FROM records r
          WHERE r.plate = vehicle AND r.second BETWEEN part.low AND part.ahead AND r.post = ANY (it.posts)
            AND NOT r.is_aside) o;
      IF numbers IS NULL OR judged = 0 THEN RETURN NULL; END IF;

      -- A passage begins with a record and holds what follows it within the window, counted from that first one.
      FOR i IN 1..cardinality(numbers) LOOP
        CONTINUE WHEN dated[i] AND NOT founded[i];
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
          first_at[count] := i;
          earliest[count] := seconds[i];
          latest[count] := seconds[i];
          firm[count] := founded[i];
          begun[count] := 0;
          ended[count] := 0;
          turned[count] := 0;
          crossed[count] := 0;
          IF dated[i] THEN
            open[post] := count;
            in_order := in_order || count;
          END IF;
        END IF;
      END LOOP;

      -- What rests on texts alone is put in afterwards, and changes nothing of the others.
      IF has_texts THEN
        FOR i IN 1..cardinality(numbers) LOOP
          CONTINUE WHEN NOT dated[i] OR founded[i];
          a := 0;
          FOR j IN REVERSE i - 1..1 LOOP
            EXIT WHEN seconds[i] - seconds[j] > it.ranger_window;
            CONTINUE WHEN NOT founded[j] OR NOT dated[j] OR posts[j] <> posts[i];
            IF seconds[i] - earliest[part_of[j]] <= it.ranger_window THEN a := part_of[j]; END IF;
            EXIT;
          END LOOP;
          IF a = 0 THEN
            FOR j IN i + 1..cardinality(numbers) LOOP
              EXIT WHEN seconds[j] - seconds[i] > it.ranger_window;
              CONTINUE WHEN NOT founded[j] OR NOT dated[j] OR posts[j] <> posts[i];
              a := part_of[j];
              EXIT;
            END LOOP;
          END IF;
          post := array_position(it.posts, posts[i]);
          IF a = 0 AND open_texts[post] > 0 AND seconds[i] - earliest[open_texts[post]] <= it.ranger_window THEN
            a := open_texts[post];
            latest[a] := seconds[i];
          END IF;
          IF a > 0 THEN
            part_of[i] := a;
            IF numbers[i] & 1099511627775 < rows[a] & 1099511627775 THEN rows[a] := numbers[i]; END IF;
            CONTINUE;
          END IF;
          count := count + 1;
          part_of[i] := count;
          rows[count] := numbers[i];
          at[count] := posts[i];
          first_at[count] := i;
          earliest[count] := seconds[i];
          latest[count] := seconds[i];
          firm[count] := false;
          begun[count] := 0;
          ended[count] := 0;
          turned[count] := 0;
          crossed[count] := 0;
          open_texts[post] := count;
        END LOOP;
        in_order := ARRAY(SELECT u.passage::integer FROM unnest(first_at) WITH ORDINALITY AS u(first, passage)
          WHERE dated[u.first] ORDER BY u.first);
      END IF;
      made.numbers := numbers[:judged];
      made.rows := ARRAY(SELECT rows[p] FROM unnest(part_of[:judged]) WITH ORDINALITY AS u(p, n) ORDER BY n);
      IF cardinality(it.names) = 0 THEN RETURN made; END IF;

      -- First without what rests on texts alone; then with what of it lies between the travels.
      layer := in_order;
      IF has_texts THEN
        layer := ARRAY(SELECT u.p FROM unnest(in_order) WITH ORDINALITY AS u(p, n) WHERE firm[u.p] ORDER BY u.n);
      END IF;
      LOOP
        -- First as a post does it, so that the two say the same of what both know: the nearest two. Then what stayed
        -- long: the next one at the other end, with no passage between. A passage ends one travel at most and begins
        -- one at most, and not both on one segment.
        FOREACH is_far IN ARRAY ARRAY[false, true] LOOP
          FOR i IN 1..cardinality(layer) - 1 LOOP
            a := layer[i];
            CONTINUE WHEN begun[a] > 0 OR turned[a] > 0;
            IF it.is_moved THEN
              SELECT w.s, layer[w.next] INTO s, b FROM way_from(it, at, earliest, layer, i) AS w;
            ELSE
              b := layer[i + 1];
              CONTINUE WHEN at[a] = at[b];
              s := stretch(it, at[a], earliest[a], at[b], earliest[b]);
            END IF;
            CONTINUE WHEN s = 0 OR ended[b] > 0 OR it.lanes[ended[a]] = it.lanes[s] OR it.lanes[begun[b]] = it.lanes[s]
              OR it.lanes[turned[b]] = it.lanes[s]
              OR earliest[b] - earliest[a] > CASE WHEN is_far THEN window_at(it, s, earliest[a])
                ELSE longest_at(it, s, earliest[a]) END;
            begun[a] := s;
            ended[b] := s;
            exits_of[a] := b;
          END LOOP;
        END LOOP;
        -- What would have been a long stay, had the vehicle not turned at its exit, or left unseen and come again.
        FOR i IN 1..cardinality(layer) - 2 LOOP
          a := layer[i];
          CONTINUE WHEN begun[a] > 0 OR turned[a] > 0;
          IF it.is_moved THEN
            SELECT w.s, layer[w.next] INTO s, b FROM way_from(it, at, earliest, layer, i) AS w;
            CONTINUE WHEN s = 0 OR begun[b] = 0;
          ELSE
            b := layer[i + 1];
            CONTINUE WHEN begun[b] = 0 OR at[a] = at[b];
            s := stretch(it, at[a], earliest[a], at[b], earliest[b]);
          END IF;
          CONTINUE WHEN s = 0 OR it.lanes[ended[a]] = it.lanes[s] OR it.lanes[begun[b]] <> it.lanes[s]
            OR earliest[b] - earliest[a] > window_at(it, s, earliest[a])
            OR earliest[exits_of[b]] - earliest[b] > longest_at(it, s, earliest[b]);
          turned[a] := s;
          exits_of[a] := b;
        END LOOP;
        EXIT WHEN is_joined OR NOT has_texts;
        is_joined := true;
        layer := '{}';
        b := 0;
        FOR k IN 1..cardinality(in_order) LOOP
          a := in_order[k];
          IF NOT firm[a] AND it.is_moved THEN
            -- Within a travel of its own road.
            b := 0;
            FOR j IN REVERSE k - 1..1 LOOP
              i := in_order[j];
              CONTINUE WHEN NOT firm[i] OR begun[i] = 0 AND turned[i] = 0
                OR array_position(in_order, exits_of[i]) < k
                OR NOT is_joined(it, greatest(begun[i], turned[i]), at[a], earliest[a]);
              b := i;
              EXIT;
            END LOOP;
          END IF;
          IF firm[a] THEN
            b := a;
            layer := layer || a;
          ELSIF b > 0 AND (begun[b] > 0 OR turned[b] > 0) THEN
            crossed[b] := 1;
          ELSE
            layer := layer || a;
          END IF;
        END LOOP;
      END LOOP;

      FOR i IN 1..cardinality(layer) LOOP
        a := layer[i];
        CONTINUE WHEN earliest[a] > part.high;
        IF begun[a] > 0 OR turned[a] > 0 THEN
          made.entries := made.entries || rows[a];
          made.exits := made.exits || rows[exits_of[a]];
          made.marks := made.marks || (crossed[a] + CASE WHEN begun[a] = 0 THEN 2 ELSE 0 END);
        ELSIF it.is_moved OR (CASE
            WHEN i < cardinality(layer) THEN earliest[layer[i + 1]] - latest[a] > it.pairing_window
            ELSE part.ends_in_gap END)
        THEN
          -- An entry after which nothing was seen of the vehicle. Where it may have gone several ways, the slowest of
          -- them counts.
          ahead := 0;
          ways := '{}';
          FOR s IN 1..cardinality(it.names) LOOP
            CONTINUE WHEN at[a] NOT IN (it.firsts[s], it.seconds[s]) OR it.lanes[s] = it.lanes[ended[a]];
            IF it.is_moved THEN
              -- Nobody waits for it at an end where nobody stands any more.
              CONTINUE WHEN NOT stands(it, s, at[a], earliest[a]) OR NOT stands(it, s,
                CASE WHEN it.firsts[s] = at[a] THEN it.seconds[s] ELSE it.firsts[s] END,
                latest[a] + due_after(it, s, earliest[a]));
              ways := ways || s;
            END IF;
            IF ahead = 0 OR due_after(it, s, earliest[a]) > due_in THEN
              ahead := s;
              due_in := due_after(it, s, earliest[a]);
            END IF;
          END LOOP;
          CONTINUE WHEN ahead = 0;
          IF it.is_moved THEN
            j := next_on(it, ways, at, earliest, layer, i);
            CONTINUE WHEN CASE WHEN j > 0 THEN earliest[layer[j]] - latest[a] <= it.pairing_window
              ELSE NOT part.ends_in_gap END;
          END IF;
          made.waiting := made.waiting || rows[a];
          made.opposites := made.opposites
            || CASE WHEN it.firsts[ahead] = at[a] THEN it.seconds[ahead] ELSE it.firsts[ahead] END;
          made.due := made.due || latest[a] + due_in;
          made.expires := made.expires || latest[a] + greatest(window_at(it, ahead, earliest[a]), due_in);
        END IF;
      END LOOP;
      RETURN made;
    END $$;
    """#
}
