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
      found_place place;
      reached text[] := ARRAY[code];
      known uuid[] := '{}';
      more uuid[];
    BEGIN
      LOOP
        more := ARRAY(SELECT s.id FROM segments s
          WHERE s.id = ANY (ARRAY(SELECT e.segment_id FROM segment_ends e WHERE e.code = ANY (reached)))
            AND s.id <> ALL (known));
        EXIT WHEN cardinality(more) = 0;
        known := known || more;
        reached := ARRAY(SELECT DISTINCT e.code FROM segment_ends e WHERE e.segment_id = ANY (known));
      END LOOP;
      SELECT
        array_agg(s.name::text ORDER BY s.turn), array_agg(s.posts[1] ORDER BY s.turn),
        array_agg(s.posts[2] ORDER BY s.turn), array_agg(s.distance ORDER BY s.turn),
        array_agg(s.fastest ORDER BY s.turn), array_agg(s.slowest ORDER BY s.turn),
        array_agg(s.waits ORDER BY s.turn), array_agg(s.longest ORDER BY s.turn),
        CASE count(s.id) WHEN 1 THEN min(s.posts) WHEN 0 THEN ARRAY[code]
          ELSE ARRAY(SELECT u.post FROM unnest(reached) AS u(post) ORDER BY u.post COLLATE "C") END,
        -- Less than a vehicle needs to the nearest other end and back.
        least(r.ranger_window, min((s.distance * 3600 - 1) / s.fastest + 1)),
        coalesce(max(s.waits), r.pairing_window)
      INTO found_place
      FROM settings r
      LEFT JOIN LATERAL (
        SELECT g.*, l.longest,
          greatest(coalesce((SELECT w.seconds FROM pairing_windows w WHERE w.segment = g.name), r.pairing_window),
            l.longest) AS waits,
          row_number() OVER (ORDER BY g.name COLLATE "C", g.id) AS turn
        FROM segments g
        -- What lies further apart is one travel only where nothing was seen in between.
        CROSS JOIN LATERAL (SELECT greatest(18000, 2 * (g.distance * 3600 / g.slowest)) AS longest) AS l
        WHERE g.id = ANY (known)) AS s ON true
      GROUP BY r.ranger_window, r.pairing_window;
      IF cardinality(known) = 0 THEN
        found_place.names := '{}'; found_place.firsts := '{}'; found_place.seconds := '{}';
        found_place.distances := '{}'; found_place.fastests := '{}'; found_place.slowests := '{}';
        found_place.windows := '{}'; found_place.longests := '{}';
      END IF;
      RETURN found_place;
    END $$;

    -- Which segment of a place lies between two posts, the first by name; 0 where none does.
    CREATE OR REPLACE FUNCTION stretch(it place, one text, other text) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      IF one = other THEN RETURN 0; END IF;
      FOR i IN 1..cardinality(it.names) LOOP
        IF it.firsts[i] = one AND it.seconds[i] = other OR it.firsts[i] = other AND it.seconds[i] = one THEN
          RETURN i;
        END IF;
      END LOOP;
      RETURN 0;
    END $$;

    -- All posts that are judged together with one of these.
    CREATE OR REPLACE FUNCTION posts_with(codes text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
      SELECT ARRAY(SELECT DISTINCT p.post FROM unnest(codes) AS c(code), unnest((place_of(c.code)).posts) AS p(post))
    $$;

    -- The segment of the deployed table on which a travel between two posts was; of one that does not lie between
    -- them any more, the one of that name.
    CREATE OR REPLACE FUNCTION segment_between(one text, other text, called text) RETURNS uuid LANGUAGE sql STABLE AS $$
      SELECT coalesce(
        (SELECT a.segment_id FROM segment_ends a JOIN segment_ends b ON b.segment_id = a.segment_id
          JOIN known_segments k ON k.id = a.segment_id
          WHERE a.code = one AND b.code = other AND one <> other
          ORDER BY k.name = called DESC, k.name COLLATE "C", k.id LIMIT 1),
        (SELECT c.segment_id FROM public.checkposts c WHERE c.code = one))
    $$;

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
