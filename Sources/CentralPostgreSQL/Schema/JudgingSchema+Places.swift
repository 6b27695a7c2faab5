extension JudgingSchema {
  /// What the directory says of a post.
  static let places = #"""
    -- Functions that are asked often are PL/pgSQL, which plans what they ask once.

    -- Segments that have both posts and whose numbers make sense, in metres and metres an hour.
    CREATE OR REPLACE VIEW segments AS
      SELECT h.id, h.name, h.distance, h.fastest, h.slowest,
        array_agg(e.code ORDER BY e.position_index) AS posts
      FROM known_segments h JOIN segment_ends e ON e.segment_id = h.id
      GROUP BY h.id, h.name, h.distance, h.fastest, h.slowest
      HAVING count(*) = 2 AND h.fastest > h.slowest AND h.slowest >= 1 AND h.distance >= 1;

    -- Where the passages of a post are judged: with those of all posts that its segments lead to, one after the other.
    CREATE OR REPLACE FUNCTION place_of(code text) RETURNS place LANGUAGE plpgsql STABLE AS $$
    DECLARE
      kept place;
    BEGIN
      SELECT (k.it).* INTO kept FROM known_places k WHERE k.post = code;
      RETURN CASE WHEN FOUND THEN kept ELSE found_place(code) END;
    END $$;

    -- The places of some posts, each once and in one order. Whoever asks holds the lock that keeps the directory as it
    -- is, so that they are kept until somebody changes it.
    CREATE OR REPLACE FUNCTION places_of(codes text[]) RETURNS place[] LANGUAGE plpgsql AS $$
    DECLARE
      places place[];
      is_kept boolean;
    BEGIN
      SELECT array_agg(DISTINCT k.it), count(*) = count(k.post) INTO places, is_kept
        FROM (SELECT DISTINCT unnest(codes) AS post) AS c LEFT JOIN known_places k ON k.post = c.post;
      IF is_kept THEN RETURN places; END IF;
      -- One at a time writes it down, and nobody waits for another one's.
      IF pg_try_advisory_xact_lock(7069, 0) THEN
        -- Of each that is judged together with one of them as well: the next row may be of it.
        INSERT INTO known_places AS k (post, it, post_id, ranger_window, pairing_window, is_moved, is_divided,
            opposite, segment_id, due_in, expires_in)
          SELECT f.post, f.it, c.id, (f.it).ranger_window, (f.it).pairing_window, (f.it).is_moved,
            s.partitions = 'month', o.opposite,
            CASE WHEN o.opposite IS NOT NULL THEN segment_between(f.post, o.opposite, (f.it).names[1]) END,
            CASE WHEN o.opposite IS NOT NULL AND (f.it).old_at = '{}' THEN due_after(f.it, 1, 0) END,
            CASE WHEN o.opposite IS NOT NULL AND (f.it).old_at = '{}'
              THEN greatest(window_at(f.it, 1, 0), due_after(f.it, 1, 0)) END
          FROM (
            SELECT c.post, found_place(c.post) AS it
            FROM (SELECT DISTINCT unnest(posts_with(codes) || codes) AS post) AS c
            WHERE NOT EXISTS (SELECT FROM known_places o WHERE o.post = c.post) OFFSET 0) AS f
          CROSS JOIN LATERAL (SELECT opposite_of(f.it, f.post) AS opposite OFFSET 0) AS o CROSS JOIN settings s
          LEFT JOIN public.checkposts c ON c.code = f.post COLLATE "default"
          ORDER BY f.post COLLATE "C"
          ON CONFLICT DO NOTHING;
      END IF;
      RETURN ARRAY(SELECT DISTINCT place_of(c.post) FROM unnest(codes) AS c(post) ORDER BY 1);
    END $$;

    -- The post at the other end, of one at one segment alone whose posts were always the same.
    CREATE OR REPLACE FUNCTION opposite_of(it place, post text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      IF cardinality(it.names) <> 1 OR it.is_moved THEN RETURN NULL; END IF;
      RETURN CASE post WHEN it.firsts[1] THEN it.seconds[1] WHEN it.seconds[1] THEN it.firsts[1] END;
    END $$;

    -- What was found out of the directory is forgotten when it changes; nobody finds it out meanwhile.
    CREATE OR REPLACE FUNCTION forget_places() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      PERFORM lock_all();
      DELETE FROM known_places;
      RETURN NULL;
    END $$;

    CREATE OR REPLACE FUNCTION found_place(code text) RETURNS place LANGUAGE plpgsql STABLE AS $$
    DECLARE
      found_place place;
      reached text[] := ARRAY[code];
      known uuid[] := '{}';
      more uuid[];
    BEGIN
      LOOP
        more := ARRAY(SELECT DISTINCT s.id
          FROM stretches_of(ARRAY(SELECT e.segment_id FROM held_ends e WHERE e.code = ANY (reached))) AS s
          WHERE (s.first = ANY (reached) OR s.second = ANY (reached)) AND s.id <> ALL (known));
        EXIT WHEN cardinality(more) = 0;
        known := known || more;
        reached := ARRAY(SELECT DISTINCT e.code FROM stretches_of(known) AS s, unnest(ARRAY[s.first, s.second]) AS e(code));
      END LOOP;
      SELECT
        array_agg(s.name::text ORDER BY s.turn), array_agg(s.first ORDER BY s.turn),
        array_agg(s.second ORDER BY s.turn), array_agg(s.distance ORDER BY s.turn),
        array_agg(s.fastest ORDER BY s.turn), array_agg(s.slowest ORDER BY s.turn),
        array_agg(s.waits ORDER BY s.turn), array_agg(s.longest ORDER BY s.turn),
        CASE count(s.id) WHEN 1 THEN min(ARRAY[s.first, s.second]) WHEN 0 THEN ARRAY[code]
          ELSE ARRAY(SELECT u.post FROM unnest(reached) AS u(post) ORDER BY u.post COLLATE "C") END,
        -- Less than a vehicle needs to the nearest other end and back.
        least(r.ranger_window, min((s.distance * 3600 - 1) / s.fastest + 1), min(s.shortest)),
        coalesce(max(s.waits), r.pairing_window),
        array_agg(s.rule ORDER BY s.turn)
      INTO found_place.names, found_place.firsts, found_place.seconds, found_place.distances, found_place.fastests,
        found_place.slowests, found_place.windows, found_place.longests, found_place.posts, found_place.ranger_window,
        found_place.pairing_window, found_place.waits
      FROM settings r
      LEFT JOIN LATERAL (
        SELECT g.*, l.longest, l.shortest, p.rule, greatest(p.rule, l.longest) AS waits,
          row_number() OVER (ORDER BY g.name COLLATE "C", g.id, g.first_since, g.second_since, g.first COLLATE "C",
            g.second COLLATE "C") AS turn
        FROM stretches_of(known) g
        -- What lies further apart is one travel only where nothing was seen in between.
        CROSS JOIN LATERAL (
          SELECT greatest(18000, 2 * (g.distance * 3600 / g.slowest),
              max(2 * (o.distance * 3600 / o.slowest))) AS longest,
            min((o.distance * 3600 - 1) / o.fastest + 1) AS shortest
          FROM earlier_limits o WHERE o.segment_id = g.id) AS l
        CROSS JOIN LATERAL (
          SELECT coalesce((SELECT w.seconds FROM pairing_windows w WHERE w.segment = g.name), r.pairing_window)
            AS rule) AS p
        ) AS s ON true
      GROUP BY r.ranger_window, r.pairing_window;
      IF cardinality(known) = 0 THEN
        found_place.names := '{}'; found_place.firsts := '{}'; found_place.seconds := '{}';
        found_place.distances := '{}'; found_place.fastests := '{}'; found_place.slowests := '{}';
        found_place.windows := '{}'; found_place.longests := '{}'; found_place.waits := '{}';
      END IF;
      SELECT coalesce(array_agg(o.turn ORDER BY o.turn, o.until), '{}'),
          coalesce(array_agg(o.until ORDER BY o.turn, o.until), '{}'),
          coalesce(array_agg(o.distance ORDER BY o.turn, o.until), '{}'),
          coalesce(array_agg(o.fastest ORDER BY o.turn, o.until), '{}'),
          coalesce(array_agg(o.slowest ORDER BY o.turn, o.until), '{}')
        INTO found_place.old_at, found_place.old_until, found_place.old_distances, found_place.old_fastests,
          found_place.old_slowests
        FROM (
          SELECT e.*, s.turn::integer AS turn FROM (
            SELECT g.id, row_number() OVER (ORDER BY g.name COLLATE "C", g.id, g.first_since, g.second_since,
              g.first COLLATE "C", g.second COLLATE "C") AS turn
            FROM stretches_of(known) g) AS s
          JOIN earlier_limits e ON e.segment_id = s.id) AS o;
      SELECT coalesce(array_agg(s.lane::integer ORDER BY s.turn), '{}'),
          coalesce(array_agg(s.first_since ORDER BY s.turn), '{}'), coalesce(array_agg(s.first_until ORDER BY s.turn), '{}'),
          coalesce(array_agg(s.second_since ORDER BY s.turn), '{}'),
          coalesce(array_agg(s.second_until ORDER BY s.turn), '{}')
        INTO found_place.lanes, found_place.first_since, found_place.first_until, found_place.second_since,
          found_place.second_until
        FROM (
          SELECT g.*, dense_rank() OVER (ORDER BY g.name COLLATE "C", g.id) AS lane,
            row_number() OVER (ORDER BY g.name COLLATE "C", g.id, g.first_since, g.second_since, g.first COLLATE "C",
              g.second COLLATE "C") AS turn
          FROM stretches_of(known) g) AS s;
      RETURN with_roads(found_place);
    END $$;

    -- The numbers of a segment of a place that held at a second.
    CREATE OR REPLACE FUNCTION held_at(
      it place, s integer, second bigint, OUT distance bigint, OUT fastest bigint, OUT slowest bigint
    ) LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      FOR i IN 1..cardinality(it.old_at) LOOP
        IF it.old_at[i] = s AND second < it.old_until[i] THEN
          distance := it.old_distances[i];
          fastest := it.old_fastests[i];
          slowest := it.old_slowests[i];
          RETURN;
        END IF;
      END LOOP;
      distance := it.distances[s];
      fastest := it.fastests[s];
      slowest := it.slowests[s];
    END $$;

    -- Seconds within which a passage and the next one at the other end are one travel whatever was seen before, of one
    -- that begins at a second.
    CREATE OR REPLACE FUNCTION longest_at(it place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      held record;
    BEGIN
      IF it.old_at = '{}' THEN RETURN it.longests[s]; END IF;
      held := held_at(it, s, second);
      RETURN greatest(18000, 2 * (held.distance * 3600 / held.slowest));
    END $$;

    -- How long an exit is waited for of an entry at a second.
    CREATE OR REPLACE FUNCTION window_at(it place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN greatest(it.waits[s], longest_at(it, s, second));
    END $$;

    -- How many seconds after an entry at a second the vehicle has been inside for too long.
    CREATE OR REPLACE FUNCTION due_after(it place, s integer, second bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      held record;
    BEGIN
      IF it.old_at = '{}' THEN RETURN it.distances[s] * 3600 / it.slowests[s] + 2; END IF;
      held := held_at(it, s, second);
      RETURN held.distance * 3600 / held.slowest + 2;
    END $$;

    -- Which segment of a place lies between two posts, each at a second at which it stood there, the first by name; 0
    -- where none does.
    CREATE OR REPLACE FUNCTION stretch(it place, one text, first bigint, other text, second bigint) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      IF one = other THEN RETURN 0; END IF;
      FOR i IN 1..cardinality(it.names) LOOP
        IF (it.firsts[i] = one AND it.seconds[i] = other OR it.firsts[i] = other AND it.seconds[i] = one)
          AND (NOT it.is_moved OR stands(it, i, one, first) AND stands(it, i, other, second))
        THEN
          RETURN i;
        END IF;
      END LOOP;
      RETURN 0;
    END $$;

    -- All posts that are judged together with one of these.
    CREATE OR REPLACE FUNCTION posts_with(codes text[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
    DECLARE
      found text[] := '{}';
      code text;
      it place;
    BEGIN
      FOREACH code IN ARRAY codes LOOP
        CONTINUE WHEN code IS NULL OR code = ANY (found);
        it := place_of(code);
        found := found || it.posts;
      END LOOP;
      RETURN ARRAY(SELECT DISTINCT unnest(found));
    END $$;

    -- The segment of the deployed table on which a travel between two posts was; of one that does not lie between
    -- them any more, the one of that name.
    CREATE OR REPLACE FUNCTION segment_between(one text, other text, called text) RETURNS uuid
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(
        (SELECT a.segment_id FROM held_ends a JOIN held_ends b ON b.segment_id = a.segment_id
          JOIN known_segments k ON k.id = a.segment_id
          WHERE a.code = one AND b.code = other AND one <> other
          ORDER BY k.name = called DESC, k.name COLLATE "C", k.id LIMIT 1),
        (SELECT c.segment_id FROM public.checkposts c WHERE c.code = one));
    END $$;

    -- The identifier of what has none of its own: from the SHA-256 of what it is and what it is called, with the
    -- version 8 and the variant of RFC 9562.
    CREATE OR REPLACE FUNCTION derived_id(kind text, name text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      h CONSTANT bytea := substr(sha256(convert_to('checkpost:' || kind || ':' || name, 'UTF8')), 1, 16);
    BEGIN
      RETURN encode(
        set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid;
    END $$;

    -- The post that a code names.
    CREATE OR REPLACE FUNCTION post_id(code text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.id FROM public.checkposts c WHERE c.code = $1),
        (SELECT a.post_id FROM post_aliases a WHERE a.code = $1));
    END $$;

    -- The code of a post today; of one that nobody knows, what it was called.
    CREATE OR REPLACE FUNCTION post_code(id uuid, called text) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.code FROM public.checkposts c WHERE c.id = coalesce($1, post_id(called))), called);
    END $$;
    """#
}
